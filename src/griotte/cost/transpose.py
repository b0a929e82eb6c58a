"""Leaves that copy between layouts whose fastest axes differ; those two dimensions of any size, every other is 1."""

from __future__ import annotations

import numpy as np

from ..spec.dtypes import dtype
from ..spec.family import Family
from .pack import LARGEST_BLOCK
from .ports import conversion
from .whole import ceil_div


def refuses(kernel, family: Family) -> str:
    """Why the kernel cannot turn the copy at any size; empty when it can."""
    source, to = family.operands
    units = family.unit_dim(0), family.unit_dim(1)
    if source.layout.panel or to.layout.panel or None in units or units[0] == units[1] or len(family.access(0).dims) != len(family.operation.dims):
        return f"{kernel.name} expects a copy between layouts whose fastest axes differ"
    return ""


def conditions(kernel, family: Family, size) -> list[tuple[object, str]]:
    """What `leaf.fits` asks for: nothing but the two dimensions that are turned."""
    others = [d for d in family.operation.dims if d not in (family.unit_dim(0), family.unit_dim(1))]
    return [(np.asarray(size[d]) == 1, f"{d} = 1, for {kernel.name} turns two dimensions; tile {d} by 1") for d in others]


def cycles(kernel, lane: str, family: Family, target, size):
    """Square blocks: a load, a store and log2(lanes) shuffles a row; shuffles have one port on the cores known."""
    wide = max(dtype(o.dtype).bytes for o in family.operands)
    lanes = min(LARGEST_BLOCK, target.vector_bytes // wide)
    blocks = ceil_div(size[family.unit_dim(0)], lanes) * ceil_div(size[family.unit_dim(1)], lanes)
    return blocks * lanes * (np.log2(lanes) / target.ports.shuffle + conversion(target, *(o.dtype for o in family.operands)))
