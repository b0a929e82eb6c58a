"""A machine's measurements as a file of machines."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from ...machine import Machine, best, measured, unpriced
from ...machine.machine import applied
from ...machine.sharing import text
from ...machine.target import Target
from .agreement import agreeing
from .measure import Capacity, Measurement

DIGITS = 4  # of a parameter


def agreed(found: Mapping[str, Measurement]) -> tuple[dict[str, float], list[str]]:
    """The values of parameters, with as many digits as mean something; those that contradicted others set right, and
    why, in words."""
    values, reasons = agreeing({name: m.value for name, m in found.items()})
    return {name: float(f"{value:.{DIGITS}g}") for name, value in values.items()}, reasons


def machine_file(
    machine: Machine,
    goal: Target,
    found: Mapping[str, Measurement],
    caches: Sequence[Capacity],
    remarks: Sequence[str],
    check: Mapping[str, float] | None = None,
) -> str:
    """The text of a file of machines. Parameters are as they were found; those that were not found are as the nearest
    machine has them. Beside them: the bytes of caches that a thread had, the other measurements of `goal` (as leaves
    and functions), and the ratios of programs' predicted cycles to measured ones."""
    plain = unpriced(best(machine), machine, goal.name)
    like = measured.nearest(machine, plain.vector_bytes).prices.parameters
    parameters = {name: value for name, value in like.items() if name not in found} | agreed(found)[0]
    held = {each.level: each.held for each in caches}
    target = applied(goal, parameters, held)
    return text(machine, target, plain, parameters, held, time.strftime("%Y-%m-%d %H:%M"), check, remarks)
