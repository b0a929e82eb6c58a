"""Leaves that pack: a copy into panels, of any size. codegen.pack has the same cases."""

from __future__ import annotations

import numpy as np

from ..spec.dtypes import dtype
from ..spec.family import Family, unit_dim
from .ports import conversion
from .whole import ceil_div, product

LARGEST_BLOCK = 16
"""Rows that are turned in registers: as many registers, with as many free for the shuffles."""

LEAST_BYTES = 16
"""Of a vector."""


def cycles(kernel, lane: str, family: Family, target, size):
    """Whole vectors along the panel, square blocks turned in registers, or whole groups; codegen.pack has the same cases."""
    source, to = family.operands
    access, converts = family.access(0), source.dtype != to.dtype
    elements = product(access.shape(size))
    axis, group = to.layout.group or (-1, 1)
    wide = max(dtype(source.dtype).bytes, dtype(to.dtype).bytes)
    width = target.vector_bytes / wide
    if unit_dim(access, to.layout) == unit_dim(access, source.layout):
        if group * wide > 8:  # turned
            return elements / min(LARGEST_BLOCK, width) * np.log2(min(LARGEST_BLOCK, width)) / target.ports.shuffle
        along = np.asarray(access.shape(size)[to.layout.panel[0]])
        starts = elements / along * ceil_div(along, to.layout.panel[1]) / group  # of the loop over runs of a panel's width
        return elements / width * (target.ports.copied + 1.0 * (group > 1) + conversion(target, source.dtype, to.dtype)) + starts
    by_rows = group > 1 and not converts and not source.layout.panel and source.layout.order[0] == axis
    if by_rows and group * wide > 8:
        return elements / group * target.handling.group
    unit, across = group if by_rows else 1, to.layout.panel[1]
    lanes = turned_lanes(across, unit * wide, target.vector_bytes)
    if (group == 1 or by_rows) and lanes:
        return elements / (lanes * unit) * (np.log2(lanes) / target.ports.shuffle + conversion(target, source.dtype, to.dtype)) * (-(-across // lanes) * lanes / across)
    return elements * target.handling.element


def turned_lanes(width: int, element: int, vector: int) -> int:
    """Rows of the square blocks that are turned into a panel `width` elements wide, of `element` bytes with vectors of `vector`: as many as a vector
    has lanes, or the most that are no more than the panel; 0 for none."""
    whole = min(LARGEST_BLOCK, vector // element)
    rows = min(whole, 1 << (width.bit_length() - 1))
    return rows if rows == whole or rows * element >= LEAST_BYTES else 0
