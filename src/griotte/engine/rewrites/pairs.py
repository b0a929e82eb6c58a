"""Pairs: the maximum of a softmax and the sum of its exponentials by one reading, in place of one for each.

before  high = max_n x ; e = exp(x - high) ; total = sum_n e ; y = e / total
after   high, total of x by pairs ; y = exp(x - high) / total

Both results lie in buffers at the nearest level. What gives them is a graph of two results that one leaf meets
(leaves/pairs): no nest of it has a program of its own, and nothing between them a place. What reads them is a Spec
that the space has anyhow, with exponentials computed again. Pages of x are counted as where a view or rounds bring it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...lang.nests.family import Family, Layout, Operand, State
from ...lang.nests.pending import OneLeaf
from ...lang.types.tensor import row_major
from ..footprint import pages, resident
from ..idioms import pairs as plans
from ..idioms.pairs import SoftmaxPairs as Plan
from ..program.nodes import Node, Room, Rounds, round_parts
from .bufferize import of_part
from .by_hand import OpenHole
from .edge import Child, Edge, Parts, Rewrite, RewriteRule, Word, needed


@dataclass(frozen=True)
class Pairs(Rewrite):
    """A maximum and a sum at once, both in buffers at `level`."""

    level: int

    def edge(self, family: Family, target) -> Edge:
        found = needed(
            pairs_of(family),
            "expected a maximum of an f32 array along its rows and the sum of exponentials less it, found"
            f" {family.operation.name}",
        )
        rooms, x, access = self._rooms(found), family.operands[found.source], family.access(found.source)
        uses = (
            self.level,
            lambda size: sum(resident(room.access, room.operand, size) for room in rooms),
            ("rooms", rooms),
        )
        operands = (x, *(room.operand for room in rooms))
        after = tuple(rooms[Rounds.room(i)].operand if i < 0 else family.operands[i] for i in _sees(found))
        parts = Family(found.first.operation, False, operands, "f32"), of_part(found.after, after, target)
        return Edge(
            self,
            lambda size: {"call": 1, "pages": pages(access, x, size)},
            ("pages", access, x),
            tuple(Child(part, uses=uses) for part in parts),
        )

    def _rooms(self, found: Plan) -> tuple[Room, ...]:
        accesses = {
            found.graph.names[t]: found.graph.access(t) for t in (found.tensor(found.high), found.tensor(found.total))
        }
        return tuple(
            Room(name, Operand("f32", self.level, Layout(row_major(len(access.axes)))), access)
            for name, access in accesses.items()
        )

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        found = pairs_of(state.family)
        first = (found.source, Rounds.new(0), Rounds.new(1))
        steps = round_parts(parts, ((first,), (), (), (), (_sees(found),)))
        return Rounds(state, found.dim, state.size[found.dim], self._rooms(found), *steps, cost, self)

    def words(self, target) -> str:
        return f"pairs at {target.levels[self.level].name}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word("sequence", (self.level,), f"maximum and sum at once, by pairs, in {levels[self.level]}", "pairs")

    def line(self, node: Node, target) -> str:
        assert isinstance(node, Rounds)
        return f"{' and '.join(room.name for room in node.rooms)} at once, in {target.levels[self.level].name}"


def _sees(found: Plan) -> tuple[int, ...]:
    """What comes after sees: operands, and the rooms by number."""
    rooms = {found.tensor(found.high): Rounds.new(0), found.tensor(found.total): Rounds.new(1)}
    return tuple(rooms.get(t, found.graph.operand(t)) for t in found.after.sees)


def pairs_of(family: Family) -> Plan | None:
    """What one reading may give of a graph whose source is an array as it came, with its rows along what is summed
    over: what was placed near is read again at little cost."""
    graph = family.operation
    if graph.is_large or graph.placed or OneLeaf.of(graph) or family.batch or family.accumulate:
        return None
    found = plans.pairs(graph)
    if found is None:
        return None
    x = family.operands[found.source]
    is_given = (
        x.dtype == "f32"
        and x.level == family.slowest
        and x.layout.panel is None
        and not x.layout.beyond
        and family.unit_dim(found.source) == found.dim
    )
    return found if is_given else None


def pairs_edges(family: Family, target) -> list[Edge]:
    """At the nearest level alone: a number for each row and result."""
    return [
        Pairs(level).edge(family, target) for level in target.places(family.slowest)[:1] if pairs_of(family) is not None
    ]


def pairs(hole: OpenHole) -> Rewrite:
    """Do the maximum of a softmax and the sum of its exponentials by one reading of what came in.

    Example:
        >>> s = gt.schedule("softmax(f32[64,4800])", "portable").pairs()
        >>> len(s.holes)
        2
    """
    return Pairs(hole.target.places(len(hole.levels) - 1)[0])


PAIRS = RewriteRule(pairs_edges, steps=(pairs,), several=True)
