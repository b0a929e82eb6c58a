"""The two inner loops of the search, in Numba: relax one edge over a block, close a block under its loops.

A block is cost [rows, limits] with the decision beside it. Rows are the points of the family's grid that can hold its
operands; `slot` maps a grid point to its row, -1 for none. Where a row is `known`, its decisions are given and the same
loops replay its costs: to the bit what they were when it was solved; inf where a decision is none of the point's. Nothing here knows what an operation or a rewrite is.
"""

from __future__ import annotations

import numba
import numpy as np

from ..table import TILE_CODE, TILE_SPAN


@numba.njit(cache=True, nogil=True)
def relax(cost, decision, known, rows, child_cost, child_slot, own, times, kind, transition, code):
    """cost[r, l] <- min(own[point] + times[point] * child[point, transition[kind[point], l]]); `own` is inf where the edge
    does not fit. `times` of length 1 stands for every point."""
    limits = cost.shape[1]
    for r in range(rows.shape[0]):
        point = rows[r]
        price = own[point]
        if not price < np.inf:
            continue
        child = child_slot[point]
        if child < 0:
            continue
        row = kind[point]
        factor = times[point] if times.shape[0] > 1 else times[0]
        if known[r]:
            for l in range(limits):
                to = transition[row, l]
                if decision[r, l] == code and to >= 0:
                    cost[r, l] = price + factor * child_cost[child, to]
            continue
        for l in range(limits):
            to = transition[row, l]
            if to >= 0:
                value = price + factor * child_cost[child, to]
                if value < cost[r, l]:
                    cost[r, l] = value
                    decision[r, l] = code


@numba.njit(cache=True, nogil=True)
def relax_leaf(cost, decision, known, rows, own, code):
    """An edge without a child that carries limits: the same price under every limit."""
    for r in range(rows.shape[0]):
        price = own[rows[r]]
        for l in range(cost.shape[1]):
            if known[r]:
                if decision[r, l] == code:
                    cost[r, l] = price
            elif price < cost[r, l]:
                cost[r, l] = price
                decision[r, l] = code


@numba.njit(inline="always")
def _loop(cost, rest, has_rest, q, first, last, tail, own, l):
    """What a loop costs under limit l: q tiles of row `first`, the leftover's row `last` where there is a `tail`, and its `own`."""
    if has_rest:
        value = cost[first, l] + own
        if q > 1:
            value += (q - 1) * rest[first, l]
        if tail:
            value += rest[last, l]
        return value
    if tail:
        return q * cost[first, l] + cost[last, l] + own
    return q * cost[first, l] + own


@numba.njit(inline="always")
def _own(q, tail, loop, cut, d, point):
    """What the loop itself costs."""
    return q * loop + (q - 1 + tail) * cut[d, point] if cut.shape[1] > 1 else q * loop


@numba.njit(cache=True, nogil=True)
def close(cost, decision, known, rows, start, stop, slot, coordinates, strides, dims, tile_at, quotient, remainder, rest, has_rest, loop, cut):
    """Close the block under loops, smaller sizes first. A dimension d of `dims` steps by the tiles at coordinates
    tile_at[d], with tables quotient[d], remainder[d] by [coordinate, tile]; where has_rest[d], all iterations but the
    first are priced from `rest` (a block of the same rows and limits). Each of the q tiles costs `loop` besides, and each step
    but the first cut[d, point] (nothing where cut[d] is of length 1). Rows from start to stop; those before are closed."""
    limits = cost.shape[1]
    for r in range(start, stop):
        point = rows[r]
        if known[r]:
            for l in range(limits):
                tiling = decision[r, l] - TILE_CODE
                if tiling < 0:
                    continue
                d, t = tiling // TILE_SPAN, tiling % TILE_SPAN
                if d >= quotient.shape[0] or t >= quotient.shape[2]:
                    continue
                i = coordinates[point, d]
                if quotient[d, i, t] == 0:
                    continue
                base = point - i * strides[d]
                tail = remainder[d, i, t]
                first = slot[base + tile_at[d, t] * strides[d]]
                last = slot[base + tail * strides[d]] if tail >= 0 else first
                if first < 0 or last < 0:
                    continue
                cost[r, l] = _loop(cost, rest, has_rest[d], quotient[d, i, t], first, last, tail >= 0, _own(quotient[d, i, t], tail >= 0, loop, cut, d, point), l)
            continue
        for d in dims:
            i = coordinates[point, d]
            base = point - i * strides[d]
            for t in range(tile_at.shape[1]):
                if tile_at[d, t] >= i:
                    break
                q = quotient[d, i, t]
                if q == 0:
                    continue
                first = slot[base + tile_at[d, t] * strides[d]]
                if first < 0:
                    continue
                tail = remainder[d, i, t]
                last = slot[base + tail * strides[d]] if tail >= 0 else first
                code, own = TILE_CODE + d * TILE_SPAN + t, _own(q, tail >= 0, loop, cut, d, point)
                for l in range(limits):
                    value = _loop(cost, rest, has_rest[d], q, first, last, tail >= 0, own, l)
                    if value < cost[r, l]:
                        cost[r, l] = value
                        decision[r, l] = code
