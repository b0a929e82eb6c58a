"""What a leaf kernel costs and needs: a port/latency model over the step it repeats.

cycles = steps * max(arithmetic / ports, loads / ports, issue width, dependency chain) + the lines its operands bring
from where they are. The model follows the usual throughput-bound analysis of out-of-order cores (Fog, "Optimizing
subroutines in assembly language", ch. 9-12; port counts in the target). All functions take sizes as ints or arrays.

A leaf has one of six forms (FORMS), of which each says what it refuses, which sizes it takes and how long it works:
  reduce  accumulators in named registers; loops over the reduction dimensions inside
  map     one row along the lane dimension; every other dimension is 1
  pack    a copy into panels, of any size
  window  a copy of a tile of any size along an axis that several dimensions move along, or beyond its tensor, row by row
  transpose  a copy between layouts whose fastest axes differ; those two dimensions of any size, every other is 1
  matrix  an output tile in matrix registers; the loop over one reduction dimension inside
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..spec.family import Family, Operand
from . import copies, map, matrix, reduce, tiles, traffic
from .operands import reaches_beyond


class Form(NamedTuple):
    """A form of leaves: the coefficient of its cycles; (kernel, lane, family, target) -> why it cannot serve the family at any size, empty when it can;
    and, of these and a size, what `fits` asks for, and the port model's cycles."""

    coefficient: str
    refuses: Callable[..., str]
    conditions: Callable[..., list[tuple[object, str]]]
    cycles: Callable[..., Any]


FORMS = {
    "reduce": Form("cycles", reduce.refuses, reduce.conditions, tiles.cycles),
    "map": Form("map", map.refuses, map.conditions, map.cycles),
    "pack": Form("pack", copies.refuses_pack, copies.any_size, copies.pack_cycles),
    "window": Form("map", copies.refuses_window, copies.any_size, copies.window_cycles),
    "transpose": Form("pack", copies.refuses_transpose, copies.two_dims, copies.transpose_cycles),
    "matrix": Form("cycles", matrix.refuses, matrix.conditions, matrix.cycles),
}


def lanes(kernel, family: Family) -> list[str]:
    """Dimensions along which the kernel may put its lanes in this family."""
    last = len(family.operands) - 1
    if kernel.form == "reduce":
        return [family.output.vector.dim] if family.output.vector else []
    if kernel.form in ("matrix", "transpose"):
        return [family.unit_dim(last)] if family.unit_dim(last) else []
    if kernel.form in ("pack", "window"):
        return [family.operation.dims[0]]
    units = [family.unit_dim(i) for i in (last, *range(last))]
    looped = [d for d in family.operation.dims if d not in family.operation.picked]
    return list(dict.fromkeys(d for d in units if d in looped)) or looped[:1] or [""]


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why this kernel cannot serve the family at any size; empty when it can."""
    form, in_registers = kernel.form, family.output.level == 0
    if family.operation.picks and form != "map":
        return f"{kernel.name} expects no input that is read at an index"
    if form != "window" and reaches_beyond(family):
        return f"{kernel.name} expects tensors that are in memory, border and all"
    if not in_registers and form in ("map", "transpose") and not all(family.access(len(family.operands) - 1).is_apart(d) for d in family.operation.dims):
        return f"{kernel.name} expects tiles of its output that do not overlap"
    if in_registers != (form == "reduce"):
        return f"{kernel.name} expects its output in {'memory' if in_registers else 'registers; move it there first'}"
    if family.operation.combine and form in ("map", "pack", "transpose"):
        return f"{kernel.name} expects a map"
    return FORMS[form].refuses(kernel, lane, family, target)


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


def seen(kernel, family: Family) -> Family:
    """A family as the price of a leaf sees it: of families that differ in what no price depends on, one."""
    is_pack = family.operation.combine is None and family.output.layout.panel is not None
    return Family(family.operation, family.accumulate, tuple(_seen(o, is_pack, kernel.form == "matrix") for o in family.operands), family.accumulator)


@lru_cache(1 << 12)
def _seen(operand: Operand, is_pack: bool, has_blocks: bool) -> Operand:
    """Of a register nothing but its order, and its vector; how rows fold onto sets (`traffic.folded`) where they come from beyond L1, or blocks of them are taken (`matrix`); whether it rests in
    memory where a pack may be what first reads it (`traffic.kinds`)."""
    layout = operand.layout
    if operand.level == 0:
        return replace(operand, layout=replace(layout, given=False, alias=0, far=False, split=False, uncached=False, row=0))
    given = layout.given and len(layout.order) > 1
    alias = layout.alias if operand.level > 1 or has_blocks else 0
    return replace(operand, layout=replace(layout, given=given, alias=alias, row=layout.row if given else 0, uncached=layout.uncached and is_pack))


def fits(kernel, lane: str, family: Family, target, size):
    """Where (as a bool or an array of them) the leaf may be used: registers suffice, panels hold the tile."""
    ok = np.asarray(True)
    for holds, _ in conditions(kernel, lane, family, target, size):
        ok = ok & holds
    return ok


def conditions(kernel, lane: str, family: Family, target, size) -> list[tuple[object, str]]:
    """What `fits` asks for: (bool or an array of them, what is expected)."""
    return FORMS[kernel.form].conditions(kernel, lane, family, target, size)


def features(kernel, lane: str, family: Family, target, size) -> dict:
    """The port model's cycles, and what crosses between memory and the core: in full for a reduction of several inputs, for `line` and `result`
    are what its arithmetic leaves of it; of a map, and of a reduction of one input, what its cycles do not cover, so that it takes the longer of the two."""
    name, cycles = FORMS[kernel.form].coefficient, FORMS[kernel.form].cycles(kernel, lane, family, target, size)
    crossing = traffic.added(*_crossing(kernel, lane, family, target, size, cycles))
    if traffic.use(family, 0) != "line":
        left = np.maximum(0.0, 1 - target.coefficient[name] * cycles / np.maximum(target.cost(crossing), 1e-9))
        crossing = {feature: left * count for feature, count in crossing.items()}
    elif kernel.form == "reduce":
        cycles = cycles + traffic.outlasting(family, target, size, cycles, lane)
    return {name: cycles, "call": 1} | crossing


def _crossing(kernel, lane: str, family: Family, target, size, cycles):
    for i, operand in enumerate(family.operands):
        if kernel.nontemporal and i == len(family.operands) - 1:
            yield traffic.nontemporal(family, operand, target, size)
        elif operand.level > 0:
            yield traffic.features(family, i, operand, target, size, traffic.trips(family, i))
            if kernel.form == "matrix" and i == len(family.operands) - 1:
                yield traffic.exposed(family, operand, target, size, matrix.exposed(kernel, lane, family, size))
            if kernel.form == "reduce":
                if i < len(family.operands) - 1:
                    yield traffic.overlapped(family, i, operand, target, size, cycles)
                    yield traffic.folded(family, i, operand, target, size, lane)
                yield {"pages": traffic.met_anew(family, i, operand, target, size)}
