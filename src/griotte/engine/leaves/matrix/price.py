"""The price of leaves over matrix registers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....lang.nests.family import LINE, Family, product
from ...cost import traffic
from ...footprint import resident
from ..conditions import grouped_dim
from .serve import blocked_rows, registers, row_operand, rows_of


def _step_lines(kernel, family: Family, target, size, reduced: str):
    """Lines of the nearest cache that the rows of one step take up. Where there are not so many, prefetched lines are
    gone before they are used."""
    i = row_operand(kernel)
    depth = kernel.matrix.depth(family.operands[i].dtype)
    return resident(family.access(i), family.operands[i], {**size, reduced: depth}, target.spans)


def exposed(kernel, lane: str, family: Family, size):
    """The share of the output's way to memory that the reduction does not hide."""
    depth = kernel.matrix.depth(family.operands[row_operand(kernel)].dtype)
    return np.maximum(0.0, 1 - np.asarray(size[grouped_dim(family, lane)]) / (depth * kernel.matrix.hiding_steps))


def cycles(kernel, lane: str, family: Family, target, size):
    """Products and loads, whichever is more; copies through the stack; the output in and out; one latency."""
    matrix, a, b, reduced = kernel.matrix, row_operand(kernel), kernel.columns, grouped_dim(family, lane)
    down, across = registers(kernel, family, lane, size)
    through_stack = 0 if blocked_rows(kernel, family) else 1  # a part of a register of the row operand is copied
    part_rows = product(size[d] for d in rows_of(family, lane)) % matrix.rows
    steps, left = np.divmod(size[reduced], matrix.depth(family.operands[a].dtype))
    part = matrix.row_bytes / target.spans.line
    each = 1 + part if family.operands[a].layout.split else 1  # lines of a row, but of one that is a part of a line
    step = kernel.uops * matrix.rows * (matrix.row_bytes // 4) / target.ports.arithmetic * down * across
    step = step + matrix.joined * through_stack / target.ports.arithmetic * down
    step = (
        np.maximum(np.maximum(step, matrix.waiting), matrix.load_cycles * (each * down + across))
        + through_stack * matrix.copied_line_cycles * part_rows
    )
    far_rows = (family.operands[a].level > 1) * (
        1
        + (matrix.crowded - 1)
        * (
            _step_lines(kernel, family, target, size, reduced)
            > target.crossing.fitting * target.levels[1].capacity // target.spans.line
        )
    )
    step = step + matrix.far_line_cycles * matrix.rows * (matrix.row_bytes / LINE) * (
        far_rows * each * down + (family.operands[b].level > 1) * across
    )
    last = (left > 0) * (step + matrix.copied_line_cycles * matrix.rows * (across + through_stack * down))
    trips = 2 if family.accumulate else 1
    parts = (part_rows > 0) * across + (np.asarray(size[lane]) % matrix.rows > 0) * down
    moved = (
        down * across * (matrix.store_cycles + matrix.load_cycles * (trips - 1))
        + trips * matrix.copied_line_cycles * matrix.rows * parts
    )
    return steps * step + last + moved + kernel.latency


def crossing(kernel, lane: str, family: Family, target, size, cycles) -> Iterator[dict]:
    """The counts of operands on their way, and the part of the output's that the reduction does not hide."""
    last = len(family.operands) - 1
    for i, operand in enumerate(family.operands):
        if operand.level > 0:
            yield traffic.features(family, i, target, size)
            if i == last:
                yield traffic.exposed(family, target, size, exposed(kernel, lane, family, size))
