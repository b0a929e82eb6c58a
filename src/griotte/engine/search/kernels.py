"""Relaxing the edges of a family over its block, in Numba; `closing` closes the block under loops.

A block is cost [rows, limits] with the decision beside it. Rows are the points of the family's grid that can hold its
operands; `slot` maps a grid point to its row, -1 for none. Costs never rise with a limit. So a choice that with all
memory free (the last limit) is no better than the row's cost with none (the first) is no better under any. Where a row
is `known`, its decisions are given. The same loops then replay its costs, to the bit as they were when it was solved;
inf where a decision is none of the point's. Nothing here knows of operations or rewrites.

An edge that has one child which carries the limits, or none, is relaxed over a stretch of rows in two passes: what it
costs but for that child, then with it. So each pass reads few arrays, one after the other.
"""

from __future__ import annotations

import numba
import numpy as np

from ...support.inner_loops import inner_loop, inner_part
from ..table import TILE_CODE
from .edges import (
    ALONE,
    BYTES,
    CARRIES,
    COST,
    COUNT,
    COUNTS,
    INF,
    KIND,
    LIMITS,
    PLACES,
    POINT,
    SLOT,
    TABLE,
    TIMES,
    costs_of,
    edge_at,
    float_at,
    floats,
    found,
    index_at,
    indices,
    limits_of,
    point_at,
    points,
    shorts,
)

STRETCH = 256  # rows over which all edges are relaxed before the next
# edges that have a bit of their own, of those that a row asks for; all bits
BITS, ALL = np.iinfo(np.uint64).bits - 1, np.uint64(np.iinfo(np.uint64).max)


@numba.njit(inline="always")
def _times(children, c, point):
    """How often a child runs at a point."""
    return float_at(children[c, TIMES], point) if children[c, TIMES] else np.float32(1)


@numba.njit(inline="always")
def _with_all(children, begin, end, point, rows, limits):
    """What the children that carry cost together with all memory free."""
    total = np.float32(0)
    for c in range(begin, end):
        if children[c, COUNTS] != CARRIES:
            continue
        to = limits_of(children, c, point, limits)[limits - 1]
        if to < 0:
            return INF
        total += _times(children, c, point) * float_at(children[c, COST], rows[c - begin] * children[c, LIMITS] + to)
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
        costs = costs_of(children, c, rows[c - begin])
        for l in range(limits):
            # without a branch: which limits have no program is hard to foresee
            cost = factor * costs[max(to[l], 0)]
            total[l] += cost if to[l] >= 0 else INF


@inner_part
def _relax_each(block, places, span, edges, e, children):
    """`relax` for an edge of several children that carry the limits, a point at a time. The points are those in
    `places`, if it is one of some, else those of rows, from one number of `span` to before another."""
    cost, decision, known, rows, slot = block
    limits, code = cost.shape[1], np.int16(e)
    begin, end, own, _, is_part = edge_at(edges, e)
    total, there = np.empty(limits, np.float32), np.empty(end - begin, np.int64)
    for k in range(span[0], span[1]):
        point = places[k] if is_part else rows[k]
        r = np.int64(slot[point])
        if r < 0:
            continue
        price, is_on = found(children, begin, end, point, own[k] if is_part else own[point], there)
        if not is_on:
            return False
        if not price < INF:
            continue
        if known[r]:
            _sum(total, children, begin, end, point, there)
            for l in range(limits):
                if decision[r, l] == code:
                    cost[r, l] = price + total[l]
        elif price + _with_all(children, begin, end, point, there, limits) < cost[r, 0]:
            _sum(total, children, begin, end, point, there)
            for l in range(limits):
                value = price + total[l]
                better = value < cost[r, l]
                cost[r, l] = value if better else cost[r, l]
                decision[r, l] = code if better else decision[r, l]
    return True


