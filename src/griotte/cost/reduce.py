"""Leaves that reduce: accumulators in named registers, loops over the reduction dimensions inside."""

from __future__ import annotations

import numpy as np

from ..spec.expr import calls
from ..spec.family import LINE, Family, product
from ..targets.functions import Slots
from .accumulators import accumulator_vectors
from .operands import interleaves, paired_dim, skips_one, unit_step, within_panel
from .ports import bound, computed, tied
from .whole import ceil_div

UNROLLED = 48
"""Updates of accumulators, from which on a turn of the innermost loop has as many steps as it takes: a loop's own instructions are then few beside them."""


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot reduce what the family does at any size; empty when it can."""
    along = lane in family.operation.reduction
    if family.output.layout.group:
        return f"{kernel.name} expects an output that is in no groups"
    for i, operand in enumerate(family.operands[: family.operation.streamed]):
        if along and kernel.body is not None and lane not in family.access(i).dims:
            return f"{kernel.name} expects operand {i} to vary along {lane}: the idle lanes of the last vector must be zero in every operand"
        grouped = operand.layout.group is not None
        if along and kernel.addresses:
            return f"{kernel.name} expects its lanes along the output"
        if i in kernel.single:
            if grouped:
                return f"{kernel.name} expects operand {i} ungrouped"
        elif kernel.group == 1:
            if grouped or (along and operand.layout.panel):
                return f"{kernel.name} expects operand {i} ungrouped"
        elif along:
            if operand.layout.panel or not unit_step(family, i, lane):
                return f"{kernel.name} expects operand {i} contiguous along {lane}"
        else:
            dim = paired_dim(kernel, family, lane)
            if dim is None:
                return f"{kernel.name} expects an operand in panels with groups of {kernel.group}"
            if lane in family.access(i).dims and not (interleaves(kernel, family, i, lane) or (grouped and operand.layout.group[1] == kernel.group)):
                return f"{kernel.name} expects operand {i} in panels with groups of {kernel.group}"
            if lane not in family.access(i).dims and (grouped or operand.layout.panel or not unit_step(family, i, dim)):
                return f"{kernel.name} expects operand {i} contiguous along {dim}"
    return ""


def chains(kernel, family: Family, target, lane: str, size):
    """How many independent copies of the accumulators hide the latency of the step, registers permitting."""
    vectors = accumulator_vectors(family.operation, family.output.vector, size)
    wanted = np.maximum(1, np.floor(kernel.latency * target.ports.arithmetic / kernel.uops / np.maximum(vectors, 1)))
    room = np.maximum(1, (target.registers - temporaries(kernel, family, lane, size)) // np.maximum(vectors, 1))
    return np.maximum(1, np.minimum(np.minimum(wanted, room), steps(kernel, family, lane, size)))


def operand_vectors(family: Family, i: int, lane: str, size):
    """Distinct vectors of input i in one step: its rows times, where it carries the lanes, its vectors per row."""
    op, access = family.operation, family.access(i)
    rows = product(size[d] for d in op.parallel if d in access.dims and d != lane)
    if lane in access.dims and lane in op.parallel:
        rows = rows * ceil_div(size[lane], family.output.vector.lanes)
    return rows


def temporaries(kernel, family: Family, lane: str, size):
    """Registers the step needs beside the accumulators: all inputs but the first are held, the first is streamed."""
    inputs = range(family.operation.streamed)
    held = sum(operand_vectors(family, i, lane, size) for i in inputs[1:])
    converts = any(_conversion(kernel, family, i) for i in inputs)
    turns = any(lane in family.access(i).dims and interleaves(kernel, family, i, lane) for i in inputs)
    return held + 1 + int(converts) + turns * 2 * kernel.group  # rows as they were given, and as many orders of their elements


def _partial(family: Family, lane: str, target, size):
    """Registers that it needs besides where it loads a part of a vector: of an input of several that carries lanes along the output and is in no panels, which are padded."""
    op = family.operation
    is_loaded = op.streamed > 1 and lane in op.parallel and any(lane in family.access(i).dims and not family.operands[i].layout.panel for i in range(op.streamed))
    return target.partial * (np.asarray(size[lane]) % family.output.vector.lanes > 0) if is_loaded else 0


def _conversion(kernel, family: Family, i: int) -> int:
    wanted = kernel.operand or (family.accumulator if kernel.group == 1 else family.operands[i].dtype)
    return int(family.operands[i].dtype != wanted)


def steps(kernel, family: Family, lane: str, size):
    """Steps of the loops inside a reduce leaf."""
    op = family.operation
    grouped = paired_dim(kernel, family, lane)
    count = 1
    for d in op.reduction:
        per_step = family.output.vector.lanes * kernel.group if d == lane else kernel.group if d == grouped else 1
        count = count * ceil_div(size[d], per_step)
    return count


def step(kernel, lane: str, family: Family, target, size):
    """(arithmetic-port slots, loads of vectors, loads of elements that are spread over one) of a step of a reduce leaf."""
    vectors = accumulator_vectors(family.operation, family.output.vector, size)
    arithmetic, loads, spread = vectors * _step_slots(kernel, family, target).all, 0, 0
    for i in range(family.operation.streamed):
        count = operand_vectors(family, i, lane, size)
        carries = lane in family.access(i).dims
        strided = carries and not unit_step(family, i, lane)
        if carries and skips_one(family.access(i), family.operands[i].layout, lane):
            loads, arithmetic, strided = loads + 3 * count, arithmetic + count, False  # two vectors, of which every other element is taken
        if carries and not strided:
            loads = loads + count * (2 if _straddles(family, i, lane) else 1)  # a load across two lines is two
        else:
            spread = spread + count * (target.handling.scattered * family.output.vector.lanes if strided else 1)
        arithmetic = arithmetic + count * _conversion(kernel, family, i) * (1 if carries else 2)
        if family.operands[i].packed > 1:
            arithmetic = arithmetic + count * kernel.unpack
        if i in kernel.addresses:
            spread = spread + count * (kernel.group - 1)
        if carries and interleaves(kernel, family, i, lane):
            parts = operand_vectors(family, i, lane, size | {lane: ceil_div(size[lane], family.output.vector.lanes) % kernel.group * family.output.vector.lanes})
            loads, arithmetic = loads + parts, arithmetic + kernel.interleave * (count + parts)  # parts of registers are loaded and joined one by one
    return arithmetic, loads, spread


def in_parts(kernel, lane: str, family: Family, target, size):
    """Cycles that steps with a part of a group take beyond whole ones: each input that lacks the lanes has it from loads of 2 elements and of 1, put together in a general
    register, where a whole one is a broadcast of what is in memory."""
    dim = paired_dim(kernel, family, lane)
    if kernel.group == 1 or dim is None:
        return 0.0
    rows = sum(operand_vectors(family, i, lane, size) for i in range(family.operation.streamed) if i not in (*kernel.single, *kernel.addresses) and lane not in family.access(i).dims)
    slots = np.asarray([0, *(3 * left.bit_count() - 2 for left in range(1, kernel.group))])[np.asarray(size[dim]) % kernel.group]
    return steps(kernel, family, lane, size) / ceil_div(size[dim], kernel.group) * rows * slots / target.ports.issue


def _replayed(family: Family, lane: str, target, size):
    """Cycles of a step that vectors along a sliding window take beside all else, for nearly all of them straddle lines."""
    slid = (i for i in range(family.operation.streamed) if lane in family.access(i).dims and not family.access(i).is_apart(lane))
    return target.handling.straddling * sum(operand_vectors(family, i, lane, size) for i in slid)


def _straddles(family: Family, i: int, lane: str) -> bool:
    """Whether vectors of input i along its lanes begin anywhere within a line: its rows do, or a window slides along them."""
    return family.operands[i].layout.split or not family.access(i).is_apart(lane)


def for_each_line(kernel, lane: str, family: Family, target, i: int, size):
    """Arithmetic-port slots of a reduce leaf for each line of input i, which carries its lanes."""
    taken = operand_vectors(family, i, lane, size) * family.output.vector.lanes * kernel.group * family.operands[i].bytes / LINE
    return step(kernel, lane, family, target, size)[0] / taken


def conditions(kernel, lane: str, family: Family, target, size) -> list[tuple[object, str]]:
    """What `leaf.fits` asks for: registers suffice, panels hold the tile."""
    used = accumulator_vectors(family.operation, family.output.vector, size) + temporaries(kernel, family, lane, size) + _partial(family, lane, target, size)
    found: list[tuple[object, str]] = [(used <= target.registers, f"accumulators and operands in {target.registers} registers; tile the output smaller")]
    if kernel.addresses:
        dim = paired_dim(kernel, family, lane)
        found.append((np.asarray(size[dim]) % kernel.group == 0, f"{dim} a multiple of {kernel.group}"))
    return found + [within_panel(family, i, size) for i, operand in enumerate(family.operands) if operand.layout.panel]


def cycles(kernel, lane: str, family: Family, target, size):
    """Steps of the loops inside, at what the busiest resource or the chain of updates takes, or what the ports take that load and store the result, and one latency."""
    arithmetic, loads, spread = step(kernel, lane, family, target, size)
    updates, count = accumulator_vectors(family.operation, family.output.vector, size), steps(kernel, family, lane, size)
    others = 1 / turns(updates) + target.ports.displaced * _displaced(family, lane, size)
    multiplying = updates * _step_slots(kernel, family, target).multiplying
    busy, waiting = bound(target, arithmetic, loads, 0, kernel.body is None, others, multiplying, spread), kernel.latency / chains(kernel, family, target, lane, size)
    per_step = (tied(target.ports.tie, busy, waiting) if target.ports.tie > 1 else np.maximum(busy, waiting)) + _replayed(family, lane, target, size)
    moved = bound(target, 0, count * loads + updates * family.accumulate, updates, others=0, spread=count * spread)
    return np.maximum(count * per_step, moved) + kernel.latency


def turns(updates):
    """Steps, with so many updates of accumulators each, that are written out in a turn of the innermost loop."""
    return np.maximum(1, ceil_div(UNROLLED, updates))


def _displaced(family: Family, lane: str, size):
    """Loads of a step that are more than a byte's worth from their input's first: of rows that are not neighbours in memory."""
    rows = [i for i in range(family.operation.streamed) if lane not in family.access(i).dims and not family.operands[i].layout.panel and family.unit_dim(i) not in family.operation.parallel]
    return sum(operand_vectors(family, i, lane, size) - 1 for i in rows)


def _step_slots(kernel, family: Family, target) -> Slots:
    if kernel.body is not None:
        return Slots(kernel.uops)
    return computed(target, (*calls(family.operation.body), family.operation.combine), family.accumulator)
