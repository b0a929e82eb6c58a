"""The memo table of one search: its solutions in memory, and a store behind it, if there is one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cached_property
from math import prod

import numpy as np

from . import keys
from .boxes import Boxes
from .codes import FREE, NONE, STEPS, TILE_CODE, TILE_SPAN
from .patch import Damaged, Patch, Product

UNKNOWN = FREE


class Table:
    """Solutions for one target, home level and set of ladders. Reading is lazy: a family comes from the store when it
    is first asked for. `costs` holds the dense costs (a solver's Block) of the families that its caller wants to
    compare.

    A store is data from outside. Whoever reads a decision checks it (engine/search/rebuild.py, or a replay); who
    finds one that cannot be calls `doubt`, and solves again. `believed`: there is a store, and what it holds may be
    used. Beneath it may lie the table that comes with griotte (shipped/). Single decisions of that are read, for
    answers alone: it is doubted first.

    A store that `selects` gets what a search solved at its end, without what no later Spec meets (`settle`): nine in
    ten, whose writing takes longer than to solve them. It is there for others that run beside once a search has ended,
    and `searching` lets one process at a time be at it."""

    def __init__(self, target, home: int, ladders: dict, store=None):
        self.target, self.home, self.ladders, self.store = target, home, ladders, store
        self.believed = store is not None
        self._beneath = None if store is None else store.beneath()
        self.costs: dict = {}
        self._patches: dict[object, list[Patch]] = {}
        self._unwritten: dict[object, list[Patch]] = {}  # newest first
        self._keys: dict[object, str] = {}
        self._absent: set[object] = set()
        self._choices: dict[str, str] = {}
        self._late: dict[str, str] | None = None  # those of `together`
        self._axes: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self._axes_of: dict[object, tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]] = {}

    def axes(self, family) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        """The sizes, and the tiles, of the family's dimensions on this search's ladders."""
        operation = family.operation
        found = self._axes_of.get(operation)
        if found is None:
            axes = [self._axis(operation.ladder(d)) for d in operation.dims]
            found = self._axes_of[operation] = tuple(sizes for sizes, _ in axes), tuple(tiles for _, tiles in axes)
        return found

    def _axis(self, dim: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if dim not in self._axes:
            self._axes[dim] = tuple(map(int, self.ladders[dim].sizes)), tuple(self.ladders[dim].tiles)
        return self._axes[dim]

    def key(self, family) -> str:
        if family not in self._keys:
            self._keys[family] = self._named(family, self.home, self._scope)
        return self._keys[family]

    @cached_property
    def _named(self) -> Callable[..., str]:
        """The key of a family: of all that differ by numbers that nothing tells apart, where that is known."""
        return keys.family_key if keys.may_read_numbers() else keys.kind_key

    @cached_property
    def _scope(self) -> str:
        return f"{keys.target_key(self.target)} {keys.space()}"

    def ask(self, families: Iterable) -> None:
        """Before a search: ask a store that `selects` at once which of these families it has. It has few, and is not
        asked for the others before the search ends; what another process writes meanwhile is solved here too."""
        if self.writes_late:
            self._absent = self.store.absent((self.key(family), family) for family in families)

    def answers_alike(self, other: Table) -> bool:
        """Whether solutions for one answer the other too: of one target and store, home level and ladders."""
        if self is other:
            return True
        axes = [
            {d: (tuple(ladder.sizes), ladder.tiles) for d, ladder in each.ladders.items()} for each in (self, other)
        ]
        return (self.target, self.home, self.store) == (other.target, other.home, other.store) and axes[0] == axes[1]

    def patches(self, family, fresh: bool = False) -> list[Patch]:
        """The known patches of a family, newest first; `fresh` asks the store again."""
        if self.believed and (fresh or family not in self._patches):
            is_absent = family in self._absent
            written = [] if is_absent else self.store.load(self.key(family), asked=not fresh)
            self._patches[family] = [*self._unwritten.get(family, ()), *written]
        return self._patches.setdefault(family, [])

    def claim(self, family, wait: bool, stopped: Callable[[], bool] = lambda: False):
        """A context that yields whether this process may solve the family now; `wait` until it may, or the search is
        `stopped`."""
        if self.store is None or self.store.selects:
            return nullcontext(True)
        return self.store.claims.claim(self.key(family), wait, stopped)

    def searching(self, goals: Iterable, wait: bool):
        """A context that yields whether this process may search for the goals now; `wait` until no other is at it."""
        if self.store is None or not self.store.selects:
            return nullcontext(True)
        what = (f"{self.key(goal)} {self.axes(goal)}" for goal in goals)
        return self.store.claims.claim(keys.digest(" ".join(what)), wait)

    def forget(self) -> None:
        """Ask the store anew for all: another process has solved what this one is at."""
        self._patches.clear()
        self._absent.clear()

    @property
    def writes_late(self) -> bool:
        """Whether solutions are written at the end of a search alone."""
        return self.store is not None and self.store.selects and self.believed

    def keep(self, family, patch: Patch, late: bool = False) -> None:
        """Hold the solution of a family, and write it; `late`: in `settle`, if it comes up there."""
        self._absent.discard(family)
        self._patches[family] = [patch, *(p for p in self._patches.get(family, ()) if not patch.covers(p))]
        if late:
            unwritten = self._unwritten.get(family, ())
            self._unwritten[family] = [patch, *(p for p in unwritten if not patch.covers(p))]
        elif self.store is not None:
            self.store.keep((self.key(family), family, patch), anew=not self.believed)

    def settle(self, reached: Callable[[], Collection]) -> None:
        """After a search: let a store that keeps only what a later Spec meets know which families `reached` are, of all
        that the search solved."""
        if self.store is not None and self.store.selects:
            met = set(reached())
            fresh = ((family, patches) for family, patches in self._unwritten.items() if family in met)
            self.store.keep(*((self.key(f), f, patch) for f, patches in fresh for patch in reversed(patches)))
            unmet = (family for family, patches in self._patches.items() if patches and family not in met)
            self.store.select(
                {self.key(family): (family, self.patches(family)) for family in met},
                [self.key(family) for family in unmet if family not in self._unwritten],
            )
            self._unwritten.clear()
        self._absent.clear()

    def doubt(self, why: Damaged | None = None) -> None:
        """Use nothing of the store from here on, and tell why: it holds what cannot be. Solutions from now on take the
        place of all that it has of a family. Where something came from the shipped table, that is left out first."""
        if self._beneath is not None and self._beneath.left_out(why):
            return
        self.believed = False
        self._patches.clear()
        self._unwritten.clear()
        self.costs.clear()
        if why is not None and self.store is not None:
            self.store.file.doubt(why)

    def tell(self, why: Damaged) -> None:
        """Report the fault of the store's file, or of the shipped table where something came from there."""
        if self._beneath is not None and self._beneath.was_read:
            self._beneath.doubt(why)
        elif self.store is not None:
            self.store.file.doubt(why)

    def decision(self, family, sizes: tuple[int, ...], levels: tuple[int, ...], limit: int) -> int:
        """The decision for a Spec of a family whose limits are at `levels`; UNKNOWN where the table does not hold it.
        Damaged where a patch is none of such a family."""
        tiles = self.axes(family)[1]
        steps = tuple(map(int, np.unravel_index(limit, (STEPS,) * len(levels)))) if levels else ()
        for patch in self._checked(family, levels):
            found = patch.decision(sizes, steps, tiles)
            if found != FREE:
                return found
        for patch in self._beneath.patches(family, self.home, self.target) if self._beneath else ():
            self._require_axes(patch, family, levels)
            found = patch.decision(sizes, steps, tiles)
            if found != FREE:
                return found
        return UNKNOWN

    def decisions(
        self, family, others: Mapping[str, int], along: tuple[str, np.ndarray], levels: tuple[int, ...], limit: int
    ) -> np.ndarray:
        """int16, `decision` at each of some sizes of one dimension: `along` is that and its sizes, `others` are the
        sizes of all other dimensions."""
        dim, sizes = along
        tiles, found = self.axes(family)[1], np.full(len(sizes), FREE, np.int16)
        steps = tuple(map(int, np.unravel_index(limit, (STEPS,) * len(levels)))) if levels else ()
        row = tuple(None if d == dim else others[d] for d in family.operation.dims)
        for patch in self._checked(family, levels):
            found = np.where(found == FREE, patch.decisions(row, sizes, steps, tiles), found)
            if not (found == FREE).any():
                return found
        for patch in self._beneath.patches(family, self.home, self.target) if self._beneath else ():
            self._require_axes(patch, family, levels)
            found = np.where(found == FREE, patch.decisions(row, sizes, steps, tiles), found)
        return np.where(found == FREE, UNKNOWN, found).astype(np.int16)

    def _checked(self, family, levels: tuple[int, ...], fresh: bool = False) -> list[Patch]:
        """`patches`, all of them over the family's own axes."""
        found = self.patches(family, fresh)
        for patch in found:
            self._require_axes(patch, family, levels)
        return found

    def _require_axes(self, patch: Patch, family, levels: tuple[int, ...]) -> None:
        """Damaged unless a patch is over the family's own axes."""
        if (len(patch.sizes), patch.levels, patch.steps) != (len(family.operation.dims), levels, STEPS):
            raise Damaged("a patch over other axes than its family's")

    def known(
        self, family, levels: tuple[int, ...], edges: int, fresh: bool = True
    ) -> tuple[np.ndarray, list[Product]] | None:
        """The decisions known on the family's grid now, the store asked anew if `fresh`: int16 [points, limits],
        UNKNOWN where nothing is, and the products of coordinates that patches answered for. None where nothing is
        known. Damaged where a patch is over other axes, or names an edge beyond the first `edges`, or a tile that is
        none."""
        found = self._checked(family, levels, fresh)
        if not found:
            return None
        sizes, tiles = self.axes(family)
        dense: np.ndarray | None = None
        products: list[Product] = []
        for patch in found:
            here, there = patch.shared(sizes, tiles)
            if not all(there):
                continue
            if not _legal(patch, edges):
                raise Damaged("a decision that its family does not have")
            held = patch.gather(here)
            if dense is None:
                dense = np.full((*map(len, sizes), *held.shape[len(sizes) :]), UNKNOWN, np.int16)
            stretches = tuple(map(_stretch, there))
            place = stretches if None not in stretches else np.ix_(*there)
            dense[place] = np.where(dense[place] == UNKNOWN, held, dense[place]) if products else held
            products.append(there)
        return None if dense is None else (dense.reshape(prod(map(len, sizes)), -1), products)

    def solved(self, family) -> np.ndarray | None:
        """int16 [rows, limits]: the decisions of a family that this search solved and no file keeps yet. They are at
        the limits that it was solved at. None where another patch, or a file, holds some of them."""
        patches = self._patches.get(family, ())
        newest = patches[0] if patches else None
        return None if newest is None or newest.holes or isinstance(newest.boxes, Boxes) else newest.boxes.decision()

    def choice(self, key: str) -> str | None:
        """A small answer that is no family's, by any key."""
        if key not in self._choices and self.believed:
            return self.store.choice(key)
        return self._choices.get(key)

    def choose(self, key: str, value: str) -> None:
        self._choices[key] = value
        if self._late is not None:
            self._late[key] = value
        elif self.store is not None:
            self.store.choose(key, value)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Small answers that are chosen within are written at its end, in one transaction."""
        if self._late is not None:
            yield
            return
        self._late = {}
        try:
            yield
        finally:
            late, self._late = self._late, None
            if late and self.store is not None:
                self.store.choose_all(late)

    def unchoose(self, key: str) -> None:
        """Forget a small answer that turned out to be none."""
        self._choices.pop(key, None)
        if self._late is not None:
            self._late.pop(key, None)
        if self.store is not None:
            self.store.unchoose(key)

    @property
    def rectangles(self) -> int:
        """Boxes, or runs, that decisions are kept in."""
        return sum(len(p.boxes) for patches in self._patches.values() for p in patches)

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