@inner_part
def _prices(children, begin, end, count, stretch):
    """Adds to the prices at points `at` the costs of the children that find the caches free, inf where one of all has
    no program. `below` becomes the row of the one that carries the limits. Whether all sizes are on their ladders."""
    at, _, price, below = stretch
    for c in range(begin, end):
        counts, limits, costs = children[c, COUNTS], children[c, LIMITS], children[c, COST]
        mapped, slot = children[c, POINT], children[c, SLOT]
        for k in range(count):
            if not price[k] < INF:
                continue
            there = point_at(mapped, at[k]) if mapped else at[k]
            if there < 0:
                return False
            row = np.int64(index_at(slot, there))
            if row < 0:
                price[k] = INF
            elif counts == CARRIES:
                below[k] = row
            else:
                cost = float_at(costs, (row + 1) * limits - 1)
                price[k] += cost if counts == ALONE or not cost < INF else np.float32(0)
    return True


@numba.njit(inline="always")
def _take(best, chosen, cost, code):
    """The lesser cost under each limit, and its choice, of those so far and of an edge that costs `cost` under all."""
    for l in range(best.shape[0]):
        better = cost < best[l]
        best[l] = cost if better else best[l]
        chosen[l] = code if better else chosen[l]


@numba.njit(inline="always")
def _take_flat(best, chosen, cost, to, code):
    """The same where the edge costs so much under the limits alone that the child has a program under."""
    for l in range(best.shape[0]):
        value = cost if to[l] >= 0 else INF
        better = value < best[l]
        best[l] = value if better else best[l]
        chosen[l] = code if better else chosen[l]


@numba.njit(inline="always")
def _take_each(best, chosen, costs, to, edge):
    """The same where the child costs `costs[to]`. `edge` is what it costs besides, how often the child runs, and its
    decision."""
    price, factor, code = edge
    for l in range(best.shape[0]):
        value = price + factor * costs[max(to[l], 0)] if to[l] >= 0 else INF
        better = value < best[l]
        best[l] = value if better else best[l]
        chosen[l] = code if better else chosen[l]


@numba.njit(inline="always")
def _least(to):
    """The first limit that the child has a program under, which leaves it the least; the last where it has none."""
    l = 0
    while l < to.shape[0] - 1 and to[l] < 0:
        l += 1
    return l


@inner_part
def _through_none(block, code, count, stretch):
    """An edge over a stretch of rows, where no child carries the limits."""
    (cost, decision, known, _, _), (_, row, price, _) = block, stretch
    for k in range(count):
        if not price[k] < INF:
            continue
        r = row[k]
        if known[r]:
            for l in range(cost.shape[1]):
                if decision[r, l] == code:
                    cost[r, l] = price[k]
        elif price[k] < cost[r, 0]:
            _take(cost[r], decision[r], price[k], code)


@inner_part
def _through(block, child, code, count, stretch):
    """An edge over a stretch of rows, by the child that carries the limits.

    Where the child costs as much with the least memory as with all, and most do, its costs are one number."""
    (cost, decision, known, _, _), (at, row, price, below) = block, stretch
    limits, costs_at, chosen_at, seen, least = cost.shape[1], cost.ctypes.data, decision.ctypes.data, -1, 0
    # taken once: as far as the compiler knows, stores may change them
    below_at, steps, times, kinds, table = child[COST], child[LIMITS], child[TIMES], child[KIND], child[TABLE]
    for k in range(count):
        if not price[k] < INF:
            continue
        r, point = row[k], at[k]
        best, chosen = floats(costs_at + BYTES * r * limits, limits), shorts(chosen_at + 2 * r * limits, limits)
        factor = float_at(times, point) if times else np.float32(1)
        kind = int(index_at(kinds, point)) if kinds else 0
        to, costs = indices(table + BYTES * limits * kind, limits), floats(below_at + BYTES * below[k] * steps, steps)
        free = to[limits - 1]
        if known[r]:
            for l in range(limits):
                if chosen[l] == code and to[l] >= 0:
                    best[l] = price[k] + factor * costs[to[l]]
        elif free >= 0 and price[k] + factor * costs[free] < best[0]:
            if kind != seen:
                seen, least = kind, _least(to)
            if costs[to[least]] == costs[free]:
                _take_flat(best, chosen, price[k] + factor * costs[free], to, code)
            else:
                _take_each(best, chosen, costs, to, (price[k], factor, code))


