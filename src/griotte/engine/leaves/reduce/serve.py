"""Leaves that reduce: accumulators in named registers, loops over the reduction dimensions inside."""

from __future__ import annotations

import numpy as np

from ....lang.functions import combiner_of
from ....lang.functions.combiners import RUN_OF_PRODUCTS
from ....lang.nests.family import Family, Vector, ceil_div, product
from ....lang.nests.graph import Graph
from ....lang.nests.operation import Operation
from ....lang.nests.pending import OneLeaf
from ....lang.types.dtypes import dtype
from ....lang.types.expr import WEIGHED, as_product
from ....machine.target import Target
from ...footprint import known, latest
from ...program.nodes import KernelCall
from ...program.view import View
from .. import spaced
from ..conditions import (
    INTERLEAVED,
    Condition,
    by_lane_dim,
    declares,
    interleaves,
    paired_dim,
    slid_dim,
    unit_step,
    within_panel,
)


def computes(kernel, op: Graph, accumulator: str) -> bool:
    """Whether the kernel's declaration matches; the leaf sees to weights of 0."""
    return not OneLeaf.of(op) and declares(kernel, op.nest, accumulator, as_product(op.nest.body))


def lanes(kernel, family: Family) -> list[str]:
    """As the vectors of its accumulators."""
    return [family.output.vector.dim] if family.output.vector else []


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot reduce what the family does at any size; empty when it can."""
    along = lane in family.nest.reduction
    inputs = range(family.nest.streamed)
    if kernel.body is None and (own := _of_this_product(lane, family, target)):
        return f"{kernel.name} expects a term that {own} does not take"
    if kernel.by_lane and sum(by_lane_dim(kernel, family, i, lane) is not None for i in inputs) != 1:
        return f"{kernel.name} expects an input in vectors that lacks the lanes"
    if kernel.by_lane and kernel.inputs and family.nest.body == WEIGHED:
        return f"{kernel.name} expects a product in which values of weight 0 count"
    if kernel.by_lane and len({*(kernel.inputs or ())}) > 1 and lane not in family.access(kernel.columns).dims:
        return f"{kernel.name} expects its lanes along operand {kernel.columns}"
    if family.output.layout.group:
        return f"{kernel.name} expects an output that is in no groups"
    for i, operand in enumerate(family.operands[: family.nest.streamed]):
        if along and kernel.body is not None and lane not in family.access(i).dims:
            return (
                f"{kernel.name} expects operand {i} to vary along {lane}: the idle lanes of the last vector must be"
                " zero in every operand"
            )
        grouped = operand.layout.group is not None
        if along and kernel.addresses:
            return f"{kernel.name} expects its lanes along the output"
        if i in kernel.single:
            if grouped:
                return f"{kernel.name} expects operand {i} ungrouped"
            dim = paired_dim(kernel, family, lane)
            if dim in family.access(i).dims:
                return f"{kernel.name} expects operand {i} to be one number for each group along {dim}"
        elif kernel.by_lane and (along or not _goes_by_lane(kernel, family, i, lane)):
            return f"{kernel.name} expects its lanes along the output, and operand {i} in vectors"
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
            if lane in family.access(i).dims and not (
                interleaves(kernel, family, i, lane)
                or slid_dim(kernel, family, i, lane)
                or (grouped and operand.layout.group[1] == kernel.group and unit_step(family, i, lane))
            ):
                return f"{kernel.name} expects operand {i} in panels with groups of {kernel.group}"
            if lane not in family.access(i).dims and (grouped or operand.layout.panel or not unit_step(family, i, dim)):
                return f"{kernel.name} expects operand {i} contiguous along {dim}"
    return ""


def _of_this_product(lane: str, family: Family, target) -> str:
    """The kernel of the target that sums the family's products of floats and nothing else, element by element. Leaves
    of another round otherwise, and columns side by side in one program are to round alike. Empty: there is none."""
    op, term = family.nest, as_product(family.nest.body)
    of_products = (
        each
        for each in (target.kernels if is_ordered(family) else ())
        if each.form == "reduce" and each.body is not None and each.group == 1 and not each.by_lane
    )
    return next(
        (
            each.name
            for each in of_products
            if declares(each, op, family.accumulator, term) and not refuses(each, lane, family, target)
        ),
        "",
    )


def _goes_by_lane(kernel, family: Family, i: int, lane: str) -> bool:
    """Whether a step has input i as vectors: along the lanes, or to take an element by its lane."""
    return lane in family.access(i).dims or by_lane_dim(kernel, family, i, lane) is not None


def conditions(kernel, lane: str, family: Family, target, size) -> list[Condition]:
    """Registers suffice, groups that a step reads itself are whole, panels hold the tile."""
    used = (
        accumulator_vectors(family.nest, family.output.vector, size)
        + temporaries(kernel, family, lane, size)
        + partial(family, lane, target, size)
    )
    found: list[Condition] = [
        (
            used <= target.registers,
            f"accumulators and operands in {target.registers} registers; tile the output smaller",
        )
    ]
    if kernel.addresses:
        dim = paired_dim(kernel, family, lane)
        found.append((np.asarray(size[dim]) % kernel.group == 0, f"{dim} a multiple of {kernel.group}"))
    return found + [within_panel(family, i, size) for i, operand in enumerate(family.operands) if operand.layout.panel]


def opens(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the C of the leaf may be of any length along a dimension: one that it sums over, whose elements it meets
    one by one."""
    accesses = (access for access in family.nest.inputs if dim in access.dims)
    return (
        dim in family.nest.summed
        and not kernel.addresses
        and not kernel.by_lane
        and all(access.is_plain(access.axis_of(dim)) for access in accesses)
    )


