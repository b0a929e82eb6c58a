"""Parameters that contradict each other, set right by rule. A disturbance makes a probe slower, so the dearer of two
that do not agree is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from ...machine.machine import CURVED, FAR

RISING = (
    tuple(f"curve.{size}" for size in CURVED),
    ("read.memory", f"curve.{CURVED[-1]}"),
    tuple(f"read.{level}" for level in FAR),
    tuple(f"write.{level}" for level in FAR),
    tuple(f"first.{level}" for level in FAR[1:]),
    tuple(f"crowded.{level}" for level in FAR[1:]),
)
"""Rows of parameters that never fall: a line from further away comes no sooner."""


ALIKE = 1.1
"""A nearer parameter up to so many times the farther one counts as equal: no two rounds are alike."""


def agreeing(found: Mapping[str, float]) -> tuple[dict[str, float], list[str]]:
    """The parameters, none dearer than one that it cannot be dearer than; and why, in words, of each that was."""
    values, reasons = dict(found), []
    for name, least, other in _contradicted(values):
        reasons.append(
            f"{name} {values[name]:.4g} is more than {other} {least:.4g}, which is no nearer: {least:.4g} was taken"
        )
        values[name] = least
    return values, reasons


def _contradicted(values: Mapping[str, float]) -> Iterator[tuple[str, float, str]]:
    """Parameters that are dearer than one further away, that one's value and its name; from the farthest on."""
    for names in RISING:
        known = [name for name in names if name in values]
        for near, far in reversed(list(pairwise(known))):
            if values[near] > ALIKE * values[far]:
                yield near, values[far], far
