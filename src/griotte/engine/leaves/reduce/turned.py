"""Results of a reduction in registers whose neighbours in memory lie along another dimension than its lanes."""

from __future__ import annotations

from ....lang.nests.family import Family
from ....machine.target import Target
from ...program.nodes import KernelCall
from ...program.view import View
from ..operands import INTERLEAVED


def turned_dim(outer: Family, call: KernelCall, output: View, target: Target) -> str | None:
    """The dimension along which the output's neighbours lie, where a reduction's lanes lie along another, and enough of
    it is here to be worth turning. `outer` has the output as it lies in memory."""
    unit, size = _across(call), call.state.size
    if unit is None or interleaved_dim(outer, call, output):
        return None
    fits = size[unit] >= target.writing.turned and not (outer.accumulate and call.state.family.nest.finish)
    return unit if fits and output.step(call.lane, 1) != 1 else None


def interleaved_dim(outer: Family, call: KernelCall, output: View) -> str | None:
    """The dimension along which the output's neighbours lie, where a reduction's lanes lie along another, and each
    lane's results along it lie side by side with the next lane's: accumulators are interleaved and stored whole."""
    unit, size = _across(call), call.state.size
    if unit is None or outer.accumulate or size[unit] not in INTERLEAVED:
        return None
    return unit if output.step(unit, 1) == 1 and output.step(call.lane, 1) == size[unit] else None


def _across(call: KernelCall) -> str | None:
    """The dimension along which the output's neighbours lie; None where it is that of the lanes, or those are
    summed."""
    family = call.state.family
    unit = family.unit_dim(len(family.operands) - 1)
    is_other = unit != call.lane and unit in family.nest.parallel and call.lane not in family.nest.reduction
    return unit if is_other else None
