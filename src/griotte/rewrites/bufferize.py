"""Bufferize: an unplaced tensor of a graph gets a place: what computes it comes first, what reads it after.

before  softmax(x) -> y
after   t @ L1 : max(x) -> t ; then exp_sum, normalise (x, t) -> y

Both stand at the sizes of the whole, so inside a loop the tensor is as large as a tile of it: where it is placed, and around which loops, is how a
graph is fused, or not. What both parts need is computed in each.

A graph that is more than one search covers is only cut at whole arrays, into parts that are not: each part has the first nest that is left, so that every way to
cut it is met once, and dynamic programming over what is left finds the cheapest.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache

from ..program.nodes import BUFFER, Node, Pipeline
from ..spec.family import LINE, Family, Layout, Operand, State, resident
from ..spec.graph import Graph, Part, after, before, parts_at
from ..spec.merging import may_finish
from ..spec.stairs import at_whole
from ..spec.standing import standing
from .batch import batch_dims, standing_whole
from .edge import GOAL, PART, Child, Edge, require
from .move import home_of, worthwhile
from .rewrite import Parts, Rewrite, Word


@dataclass(frozen=True)
class Bufferize(Rewrite):
    """Place tensor number `tensor` of the graph at `to`."""

    tensor: int
    to: Operand

    def edge(self, family: Family, target) -> Edge:
        graph = family.operation
        require(isinstance(graph, Graph), f"expected a graph of nests, found {graph.name}")
        require(self.tensor in graph.unplaced, f"expected a tensor between the nests ({' '.join(f't{t}' for t in graph.unplaced)}), found t{self.tensor}")
        require(parts_at(graph, self.tensor), f"expected a tensor at which no reduction would be computed in both parts, found t{self.tensor}")
        require(self.to in buffers(family, self.tensor, target), f"expected t{self.tensor} compact at a level within {target.levels[home_of(family)].name}, or as a whole array there, found {self.to}")
        access = graph.access(self.tensor)
        uses = (self.to.level, lambda size: resident(access, self.to, size), ("resident", access, self.to))
        role = GOAL if self.to.level == home_of(family) else PART
        parts = before(graph, self.tensor), after(graph, self.tensor)
        children = tuple(self._child(family, part, target, Child(family, uses=uses, role=role)) for part in parts)
        return Edge(self, lambda size: {"call": 1}, ("call",), children)

    def _child(self, family: Family, part: Part, target, child: Child) -> Child:
        """The Spec of a part: of a large graph that is cut, one of its own."""
        found, graph = self._family(family, part, target), family.operation
        if not graph.is_large or not graph.extents or found.operation.is_large or any(access.border for access in part.operation.accesses):
            return replace(child, family=found)
        extents = dict(zip(graph.dims, graph.extents))
        found, sizes = standing(found, tuple(extents[d] for d in found.operation.dims))
        size = sizes(extents)
        if isinstance(found.operation, Graph):
            found = replace(found, operation=at_whole(found.operation, size))
        return replace(child, family=standing_whole(found, size, target), sizes=sizes)

    def _family(self, family: Family, part: Part, target) -> Family:
        count = len(family.operation.inputs)
        operands = tuple(self.to if t == self.tensor else family.operands[min(t, count)] for t in part.sees)
        found = of_part(part, operands, target)
        ahead = tuple(i for i, t in enumerate(part.sees[:-1]) if t in family.ahead)
        return replace(found, ahead=ahead) if ahead else found

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        graph = state.family.operation
        last, reading = len(graph.inputs), after(graph, self.tensor)
        sees = [tuple(BUFFER if t == self.tensor else min(t, last) for t in part.sees) for part in (before(graph, self.tensor), reading)]
        borders = tuple(access.border for access in reading.operation.accesses)
        producer, consumer = parts
        return Pipeline(state, self.to, producer, consumer, (sees[0], sees[1]), borders, cost, self)

    @property
    def about(self) -> object:
        return self.tensor

    def verb(self) -> str:
        return f"bufferize {self.tensor}"

    def words(self, target) -> str:
        return f"bufferize t{self.tensor} at {target.levels[self.to.level].name}"

    def outline(self, family: Family) -> str:
        return f"bufferize {self.tensor} at {self.to.level} as {self.to.dtype}, {self.to.layout}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        what = f"{family.operation.names[self.tensor]} -> {levels[self.to.level]}"
        return Word("copy", (self.tensor, 0, self.to.level), f"buffer {what}", what)


@lru_cache(1 << 14)  # a part is met from many families
def of_part(part: Part, operands: tuple[Operand, ...], target) -> Family:
    """The family of a part of a graph with its operands at these places; those that are read with a border have it around them."""
    bordered = tuple(operand.within(access.border) for operand, access in zip(operands, part.operation.accesses))
    return with_batch(Family(part.operation.bare, False, bordered, part.accumulator), target)


def with_batch(family: Family, target) -> Family:
    batch = batch_dims(family, _LARGE, target.lanes(family.accumulator))
    return replace(family, batch=batch) if batch != family.batch else family


_LARGE: dict = defaultdict(lambda: 1 << 30)  # a size of each dimension for which it may carry the lanes


def buffers(family: Family, tensor: int, target) -> tuple[Operand, ...]:
    """The places that an unplaced tensor may have: compact at each level nearer than the arrays, or an array like them. One of which no loop makes
    less has none where not all of it fits."""
    return _buffers(family.operation, tensor, home_of(family), target)


@lru_cache(1 << 12)
def _buffers(graph: Graph, tensor: int, home: int, target) -> tuple[Operand, ...]:
    held, size, access = graph.held[tensor - len(graph.inputs)], graph.bytes[tensor], graph.access(tensor)
    levels = worthwhile(size, home, target)
    if all(access.axes) and not access.dims & set(graph.parallel):
        levels = [level for level in levels if size / LINE <= target.capacity_lines(level)]
    near = (Operand(held.dtype, level, Layout(held.layout.order)) for level in levels)
    return (*near, Operand(held.dtype, home, held.layout))


def _is_large(part: Part) -> bool:
    return isinstance(part.operation, Graph) and part.operation.is_large


def _whole_cuts(graph: Graph, cuts: list[int]) -> list[int]:
    """Where a large graph is cut: after a part that is not large and has the first nest that is left. Where there is none, anywhere."""
    found = [t for t in cuts if 0 in graph.needs(t) and not _is_large(before(graph, t))]
    return [t for t in found if not _is_finished(graph, t)] or found or cuts


def _is_finished(graph: Graph, tensor: int) -> bool:
    """Whether a map, which reads nothing else that is still to be computed, may be done to a tensor as it is stored: there a graph is not cut in two."""
    return may_finish(graph, tensor) and all(t == tensor or t < len(graph.inputs) for t in graph.nests[graph.readers(tensor)[0]].reads)


def bufferize_edges(family: Family, target) -> list[Edge]:
    if not isinstance(family.operation, Graph):
        return []
    cuts = [t for t in family.operation.unplaced if parts_at(family.operation, t)]
    if family.operation.is_large:
        return [Bufferize(t, buffers(family, t, target)[-1]).edge(family, target) for t in _whole_cuts(family.operation, cuts)]
    return [Bufferize(t, to).edge(family, target) for t in cuts for to in buffers(family, t, target)]
