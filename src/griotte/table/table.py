"""The memo table of one search: what is solved, in memory, with a store (if any) behind it."""

from __future__ import annotations

from contextlib import nullcontext
from math import prod

import numpy as np

from . import keys
from .boxes import FREE
from .patch import Patch

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

    def axes(self, family) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        """The sizes, and the tiles, of the family's dimensions on this search's ladders."""
        ladders = [self.ladders[d] for d in family.operation.dims]
        return tuple(tuple(map(int, x.sizes)) for x in ladders), tuple(tuple(x.tiles) for x in ladders)

    def key(self, family) -> str:
        if family not in self._keys:
            self._keys[family] = keys.family_key(family, self.home)
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
        tiles = tuple(tuple(self.ladders[d].tiles) for d in family.operation.dims)
        for patch in self.patches(family):
            steps = np.unravel_index(limit, (patch.steps,) * len(patch.levels)) if patch.levels else ()
            found = patch.decision(sizes, tuple(map(int, steps)), tiles)
            if found != FREE:
                return found
        return UNKNOWN

    def known(self, family, fresh: bool = False) -> np.ndarray | None:
        """int16 [points, limits] over the family's grid, UNKNOWN where the table holds nothing; None where it holds nothing at all."""
        sizes, tiles = self.axes(family)
        dense = None
        for patch in self.patches(family, fresh):
            found = patch.gather(sizes, tiles)
            dense = found if dense is None else np.where(dense == UNKNOWN, found, dense)
        return None if dense is None else np.ascontiguousarray(dense).reshape(prod(map(len, sizes)), -1)

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
