"""A patch: the solutions of one family over a product of sizes, and its form as bytes.

    magic, header length | header (JSON) | column after column of the boxes, zlib

The header holds the sizes of each dimension, the tiles that loops over it may step by, the levels that have a limit axis,
and how many boxes there are. A patch from a file is data from outside: every number is checked before it is used.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod

import numpy as np

from .boxes import FREE, Boxes

MAGIC = b"grio"
LARGEST = 1 << 30  # bytes of columns that a patch may unpack to
_COLUMNS = "<u2"

Product = tuple[tuple[int, ...], ...]  # coordinates for each axis: the points are all their combinations


class Damaged(ValueError):
    """Bytes that are not a patch; the message says what is wrong with them."""


@dataclass(frozen=True)
class Patch:
    """Decisions at all points of the product of `sizes` (one ascending tuple a dimension) and of `steps` steps of each limit.

    A decision is the number of an edge of the family, TILE_CODE + dimension * TILE_SPAN + place of the tile among `tiles`
    of the dimension, or -1 where there is no program. It depends on the tiles below a size, not on the other sizes.
    """

    sizes: tuple[tuple[int, ...], ...]
    tiles: tuple[tuple[int, ...], ...]
    levels: tuple[int, ...]
    steps: int
    points: int  # decisions held, without those at sizes that do not fit
    boxes: Boxes
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

    def shared(self, sizes: tuple[tuple[int, ...], ...], tiles: tuple[tuple[int, ...], ...]) -> tuple[list[np.ndarray], Product]:
        """Where this patch meets another product of sizes: for each axis the coordinates here, and those there."""
        met = [_met(*axis) for axis in zip(self.sizes, sizes, self.tiles, tiles)]
        return [here for here, _ in met], tuple(there for _, there in met)

    def gather(self, here: list[np.ndarray]) -> np.ndarray:
        """int16 [*coordinates, *limits]: the decisions on a product of coordinates, FREE where this patch says nothing."""
        found = self.boxes.gather(here + [np.arange(self.steps)] * len(self.levels))
        for hole in self.holes:
            found[np.ix_(*(np.flatnonzero(np.isin(h, axis)) for h, axis in zip(here, hole)))] = FREE
        return found

    def covers(self, other: "Patch") -> bool:
        """Whether this patch answers wherever `other` does."""
        if self.holes or self.levels != other.levels:
            return False
        axes = zip(self.sizes, other.sizes, self.tiles, other.tiles)
        return all(set(theirs) <= set(mine) and _same_below(theirs[-1], my_tiles, their_tiles) for mine, theirs, my_tiles, their_tiles in axes)

    # ---- bytes --------------------------------------------------------------------------------------------------

    def encode(self) -> bytes:
        header = json.dumps(
            {"sizes": self.sizes, "tiles": self.tiles, "levels": self.levels, "steps": self.steps, "points": self.points, "boxes": len(self.boxes.value), "holes": self.holes},
            separators=(",", ":"),
        ).encode()
        columns = np.concatenate([self.boxes.low.T.reshape(-1), self.boxes.high.T.reshape(-1), self.boxes.value.view(np.uint16)])
        return MAGIC + len(header).to_bytes(4, "little") + header + zlib.compress(columns.astype(_COLUMNS).tobytes(), 6)

    @staticmethod
    def decode(data: bytes) -> "Patch":
        """The patch that `encode` made these bytes of; Damaged where they are something else."""
        length = int.from_bytes(data[4:8], "little")
        if data[:4] != MAGIC or len(data) < 8 + length:
            raise Damaged("no patch begins here")
        try:
            header = json.loads(data[8 : 8 + length])
            sizes, tiles = _axes(header["sizes"]), _axes(header["tiles"])
            holes = tuple(_axes(hole, least=0) for hole in header["holes"])
            levels, steps, points, count = tuple(header["levels"]), header["steps"], header["points"], header["boxes"]
        except (ValueError, KeyError, TypeError) as error:
            raise Damaged(f"its header says {error}") from None
        if not all(isinstance(n, int) and n >= 0 for n in (*levels, steps, points, count)) or {len(sizes)} != {len(axes) for axes in (tiles, *holes)}:
            raise Damaged("its header does not hold counts")
        shape = tuple(map(len, sizes)) + (steps,) * len(levels)
        return Patch(sizes, tiles, levels, steps, points, _boxes(data[8 + length :], shape, count), holes)


def _same_below(size: int, old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Whether a loop over `size` may step by the same tiles in both."""
    return old == new or [t for t in old if t < size] == [t for t in new if t < size]


@lru_cache(maxsize=1024)  # the families of a problem have few different axes
def _met(known: tuple[int, ...], axis: tuple[int, ...], old: tuple[int, ...], new: tuple[int, ...]) -> tuple[np.ndarray, tuple[int, ...]]:
    """Where two axes have the same size over the same tiles: coordinates on the one, and on the other."""
    place = {size: i for i, size in enumerate(known)}
    met = [(place[size], i) for i, size in enumerate(axis) if size in place and _same_below(size, old, new)]
    return np.array([here for here, _ in met], np.int64), tuple(there for _, there in met)


def _axes(lists, least: int = 1) -> tuple[tuple[int, ...], ...]:
    return tuple(_ascending(tuple(axis), least) for axis in lists)


@lru_cache(maxsize=1024)
def _ascending(axis: tuple[int, ...], least: int) -> tuple[int, ...]:
    if not all(type(n) is int and n >= least for n in axis) or list(axis) != sorted(set(axis)):
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
    return Boxes(shape, low, high, columns[2 * count * rank :].view(np.int16))
