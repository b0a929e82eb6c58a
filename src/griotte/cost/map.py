"""Leaves that map: one row along the lane dimension; every other dimension is 1."""

from __future__ import annotations

import numpy as np

from ..spec.dtypes import dtype
from ..spec.expr import calls
from ..spec.family import Family, lines, product
from . import traffic
from .copies import is_pack
from .operands import unit_step
from .ports import bound, computed, conversion
from .whole import ceil_div


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


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot serve the family at any size; empty when it can."""
    panelled = family.output.layout.panel is not None
    if any(o.layout.panel for o in family.operands[:-1]):
        return f"{kernel.name} expects inputs that are not in panels"
    if panelled and is_pack(family.operation):
        return f"{kernel.name} expects more than a copy into panels"
    if panelled and not _lanes_in_panels(lane, family):
        return f"{kernel.name} expects its lanes along the panels of its output, or across them"
    return _refuses_nontemporal(kernel, lane, family, target) if kernel.nontemporal else ""


def _refuses_nontemporal(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot write past the caches at any size; empty when it can."""
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


def _beyond_caches(kernel, family: Family, target, size) -> list[tuple[object, str]]:
    """What is written past the caches must be so much that it would not have stayed in them."""
    if not kernel.nontemporal:
        return []
    touched = sum(lines(family.access(i), operand, traffic.touched(family, i, size)) for i, operand in enumerate(family.operands))
    return [(touched > target.cached_lines, f"more than the {target.cached_lines} lines that caches hold")]


def conditions(kernel, lane: str, family: Family, target, size) -> list[tuple[object, str]]:
    """What `leaf.fits` asks for: a single row, and past the caches no less than stays in none."""
    across, most = map_rows(family, lane) or ("", 1)
    others = [d for d in family.operation.dims if d not in (lane, across, *family.operation.picked)]
    rows = [(np.asarray(size[d]) == 1, f"{d} = 1, for {kernel.name} runs along {lane} alone; tile {d} by 1") for d in others]
    rows += [(np.asarray(size[across]) <= most, f"{across} within {most}, for {kernel.name} turns so many rows; tile {across} by {most}")] if across else []
    return [*rows, *_beyond_caches(kernel, family, target, size)]


def cycles(kernel, lane: str, family: Family, target, size):
    """A row, a vector at a time; strided operands go element by element."""
    length = product([size[lane]] if lane else [1])
    width = target.lanes(family.accumulator)
    slots = computed(target, calls(family.operation.body), family.accumulator)
    body = slots.all + 0.5
    loads = stores = 0.0
    across = map_rows(family, lane)
    for i, operand in enumerate(family.operands):
        if i in family.operation.indices:
            continue
        carries, is_output = lane in family.access(i).dims, i == len(family.operands) - 1
        is_whole = unit_step(family, i, lane) or is_output and across is not None
        work = (1.0 if is_whole else target.handling.scattered * width) if carries else 0.0
        body += conversion(target, *((family.accumulator, operand.dtype) if is_output else (operand.dtype, family.accumulator)))
        if is_output:
            stores += work
        else:
            loads += work
    picked, at_each = _picked_loads(family, lane, target, width)
    panel = family.output.layout.panel
    starts = ceil_div(length, panel[1]) if panel and unit_step(family, len(family.operands) - 1, lane) else 0.0  # of the loop over panels
    vector = np.maximum(bound(target, body, loads + at_each, stores, multiplying=slots.multiplying), 1.0)
    return picked + starts + ceil_div(length, width) * (vector if across is None else vector * size[across[0]] + _turning(family, across[1], width))


def _turning(family: Family, rows: int, width: int) -> float:
    """Cycles to turn a vector of each of so many rows: a group's are interleaved, others turned in squares."""
    return float(rows) if family.output.layout.group else width * np.log2(max(2, width)) * -(-rows // width)


def _picked_loads(family: Family, lane: str, target, width: int) -> tuple[float, float]:
    """(cycles of a row, loads of a vector) for finding what is read at an index: once a row, or, where the index changes along the lanes, element by element."""
    op = family.operation
    along = [i for i in op.indices if lane in op.inputs[i].dims]
    gathered = sum(any(dim in access.dims and i in along for dim, i in op.picks) for access in op.inputs)
    return target.handling.picked * (len(op.indices) - len(along)), width * (1.0 * len(along) + target.handling.scattered * gathered)
