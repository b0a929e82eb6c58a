"""The price of leaves that reduce. Steps of the loops inside cost the time of the busiest port or of the chain of
updates. Accumulators are set up, finished and stored."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....lang.functions import Slots
from ....lang.nests.family import Family, Vector, ceil_div, product
from ....lang.types.expr import WEIGHED, computed_in
from ...cost import traffic
from ...cost.ports import bound, computed, computed_by, conversion, evaluated, on_ports, tied
from .. import spaced
from ..conditions import INTERLEAVED, LEAST_SUMS, by_lane_dim, interleaves, paired_dim, slid_dim, unit_step
from .serve import accumulator_vectors, by_lane_vectors, chains, converts, joined, operand_vectors, steps, turns
from .sweep import reads


def step(kernel, lane: str, family: Family, target, size):
    """(arithmetic-port slots, loads of vectors, loads of elements that are spread over one) of a step of a reduce
    leaf; of one that is swept in the mean of its steps."""
    vectors = accumulator_vectors(family.nest, family.output.vector, size)
    arithmetic, loads, spread = vectors * _step_slots(kernel, family, target).all, 0, 0
    for i, read in enumerate(reads(kernel, family, lane, target, size)):
        count = operand_vectors(family, i, lane, size) * read
        carries = lane in family.access(i).dims
        if dim := by_lane_dim(kernel, family, i, lane):
            taken = by_lane_vectors(kernel, family, i, lane, size) / (
                family.output.vector.lanes if dim in family.nest.reduction else 1
            )
            loads, arithmetic = loads + taken, arithmetic + taken * converts(kernel, family, i)
            continue
        if carries and not unit_step(family, i, lane):
            slots, whole, single = spaced.work(family, i, lane, family.output.vector.lanes, target)
            arithmetic, loads, spread = arithmetic + slots * count, loads + whole * count, spread + single * count
        elif carries:
            loads = loads + count * (target.handling.split if _straddles(family, i, lane) else 1)
        else:
            spread = spread + count
        arithmetic = arithmetic + count * converts(kernel, family, i) * (1 if carries else kernel.spread)
        if family.operands[i].packed > 1:
            arithmetic = arithmetic + count * kernel.unpack
        if i in kernel.addresses:
            spread = spread + count * (kernel.group - 1)
        if carries and slid_dim(kernel, family, i, lane):
            arithmetic = arithmetic + kernel.slide * count
        if carries and interleaves(kernel, family, i, lane):
            parts = operand_vectors(
                family,
                i,
                lane,
                size
                | {lane: ceil_div(size[lane], family.output.vector.lanes) % kernel.group * family.output.vector.lanes},
            )
            # parts of registers are loaded and joined one by one
            loads, arithmetic = (loads + parts, arithmetic + kernel.interleave * (count + parts))
    if target.ports.joining:
        arithmetic = arithmetic + target.ports.joining * joined(family, lane, target, size)
    return arithmetic, loads, spread


def _unpacked(kernel, family: Family, lane: str, target, size):
    """The arithmetic-port slots of a step that unpack weights: shifts, masks and conversions, which the ports that add
    take as well."""
    if not kernel.unpack:
        return 0.0
    counts = zip(family.operands, reads(kernel, family, lane, target, size))
    return sum(
        kernel.unpack * operand_vectors(family, i, lane, size) * read
        for i, (operand, read) in enumerate(counts)
        if operand.packed > 1
    )


def in_parts(kernel, lane: str, family: Family, target, size):
    """Cycles that steps with a part of a group take beyond whole ones. Each input that lacks the lanes has its part
    from loads of 2 elements and of 1, put together in a general register. A whole group is a broadcast from memory."""
    dim = paired_dim(kernel, family, lane)
    if kernel.group == 1 or dim is None:
        return 0.0
    rows = sum(
        operand_vectors(family, i, lane, size)
        for i in range(family.nest.streamed)
        if i not in (*kernel.single, *kernel.addresses)
        and lane not in family.access(i).dims
        and by_lane_dim(kernel, family, i, lane) is None
    )
    slots = np.asarray([0, *(3 * left.bit_count() - 2 for left in range(1, kernel.group))])[
        np.asarray(size[dim]) % kernel.group
    ]
    return steps(kernel, family, lane, size) / ceil_div(size[dim], kernel.group) * rows * slots / target.ports.issue


def _replayed(kernel, family: Family, lane: str, target, size):
    """Cycles of a step that vectors along a sliding window take beside all else, for nearly all of them straddle
    lines."""
    slid = (
        operand_vectors(family, i, lane, size) * read
        for i, read in enumerate(reads(kernel, family, lane, target, size))
        if lane in family.access(i).dims and not family.access(i).is_apart(lane)
    )
    return target.handling.straddling * sum(slid)


def _straddles(family: Family, i: int, lane: str) -> bool:
    """Whether vectors of input i along its lanes begin anywhere within a line: its rows do, or a window slides along
    them."""
    return family.operands[i].layout.split or not family.access(i).is_apart(lane)


def for_each_line(kernel, lane: str, family: Family, target, i: int, size):
    """Arithmetic-port slots of a reduce leaf for each line of input i, which carries its lanes."""
    taken = (
        operand_vectors(family, i, lane, size)
        * family.output.vector.lanes
        * kernel.group
        * family.operands[i].bytes
        / target.spans.line
    )
    return step(kernel, lane, family, target, size)[0] / taken


def busy(kernel, lane: str, family: Family, target, size):
    """Cycles of all steps by the ports that compute alone."""
    arithmetic, _, _ = step(kernel, lane, family, target, size)
    unpacked = _unpacked(kernel, family, lane, target, size)
    updates, count = (accumulator_vectors(family.nest, family.output.vector, size), steps(kernel, family, lane, size))
    multiplying = _multiplying(kernel, family, target, arithmetic, unpacked, updates)
    return count * on_ports(target.ports, arithmetic, multiplying)


def _multiplying(kernel, family: Family, target, arithmetic, unpacked, updates):
    """Of a step's slots, those on ports that multiply."""
    slots = _step_slots(kernel, family, target)
    return arithmetic - unpacked if _multiplies(kernel) else updates * slots.multiplying