@inner_part
def _reached(places, k, before):
    """The first of ascending places from number k on that is no less than `before`."""
    while k < places.shape[0] and places[k] < before:
        k += 1
    return k


@inner_part
def _asked(block, begin, end, asked):
    """Which edges each row from `begin` to before `end` asks for, a bit for each: of a known one those that it decides
    for, of others all. Whether any is known."""
    _, decision, known, _, _ = block
    is_known = False
    for r in range(begin, end):
        asked[r - begin] = ALL
        if known[r]:
            is_known, edges = True, np.uint64(0)
            for l in range(decision.shape[1]):
                code = decision[r, l]
                if code >= BITS:
                    code = np.int16(BITS) if code < TILE_CODE else np.int16(-1)
                if code >= 0:
                    edges |= np.uint64(1) << np.uint64(code)
            asked[r - begin] = edges
    return is_known


@numba.njit(inline="always")
def _asks(asked, e):
    """Whether a row may ask for an edge: those from number BITS on share a bit."""
    return (asked >> np.uint64(min(e, BITS))) & np.uint64(1) != 0


@numba.njit(inline="always")
def _carrying(children, begin, end):
    """The last child that carries the limits, -1 for none, and how many do."""
    last, count = -1, 0
    for c in range(begin, end):
        if children[c, COUNTS] == CARRIES:
            last, count = c, count + 1
    return last, count


@inner_loop()
def relax(block, part, edges, which, children):
    """Relax the edges of `which`, from one number to before another, for the rows of `part`, likewise:

        cost[r, l] <- min(own[point] + the sum of times[point] * child[point, limit[kind[point], l]])

    The sum is over the children that carry. `own` is inf where the edge does not fit. `block` is its cost, decision,
    known, rows and slot. Returns the number of an edge with a child whose sizes are not on its ladders; -1 where all
    are.

    All edges are relaxed over some rows before the next, so that these stay in the cache; of those that are
    known, the edges that they decide for."""
    (_, _, _, rows, slot), (start, stop), (first, last) = block, part, which
    at, row, below = np.empty(STRETCH, np.int64), np.empty(STRETCH, np.int64), np.zeros(STRETCH, np.int64)
    price, met = np.empty(STRETCH, np.float32), np.zeros(edges.shape[0], np.int64)
    asked = np.empty(STRETCH, np.uint64)
    for e in range(first, last if start < stop else first):
        met[e] = _reached(points(edges[e, PLACES], edges[e, COUNT]), 0, rows[start]) if edges[e, PLACES] else 0
    for begin_at in range(start, stop, STRETCH):
        end_at = min(begin_at + STRETCH, stop)
        is_known = _asked(block, begin_at, end_at, asked)
        for e in range(first, last):
            begin, end, own, places, is_part = edge_at(edges, e)
            k, until = begin_at, end_at
            if is_part:
                k, until = met[e], _reached(places, met[e], rows[end_at - 1] + 1)
                met[e] = until
            c, carrying = _carrying(children, begin, end)
            if carrying > 1:
                if not _relax_each(block, places, (k, until), edges, e, children):
                    return e
                continue
            while k < until:
                count = 0
                if is_part:
                    while k < until and count < STRETCH:
                        at[count], row[count], price[count] = places[k], slot[places[k]], own[k]
                        count += row[count] >= 0 and (not is_known or _asks(asked[row[count] - begin_at], e))
                        k += 1
                elif is_known:
                    while k < until:
                        at[count], row[count], price[count] = rows[k], k, own[rows[k]]
                        count += _asks(asked[k - begin_at], e)
                        k += 1
                else:
                    count = until - k
                    for i in range(count):
                        at[i], row[i], price[i] = rows[k + i], k + i, own[rows[k + i]]
                    k = until
                if not _prices(children, begin, end, count, (at, row, price, below)):
                    return e
                if c < 0:
                    _through_none(block, np.int16(e), count, (at, row, price, below))
                else:
                    _through(block, children[c], np.int16(e), count, (at, row, price, below))
    return -1
