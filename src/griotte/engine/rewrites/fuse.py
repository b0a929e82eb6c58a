"""Nests of a graph made one, so that the tensors between them never lie in memory.

Inline  before  e = exp(x - high) ; sum(e)                 a map is computed where it is read, again at each place
        after   sum(exp(x - high))
Finish  before  t = matmul(a, b) ; y = gelu(t + bias)      a map is done to a reduction's result as it is stored
        after   y = matmul(a, b) finished by gelu(. + bias)

Fold    before  t = matmul(a, b) ; y = max_n t             a reduction takes a product's result while that is in
        registers
        after   y = matmul(a, b) folded by max across n

Factor  before  t = e / total ; y = sum_n t[m n] v[n d]        shares of a total, the same along a sum, are divided
        after it
        after   y = (sum_n e[m n] v[n d]) / total

An alias each: no cost and no code of their own; what they save, or compute twice, shows in the costs below.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...lang.nests import merging
from ...lang.nests.family import Family, State
from ...lang.nests.graph import Graph
from ...lang.nests.parts import Part
from ..program.nodes import Alias, Node
from .bufferize import of_part
from .by_hand import OpenHole
from .edge import Edge, Parts, Rewrite, RewriteRule, Word, annotating, require


@dataclass(frozen=True)
class _Fuse(Rewrite):
    """Tensor number `tensor` of the graph is not stored."""

    tensor: int
    said = "{}"  # of the tensor, in a printed program

    def edge(self, family: Family, target) -> Edge:
        graph = family.operation
        require(
            self.tensor in graph.unplaced,
            lambda: f"expected a tensor between nests, found t{self.tensor} of {graph.name}",
        )
        require(
            self.applies(graph), lambda: f"{type(self).__name__.lower()} does not apply to t{self.tensor} of {graph}"
        )
        part = self.part(graph)
        operands = tuple(family.operands[i] for i in self._sees(graph, part))
        return annotating(self, of_part(part, operands, target, family.accumulate))

    def applies(self, graph: Graph) -> bool:
        raise NotImplementedError

    def part(self, graph: Graph) -> Part:
        raise NotImplementedError

    def made_of(self, graph: Graph) -> tuple[tuple[int, ...], ...]:
        """For each nest that is left, the nests of the graph that are done in it, in order."""
        own, readers = graph.number(self.tensor), graph.readers(self.tensor)
        return tuple((own, j) if j in readers else (j,) for j in self.part(graph).nests)

    @staticmethod
    def _sees(graph: Graph, part: Part) -> tuple[int, ...]:
        return tuple(map(graph.operand, part.sees))

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        graph = state.family.operation
        return Alias(state, parts[0], self._sees(graph, self.part(graph)), cost, self)

    def emits(self, family: Family) -> bool:
        return False

    def verb(self) -> str:
        return f"{type(self).__name__.lower()} {self.tensor}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        verb = type(self).__name__.lower()
        return Word("sequence", (self.tensor,), f"{verb} {family.operation.names[self.tensor]}", verb)


class Inline(_Fuse):
    """The map that gives the tensor is computed where it is read."""

    said = "{} in registers, computed where it is read"

    def applies(self, graph: Graph) -> bool:
        return merging.may_inline(graph, self.tensor)

    def part(self, graph: Graph) -> Part:
        return merging.inline(graph, self.tensor)


class Finish(_Fuse):
    """The map that reads the tensor, a reduction's result, is done to it as it is stored."""

    said = "{} in registers, the map after it done as it is stored"

    def applies(self, graph: Graph) -> bool:
        return merging.may_finish(graph, self.tensor)

    def part(self, graph: Graph) -> Part:
        return merging.finished(graph, self.tensor)


class Fold(_Fuse):
    """The reduction that reads the tensor, a product's result, takes it from registers."""

    said = "{} in registers, folded there"

    def applies(self, graph: Graph) -> bool:
        return merging.may_fold(graph, self.tensor)

    def part(self, graph: Graph) -> Part:
        return merging.folded(graph, self.tensor)


class Factor(_Fuse):
    """What scales the tensor, all along a sum of products, scales the sum."""

    said = "{} after the sum of products that reads it"

    def applies(self, graph: Graph) -> bool:
        return merging.may_factor(graph, self.tensor)

    def part(self, graph: Graph) -> Part:
        return merging.factored(graph, self.tensor)

    def made_of(self, graph: Graph) -> tuple[tuple[int, ...], ...]:
        place, (j,) = graph.number(self.tensor), graph.readers(self.tensor)
        before, after = [i for i in range(j) if i != place], range(j + 1, len(graph.nests))
        return tuple((i,) for i in (*before, j, place, *after))


def fuse_edges(family: Family, target) -> list[Edge]:
    graph = family.operation
    # an output that is added to is scaled by none of its parts
    kinds = (Inline, Finish, Fold) if family.accumulate else (Inline, Finish, Fold, Factor)
    return [kind(t).edge(family, target) for t in graph.unplaced for kind in kinds if kind(t).applies(graph)]


def inline(hole: OpenHole, tensor: int | str) -> Rewrite:
    """Compute a tensor between the nests of a graph, the result of a map, where it is read.

    Args:
        tensor: its number, or its printed name.

    Examples:
        >>> s = gt.schedule("softmax(f32[64,48])", "portable").tile("i0", 4).bufferize("max", "L1")
        >>> len(s.inline("exp").holes) == len(s.holes)
        True
    """
    return Inline(hole.tensor(f"inline of {tensor}", tensor))


def finish(hole: OpenHole, tensor: int | str) -> Rewrite:
    """Do the map that reads a reduction's result to it as it is stored.

    Args:
        tensor: that result, by its number or its printed name.

    Examples:
        >>> s = gt.schedule("relu(matmul(f32[64,48], f32[48,32]))", "portable")
        >>> len(s.finish("matmul").holes)
        1
    """
    return Finish(hole.tensor(f"finish of {tensor}", tensor))


def fold(hole: OpenHole, tensor: int | str) -> Rewrite:
    """Let the reduction that reads a product's result take it from registers.

    Args:
        tensor: that result, between the two nests of the graph, by its number or its printed name.

    Examples:
        >>> s = gt.schedule("max(matmul(f32[64,48], f32[48,32]), axis=1)", "portable")
        >>> len(s.fold("matmul").holes)
        1
    """
    return Fold(hole.tensor(f"fold of {tensor}", tensor))


def factor(hole: OpenHole, tensor: int | str) -> Rewrite:
    """Divide by the total after the sum of products that reads a tensor of shares of that total.

    Args:
        tensor: the shares, between the nests of a graph, by its number or its printed name.

    Examples:
        >>> s = gt.schedule("attention(f32[1,64,16], f32[1,64,16], f32[1,64,16])", "portable")
        >>> len(s.factor("div").holes)
        1
    """
    return Factor(hole.tensor(f"factor of {tensor}", tensor))


def finish_edges(family: Family, target) -> list[Edge]:
    """Where the space leaves out what a map that may be done as a reduction is stored would be else, that alone."""
    if not target.breadth.finishes:
        return []
    graph = family.operation
    return [Finish(t).edge(family, target) for t in graph.unplaced if Finish(t).applies(graph)][:1]


FINISH_FIRST = RewriteRule(finish_edges, large=False, several=True)
FUSE = RewriteRule(fuse_edges, steps=(inline, finish, fold, factor), large=False, several=True)
