"""Ladders: the sizes an axis can take, closed under remainder by the tile sizes; and those of a problem.

A coordinate is an index into a ladder. The size of the problem is on the ladder. Tile sizes are 2^a, 3 * 2^a and those
that the target adds (register-tile widths). Tile t on size s leaves s mod t, which is on the ladder too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from ...lang.calls.spec import Spec
from ...lang.nests.family import Family, Layout, unit_dim
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Operation, is_contraction, uncut, whole
from ...lang.nests.pending import ShardCount
from ...lang.types.dtypes import dtype
from ...support.errors import NoProgramError
from ..idioms.halo import is_rows
from ..rewrites import PARTS, asked, edges, goal_sizes
from ..rewrites.places import tallest
from ..table import TILE_SPAN


def even_shares(extent: int) -> tuple[int, ...]:
    """A half of `extent`, a quarter and so on, rounded up."""
    return tuple(-(-extent // (1 << a)) for a in range(1, extent.bit_length() + 1))


def tile_sizes(extent: int, extra: tuple[int, ...] = (), *times: int) -> list[int]:
    """2^a times each of `times` (none: 1 and 3), and `extra`, below or at `extent`, in order."""
    base = {m << a for m in times or (1, 3) for a in range(extent.bit_length())} | set(extra)
    return sorted(t for t in base if 0 < t <= extent)


class Ladder:
    """The sizes of one axis: `sizes` ascending, the last one is the extent; `tiles` are those that a loop may step by.
    With each size it holds those that are `asked` for at it. Without `tiles` it steps by those of `tile_sizes`, of
    these `times`."""

    def __init__(
        self,
        extents: tuple[int, ...] | int,
        extra: tuple[int, ...] = (),
        asked: Callable[[int], set[int]] = lambda size: set(),
        tiles: tuple[int, ...] | None = None,
        times: tuple[int, ...] = (),
    ):
        extents = (extents,) if isinstance(extents, int) else extents
        self.tiles = tile_sizes(max(extents), extra, *times) if tiles is None else list(tiles)
        sizes = set(self.tiles) | set(extents)
        while fresh := {s % t for s in sizes for t in self.tiles if t < s and s % t}.union(*map(asked, sizes)) - sizes:
            sizes |= fresh
        self.sizes = np.array(sorted(sizes), dtype=np.int64)
        if len(self.tiles) > TILE_SPAN:
            raise NoProgramError(
                f"expected an axis with at most {TILE_SPAN} tile sizes, found {len(self.tiles)} for {max(extents)};"
                " pass fewer extra tile sizes"
            )
        self.index = {int(s): i for i, s in enumerate(self.sizes)}
        self._tables: dict[tuple, tuple[np.ndarray, np.ndarray]] = {}

    def __len__(self) -> int:
        return len(self.sizes)

    def loops(self, key: tuple, allowed) -> tuple[np.ndarray, np.ndarray]:
        """(quotient, remainder index) by [size, tile]: quotient 0 where the loop is not in the space; remainder -1 for
        none."""
        if key not in self._tables:
            shape = len(self), len(self.tiles)
            quotient, remainder = np.zeros(shape, np.float32), np.full(shape, -1, np.int32)
            for i, extent in enumerate(map(int, self.sizes)):
                for t, tile in enumerate(self.tiles):
                    if tile >= extent:
                        break
                    if allowed(extent, tile):
                        quotient[i, t] = extent // tile
                        remainder[i, t] = self.index[extent % tile] if extent % tile else -1
            self._tables[key] = quotient, remainder
        return self._tables[key]


HEIGHTS = (1, 2, 4, 8, 16, 32, 64)
"""Rows of a band: for bands of the highest, packing takes a few hundredths of the time of the products."""


def ladders_of(
    goal: Family, spec: Spec, size: Mapping[str, int], target, threads: int, heights: tuple[int, ...]
) -> dict[str, Ladder]:
    """The ladders of all dimensions of a goal and of its subgoals; `heights` are those of bands, if rows are taken by
    bands. `threads` adds each thread's even share of a dimension."""
    parts = of_parts(goal, size, target)
    extents = {d: tuple(sorted({*_extents(spec, d, threads), *parts.pop(d, ())})) for d in spec.operation.dims}
    ladders = {d: ladder(spec, d, target, extents[d], threads) for d in spec.operation.dims}
    if heights:
        extents |= {spec.dynamic.rows: heights}
        ladders |= {
            d: Ladder(extents[d], tiles=_wide_steps(spec, d, target))
            for d in spec.operation.dims
            if d not in spec.dynamic.dims
        } | {spec.dynamic.rows: _band_ladder(heights, target)}
    ladders |= uncut_ladders(spec.operation, extents)
    ladders |= {
        d: few(found) if is_rows(d) else _plain_ladder(found, target, goal.accumulator, threads)
        for d, found in parts.items()
    }
    ladders |= uncut_ladders(spec.operation, parts)
    if threads > 1 and _reduces(spec) and spec.dynamic is None:
        ladders[PARTS] = Ladder(tuple(range(2, threads + 1)))
    return ladders


