"""A copy into panels, of any size."""

from __future__ import annotations

import numpy as np

from ....lang.nests.family import Family, ceil_div, product, unit_dim
from ..conditions import a_map, first_dim, no_border, no_index, to_memory
from ..copies import block_lanes, converted, is_pack, turned_cycles, turned_lanes, widest
from ..form import LeafForm, Price, Serving
from .code import PackLeaf


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot pack the copy at any size; empty when it can."""
    panelled = family.output.layout.panel is not None
    if panelled and is_pack(family.nest):
        return ""
    return f"{kernel.name} expects a copy into panels, of a tensor that is read as it is written"


def opens(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the C of a pack may be of any length along a dimension: one that every panel holds all of, and no group a
    part."""
    layout, access = family.output.layout, family.nest.output
    axis = access.axis_of(dim)
    return access.is_plain(axis) and axis not in (layout.panel[0], layout.group and layout.group[0])


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
        moved, more = target.ports.copied + 1.0 * (group > 1), converted(family, target)
        return elements / width * (max(moved, more) if target.ports.converting else moved + more) + starts
    by_rows = group > 1 and source.dtype == to.dtype and not source.layout.panel and source.layout.order[0] == axis
    if by_rows and group * wide > 8:
        return elements / group * target.handling.group
    unit, across = group if by_rows else 1, to.layout.panel[1]
    lanes = turned_lanes(across, unit * wide, target)
    if (group == 1 or by_rows) and lanes:
        return elements / (lanes * unit) * turned_cycles(family, target, lanes) * (-(-across // lanes) * lanes / across)
    return elements * target.handling.element


PACK = LeafForm(
    "pack",
    Serving(first_dim, (no_index, no_border, to_memory, a_map), refuses, opens=opens),
    Price("pack", cycles),
    PackLeaf,
)
