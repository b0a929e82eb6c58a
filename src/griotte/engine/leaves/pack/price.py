"""What a pack costs."""

from __future__ import annotations

import numpy as np

from ....lang.nests.family import Family, ceil_div, product, unit_dim
from ..copies import block_lanes, converted, turned_cycles, turned_lanes, widest


def cycles(kernel, lane: str, family: Family, target, size):
    """Whole vectors along the panel, square blocks turned in registers, or whole groups."""
    source, to = family.operands
    access, wide = family.access(0), widest(family)
    elements, width = product(access.shape(size)), target.vector_bytes / wide
    axis, group = to.layout.group or (-1, 1)
    if unit_dim(access, to.layout) == unit_dim(access, source.layout):
        if group * wide > 8:  # turned
            return elements / block_lanes(wide, target) * np.log2(block_lanes(wide, target)) / target.ports.shuffle
        along = np.asarray(access.shape(size)[to.layout.panel[0]])
        # of the loop over runs of a panel's width
        starts = elements / along * ceil_div(along, to.layout.panel[1]) / group
        return elements / width * (target.ports.copied + 1.0 * (group > 1) + converted(family, target)) + starts
    by_rows = group > 1 and source.dtype == to.dtype and not source.layout.panel and source.layout.order[0] == axis
    if by_rows and group * wide > 8:
        return elements / group * target.handling.group
    unit, across = group if by_rows else 1, to.layout.panel[1]
    lanes = turned_lanes(across, unit * wide, target)
    if (group == 1 or by_rows) and lanes:
        return elements / (lanes * unit) * turned_cycles(family, target, lanes) * (-(-across // lanes) * lanes / across)
    return elements * target.handling.element