def band_heights(spec: Spec) -> tuple[int, ...]:
    """The heights of bands of rows, where two dimensions have the dynamic size; () elsewhere."""
    if spec.dynamic is None or spec.dynamic.rows is None:
        return ()
    return tuple(height for height in HEIGHTS if height <= spec.dynamic.bound)


def _band_ladder(heights: tuple[int, ...], target) -> Ladder:
    """Within bands loops step by the heights, and by the rows of the tile of registers that has most products for what
    it loads."""
    tiles = [(tallest(target, v), v) for v in target.panel_vectors if tallest(target, v) > 0]
    rows = max(tiles, key=lambda tile: tile[0] * tile[1] / sum(tile), default=(1, 1))[0]
    return Ladder(heights, tiles=tuple(sorted({*heights, *({rows} if rows < heights[-1] else ())})))


def _wide_steps(spec: Spec, dim: str, target) -> tuple[int, ...]:
    """The steps of loops along a dimension beside one with every size and one with bands. They are few, for these are
    many Specs: widths of panels or, where it is shorter than those, powers of 2. Steps of one come too where a nest
    gives results along it, and some tensor that moves along it has its neighbours elsewhere. For then no vector need
    lie along it."""
    extent = spec.size[dim]
    wide = tuple(t for t in _panels(target, spec.accumulator) if t < extent)
    if not wide:
        return tuple(1 << a for a in range(extent.bit_length()) if 1 << a < extent)
    apart = any(dim in nest.parallel and not all(meets) for nest, meets in _meets(spec, dim))
    return tuple(sorted({1, *wide})) if apart else wide


def _panels(target, accumulator: str) -> tuple[int, ...]:
    """The widths of panels."""
    return tuple(v * target.lanes(accumulator) for v in target.panel_vectors)


def of_parts(goal: Family, size: Mapping[str, int], target) -> dict[str, tuple[int, ...]]:
    """The sizes of dimensions that goals within a goal have besides its own, `size`. The parts of a large graph have
    dimensions of their own. Blocks of rows, and shards of columns, have sizes of their own."""
    found: dict[str, set[int]] = defaultdict(set)
    stack, met = [(goal, size)], {goal}
    while stack:
        family, sizes = stack.pop()
        parts = (
            [(child.family, child.at(sizes)) for edge in edges(family, target) for child in edge.children]
            if family.operation.is_large or ShardCount.of(family.operation)
            else []
        )
        stack += [part for part in parts if part[0] not in met]
        met.update(part for part, _ in parts)
        own = [(d, part[d]) for child, part in parts for d in child.operation.dims]
        for d, n in (*own, *goal_sizes(family)):
            if size.get(d) != n:
                found[d].add(n)
    return {d: tuple(sorted(sizes)) for d, sizes in found.items()}


def uncut_ladders(operation: Graph, extents: Mapping[str, tuple[int, ...]]) -> dict[str, Ladder]:
    """The ladders of dimensions that no loop cuts: their extents alone and, for reductions that are finished as they
    are stored, the sizes that rounds have."""
    return {whole(d): Ladder(found, tiles=()) for d, found in extents.items()} | {
        uncut(d): Ladder(found, asked=lambda size: asked(operation, d, size), tiles=()) for d, found in extents.items()
    }


def few(extents: tuple[int, ...]) -> Ladder:
    """The ladder of rows within a block, which is small: a loop takes one at a time, or none does."""
    return Ladder(extents, tiles=(1,))


