"""Ladders: the sizes an axis can take, closed under remainder by the tile sizes, and grids of them.

A coordinate is an index into a ladder. The size of the problem is on the ladder; tile sizes are 2^a, 3 * 2^a and what
the target adds (register-tile widths); tile t on size s leaves s mod t, which is on the ladder too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np

from ...lang.nests.border import Mesh
from ...support.errors import NoProgramError
from ..table import TILE_SPAN


def even_shares(extent: int) -> tuple[int, ...]:
    """A half of `extent`, a quarter and so on, rounded up."""
    return tuple(-(-extent // (1 << a)) for a in range(1, extent.bit_length() + 1))


def tile_sizes(extent: int, extra: tuple[int, ...] = ()) -> list[int]:
    """2^a, 3 * 2^a and `extra`, below or at `extent`, in order."""
    base = {m << a for m in (1, 3) for a in range(extent.bit_length())} | set(extra)
    return sorted(t for t in base if 0 < t <= extent)


class Ladder:
    """The sizes of one axis: `sizes` ascending, the last one is the extent; `tiles` are those that a loop may step by.
    With each size it holds those that are `asked` for at it. Without `tiles` it steps by those of `tile_sizes`."""

    def __init__(
        self,
        extents: tuple[int, ...] | int,
        extra: tuple[int, ...] = (),
        asked: Callable[[int], set[int]] = lambda size: set(),
        tiles: tuple[int, ...] | None = None,
    ):
        extents = (extents,) if isinstance(extents, int) else extents
        self.tiles = tile_sizes(max(extents), extra) if tiles is None else list(tiles)
        sizes = set(self.tiles) | set(extents)
        while fresh := {s % t for s in sizes for t in self.tiles if t < s and s % t}.union(*map(asked, sizes)) - sizes:
            sizes |= fresh
        self.sizes = np.array(sorted(sizes), dtype=np.int64)
        if len(self.tiles) > TILE_SPAN:
            raise NoProgramError(
                f"expected an axis with at most {TILE_SPAN} tile sizes, found {len(self.tiles)} for {max(extents)};"
                " pass fewer extra tile sizes"
            )
        self.index = {int(s): i for i, s in enumerate(self.sizes)}
        self._tables: dict[tuple, tuple[np.ndarray, np.ndarray]] = {}

    def __len__(self) -> int:
        return len(self.sizes)

    def loops(self, key: tuple, allowed) -> tuple[np.ndarray, np.ndarray]:
        """(quotient, remainder index) by [size, tile]: quotient 0 where the loop is not in the space; remainder -1 for
        none."""
        if key not in self._tables:
            shape = len(self), len(self.tiles)
            quotient, remainder = np.zeros(shape, np.float32), np.full(shape, -1, np.int32)
            for i, extent in enumerate(map(int, self.sizes)):
                for t, tile in enumerate(self.tiles):
                    if tile >= extent:
                        break
                    if allowed(extent, tile):
                        quotient[i, t] = extent // tile
                        remainder[i, t] = self.index[extent % tile] if extent % tile else -1
            self._tables[key] = quotient, remainder
        return self._tables[key]


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

    def points_at(self, places: list[np.ndarray]) -> np.ndarray:
        """The points at a product of coordinates."""
        found = np.zeros(1, np.int64)
        for place, stride in zip(places, self.strides):
            found = (found[:, None] + place * stride).reshape(-1)
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
