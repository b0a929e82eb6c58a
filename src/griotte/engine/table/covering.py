"""How a solved block becomes boxes, and boxes a block: the loops, in Numba. A box is lo, hi [axes]; a block is flat,
row-major."""

from __future__ import annotations

import numpy as np

from ...support.inner_loops import inner_loop, inner_part
from .codes import FREE

TAKEN = -3  # while covering: a cell that has its box


@inner_part
def _strides(shape):
    strides = np.ones(shape.shape[0], np.int64)
    for a in range(shape.shape[0] - 2, -1, -1):
        strides[a] = strides[a + 1] * shape[a + 1]
    return strides


@inner_part
def _start(shape, strides, lo, hi, at):
    """Before a walk over a box: (cell to begin at, cells of it that lie side by side, axes to step along). Sets `at` to
    the corner."""
    outer, width, cell = shape.shape[0], 1, 0
    while outer > 0:
        outer -= 1
        width *= hi[outer] - lo[outer]
        if hi[outer] - lo[outer] < shape[outer]:
            break
    for a in range(shape.shape[0]):
        at[a] = lo[a]
        cell += lo[a] * strides[a]
    return cell, width, outer


@inner_part
def _step(strides, lo, hi, at, outer, cell):
    """The first cell of the walk's next stretch; -1 after the last."""
    for a in range(outer - 1, -1, -1):
        at[a] += 1
        cell += strides[a]
        if at[a] < hi[a]:
            return cell
        cell -= (hi[a] - lo[a]) * strides[a]
        at[a] = lo[a]
    return -1


@inner_part
def _clear(block, shape, strides, lo, hi, at, value):
    """Whether every cell of the box has this value or is FREE."""
    cell, width, outer = _start(shape, strides, lo, hi, at)
    while cell >= 0:
        other = False
        for x in range(cell, cell + width):  # all of it, so that it goes through vectors
            other |= (block[x] != value) & (block[x] != FREE)
        if other:
            return False
        cell = _step(strides, lo, hi, at, outer, cell)
    return True


@inner_part
def _fill(block, shape, strides, lo, hi, at, value):
    cell, width, outer = _start(shape, strides, lo, hi, at)
    while cell >= 0:
        for x in range(cell, cell + width):
            block[x] = value
        cell = _step(strides, lo, hi, at, outer, cell)


@inner_part
def _grow(block, shape, strides, lo, hi, at, value, cell):
    """Widens the box, whose corner is `cell`, last axis first, while what it takes in is clear."""
    for a in range(shape.shape[0] - 1, -1, -1):
        first, end, corner = lo[a], hi[a], cell + strides[a]
        while end < shape[a] and (block[corner] == value or block[corner] == FREE):  # most growth ends at the corner
            lo[a], hi[a] = end, end + 1
            if not _clear(block, shape, strides, lo, hi, at, value):
                break
            end += 1
            corner += strides[a]
        lo[a], hi[a] = first, end


@inner_part
def _dense(slot, decision):
    """The block over all points, flat."""
    limits = decision.shape[1]
    block = np.empty(slot.shape[0] * limits, np.int16)
    for point in range(slot.shape[0]):
        row, start = slot[point], point * limits
        if row < 0:
            for l in range(limits):
                block[start + l] = FREE
        else:
            for l in range(limits):
                block[start + l] = decision[row, l]
    return block


@inner_part
def _longer(array):
    """The array with room for as many rows again. Rows are copied one by one: a slice that takes an array is compiled
    with all that words an error of shapes, for six seconds."""
    longer = np.empty((2 * array.shape[0], array.shape[1]), array.dtype)
    for row in range(array.shape[0]):
        for a in range(array.shape[1]):
            longer[row, a] = array[row, a]
    return longer


@inner_loop()
def grow_all(rows, slot, decision, shape):
    """(low, high, value) of the cover."""
    axes, limits, strides, block = shape.shape[0], decision.shape[1], _strides(shape), _dense(slot, decision)
    lo, hi, at = np.empty(axes, np.int64), np.empty(axes, np.int64), np.empty(axes, np.int64)
    low, high, value = np.empty((64, axes), np.uint16), np.empty((64, axes), np.uint16), np.empty((64, 1), np.int16)
    count = 0
    for r in range(rows.shape[0]):
        for l in range(limits):
            cell = rows[r] * limits + l
            found = block[cell]
            if found == TAKEN:
                continue
            for a in range(axes):
                lo[a] = cell // strides[a] % shape[a]
                hi[a] = lo[a] + 1
            _grow(block, shape, strides, lo, hi, at, found, cell)
            _fill(block, shape, strides, lo, hi, at, TAKEN)
            if count == low.shape[0]:
                low, high, value = _longer(low), _longer(high), _longer(value)
            for a in range(axes):
                low[count, a], high[count, a] = lo[a], hi[a]
            value[count, 0] = found
            count += 1
    return low[:count], high[:count], value[:count, 0].copy()


@inner_loop()
def paint(block, shape, low, high, value):
    """Writes every box into the block."""
    strides, at = _strides(shape), np.empty(shape.shape[0], np.int64)
    lo, hi = np.empty(shape.shape[0], np.int64), np.empty(shape.shape[0], np.int64)
    for b in range(value.shape[0]):
        for a in range(shape.shape[0]):
            lo[a], hi[a] = low[b, a], high[b, a]
        _fill(block, shape, strides, lo, hi, at, value[b])
