"""Runs: the decisions of a solved family in memory, where no file keeps them: row after row, of neighbours alike one.
They are made in two passes over the cells, a fraction of the time that a cover takes; boxes are smaller in a file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numba
import numpy as np

from .boxes import Boxes, cover
from .codes import FREE


@dataclass(frozen=True, eq=False)
class Runs:
    """One decision for each stretch of cells of a block of rows over a grid of `shape` (sizes' coordinates, then one
    axis per memory limit, of the steps that were met).

    slot    [points] int32             row of each grid point; -1: FREE
    limits                             cells of a row
    end     [runs] uint32 (or uint64)  one past the last cell of each, row after row
    chosen  [runs] int16               its decision

    As boxes (`low`, `high`, `value`) they are covered when that is first asked for.
    """

    shape: tuple[int, ...]
    slot: np.ndarray
    limits: int
    end: np.ndarray
    chosen: np.ndarray

    @staticmethod
    def of(slot: np.ndarray, decision: np.ndarray, shape: tuple[int, ...]) -> Runs:
        """The runs of a solved block: `decision` [rows, limits] int16."""
        cells = decision.reshape(-1)
        count = _count(cells)
        end, chosen = np.empty(count, np.uint32 if len(cells) < 1 << 32 else np.uint64), np.empty(count, np.int16)
        _fill(cells, end, chosen)
        return Runs(tuple(shape), slot, decision.shape[1], end, chosen)

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
        return FREE if row < 0 else int(self.chosen[np.searchsorted(self.end, row * self.limits + limit, side="right")])

    def decision(self) -> np.ndarray:
        """int16 [rows, limits]."""
        lengths: np.ndarray = np.diff(self.end.astype(np.int64), prepend=0)
        return np.repeat(self.chosen, lengths).reshape(-1, self.limits)

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


@numba.njit(cache=True, nogil=True)
def _count(cells):
    """How many runs there are."""
    count = min(1, cells.shape[0])
    for i in range(1, cells.shape[0]):
        count += cells[i] != cells[i - 1]
    return count


@numba.njit(cache=True, nogil=True)
def _fill(cells, end, chosen):
    run = 0
    for i in range(cells.shape[0]):
        if i + 1 == cells.shape[0] or cells[i + 1] != cells[i]:
            end[run], chosen[run] = i + 1, cells[i]
            run += 1
