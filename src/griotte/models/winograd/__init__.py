"""Convolutions by Winograd's minimal filtering: fewer products, transforms before and after them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..graph import ModelValue
from .conv import FilteredConv, filtered, may_be_filtered
from .program import FilteringPlan, WinogradProgram, arithmetic_share, direct, estimate, plans, program_of

__all__ = [
    "FilteredConv",
    "FilteringPlan",
    "WinogradProgram",
    "direct",
    "estimate",
    "filtered",
    "filtered_share",
    "filters",
    "plans",
    "program_of",
]


def filtered_share(calls: Sequence[ModelValue]) -> float:
    """The least share of these calls' products that is multiplied: 1 where they are not of the kind."""
    if not may_be_filtered(calls):
        return 1.0
    conv = next(value for value in calls if value.call == "conv2d")
    return arithmetic_share(conv.values[1].type.shape[2])


def filters() -> bool:
    """Whether convolutions may be filtered: not with GRIOTTE_WINOGRAD=off."""
    return os.environ.get("GRIOTTE_WINOGRAD", "") != "off"
