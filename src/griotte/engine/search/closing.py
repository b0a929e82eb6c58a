"""Closing a block under its loops, in Numba; `kernels` says what a block is.

Rows that differ in the innermost dimension alone are a line, and lie side by side. A loop over any other dimension
takes each row of a line to the same place of another line: so it is tried for all rows and limits of the line at once,
one stretch of costs against two others, which goes through vectors. A loop over the innermost dimension is tried row by
row. Each row meets its loops in the order of dimensions and tiles either way, and of equal costs the first stays.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from ...support.inner_loops import inner_loop
from ..table import TILE_CODE, TILE_SPAN
from .edges import address, floats, indices, shorts


class Block(NamedTuple):
    """A block and its loops as addresses: the loops' functions hand it on, and no array is counted or looked at
    twice."""

    cost: int  # float32 [rows, limits]
    decision: int  # int16, as cost
    rest: int  # float32, as cost
    limits: int
    slot: int  # int32 [points]
    tile_at: int  # int32 [dims, tiles]
    quotient: int  # float32 [dims, coordinates, tiles]
    remainder: int  # int32, as quotient
    tiles: int
    span: int
    cut: int  # float32 [dims, points]; 0 where nothing is cut
    points: int


@numba.njit(inline="always")
def _repeat(best, chosen, first, q, own, code):
    """A loop of whole tiles."""
    for x in range(best.shape[0]):
        value = q * first[x] + own
        better = value < best[x]
        best[x] = value if better else best[x]
        chosen[x] = code if better else chosen[x]


@numba.njit(inline="always")
def _repeat_and_rest(best, chosen, first, last, q, own, code):
    """A loop of whole tiles and a leftover."""
    for x in range(best.shape[0]):
        value = q * first[x] + last[x] + own
        better = value < best[x]
        best[x] = value if better else best[x]
        chosen[x] = code if better else chosen[x]


@numba.njit(inline="always")
def _split(best, chosen, first, later, q, own, code):
    """A loop of which all iterations but the first are priced as `later`."""
    for x in range(best.shape[0]):
        value = first[x] + own + (q - 1) * later[x]
        better = value < best[x]
        best[x] = value if better else best[x]
        chosen[x] = code if better else chosen[x]


@numba.njit(inline="always")
def _split_and_rest(best, chosen, first, later, last, q, own, code):
    """The same, with a leftover."""
    for x in range(best.shape[0]):
        value = first[x] + own + (q - 1) * later[x] + last[x]
        better = value < best[x]
        best[x] = value if better else best[x]
        chosen[x] = code if better else chosen[x]


@numba.njit(inline="always")
def _split_once(best, chosen, first, last, own, code):
    """The first iteration, and a leftover."""
    for x in range(best.shape[0]):
        value = first[x] + own + last[x]
        better = value < best[x]
        best[x] = value if better else best[x]
        chosen[x] = code if better else chosen[x]


@numba.njit(inline="always")
def _float(start, i):
    return floats(start + 4 * i, 1)[0]


@numba.njit(inline="always")
def _index(start, i):
    return np.int64(indices(start + 4 * i, 1)[0])


@numba.njit(inline="always")
def _own(b, q, has_tail, loop, d, point):
    """What the loop itself costs."""
    own = np.float64(q * loop)
    return own + (q - 1 + has_tail) * _float(b.cut, d * b.points + point) if b.cut else own


@numba.njit(inline="always")
def _try(b, splits, r, first, last, count, q, own, code):
    """A loop for `count` costs from row r on: its tiles are those from row `first` on, its leftover those from row
    `last` on, -1 for none."""
    best, chosen = floats(b.cost + 4 * r * b.limits, count), shorts(b.decision + 2 * r * b.limits, count)
    whole, tail = floats(b.cost + 4 * first * b.limits, count), max(last, 0) * b.limits
    if splits:
        after = floats(b.rest + 4 * first * b.limits, count)
        if last < 0:
            _split(best, chosen, whole, after, q, own, code)
        elif q > 1:
            _split_and_rest(best, chosen, whole, after, floats(b.rest + 4 * tail, count), q, own, code)
        else:
            _split_once(best, chosen, whole, floats(b.rest + 4 * tail, count), own, code)
    elif last < 0:
        _repeat(best, chosen, whole, q, own, code)
    else:
        _repeat_and_rest(best, chosen, whole, floats(b.cost + 4 * tail, count), q, own, code)


@numba.njit(inline="always")
def _value(b, splits, first, last, q, own, l):
    """What a loop costs under limit l."""
    whole = _float(b.cost, first * b.limits + l)
    if splits:
        value = whole + own
        if q > 1:
            value += (q - 1) * _float(b.rest, first * b.limits + l)
        if last >= 0:
            value += _float(b.rest, last * b.limits + l)
        return value
    if last >= 0:
        return q * whole + _float(b.cost, last * b.limits + l) + own
    return q * whole + own


@inner_loop()
def _replay(b, r, point, coordinates, strides, has_rest, loop):
    """The costs of a row's decisions that are loops."""
    for l in range(b.limits):
        tiling = np.int64(shorts(b.decision + 2 * (r * b.limits + l), 1)[0]) - TILE_CODE
        if tiling < 0:
            continue
        d, t = tiling // TILE_SPAN, tiling % TILE_SPAN
        if d >= has_rest.shape[0] or t >= b.tiles:
            continue
        i = coordinates[point, d]
        q = _float(b.quotient, (d * b.span + i) * b.tiles + t)
        tail = _index(b.remainder, (d * b.span + i) * b.tiles + t)
        if q == 0:
            continue
        base = point - i * strides[d]
        first = _index(b.slot, base + _index(b.tile_at, d * b.tiles + t) * strides[d])
        last = _index(b.slot, base + tail * strides[d]) if tail >= 0 else -1
        if first < 0 or tail >= 0 and last < 0:
            continue
        value = _value(b, has_rest[d], first, last, q, _own(b, q, tail >= 0, loop, d, point), l)
        floats(b.cost + 4 * (r * b.limits + l), 1)[0] = value


