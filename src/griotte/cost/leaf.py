"""What a leaf kernel costs and needs: a port/latency model over the step it repeats.

cycles = steps * max(arithmetic / ports, loads / ports, issue width, dependency chain) + the lines its operands bring
from where they are. The model follows the usual throughput-bound analysis of out-of-order cores (Fog, "Optimizing
subroutines in assembly language", ch. 9-12; port counts in the target). All functions take sizes as ints or arrays.

A leaf has one of six forms:
  reduce  accumulators in named registers; loops over the reduction dimensions inside
  map     one row along the lane dimension; every other dimension is 1
  pack    a copy into panels, of any size
  window  a copy of a tile of any size along an axis that several dimensions move along, or beyond its tensor, row by row
  transpose  a copy between layouts whose fastest axes differ; those two dimensions of any size, every other is 1
  matrix  an output tile in matrix registers; the loop over one reduction dimension inside (cost.matrix)
"""

from __future__ import annotations

import numpy as np

from ..spec.dtypes import dtype
from ..spec.expr import Arg, calls, computed_in
from ..spec.family import LINE, Family, Vector, lines, unit_dim
from ..spec.operation import Operation
from ..targets.functions import Slots
from . import matrix, traffic
from .whole import ceil_div, product

CONVERSION_UOPS = {("f32", "bf16"): 9.0}
"""Arithmetic-port slots of a vector's conversion, where it is more than one: rounding to bf16 is done on the bits."""

STRADDLING_CYCLES = 0.25
"""Of each vector that a step loads along a sliding window: 24 sums from 4 such vectors and 6 elements take 13 cycles a step, not 12 (3x3, 64 channels)."""

TURNED_ROWS = 4
"""Of a result, from which on it is turned in registers and not stored element by element."""

LARGEST_BLOCK = 16
"""Rows that are turned in registers: as many registers, with as many free for the shuffles."""

LEAST_BYTES = 16
"""Of a vector."""

UNROLLED = 48
"""Updates of accumulators, from which on a turn of the innermost loop has as many steps as it takes: a loop's own instructions are then few beside them."""

ROW_CYCLES = 4.0
"""Of a copy row by row: the loop around a row; as much again where it looks how much of the row is there."""

PICK_CYCLES = 4.0
"""Of a row that is read at an index: the index, clamped, and the address."""

FORM_CYCLES = {"map": "map", "pack": "pack", "transpose": "pack", "window": "map"}
"""The coefficient of the port model's cycles by a leaf's form; `cycles` for the others."""


# ---- which leaves there are -------------------------------------------------------------------------------------


