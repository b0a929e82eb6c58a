"""The two inner loops of the search, in Numba: relax one edge over a block, close a block under its loops.

A block is cost [rows, limits] with the decision beside it. Rows are the points of the family's grid that can hold its
operands; `slot` maps a grid point to its row, -1 for none. Costs never rise with a limit: what is no better with all
memory free (the last limit) than what is there with none (the first) is no better under any. Where a row is `known`,
its decisions are given and the same loops replay its costs: to the bit what they were when it was solved; inf where a
decision is none of the point's. Nothing here knows what an operation or a rewrite is.
"""

from __future__ import annotations

import numba
import numpy as np

from ..table import TILE_CODE, TILE_SPAN


@numba.njit(inline="always")
def _has_rows(point, slots):
    """Whether each of the children has a row at a point."""
    found = True
    for i in range(len(slots)):
        found &= slots[i][point] >= 0
    return found


@numba.njit(inline="always")
def _sum(total, point, first, costs, slots, times, kinds, transitions):
    """What the children of an edge cost together at a point, each as often as it runs, under the parent's limits from
    `first` on; inf where one has no program."""
    for l in range(first, total.shape[0]):
        total[l] = 0
    for i in range(len(costs)):
        factor = times[i][point] if times[i].shape[0] > 1 else times[i][0]
        row, kind = slots[i][point], kinds[i][point]
        for l in range(first, total.shape[0]):
            to = transitions[i][kind, l]
            total[l] += factor * costs[i][row, to] if to >= 0 else np.float32(np.inf)


@numba.njit(cache=True, nogil=True)
def relax(cost, decision, known, rows, own, costs, slots, times, kinds, transitions, code):
    """cost[r, l] <- min(own[point] + the sum of times[point] * child[point, transition[kind[point], l]] over the
    children that carry); `own` is inf where the edge does not fit. `times` of length 1 stands for every point."""
    limits = cost.shape[1]
    total = np.empty(limits, np.float32)
    for r in range(rows.shape[0]):
        point = rows[r]
        price = own[point]
        if not price < np.inf or not _has_rows(point, slots):
            continue
        if known[r]:
            _sum(total, point, 0, costs, slots, times, kinds, transitions)
            for l in range(limits):
                if decision[r, l] == code:
                    cost[r, l] = price + total[l]
            continue
        _sum(total, point, limits - 1, costs, slots, times, kinds, transitions)
        if not price + total[limits - 1] < cost[r, 0]:
            continue
        _sum(total, point, 0, costs, slots, times, kinds, transitions)
        for l in range(limits):
            value = price + total[l]
            better = value < cost[r, l]
            cost[r, l] = value if better else cost[r, l]
            decision[r, l] = code if better else decision[r, l]


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
def _take(best, chosen, l, value, code):
    """The lesser cost under limit l, and its choice."""
    better = value < best[l]
    best[l] = value if better else best[l]
    chosen[l] = code if better else chosen[l]


@numba.njit(inline="always")
def _split(cost, rest, q, first, last, tail, own, l):
    """What a loop costs under limit l of which all iterations but the first are priced from `rest`."""
    value = cost[first, l] + own
    if q > 1:
        value += (q - 1) * rest[first, l]
    if tail >= 0:
        value += rest[last, l]
    return value


@numba.njit(inline="always")
def _own(q, tail, loop, cut, d, point):
    """What the loop itself costs."""
    return q * loop + (q - 1 + tail) * cut[d, point] if cut.shape[1] > 1 else q * loop


@numba.njit(cache=True, nogil=True)
def _replay(
    cost, decision, r, point, slot, coordinates, strides, tile_at, quotient, remainder, rest, has_rest, loop, cut
):
    """The costs of a row's decisions that are loops."""
    for l in range(cost.shape[1]):
        tiling = decision[r, l] - TILE_CODE
        if tiling < 0:
            continue
        d, t = tiling // TILE_SPAN, tiling % TILE_SPAN
        if d >= quotient.shape[0] or t >= quotient.shape[2]:
            continue
        i = coordinates[point, d]
        q, tail = quotient[d, i, t], remainder[d, i, t]
        if q == 0:
            continue
        base = point - i * strides[d]
        first = slot[base + tile_at[d, t] * strides[d]]
        last = slot[base + tail * strides[d]] if tail >= 0 else first
        if first < 0 or last < 0:
            continue
        own = _own(q, tail >= 0, loop, cut, d, point)
        if has_rest[d]:
            cost[r, l] = _split(cost, rest, q, first, last, tail, own, l)
        elif tail >= 0:
            cost[r, l] = q * cost[first, l] + cost[last, l] + own
        else:
            cost[r, l] = q * cost[first, l] + own


@numba.njit(cache=True, nogil=True)
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
    limits = cost.shape[1]
    most = limits - 1
    # of a row: apart from the block, so that they go through vectors
    best, chosen = (np.empty(limits, np.float32), np.empty(limits, np.int32))
    for r in range(start, stop):
        point = rows[r]
        if known[r]:
            _replay(
                cost,
                decision,
                r,
                point,
                slot,
                coordinates,
                strides,
                tile_at,
                quotient,
                remainder,
                rest,
                has_rest,
                loop,
                cut,
            )
            continue
        for l in range(limits):
            best[l], chosen[l] = cost[r, l], decision[r, l]
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
                if has_rest[d]:
                    if _split(cost, rest, q, first, last, tail, own, most) < best[0]:
                        for l in range(limits):
                            _take(best, chosen, l, _split(cost, rest, q, first, last, tail, own, l), code)
                elif tail >= 0:
                    if q * cost[first, most] + cost[last, most] + own < best[0]:
                        for l in range(limits):
                            _take(best, chosen, l, q * cost[first, l] + cost[last, l] + own, code)
                elif q * cost[first, most] + own < best[0]:
                    for l in range(limits):
                        _take(best, chosen, l, q * cost[first, l] + own, code)
        for l in range(limits):
            cost[r, l], decision[r, l] = best[l], chosen[l]
