"""Convolutions by Winograd's minimal filtering: fewer products, transforms before and after them."""

import os
from typing import TYPE_CHECKING

from ....support.later import later

if TYPE_CHECKING:
    from .conv import FilteredConv, filtered
    from .program import FilteringPlan, WinogradProgram, plans, program_of

__all__ = ["FilteredConv", "FilteringPlan", "WinogradProgram", "filtered", "filters", "plans", "program_of"]


def filters() -> bool:
    """Whether convolutions may be filtered: not with GRIOTTE_WINOGRAD=off."""
    return os.environ.get("GRIOTTE_WINOGRAD", "") != "off"


if not TYPE_CHECKING:  # a model that was kept is loaded without
    __getattr__ = later(
        __name__,
        {
            "conv": "FilteredConv filtered",
            "program": "FilteringPlan WinogradProgram plans program_of",
        },
    )