def cycles(kernel, lane: str, family: Family, target, size):
    """Steps of the loops inside, each at the cycles of the busiest resource or of the chain of updates. Where the ports
    that load and store the result take longer, it is their cycles. One latency is added."""
    arithmetic, loads, spread = step(kernel, lane, family, target, size)
    unpacked = _unpacked(kernel, family, lane, target, size)
    updates, count = (accumulator_vectors(family.nest, family.output.vector, size), steps(kernel, family, lane, size))
    others = 1 / turns(updates, target) + target.ports.displaced * _displaced(family, lane, size)
    multiplying = _multiplying(kernel, family, target, arithmetic, unpacked, updates)
    busy = bound(target, arithmetic, loads, 0, others, multiplying, spread)
    waiting = kernel.latency / chains(kernel, family, target, lane, size)
    per_step = (
        tied(target.ports.tie, busy, waiting) if target.ports.tie > 1 else np.maximum(busy, waiting)
    ) + _replayed(kernel, family, lane, target, size)
    tested = updates * (family.nest.body == WEIGHED and kernel.body is not None)  # for NaN, once
    stored = updates / product(size[d] for d in family.nest.across)
    moved = bound(target, 0, count * loads + stored * family.accumulate, stored, others=0, spread=count * spread)
    drained = _drained(kernel, family, target, multiplying)
    return np.maximum(count * per_step, moved) + kernel.latency + drained + tested / target.ports.arithmetic


WAITING, FULL = 1.125, 1.25
"""For how long a step's products keep their ports busy, in latencies of a multiply-add. Up to the first the next tile
begins while one ends, and from the second on it does not. Measured on a Zen 3 by tiles of 8 to 14 accumulators
(docs/lab/prices/README.md, Tiles that end before the next one begins)."""


def _drained(kernel, family: Family, target, multiplying):
    """Cycles of a tile of a product beyond its steps, in which the next one does not begin."""
    if not target.ports.drained or family.nest.streamed < 2:
        return 0.0
    busy = multiplying / target.ports.arithmetic / kernel.latency
    return target.ports.drained * np.clip((busy - WAITING) / (FULL - WAITING), 0.0, 1.0)


