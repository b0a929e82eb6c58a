"""What a window costs."""

from __future__ import annotations

import numpy as np

from ....lang.nests.family import Family, ceil_div, product
from ..copies import block_lanes, converted, turned_cycles, turns, widest


def cycles(kernel, lane: str, family: Family, target, size):
    """Rows of whole vectors and a part of one, or of square blocks that are turned; where rows may reach beyond the
    tensor, what it takes to see how far."""
    source, to = family.operands
    extents = family.access(0).shape(size)
    length = np.asarray(extents[source.layout.order[0]])
    rows, width = product(extents) / length, target.vector_bytes / widest(family)
    each = target.ports.copied + converted(family, target)
    if turns(family):
        across, width = np.asarray(extents[to.layout.order[0]]), block_lanes(widest(family), target)
        rows, each = rows / across * ceil_div(across, width), width * turned_cycles(family, target, width)
    return rows * (ceil_div(length, width) * each + _row(family, target))


def _row(family: Family, target) -> float:
    """Cycles of a row of a window, beside what it moves."""
    source, handling = family.operands[0].layout, target.handling
    if not source.beyond:
        return handling.row
    is_known = source.order[0] not in source.beyond and not turns(family)
    return handling.known if is_known else 2 * handling.row
