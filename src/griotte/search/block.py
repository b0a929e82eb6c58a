"""A family while it is solved, and its children as they are seen from there."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np

from .graph import FamilyNode
from .ladder import Grid

INF = np.float32(np.inf)
ONCE = np.ones(1, np.float32)


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

    def cost_at(self, points: np.ndarray, limit: int) -> np.ndarray:
        """Costs at grid points under one limit index, inf where nothing fits; only while the block's costs are held."""
        return np.where(self.slot[points] >= 0, self.cost[np.maximum(self.slot[points], 0), limit], INF)


class Carried(NamedTuple):
    """A child from its parent's points: `cost` [rows, limits] of it, the row (`slot`) and how often (`times`; of length
    1: everywhere) at each point, and the limit that it finds there, `table[kind[point], parent's limit]`; -1 where it
    has no program."""

    cost: np.ndarray
    slot: np.ndarray
    times: np.ndarray
    kind: np.ndarray
    table: np.ndarray


def columns(children: list[Carried]) -> tuple[tuple[np.ndarray, ...], ...]:
    """Children that carry, as the loops take them: the costs of all, their slots, and so on."""
    return tuple(zip(*((child.cost, child.slot, child.times, child.kind, child.table) for child in children)))


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