def _displaced(family: Family, lane: str, size):
    """Loads of a step that are more than a byte's worth from their input's first: of rows that are not neighbours in
    memory."""
    rows = [
        i
        for i in range(family.nest.streamed)
        if lane not in family.access(i).dims
        and not family.operands[i].layout.panel
        and family.unit_dim(i) not in family.nest.results
    ]
    return sum(operand_vectors(family, i, lane, size) - 1 for i in rows)


def _multiplies(kernel) -> bool:
    """Whether only ports that multiply take the slots of a kernel's step."""
    return kernel.body is not None and kernel.multiplying is None


def _step_slots(kernel, family: Family, target) -> Slots:
    return kernel.slots if kernel.body is not None else computed_by(target, family.nest, family.accumulator)


def crossing(kernel, lane: str, family: Family, target, size, cycles) -> Iterator[dict]:
    """What operands count on their way: inputs also what comes while the leaf computes, and rows that share sets of L1;
    all, pages that are met anew."""
    last = len(family.operands) - 1
    for i, operand in enumerate(family.operands):
        if operand.level > 0:
            yield traffic.features(family, i, target, size)
            if i < last:
                yield traffic.overlapped(family, i, target, size, cycles)
                yield traffic.folded(family, i, target, size, lane)
            yield {"pages": traffic.met_anew(family, i, target, size)}


def moves(handling, trips: int) -> float:
    """Moves of an accumulator whose result crosses `trips` times: to set it to zero, and one for each load and
    store."""
    return handling.zeroed + trips


def _finish_slots(family: Family, target) -> Slots:
    """Arithmetic-port slots of the operations on a vector of a result as it is stored; each other operand that they
    read counts one a vector."""
    op = family.nest
    reads = sum(
        1 + conversion(target, o.dtype, computed_in(op.finish, family.accumulator))
        for o in family.operands[op.streamed : -1]
    )
    return evaluated(target, op.finish, computed_in(op.finish, family.accumulator)) + Slots(float(reads))


def _turned(family: Family, vector: Vector, target, size, count, trips: int):
    """(moves, shuffles) for each vector of a result whose neighbours lie along another dimension than its lanes.
    Accumulators are interleaved, or squares are turned in registers; where there are too few rows for that, element by
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


def _lanes_joined(family: Family, vector: Vector, target, size):
    """(stores, operations) for each accumulator whose lanes are joined. Results that are neighbours are joined as many
    at a time as are a power of two. That takes two shuffles and a sum for each but the last, a shuffle and a sum for
    each halving that is left, and one that puts results in order. Of fewer than LEAST_SUMS each takes `summed`."""
    unit = family.unit_dim(len(family.operands) - 1)
    rows = np.asarray(size[unit] if unit in family.nest.parallel else 1)
    stores, operations, left, together = np.zeros(rows.shape), np.zeros(rows.shape), rows, vector.lanes
    while together >= LEAST_SUMS:
        times, left = np.divmod(left, together)
        stores = stores + times
        operations = operations + times * (3 * (together - 1) + 2 * np.log2(vector.lanes / together) + 1)
        together //= 2
    return (stores + left) / rows, (operations + target.handling.summed * left) / rows


def _may_interleave(family: Family, vector: Vector) -> bool:
    """Whether neighbours along the lanes are next to those along the output's unit dimension."""
    order, axes = family.output.layout.order, family.nest.output.axes
    return len(order) > 1 and not family.accumulate and axes[order[1]] == ((vector.dim, 1),)


def _folded(family: Family, target, size, count, trips: int) -> dict:
    """`count` accumulators that are folded: each set to zero and joined with another, or with the old result; those
    that are left are stored."""
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
    moved, shuffles, stores = moves(target.handling, trips), 0.0, 1.0
    if vector.dim in op.reduction:
        stores, shuffles = _lanes_joined(family, vector, target, size)
        moved = stores * trips
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
        registers["cycles"] = registers["cycles"] + count * stores * on_ports(
            target.ports, slots.all, slots.multiplying
        )
    share = np.maximum(0.0, 1 - product(size[d] for d in op.summed) / target.crossing.hiding_steps)
    return traffic.added(
        registers, traffic.features(family, last, target, size), traffic.exposed(family, target, size, share)
    )
