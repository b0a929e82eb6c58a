"""Closing a block under its loops, in Numba; `kernels` says what a block is.

Rows that differ in the innermost dimension alone are a line, and lie side by side. A loop over any other dimension
takes each row of a line to the same place of another line. So it is tried for all rows and limits of the line at once:
one stretch of costs against two others, which goes through vectors. A loop over the innermost dimension is tried row by
row. Each row meets its loops in the order of dimensions and tiles either way, and of equal costs the first stays.

The functions hand on numbers alone, addresses among them: a compiled function that takes many arrays is busy with
these. Values are float64 where a price is added, and rounded once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from ...support.inner_loops import inner_loop, inner_part
from ..table import TILE_CODE, TILE_SPAN
from .edges import BYTES, address, float_at, floats, index_at, point_at, short_at, shorts


class LoopTables(NamedTuple):
    """The addresses of the tables of loops over each dimension: `tile_at` is the coordinate of each tile. Where the
    quotient is 0 there is no such loop."""

    tile_at: int  # int32 [dims, tiles]
    quotient: int  # float32 [dims, span, tiles]
    remainder: int  # int32, as quotient; -1 for none
    span: int  # of coordinates
    tiles: int
    cut: int  # int64 [dims], where float32 [points] are: what each step but the first costs; 0 for nothing


class BlockAddresses(NamedTuple):
    """A block as addresses. Whoever makes it keeps the arrays alive."""

    cost: int  # float32 [rows, limits]
    decision: int  # int16, as cost
    rest: int  # float32, as cost: what later iterations of a split reduction cost
    limits: int
    slot: int  # int32 [points]
    points: int
    tables: LoopTables
    loop: Any  # float32, what each tile costs

    @classmethod
    def of(cls, costs: tuple, slot: np.ndarray, tables: tuple, cut: np.ndarray, loop: np.float32) -> BlockAddresses:
        """The addresses of the block's costs, its decisions, the costs of later iterations, and its loops."""
        (tile_at, quotient, remainder), (_, span, tiles) = map(address, tables), tables[1].shape
        of_loops = LoopTables(tile_at, quotient, remainder, span, tiles, address(cut))
        cost, decision, rest = map(address, costs)
        return cls(cost, decision, rest, costs[0].shape[1], address(slot), len(slot), of_loops, loop)


class LoopValue(NamedTuple):
    """A loop: how many whole tiles, what it costs itself, its decision."""

    q: Any  # float32
    own: Any  # float64
    code: Any  # int16


class PlaceAlong(NamedTuple):
    """Where a row is along a dimension: at coordinate `i` of those from point `base` on, `stride` points apart; and
    whether a loop there splits a reduction."""

    d: Any
    i: Any
    base: Any
    stride: Any
    splits: Any


@numba.njit(inline="always")
def _at(b, along, t):
    """How many whole tiles the loop by tile t has, and the points of one and of the leftover (-1: there is none)."""
    place = (along.d * b.tables.span + along.i) * b.tables.tiles + t
    tile, tail = index_at(b.tables.tile_at, along.d * b.tables.tiles + t), index_at(b.tables.remainder, place)
    left = along.base + tail * along.stride if tail >= 0 else -1
    return float_at(b.tables.quotient, place), along.base + tile * along.stride, left


@numba.njit(inline="always")
def _trip(b, along, t, q, has_tail, point):
    """The loop by tile t at a point."""
    own, code = np.float64(q * b.loop), np.int16(TILE_CODE + along.d * TILE_SPAN + t)
    cut = point_at(b.tables.cut, along.d)
    if cut:
        own += (q - 1 + has_tail) * float_at(cut, point)
    return LoopValue(q, own, code)


@numba.njit(inline="always")
def _value(trip, splits, has_left, costs):
    """The cost of a loop, from those of a tile, of a later tile of a split reduction, and of the leftover."""
    whole, later, left = costs
    if splits:
        value = whole + trip.own
        if trip.q > 1:
            value += (trip.q - 1) * later
        return value + left if has_left else value
    tiles = trip.q * whole
    return (tiles + left if has_left else tiles) + trip.own


@numba.njit(inline="always")
def _costs(b, splits, parts, l):
    """Where these costs are, under limit l: `parts` are the rows of the tiles and of the leftover, -1 for none."""
    first, last = parts
    rest = b.rest if splits else b.cost
    whole, left = BYTES * (first * b.limits + l), BYTES * (max(last, 0) * b.limits + l)
    return b.cost + whole, b.rest + whole, rest + left


@numba.njit(inline="always")
def _value_at(b, splits, parts, trip, l):
    """What a loop costs under limit l."""
    whole, later, left = _costs(b, splits, parts, l)
    return _value(trip, splits, parts[1] >= 0, (float_at(whole, 0), float_at(later, 0), float_at(left, 0)))


@numba.njit(inline="always")
def _try(b, splits, r, parts, count, trip):
    """A loop for `count` costs from row r on, the parts' rows side by side as well."""
    best, chosen = floats(b.cost + BYTES * r * b.limits, count), shorts(b.decision + 2 * r * b.limits, count)
    wholes, laters, lefts = _costs(b, splits, parts, 0)
    whole, later, left = floats(wholes, count), floats(laters, count), floats(lefts, count)
    has_left = parts[1] >= 0
    for x in range(count):
        value = _value(trip, splits, has_left, (whole[x], later[x], left[x]))
        better = value < best[x]
        best[x] = value if better else best[x]
        chosen[x] = trip.code if better else chosen[x]


