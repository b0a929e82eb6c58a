"""How many programs the space holds: the engine's loops with (+, x) in place of (min, +).

Counts run past 10^300, so a block holds their base-2 logarithms (float32; +inf where there is no program, as for
costs). A product is then a sum, and a sum of two is max + log2(1 + 2^-distance), read from a table. Two programs differ
where any choice differs; the program of a part that a loop runs several times is chosen once.
"""

from __future__ import annotations

import math

import numpy as np

from ...lang.calls.spec import Spec
from ...support.inner_loops import inner_loop, inner_part
from ..canonical.canonical import canonical_form
from ..table import Table
from .edges import CARRIES, COUNTS, INF, costs_of, edge_at, found, limits_of
from .problem import problem
from .solve import Solver

STEPS, REACH = 256, 26  # table entries per unit of distance; beyond REACH the lesser term is below float32's last bit
LOG1P2 = np.log2(1 + np.exp2(-np.linspace(0, REACH, STEPS * REACH + 1))).astype(np.float32)


@inner_part
def _join(a, b, table):
    """log2(2^a + 2^b); +inf stands for zero."""
    if not b < np.inf:
        return a
    if not a < np.inf:
        return b
    distance = abs(a - b)
    if distance >= REACH:
        return max(a, b)
    position = distance * STEPS
    i = int(position)
    return max(a, b) + table[i] + (position - i) * (table[i + 1] - table[i])


@inner_loop()
def relax(total, rows, slot, edges, first, last, children, table):
    """As `kernels.relax`: total[r, l] += the product of the children's counts, in logarithms, where an edge fits."""
    limits = total.shape[1]
    there = np.empty(children.shape[0], np.int64)
    for e in range(first, last):
        begin, end, own, places, is_part = edge_at(edges, e)
        for k in range(places.shape[0] if is_part else rows.shape[0]):
            point = places[k] if is_part else rows[k]
            r = slot[point]
            fits = r >= 0 and (own[k] if is_part else own[point]) < INF
            alone, is_on = found(children, begin, end, point, np.float32(0), there) if fits else (INF, True)
            if not is_on:
                return e
            if not alone < INF:
                continue
            for l in range(limits):
                value = alone
                for c in range(begin, end):
                    if children[c, COUNTS] == CARRIES:
                        to = limits_of(children, c, point, limits)[l]
                        counts = costs_of(children, c, there[c - begin])
                        value += counts[to] if to >= 0 else INF
                total[r, l] = _join(total[r, l], value, table)
    return -1


@inner_loop()
def close(total, rows, slot, coordinates, strides, dims, tile_at, quotient, remainder, rest, has_rest, table):
    """As `kernels.close`: a loop's programs are those of its parts, multiplied."""
    for r in range(rows.shape[0]):
        point = rows[r]
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
                for l in range(total.shape[1]):
                    value = total[first, l]
                    if has_rest[d]:
                        if q > 1:
                            value += rest[first, l]
                        if tail >= 0:
                            value += rest[last, l]
                    elif tail >= 0:
                        value += total[last, l]
                    total[r, l] = _join(total[r, l], value, table)


class Counter(Solver):
    """A Solver whose blocks hold log2 of the number of programs where a Solver's hold the least cost."""

    def _found(self, node):
        return None

    def _keep(self, block):
        pass

    def _relax_edges(self, block, edges, first, last, children, part):
        return relax(block.cost, block.rows, block.slot, edges, first, last, children, LOG1P2)

    def _close_block(self, block, loops, rest, cuts):
        *tables, has_rest = loops
        place = block.slot, block.grid.coordinates, block.grid.strides
        close(block.cost, block.rows, *place, *tables, rest, has_rest, LOG1P2)


def programs_log10(spec: Spec, target, threads: int = 1) -> float:
    """log10 of the number of serial programs of a Spec in the space; -inf when there is none. As slow as a few
    solves."""
    start = problem(canonical_form(spec), target, threads)
    counter = Counter(Table(target, start.home, start.ladders))
    counter.solve(start.goal)
    block = counter.blocks[start.goal]
    found = float(block.cost_at(np.array([block.grid.point(start.sizes)]), -1)[0])
    return found * math.log10(2) if found < math.inf else -math.inf
