"""The two inner loops of the search, in Numba: relax the edges of a family over its block, close the block under its
loops.

A block is cost [rows, limits] with the decision beside it. Rows are the points of the family's grid that can hold its
operands; `slot` maps a grid point to its row, -1 for none. Costs never rise with a limit: what is no better with all
memory free (the last limit) than what is there with none (the first) is no better under any. Where a row is `known`,
its decisions are given and the same loops replay its costs: to the bit what they were when it was solved; inf where a
decision is none of the point's. Nothing here knows what an operation or a rewrite is.
"""

from __future__ import annotations

import numba
import numpy as np

from ...support.inner_loops import inner_loop
from ..table import TILE_CODE, TILE_SPAN
from .edges import (
    BEGIN,
    CARRIES,
    COST,
    COUNT,
    COUNTS,
    END,
    INF,
    LIMITS,
    OWN,
    PLACES,
    TIMES,
    floats,
    found,
    limits_of,
    points,
)


@numba.njit(inline="always")
def _times(children, c, point):
    """How often a child runs at a point."""
    return floats(children[c, TIMES], point + 1)[point] if children[c, TIMES] else np.float32(1)


@numba.njit(inline="always")
def _least(children, begin, end, point, rows, limits):
    """What the children that carry cost together with all memory free."""
    total = np.float32(0)
    for c in range(begin, end):
        if children[c, COUNTS] != CARRIES:
            continue
        to = limits_of(children, c, point, limits)[limits - 1]
        if to < 0:
            return INF
        total += (
            _times(children, c, point)
            * floats(children[c, COST] + 4 * rows[c - begin] * children[c, LIMITS], children[c, LIMITS])[to]
        )
    return total


@numba.njit(inline="always")
def _sum(total, children, begin, end, point, rows):
    """What the children that carry cost together at a point, each as often as it runs, under the parent's limits; inf
    where one has no program."""
    limits = total.shape[0]
    total[:] = 0
    for c in range(begin, end):
        if children[c, COUNTS] != CARRIES:
            continue
        factor, to = _times(children, c, point), limits_of(children, c, point, limits)
        costs = floats(children[c, COST] + 4 * rows[c - begin] * children[c, LIMITS], children[c, LIMITS])
        for l in range(limits):
            # without a branch: which limits have no program is hard to foresee
            cost = factor * costs[max(to[l], 0)]
            total[l] += cost if to[l] >= 0 else INF


@inner_loop()
def relax(cost, decision, known, rows, slot, start, stop, edges, first, last, children):
    """For each edge from `first` to `last`, cost[r, l] <- min(own[point] + the sum of times[point] * child[point,
    limit[kind[point], l]] over the children that carry), for rows from `start` to `stop`; `own` is inf where the edge
    does not fit. The number of an edge of which a child's sizes are not on its ladders; -1 where all are."""
    limits = cost.shape[1]
    total = np.empty(limits, np.float32)
    there = np.empty(children.shape[0], np.int64)
    for e in range(first, last):
        begin, end, code = edges[e, BEGIN], edges[e, END], np.int16(e)
        own, places = floats(edges[e, OWN], edges[e, COUNT]), points(edges[e, PLACES], edges[e, COUNT])
        is_part = edges[e, PLACES] != 0
        for k in range(edges[e, COUNT] if is_part else stop - start):
            point = places[k] if is_part else rows[start + k]
            r = slot[point] if is_part else start + k
            if r < start or r >= stop:
                continue
            price, is_on = found(children, begin, end, point, own[k] if is_part else own[point], there)
            if not is_on:
                return e
            if not price < INF:
                continue
            if known[r]:
                _sum(total, children, begin, end, point, there)
                for l in range(limits):
                    if decision[r, l] == code:
                        cost[r, l] = price + total[l]
            elif price + _least(children, begin, end, point, there, limits) < cost[r, 0]:
                _sum(total, children, begin, end, point, there)
                for l in range(limits):
                    value = price + total[l]
                    better = value < cost[r, l]
                    cost[r, l] = value if better else cost[r, l]
                    decision[r, l] = code if better else decision[r, l]
    return -1


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


@inner_loop()
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


@inner_loop()
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