def lanes(kernel, family: Family) -> list[str]:
    """Dimensions along which the kernel may put its lanes in this family."""
    last = len(family.operands) - 1
    if kernel.form == "reduce":
        return [family.output.vector.dim] if family.output.vector else []
    if kernel.form == "matrix":
        return [family.unit_dim(last)] if family.unit_dim(last) else []
    if kernel.form in ("pack", "window"):
        return [family.operation.dims[0]]
    if kernel.form == "transpose":
        return [family.unit_dim(last)] if family.unit_dim(last) else []
    units = [family.unit_dim(i) for i in (last, *range(last))]
    looped = [d for d in family.operation.dims if d not in family.operation.picked]
    return list(dict.fromkeys(d for d in units if d in looped)) or looped[:1] or [""]


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why this kernel cannot serve the family at any size; empty when it can."""
    in_registers = family.output.level == 0
    panelled = family.output.layout.panel is not None
    if family.operation.picks and kernel.form != "map":
        return f"{kernel.name} expects no input that is read at an index"
    if kernel.form == "window":
        return _refuses_window(kernel, family)
    if reaches_beyond(family):
        return f"{kernel.name} expects tensors that are in memory, border and all"
    if not in_registers and kernel.form in ("map", "transpose") and not all(family.access(len(family.operands) - 1).is_apart(d) for d in family.operation.dims):
        return f"{kernel.name} expects tiles of its output that do not overlap"
    if kernel.form == "reduce":
        if not in_registers:
            return f"{kernel.name} expects its output in registers; move it there first"
        return _refuses_reduce(kernel, lane, family)
    if in_registers:
        return f"{kernel.name} expects its output in memory"
    if kernel.form == "matrix" and family.operation.finish is not None:
        return f"{kernel.name} stores what it computes as it is"
    if kernel.form == "matrix":
        return matrix.refuses(kernel, lane, family, grouped_dim(family, lane), unit_step)
    if family.operation.combine:
        return f"{kernel.name} expects a map"
    if kernel.form == "pack":
        return "" if panelled else f"{kernel.name} expects a copy into panels"
    if kernel.form == "transpose":
        return _refuses_transpose(kernel, family)
    if any(o.layout.panel for o in family.operands[:-1]):
        return f"{kernel.name} expects inputs that are not in panels"
    if panelled and isinstance(family.operation.body, Arg) and not family.operation.picks:
        return f"{kernel.name} expects more than a copy into panels"
    if panelled and not _lanes_in_panels(lane, family):
        return f"{kernel.name} expects its lanes along the panels of its output, or across them"
    return _refuses_nontemporal(kernel, lane, family, target) if kernel.nontemporal else ""


def _lanes_in_panels(lane: str, family: Family) -> bool:
    """Whether a map may write its output, in panels, by lanes along a dimension: that of the panels or, where they are in no groups, that along which their rows lie one after the other."""
    access, layout = family.operation.output, family.output.layout
    if lane and unit_step(family, len(family.operands) - 1, lane):
        return True
    return layout.group is None and len(layout.order) > 1 and access.axes[layout.order[1]] == ((lane, 1),)


def map_rows(family: Family, lane: str) -> tuple[str, int] | None:
    """Of a map whose output's neighbours along its lanes have others between them: the dimension of those, and how many stand side by side; the leaf
    computes as many rows and turns them. None where a row is stored as it is."""
    layout, access = family.output.layout, family.operation.output
    if layout.group:
        return access.axes[layout.group[0]][0][0], layout.group[1]
    unit = family.unit_dim(len(family.operands) - 1)
    return (unit, layout.panel[1]) if layout.panel and unit and unit != lane else None


def reaches_beyond(family: Family) -> bool:
    """Whether tiles of some operand may lie in part beyond what is in memory."""
    return any(operand.layout.beyond for operand in family.operands)


def _refuses_window(kernel, family: Family) -> str:
    """It copies what no row of a map does: a tile that reaches beyond its tensor, or overlaps others."""
    op = family.operation
    if len(family.operands) != 2 or op.combine or op.inputs[0] != op.output:
        return f"{kernel.name} expects a copy"
    source, to = family.operands
    if to.layout.panel or source.layout.panel or to.layout.beyond or not op.output.axes or source.layout.order[0] != to.layout.order[0]:
        return f"{kernel.name} expects layouts with the same fastest axis, and no panels"
    return "" if source.layout.beyond or not all(op.output.is_apart(d) for d in op.dims) else f"{kernel.name} expects tiles that overlap, or reach beyond the tensor"


def _refuses_nontemporal(kernel, lane: str, family: Family, target) -> str:
    output, level = family.output, target.levels[family.output.level].name
    if f"nontemporal.{level}" not in target.coefficient:
        return f"{kernel.name} expects its output at a level with a price nontemporal.<level>"
    if not output.layout.given:
        return f"{kernel.name} expects an array of the call, not a copy that is read soon"
    if not lane or not unit_step(family, len(family.operands) - 1, lane):
        return f"{kernel.name} expects its output contiguous along {lane or 'a dimension'}"
    wide = max(dtype(o.dtype).bytes for o in family.operands) if str(family.operation.body) == "x0" else dtype(family.accumulator).bytes
    if dtype(output.dtype).bytes > wide:
        return f"{kernel.name} expects an output of at most {wide} bytes an element"
    return ""


def _refuses_transpose(kernel, family: Family) -> str:
    source, to = family.operands
    units = family.unit_dim(0), family.unit_dim(1)
    if source.layout.panel or to.layout.panel or None in units or units[0] == units[1] or len(family.access(0).dims) != len(family.operation.dims):
        return f"{kernel.name} expects a copy between layouts whose fastest axes differ"
    return ""


def _refuses_reduce(kernel, lane: str, family: Family) -> str:
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


def takes(kernel, family: Family) -> bool:
    """Whether the kernel may serve the family once those inputs that are still as given are copied as it wants them."""
    for i, operand in enumerate(family.operands[: family.operation.streamed]):
        if kernel.inputs and kernel.inputs[i] != operand.dtype and not (operand.layout.given and kernel.inputs[i] == family.accumulator):
            return False
        panel, group = operand.layout.panel, operand.layout.group
        if i in (*kernel.single, *kernel.addresses):
            if group or panel and i in kernel.addresses:
                return False
            continue
        blocks = kernel.matrix is not None and i != kernel.columns
        wanted = kernel.matrix.depth(operand.dtype) if blocks else kernel.group
        if group[1] != wanted if group else panel and (kernel.group > 1):
            return False
    return True


def unit_step(family: Family, i: int, dim: str) -> bool:
    """A step of one along `dim` is a step of one element in operand i's memory."""
    layout, access = family.operands[i].layout, family.access(i)
    if layout.panel is not None:
        return unit_dim(access, layout) == dim
    return bool(layout.order) and (dim, 1) in access.axes[layout.order[0]]


