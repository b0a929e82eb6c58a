"""Leaves that map: one row along the lane dimension; every other dimension is 1."""

from __future__ import annotations

import numpy as np

from ....lang.nests.family import Family
from ....lang.types.dtypes import dtype
from ....lang.types.expr import Expr
from ....machine.architectures import intrinsics_of
from ...footprint import lines
from ...vectors.body import predicates
from ...vectors.narrow import helpers, narrowed
from ..conditions import Condition, of_one, unit_step
from ..copies import is_pack


def map_rows(family: Family, lane: str) -> tuple[str, int] | None:
    """(the dimension of rows that stand side by side, how many do) of a map whose output has others between its
    neighbours along the lanes. The leaf computes as many rows and turns them. None where a row is stored as it is."""
    layout, access = family.output.layout, family.nest.output
    if layout.group:
        return access.axes[layout.group[0]][0][0], layout.group[1]
    unit = family.unit_dim(len(family.operands) - 1)
    return (unit, layout.panel[1]) if layout.panel and unit and unit != lane else None


def lanes(kernel, family: Family) -> list[str]:
    """Along neighbours of the output in memory, or of an input; where there are none, any dimension."""
    last = len(family.operands) - 1
    units = [family.unit_dim(i) for i in (last, *range(last))]
    looped = [d for d in family.nest.dims if d not in family.nest.picked]
    return list(dict.fromkeys(d for d in units if d in looped)) or looped[:1] or [""]


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot serve the family at any size; empty when it can."""
    panelled = family.output.layout.panel is not None
    if any(o.layout.panel for o in family.operands[:-1]):
        return f"{kernel.name} expects inputs that are not in panels"
    if panelled and is_pack(family.nest):
        return f"{kernel.name} expects more than a copy into panels"
    if panelled and not _lanes_in_panels(lane, family):
        return f"{kernel.name} expects its lanes along the panels of its output, or across them"
    if kernel.operand and not _is_narrow(kernel, family, target):
        return f"{kernel.name} expects functions that are the same in {kernel.operand}, of {kernel.operand} alone"
    return _refuses_nontemporal(kernel, lane, family, target) if kernel.nontemporal else ""


def computed(kernel, family: Family) -> tuple[Expr, str]:
    """What a map computes, and in which dtype: its body in the accumulator's, or in the kernel's own."""
    found = narrowed(family.nest.body, kernel.operand) if kernel.operand else None
    return (family.nest.body, family.accumulator) if found is None else (found, kernel.operand)


def _is_narrow(kernel, family: Family, target) -> bool:
    """Whether a kernel that computes in a dtype of its own gives what the accumulator's would, and has instructions for
    all of it."""
    op, name = family.nest, kernel.operand
    found = narrowed(op.body, name) if family.accumulator == dtype(name).compute else None
    if found is None or op.picks or predicates(op.body) or any(o.dtype != name for o in family.operands):
        return False
    known, asked = intrinsics_of(target.features), set(helpers(found))
    return bool(asked) and all(known.find(target.features, each, name, target.vector_bytes) for each in asked)


def _lanes_in_panels(lane: str, family: Family) -> bool:
    """Whether a map may write its output, in panels, by lanes along a dimension. That is the dimension of the panels
    or, where they are in no groups, the one along which their rows lie one after the other."""
    access, layout = family.nest.output, family.output.layout
    if lane and unit_step(family, len(family.operands) - 1, lane):
        return True
    return layout.group is None and len(layout.order) > 1 and access.axes[layout.order[1]] == ((lane, 1),)


def _refuses_nontemporal(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot write past the caches at any size; empty when it can."""
    output, level = family.output, target.levels[family.output.level].name
    if f"nontemporal.{level}" not in target.coefficient:
        return f"{kernel.name} expects its output at a level with a price nontemporal.<level>"
    if not output.layout.given:
        return f"{kernel.name} expects an array of the call, not a copy that is read soon"
    if not lane or not unit_step(family, len(family.operands) - 1, lane):
        return f"{kernel.name} expects its output contiguous along {lane or 'a dimension'}"
    wide = (
        max(dtype(o.dtype).bytes for o in family.operands)
        if str(family.nest.body) == "x0"
        else dtype(family.accumulator).bytes
    )
    if dtype(output.dtype).bytes > wide:
        return f"{kernel.name} expects an output of at most {wide} bytes an element"
    return ""


def opens(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the C of the leaf may be of any length along a dimension: that of its row, where that lies in no panels,
    or one whose elements are picked."""
    return dim in family.nest.picked or lane == dim and family.output.layout.panel is None


def conditions(kernel, lane: str, family: Family, target, size) -> list[Condition]:
    """A single row, or as many as are turned; past the caches no less than stays in none."""
    across, most = map_rows(family, lane) or ("", 1)
    found = of_one(
        [d for d in family.nest.dims if d not in (lane, across, *family.nest.picked)],
        size,
        f"{kernel.name} runs along {lane} alone",
    )
    if across:
        found.append(
            (
                np.asarray(size[across]) <= most,
                f"{across} within {most}, for {kernel.name} turns so many rows; tile {across} by {most}",
            )
        )
    if kernel.nontemporal:
        line = target.spans.line
        touched = sum(
            lines(family.access(i), operand, family.touched(i, size, line), line)
            for i, operand in enumerate(family.operands)
        )
        found.append((touched > target.cached_lines, f"more than the {target.cached_lines} lines that caches hold"))
    return found
