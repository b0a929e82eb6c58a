"""Leaves that copy a tile of any size along an axis that several dimensions move along, or beyond its tensor, row by row, or turn it in squares."""

from __future__ import annotations

import numpy as np

from ..spec.dtypes import dtype
from ..spec.family import Family
from .pack import LARGEST_BLOCK
from .ports import conversion
from .whole import ceil_div, product


def refuses(kernel, family: Family) -> str:
    """It copies what no row of a map does: a tile that reaches beyond its tensor, or overlaps others."""
    op = family.operation
    if len(family.operands) != 2 or op.combine or op.inputs[0] != op.output:
        return f"{kernel.name} expects a copy"
    source, to = family.operands
    if to.layout.panel or source.layout.panel or to.layout.beyond or not op.output.axes or to.layout.order[0] in source.layout.beyond and turns(family):
        return f"{kernel.name} expects layouts without panels, and a fastest axis that is all in memory where it is another than before"
    skips = turns(family) and family.unit_dim(0) is None
    return "" if source.layout.beyond or skips or not all(op.output.is_apart(d) for d in op.dims) else f"{kernel.name} expects tiles that overlap, or reach beyond the tensor"


def turns(family: Family) -> bool:
    """Whether the copy's fastest axis is another than its source's."""
    source, to = family.operands
    return source.layout.order[0] != to.layout.order[0]


def cycles(kernel, lane: str, family: Family, target, size):
    """Rows of whole vectors and a part of one, or of square blocks that are turned; where rows may reach beyond the tensor, what it takes to see how far."""
    source, to = family.operands
    extents = family.access(0).shape(size)
    length = np.asarray(extents[source.layout.order[0]])
    rows = product(extents) / length
    width = target.vector_bytes / max(dtype(source.dtype).bytes, dtype(to.dtype).bytes)
    if turns(family):
        across, lanes = np.asarray(extents[to.layout.order[0]]), min(LARGEST_BLOCK, int(width))
        strips = rows / across * ceil_div(across, lanes)
        turned = lanes * (np.log2(lanes) / target.ports.shuffle + conversion(target, source.dtype, to.dtype))
        return strips * (ceil_div(length, lanes) * turned + target.handling.row * (1 + (len(source.layout.beyond) > 0)))
    return rows * (ceil_div(length, width) * (target.ports.copied + conversion(target, source.dtype, to.dtype)) + target.handling.row * (1 + (len(source.layout.beyond) > 0)))
