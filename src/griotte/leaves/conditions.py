"""What the forms of leaves ask of sizes: (whether a size, or each of an array of them, will do; what is expected)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..ir.family import Family

Condition = tuple[object, str]


def of_one(dims: Iterable[str], size, why: str) -> list[Condition]:
    """That each of these dimensions is 1."""
    return [(np.asarray(size[d]) == 1, f"{d} = 1, for {why}; tile {d} by 1") for d in dims]


def within_panel(family: Family, i: int, size) -> Condition:
    """That the tile of operand i, which lies in panels, is of one of them."""
    axis, width = family.operands[i].layout.panel or (0, 1)
    return (
        np.asarray(family.access(i).extent(axis, size)) <= width,
        f"operand {i} within one panel; tile by {width} or less",
    )
