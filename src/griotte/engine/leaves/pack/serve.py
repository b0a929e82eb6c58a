"""A pack copies into panels, any size of them."""

from __future__ import annotations

from ....lang.nests.family import Family
from ..copies import is_pack


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot pack the copy at any size; empty when it can."""
    panelled = family.output.layout.panel is not None
    return (
        ""
        if panelled and is_pack(family.nest)
        else f"{kernel.name} expects a copy into panels, of a tensor that is read as it is written"
    )


def opens(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the C of a pack may be of any length along a dimension: one that every panel holds all of, and no group a
    part."""
    layout, access = family.output.layout, family.nest.output
    axis = access.axis_of(dim)
    return access.is_plain(axis) and axis not in (layout.panel[0], layout.group and layout.group[0])
