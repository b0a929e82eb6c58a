"""Batch: a dimension that moves every operand of a contraction is a plain loop around the rest.

before  matmul(a [b m k], b [b k n]) b m n k
after   loop b by 1 { matmul(a [. m k], b [. k n]) m n k }

Nothing is used twice across such a dimension, so a block of it saves no traffic but where operands share lines along
it. Unless it can carry the lanes of vectors it is taken off first, whole, and the search sees the rest. Several come
off in any order, so that threads may share any of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod

from ...lang.nests.family import Family, State
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Operation
from ...lang.nests.pending import AsOne
from ..program.nodes import Loop, Node
from .edge import Child, Edge, Parts, Rewrite, RewriteRule, Word, require


def batch_dims(family: Family, size: Mapping[str, int], lanes: int) -> tuple[str, ...]:
    """Parallel dimensions that every operand has, in an operation where some input lacks some parallel dimension. A
    dimension that can carry the lanes is none: neighbours lie along it in the output and in some input, enough for a
    vector."""
    if not family.operation.is_lone:
        return _of_graph(family.operation)
    op = family.nest
    shares = any(d not in access.dims for d in op.parallel for access in op.inputs[: op.streamed])
    if not op.combine or not shares:
        return ()
    units = [family.unit_dim(i) for i in range(len(family.operands))]
    lane = units[-1] if units[-1] in units[:-1] and size[units[-1]] >= lanes else None
    return tuple(d for d in op.parallel if d != lane and all(d in access.dims for access in op.accesses))


def standing_whole(family: Family, size: Mapping[str, int], target, apart: tuple[str, ...] = ()) -> Family:
    """A goal over whole arrays of these sizes with its batch dimensions, none of them `apart`; the bytes of a graph are
    then those at one index of them."""
    batch = tuple(d for d in batch_dims(family, size, target.lanes(family.accumulator)) if d not in apart)
    graph = family.operation
    if batch:
        each = (n // prod(size[d] for d in batch if d in access.dims) for n, access in zip(graph.bytes, graph.tensors))
        graph = graph.annotated(AsOne(True), bytes=tuple(each))
    return replace(family, operation=graph, batch=batch)


def _of_graph(graph: Graph) -> tuple[str, ...]:
    """The batch dimensions of a contraction in the graph that every tensor has, arrays of counts aside: those are near
    from the start."""
    every = (
        d
        for d in graph.parallel
        if all(
            d in access.dims or t in graph.counts
            for nest in graph.nests
            for t, access in zip((*nest.reads, -1), nest.operation.accesses)
        )
    )
    return tuple(d for d in every if any(_of_nest(nest.operation, d) for nest in graph.nests))


def _of_nest(op: Operation, dim: str) -> bool:
    return (
        bool(op.combine)
        and any(d not in access.dims for d in op.parallel for access in op.inputs[: op.streamed])
        and len(op.output.axes) > 1
        and op.output.axis_of(dim) < len(op.output.axes) - 1
    )


def off(family: Family, dim: str) -> Family:
    """The family at one index of a batch dimension."""
    return replace(family, operation=_without(family.operation, dim), batch=tuple(d for d in family.batch if d != dim))


@lru_cache(1 << 12)  # families that differ in their operands alone have one
def _without(operation: Graph, dim: str) -> Graph:
    return operation.without(dim)


@dataclass(frozen=True)
class Batch(Rewrite):
    """Loop over `dim`, one index at a time."""

    dim: str
    outer = True

    def edge(self, family: Family, target) -> Edge:
        require(
            self.dim in family.batch,
            f"expected a batch dimension ({' '.join(family.batch) or 'there is none'}), found {self.dim!r}",
        )
        child = Child(off(family, self.dim), times=lambda size: size[self.dim])
        return Edge(self, lambda size: {"loop": size[self.dim]}, ("batch", self.dim), (child,))

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        return Loop(state, (self.dim,), (1,), (parts[0], None), cost=cost, rewrite=self)

    def parts(self, node: Node) -> Parts:
        assert isinstance(node, Loop)
        return node.bodies[:1]

    def verb(self) -> str:
        return f"tile {self.dim} by 1"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word("sequence", (1,), f"loop {self.dim} by 1", f"{self.dim} 1")


def batch_edges(family: Family, target) -> list[Edge]:
    return [Batch(dim).edge(family, target) for dim in family.batch]


BATCH = RewriteRule(  # `tile` takes them
    batch_edges,
    annotates=lambda goal, size, target, threads: standing_whole(goal, size, target),
    undecided=True,
)
