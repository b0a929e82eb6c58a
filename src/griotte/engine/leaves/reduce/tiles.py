"""The names by which tiles of registers are kept that were measured (targets.leaves): a product's leaf, by its kernel,
its dtypes, and how what lies along its lanes is read."""

from __future__ import annotations

from ....lang.nests.family import Family
from ....lang.nests.operation import Operation
from ....lang.types.expr import PRODUCT, as_product
from ..operands import skips_one, unit_step

PANEL, ROWS, SPLIT = LYING = ("panel", "rows", "split")
"""How the input lies whose neighbours are along the lanes: in panels; in rows that begin on lines, or with them; in
rows that begin anywhere."""


def is_product(op: Operation) -> bool:
    return op.is_sum and as_product(op.body) == PRODUCT


def name(kernel, dtypes: tuple[str, str, str], lies: str) -> str:
    """The name of a form: the kernel, the dtypes of its inputs and of its accumulators, and how the input along the
    lanes lies."""
    return " ".join((kernel.name, *dtypes, lies))


def form_of(kernel, lane: str, family: Family) -> str:
    """The name of a leaf's form; empty where none is measured: it must be a product, its lanes along neighbours of the
    last of two inputs, and no window may slide along what it reduces."""
    op = family.nest
    if (
        not is_product(op)
        or op.fold
        or lane not in op.parallel
        or not unit_step(family, 1, lane)
        or lane not in family.access(1).dims
        or lane in family.access(0).dims
    ):
        return ""
    if not all(access.is_apart(d) for access in op.inputs[:2] for d in op.reduction) or skips_one(
        family.access(1), family.operands[1].layout, lane
    ):
        return ""
    first, second, layout = family.operands[0].dtype, family.operands[1].dtype, family.operands[1].layout
    return name(kernel, (first, second, family.accumulator), PANEL if layout.panel else SPLIT if layout.split else ROWS)
