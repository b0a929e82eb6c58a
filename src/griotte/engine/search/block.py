"""A family while it is solved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from .edges import address
from .graph import FamilyNode
from .ladder import Grid

INF = np.float32(np.inf)


@dataclass
class SolvedBlock:
    """A family while it is solved: `cost` [rows, limits] (freed once no parent needs it), so many `steps` of each
    limit's axis, and `slot`, the row of each point of the grid. While its own edges are relaxed: `decision` beside the
    costs, and which rows were `known` (on which `products` of coordinates)."""

    node: FamilyNode
    grid: Grid
    axes: tuple[int, ...]
    steps: tuple[int, ...]
    rows: np.ndarray
    slot: np.ndarray
    known: np.ndarray | None
    decision: np.ndarray | None
    products: list
    cost: np.ndarray
    specs_known: int

    @cached_property
    def told(self) -> tuple[int, int, int]:
        """What the loops are told of it as a child (`edges`): its costs, how many limits, its slots."""
        return address(self.cost), self.cost.shape[1], address(self.slot)

    def cost_at(self, points: np.ndarray, limit: int) -> np.ndarray:
        """Costs at grid points under one limit index, inf where nothing fits; only while the block's costs are held."""
        return np.where(self.slot[points] >= 0, self.cost[np.maximum(self.slot[points], 0), limit], INF)


def first(array: np.ndarray, whole: tuple[int, ...], steps: tuple[int, ...]) -> np.ndarray:
    """[rows, limits] of the first `steps` of each axis, of an array of limits that has as many steps as `whole`
    says."""
    if whole == steps:
        return array
    return array.reshape(len(array), *whole)[:, *(slice(n) for n in steps)].reshape(len(array), prod(steps))


def rows_in(product, block: SolvedBlock) -> np.ndarray:
    """The rows at a product of coordinates."""
    points = np.zeros(1, np.int64)
    for coordinates, stride in zip(product, block.grid.strides):
        points = (points[:, None] + np.array(coordinates, np.int64) * int(stride)).reshape(-1)
    rows = block.slot[points]
    return rows[rows >= 0]
