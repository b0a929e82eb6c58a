"""What leaves that copy cost: into panels, between layouts whose fastest axes differ, and tiles of any size."""

from __future__ import annotations

import numpy as np

from ..ir.dtypes import dtype
from ..ir.family import Family, ceil_div, product, unit_dim
from ..leaves.copies import block_lanes, turned_block, turned_lanes, turns
from .ports import conversion


def pack_cycles(kernel, lane: str, family: Family, target, size):
    """Whole vectors along the panel, square blocks turned in registers, or whole groups."""
    source, to = family.operands
    access, wide = family.access(0), _widest(family)
    elements, width = product(access.shape(size)), target.vector_bytes / wide
    axis, group = to.layout.group or (-1, 1)
    if unit_dim(access, to.layout) == unit_dim(access, source.layout):
        if group * wide > 8:  # turned
            return elements / block_lanes(wide, target) * np.log2(block_lanes(wide, target)) / target.ports.shuffle
        along = np.asarray(access.shape(size)[to.layout.panel[0]])
        # of the loop over runs of a panel's width
        starts = elements / along * ceil_div(along, to.layout.panel[1]) / group
        return elements / width * (target.ports.copied + 1.0 * (group > 1) + _converted(family, target)) + starts
    by_rows = group > 1 and source.dtype == to.dtype and not source.layout.panel and source.layout.order[0] == axis
    if by_rows and group * wide > 8:
        return elements / group * target.handling.group
    unit, across = group if by_rows else 1, to.layout.panel[1]
    lanes = turned_lanes(across, unit * wide, target)
    if (group == 1 or by_rows) and lanes:
        return elements / (lanes * unit) * _turned(family, target, lanes) * (-(-across // lanes) * lanes / across)
    return elements * target.handling.element


def transpose_cycles(kernel, lane: str, family: Family, target, size):
    """Blocks, each vector that they write joined of parts of rows, or square ones."""
    block = turned_block(family, target)
    across, down = ceil_div(size[family.unit_dim(0)], block.columns), ceil_div(size[family.unit_dim(1)], block.rows)
    joined = (np.log2(block.columns) + block.parts - 1) / target.ports.mixed
    return across * block.columns * down * np.maximum(joined, _turned(family, target, block.columns))


def window_cycles(kernel, lane: str, family: Family, target, size):
    """Rows of whole vectors and a part of one, or of square blocks that are turned; where rows may reach beyond the
    tensor, what it takes to see how far."""
    source, to = family.operands
    extents = family.access(0).shape(size)
    length = np.asarray(extents[source.layout.order[0]])
    rows, width = product(extents) / length, target.vector_bytes / _widest(family)
    each = target.ports.copied + _converted(family, target)
    if turns(family):
        across, width = np.asarray(extents[to.layout.order[0]]), block_lanes(_widest(family), target)
        rows, each = rows / across * ceil_div(across, width), width * _turned(family, target, width)
    return rows * (ceil_div(length, width) * each + _row(family, target))


def _row(family: Family, target) -> float:
    """Cycles of a row of a window, beside what it moves."""
    source, handling = family.operands[0].layout, target.handling
    if not source.beyond:
        return handling.row
    is_known = source.order[0] not in source.beyond and not turns(family)
    return handling.known if is_known else 2 * handling.row


def _widest(family: Family) -> int:
    """Bytes of an element of the source or of the copy, whichever has more."""
    return max(dtype(operand.dtype).bytes for operand in family.operands)


def _converted(family: Family, target) -> float:
    return conversion(target, *(operand.dtype for operand in family.operands))


def _turned(family: Family, target, lanes: int):
    """Cycles of a row of a square block of so many: log2(lanes) shuffles, and its conversion."""
    return np.log2(lanes) / target.ports.shuffle + _converted(family, target)