def _plain_ladder(extents: tuple[int, ...], target, accumulator: str, threads: int) -> Ladder:
    """The ladder of a dimension that some part reduces over, or packs along."""
    panels, share = _panels(target, accumulator), -(-max(extents) // threads)
    widest = max(panels, default=1)
    shares = {share, -(-share // widest) * widest} if threads > 1 else set()
    return Ladder(extents, tuple(sorted({*target.tile_sizes, *panels, *shares})), times=target.breadth.times)


def _reduces(spec: Spec) -> bool:
    return any(op.combine for op in spec.operation.operations)


def _whole_panels(spec: Spec, dim: str, share: int, target) -> int:
    """A thread's share of a dimension, in whole panels (the widest there are) where a constant may be packed along
    it."""
    widest, op = max(_panels(target, spec.accumulator), default=0), spec.operation
    if not widest or not op.nest.combine:
        return share
    packs = any(t.constant and dim in access.dims for t, access in zip(spec.inputs, op.inputs))
    return -(-share // widest) * widest if packs else share


def _nests(spec: Spec) -> tuple[tuple[Operation, Layout], ...]:
    """The nests of a Spec, each with the layout of its result."""
    op = spec.operation
    return tuple(zip(op.operations, (*(held.layout for held in op.held), Layout(spec.output.minor_to_major))))


def _extents(spec: Spec, dim: str, threads: int) -> tuple[int, ...]:
    """Sizes of `dim` that are asked for: where it is dynamic, all of them and each thread's even share of each."""
    if spec.dynamic is None or spec.dynamic.dim != dim:
        return (spec.size[dim],)
    shares = {n: -(-n // threads) for n in spec.dynamic.extents}
    return tuple(sorted({part for n, share in shares.items() for part in (n, share, n % share)} - {0}))


def ladder(spec: Spec, dim: str, target, extents: tuple[int, ...], threads: int = 1) -> Ladder:
    """The ladder of a dimension of the canonical `spec` for these extents: a window dimension has its size alone, one
    that windows slide along has few."""
    nests, most = _nests(spec), max(extents)
    slid = [op for op, _ in nests if any(not access.is_apart(dim) for access in op.accesses)]
    if any(dim in op.reduction for op in slid):
        return Ladder(extents, tiles=(1,) if any(dim in op.parallel for op, _ in nests) else ())
    extra = set() if slid else set(target.tile_sizes)
    is_unit = lambda op, layout: unit_dim(op.output, layout) == dim
    if _reduces(spec) and (not slid or any(is_unit(*nest) for nest in nests)):
        extra.update(_panels(target, spec.accumulator))
    is_row = lambda op, layout: op.combine and op.streamed > 1 and dim in op.parallel and not is_unit(op, layout)
    if not slid and any(is_row(*nest) for nest in nests):
        extra |= {tallest(target, v) for v in target.panel_vectors if v > 1}
    if threads > 1 and dim in spec.operation.dims:
        share = -(-spec.size[dim] // threads)
        extra |= {share, _whole_panels(spec, dim, share, target)}
    tiles = None
    if slid:
        halves = {part for extent in extents for part in even_shares(extent)}
        tiles = tuple(t for t in sorted(extra | halves) if t < most)
    elif spec.dynamic and dim not in spec.dynamic.dims and _has_lanes_alone(spec, dim):
        lanes, steps = target.lanes(spec.accumulator), tile_sizes(most, tuple(sorted(extra)), *target.breadth.times)
        tiles = tuple(t for t in steps if t == 1 or t % lanes == 0 or t in extra)
    elif _is_part_of_lines(spec, dim, extents, target.spans.line):
        tiles = ()
    asks = lambda size: asked(spec.operation, dim, size)
    return Ladder(extents, tuple(sorted(extra)), asks, tiles, target.breadth.times)


def _is_part_of_lines(spec: Spec, dim: str, extents: tuple[int, ...], line: int) -> bool:
    """Whether all of a dimension that a product sums along lies side by side within a line of an input, as the channels
    of a block do. That input must have another such dimension, which loops may cut. Parts of the first would meet each
    line again, where parts of the other lie between lines."""
    op, found = spec.operation, False
    for nest in op.nests:
        of = nest.operation
        if not of.combine or dim not in of.dims:
            continue
        if dim not in of.reduction or not is_contraction(of):
            return False
        apart = {d for d in of.reduction if d != dim and all(access.is_apart(d) for access in of.accesses)}
        for t, access in zip(nest.reads, of.accesses):
            if op.comes_in(t) and not apart.isdisjoint(access.dims):
                type = spec.inputs[t]
                is_short = max(extents) * dtype(type.dtype).bytes <= line
                found |= is_short and unit_dim(access, Layout(type.minor_to_major)) == dim
    return found and spec.dynamic is None


def _has_lanes_alone(spec: Spec, dim: str) -> bool:
    """Whether every tensor that moves along a dimension has its neighbours there, and nothing is summed along it. Lanes
    lie along it wherever a nest has it, so that a part of a vector is a tile that costs what a whole one does."""
    return all(dim in nest.parallel and all(meets) for nest, meets in _meets(spec, dim))


def _meets(spec: Spec, dim: str) -> Iterator[tuple[Operation, list[bool]]]:
    """The nests that have a dimension; with each, of all that moves along it, whether its elements are neighbours
    there."""
    op = spec.operation
    layouts = [
        *(Layout(t.minor_to_major) for t in spec.inputs),
        *(held.layout for held in op.held),
        Layout(spec.output.minor_to_major),
    ]
    for j, nest in enumerate(op.nests):
        if dim in nest.operation.dims:
            tensors = zip(nest.operation.accesses, (*nest.reads, op.tensor(j)))
            yield (
                nest.operation,
                [unit_dim(access, layouts[t]) == dim for access, t in tensors if dim in access.dims],
            )
