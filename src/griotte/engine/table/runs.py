"""Runs: the decisions of a solved family in memory, where no file keeps them: row after row, of neighbours alike one.
They are made in one pass over the cells, a fraction of the time that a cover takes; boxes are smaller in a file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...support.inner_loops import inner_loop
from .boxes import Boxes, cover
from .codes import FREE

LONGEST, PALETTE = 255, 256  # cells of a run, and decisions that a byte tells apart


@dataclass(frozen=True, eq=False)
class Runs:
    """One decision for each stretch of cells of a block of rows over a grid of `shape` (sizes' coordinates, then one
    axis per memory limit, of the steps that were met).

    slot    [points] int32             row of each grid point; -1: FREE
    limits                             cells of a row
    length  [runs] uint8               cells of each, row after row; a longer one is several
    chosen  [runs] uint8 or int16      its decision, or where in `palette` that is
    palette [decisions] int16          the decisions that there are; of more than 256 none

    As boxes (`low`, `high`, `value`) they are covered when that is first asked for.
    """

    shape: tuple[int, ...]
    slot: np.ndarray
    limits: int
    length: np.ndarray
    chosen: np.ndarray
    palette: np.ndarray

    @staticmethod
    def of(slot: np.ndarray, decision: np.ndarray, shape: tuple[int, ...]) -> Runs:
        """The runs of a solved block: `decision` [rows, limits] int16."""
        cells = decision.reshape(-1)
        length, chosen = np.empty(len(cells), np.uint8), np.empty(len(cells), np.int16)  # memory as far as it is used
        least, most = (int(cells.min()), int(cells.max())) if len(cells) else (0, 0)
        palette, place = np.empty(most - least + 1, np.int16), np.full(most - least + 1, -1, np.int16)
        count, different = _fill(cells, length, chosen, palette, place, least)
        length, chosen, palette = length[:count].copy(), chosen[:count], palette[:different]
        if different <= PALETTE:
            chosen, palette = chosen.astype(np.uint8), palette.copy()
        else:
            chosen, palette = palette[chosen], palette[:0].copy()
        return Runs(tuple(shape), slot, decision.shape[1], length, chosen, palette)

    def __len__(self) -> int:
        return len(self.chosen)

    def at(self, coordinate) -> int:
        """The decision at a cell; FREE where it has no row."""
        cell = 0
        if any(c >= n for n, c in zip(self.shape, coordinate)):
            return FREE
        for n, c in zip(self.shape, coordinate):
            cell = cell * n + int(c)
        point, limit = divmod(cell, self.limits)
        row = int(self.slot[point])
        if row < 0:
            return FREE
        return int(self._decisions(self.chosen[_run_of(self.length, row * self.limits + limit)]))

    def along(self, coordinate, axis: int, places: np.ndarray) -> np.ndarray:
        """int16, the decisions at some places of an axis, at a coordinate of all others; FREE where there is no row."""
        found = np.full(len(places), FREE, np.int16)
        if any(c >= n for i, (n, c) in enumerate(zip(self.shape, coordinate)) if i != axis):
            return found
        cell = np.zeros(len(places), np.int64)
        for i, (n, c) in enumerate(zip(self.shape, coordinate)):
            cell = cell * n + (places if i == axis else int(c))
        point, limit = np.divmod(cell, self.limits)
        row = self.slot[point].astype(np.int64)
        which = np.flatnonzero(row >= 0)
        which = which[np.argsort(row[which])]
        runs = _runs_of(self.length, row[which] * self.limits + limit[which])
        found[which] = self._decisions(self.chosen[runs])
        return found

    def _decisions(self, chosen):
        return self.palette[chosen] if len(self.palette) else chosen

    def decision(self) -> np.ndarray:
        """int16 [rows, limits]."""
        return np.repeat(self._decisions(self.chosen), self.length).reshape(-1, self.limits)

    def dense(self) -> np.ndarray:
        """int16 of `shape`: the decision of every cell, FREE where it has no row."""
        found = np.full((len(self.slot), self.limits), FREE, np.int16)
        has = self.slot >= 0
        found[has] = self.decision()[self.slot[has]]
        return found.reshape(self.shape)

    def gather(self, index: list[np.ndarray]) -> np.ndarray:
        """int16, the dense block at the product of `index`: coordinates for each axis, ascending."""
        return self.dense()[np.ix_(*index)] if index else self.dense()

    @cached_property
    def covered(self) -> Boxes:
        return cover(np.flatnonzero(self.slot >= 0), self.slot, self.decision(), self.shape)

    @property
    def low(self) -> np.ndarray:
        return self.covered.low

    @property
    def high(self) -> np.ndarray:
        return self.covered.high

    @property
    def value(self) -> np.ndarray:
        return self.covered.value


@inner_loop()
def _fill(cells, length, chosen, palette, place, least):
    """How many runs there are, and how many decisions; `palette` has these in the order in which they first come, and
    `chosen` where each is in it. `place` is that by decision, from the `least` one on; -1 before it comes."""
    run, different, i = 0, 0, 0
    while i < cells.shape[0]:
        end, code = i + 1, cells[i]
        while end < cells.shape[0] and cells[end] == code:
            end += 1
        if place[code - least] < 0:
            place[code - least], palette[different] = different, code
            different += 1
        while i < end:
            length[run], chosen[run] = min(end - i, LONGEST), place[code - least]
            i += length[run]
            run += 1
    return run, different


@inner_loop()
def _run_of(length, cell):
    """The run that has a cell."""
    end = 0
    for run in range(length.shape[0]):
        end += length[run]
        if cell < end:
            return run
    return -1


@inner_loop()
def _runs_of(length, cells):
    """The run that has each of some cells, ascending."""
    found, run, end = np.empty(cells.shape[0], np.int64), -1, 0
    for i in range(cells.shape[0]):
        while cells[i] >= end:
            run += 1
            end += length[run]
        found[i] = run
    return found
