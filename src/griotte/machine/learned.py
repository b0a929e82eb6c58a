"""Factors on a target's coefficients that were fitted to timed programs: the table `[learned]` of a description."""

from __future__ import annotations

from collections.abc import Mapping

LEAST, MOST = 0.25, 4.0
"""A factor, at least and at most: a price that is further off is another matter."""


def corrected(
    coefficients: tuple[tuple[str, float], ...], factors: Mapping[str, float]
) -> tuple[tuple[str, float], ...]:
    """The coefficients, each times its factor."""
    return tuple((name, cycles * factors.get(name, 1.0)) for name, cycles in coefficients)
