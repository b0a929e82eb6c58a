"""Halo: a graph in which windows slide over a tensor between its nests, by blocks of rows of the output, each with the
rows of that tensor that its windows meet.

before  e = conv(x) ; y = depthwise 3x3 (e)          112 rows
after   y 0..13 with e 0..14 ; y 14..27 with e 13..28 ; .. ; y 98..111 with e 97..111

What lies at a seam is computed in both blocks. It stands above all but constants, threads and batches, at the whole
arrays: only there is it known where the border of a tensor is. The first block has one, the last has one, those in
between have none and are one graph, over a dimension of blocks. Each is a goal again, which threads may share, as they
may share blocks that are alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from ...lang.nests.family import Family, Operand, State
from ...lang.nests.graph import Graph
from ...lang.nests.pending import AsOne, BlockRows, ShardCount, WholeExtents
from ..idioms.halo import BLOCK, RowBlock, Run, halo, scaled
from ..idioms.halo import HaloRows as Rows
from ..program.nodes import Block as BlockNode
from ..program.nodes import Node
from .batch import batch_dims, off
from .edge import GOAL, Child, Edge, Parts, Rewrite, RewriteRule, Word, annotating, extents_are, require, resized, same
from .skip import skips
from .worth import least_each, saved_near

MORE = 2  # doublings of the rows that fit near, where a loop within a block makes intermediates smaller


@dataclass(frozen=True)
class Halo(Rewrite):
    """So many rows of the output at a time; 0: all at once, and nothing is computed twice."""

    rows: int
    outer = True

    def edge(self, family: Family, target) -> Edge:
        require(
            slides(family),
            "expected a graph of whole arrays with windows over what one of its nests gives, found"
            f" {family.operation.name}",
        )
        may_be = BlockRows.of(family.operation)
        require(
            self.rows in may_be,
            f"expected {' or '.join(map(str, may_be))} rows at a time, found {self.rows}",
        )
        if not self.rows:
            whole = family.operation.annotated(WholeExtents(()), BlockRows(()))
            return annotating(self, replace(family, operation=whole))
        found = rows_of(family)
        require(not _are_packed(found, family), "expected rows as they are given, found panels along them")
        children = tuple(_child(found, run, self.rows, family, target) for run in found.runs(self.rows))
        fits = extents_are((d, found.size[d]) for d in _along(found))
        return Edge(self, lambda size: {"loop": len(children)}, ("halo", found.graph, self.rows), children, fits)

    def infeasibility(self, family: Family, target, size) -> str:
        return "expected all rows of the arrays; cut into blocks before they are tiled"

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        if not self.rows:
            return same(state, parts, cost, self)
        found = rows_of(state.family)
        blocks = [found.block(run, self.rows) for run in found.runs(self.rows)]
        last = len(state.family.operands) - 1
        return BlockNode(
            state,
            parts,
            tuple((*block.sees, last) for block in blocks),
            cost,
            self,
            tuple(block.starts for block in blocks),
        )

    def critical_path(self, parts: tuple) -> int | None:
        """That of most blocks."""
        return len(parts) // 2

    def verb(self) -> str:
        return f"halo by {self.rows}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        what = f"blocks of {self.rows} rows, each with its halo" if self.rows else "no blocks of rows"
        return Word("sequence", (self.rows,), what, f"halo {self.rows}")

    def line(self, node: Node, target) -> str:
        if not self.rows:
            return "all rows at once"
        found = rows_of(node.state.family)
        return f"{found.dim} by {self.rows}, each with the rows of what is between that its windows meet"


def _along(found: Rows) -> tuple[str, ...]:
    """The dimensions that blocks are reckoned by: rows, and what slides along them."""
    own = {need.dim for need in found.needs if need is not None}
    axes = (axis for nest in found.graph.nests for access in nest.operation.inputs for axis in access.axes)
    return tuple(dict.fromkeys(d for axis in axes for d, _ in axis if any(e in own for e, _ in axis)))


def _are_packed(found: Rows, family: Family) -> bool:
    """Whether an input has panels along its rows: a block with its halo would begin within one."""
    along = _along(found)
    return any(
        d in along
        for access, operand in zip(family.operation.accesses, family.operands)
        if operand.layout.panel
        for d, _ in access.axes[operand.layout.panel[0]]
    )


def _child(found: Rows, run: Run, rows: int, family: Family, target) -> Child:
    block = found.block(run, rows)
    return Child(_family(found, block, rows, family, target), role=GOAL, sizes=resized(block.sizes))


def _family(found: Rows, block: RowBlock, rows: int, family: Family, target) -> Family:
    """The family of a block, at the places that the arrays have; of several that are alike, which are taken off one by
    one."""
    largest = max(BlockRows.of(family.operation))
    sizes = scaled(
        found.graph,
        found.size,
        found.block(max(found.runs(largest), key=lambda run: max(map(run.rows, range(len(found.needs))))), largest),
    )
    operands = (*(family.operands[t] for t in block.sees), family.output)
    whole = Family(replace(block.graph, bytes=sizes), False, operands, family.accumulator)
    one = off(whole, BLOCK)
    batch = batch_dims(one, dict.fromkeys(one.operation.dims, 1), target.lanes(family.accumulator))
    return replace(whole, batch=(BLOCK, *batch)) if block.sizes[BLOCK] > 1 else replace(one, batch=batch)


# ---- which blocks there are ------------------------------------------------------------------------------------------


def rows_of(family: Family) -> Rows | None:
    """The rows by which a family over whole arrays, in their given layouts, may be cut into blocks; None where one
    search does not cover it as one."""
    graph = family.operation
    if not WholeExtents.of(graph) or family.accumulate or family.output.layout.panel or not graph.is_covered:
        return None
    return halo(graph, family.output.layout.order)


def slides(family: Family) -> bool:
    """Whether it is still to be said by how many rows blocks are cut."""
    return bool(BlockRows.of(family.operation)) and not family.operation.is_large


def at_rows(family: Family, size: Mapping[str, int], target) -> Family:
    """A family over whole arrays of these sizes, annotated with the rows by which it may be cut into blocks, if any."""
    graph = family.operation
    if ShardCount.of(graph) or skips(family):
        return family
    whole = replace(family, operation=graph.annotated(WholeExtents(tuple(size[d] for d in graph.dims))))
    found = blocks(whole, target)
    if not found:
        return family
    return replace(family, operation=whole.operation.annotated(BlockRows(found if graph.is_large else (0, *found))))


@lru_cache(1 << 10)
def _blocks(graph: Graph, operands: tuple[Operand, ...], target) -> tuple[int, ...]:
    family = Family(graph, False, operands, graph.nests[-1].accumulator)
    found = rows_of(family)
    if found is None:
        return ()
    home, counted, shares, slices = family.slowest, set(), _shares(found.extent), _slices(found)
    needed = [j for j, need in enumerate(found.needs[:-1]) if need is not None]
    for level in target.places(home):
        room = target.capacity_lines(level) * target.spans.line
        if not graph.is_large and slices > 1 and _between(found, found.extent) <= room * slices:
            return ()
        fitting = next((k for k, rows in enumerate(shares) if _between(found, rows) <= room), None)
        if fitting is not None:
            counted.add(shares[max(0, fitting - MORE * (slices > 1))])
    return tuple(
        rows
        for rows in sorted(counted, reverse=True)
        if found.is_sound(rows) and saved_near(found.graph, needed, home, target) > _again(found, rows, family, target)
    )


def blocks(family: Family, target) -> tuple[int, ...]:
    """The rows of a block, most first. They are chosen among a half of all rows, a quarter, and so on. Each level
    nearer than the arrays gives the most rows whose intermediates it holds, since with more rows fewer are computed
    twice. It gives four times as many where a loop within a block makes the intermediates smaller. Rows are left out
    where computing some twice costs more than intermediates can save, were their lines near. There are none where a
    loop around all nests makes intermediates so small that all of their rows fit."""
    return _blocks(family.operation, family.operands, target)


def _shares(extent: int) -> list[int]:
    """A half of the rows, a quarter, ..: rounded up."""
    return [-(-extent // (1 << k)) for k in range(1, extent.bit_length() + 1)]


def _slices(found: Rows) -> int:
    """Into how many parts, at most, a loop over the nests cuts every tensor between that has rows; 1: into none."""
    tensors = [found.graph.nests[j].operation.output for j, need in enumerate(found.needs[:-1]) if need is not None]
    alone = found.graph.annotated(AsOne(True)).parallel
    return max((found.size[d] for d in alone if all(d in access.dims for access in tensors)), default=1)


def _between(found: Rows, rows: int) -> float:
    """Bytes of the largest tensor between, of a block of so many rows."""
    graph = found.graph
    most = lambda j: max(run.rows(j) for run in found.runs(rows))
    return max(
        graph.bytes[graph.tensor(j)] * most(j) / found.size[need.dim]
        for j, need in enumerate(found.needs[:-1])
        if need is not None
    )


def _again(found: Rows, rows: int, family: Family, target) -> float:
    """The least cycles in which what blocks compute twice is computed."""
    return sum(
        share * cycles for share, cycles in zip(found.again(rows), least_each(family, found.graph, found.size, target))
    )


def halo_edges(family: Family, target) -> list[Edge]:
    if not slides(family):
        return []
    found = rows_of(family)
    is_packed = found is not None and _are_packed(found, family)
    return [Halo(rows).edge(family, target) for rows in BlockRows.of(family.operation) if not (rows and is_packed)]


def _sizes(family: Family) -> Iterator[tuple[str, int]]:
    """The sizes of dimensions that blocks have."""
    by = [rows for rows in BlockRows.of(family.operation) if rows]
    found = rows_of(family) if by else None
    for rows in by if found is not None else ():
        for run in found.runs(rows):
            yield from (*found.block(run, rows).sizes.items(), (BLOCK, 1))


HALO = RewriteRule(halo_edges, sizes=_sizes, undecided=True)  # the step `halo` of joint.py takes them
