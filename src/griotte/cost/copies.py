"""Leaves that copy: into panels, between layouts whose fastest axes differ, and tiles of any size. codegen has the same cases."""

from __future__ import annotations

import numpy as np

from ..spec.dtypes import dtype
from ..spec.expr import Arg
from ..spec.family import Family, product, unit_dim
from .ports import conversion
from .whole import ceil_div

LARGEST_BLOCK = 16
"""Rows that are turned in registers: as many registers, with as many free for the shuffles."""

LEAST_BYTES = 16
"""Of a vector."""


def turned_lanes(width: int, element: int, vector: int) -> int:
    """Rows of the square blocks that are turned into a panel `width` elements wide, of `element` bytes with vectors of `vector`: as many as a vector
    has lanes, or the most that are no more than the panel; 0 for none."""
    whole = min(LARGEST_BLOCK, vector // element)
    rows = min(whole, 1 << (width.bit_length() - 1))
    return rows if rows == whole or rows * element >= LEAST_BYTES else 0


def is_pack(op) -> bool:
    """Whether a map only brings elements to where they lie in panels; one that reads them otherwise than it writes them (a broadcast, what is picked) computes like any other."""
    return isinstance(op.body, Arg) and op.inputs == (op.output,) and not op.picks


def refuses_pack(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot pack the copy at any size; empty when it can."""
    panelled = family.output.layout.panel is not None
    return "" if panelled and is_pack(family.operation) else f"{kernel.name} expects a copy into panels, of a tensor that is read as it is written"


def refuses_transpose(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot turn the copy at any size; empty when it can."""
    source, to = family.operands
    units = family.unit_dim(0), family.unit_dim(1)
    if source.layout.panel or to.layout.panel or None in units or units[0] == units[1] or len(family.access(0).dims) != len(family.operation.dims):
        return f"{kernel.name} expects a copy between layouts whose fastest axes differ"
    return ""


def refuses_window(kernel, lane: str, family: Family, target) -> str:
    """It copies what no row of a map does: a tile that reaches beyond its tensor, or overlaps others."""
    op = family.operation
    if len(family.operands) != 2 or op.combine or op.inputs[0] != op.output:
        return f"{kernel.name} expects a copy"
    source, to = family.operands
    if to.layout.panel or source.layout.panel or to.layout.beyond or not op.output.axes or to.layout.order[0] in source.layout.beyond and _turns(family):
        return f"{kernel.name} expects layouts without panels, and a fastest axis that is all in memory where it is another than before"
    skips = _turns(family) and family.unit_dim(0) is None
    return "" if source.layout.beyond or skips or not all(op.output.is_apart(d) for d in op.dims) else f"{kernel.name} expects tiles that overlap, or reach beyond the tensor"


def any_size(kernel, lane: str, family: Family, target, size) -> list[tuple[object, str]]:
    """What `leaf.fits` asks of a copy of any size: nothing."""
    return []


def two_dims(kernel, lane: str, family: Family, target, size) -> list[tuple[object, str]]:
    """What `leaf.fits` asks of a transposition: nothing but the two dimensions that are turned."""
    others = [d for d in family.operation.dims if d not in (family.unit_dim(0), family.unit_dim(1))]
    return [(np.asarray(size[d]) == 1, f"{d} = 1, for {kernel.name} turns two dimensions; tile {d} by 1") for d in others]


def pack_cycles(kernel, lane: str, family: Family, target, size):
    """Whole vectors along the panel, square blocks turned in registers, or whole groups."""
    source, to = family.operands
    access, wide = family.access(0), _widest(family)
    elements, width = product(access.shape(size)), target.vector_bytes / wide
    axis, group = to.layout.group or (-1, 1)
    if unit_dim(access, to.layout) == unit_dim(access, source.layout):
        if group * wide > 8:  # turned
            return elements / min(LARGEST_BLOCK, width) * np.log2(min(LARGEST_BLOCK, width)) / target.ports.shuffle
        along = np.asarray(access.shape(size)[to.layout.panel[0]])
        starts = elements / along * ceil_div(along, to.layout.panel[1]) / group  # of the loop over runs of a panel's width
        return elements / width * (target.ports.copied + 1.0 * (group > 1) + _converted(family, target)) + starts
    by_rows = group > 1 and source.dtype == to.dtype and not source.layout.panel and source.layout.order[0] == axis
    if by_rows and group * wide > 8:
        return elements / group * target.handling.group
    unit, across = group if by_rows else 1, to.layout.panel[1]
    lanes = turned_lanes(across, unit * wide, target.vector_bytes)
    if (group == 1 or by_rows) and lanes:
        return elements / (lanes * unit) * _turned(family, target, lanes) * (-(-across // lanes) * lanes / across)
    return elements * target.handling.element


def transpose_cycles(kernel, lane: str, family: Family, target, size):
    """Square blocks."""
    lanes = min(LARGEST_BLOCK, target.vector_bytes // _widest(family))
    blocks = ceil_div(size[family.unit_dim(0)], lanes) * ceil_div(size[family.unit_dim(1)], lanes)
    return blocks * lanes * _turned(family, target, lanes)


def window_cycles(kernel, lane: str, family: Family, target, size):
    """Rows of whole vectors and a part of one, or of square blocks that are turned; where rows may reach beyond the tensor, what it takes to see how far."""
    source, to = family.operands
    extents = family.access(0).shape(size)
    length = np.asarray(extents[source.layout.order[0]])
    rows, width = product(extents) / length, target.vector_bytes / _widest(family)
    each = target.ports.copied + _converted(family, target)
    if _turns(family):
        across, width = np.asarray(extents[to.layout.order[0]]), min(LARGEST_BLOCK, int(width))
        rows, each = rows / across * ceil_div(across, width), width * _turned(family, target, width)
    return rows * (ceil_div(length, width) * each + target.handling.row * (1 + (len(source.layout.beyond) > 0)))


def _turns(family: Family) -> bool:
    """Whether the copy's fastest axis is another than its source's."""
    source, to = family.operands
    return source.layout.order[0] != to.layout.order[0]


def _widest(family: Family) -> int:
    """Bytes of an element of the source or of the copy, whichever has more."""
    return max(dtype(operand.dtype).bytes for operand in family.operands)


def _converted(family: Family, target) -> float:
    return conversion(target, *(operand.dtype for operand in family.operands))


def _turned(family: Family, target, lanes: int):
    """Cycles of a row of a square block of so many: log2(lanes) shuffles, and its conversion."""
    return np.log2(lanes) / target.ports.shuffle + _converted(family, target)
