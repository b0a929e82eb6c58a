"""What a leaf over matrix registers costs and needs: the output tile in some of them, the reduction streamed through the rest.

    c[m, n] += a[m, k] b[k, n]    rows m from an operand contiguous along k, columns n from one in panels with groups

One side's registers are held through a step, the other's loaded one after the other, so that tiles of r by c registers need
r c + min(r, c) + 1 of them. A tile may be any size: what is not whole goes through a zeroed block on the stack.
"""

from __future__ import annotations

import numpy as np

from ..spec.family import LINE, Family, product, resident
from .operands import grouped_dim, unit_step, within_panel
from .whole import ceil_div, longest


def row_operand(kernel) -> int:
    return 1 - kernel.columns


def rows_of(family: Family, lane: str) -> list[str]:
    """The output's dimensions but the one of the columns; at most one of them is longer than 1 in a leaf."""
    return [d for d in family.operation.parallel if d != lane]


def blocked_rows(kernel, family: Family) -> bool:
    """Whether the row operand lies in whole registers' blocks, padded with zeros."""
    return family.operands[row_operand(kernel)].layout.panel is not None


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot serve the family at any size; empty when it can."""
    op, last, reduced = family.operation, len(family.operands) - 1, grouped_dim(family, lane)
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
    return "" if grouped and rows.panel[1] == kernel.matrix.rows else f"{kernel.name} expects operand {a} in blocks of {kernel.matrix.rows} by {depth}"


def registers(kernel, family: Family, lane: str, size) -> tuple:
    """(registers down, across) of the output tile."""
    return ceil_div(product(size[d] for d in rows_of(family, lane)), kernel.matrix.rows), ceil_div(size[lane], kernel.matrix.rows)


def conditions(kernel, lane: str, family: Family, target, size) -> list[tuple[object, str]]:
    """What `leaf.fits` asks for: (bool or an array of them, what is expected)."""
    rows, reduced = rows_of(family, lane), grouped_dim(family, lane)
    alone = longest(size[d] for d in rows) == product(size[d] for d in rows)
    found = [(alone, f"one of {' '.join(rows)} longer than 1; tile the others by 1")] if len(rows) > 1 else []
    others = [d for d in rows if not _is_row(kernel, family, d)]
    found += [(np.asarray(size[d]) == 1, f"{d} = 1, for the rows of {kernel.name} are of operand {row_operand(kernel)} alone, along its blocks; tile {d} by 1") for d in others]
    found += [(np.asarray(size[d]) == 1, f"{d} = 1, for {kernel.name} sums over {reduced} alone; tile {d} by 1") for d in family.operation.reduction if d != reduced]
    down, across = registers(kernel, family, lane, size)
    used = down * across + np.minimum(down, across) + 1
    found.append((used <= kernel.matrix.registers, f"an output tile in {kernel.matrix.registers} matrix registers beside its operands; tile the output smaller"))
    return [*found, within_panel(family, kernel.columns, size)]


def _is_row(kernel, family: Family, dim: str) -> bool:
    """Whether the rows of the output tile may be along `dim`: it is of the row operand alone and, where that lies in blocks, along them."""
    access, layout = family.access(row_operand(kernel)), family.operands[row_operand(kernel)].layout
    along = layout.panel is None or (dim, 1) in access.axes[layout.panel[0]]
    return dim in access.dims and dim not in family.access(kernel.columns).dims and along


def _step_lines(kernel, family: Family, size, reduced: str):
    """Lines of the nearest cache that the rows of one step take up. Where there are not so many, what is fetched ahead is gone before it is used."""
    i = row_operand(kernel)
    depth = kernel.matrix.depth(family.operands[i].dtype)
    return resident(family.access(i), family.operands[i], {**size, reduced: depth})


def exposed(kernel, lane: str, family: Family, size):
    """The share of the output's way to memory that the reduction does not hide."""
    depth = kernel.matrix.depth(family.operands[row_operand(kernel)].dtype)
    return np.maximum(0.0, 1 - np.asarray(size[grouped_dim(family, lane)]) / (depth * kernel.matrix.hiding_steps))


def cycles(kernel, lane: str, family: Family, target, size):
    """Products and loads, whichever is more; what is copied through the stack; the output in and out; one latency."""
    matrix, a, b, reduced = kernel.matrix, row_operand(kernel), kernel.columns, grouped_dim(family, lane)
    down, across = registers(kernel, family, lane, size)
    through_stack = 0 if blocked_rows(kernel, family) else 1  # a part of a register of the row operand is copied
    part_rows = product(size[d] for d in rows_of(family, lane)) % matrix.rows
    steps, left = np.divmod(size[reduced], matrix.depth(family.operands[a].dtype))
    each = 2 if family.operands[a].layout.split else 1  # lines of a row
    step = kernel.uops * matrix.rows * (matrix.row_bytes // 4) / target.ports.arithmetic * down * across
    step = np.maximum(step, matrix.load_cycles * (each * down + across)) + through_stack * matrix.copied_line_cycles * part_rows
    far_rows = (family.operands[a].level > 1) * (1 + (matrix.crowded - 1) * (_step_lines(kernel, family, size, reduced) > target.crossing.fitting * target.levels[1].capacity // LINE))
    step = step + matrix.far_line_cycles * matrix.rows * (far_rows * each * down + (family.operands[b].level > 1) * across)
    last = (left > 0) * (step + matrix.copied_line_cycles * matrix.rows * (across + through_stack * down))
    trips = 2 if family.accumulate else 1
    parts = (part_rows > 0) * across + (np.asarray(size[lane]) % matrix.rows > 0) * down
    moved = down * across * (matrix.store_cycles + matrix.load_cycles * (trips - 1)) + trips * matrix.copied_line_cycles * matrix.rows * parts
    return steps * step + last + moved + kernel.latency
