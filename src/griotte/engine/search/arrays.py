"""The arrays that families of one search share: grids, rows, own costs of edges, points and limits of children, loops.

Each is made once, by whichever thread asks first, and lives as long as the search: the loops get its address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...lang.nests.access import Mesh
from ...lang.nests.family import Family
from ..cost import views
from ..rewrites.edge import Child, Edge, Tiling
from ..table import Table
from . import limits
from .edges import address
from .graph import FamilyNode
from .grid import FamilyRows, Grid, ladder_names

Shared = TypeVar("Shared")


class Addressed(NamedTuple):
    """An array, and where it is."""

    array: np.ndarray
    address: int

    @classmethod
    def of(cls, array: np.ndarray) -> Addressed:
        return cls(array, address(array))


class OwnCost(NamedTuple):
    """An edge's own cost: `cost` at all points of a grid, or at `points`; and its columns in the table of edges."""

    cost: np.ndarray
    points: np.ndarray | None
    columns: tuple[int, int, int]

    @classmethod
    def of(cls, cost: np.ndarray, points: np.ndarray | None = None) -> OwnCost:
        return cls(cost, points, (address(cost), 0 if points is None else address(points), len(cost)))


class SearchArrays:
    """The shared arrays of one search, made as they are asked for."""

    def __init__(self, table: Table):
        self.target, self.home, self.ladders = table.target, table.home, table.ladders
        self._cache: dict[tuple, Any] = {}

    def _cached(self, key: tuple, make: Callable[[], Shared]) -> Shared:
        found = self._cache.get(key)
        return self._cache.setdefault(key, make()) if found is None else found

    # ---- points ------------------------------------------------------------------------------------------------------

    def grid(self, family: Family) -> Grid:
        """The grid of a family: all with the same dimensions on the same ladders have one object."""
        key = "grid", family.operation.dims, ladder_names(family.operation)
        return self._cached(key, lambda: Grid(family.operation, self.ladders))

    def rows(self, node: FamilyNode, steps: tuple[int, ...] | None = None) -> FamilyRows:
        """The rows of a family, at `steps` steps of each limit, or at all."""
        return self._cached(("family", node.family, steps), lambda: self._family_rows(node, steps))

    def _family_rows(self, node: FamilyNode, steps: tuple[int, ...] | None) -> FamilyRows:
        family = node.family
        grid, axes = self.grid(family), limits.axes(self.target, self.home, family)
        rows, slot = self._rows(tuple(limits.needs(self.home, family)), grid)
        return FamilyRows(node, grid, axes, limits.whole(axes) if steps is None else steps, rows, slot)

    def _rows(self, needs: tuple, grid: Grid) -> tuple[np.ndarray, np.ndarray]:
        """(points of the rows, row of each point or -1)"""
        return self._cached(("needs", grid, needs), lambda: self._rows_at(grid, self._holds(needs, grid)))

    def _rows_at(self, grid: Grid, holds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        def make() -> tuple[np.ndarray, np.ndarray]:
            slot = np.full(grid.points, -1, np.int32)
            rows = np.flatnonzero(holds)
            slot[rows] = np.arange(len(rows), dtype=np.int32)
            return rows, slot

        return self._cached(("rows", grid, np.packbits(holds).tobytes()), make)

    def _holds(self, needs: tuple, grid: Grid) -> np.ndarray:
        """Points whose operands each fit the level they are at."""
        fits = np.ones(grid.points, bool)
        for need in needs:
            fits &= self._cached(("fits", grid, *need), lambda: grid.flat(limits.fits(self.target, need, grid.size)))
        return fits

    def points(self, child: Child, grid: Grid, onto: Grid) -> Addressed | None:
        """The point of a child's grid for each of the parent's, -1 where its sizes are not on its ladders; None where
        it is the same."""
        if child.sizes is None and onto is grid:
            return None
        if child.sizes is None and onto.projects(grid):
            return self._cached(("projection", grid, onto), lambda: Addressed.of(grid.projection(onto)))
        return self._cached(
            ("mapped", grid, onto, child.sizes), lambda: Addressed.of(grid.mapped(onto, child.at(grid.size)))
        )

    # ---- costs of edges ----------------------------------------------------------------------------------------------

    def own(self, edge: Edge, grid: Grid) -> OwnCost:
        """The own cost of an edge: at all points, or at those at which it fits."""
        return self._cached(("own", grid, edge.key), lambda: self._price(edge, grid))

    def _price(self, edge: Edge, grid: Grid) -> OwnCost:
        """Leaves fit at few points: their cost is worked out at the least product of coordinates that has those."""
        fits = np.asarray(True) if edge.fits is None else np.asarray(edge.fits(grid.size))
        if fits.all():
            return OwnCost.of(grid.flat(self._cost(edge, grid.size)).astype(np.float32))
        key = "held", grid, fits.shape, np.packbits(fits).tobytes()
        mesh, holds, points = self._cached(key, lambda: self._held(fits, grid))
        if not len(points):
            return OwnCost.of(np.zeros(0, np.float32), points)
        cost = np.broadcast_to(self._cost(edge, mesh).astype(np.float32), holds.shape)
        return OwnCost.of(cost[holds], points)

    def _held(self, fits: np.ndarray, grid: Grid) -> tuple[Mesh, np.ndarray, np.ndarray]:
        """The least product of coordinates that has all points which fit, which of them fit, and these points."""
        places = grid.places(fits)
        if not all(map(len, places)):
            return Mesh({}), np.zeros(0, bool), np.zeros(0, np.int64)
        mesh, points = self._cached(
            ("mesh", grid, *(place.tobytes() for place in places)), lambda: (grid.at(places), grid.points_at(places))
        )
        holds = np.broadcast_to(fits, grid.shape)[np.ix_(*places)]
        return mesh, holds, points[holds.reshape(-1)]

    def _cost(self, edge: Edge, size) -> np.ndarray:
        return np.asarray(self.target.cost(edge.features(size)), np.float64)

    # ---- limits ------------------------------------------------------------------------------------------------------

    def taken(self, node: FamilyNode, child: Child) -> tuple[int, np.ndarray] | None:
        """What a child takes of limits: a level, and [kinds, steps] the step that is left."""
        uses = limits.taken(child, self.home)
        return None if uses is None else (uses[0], self._downs(self.grid(node.family), *uses)[0])

    def limits_of(self, parent: FamilyRows, body: FamilyRows, child: Child) -> tuple[Addressed | None, Addressed]:
        """The kind of each point (None: there is one), and [kinds, parent's limits] the child's."""
        uses, met = limits.taken(child, self.home), (parent.axes, body.axes, (parent.steps, body.steps))

        def made(key: tuple, level: int | None, downs: np.ndarray) -> Addressed:
            return self._cached(key, lambda: Addressed.of(limits.transition(*met[:2], level, downs, met[2])))

        if uses is None:
            return None, made(("transition", *met), None, np.zeros((1, len(limits.SHARES)), np.int8))
        level, (downs, kinds) = uses[0], self._downs(parent.grid, *uses)
        return kinds, made(("transition", *met, level, id(downs)), level, downs)  # the cache holds `downs` too

    def _downs(self, grid: Grid, level: int, used: Callable, key: tuple) -> tuple[np.ndarray, Addressed]:
        """The distinct rows of `limits.step_down` over a grid (equal ones are one array), and which of them each point
        has."""

        def distinct() -> tuple[np.ndarray, Addressed]:
            taken = np.asarray(used(grid.size))
            lines, place = np.unique(taken, return_inverse=True)
            steps = limits.step_down(self.target.capacity_lines(level), lines)
            downs, kind = np.unique(steps, axis=0, return_inverse=True)
            downs = self._cached(("distinct", downs.tobytes()), lambda: downs)
            kinds = grid.flat(kind.reshape(-1)[place].reshape(taken.shape)).astype(np.int32)
            return downs, Addressed.of(kinds)

        return self._cached(("downs", grid, level, key), distinct)

    # ---- loops -------------------------------------------------------------------------------------------------------

    def loops(self, grid: Grid, tilings: list[Tiling]) -> tuple[np.ndarray, ...]:
        """What `close` asks of the loops of a family: dims, tile_at, quotient, remainder, has_rest."""
        key = "loops", grid, *((t.dim, t.key, t.rest is None) for t in tilings)
        return self._cached(key, lambda: self._loops(grid, tilings))

    def _loops(self, grid: Grid, tilings: list[Tiling]) -> tuple[np.ndarray, ...]:
        rank, span = len(grid.dims), max(grid.shape)
        most = max(len(ladder.tiles) for ladder in grid.ladders)
        tile_at, has_rest = np.full((rank, most), span, np.int32), np.zeros(rank, bool)
        quotient, remainder = np.zeros((rank, span, most), np.float32), np.full((rank, span, most), -1, np.int32)
        dims = np.array([grid.dims.index(t.dim) for t in tilings], np.int64)
        for d, tiling in zip(dims, tilings):
            ladder = self.ladders[tiling.dim]
            sizes, tiles = len(ladder), len(ladder.tiles)
            tile_at[d, :tiles] = [ladder.index[t] for t in ladder.tiles]
            quotient[d, :sizes, :tiles], remainder[d, :sizes, :tiles] = ladder.loops(tiling.key, tiling.allowed)
            has_rest[d] = tiling.rest is not None
        return dims, tile_at, quotient, remainder, has_rest

    def cuts(self, family: Family, grid: Grid, tilings: list[Tiling]) -> np.ndarray:
        """int64 [dimensions]: where float32 [points] are, what each step of a loop costs but the first; 0 where that is
        nothing."""
        last = len(family.operands) - 1
        places = tuple(
            (family.access(i), o.layout, o.level, i == last)
            for i, o in enumerate(family.operands)
            if (o.layout.apart if i == last else o.layout.panel)
        )
        walked = tuple(views.walks(family, t.dim, self.target) for t in tilings)
        walking = (walked, family.operation, family.operands, family.accumulator) if any(walked) else ()
        return self._cached(
            ("cuts", grid, places, *walking, *(t.dim for t in tilings)), lambda: self._cuts(family, grid, tilings)
        )

    def _cuts(self, family: Family, grid: Grid, tilings: list[Tiling]) -> np.ndarray:
        cuts = {t.dim: found for t in tilings if (found := views.later_steps(family, t.dim, self.target, grid.size))}
        own = {dim: np.asarray(self.target.cost(found), np.float32) for dim, found in cuts.items()}
        return np.array([self._cut(own[dim], grid) if dim in own else 0 for dim in grid.dims], np.int64)

    def _cut(self, own: np.ndarray, grid: Grid) -> int:
        if not own.any():
            return 0
        key = "cut", grid, own.shape, own.tobytes()
        return self._cached(key, lambda: Addressed.of(grid.flat(own))).address
