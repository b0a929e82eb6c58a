"""Parallel: one or two loops whose tiles are shared out over threads, in equal runs, leftovers included.

before  matmul m n k
after   parallel m by 512, n by 256 over 2 threads { matmul 512 256 k }

One of the dimensions may be a reduction, cut into at most as many parts as there are threads. The parts lie one after
the other, each like the output; to join them is a reduction like any other, over `PARTS`:

after   parallel k by 8192 over 2 threads { matmul m n 8192 -> parts[p] } ; join: y = parts[0] + parts[1]

Priced as the largest share of a thread in whole tiles: `parallel_cost`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...lang.nests.access import Access
from ...lang.nests.family import USUAL, Family, Operand, Spans, State, given_layout
from ...lang.nests.graph import Graph, family_of
from ...lang.nests.operation import Operation
from ...lang.types.expr import Arg
from ...lang.types.tensor import TensorType
from ..footprint import runs
from ..program.nodes import Loop, Node
from .batch import Batch, off
from .by_hand import OpenHole, integer
from .edge import DoesNotApply, Parts, Rewrite, require
from .steps import step_of
from .tile import Tile, can_accumulate


@dataclass(frozen=True)
class Parallel(Rewrite):
    """Loops over `dims` by `tiles`, shared out over `threads`."""

    dims: tuple[str, ...]
    tiles: tuple[int, ...]
    threads: int
    outer = True

    def check(self, family: Family, sizes: dict[str, int]) -> None:
        """Raises DoesNotApply, saying why, when these loops are not in the space of a goal's family at these sizes."""
        op = family.operation
        require(
            not family.ahead,
            "expected constants placed ahead of the call before all else, found"
            f" {' '.join(f'x{i}' for i in family.ahead)} open",
        )
        require(
            1 <= len(set(self.dims)) == len(self.dims) <= 2,
            f"expected one dimension or two, found {' '.join(self.dims) or 'none'}",
        )
        require(
            len(self.tiles) == len(self.dims),
            f"expected a tile for each of {' '.join(self.dims)}, found {len(self.tiles)} tiles",
        )
        require(self.threads > 1, f"expected 2 threads or more, found {self.threads}")
        for dim, tile in zip(self.dims, self.tiles):
            require(
                dim in (*op.parallel, *op.splits),
                f"expected a dimension of {op.name} ({' '.join(op.dims)}), found {dim!r}",
            )
            require(
                dim in family.batch or op.output.is_apart(dim),
                f"expected a dimension whose tiles do not overlap, found {dim!r} of {op.output}",
            )
            largest = 1 if dim in family.batch else sizes[dim]
            require(0 < tile <= largest, f"expected a tile of 1..{largest} for {dim} = {sizes[dim]}, found {tile}")
            require(
                may_share(family, dim, sizes[dim], tile),
                f"expected a tile of {dim} that is a multiple of {step_of(family, dim, sizes[dim])} (a packed operand),"
                f" found {tile}",
            )
            if dim in op.reduction:
                self._check_split(family, dim, -(-sizes[dim] // tile))
        require(
            sum(dim in op.reduction for dim in self.dims) <= 1,
            f"expected one reduction at most, found {' '.join(self.dims)}",
        )
        require(
            any(tile < sizes[dim] for dim, tile in zip(self.dims, self.tiles)),
            "expected two tiles or more to share out, found one; take a smaller tile",
        )

    def allow(self, hole) -> None:
        require(
            hole.is_goal,
            "expected a parallel loop around the whole program, found rewrites around it; tile in parallel first",
        )
        self.check(hole.family, hole.size)

    def over(self, threads: int) -> int:
        return self.threads

    def _check_split(self, family: Family, dim: str, parts: int) -> None:
        require(
            can_accumulate(family),
            f"expected an output of {family.accumulator}, the accumulator's dtype, to share out {dim}, found"
            f" {family.output.dtype}",
        )
        require(
            1 < parts <= self.threads,
            f"expected {dim} in 2..{self.threads} parts, one for each thread at most, found {parts}; take another tile",
        )

    def split(self, op: Graph) -> str | None:
        """The reduction that is shared out, if one is."""
        return next((d for d in self.dims if d in op.reduction), None)

    def inside(self, family: Family) -> Family:
        """The family of a tile: batch dimensions that the loops step through one by one are gone from it."""
        for dim in self.dims:
            if dim in family.batch:
                family = off(family, dim)
        return family

    def terms(self, state: State, target) -> tuple[dict, tuple[int, ...]]:
        """A leftover counts no time: it is priced as a whole tile."""
        number = int(np.prod([-(-state.size[d] // t) for d, t in zip(self.dims, self.tiles)], dtype=np.int64))
        features, share = parallel_features(
            number, self.threads, shared_lines(state.family, self.dims, self.tiles, state.size)
        )
        return features, (
            int(share),
            *[0] * ((1 << len(self.dims)) - 1),
            *[1] * (self.split(state.family.operation) is not None),
        )

    def leaves(self, state: State, target=None) -> tuple[State | None, ...]:
        """The Spec of a tile by the mask of dimensions at their leftover, None where there is none; after them, where a
        reduction is shared out, the Spec that joins its parts."""
        family, found = self.inside(state.family), []
        for mask in range(1 << len(self.dims)):
            size = dict(state.size)
            for i, (d, t) in enumerate(zip(self.dims, self.tiles)):
                size[d] = size[d] % t if mask >> i & 1 else t
            found.append(
                State(family, tuple(size[d] for d in family.operation.dims))
                if all(size[d] for d in self.dims)
                else None
            )
        dim = self.split(state.family.operation)
        if not dim:
            return tuple(found)
        parts = -(-state.size[dim] // dict(zip(self.dims, self.tiles))[dim])
        return (*found, join_state(state, parts, target.spans if target else USUAL))

    def node(self, state: State, parts: Parts, cost: float | None) -> Loop:
        masks = 1 << len(self.dims)
        return Loop(
            state,
            self.dims,
            self.tiles,
            parts[:masks],
            threads=self.threads,
            cost=cost,
            join=next(iter(parts[masks:]), None),
            rewrite=self,
        )

    def parts(self, node: Node) -> Parts:
        assert isinstance(node, Loop)
        return node.bodies if node.join is None else (*node.bodies, node.join)

    def critical_path(self, parts: tuple) -> int | None:
        return 0

    def words(self, target) -> str:
        return (
            f"parallel tile of {', '.join(map(str, self.dims))} by {', '.join(map(str, self.tiles))} over"
            f" {self.threads} threads"
        )


def parallel_cost(target, count, threads: int, cost, shared):
    """Cycles of `count` tiles (ints or arrays), leftovers priced as whole ones: what the thread with most of them
    takes. `shared` of a tile's lines are written by another thread too."""
    features, share = parallel_features(count, threads, shared)
    return target.cost(features) + share * cost


def parallel_features(count, threads: int, shared) -> tuple[dict, Any]:
    """The features of a parallel loop itself, and how many tiles the busiest thread runs. Tiles go out in equal runs of
    neighbours: lines are shared at the ends of a run, not within it."""
    share = -(-count // threads)
    return {"fork": 1, "loop": share, "seam": shared}, share


def shared_lines(family: Family, dims: tuple[str, ...], tiles, size):
    """Lines of an output tile that its neighbours write too: one a row, where the split is along the dimension
    in which the output's neighbours lie. Rows begin anywhere: arrays are aligned to 16 bytes, and pitches are what they
    are."""
    along = family.unit_dim(len(family.operands) - 1)
    if along not in dims:
        return 0
    extent = dict(zip(dims, tiles))
    rows = runs(family.operation.output, family.output, {**size, **extent})
    return rows * (np.asarray(extent[along]) < size[along])


def shared_grids(family: Family, sizes: dict[str, int], joins: bool) -> list[tuple[str, ...]]:
    """The one or two dimensions that threads may share: those of the output, and one reduction where there are `joins`
    and the output can be added to. None before all constants are placed."""
    op = family.operation
    joins = joins and can_accumulate(family) and not family.output.layout.panel
    dims = [
        d
        for d in op.dims
        if sizes[d] > 1
        and (d in op.parallel or joins and d in op.splits)
        and (d in family.batch or op.output.is_apart(d))
        and not family.ahead
    ]
    return [grid for count in (1, 2) for grid in combinations(dims, count) if sum(d in op.reduction for d in grid) <= 1]


def shared_tiles(family: Family, dim: str, size: int, tiles: list[int], threads: int) -> list[int]:
    """The tiles of `dim` that threads may share. A batch dimension has 1, a reduction those that cut it into a part for
    each thread at most. No tile cuts a packed operand's panels."""
    if dim in family.batch:
        return [1]
    step, is_parallel = step_of(family, dim, size), dim in family.operation.parallel
    return [
        t for t in tiles if t <= size and (t == size or t % step == 0) and (is_parallel or 1 < -(-size // t) <= threads)
    ]


def may_share(family: Family, dim: str, extent: int, tile: int) -> bool:
    """Whether threads may each take tiles of `dim`: they do not cut a packed operand's panels."""
    return tile == extent or tile % step_of(family, dim, extent) == 0


def tile(hole: OpenHole, dim: str | tuple[str, ...], size: int | tuple[int, ...], parallel: int = 1) -> Rewrite:
    """A loop in steps of so many elements; the leftover is a hole of its own.

    Args:
        dim: a dimension, or two that threads share out.
        size: elements of a tile along it, or along both.
        parallel: how many threads share the tiles; 1: the loop is serial.

    Examples:
        >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable")
        >>> shared = s.tile(("m", "n"), (32, 16), parallel=2)
        >>> shared.threads
        2
    """
    dims = tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
    sizes = tuple(integer("the size of a tile", s) for s in (size if isinstance(size, (tuple, list)) else (size,)))
    threads = integer("a number of threads", parallel)
    if threads != 1:
        return Parallel(dims, sizes, threads)
    if len(dims) != 1 or len(sizes) != 1:
        raise DoesNotApply(
            f"expected one dimension and one size for a serial loop, found {dims} by {sizes}; tile twice, or give"
            " parallel=threads"
        )
    rewrite = Tile(*dims, *sizes)
    batches = {edge.rewrite.dim: edge.rewrite for edge in hole.edges if isinstance(edge.rewrite, Batch)}
    if rewrite.size == 1 and rewrite.dim in batches:
        return batches[rewrite.dim]
    if batches:
        hole.refuse(
            rewrite.words(hole.target),
            f"expected a loop over {' or '.join(batches)} by 1 before all else, for every operand moves along it;"
            f" found {rewrite.dim} by {rewrite.size}",
        )
    return rewrite


PARTS = "parts"  # the dimension along which the parts lie


def join_state(state: State, parts: int, spans: Spans = USUAL) -> State:
    """The Spec that joins `parts` results of the Spec `state`, in their order, into its output."""
    family = state.family
    sizes = {**state.size, PARTS: parts}
    op = _join(family.operation)
    return State(
        family_of(op, (_parts(family, op, sizes, spans), family.output), family.accumulator),
        tuple(sizes[d] for d in op.dims),
    )


def _join(op: Graph) -> Operation:
    dims = tuple(dict.fromkeys(d for axis in op.output.axes for d, _ in axis))  # of a graph and its last nest the same
    return Operation("join", (*dims, PARTS), (Access((((PARTS, 1),), *op.output.axes)),), op.output, Arg(0), op.joins)


def _parts(family: Family, op: Operation, sizes: dict[str, int], spans: Spans) -> Operand:
    """All parts as one operand: of the output's layout, parts slowest."""
    order = (*(axis + 1 for axis in family.output.layout.order), 0)
    held = TensorType(family.accumulator, op.inputs[0].shape(sizes), order)
    return Operand(
        family.accumulator, family.output.level, given_layout(held, family.output.layout.uncached, spans=spans)
    )
