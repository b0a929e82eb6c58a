"""A patch: the solutions of one family over a product of sizes, and its form as bytes.

    magic, header length | header (JSON) | column after column of the boxes, zlib

The header holds the sizes of each dimension, the tiles that loops over it may step by, the levels that have a limit
axis, and how many boxes there are. A patch from a file is data from outside: every number is checked before it is used.
Whether its decisions can be is for who reads them (table.Table).
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ...support.errors import TableError
from .boxes import Boxes
from .codes import FREE

if TYPE_CHECKING:
    from .runs import Runs

MAGIC = b"grio"
LARGEST = 1 << 28  # bytes of columns that a patch may unpack to
LONGEST_HEADER = 1 << 22  # bytes
MOST_HOLES = 1 << 12  # all are gone through for each point that is read
MOST_CELLS = 1 << 40  # of a patch
MOST_AXES = 32  # of a grid, limits among them
MOST_STEPS = 256  # of a limit
MOST_SIZES = (1 << 16) - 1  # on an axis: coordinates are uint16
LONGEST = 1 << 48  # size on an axis
_COLUMNS = "<u2"

SizesRow = tuple[int | None, ...]  # sizes by dimension; None: of one dimension any
Product = tuple[tuple[int, ...], ...]  # coordinates for each axis: the points are all their combinations


class Damaged(TableError, ValueError):
    """A table holds something impossible: bytes that are no patch, a decision that its family does not have. The
    message says what."""


@dataclass(frozen=True)
class Patch:
    """Decisions at all points of the product of `sizes` (one ascending tuple a dimension) and of steps of each limit.
    These are the first `steps` of them, or as many of the first as the shape of its boxes has.

    A decision is the number of an edge of the family, TILE_CODE + dimension * TILE_SPAN + place of the tile among
    `tiles` of the dimension, or -1 where there is no program. It depends on the tiles below a size, not on the other
    sizes.
    """

    sizes: tuple[tuple[int, ...], ...]
    tiles: tuple[tuple[int, ...], ...]
    levels: tuple[int, ...]
    steps: int
    points: int  # decisions held, without those at sizes that do not fit
    boxes: Boxes | Runs  # runs where no file keeps it
    holes: tuple[Product, ...] = ()  # what other patches hold: products of coordinates where this one says nothing

    @cached_property
    def _index(self) -> tuple[dict[int, int], ...]:
        return tuple({size: i for i, size in enumerate(axis)} for axis in self.sizes)

    def decision(self, sizes: tuple[int, ...], steps: tuple[int, ...], tiles: tuple[tuple[int, ...], ...]) -> int:
        """The decision at a point of a problem with these `tiles`; FREE where this patch does not hold it."""
        coordinate = [index.get(size, -1) for index, size in zip(self._index, sizes)]
        if min(coordinate, default=0) < 0 or not all(map(_same_below, sizes, self.tiles, tiles)):
            return FREE
        if any(all(c in axis for c, axis in zip(coordinate, hole)) for hole in self.holes):
            return FREE
        return self.boxes.at((*coordinate, *steps))

    def decisions(
        self, row: SizesRow, sizes: np.ndarray, steps: tuple[int, ...], tiles: tuple[tuple[int, ...], ...]
    ) -> np.ndarray:
        """int16, `decision` at each of `sizes` of the one dimension that has none in `row`."""
        axis, found = row.index(None), np.full(len(sizes), FREE, np.int16)
        here = [0 if size is None else index.get(size, -1) for index, size in zip(self._index, row)]
        others = ((n, old, new) for n, old, new in zip(row, self.tiles, tiles) if n is not None)
        if min(here) < 0 or not all(_same_below(*each) for each in others):
            return found
        place = np.array([self._index[axis].get(n, -1) for n in sizes.tolist()], np.int64)
        held = (place >= 0) & (sizes <= _first_other(self.tiles[axis], tiles[axis]))
        for hole in self.holes:
            if all(c in held_there for i, (c, held_there) in enumerate(zip(here, hole)) if i != axis):
                held &= ~np.isin(place, hole[axis])
        found[held] = self.boxes.along((*here, *steps), axis, place[held])
        return found

    def shared(
        self, sizes: tuple[tuple[int, ...], ...], tiles: tuple[tuple[int, ...], ...]
    ) -> tuple[list[np.ndarray], Product]:
        """Where this patch meets another product of sizes: for each axis the coordinates here, and those there."""
        met = [_met(*axis) for axis in zip(self.sizes, sizes, self.tiles, tiles)]
        return [here for here, _ in met], tuple(there for _, there in met)

    def gather(self, here: list[np.ndarray]) -> np.ndarray:
        """int16 [*coordinates, *limits]: the decisions on a product of coordinates, FREE where this patch says
        nothing. Damaged where boxes overlap."""
        try:
            found = self.boxes.gather(here + [np.arange(n) for n in self.boxes.shape[len(here) :]])
        except ValueError as why:
            raise Damaged(str(why)) from None
        unmet = [(0, self.steps - n) for n in found.shape[len(here) :]]
        if any(missing for _, missing in unmet):
            found = np.pad(found, [(0, 0)] * len(here) + unmet, constant_values=FREE)
        for hole in self.holes:
            found[np.ix_(*(np.flatnonzero(np.isin(h, axis)) for h, axis in zip(here, hole)))] = FREE
        return found

    def covers(self, other: Patch) -> bool:
        """Whether this patch answers wherever `other` does."""
        if (
            self.holes
            or any(n < m for n, m in zip(self.boxes.shape[len(self.sizes) :], other.boxes.shape[len(other.sizes) :]))
            or (self.levels, self.steps, len(self.sizes)) != (other.levels, other.steps, len(other.sizes))
        ):
            return False
        axes = zip(self.sizes, other.sizes, self.tiles, other.tiles)
        return all(
            set(theirs) <= set(mine) and (not theirs or _same_below(theirs[-1], my_tiles, their_tiles))
            for mine, theirs, my_tiles, their_tiles in axes
        )

    # ---- bytes -------------------------------------------------------------------------------------------------------

    def encode(self, effort: int = 4) -> bytes:
        """Its bytes. `effort` is zlib's: 0 for bytes that are compressed together with others, else 4, which finds as
        few bytes here as 6, in a quarter of the time."""
        told = {
            "sizes": self.sizes,
            "tiles": self.tiles,
            "levels": self.levels,
            "steps": self.steps,
            "points": self.points,
            "boxes": len(self.boxes.value),
            "holes": self.holes,
        }
        met = self.boxes.shape[len(self.sizes) :]
        told |= {"met": met} if any(n != self.steps for n in met) else {}
        header = json.dumps(told, separators=(",", ":")).encode()
        columns = np.concatenate(
            [self.boxes.low.T.reshape(-1), self.boxes.high.T.reshape(-1), self.boxes.value.view(np.uint16)]
        )
        return (
            MAGIC
            + len(header).to_bytes(4, "little")
            + header
            + (zlib.compress(columns.astype(_COLUMNS).tobytes(), effort))
        )

    @staticmethod
    def decode(data: bytes) -> Patch:
        """The patch that `encode` made these bytes of; Damaged where they are something else."""
        length = int.from_bytes(data[4:8], "little")
        if data[:4] != MAGIC or len(data) < 8 + length:
            raise Damaged("no patch begins here")
        if length > LONGEST_HEADER:
            raise Damaged(f"its header has {length} bytes")
        try:
            header = json.loads(data[8 : 8 + length])
            sizes, tiles = _axes(header["sizes"]), _axes(header["tiles"])
            holes = tuple(_axes(hole, least=0) for hole in header["holes"])
            levels, steps, points, count = tuple(header["levels"]), header["steps"], header["points"], header["boxes"]
            met = None if (listed := header.get("met")) is None else tuple(listed)
        except RecursionError:
            raise Damaged("its header is lists in lists") from None
        except (ValueError, KeyError, TypeError) as error:
            raise Damaged(f"its header says {str(error)[:80]}") from None
        shape = _shape(sizes, levels, steps, met)
        if not all(type(n) is int and 0 <= n <= prod(shape) for n in (points, count)):
            raise Damaged("its header does not hold counts")
        if (
            len(holes) > MOST_HOLES
            or len(tiles) != len(sizes)
            or not all(_inside(hole, shape[: len(sizes)]) for hole in holes)
        ):
            raise Damaged("its header does not hold tiles and holes of its axes")
        return Patch(sizes, tiles, levels, steps, points, _boxes(data[8 + length :], shape, count), holes)


def _same_below(size: int, old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Whether a loop over `size` may step by the same tiles in both."""
    return old == new or [t for t in old if t < size] == [t for t in new if t < size]


