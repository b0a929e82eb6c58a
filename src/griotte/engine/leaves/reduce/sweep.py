"""Rows of an input that the windows of several results meet: a reduce leaf goes down the rows of the input in place of
those of each window, and reads each once.

    plain:  for i, j:  for y:                     c[y] += x[y * stride + i * dilation, j] * w[i, j]
    swept:  for r, j:  for y, i that meet row r:  c[y] += x[r, j] * w[i, j]

Every result takes its terms in the same order. All of a swept leaf's steps within such a window are written out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np

from ....lang.nests.access import Access
from ....lang.nests.family import Family, product
from ....lang.types.expr import WEIGHED
from ...footprint import latest
from ..conditions import unit_step
from .serve import LEAST_RUN, accumulator_vectors, chains, converts, operand_vectors, partial

PLAIN, SWEPT, HELD = 0, 1, 2
"""Ways to go: with the window; down the rows of the input, other inputs read anew where they are needed; and likewise
with these in registers, from one row to the next."""


@dataclass(frozen=True)
class Sweep:
    """An axis of inputs along which `row`, a dimension of the results, moves by `stride`, and `window`, the last sum
    but one, by `dilation`; `inner` is the last."""

    row: str
    window: str
    inner: str
    stride: int
    dilation: int

    def is_along(self, access: Access, lane: str) -> bool:
        """Whether the results that meet a row of this input take the same vectors of it."""
        here = [axis for axis in access.axes if {self.row, self.window} & {d for d, _ in axis}]
        return lane in access.dims and here == [((self.row, self.stride), (self.window, self.dilation))]

    def steps(self, size) -> Any:
        """Pairs of a row of the results and one of its window."""
        return np.asarray(size[self.row]) * size[self.window]

    def met(self, size) -> Any:
        """How many rows of the input they meet. A pair is a row of results and a row of its window. Two pairs meet the
        same row if one is `dilation` rows of results on and `stride` rows of the window back. Both distances are
        divided by their common divisor."""
        common = gcd(self.stride, self.dilation)
        again = [
            np.maximum(0, np.asarray(size[d]) - by // common)
            for d, by in ((self.row, self.dilation), (self.window, self.stride))
        ]
        return self.steps(size) - product(again)

    def begun(self, size) -> Any:
        """Rows of results, at most, whose windows span one row of the input."""
        return np.minimum(size[self.row], 1 + self.dilation * (np.asarray(size[self.window]) - 1) // self.stride)

    def meetings(self, size) -> dict[int, dict[int, int]]:
        """By row of the input, in order, the results that meet it, and each by which row of its window."""
        found: dict[int, dict[int, int]] = {}
        for y in range(size[self.row]):
            for i in range(size[self.window]):
                found.setdefault(y * self.stride + i * self.dilation, {})[y] = i
        return dict(sorted(found.items()))


def sweep_of(kernel, family: Family, lane: str) -> Sweep | None:
    """Along what a leaf may be swept; None: no window meets rows of an input, with its lanes, that another one does."""
    op = family.nest
    if kernel.group > 1 or kernel.by_lane or lane not in op.parallel or len(op.summed) < 2:
        return None
    window, inner = op.summed[-2:]
    for i in range(op.streamed):
        access = family.access(i)
        axis = access.axes[access.axis_of(window)] if window in access.dims else ()
        if len(axis) != 2:
            continue
        (row, stride), (last, dilation) = axis
        found = Sweep(row, window, inner, stride, dilation)
        is_met = last == window and row in op.results and row != lane and found.is_along(access, lane)
        if is_met and not _is_in_panels(found, family, lane):
            return found
    return None


def _is_in_panels(sweep: Sweep, family: Family, lane: str) -> bool:
    """Whether an input that the sweep goes along is cut into panels: no step of a row leads from one to the next."""
    inputs = zip(family.nest.inputs[: family.nest.streamed], family.operands)
    return any(sweep.is_along(access, lane) and operand.layout.panel for access, operand in inputs)


def ends_early(family: Family, lane: str) -> bool:
    """Whether a swept leaf stores each result as soon as its window is done, so that only begun results are in
    registers. There is then no loop around its window, and vectors are stored as they lie."""
    op = family.nest
    return len(op.summed) == 2 and not op.fold and op.body != WEIGHED and unit_step(family, len(op.inputs), lane)


def way(kernel, family: Family, lane: str, target, size):
    """Which of the ways a leaf goes: the one that reads fewest vectors, of those that there are registers for. It goes
    with the window where all steps, written out, are more updates than `Writing.swept`, or where sums would go on to
    others within."""
    sweep = sweep_of(kernel, family, lane)
    if sweep is None:
        return PLAIN
    op = family.nest
    updates = accumulator_vectors(op, family.output.vector, size)
    terms = np.asarray(size[sweep.window]) * size[sweep.inner]
    is_short = (updates * terms <= target.writing.swept) & (terms <= LEAST_RUN)
    inputs = range(op.streamed)
    begun = updates // size[sweep.row] * sweep.begun(size) if ends_early(family, lane) else updates
    free = (
        target.registers
        - begun * chains(kernel, family, target, lane, size)
        - 1
        - any(converts(kernel, family, i) for i in inputs)
        - partial(family, lane, target, size)
    )
    found, least = np.asarray(PLAIN), sum(_taken(sweep, PLAIN, family, i, lane, size) for i in inputs)
    for one in (SWEPT, HELD):
        taken = sum(_taken(sweep, one, family, i, lane, size) for i in inputs)
        held = sum(_held(sweep, one, family, i, lane, size) for i in inputs)
        better = is_short & (held <= free) & (taken < least)
        found, least = np.where(better, one, found), np.where(better, taken, least)
    return found


def reads(kernel, family: Family, lane: str, target, size) -> list:
    """By input, the vectors that a leaf reads of it for each that it would by the step."""
    return latest(size, "reads", (kernel.name, lane, family), lambda: _reads(kernel, family, lane, target, size))


def _reads(kernel, family: Family, lane: str, target, size) -> list:
    inputs = range(family.nest.streamed)
    sweep, taken = sweep_of(kernel, family, lane), way(kernel, family, lane, target, size)
    if sweep is None or not np.any(taken):
        return [1.0 for _ in inputs]
    plain, swept, held = ([_taken(sweep, one, family, i, lane, size) for i in inputs] for one in (PLAIN, SWEPT, HELD))
    return [np.choose(taken, (plain[i], swept[i], held[i])) / plain[i] for i in inputs]


def _taken(sweep: Sweep, taken: int, family: Family, i: int, lane: str, size):
    """Vectors of input i that are read for one turn of the loops around the window."""
    access, count = family.access(i), operand_vectors(family, i, lane, size)
    if taken == PLAIN:
        return count * np.asarray(size[sweep.window]) * size[sweep.inner]
    if sweep.is_along(access, lane):
        return count // size[sweep.row] * sweep.met(size) * size[sweep.inner]
    if taken == HELD:
        return _held(sweep, taken, family, i, lane, size)
    if sweep.row in access.dims:
        return count * np.asarray(size[sweep.window]) * size[sweep.inner]
    met = sweep.steps(size) if sweep.window in access.dims else sweep.met(size)
    return count * met * size[sweep.inner]


def _held(sweep: Sweep, taken: int, family: Family, i: int, lane: str, size):
    """Registers that hold vectors of input i: of one that is swept none beside the one that is streamed; of others what
    all steps take, or those at a row."""
    access = family.access(i)
    if sweep.is_along(access, lane):
        return 0
    dims = [sweep.window] + [sweep.inner] * (taken == HELD)
    return operand_vectors(family, i, lane, size) * product(np.asarray(size[d]) for d in dims if d in access.dims)
