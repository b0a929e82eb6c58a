"""Leaves over matrix registers: the output tile in some of them, the reduction streamed through the rest.

    c[m, n] += a[m, k] b[k, n]    rows m from an operand contiguous along k, columns n from one in panels with groups

One side's registers are held through a step, the other's loaded one after the other, so that tiles of r by c registers
need r c + min(r, c) + 1 of them. A tile may be any size: leftovers go through a zeroed block on the stack.
"""

from __future__ import annotations

import numpy as np

from ....lang.functions.combiners import RUN_OF_PRODUCTS
from ....lang.nests.family import Family, ceil_div, product
from ..conditions import Condition, grouped_dim, of_one, unit_step, within_panel


def row_operand(kernel) -> int:
    return 1 - kernel.columns


def rows_of(family: Family, lane: str) -> list[str]:
    """The output's dimensions but the one of the columns; at most one of them is longer than 1 in a leaf."""
    return [d for d in family.nest.parallel if d != lane]


def blocked_rows(kernel, family: Family) -> bool:
    """Whether the row operand lies in whole registers' blocks, padded with zeros."""
    return family.operands[row_operand(kernel)].layout.panel is not None


def registers(kernel, family: Family, lane: str, size) -> tuple:
    """(registers down, across) of the output tile."""
    return ceil_div(product(size[d] for d in rows_of(family, lane)), kernel.matrix.rows), ceil_div(
        size[lane], kernel.matrix.rows
    )


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot serve the family at any size; empty when it can."""
    op, last, reduced = family.nest, len(family.operands) - 1, grouped_dim(family, lane)
    if op.finish is not None:
        return f"{kernel.name} stores what it computes as it is"
    a, b = row_operand(kernel), kernel.columns
    if last != 2 or family.output.dtype != family.accumulator:
        return f"{kernel.name} expects two inputs, and an output of {family.accumulator}; move it first"
    if family.output.layout.panel or not unit_step(family, last, lane) or lane not in op.parallel:
        return f"{kernel.name} expects an output contiguous along its columns"
    if lane not in family.access(b).dims or lane in family.access(a).dims:
        return f"{kernel.name} expects {lane} in operand {b} alone"
    columns, rows = family.operands[b].layout, family.operands[a].layout
    if reduced is None or columns.group[1] != kernel.group or columns.panel[1] % kernel.matrix.rows:
        return f"{kernel.name} expects operand {b} in panels with groups of {kernel.group}"
    if rows.panel is None:
        return "" if unit_step(family, a, reduced) else f"{kernel.name} expects operand {a} contiguous along {reduced}"
    depth = kernel.matrix.depth(family.operands[a].dtype)
    grouped = rows.group is not None and rows.group[1] == depth and (reduced, 1) in family.access(a).axes[rows.group[0]]
    if grouped and rows.panel[1] == kernel.matrix.rows:
        return ""
    return f"{kernel.name} expects operand {a} in blocks of {kernel.matrix.rows} by {depth}"


def conditions(kernel, lane: str, family: Family, target, size) -> list[Condition]:
    """Rows along one dimension of the row operand, one reduction, and the output tile in registers beside what a step
    holds."""
    rows, reduced = rows_of(family, lane), grouped_dim(family, lane)
    found: list[Condition] = []
    if len(rows) > 1:
        found.append(
            (
                sum(np.asarray(size[d]) > 1 for d in rows) <= 1,
                f"one of {' '.join(rows)} longer than 1; tile the others by 1",
            )
        )
    found += of_one(
        [d for d in rows if not _is_row(kernel, family, d)],
        size,
        f"the rows of {kernel.name} are of operand {row_operand(kernel)} alone, along its blocks",
    )
    found += of_one(
        [d for d in family.nest.reduction if d != reduced], size, f"{kernel.name} sums over {reduced} alone"
    )
    down, across = registers(kernel, family, lane, size)
    used = down * across + np.minimum(down, across) + 1
    found.append(
        (
            used <= kernel.matrix.registers,
            (
                f"an output tile in {kernel.matrix.registers} matrix registers beside its operands; tile the output"
                " smaller"
            ),
        )
    )
    most = RUN_OF_PRODUCTS * kernel.group
    found.append((np.asarray(size[reduced]) <= most, f"at most {most} of {reduced} summed at once; tile it"))
    return [*found, within_panel(family, kernel.columns, size)]


def _is_row(kernel, family: Family, dim: str) -> bool:
    """Whether the rows of the output tile may be along `dim`: it is of the row operand alone and, where that lies in
    blocks, along them."""
    access, layout = family.access(row_operand(kernel)), family.operands[row_operand(kernel)].layout
    along = layout.panel is None or (dim, 1) in access.axes[layout.panel[0]]
    return dim in access.dims and dim not in family.access(kernel.columns).dims and along