@inner_loop()
def _close_row(b, r, base, i, stride, d, splits, loop):
    """The loops of one row, at coordinate i of dimension d: from `base` on, `stride` points apart."""
    point = base + i * stride
    for t in range(b.tiles):
        at = _index(b.tile_at, d * b.tiles + t)
        if at >= i:
            break
        q = _float(b.quotient, (d * b.span + i) * b.tiles + t)
        if q == 0:
            continue
        first, tail = _index(b.slot, base + at * stride), _index(b.remainder, (d * b.span + i) * b.tiles + t)
        if first < 0:
            continue
        last = _index(b.slot, base + tail * stride) if tail >= 0 else -1
        own, code = _own(b, q, tail >= 0, loop, d, point), np.int16(TILE_CODE + d * TILE_SPAN + t)
        value, least = _value(b, splits, first, last, q, own, b.limits - 1), floats(b.cost + 4 * r * b.limits, 1)
        if not value < least[0]:
            continue
        if b.limits == 1:
            least[0], shorts(b.decision + 2 * r, 1)[0] = value, code
        else:
            _try(b, splits, r, first, last, b.limits, q, own, code)


@numba.njit(inline="always")
def _differs(b, d, point, n):
    """Whether a loop cuts by more at some of a line's points than at others."""
    differs = False
    if b.cut:
        cut = floats(b.cut + 4 * (d * b.points + point), n)
        for k in range(1, n):
            differs |= cut[k] != cut[0]
    return differs


@inner_loop()
def _close_line(b, r, n, base, i, stride, d, splits, loop):
    """The loops of the n rows of a line from row r on, at coordinate i of dimension d."""
    point = base + i * stride
    differs = _differs(b, d, point, n)
    for t in range(b.tiles):
        at = _index(b.tile_at, d * b.tiles + t)
        if at >= i:
            break
        q = _float(b.quotient, (d * b.span + i) * b.tiles + t)
        if q == 0:
            continue
        tail, to = _index(b.remainder, (d * b.span + i) * b.tiles + t), base + at * stride
        left, code = base + tail * stride if tail >= 0 else to, np.int16(TILE_CODE + d * TILE_SPAN + t)
        first, last = _index(b.slot, to), _index(b.slot, left)
        is_whole = first >= 0 and _index(b.slot, to + n - 1) - first == n - 1
        is_whole = is_whole and last >= 0 and _index(b.slot, left + n - 1) - last == n - 1
        step = n if is_whole and not differs else 1
        for k in range(0, n, step):
            first, last = _index(b.slot, to + k), _index(b.slot, left + k)
            if first >= 0 and last >= 0:
                own = _own(b, q, tail >= 0, loop, d, point + k)
                _try(b, splits, r + k, first, last if tail >= 0 else -1, step * b.limits, q, own, code)


@numba.njit(inline="always")
def _innermost(strides, points):
    """The last dimension of more than one size, and of how many."""
    inner = len(strides) - 1
    while inner > 0 and strides[inner - 1] == strides[inner]:
        inner -= 1
    return inner, strides[inner - 1] if inner > 0 else points


@inner_loop()
def _close(b, known, rows, start, stop, coordinates, strides, dims, has_rest, loop):
    inner, length = _innermost(strides, b.points)
    r = start
    while r < stop:
        point, end, is_known = rows[r], r + 1, known[r]
        after = point - point % length + length
        while end < stop and rows[end] < after:
            is_known |= known[end]
            end += 1
        is_line = not is_known and rows[end - 1] - point == end - r - 1
        if is_line:
            for d in dims:
                if d != inner:
                    i = np.int64(coordinates[point, d])
                    _close_line(b, r, end - r, point - i * strides[d], i, strides[d], d, has_rest[d], loop)
        for k in range(r, end):
            if known[k]:
                _replay(b, k, rows[k], coordinates, strides, has_rest, loop)
                continue
            for d in dims:
                if d == inner or not is_line:
                    i = np.int64(coordinates[rows[k], d])
                    _close_row(b, k, rows[k] - i * strides[d], i, strides[d], d, has_rest[d], loop)
        r = end


def close(
    cost,
    decision,
    known,
    rows,
    start,
    stop,
    slot,
    coordinates,
    strides,
    dims,
    tile_at,
    quotient,
    remainder,
    rest,
    has_rest,
    loop,
    cut,
):
    """Close the block under loops, smaller sizes first. A dimension d of `dims` steps by the tiles at coordinates
    tile_at[d], with tables quotient[d], remainder[d] by [coordinate, tile]; where has_rest[d], all iterations but the
    first are priced from `rest` (a block of the same rows and limits). Each of the q tiles costs `loop` besides, and
    each step but the first cut[d, point] (nothing where cut[d] is of length 1). Rows from start to stop; those before
    are closed."""
    block = Block(
        *map(address, (cost, decision, rest)),
        cost.shape[1],
        *map(address, (slot, tile_at, quotient, remainder)),
        *quotient.shape[:0:-1],
        address(cut) if cut.shape[1] > 1 else 0,
        len(slot),
    )
    _close(block, known, rows, start, stop, coordinates, strides, dims, has_rest, loop)
