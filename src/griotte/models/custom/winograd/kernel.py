"""Convolutions by Winograd's filtering, where that may cost less than their search."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from ...graph import ModelValue
from ...parts import ModelPart
from ..kernel import CustomKernel, Implementation, Making
from . import filters
from .conv import filtered
from .program import FilteringPlan, direct, estimate, filtered_share, plans, program_of

FARTHER = 1.2
"""A convolution whose arithmetic alone takes so many times what Winograd's filtering is estimated at is not searched as
it is written, and one that takes less than the estimate by so much is not filtered."""


class FilteredByWinograd(CustomKernel):
    """Convolutions of small windows next to each other, with what is computed of each result."""

    def implementation(self, part: ModelPart, making: Making) -> Implementation | None:
        """The plan that is estimated to be best, where it may be cheaper than the part as it is written."""
        conv = filtered(part) if filters() and not making.target.is_strict else None
        if conv is None:
            return None
        estimates: dict[FilteringPlan, float] = {}
        for plan in plans(conv, making.target):
            copied = sum(making.copied(spec).cost for spec in plan.copies.values())
            estimates[plan] = copied + estimate(plan, making.target, making.threads)
        best, least = min(estimates.items(), key=lambda item: item[1], default=(None, inf))
        floor = direct(conv, making.target, making.threads)
        if best is None or least >= FARTHER * floor:
            return None
        copies = {place: making.copied(spec) for place, spec in best.copies.items()}
        return Implementation(
            (best.products,),
            lambda found: program_of(part.spec, best, found[best.products], copies),
            instead=floor > FARTHER * least,
        )

    def share(self, calls: Sequence[ModelValue]) -> float:
        """Filtering multiplies less than is written."""
        return filtered_share(calls) if filters() else 1.0