def accumulator_vectors(op: Operation, vector: Vector, size):
    """Vector registers that hold the output tile in the form `vector`, one independent sum per element."""

    def count():
        rows = product(size[d] for d in op.results if d != vector.dim)
        return rows * (1 if vector.dim in op.reduction else ceil_div(size[vector.dim], vector.lanes))

    return known(size, ("accumulators", op, vector), count)


def operand_vectors(family: Family, i: int, lane: str, size):
    """Distinct vectors of input i in one step: its rows times, where it carries the lanes, its vectors per row."""
    op, access, vector = family.nest, family.access(i), family.output.vector

    def count():
        rows = product(size[d] for d in op.results if d in access.dims and d != lane)
        if lane in access.dims and lane in op.parallel:
            rows = rows * ceil_div(size[lane], vector.lanes)
        return rows

    return known(size, ("vectors", op, access, lane, vector), count)


def by_lane_vectors(kernel, family: Family, i: int, lane: str, size):
    """Vectors of input i that hold the elements which a step takes by their lanes."""
    dim, rows = by_lane_dim(kernel, family, i, lane), operand_vectors(family, i, lane, size)
    return rows // size[dim] * ceil_div(size[dim], family.output.vector.lanes) if dim in family.nest.results else rows


def temporaries(kernel, family: Family, lane: str, size):
    """Registers the step needs beside the accumulators: all inputs but the first are held, the first is streamed. An
    input taken by lane is held for as many steps as a vector has, the other input streamed."""
    inputs = range(family.nest.streamed)
    converted = any(converts(kernel, family, i) for i in inputs)
    if kernel.by_lane:
        taken = (i for i in inputs if by_lane_dim(kernel, family, i, lane))
        return sum(by_lane_vectors(kernel, family, i, lane, size) for i in taken) + 1 + int(converted)
    held = sum(operand_vectors(family, i, lane, size) for i in inputs[1:])
    turned = any(lane in family.access(i).dims and interleaves(kernel, family, i, lane) for i in inputs)
    slid = any(slid_dim(kernel, family, i, lane) for i in inputs)
    ordered = any(spaced.is_joined(family, i, lane) for i in inputs) and (
        spaced.ORDERS * (accumulator_vectors(family.nest, family.output.vector, size) > 1)  # else there may be no room
    )
    # rows as they were given, and as many orders of their elements
    return held + 1 + int(converted) + turned * 2 * kernel.group + 2 * slid + ordered


def partial(family: Family, lane: str, target, size):
    """Registers that it needs besides where it loads a part of a vector: of an input of several that carries lanes
    along the output and is in no panels, which are padded."""
    op = family.nest
    is_loaded = (
        op.streamed > 1
        and lane in op.parallel
        and any(lane in family.access(i).dims and not family.operands[i].layout.panel for i in range(op.streamed))
    )
    return target.partial * (np.asarray(size[lane]) % family.output.vector.lanes > 0) if is_loaded else 0


def joined(family: Family, lane: str, target, size):
    """Vectors of a step that are more than half full and not whole: it loads them in parts, and joins these."""
    lanes = family.output.vector.lanes
    return partial(family, lane, target, size) * (2 * (np.asarray(size[lane]) % lanes) > lanes)