def grouped_dim(family: Family, lane: str) -> str | None:
    """The reduction dimension whose neighbours are interleaved in the operands that carry the lanes."""
    for i, operand in enumerate(family.operands[: family.operation.streamed]):
        if operand.layout.group and lane in family.access(i).dims:
            return family.access(i).axes[operand.layout.group[0]][0][0]
    return None


def paired_dim(kernel, family: Family, lane: str) -> str | None:
    """The reduction dimension of whose neighbours a step eats a group, where its lanes are not along the reduction: those are
    interleaved in memory, or rows that the leaf interleaves in registers, and then neighbours in the other inputs."""
    found = grouped_dim(family, lane)
    if found or kernel.group == 1 or lane in family.operation.reduction:
        return found
    inputs = range(family.operation.streamed)
    carry, others = ([i for i in inputs if (lane in family.access(i).dims) is carries] for carries in (True, False))
    if not all(interleaves(kernel, family, i, lane) for i in carry):
        return None
    paired = (d for d in reversed(family.operation.reduction) if all(d in family.access(i).dims for i in carry) and all(unit_step(family, i, d) for i in others))
    return next(paired, None)


def interleaves(kernel, family: Family, i: int, lane: str) -> bool:
    """Whether the leaf interleaves in registers the rows of input i, which carries its lanes."""
    layout = family.operands[i].layout
    return kernel.interleave is not None and lane in family.operation.parallel and layout.group is None and layout.panel is None and unit_step(family, i, lane)


# ---- registers ----------------------------------------------------------------------------------------------------


def accumulator_vectors(op: Operation, vector: Vector, size):
    """Vector registers that hold the output tile in the form `vector`, one independent sum per element."""
    rows = product(size[d] for d in op.parallel if d != vector.dim)
    return rows * (1 if vector.dim in op.reduction else ceil_div(size[vector.dim], vector.lanes))


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


def _conversion(kernel, family: Family, i: int) -> int:
    wanted = kernel.operand or (family.accumulator if kernel.group == 1 else family.operands[i].dtype)
    return int(family.operands[i].dtype != wanted)


def fits(kernel, lane: str, family: Family, target, size):
    """Where (as a bool or an array of them) the leaf may be used: registers suffice, panels hold the tile."""
    ok = np.asarray(True)
    for holds, _ in conditions(kernel, lane, family, target, size):
        ok = ok & holds
    return ok