def _first_other(old: tuple[int, ...], new: tuple[int, ...]) -> int:
    """The first tile that only one of both has: a loop over a size up to that may step by the same tiles in both."""
    return LONGEST if old == new else min(set(old) ^ set(new), default=LONGEST)


@lru_cache(maxsize=1024)  # the families of a problem have few different axes
def _met(
    known: tuple[int, ...], axis: tuple[int, ...], old: tuple[int, ...], new: tuple[int, ...]
) -> tuple[np.ndarray, tuple[int, ...]]:
    """Where two axes have the same size over the same tiles: coordinates on the one, and on the other."""
    place = {size: i for i, size in enumerate(known)}
    met = [(place[size], i) for i, size in enumerate(axis) if size in place and _same_below(size, old, new)]
    return np.array([here for here, _ in met], np.int64), tuple(there for _, there in met)


def _shape(sizes: Product, levels: tuple, steps, met: tuple | None) -> tuple[int, ...]:
    """The grid's shape, of so many steps of each limit as were `met`; Damaged where there is no such grid."""
    axes = len(sizes) + len(levels)
    if (
        axes > MOST_AXES
        or not all(type(n) is int and 0 <= n < MOST_AXES for n in levels)
        or list(levels) != sorted(set(levels))
    ):
        raise Damaged(f"its header does not hold levels, or {axes} axes")
    if type(steps) is not int or not 1 <= steps <= MOST_STEPS:
        raise Damaged("its header does not hold steps")
    met = (steps,) * len(levels) if met is None else met
    if len(met) != len(levels) or not all(type(n) is int and 1 <= n <= steps for n in met):
        raise Damaged("its header does not hold the steps that were met")
    shape = tuple(map(len, sizes)) + met
    if max(shape, default=0) > MOST_SIZES or prod(shape) > MOST_CELLS:
        raise Damaged("it is over more cells than there can be")
    return shape


