"""The part of solved tables that is shipped: of each Spec the decisions that its program reads, and no more.

A table of the user's cache keeps all sizes of a Spec's ladders, 3 to 500 KB of them. The shipped table has only the
points of a Spec's own program, some tens, which take a hundredth of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..boxes import Boxes
from ..codes import FREE, STEPS
from ..keys import space
from ..patch import Patch
from ..table import Table
from .keys import choice_key, goal_key, seen_key
from .layout import packed, written

TilesBelow = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ReadPoint:
    """A point of a family at a limit, and its decision; `tiles` are those below each of its sizes."""

    sizes: tuple[int, ...]
    steps: tuple[int, ...]
    tiles: TilesBelow
    levels: tuple[int, ...]
    decision: int


class Read(Table):
    """A table beside another that notes which decisions are read of it."""

    def __init__(self, table: Table, cells: dict[str, dict[ReadPoint, None]]):
        super().__init__(table.target, table.home, table.ladders, table.store)
        self._cells = cells

    def decision(self, family, sizes: tuple[int, ...], levels: tuple[int, ...], limit: int) -> int:
        found = super().decision(family, sizes, levels, limit)
        if found != FREE:
            steps = tuple(map(int, np.unravel_index(limit, (STEPS,) * len(levels)))) if levels else ()
            tiles = tuple(tuple(t for t in axis if t < n) for n, axis in zip(sizes, self.axes(family)[1]))
            cell = ReadPoint(tuple(map(int, sizes)), steps, tiles, levels, found)
            self._cells.setdefault(seen_key(family, self.home, self.target), {})[cell] = None
        return found


@dataclass
class PackedAnswers:
    """What was solved, to be shipped: the cells of families, and small answers, in the order in which they came."""

    cells: dict[str, dict[ReadPoint, None]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def reading(self, table: Table) -> Read:
        """A table that notes here which of its cells are read."""
        return Read(table, self.cells)

    def add_choice(self, key: str, value: str, target) -> None:
        self.texts[choice_key(key, target)] = value

    def add_goal(self, spec: str, threads: int, home: int, target) -> None:
        self.texts[goal_key(spec, threads, home, target)] = ""

    def packed(self, about: Mapping[str, object]) -> bytes:
        """The file; `griotte table shipped` prints `about`."""
        records = {key: written(patches_over(cells)) for key, cells in self.cells.items()}
        records |= {key: value.encode() for key, value in self.texts.items()}
        return packed({**about, "space": space()}, records)


def patches_over(cells: Iterable[ReadPoint]) -> list[Patch]:
    """Patches of these cells and no others: one for each set of tiles that do not go on from each other."""
    groups: list[list[ReadPoint]] = []
    for cell in sorted(cells, key=lambda c: ([-n for n in c.sizes], c.steps)):
        for group in groups:
            if group[0].levels == cell.levels and _go_on(group, cell):
                group.append(cell)
                break
        else:
            groups.append([cell])
    return [_patch(group) for group in groups]


def _go_on(group: list[ReadPoint], cell: ReadPoint) -> bool:
    """Whether below each size of a cell there are the same tiles as in a group."""
    return all(
        own == tuple(t for t in longest if t < n) for own, longest, n in zip(cell.tiles, _longest(group), cell.sizes)
    )


def _longest(group: list[ReadPoint]) -> TilesBelow:
    """The tiles of each dimension: those below the largest size."""
    return tuple(max(axes, key=len) for axes in zip(*(cell.tiles for cell in group)))


def _patch(group: list[ReadPoint]) -> Patch:
    levels, rank = group[0].levels, len(group[0].sizes)
    sizes = tuple(tuple(sorted(set(axis))) for axis in zip(*(cell.sizes for cell in group)))
    index = [{n: i for i, n in enumerate(axis)} for axis in sizes]
    low = np.array([(*(at[n] for at, n in zip(index, cell.sizes)), *cell.steps) for cell in group], np.uint16).reshape(
        len(group), rank + len(levels)
    )
    order = np.lexsort(low.T[::-1]) if low.size else np.arange(len(group))
    low = np.asfortranarray(low[order])
    value = np.array([cell.decision for cell in group], np.int16)[order]
    shape = (*map(len, sizes), *(STEPS,) * len(levels))
    return Patch(sizes, _longest(group), levels, STEPS, len(group), Boxes(shape, low, low + np.uint16(1), value))
