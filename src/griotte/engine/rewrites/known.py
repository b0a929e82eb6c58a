"""Known: a tensor between nests that is computed of one constant alone is computed ahead of the call, once, and lies
beside the packs of that constant.

before  t[o] = sum_k w[o k] ; y = matmul(x, w) + t          w a constant
after   ahead of the call: t ; in the call: y = matmul(x, w) + t

What computes it runs 0 times in the call, so it costs nothing there; it takes its best program. There is nothing to
choose: it comes before the places of constants, and all else.
"""

from __future__ import annotations

from dataclasses import replace

from ...lang.nests.family import Family, Operand, State
from ..program.nodes import Pipeline
from .bufferize import Bufferize
from .edge import GOAL, PART, Edge, Parts, RewriteRule, Word, require


class Known(Bufferize):
    """Tensor number `tensor` of the graph is computed ahead of the call, as a whole array."""

    outer = True

    def edge(self, family: Family, target) -> Edge:
        graph = family.operation
        require(
            not graph.comes_in(self.tensor) and family.ahead[:1] == (self.tensor,),
            f"expected a tensor that is computed of one constant alone, found t{self.tensor}",
        )
        producer, consumer = self.cut(graph)
        later = replace(family, ahead=family.ahead[1:])
        first = self._child(later, producer, target, None, PART)
        rest = self._child(later, consumer, target, None, GOAL)
        first = replace(first, family=replace(first.family, ahead=()), carries=False, ahead=True)
        rest = replace(rest, family=replace(rest.family, ahead=(*left(family, consumer), *rest.family.ahead)))
        return Edge(self, lambda size: {}, ("free",), (first, rest))

    def node(self, state: State, parts: Parts, cost: float | None) -> Pipeline:
        return replace(super().node(state, parts, cost), ahead=True)

    def verb(self) -> str:
        return f"known {self.tensor}"

    def words(self, target) -> str:
        return f"t{self.tensor} ahead of the call"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        what = f"ahead {family.operation.names[self.tensor]}"
        return Word("copy", (self.tensor, 0, 0), what, what)


def left(family: Family, part) -> tuple[int, ...]:
    """The tensors that are still to be computed ahead, as a part of the graph numbers them."""
    graph = family.operation
    return tuple(
        part.operation.tensor(part.nests.index(graph.number(t))) for t in family.ahead[1:] if not graph.comes_in(t)
    )


def is_known(family: Family) -> bool:
    """Whether the first tensor to be placed ahead of the call is one between nests."""
    return bool(family.ahead) and not family.operation.comes_in(family.ahead[0])


def known_edges(family: Family, target) -> list[Edge]:
    if not is_known(family):
        return []
    held = family.operation.between(family.ahead[0])
    return [Known(family.ahead[0], Operand(held.dtype, family.slowest, held.layout)).edge(family, target)]


KNOWN = RewriteRule(known_edges, undecided=True)
