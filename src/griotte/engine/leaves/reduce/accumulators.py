"""What the output of a reduction in registers costs: to set its accumulators up, to finish and to store them."""

from __future__ import annotations

import numpy as np

from ....lang.functions import Slots
from ....lang.nests.family import Family, Vector, ceil_div, product
from ....lang.types.expr import computed_in
from ...cost import traffic
from ...cost.ports import computed, conversion, evaluated, on_ports
from ..operands import INTERLEAVED, LEAST_SUMS, unit_step
from .serve import accumulator_vectors


def moves(handling, trips: int) -> float:
    """Moves of an accumulator whose result crosses `trips` times: to set it to zero, and one for each load and
    store."""
    return handling.zeroed + trips


def _finish_slots(family: Family, target) -> Slots:
    """Arithmetic-port slots of what is done to a vector of a result as it is stored; what it reads besides counts one a
    vector."""
    op = family.nest
    reads = sum(
        1 + conversion(target, o.dtype, computed_in(op.finish, family.accumulator))
        for o in family.operands[op.streamed : -1]
    )
    return evaluated(target, op.finish, computed_in(op.finish, family.accumulator)) + Slots(float(reads))


def _turned(family: Family, vector: Vector, target, size, count, trips: int):
    """(moves, shuffles) for each vector of a result whose neighbours lie along another dimension than its lanes:
    accumulators are interleaved, or squares are turned in registers; where there are too few rows for that, element by
    element."""
    unit = family.unit_dim(len(family.operands) - 1)
    rows = np.asarray(size[unit]) if unit else np.asarray(1)
    squares = count / rows * ceil_div(rows, vector.lanes)
    turned, is_turned = squares * vector.lanes / count, rows >= target.writing.turned
    moved = np.where(is_turned, turned * trips, 0.0)
    shuffles = np.where(is_turned, turned * np.log2(vector.lanes), target.handling.scattered * vector.lanes * trips)
    if not _may_interleave(family, vector):
        return moved, shuffles
    is_whole = np.isin(rows, INTERLEAVED)
    return np.where(is_whole, trips, moved), np.where(is_whole, np.log2(rows), shuffles)


def _side_by_side(family: Family, vector: Vector, size):
    """Results whose accumulators are made one vector, lanes joined; 1 where each is by itself."""
    unit = family.unit_dim(len(family.operands) - 1)
    if unit not in family.nest.parallel:
        return 1.0
    rows = np.minimum(np.asarray(size[unit]), vector.lanes)
    return np.where(rows >= LEAST_SUMS, 2.0 ** np.floor(np.log2(np.maximum(rows, 1))), 1.0)


def _summed(target, vector: Vector, together):
    """Operations for each accumulator whose lanes are joined: of one by itself `summed`; of several two shuffles and a
    sum for each but the last, a shuffle and a sum for each halving that is left then, and one that puts results in
    their order."""
    left = np.log2(vector.lanes / np.minimum(together, vector.lanes))
    return np.where(together > 1, (3 * (together - 1) + 2 * left + 1) / together, target.handling.summed)


def _may_interleave(family: Family, vector: Vector) -> bool:
    """Whether neighbours along the lanes are next to those along the output's unit dimension."""
    order, axes = family.output.layout.order, family.nest.output.axes
    return len(order) > 1 and not family.accumulate and axes[order[1]] == ((vector.dim, 1),)


def _folded(family: Family, target, size, count, trips: int) -> dict:
    """`count` accumulators that are folded: each set to zero and joined with another, or with what is there; what is
    left of them is stored."""
    op, ports = family.nest, target.ports
    slots, left = computed(target, (op.fold,), family.accumulator), count / product(size[d] for d in op.across)
    joins = count - left * (not family.accumulate)
    return {
        "registers": (
            target.handling.zeroed * count
            + left * (trips + conversion(target, family.accumulator, family.output.dtype))
        ),
        "cycles": joins * on_ports(ports, slots.all, slots.multiplying),
    }


def accumulator_features(family: Family, vector: Vector, target, size) -> dict:
    """The move of an output into registers: zeroed or loaded before, stored after; summed over lanes if it must be."""
    op, last = family.nest, len(family.operands) - 1
    count, trips = accumulator_vectors(op, vector, size), traffic.trips(family, last)
    moved, shuffles, together = moves(target.handling, trips), 0.0, 1.0
    if vector.dim in op.reduction:
        together = _side_by_side(family, vector, size)
        moved, shuffles = 1.0 * trips / together, _summed(target, vector, together)
    elif not unit_step(family, last, vector.dim):
        moved, shuffles = _turned(family, vector, target, size, count, trips)
    registers = (
        _folded(family, target, size, count, trips)
        if op.fold
        else {
            "registers": (
                count * (moved + conversion(target, computed_in(op.finish, family.accumulator), family.output.dtype))
            ),
            "cycles": count * shuffles / target.ports.shuffle,
        }
    )
    if op.finish is not None:
        slots = _finish_slots(family, target)
        registers["cycles"] = registers["cycles"] + count / together * on_ports(
            target.ports, slots.all, slots.multiplying
        )
    share = np.maximum(0.0, 1 - product(size[d] for d in op.summed) / target.crossing.hiding_steps)
    return traffic.added(
        registers, traffic.features(family, last, target, size), traffic.exposed(family, target, size, share)
    )