@inner_part
def _replay(b, r, point, place, has_rest):
    """The costs of a row's decisions that are loops."""
    coordinates, strides = place
    for l in range(b.limits):
        tiling = short_at(b.decision, r * b.limits + l) - TILE_CODE
        d, t = tiling // TILE_SPAN, tiling % TILE_SPAN
        if tiling < 0 or d >= has_rest.shape[0] or t >= b.tables.tiles:
            continue
        i = int(coordinates[point, d])
        along = PlaceAlong(d, i, point - i * strides[d], strides[d], has_rest[d])
        q, to, left = _at(b, along, t)
        if q == 0:
            continue
        first, last = index_at(b.slot, to), index_at(b.slot, left) if left >= 0 else -1
        if first < 0 or left >= 0 and last < 0:
            continue
        trip = _trip(b, along, t, q, left >= 0, point)
        floats(b.cost + BYTES * (r * b.limits + l), 1)[0] = _value_at(b, along.splits, (first, last), trip, l)


@inner_part
def _close_row(b, r, along):
    """The loops of one row over a dimension."""
    for t in range(b.tables.tiles):
        if index_at(b.tables.tile_at, along.d * b.tables.tiles + t) >= along.i:
            break
        q, to, left = _at(b, along, t)
        if q == 0 or index_at(b.slot, to) < 0:
            continue
        parts = index_at(b.slot, to), index_at(b.slot, left) if left >= 0 else -1
        if left >= 0 and parts[1] < 0:
            continue
        trip = _trip(b, along, t, q, left >= 0, along.base + along.i * along.stride)
        value = _value_at(b, along.splits, parts, trip, b.limits - 1)
        least = floats(b.cost + BYTES * r * b.limits, 1)
        if not value < least[0]:
            continue
        if b.limits == 1:
            least[0], shorts(b.decision + 2 * r, 1)[0] = value, trip.code
        else:
            _try(b, along.splits, r, parts, b.limits, trip)


@numba.njit(inline="always")
def _differs(b, d, point, n):
    """Whether a loop cuts by more at some of a line's points than at others."""
    differs, cut = False, point_at(b.tables.cut, d)
    if cut:
        for k in range(1, n):
            differs |= float_at(cut, point + k) != float_at(cut, point)
    return differs


@numba.njit(inline="always")
def _is_line(b, point, n):
    """Whether n points from one on have rows side by side."""
    first = index_at(b.slot, point)
    return first >= 0 and index_at(b.slot, point + n - 1) - first == n - 1


@inner_part
def _close_line(b, r, n, along):
    """The loops over a dimension of the n rows of a line, from row r on."""
    point = along.base + along.i * along.stride
    differs = _differs(b, along.d, point, n)
    for t in range(b.tables.tiles):
        if index_at(b.tables.tile_at, along.d * b.tables.tiles + t) >= along.i:
            break
        q, to, left = _at(b, along, t)
        if q == 0:
            continue
        is_whole = not differs and _is_line(b, to, n) and (left < 0 or _is_line(b, left, n))
        step = n if is_whole else 1
        for k in range(0, n, step):
            first, last = index_at(b.slot, to + k), index_at(b.slot, left + k) if left >= 0 else -1
            if first >= 0 and (last >= 0 or left < 0):
                trip = _trip(b, along, t, q, left >= 0, point + k)
                _try(b, along.splits, r + k, (first, last), step * b.limits, trip)


@numba.njit(inline="always")
def _innermost(strides, points):
    """The last dimension of more than one size, and of how many."""
    inner = len(strides) - 1
    while inner > 0 and strides[inner - 1] == strides[inner]:
        inner -= 1
    return inner, strides[inner - 1] if inner > 0 else points


@inner_loop()
def close(b, rows, part, place, loops):
    """Close the block under its loops, smaller sizes first. `rows` are the point of each and whether it is known. Those
    of `part` are closed, from one to before another; those before are closed already. `place` are the coordinates of
    each point, and the strides of dimensions. `loops` are the dimensions to step along, ascending, and of each whether
    all iterations but the first are priced from the block's `rest`."""
    (at, known), (start, stop), (coordinates, strides), (dims, has_rest) = rows, part, place, loops
    inner, length = _innermost(strides, b.points)
    r = start
    while r < stop:
        point, end, is_known = at[r], r + 1, known[r]
        after = point - point % length + length
        while end < stop and at[end] < after:
            is_known |= known[end]
            end += 1
        is_line = not is_known and at[end - 1] - point == end - r - 1
        for d in dims:
            if is_line and d != inner:
                i = int(coordinates[point, d])
                _close_line(b, r, end - r, PlaceAlong(d, i, point - i * strides[d], strides[d], has_rest[d]))
        for k in range(r, end):
            if known[k]:
                _replay(b, k, at[k], place, has_rest)
                continue
            for d in dims:
                if d == inner or not is_line:
                    i = int(coordinates[at[k], d])
                    _close_row(b, k, PlaceAlong(d, i, at[k] - i * strides[d], strides[d], has_rest[d]))
        r = end
