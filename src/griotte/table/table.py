"""The memo table of one search: what is solved, in memory, with a store (if any) behind it."""

from __future__ import annotations

from contextlib import nullcontext
from math import prod

import numpy as np

from . import keys
from .boxes import FREE
from .codes import NONE, TILE_CODE, TILE_SPAN
from .patch import Patch, Product

UNKNOWN = FREE


class Table:
    """Solutions for one target, home level and set of ladders. Reading is lazy: a family comes from the store when it is
    first asked for. `costs` holds the dense costs (a solver's Block) of the families that its caller wants to compare."""

    def __init__(self, target, home: int, ladders: dict, store=None):
        self.target, self.home, self.ladders, self.store = target, home, ladders, store
        self.costs: dict = {}
        self._patches: dict[object, list[Patch]] = {}
        self._keys: dict[object, str] = {}
        self._choices: dict[str, str] = {}
        self._axes: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def axes(self, family) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        """The sizes, and the tiles, of the family's dimensions on this search's ladders."""
        axes = [self._axis(d) for d in family.operation.dims]
        return tuple(sizes for sizes, _ in axes), tuple(tiles for _, tiles in axes)

    def _axis(self, dim: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if dim not in self._axes:
            self._axes[dim] = tuple(map(int, self.ladders[dim].sizes)), tuple(self.ladders[dim].tiles)
        return self._axes[dim]

    def key(self, family) -> str:
        if family not in self._keys:
            self._keys[family] = keys.family_key(family, self.home, f"{keys.target_key(self.target)} {keys.space()}")
        return self._keys[family]

    def patches(self, family, fresh: bool = False) -> list[Patch]:
        """What is known of a family, newest first; `fresh` asks the store again."""
        if self.store is not None and (fresh or family not in self._patches):
            self._patches[family] = self.store.load(self.key(family))
        return self._patches.setdefault(family, [])

    def claim(self, family, wait: bool):
        """A context that yields whether this process may solve the family now; `wait` until it may."""
        return nullcontext(True) if self.store is None else self.store.claims.claim(self.key(family), wait)

    def keep(self, family, patch: Patch) -> None:
        self._patches[family] = [patch, *(p for p in self._patches.get(family, ()) if not patch.covers(p))]
        if self.store is not None:
            self.store.keep(self.key(family), family, patch)

    def decision(self, family, sizes: tuple[int, ...], limit: int) -> int:
        """The decision for a Spec; UNKNOWN where the table does not hold it."""
        tiles = self.axes(family)[1]
        for patch in self.patches(family):
            steps = np.unravel_index(limit, (patch.steps,) * len(patch.levels)) if patch.levels else ()
            found = patch.decision(sizes, tuple(map(int, steps)), tiles)
            if found != FREE:
                return found
        return UNKNOWN

    def known(self, family, edges: int) -> tuple[np.ndarray, list[Product]] | None:
        """What is known on the family's grid now, the store asked anew: int16 [points, limits], UNKNOWN where nothing is,
        and the products of coordinates that patches answered for. None where nothing is known. A patch that names an edge
        beyond the first `edges`, or a tile that is none, is left out: a file is data from outside."""
        sizes, tiles = self.axes(family)
        dense, products = None, []
        for patch in self.patches(family, fresh=True):
            here, there = patch.shared(sizes, tiles)
            if not all(there) or not _legal(patch, edges):
                continue
            found = patch.gather(here)
            if dense is None:
                dense = np.full((*map(len, sizes), *found.shape[len(sizes) :]), UNKNOWN, np.int16)
            stretches = tuple(map(_stretch, there))
            place = stretches if None not in stretches else np.ix_(*there)
            dense[place] = np.where(dense[place] == UNKNOWN, found, dense[place]) if products else found
            products.append(there)
        return None if dense is None else (dense.reshape(prod(map(len, sizes)), -1), products)

    def choice(self, key: str) -> str | None:
        """A small answer that is no family's, by any key."""
        if key not in self._choices and self.store is not None:
            return self.store.choice(key)
        return self._choices.get(key)

    def choose(self, key: str, value: str) -> None:
        self._choices[key] = value
        if self.store is not None:
            self.store.choose(key, value)

    @property
    def rectangles(self) -> int:
        return sum(len(p.boxes.value) for patches in self._patches.values() for p in patches)

    @property
    def points(self) -> int:
        return sum(p.points for patches in self._patches.values() for p in patches)


def _stretch(coordinates: tuple[int, ...]) -> slice | None:
    """Coordinates as a slice, where they are neighbours."""
    first, last = coordinates[0], coordinates[-1]
    return slice(first, last + 1) if last - first + 1 == len(coordinates) else None


def _legal(patch: Patch, edges: int) -> bool:
    """Whether each decision of a patch names an edge or a tile that there is."""
    code = patch.boxes.value.astype(np.int64)
    tiles = np.array([len(axis) for axis in patch.tiles] or [0])
    d, t = np.divmod(code - TILE_CODE, TILE_SPAN)
    tile = (d >= 0) & (d < len(patch.tiles)) & (t < tiles[np.clip(d, 0, len(tiles) - 1)])
    return bool((tile | ((code >= NONE) & (code < edges))).all())
