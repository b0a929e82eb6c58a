"""Measured tiles of registers (machine.leaves) price a leaf in place of the port model.

A measured leaf is a product's, its inputs in L1. Lines from farther away cost what they always cost (cost.traffic). A
tile is kept under a name: that of its kernel, its dtypes, and how what lies along its lanes is read.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....lang.nests.family import Family
from ....lang.nests.operation import Operation
from ....lang.types.expr import PRODUCT, as_product
from ..conditions import unit_step
from . import price
from .price import moves
from .serve import accumulator_vectors, chains, converts, joined, operand_vectors, steps, wanted


def cycles(kernel, lane: str, family: Family, target, size):
    """Cycles of a reduce leaf. A product takes them as measured, where its tile was; else by the ports, times what they
    are wrong by in the median of its kernel's tiles. All else goes by the ports. Parts of groups are besides: the
    measured leaves have none."""
    return _of_whole_groups(kernel, lane, family, target, size) + price.in_parts(kernel, lane, family, target, size)


def _of_whole_groups(kernel, lane: str, family: Family, target, size):
    modelled = price.cycles(kernel, lane, family, target, size)
    if target.leaves is None or not is_product(family.nest):
        return modelled
    scaled = modelled * target.leaves.ratios.get(kernel.name, 1.0)
    form, converted = _form(kernel, lane, family, target)
    if form is None:
        return scaled
    rows, vectors = (operand_vectors(family, i, lane, size) for i in (0, 1))
    intercept, slope = form.grid[
        :, np.minimum(rows, form.grid.shape[1] - 1), np.minimum(vectors, form.grid.shape[2] - 1)
    ]
    accumulators = accumulator_vectors(family.nest, family.output.vector, size)
    # what was measured is as wide as its panel: a narrower tile may wait longer, of fewer chains
    waiting = kernel.latency / chains(kernel, family, target, lane, size) * steps(kernel, family, lane, size)
    slope = slope + converted * vectors / target.ports.issue
    slope = slope + target.ports.joining / target.ports.arithmetic * joined(family, lane, target, size)
    found = np.maximum(0.0, intercept - counted(target, accumulators)) + slope * steps(kernel, family, lane, size)
    return np.where(np.isnan(found) | (accumulators != rows * vectors), scaled, np.maximum(found, waiting))


def _form(kernel, lane: str, family: Family, target):
    """The form of a leaf, and the operations that it takes more for each vector along its lanes. A leaf that was not
    measured may convert its input along the lanes as it loads it. It takes the cycles of the dtype that it converts to,
    and `Handling.widened`."""
    found = target.leaves.by_name.get(form_of(kernel, lane, family))
    if found is not None or kernel.group > 1 or converts(kernel, family, 0) or not converts(kernel, family, 1):
        return found, 0.0
    operand = replace(family.operands[1], dtype=wanted(kernel, family, 1))
    of_it = replace(family, operands=(family.operands[0], operand, *family.operands[2:]))
    return target.leaves.by_name.get(form_of(kernel, lane, of_it)), target.handling.widened


def counted(target, accumulators):
    """The part of a leaf's measured cycles that the target counts besides: its call, a turn of the loop around it, and
    its accumulators."""
    return target.cost({"call": 1.0, "loop": 1.0, "registers": moves(target.handling, 1) * accumulators})


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
    """The name of a leaf's form; empty where none is measured. It must be a product, its lanes along neighbours of the
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
    if not all(access.is_apart(d) for access in op.inputs[:2] for d in op.reduction):
        return ""
    first, second, layout = family.operands[0].dtype, family.operands[1].dtype, family.operands[1].layout
    return name(kernel, (first, second, family.accumulator), PANEL if layout.panel else SPLIT if layout.split else ROWS)