def conditions(kernel, lane: str, family: Family, target, size) -> list[tuple[object, str]]:
    """What `fits` asks for: (bool or an array of them, what is expected)."""
    if kernel.form in ("pack", "window"):
        return []
    if kernel.form == "matrix":
        return matrix.conditions(kernel, lane, family, grouped_dim(family, lane), size)
    if kernel.form == "transpose":
        others = [d for d in family.operation.dims if d not in (family.unit_dim(0), family.unit_dim(1))]
        return [(np.asarray(size[d]) == 1, f"{d} = 1, for {kernel.name} turns two dimensions; tile {d} by 1") for d in others]
    if kernel.form == "map":
        across, most = map_rows(family, lane) or ("", 1)
        others = [d for d in family.operation.dims if d not in (lane, across, *family.operation.picked)]
        rows = [(np.asarray(size[d]) == 1, f"{d} = 1, for {kernel.name} runs along {lane} alone; tile {d} by 1") for d in others]
        rows += [(np.asarray(size[across]) <= most, f"{across} within {most}, for {kernel.name} turns so many rows; tile {across} by {most}")] if across else []
        return [*rows, *_beyond_caches(kernel, family, target, size)]
    used = accumulator_vectors(family.operation, family.output.vector, size) + temporaries(kernel, family, lane, size)
    found: list[tuple[object, str]] = [(used <= target.registers, f"accumulators and operands in {target.registers} registers; tile the output smaller")]
    if kernel.addresses:
        dim = paired_dim(kernel, family, lane)
        found.append((np.asarray(size[dim]) % kernel.group == 0, f"{dim} a multiple of {kernel.group}"))
    for i, operand in enumerate(family.operands):
        if operand.layout.panel:
            axis, width = operand.layout.panel
            found.append((np.asarray(family.access(i).extent(axis, size)) <= width, f"operand {i} within one panel; tile by {width} or less"))
    return found


def _beyond_caches(kernel, family: Family, target, size) -> list[tuple[object, str]]:
    """What is written past the caches must be so much that it would not have stayed in them."""
    if not kernel.nontemporal:
        return []
    touched = sum(lines(family.access(i), operand, traffic.touched(family, i, size)) for i, operand in enumerate(family.operands))
    return [(touched > target.cached_lines, f"more than the {target.cached_lines} lines that caches hold")]


# ---- cycles -------------------------------------------------------------------------------------------------------


def steps(kernel, family: Family, lane: str, size):
    """Steps of the loops inside a reduce leaf."""
    op = family.operation
    grouped = paired_dim(kernel, family, lane)
    count = 1
    for d in op.reduction:
        per_step = family.output.vector.lanes * kernel.group if d == lane else kernel.group if d == grouped else 1
        count = count * ceil_div(size[d], per_step)
    return count


def features(kernel, lane: str, family: Family, target, size) -> dict:
    """The port model's cycles, and what crosses between memory and the core: in full for a reduction of several inputs, for `line` and `result`
    are what its arithmetic leaves of it; of a map, and of a reduction of one input, what its cycles do not cover, so that it takes the longer of the two."""
    name, cycles = FORM_CYCLES.get(kernel.form, "cycles"), _CYCLES[kernel.form](kernel, lane, family, target, size)
    crossing = traffic.added(*_crossing(kernel, lane, family, target, size, cycles))
    if traffic.use(family, 0) != "line":
        left = np.maximum(0.0, 1 - target.coefficient[name] * cycles / np.maximum(target.cost(crossing), 1e-9))
        crossing = {feature: left * count for feature, count in crossing.items()}
    return {name: cycles, "call": 1} | crossing


def _crossing(kernel, lane: str, family: Family, target, size, cycles):
    for i, operand in enumerate(family.operands):
        if kernel.nontemporal and i == len(family.operands) - 1:
            yield traffic.nontemporal(family, operand, target, size)
        elif operand.level > 0:
            yield traffic.features(family, i, operand, target, size, traffic.trips(family, i))
            if kernel.form == "matrix" and i == len(family.operands) - 1:
                yield traffic.exposed(family, operand, target, size, matrix.exposed(kernel, family, grouped_dim(family, lane), size))
            if kernel.form == "reduce":
                if i < len(family.operands) - 1:
                    yield traffic.overlapped(family, i, operand, target, size, cycles)
                    yield traffic.folded(family, i, operand, target, size, lane)
                yield {"pages": traffic.met_anew(family, i, operand, target, size)}


