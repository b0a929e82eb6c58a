"""Which families a later Spec would meet: those that the decisions lead to, from the goals at every size on their
ladders, all memory free. An answer from the table reads no other; a search that meets others solves them in less time
than it takes to read them and to replay their costs (docs/explanation/tables.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ...lang.nests.family import Family
from ..rewrites.edge import Child
from ..table import TILE_CODE, TILE_SPAN, Table
from . import limits
from .arrays import SearchArrays
from .graph import FamilyNode
from .grid import FamilyRows, first

Points = tuple[np.ndarray, np.ndarray]  # rows of a block, and a limit index for each


class Reaching:
    """Tells which families are reached, once a table holds all."""

    def __init__(self, table: Table, rows: Callable[[FamilyNode], FamilyRows], arrays: SearchArrays):
        """`rows` gives those of a family at the limits that were solved."""
        self._table, self._rows_of, self._arrays = table, rows, arrays
        self._rows: dict[Family, FamilyRows] = {}

    def reached(self, nodes: list[FamilyNode], goals: Iterable[Family]) -> set[Family]:
        """The families that decisions lead to from the goals; `nodes` stand children first."""
        self._rows = {node.family: self._rows_of(node) for node in nodes}
        met: dict[Family, np.ndarray] = {}
        for goal in goals:
            self._seen(met, goal)[:, -1] = True
        found = set()
        for node in reversed(nodes):
            here = met.pop(node.family, None)
            if here is None or not here.any():
                continue
            found.add(node.family)
            block = self._rows[node.family]
            decision = self._decision(block)
            if decision is not None:
                self._through_loops(block, decision, here, met)
                self._through_edges(block, decision, here, met)
        return found

    def _decision(self, block: FamilyRows) -> np.ndarray | None:
        """[rows, limits]: what the table holds of a family; None where that is nothing."""
        family = block.node.family
        solved = self._table.solved(family)
        if solved is not None and solved.shape == (len(block.rows), block.limits):
            return solved
        known = self._table.known(family, block.axes, len(block.node.edges), fresh=False)
        return None if known is None else first(known[0][block.rows], limits.whole(block.axes), block.steps)

    def _seen(self, met: dict[Family, np.ndarray], family: Family) -> np.ndarray:
        """bool [rows, limits]: the part of a family that is reached so far."""
        if family not in met:
            block = self._rows[family]
            met[family] = np.zeros((len(block.rows), block.limits), bool)
        return met[family]

    def _through_edges(self, block: FamilyRows, decision: np.ndarray, here: np.ndarray, met) -> None:
        rows, at = np.nonzero(here)
        codes = decision[rows, at]
        for code in np.unique(codes):
            if 0 <= code < len(block.node.edges):
                chosen = codes == code
                for child in block.node.edges[code].children:
                    self._to_child(block, child, (rows[chosen], at[chosen]), met)

    def _to_child(self, block: FamilyRows, child: Child, points: Points, met) -> None:
        rows, at = points
        seen, body = self._seen(met, child.family), self._rows[child.family]
        here, points_of = block.rows[rows], self._arrays.points(child, block.grid, body.grid)
        onto = here if points_of is None else points_of.array[here]
        slots = np.where(onto >= 0, body.slot[np.maximum(onto, 0)], -1)
        if child.carries:
            kinds, table = self._arrays.limits_of(block, body, child)
            left = table.array[0 if kinds is None else kinds.array[here], at]
        else:
            left = np.full(len(rows), body.limits - 1)
        there = (slots >= 0) & (left >= 0)
        seen[slots[there], left[there]] = True

    def _through_loops(self, block: FamilyRows, decision: np.ndarray, here: np.ndarray, met) -> None:
        """The rows that loops lead to: those of the family itself, which are added to `here`, and those of the families
        of later iterations."""
        tilings = {t.dim: t for t in block.node.tilings}
        dims = block.grid.dims
        fresh = here.copy()
        while fresh.any():
            rows, at = np.nonzero(fresh)
            codes, fresh = decision[rows, at], np.zeros_like(here)
            for code in np.unique(codes[codes >= TILE_CODE]):
                chosen, (d, t) = codes == code, divmod(int(code) - TILE_CODE, TILE_SPAN)
                rest = tilings[dims[d]].rest
                later = fresh if rest is None else self._seen(met, rest)
                whole, *others = self._parts(block, d, t, (rows[chosen], at[chosen]))
                fresh[whole] = True
                for part in others:
                    later[part] = True
            fresh &= ~here
            here |= fresh

    def _parts(self, block: FamilyRows, d: int, t: int, points: Points) -> list[Points]:
        """The points that a loop's first tile is at, all later ones, and the leftover. What follows a split of a
        reduction has the same rows."""
        rows, at = points
        ladder, stride = block.grid.ladders[d], int(block.grid.strides[d])
        point, place = block.rows[rows], block.rows[rows] // stride % len(ladder)
        sizes, tile = ladder.sizes[place], ladder.tiles[t]
        whole, rest = point + (ladder.index[tile] - place) * stride, sizes % tile
        tail, several = point + (np.searchsorted(ladder.sizes, rest) - place) * stride, sizes // tile > 1
        return [
            (block.slot[whole], at),
            (block.slot[whole[several]], at[several]),
            (block.slot[tail[rest > 0]], at[rest > 0]),
        ]