def _inside(hole: Product, shape: tuple[int, ...]) -> bool:
    return len(hole) == len(shape) and all(not axis or axis[-1] < n for axis, n in zip(hole, shape))


def _axes(lists, least: int = 1) -> tuple[tuple[int, ...], ...]:
    found = tuple(map(tuple, lists))
    if not {type(n) for axis in found for n in axis} <= {int}:  # True and 1.0 would be equal to 1
        raise ValueError("sizes that are no whole numbers")
    return tuple(_ascending(axis, least) for axis in found)


@lru_cache(maxsize=1024)
def _ascending(axis: tuple[int, ...], least: int) -> tuple[int, ...]:
    if axis and not least <= axis[0] <= axis[-1] <= LONGEST or list(axis) != sorted(set(axis)):
        raise ValueError("sizes that do not ascend")
    return axis


def _boxes(packed: bytes, shape: tuple[int, ...], count: int) -> Boxes:
    rank = len(shape)
    wanted = 2 * count * (2 * rank + 1)
    if count > prod(shape) or wanted > LARGEST:
        raise Damaged(f"it counts {count} boxes")
    try:
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(packed, wanted + 1)
    except zlib.error as error:
        raise Damaged(f"its columns do not unpack: {error}") from None
    if len(raw) != wanted or not unpacker.eof:
        raise Damaged(f"its columns have {len(raw)} bytes, not {wanted}")
    columns = np.frombuffer(raw, _COLUMNS).astype(np.uint16)
    low, high = (columns[k * count * rank : (k + 1) * count * rank].reshape(rank, count).T for k in (0, 1))
    if count and rank and not ((low < high).all() and (high <= np.array(shape)).all()):
        raise Damaged("a box lies outside its grid")
    boxes = Boxes(shape, low, high, columns[2 * count * rank :].view(np.int16))
    if boxes.overlap:
        raise Damaged(f"{count} boxes that overlap")
    return boxes