def _bound(target, arithmetic, loads, stores, is_mixed: bool = True, others=1, multiplying=0):
    """`others` are what is issued beside: a loop's own; `multiplying` are the slots on ports that multiply."""
    ports = target.ports
    issue = (arithmetic + loads + stores + others) / ports.issue
    busiest = on_ports(ports, arithmetic, multiplying) if is_mixed else arithmetic / ports.arithmetic
    return np.maximum(np.maximum(busiest, loads / ports.load), np.maximum(stores / ports.store, issue))


def on_ports(ports, slots, multiplying):
    """Cycles of so many slots spread over the ports that multiply and those that add, of which some can only be on the former."""
    return np.maximum(slots / ports.mixed, multiplying / ports.arithmetic)


def computed(target, names) -> Slots:
    """Arithmetic-port slots of a vector of the functions of these names."""
    return sum((target.function[name] for name in names), Slots(0.0))


def conversion(source: str, to: str) -> float:
    """Arithmetic-port slots of a vector's conversion; 0 where there is none."""
    return CONVERSION_UOPS.get((source, to), float(source != to))


def step(kernel, lane: str, family: Family, target, size):
    """(arithmetic-port slots, loads) of a step of a reduce leaf."""
    vectors = accumulator_vectors(family.operation, family.output.vector, size)
    arithmetic, loads = vectors * _step_slots(kernel, family, target).all, 0
    for i in range(family.operation.streamed):
        count = operand_vectors(family, i, lane, size)
        carries = lane in family.access(i).dims
        strided = carries and not unit_step(family, i, lane)
        if carries and skips_one(family.access(i), family.operands[i].layout, lane):
            loads, arithmetic, strided = loads + 3 * count, arithmetic + count, False  # two vectors, of which every other element is taken
        loads = loads + count * (1.5 * family.output.vector.lanes if strided else 2 if carries and _straddles(family, i, lane) else 1)  # a load across two lines is two
        arithmetic = arithmetic + count * _conversion(kernel, family, i) * (1 if carries else 2)
        if family.operands[i].packed > 1:
            arithmetic = arithmetic + count * kernel.unpack
        if i in kernel.addresses:
            loads = loads + count * (kernel.group - 1)
        if carries and interleaves(kernel, family, i, lane):
            parts = operand_vectors(family, i, lane, size | {lane: ceil_div(size[lane], family.output.vector.lanes) % kernel.group * family.output.vector.lanes})
            loads, arithmetic = loads + parts, arithmetic + kernel.interleave * (count + parts)  # parts of registers are loaded and joined one by one
    return arithmetic, loads


def _replayed(family: Family, lane: str, size):
    """Cycles of a step that vectors along a sliding window take beside all else, for nearly all of them straddle lines."""
    slid = (i for i in range(family.operation.streamed) if lane in family.access(i).dims and not family.access(i).is_apart(lane))
    return STRADDLING_CYCLES * sum(operand_vectors(family, i, lane, size) for i in slid)


def _straddles(family: Family, i: int, lane: str) -> bool:
    """Whether vectors of input i along its lanes begin anywhere within a line: its rows do, or a window slides along them."""
    return family.operands[i].layout.split or not family.access(i).is_apart(lane)


def skips_one(access, layout, lane: str) -> bool:
    """Whether lanes take every other element of a tensor's rows: a window slides along them by two."""
    return layout.panel is None and bool(layout.order) and (lane, 2) in access.axes[layout.order[0]]


def for_each_line(kernel, lane: str, family: Family, target, i: int, size):
    """Arithmetic-port slots of a reduce leaf for each line of input i, which carries its lanes."""
    taken = operand_vectors(family, i, lane, size) * family.output.vector.lanes * kernel.group * family.operands[i].bytes / LINE
    return step(kernel, lane, family, target, size)[0] / taken


def _reduce_cycles(kernel, lane: str, family: Family, target, size):
    arithmetic, loads = step(kernel, lane, family, target, size)
    updates = accumulator_vectors(family.operation, family.output.vector, size)
    others = 1 / turns(updates) + target.ports.displaced * _displaced(family, lane, size)
    multiplying = updates * _step_slots(kernel, family, target).multiplying
    per_step = np.maximum(_bound(target, arithmetic, loads, 0, kernel.body is None, others, multiplying), kernel.latency / chains(kernel, family, target, lane, size)) + _replayed(family, lane, size)
    return steps(kernel, family, lane, size) * per_step + kernel.latency


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
    return computed(target, (*calls(family.operation.body), family.operation.combine))


