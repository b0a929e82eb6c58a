"""The two inner loops of the search, in Numba: relax one edge over a block, close a block under its loops.

A block is cost [rows, limits] with the decision beside it. Rows are the points of the family's grid that can hold its
operands; `slot` maps a grid point to its row, -1 for none. Nothing here knows what an operation or a rewrite is.
"""

from __future__ import annotations

import numba
import numpy as np

from .ladder import TILE_SPAN

TILE_CODE = 4096  # decisions below are edges; from here on TILE_CODE + dimension * TILE_SPAN + tile coordinate



@numba.njit(cache=True, nogil=True)
def relax(cost, decision, rows, child_cost, child_slot, own, times, kind, transition, code):
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
        for l in range(limits):
            to = transition[row, l]
            if to >= 0:
                value = price + factor * child_cost[child, to]
                if value < cost[r, l]:
                    cost[r, l] = value
                    decision[r, l] = code


@numba.njit(cache=True, nogil=True)
def relax_leaf(cost, decision, rows, own, code):
    """An edge without a child that carries limits: the same price under every limit."""
    for r in range(rows.shape[0]):
        price = own[rows[r]]
        for l in range(cost.shape[1]):
            if price < cost[r, l]:
                cost[r, l] = price
                decision[r, l] = code


@numba.njit(cache=True, nogil=True)
def close(cost, decision, rows, slot, coordinates, strides, dims, quotient, remainder, rest, has_rest, loop, dim_code):
    """Close the block under loops, smaller sizes first. Dimension dims[d] has tables quotient[d], remainder[d]; where
    has_rest[d], all iterations but the first are priced from `rest` (a block of the same rows and limits)."""
    limits = cost.shape[1]
    for r in range(rows.shape[0]):
        point = rows[r]
        for d in range(dims.shape[0]):
            i = coordinates[point, dims[d]]
            stride = strides[dims[d]]
            base = point - i * stride
            for j in range(i):
                q = quotient[d, i, j]
                if q == 0:
                    continue
                first = slot[base + j * stride]
                if first < 0:
                    continue
                tail = remainder[d, i, j]
                last = first
                if tail >= 0:
                    last = slot[base + tail * stride]
                code = TILE_CODE + dim_code[d] * TILE_SPAN + j
                overhead = q * loop
                if has_rest[d]:
                    for l in range(limits):
                        value = cost[first, l] + overhead
                        if q > 1:
                            value += (q - 1) * rest[first, l]
                        if tail >= 0:
                            value += rest[last, l]
                        if value < cost[r, l]:
                            cost[r, l] = value
                            decision[r, l] = code
                elif tail >= 0:
                    for l in range(limits):
                        value = q * cost[first, l] + cost[last, l] + overhead
                        if value < cost[r, l]:
                            cost[r, l] = value
                            decision[r, l] = code
                else:
                    for l in range(limits):
                        value = q * cost[first, l] + overhead
                        if value < cost[r, l]:
                            cost[r, l] = value
                            decision[r, l] = code
