"""Rectangles: the decisions of a solved family as disjoint boxes of one decision each.

A block is dense over a grid: the sizes' coordinates, then one axis of STEPS steps for each memory limit. `cover` turns
it into boxes, and they answer for one cell (`at`), for all (`dense`) or for a product of coordinates (`gather`).
Nothing here knows what a decision means. The cover was chosen among those of docs/lab/covers/README.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .codes import FREE

LONGEST = np.iinfo(np.uint16).max  # of an axis: a coordinate, and one past the last, are uint16


@dataclass(frozen=True, eq=False)
class Boxes:
    """Disjoint boxes of one decision each over a grid of `shape` (sizes' coordinates, then one axis per memory limit).

    low    [boxes, axes] uint16  first coordinate
    high   [boxes, axes] uint16  one past the last
    value  [boxes] int16         the decision

    `low` and `high` of a cover lie in memory by column, for `at` and for compression, and in order of their low
    corners.
    """

    shape: tuple[int, ...]
    low: np.ndarray
    high: np.ndarray
    value: np.ndarray

    def __len__(self) -> int:
        return len(self.value)

    def at(self, coordinate) -> int:
        """The decision at a cell; FREE when no box holds it."""
        left: slice | np.ndarray = slice(None)  # the boxes that hold what was looked at of the coordinate
        for axis, c in enumerate(coordinate):
            low, high = self.low[left, axis], self.high[left, axis]
            inside = np.flatnonzero((low <= c) & (c < high))
            if not len(inside):
                return FREE
            left = left[inside] if isinstance(left, np.ndarray) else inside
        found = self.value[left]
        return int(found[0]) if len(found) else FREE

    def along(self, coordinate, axis: int, places: np.ndarray) -> np.ndarray:
        """int16, the decisions at some places of an axis, at a coordinate of all others; FREE where no box is."""
        left = np.arange(len(self.value))
        for other, c in enumerate(coordinate):
            if other != axis:
                left = left[(self.low[left, other] <= c) & (c < self.high[left, other])]
        found = np.full(self.shape[axis], FREE, np.int16)
        for low, high, value in zip(self.low[left, axis], self.high[left, axis], self.value[left]):
            found[low:high] = value
        return found[places]

    @property
    def overlap(self) -> bool:
        """Whether they hold more cells than there are: disjoint boxes never do."""
        return float(np.prod(self.high.astype(np.float64) - self.low, axis=1).sum()) > math.prod(self.shape)

    def dense(self) -> np.ndarray:
        """int16 of `shape`: the decision of every cell, FREE where no box is. ValueError where boxes overlap by so much
        that they would take longer to paint than cells: all work here is bounded by the cells."""
        from .covering import paint

        if self.overlap:
            raise ValueError(f"{len(self)} boxes that overlap")
        block = np.full(self.shape, FREE, np.int16)
        paint(block.reshape(-1), np.array(self.shape, np.int64), self.low, self.high, self.value)
        return block

    def gather(self, index: list[np.ndarray]) -> np.ndarray:
        """int16, the dense block at the product of `index`: coordinates for each axis, ascending."""
        low, high = np.empty_like(self.low), np.empty_like(self.high)
        for axis, coordinates in enumerate(index):
            first = np.searchsorted(coordinates, np.arange(self.shape[axis] + 1)).astype(np.uint16)
            low[:, axis], high[:, axis] = first[self.low[:, axis]], first[self.high[:, axis]]
        kept = np.all(low < high, axis=1)
        return Boxes(tuple(map(len, index)), low[kept], high[kept], self.value[kept]).dense()


def cover(rows: np.ndarray, slot: np.ndarray, decision: np.ndarray, shape: tuple[int, ...]) -> Boxes:
    """Boxes that hold each cell of a solved block once, by greedy growth.

    rows      [rows] int64           grid point of each row, ascending
    slot      [points] int32         row of each grid point; -1: FREE
    decision  [rows, limits] int16   "no program" (-1) is a decision like others
    shape     the grid's, then one axis for each limit: as many cells as points times limits

    A box starts at the first cell in row-major order that has none. It grows towards higher coordinates along the last
    axis as far as it can, then along the one before, and so on. It grows over cells of its decision and over FREE cells
    that no box has. It is exact, and takes time linear in cells times axes. ValueError for a shape that does not match.
    """
    from .covering import grow_all

    cells = len(slot) * decision.shape[1]
    if math.prod(shape) != cells or max(shape, default=0) > LONGEST:
        raise ValueError(f"expected a shape of {cells} cells, with at most {LONGEST} on an axis, found {shape}")
    low, high, value = grow_all(rows, slot, decision, np.array(shape, np.int64))
    return Boxes(tuple(shape), np.asfortranarray(low), np.asfortranarray(high), value)