def converts(kernel, family: Family, i: int) -> bool:
    """Whether a step wants input i in another dtype than it lies in."""
    return family.operands[i].dtype != wanted(kernel, family, i)


def wanted(kernel, family: Family, i: int) -> str:
    """The dtype that a step wants input i in."""
    return kernel.operand or (family.accumulator if kernel.group == 1 else family.operands[i].dtype)


def steps(kernel, family: Family, lane: str, size):
    """Steps of the loops inside."""
    grouped, lanes = paired_dim(kernel, family, lane), family.output.vector.lanes
    each = tuple(
        (d, lanes * kernel.group if d == lane else kernel.group if d == grouped else 1) for d in family.nest.summed
    )
    return known(size, ("steps", each), lambda: product(ceil_div(size[d], per_step) for d, per_step in each))


def chains(kernel, family: Family, target, lane: str, size):
    """How many independent copies of the accumulators hide the latency of the step, registers permitting. Within a
    panel there are no more than a tile as wide as the panel could have, for all columns of a product are summed in one
    order."""
    key = kernel.name, lane, family
    return latest(size, "chains", key, lambda: _chains(kernel, family, target, lane, size))


def _chains(kernel, family: Family, target, lane: str, size):
    vectors = accumulator_vectors(family.nest, family.output.vector, size)
    wanted = np.maximum(1, np.floor(kernel.latency * target.ports.arithmetic / kernel.uops / np.maximum(vectors, 1)))
    most = np.minimum(room(kernel, family, target, lane, size), steps(kernel, family, lane, size))
    if width := _panel_width(family, lane):
        whole = room(kernel, family, target, lane, size | {lane: width})
        most = np.where(np.asarray(size[lane]) < width, np.minimum(most, evenly(whole)), most)
    return np.maximum(1, np.minimum(wanted, most))


def evenly(count):
    """The largest power of two up to a number: so many chains divide most lengths of sums."""
    return 2 ** np.floor(np.log2(count)).astype(np.int64)


def _panel_width(family: Family, lane: str) -> int:
    """The elements along the lanes of a panel of an input; 0: none lies in panels that hold them."""
    if lane in family.nest.reduction:
        return 0
    inputs = range(family.nest.streamed)
    return max((family.operands[i].layout.panel[1] for i in inputs if _is_panel_of(family, i, lane)), default=0)


def _is_panel_of(family: Family, i: int, lane: str) -> bool:
    panel = family.operands[i].layout.panel
    return panel is not None and (lane, 1) in family.access(i).axes[panel[0]]


def room(kernel, family: Family, target, lane: str, size):
    """How many copies of the accumulators there are registers for."""
    vectors = accumulator_vectors(family.nest, family.output.vector, size)
    return np.maximum(1, (target.registers - temporaries(kernel, family, lane, size)) // np.maximum(vectors, 1))


LEAST_RUN = 128  # turns of a leaf's loop whose sums go on to others; of few sums that is a hundredth of their time


def run(kernel, family: Family, chains: int = 1) -> int:
    """Terms that an accumulator of so many chains takes before it goes on to another; 0: all of them. So the error of
    long sums of floats grows as the levels that they take. Chains of a product's sum go on after as many steps as a
    single one does, so that loops around a leaf may cut its sum there and change no result."""
    if not is_ordered(family):
        return 0
    return LEAST_RUN if kernel.body is None else max(LEAST_RUN, RUN_OF_PRODUCTS // chains)


def is_ordered(family: Family) -> bool:
    """Whether what a reduction gives depends on the order of its terms: sums of floats."""
    return is_in_runs(family.nest.combine, family.accumulator)


def is_in_runs(combine: str | None, accumulator: str) -> bool:
    """Whether terms are joined in runs of a length at most: floats whose error would grow with it."""
    return (found := combiner_of(combine)) is not None and found.in_runs and dtype(accumulator).kind == "float"


def written(kernel, family: Family, lane: str, target, size) -> int:
    """Steps of a kernel that takes elements by lane in a turn of the innermost loop, whole vectors of them."""
    whole = family.output.vector.lanes
    updates = accumulator_vectors(family.nest, family.output.vector, size)
    return whole * max(1, round(2 * target.writing.unrolled / (updates * whole)))


def turns(updates, target):
    """Steps, with so many updates of accumulators each, that are written out in a turn of the innermost loop."""
    return np.maximum(1, ceil_div(target.writing.unrolled, updates))


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
    lane's results along it lie side by side with the next lane's. Accumulators are then interleaved and stored
    whole."""
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
