"""Shard: the columns of a softmax of few rows in shards, one for each thread, which are computed apart and then joined.

before  s = q k' ; high = max_n s ; e = exp(s - high) ; total = sum_n e ; o = sum_n e v ; y = o / total
after   shards of n { s, high', e, total', o' } ; w = exp(high' - max high') ; total = sum w total' ; o = sum w o' ; y =
        o / total

It stands at the whole arrays, above all but constants. All shards of equal length are one goal, with a dimension for
them that threads may share; so are the leftover, and the join. A shard's results lie among the whole arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

from ...lang.nests import pending
from ...lang.nests.family import USUAL, Family, Operand, Spans, State, given_layout
from ...lang.nests.operation import Operation
from ...lang.nests.parts import Part
from ...lang.types.tensor import TensorType, row_major
from ..idioms import shards as plans
from ..idioms.causal import causal_structure
from ..idioms.shards import SHARD as SHARDS
from ..program.nodes import Node, Room, Shards
from .batch import standing_whole
from .bufferize import of_part
from .by_hand import OpenHole, Taken, integer
from .edge import (
    GOAL,
    Child,
    Edge,
    Parts,
    Rewrite,
    RewriteRule,
    Word,
    annotating,
    extents_are,
    needed,
    require,
    resized,
    same,
)


@dataclass(frozen=True)
class Shard(Rewrite):
    """The columns of a softmax in `count` shards; 0: as they are, all at once."""

    count: int
    outer = True

    def edge(self, family: Family, target) -> Edge:
        found = needed(
            plan(family),
            f"expected a softmax of whole arrays, told to be cut, with {plans.LEAST} columns for each shard, found"
            f" {family.operation.name}",
        )
        require(
            self.count in counts(family), f"expected {' or '.join(map(str, counts(family)))} shards, found {self.count}"
        )
        if not self.count:
            whole = family.operation.annotated(pending.WholeExtents(()), pending.ShardCount(0))
            return annotating(self, replace(family, operation=whole))
        own, join = _one_by_one(_family(found, found.part, family, target)), _family(found, found.join, family, target)
        sizes = [(own, count, each) for count, each, _ in _parts(found)]
        children = tuple(
            Child(child, role=GOAL, sizes=resized({SHARDS: count, found.inside: each}))
            for child, count, each in (*sizes, (join, found.all, 0))
        )
        extent = dict(found.size)[found.dim]
        return Edge(
            self,
            lambda size: {"call": len(sizes)},
            ("shard", found.dim, extent, len(sizes)),
            children,
            extents_are([(found.dim, extent)]),
        )

    def infeasibility(self, family: Family, target, size) -> str:
        return "expected all columns of the arrays; shard before they are tiled"

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        if not self.count:
            return same(state, parts, cost, self)
        found = plan(state.family)
        last = len(state.family.operands) - 1
        rooms = tuple(
            Room(found.chain.graph.names[found.chain.tensor(j)], operand, found.access(j))
            for j, operand in zip(found.results, _rooms(found, state.family, USUAL))
        )
        starts = [start for _, _, start in _parts(found)]
        return Shards(
            state,
            found.dim,
            found.each,
            found.all,
            rooms,
            tuple(zip(parts[:-1], starts)),
            found.part.sees,
            parts[-1],
            _sees(found.join, last),
            cost,
            self,
        )

    def critical_path(self, parts: tuple) -> int | None:
        return 0

    def verb(self) -> str:
        return f"shard by {self.count}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        what = f"shards, {self.count} of them" if self.count else "no shards"
        return Word("sequence", (self.count,), what, f"shard {self.count}")

    def line(self, node: Node, target) -> str:
        return "" if self.count else "all columns at once"


def plan(family: Family) -> plans.SoftmaxShards | None:
    """How a family over whole arrays, in their given layouts, may be cut."""
    graph = family.operation
    if not pending.ShardCount.of(graph):
        return None
    is_given = all(operand.layout.panel is None and not operand.layout.beyond for operand in family.operands)
    return plans.shards(graph) if is_given else None


def counts(family: Family) -> tuple[int, ...]:
    """The shards that there may be: a large graph has other steps beside them."""
    count = pending.ShardCount.of(family.operation)
    return (count,) if family.operation.is_large else (0, count)


def _parts(found: plans.SoftmaxShards) -> list[tuple[int, int, int]]:
    """(shards, columns of each, the first) of the shards that are computed apart."""
    return [(found.count, found.each, 0), *[(1, found.left, found.count)] * (found.left > 0)]


def _rooms(found: plans.SoftmaxShards, family: Family, spans: Spans) -> tuple[Operand, ...]:
    """Where the results of shards lie: whole arrays beside the others."""
    size = {**dict(found.size), SHARDS: found.all}
    types = (
        TensorType(plans.WIDE, access.shape(size), row_major(len(access.axes)))
        for access in map(found.access, found.results)
    )
    return tuple(Operand(t.dtype, family.slowest, given_layout(t, spans=spans)) for t in types)


def _sees(part: Part, last: int) -> tuple[int, ...]:
    return tuple(min(t, last) for t in part.sees)


def _family(found: plans.SoftmaxShards, part: Part, family: Family, target) -> Family:
    rooms, last = _rooms(found, family, target.spans), len(family.operands) - 1
    operands = (family.operands[t] if t >= 0 else rooms[-1 - t] for t in _sees(part, last))
    seen = tuple(
        operand if len(operand.layout.order) == len(access.axes) else _cut(operand, found, target.spans)
        for operand, access in zip(operands, part.operation.accesses)
    )
    size = {**dict(found.size), SHARDS: 1}
    own = replace(part, operation=part.operation.on(target.spans, size))
    return standing_whole(of_part(own, seen, target), size, target)


def _one_by_one(family: Family) -> Family:
    """Shards are taken off one by one, since what a shard reads no other does; unless a nest has no other dimension."""
    if any(nest.operation.dims == (SHARDS,) for nest in family.operation.nests):
        return family
    return replace(family, batch=(SHARDS, *(d for d in family.batch if d != SHARDS)))


def _cut(operand: Operand, found: plans.SoftmaxShards, spans: Spans) -> Operand:
    """An array with an axis for the shards, the slowest: rows that there were lie as they did."""
    layout = operand.layout
    if len(layout.order) == 1:  # there was one row
        return replace(
            operand,
            layout=given_layout(
                TensorType(operand.dtype, (found.count, found.each), (1, 0)), layout.uncached, spans=spans
            ),
        )
    return replace(operand, layout=replace(layout, order=(*(axis + 1 for axis in layout.order), 0)))


def shard_edges(family: Family, target) -> list[Edge]:
    return [Shard(count).edge(family, target) for count in counts(family)] if plan(family) is not None else []


def shard(hole: OpenHole, count: int) -> Taken:
    """Cut the columns of a softmax into shards, which are computed apart and joined.

    Args:
        count: how many, 2 or more. Before all else at the whole arrays.

    Examples:
        >>> s = gt.schedule("softmax(f32[4,4800])", "portable").shard(4)
        >>> len(s.holes) > 1
        True
    """
    count = integer("a number of shards", count)
    what, graph = f"shard by {count}", hole.family.operation
    if not hole.is_all:
        hole.refuse(what, "expected the whole arrays, found steps around this hole; shard before all else")
    if count < 2 or graph.is_lone:
        hole.refuse(what, f"expected two shards or more of a graph, found {count} of {graph.name}")
    told = replace(hole.family, operation=plans.told(graph, hole.size, count))
    return State(told, hole.state.sizes), Shard(count)


SHARD = RewriteRule(shard_edges, steps=(shard,), undecided=True)


def few_rows(goal: Family, size: Mapping[str, int], target, threads: int) -> Family:
    """A goal annotated to be cut into a shard for each thread, where it has a softmax of fewer rows than threads."""
    graph = goal.operation
    if not any(_has_few_rows(op, size, threads) for op in graph.operations):
        return goal
    told = plans.told(graph, size, threads)
    may_be = told.is_large or plans.shards(told) is not None and causal_structure(told) is None
    return replace(goal, operation=told) if may_be else goal


def _has_few_rows(op: Operation, size: Mapping[str, int], threads: int) -> bool:
    return (
        op.is_maximum
        and prod(size[d] for d in op.output.dims) < threads
        and all(size[d] >= plans.LEAST * threads for d in op.reduction)
    )


# of what else loops would be made
SHARD_FIRST = RewriteRule(shard_edges, annotates=few_rows, large=False, undecided=True)
