"""The grid of a family, the product of the ladders of its dimensions; and its rows, the points where operands fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod

import numpy as np

from ...lang.nests.access import Mesh
from .graph import FamilyNode
from .ladder import Ladder


@lru_cache(1 << 12)
def ladder_names(operation) -> tuple[str, ...]:
    """The ladders that the dimensions of an operation are on."""
    return tuple(operation.ladder(d) for d in operation.dims)


class Grid:
    """The product of the ladders of an operation's dimensions, flattened row-major: the points of its families."""

    def __init__(self, operation, ladders: dict[str, Ladder]):
        self.dims = operation.dims
        self.key = ladder_names(operation)
        self.ladders = [ladders[name] for name in self.key]
        self.shape = tuple(len(ladder) for ladder in self.ladders)
        self.points = int(np.prod(self.shape, dtype=np.int64))
        self.strides = np.array(
            [int(np.prod(self.shape[i + 1 :], dtype=np.int64)) for i in range(len(self.dims))], np.int64
        )

    @cached_property
    def size(self) -> Mesh:
        """Sizes by dimension as an open mesh: arrays that broadcast to `shape`."""
        return self.at([np.arange(n) for n in self.shape])

    def at(self, places: list[np.ndarray]) -> Mesh:
        """The sizes at a product of coordinates, as an open mesh."""
        rank = len(self.dims)
        return Mesh(
            (d, ladder.sizes[place].reshape([-1 if j == i else 1 for j in range(rank)]))
            for i, (d, ladder, place) in enumerate(zip(self.dims, self.ladders, places))
        )

    def places(self, holds: np.ndarray) -> list[np.ndarray]:
        """The coordinates of each dimension at which something holds, somewhere: `holds` is over the open mesh."""
        holds = holds.reshape((1,) * (len(self.shape) - holds.ndim) + holds.shape)
        axes = range(len(self.shape))
        along = (holds.any(axis=tuple(a for a in axes if a != axis)) for axis in axes)
        return [np.flatnonzero(np.broadcast_to(one, n)) for one, n in zip(along, self.shape)]

    def points_at(self, places: Sequence[np.ndarray | tuple[int, ...]]) -> np.ndarray:
        """The points at a product of coordinates."""
        found = np.zeros(1, np.int64)
        for place, stride in zip(places, self.strides):
            found = (found[:, None] + np.asarray(place, np.int64) * stride).reshape(-1)
        return found

    @cached_property
    def coordinates(self) -> np.ndarray:
        """[points, dims] coordinates of each point."""
        if not self.dims:
            return np.zeros((1, 0), np.int32)
        return np.stack(np.unravel_index(np.arange(self.points), self.shape), axis=1).astype(np.int32)

    def flat(self, array) -> np.ndarray:
        """An array over the open mesh (or a number) as one value per point, an array of its own."""
        return np.array(np.broadcast_to(array, self.shape), order="C").reshape(-1)

    def point(self, sizes: dict[str, int]) -> int:
        return sum(int(s) * ladder.index[sizes[d]] for d, s, ladder in zip(self.dims, self.strides, self.ladders))

    def projects(self, whole: Grid) -> bool:
        """Whether its dimensions are some of those of `whole`, on the same ladders."""
        return dict(zip(self.dims, self.key)).items() <= dict(zip(whole.dims, whole.key)).items()

    def projection(self, onto: Grid) -> np.ndarray:
        """For each point, the point of `onto` (whose dimensions are some of these) with the same coordinates."""
        result = np.zeros(self.points, np.int64)
        for dim, stride in zip(onto.dims, onto.strides):
            result += self.coordinates[:, self.dims.index(dim)] * stride
        return result

    def mapped(self, onto: Grid, size) -> np.ndarray:
        """For each point, the point of `onto` of the sizes that `size` has there; -1 where they are not on its
        ladders."""
        result, on = np.zeros(self.points, np.int64), np.ones(self.points, bool)
        for dim, stride, ladder in zip(onto.dims, onto.strides, onto.ladders):
            wanted = self.flat(size[dim])
            at = np.minimum(np.searchsorted(ladder.sizes, wanted), len(ladder) - 1)
            on &= ladder.sizes[at] == wanted
            result += at * stride
        return np.where(on, result, -1)


@dataclass
class FamilyRows:
    """The rows of a family: the points of its grid at which every operand fits its level.

    Attributes:
        node: the family, and what leaves it.
        grid: its points.
        axes: the levels whose limit is a coordinate.
        steps: how many steps of each such limit, from none left on.
        rows: [rows] the point of each row, ascending.
        slot: [points] the row of each point, -1 for none.
    """

    node: FamilyNode
    grid: Grid
    axes: tuple[int, ...]
    steps: tuple[int, ...]
    rows: np.ndarray
    slot: np.ndarray

    @property
    def limits(self) -> int:
        """How many indices of limits there are."""
        return prod(self.steps)

    def within(self, product: tuple[tuple[int, ...], ...]) -> np.ndarray:
        """The rows at a product of coordinates."""
        rows = self.slot[self.grid.points_at(product)]
        return rows[rows >= 0]


def first(array: np.ndarray, whole: tuple[int, ...], steps: tuple[int, ...]) -> np.ndarray:
    """[rows, limits] of the first `steps` of each axis, of an array of limits that has `whole` steps of each."""
    if whole == steps:
        return array
    return array.reshape(len(array), *whole)[:, *(slice(n) for n in steps)].reshape(len(array), prod(steps))
