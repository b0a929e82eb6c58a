"""Rectangles: the decisions of a solved family as disjoint boxes of one decision each.

A block is dense over a grid: the sizes' coordinates, then one axis of STEPS steps for each memory limit. `cover` turns
it into boxes, and they answer for one cell (`at`), for all (`dense`) or for a product of coordinates (`gather`).
Nothing here knows what a decision means. The cover was chosen among those of docs/table.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FREE = -2  # in a dense block: a cell that no one may ask for (its operands do not fit); a box may lie over it


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

    def dense(self) -> np.ndarray:
        """int16 of `shape`: the decision of every cell, FREE where no box is."""
        from .covering import paint

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
