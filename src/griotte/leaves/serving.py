"""Which leaf serves a family: a kernel whose declaration matches, and a form that refuses neither the family nor its
sizes.

A form is what the code generator builds around a kernel's step (FORMS):
  reduce  accumulators in named registers; loops over the reduction dimensions inside
  map     one row along the lane dimension; every other dimension is 1
  pack    a copy into panels, of any size
  window  a copy of a tile of any size along an axis that several dimensions move along, or beyond its tensor, row by
          row
  transpose  a copy between layouts whose fastest axes differ; those two dimensions of any size, every other is 1
  matrix  an output tile in matrix registers; the loop over one reduction dimension inside
  pairs   a row of which the maximum and the sum of exponentials less it are found at once
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..ir.expr import Expr, as_product
from ..ir.family import Family
from . import copies, map, matrix, pairs, reduce
from .conditions import Condition
from .operands import reaches_beyond


class LeafForm(NamedTuple):
    """(kernel, lane, family, target) -> why it cannot serve the family at any size, empty when it can; of these and a
    size, what it asks of that; of (kernel, lane, family, dimension), whether its C may be of any length along that."""

    refuses: Callable[..., str]
    conditions: Callable[..., list[Condition]] = lambda *_: []
    opens: Callable[..., bool] = lambda *_: False


FORMS = {
    "reduce": LeafForm(reduce.refuses, reduce.conditions, reduce.opens),
    "map": LeafForm(map.refuses, map.conditions, map.opens),
    "pack": LeafForm(copies.refuses_pack, opens=copies.opens_pack),
    "window": LeafForm(copies.refuses_window),
    "transpose": LeafForm(copies.refuses_transpose, copies.transpose_conditions, copies.opens_transpose),
    "matrix": LeafForm(matrix.refuses, matrix.conditions),
    "pairs": LeafForm(pairs.refuses, pairs.conditions, pairs.opens),
}


@lru_cache(1 << 10)
def _written(body: Expr) -> str:
    return str(body)


def computes(kernel, family: Family) -> bool:
    """Whether the kernel's declaration matches the operation of the family, whatever its inputs' dtypes."""
    return _computes(kernel, family.operation, family.accumulator)


def _computes(kernel, op, accumulator: str) -> bool:
    if op.together or kernel.form == "pairs":
        return op.together and kernel.form == "pairs"
    if op.fold and kernel.form != "reduce":
        return False
    if op.combine not in kernel.combine or kernel.compute is not None and accumulator not in kernel.compute:
        return False
    body = as_product(op.body) if kernel.form == "reduce" else op.body  # a leaf that reduces sees to weights of 0
    return kernel.body is None or kernel.body == _written(body)


def serves(kernel, family: Family) -> bool:
    """Whether the kernel's declaration matches the operation and dtypes of the family."""
    return computes(kernel, family) and _reads(kernel, family)


def _reads(kernel, family: Family) -> bool:
    return kernel.inputs is None or kernel.inputs == tuple(
        [o.dtype for o in family.operands[: family.operation.streamed]]
    )


def computing(target, family: Family) -> tuple:
    """The target's kernels that `computes` holds for."""
    return _computing(target, family.operation, family.accumulator)


@lru_cache(1 << 12)  # most families of a search have one of few operations
def _computing(target, op, accumulator: str) -> tuple:
    return tuple(k for k in target.kernels if _computes(k, op, accumulator))


def serving(target, family: Family) -> list:
    """The target's kernels that `serves` holds for."""
    return [k for k in computing(target, family) if _reads(k, family)]


def takes(kernel, family: Family) -> bool:
    """Whether the kernel may serve the family once those inputs that are still as given are copied as it wants them."""
    for i, operand in enumerate(family.operands[: family.operation.streamed]):
        if (
            kernel.inputs
            and kernel.inputs[i] != operand.dtype
            and not (operand.layout.given and kernel.inputs[i] == family.accumulator)
        ):
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


def lanes(kernel, family: Family) -> list[str]:
    """Dimensions along which the kernel may put its lanes in this family."""
    last = len(family.operands) - 1
    if kernel.form == "reduce":
        return [family.output.vector.dim] if family.output.vector else []
    if kernel.form == "pairs":
        return [pairs.lane(family)]
    if kernel.form in ("matrix", "transpose"):
        return [family.unit_dim(last)] if family.unit_dim(last) else []
    if kernel.form in ("pack", "window"):
        return list(family.operation.dims[:1])
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
    if (
        not in_registers
        and form in ("map", "transpose")
        and not all(family.access(len(family.operands) - 1).is_apart(d) for d in family.operation.dims)
    ):
        return f"{kernel.name} expects tiles of its output that do not overlap"
    if in_registers != (form == "reduce"):
        return f"{kernel.name} expects its output in {'memory' if in_registers else 'registers; move it there first'}"
    if family.operation.combine and form in ("map", "pack", "transpose"):
        return f"{kernel.name} expects a map"
    return FORMS[form].refuses(kernel, lane, family, target)


def conditions(kernel, lane: str, family: Family, target, size) -> list[Condition]:
    """What the leaf asks of sizes: registers suffice, panels hold the tile."""
    return FORMS[kernel.form].conditions(kernel, lane, family, target, size)


def opens(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the leaf's length along a dimension may be known when it runs."""
    return FORMS[kernel.form].opens(kernel, lane, family, dim)


def fits(kernel, lane: str, family: Family, target, size):
    """Where (as a bool or an array of them) the leaf may be used."""
    ok = np.asarray(True)
    for holds, _ in conditions(kernel, lane, family, target, size):
        ok = ok & holds
    return ok
