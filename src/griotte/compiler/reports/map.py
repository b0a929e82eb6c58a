"""Where each decision of a table lies: its families as maps, and planes through them.

A map has an axis for every dimension (sizes on the ladder) and one for every memory limit that can bind. A plane is two
of them, all others held at one coordinate. Drawing is not here: map_png.py and map_html.py take what this gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from ...engine.canonical.canonical import canonical_form
from ...engine.rewrites import Edge, Word
from ...engine.search import limits
from ...engine.search.division import solving
from ...engine.search.graph import FamilyNode, reach
from ...engine.search.grid import Grid, ladder_names
from ...engine.search.solve import Solver
from ...engine.table import FREE, NONE, TILE_CODE, TILE_SPAN, Boxes, Table, cover
from ...engine.table.keys import family_text
from ...lang.nests.family import Family
from ...support.errors import SpecError
from .map_words import NO_PROGRAM, loop_word

SHARES = ("0", "1/8", "1/4", "1/2", "3/4", "1")
"""limits.SHARES as a person reads them."""


@dataclass(frozen=True)
class Axis:
    """A coordinate of a family: a dimension with its sizes, or a memory level with the shares of it that are left."""

    name: str
    ticks: tuple[str, ...]

    @property
    def is_limit(self) -> bool:
        return self.ticks == SHARES

    def place(self, value: str) -> int:
        """The coordinate of a size, or of a share as a fraction or a decimal; SpecError where there is none."""
        numbers = limits.SHARES if self.is_limit else tuple(map(int, self.ticks))
        try:
            top, _, bottom = value.partition("/")
            return numbers.index(float(top) / float(bottom or 1))
        except (ValueError, ZeroDivisionError):
            what = "a share of it that is left" if self.is_limit else "a size on its ladder"
            raise SpecError(
                f"expected {self.name}={what} ({' '.join(self.ticks)}), found {self.name}={value}; take one of these"
            ) from None


@dataclass(frozen=True, eq=False)
class FamilyMap:
    """A family's decisions. `fits` is over the sizes alone: where it is False nothing is asked, and boxes mean nothing
    there."""

    family: Family
    axes: tuple[Axis, ...]
    boxes: Boxes
    fits: np.ndarray
    edges: tuple[Edge, ...]
    levels: tuple[str, ...]  # the target's, registers first
    tiles: tuple[tuple[int, ...], ...]

    @cached_property
    def text(self) -> str:
        return family_text(self.family)

    @cached_property
    def cells(self) -> int:
        """Points that are asked: sizes that fit, times steps of limits."""
        return int(np.count_nonzero(self.fits)) * prod(self.boxes.shape[self.fits.ndim :])

    @property
    def count(self) -> int:
        return len(self.boxes.value)

    def axis(self, name: str) -> int:
        """The number of an axis; SpecError for a name that is none."""
        names = [axis.name for axis in self.axes]
        if name not in names:
            raise SpecError(
                f"expected an axis of {self.text} ({' '.join(names)}), found {name!r}; name one of these, or another"
                " --family"
            )
        return names.index(name)

    @cached_property
    def words(self) -> dict[int, Word]:
        """What each decision that occurs says, by its code."""
        return {code: self._word(code) for code in map(int, np.unique(self.boxes.value))}

    def _word(self, code: int) -> Word:
        if code == NONE:
            return NO_PROGRAM
        if code >= TILE_CODE:
            d, t = divmod(code - TILE_CODE, TILE_SPAN)
            return loop_word(d, self.family.operation.dims[d], self.tiles[d][t])
        return self.edges[code].rewrite.legend(self.family, self.levels)

    def plane(self, x: str, y: str, at: dict[str, int]) -> Plane:
        """The plane of two axes, all others at the coordinates `at`."""
        i, j = self.axis(x), self.axis(y)
        if i == j:
            raise SpecError(
                f"expected two different axes, found {x} for both --x and --y; name another of"
                f" {' '.join(a.name for a in self.axes)}"
            )
        index = [
            np.arange(n) if k in (i, j) else np.array([at[axis.name]])
            for k, (n, axis) in enumerate(zip(self.boxes.shape, self.axes))
        ]
        block = np.where(self._fitting(index), self.boxes.gather(index), FREE)
        kept = [k for k in range(len(self.axes)) if k not in (i, j)]
        decision = block.transpose(j, i, *kept).reshape(self.boxes.shape[j], self.boxes.shape[i])
        low, high = self.boxes.low, self.boxes.high
        cut = np.ones(self.count, bool)
        for k in kept:
            cut &= (low[:, k] <= index[k][0]) & (index[k][0] < high[:, k])
        sections = np.stack(
            [low[cut, i], high[cut, i], low[cut, j], high[cut, j], self.boxes.value[cut]], axis=1
        ).astype(np.int64)
        return Plane(self, i, j, {self.axes[k].name: int(index[k][0]) for k in kept}, decision, sections)

    def _fitting(self, index: list[np.ndarray]) -> np.ndarray:
        rank = self.fits.ndim
        part = self.fits[np.ix_(*index[:rank])] if rank else self.fits
        return part.reshape(part.shape + (1,) * (len(index) - rank))

    def busiest(self, x: str, y: str, given: dict[str, int]) -> dict[str, int]:
        """Coordinates of the other axes, those `given` among them, at which the plane shows the most decisions; of
        those, the highest."""
        i, j = self.axis(x), self.axis(y)
        index = [
            np.array([given[axis.name]]) if axis.name in given and k not in (i, j) else np.arange(n)
            for k, (n, axis) in enumerate(zip(self.boxes.shape, self.axes))
        ]
        block = np.where(self._fitting(index), self.boxes.gather(index), FREE)
        kept = [k for k in range(len(self.axes)) if k not in (i, j)]
        planes = np.sort(block.transpose(*kept, i, j).reshape(prod(block.shape[k] for k in kept), -1), axis=1)
        kinds = 1 + np.count_nonzero(np.diff(planes, axis=1), axis=1)
        best = (
            np.unravel_index(len(kinds) - 1 - int(np.argmax(kinds[::-1])), [block.shape[k] for k in kept])
            if kept
            else ()
        )
        return {self.axes[k].name: int(index[k][c]) for k, c in zip(kept, best)}


@dataclass(frozen=True, eq=False)
class Plane:
    """Two axes of a family's map.

    decision  [y, x] int16          FREE where nothing fits
    sections  [boxes cut, 5] int64  first x, one past the last, first y, one past the last, decision: disjoint
              rectangles
    """

    map: FamilyMap
    i: int
    j: int
    at: dict[str, int]
    decision: np.ndarray
    sections: np.ndarray

    @property
    def x(self) -> Axis:
        return self.map.axes[self.i]

    @property
    def y(self) -> Axis:
        return self.map.axes[self.j]

    @cached_property
    def counts(self) -> dict[int, int]:
        """Cells of each decision, the most first."""
        codes, counts = np.unique(self.decision[self.decision != FREE], return_counts=True)
        return {int(codes[k]): int(counts[k]) for k in np.argsort(-counts, kind="stable")}

    @property
    def others(self) -> str:
        """The axes that are held, and at what."""
        axes = {axis.name: axis for axis in self.map.axes}
        return ", ".join(
            f"{axes[n].ticks[c]} of {n} left" if axes[n].is_limit else f"{n} = {axes[n].ticks[c]}"
            for n, c in self.at.items()
        )


@dataclass(frozen=True, eq=False)
class TableMap:
    """All families of a problem, those with the most boxes first."""

    spec: str
    target: str
    levels: tuple[str, ...]
    goal: Family
    families: tuple[FamilyMap, ...]

    @cached_property
    def cells(self) -> int:
        return sum(found.cells for found in self.families)

    @cached_property
    def count(self) -> int:
        return sum(found.count for found in self.families)

    def family(self, word: str | None, names: tuple[str, ...]) -> FamilyMap:
        """The family that `word` says: `goal`, a number in order of boxes from 1, or part of its text; by default the
        first that has the axes `names`."""
        if word is None:
            found = [f for f in self.families if set(names) <= {axis.name for axis in f.axes}]
            if found:
                return found[0]
            known = sorted({" ".join(axis.name for axis in f.axes) for f in self.families})
            raise SpecError(
                f"expected axes that one family has ({'; '.join(known)}), found {' '.join(names)}; name some of these"
            )
        if word == "goal":
            return next(f for f in self.families if f.family == self.goal)
        if word.isascii() and word.isdigit() and len(word) < 10:
            if not 1 <= int(word) <= len(self.families):
                raise SpecError(f"expected --family from 1 to {len(self.families)}, found {word}; 1 has the most boxes")
            return self.families[int(word) - 1]
        found = [f for f in self.families if f.text == word] or [f for f in self.families if word in f.text]
        if not found:
            raise SpecError(
                f"expected goal, a number or a part of a family's text for --family, found {word!r}; such as 1 or"
                f" {self.families[0].text!r}"
            )
        return found[0]


def table_map(spec, target, threads: int = 1, store=None) -> TableMap:
    """The map of all that the problem of `spec` leads to; of one that is divided, of all parts, whose first is the
    goal. What the store holds is replayed, and so checked; the rest is solved."""
    parts = solving(canonical_form(spec), target, threads, store).parts
    found: list[FamilyMap] = []
    for part in parts:
        nodes = reach(target, part.start.goal)
        Solver(part.table, whole=True).solve(part.start.goal)
        found += _maps(part.table, nodes)
    found.sort(key=lambda f: (-f.count, f.text))
    return TableMap(
        str(spec), target.name, tuple(level.name for level in target.levels), parts[0].start.goal, tuple(found)
    )


def _maps(table: Table, nodes: list[FamilyNode]) -> list[FamilyMap]:
    """The map of each family."""
    grids: dict[tuple, Grid] = {}
    masks: dict[tuple, np.ndarray] = {}
    found = []
    for node in nodes:
        dims = node.family.operation.dims
        grid = grids.setdefault((dims, ladder_names(node.family.operation)), Grid(node.family.operation, table.ladders))
        key = (dims, grid.key, *limits.needs(table.home, node.family))
        if key not in masks:
            masks[key] = _fits(table, node.family, grid)
        boxes = _boxes(table, node, masks[key])
        names = [table.target.levels[level].name for level in limits.axes(table.target, table.home, node.family)]
        axes = tuple(Axis(d, tuple(map(str, ladder.sizes))) for d, ladder in zip(dims, grid.ladders)) + tuple(
            Axis(name, SHARES) for name in names
        )
        levels, tiles = (
            tuple(level.name for level in table.target.levels),
            tuple(tuple(ladder.tiles) for ladder in grid.ladders),
        )
        found.append(FamilyMap(node.family, axes, boxes, masks[key], node.edges, levels, tiles))
    return found


def _fits(table: Table, family: Family, grid: Grid) -> np.ndarray:
    """bool over the sizes: each operand fits the level it is at."""
    fits = np.ones(grid.shape, bool)
    for need in limits.needs(table.home, family):
        fits &= limits.fits(table.target, need, grid.size)
    return fits


def _boxes(table: Table, node: FamilyNode, fits: np.ndarray) -> Boxes:
    """The boxes as the table has them, where one patch holds just these sizes; else a cover of what it knows."""
    family, levels = node.family, limits.axes(table.target, table.home, node.family)
    rows, known = np.flatnonzero(fits.reshape(-1)).astype(np.int64), table.known(family, levels, len(node.edges))
    patch, *others = table.patches(family)
    if not others and not patch.holes and (patch.sizes, patch.tiles) == table.axes(family):
        return patch.boxes if isinstance(patch.boxes, Boxes) else patch.boxes.covered
    assert known is not None  # what no patch has is not drawn
    slot = np.full(fits.size, -1, np.int32)
    slot[rows] = np.arange(len(rows), dtype=np.int32)
    shape = fits.shape + (len(limits.SHARES),) * len(levels)
    return cover(rows, slot, np.ascontiguousarray(known[0][rows]), shape)