def _map_cycles(kernel, lane: str, family: Family, target, size):
    """A row, a vector at a time; strided operands go element by element."""
    length = product([size[lane]] if lane else [1])
    width = target.lanes(family.accumulator)
    slots = computed(target, calls(family.operation.body))
    body = slots.all + 0.5
    loads = stores = 0.0
    wide, across = dtype(family.accumulator).bytes, map_rows(family, lane)
    for i, operand in enumerate(family.operands):
        if i in family.operation.indices:
            continue
        carries, is_output = lane in family.access(i).dims, i == len(family.operands) - 1
        is_whole = unit_step(family, i, lane) or is_output and across is not None
        work = (1.0 if is_whole else 1.5 * width) if carries else 0.0
        body += conversion(*((family.accumulator, operand.dtype) if is_output else (operand.dtype, family.accumulator)))
        if is_output:
            stores += work
        else:
            loads += work
    picked, at_each = _picked_loads(family, lane, width)
    halves, panel = max(1, wide // 8), family.output.layout.panel
    starts = ceil_div(length, panel[1]) if panel and unit_step(family, len(family.operands) - 1, lane) else 0.0  # of the loop over panels
    vector = np.maximum(_bound(target, body * halves, loads + at_each, stores, multiplying=slots.multiplying * halves), 1.0)
    return picked + starts + ceil_div(length, width) * (vector if across is None else vector * size[across[0]] + _turning(family, across[1], width))


def _turning(family: Family, rows: int, width: int) -> float:
    """Cycles to turn a vector of each of so many rows: a group's are interleaved, others turned in squares."""
    return float(rows) if family.output.layout.group else width * np.log2(max(2, width)) * -(-rows // width)


def _picked_loads(family: Family, lane: str, width: int) -> tuple[float, float]:
    """(cycles of a row, loads of a vector) for finding what is read at an index: once a row, or, where the index changes along the lanes, element by element."""
    op = family.operation
    along = [i for i in op.indices if lane in op.inputs[i].dims]
    gathered = sum(any(dim in access.dims and i in along for dim, i in op.picks) for access in op.inputs)
    return PICK_CYCLES * (len(op.indices) - len(along)), width * (1.0 * len(along) + 1.5 * gathered)


def _pack_cycles(kernel, lane: str, family: Family, target, size):
    """Whole vectors along the panel, square blocks turned in registers, or whole groups; codegen.pack has the same cases."""
    source, to = family.operands
    access, converts = family.access(0), source.dtype != to.dtype
    elements = product(access.shape(size))
    axis, group = to.layout.group or (-1, 1)
    wide = max(dtype(source.dtype).bytes, dtype(to.dtype).bytes)
    width = target.vector_bytes / wide
    if unit_dim(access, to.layout) == unit_dim(access, source.layout):
        if group * wide > 8:  # turned
            return elements / min(16, width) * np.log2(min(16, width)) / target.ports.shuffle
        along = np.asarray(access.shape(size)[to.layout.panel[0]])
        starts = elements / along * ceil_div(along, to.layout.panel[1]) / group  # of the loop over runs of a panel's width
        return elements / width * (target.ports.copied + 1.0 * (group > 1) + conversion(source.dtype, to.dtype)) + starts
    by_rows = group > 1 and not converts and not source.layout.panel and source.layout.order[0] == axis
    if by_rows and group * wide > 8:
        return elements / group * 1.5
    unit, across = group if by_rows else 1, to.layout.panel[1]
    lanes = turned_lanes(across, unit * wide, target.vector_bytes)
    if (group == 1 or by_rows) and lanes:
        return elements / (lanes * unit) * (np.log2(lanes) / target.ports.shuffle + conversion(source.dtype, to.dtype)) * (-(-across // lanes) * lanes / across)
    return elements * 1.2


def turned_lanes(width: int, element: int, vector: int) -> int:
    """Rows of the square blocks that are turned into a panel `width` elements wide, of `element` bytes with vectors of `vector`: as many as a vector
    has lanes, or the most that are no more than the panel; 0 for none."""
    whole = min(LARGEST_BLOCK, vector // element)
    rows = min(whole, 1 << (width.bit_length() - 1))
    return rows if rows == whole or rows * element >= LEAST_BYTES else 0


def _window_cycles(kernel, lane: str, family: Family, target, size):
    """Rows of whole vectors and a part of one; where rows may reach beyond the tensor, what it takes to see how far."""
    source, to = family.operands
    extents = family.access(0).shape(size)
    length = np.asarray(extents[to.layout.order[0]])
    rows = product(extents) / length
    width = target.vector_bytes / max(dtype(source.dtype).bytes, dtype(to.dtype).bytes)
    return rows * (ceil_div(length, width) * (target.ports.copied + conversion(source.dtype, to.dtype)) + ROW_CYCLES * (1 + (len(source.layout.beyond) > 0)))


def _transpose_cycles(kernel, lane: str, family: Family, target, size):
    """Square blocks: a load, a store and log2(lanes) shuffles a row; shuffles have one port on the cores known."""
    wide = max(dtype(o.dtype).bytes for o in family.operands)
    lanes = min(16, target.vector_bytes // wide)
    blocks = ceil_div(size[family.unit_dim(0)], lanes) * ceil_div(size[family.unit_dim(1)], lanes)
    return blocks * lanes * (np.log2(lanes) / target.ports.shuffle + conversion(*(o.dtype for o in family.operands)))


def _matrix_cycles(kernel, lane: str, family: Family, target, size):
    return matrix.cycles(kernel, lane, family, target, grouped_dim(family, lane), size)


_CYCLES = {"reduce": _reduce_cycles, "map": _map_cycles, "pack": _pack_cycles, "window": _window_cycles, "transpose": _transpose_cycles, "matrix": _matrix_cycles}


def _finish_slots(family: Family, target) -> Slots:
    """Arithmetic-port slots of what is done to a vector of a result as it is stored; what it reads besides counts one a vector."""
    op = family.operation
    reads = sum(1 + conversion(o.dtype, computed_in(op.finish, family.accumulator)) for o in family.operands[op.streamed : -1])
    return computed(target, calls(op.finish)) + Slots(float(reads))


def _turned_uops(family: Family, vector: Vector, size, count, trips: int):
    """Slots for each vector of a result whose neighbours lie along another dimension than its lanes: squares are turned in registers; where
    there are too few rows for that, element by element."""
    unit = family.unit_dim(len(family.operands) - 1)
    rows = np.asarray(size[unit]) if unit else np.asarray(1)
    squares = count / rows * ceil_div(rows, vector.lanes)
    turned = squares * vector.lanes * (np.log2(vector.lanes) + trips) / count
    return np.where(rows >= TURNED_ROWS, turned, 1.5 * vector.lanes * trips)


def accumulator_features(family: Family, vector: Vector, target, size) -> dict:
    """The move of an output into registers: zeroed or loaded before, stored after; summed over lanes if it must be."""
    op, old = family.operation, family.output
    last = len(family.operands) - 1
    count = accumulator_vectors(op, vector, size)
    trips = 2 if family.accumulate else 1
    if vector.dim in op.reduction:
        per_vector = 6.0 + 1.0 * trips
    elif unit_step(family, last, vector.dim):
        per_vector = 0.5 + 1.0 * trips
    else:
        per_vector = _turned_uops(family, vector, size, count, trips)
    registers = {"registers": count * (per_vector + conversion(computed_in(op.finish, family.accumulator), old.dtype))}
    if op.finish is not None:
        slots = _finish_slots(family, target)
        registers["cycles"] = count * on_ports(target.ports, slots.all, slots.multiplying)
    share = np.maximum(0.0, 1 - product(size[d] for d in op.reduction) / target.crossing.hiding_steps)
    return traffic.added(registers, traffic.features(family, last, old, target, size, trips), traffic.exposed(family, old, target, size, share))
