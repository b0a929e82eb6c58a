"""One family solved as a block, from its children's: every edge relaxed over it, closed under loops, its decisions
covered by boxes."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from ...lang.nests.family import Family
from ...support.memory import Memory
from ..cost.traffic import cut
from ..rewrites.edge import Child, DoesNotApply, Edge, Tiling
from ..table import NONE, UNKNOWN, Damaged, Patch, Runs, Table, cover
from . import limits
from .block import INF, SolvedBlock, first, rows_in
from .edges import AHEAD, ALONE, CARRIES, Edges, address
from .graph import FamilyNode
from .kernels import close, relax
from .ladder import Grid, ladder_names
from .met import Met


class Own(NamedTuple):
    """An edge's own cost: `cost` at all points of a grid, or at `points`; and as the loops are told of it."""

    cost: np.ndarray
    points: np.ndarray | None
    told: tuple[int, int, int]

    @classmethod
    def of(cls, cost: np.ndarray, points: np.ndarray | None = None) -> Own:
        return cls(cost, points, (address(cost), 0 if points is None else address(points), len(cost)))


class FamilySolver:
    """Solves families whose children are solved; holds what they share: grids, own-cost arrays, limit transitions.
    `_met`: the limits that a family is solved at, where those are not all."""

    def __init__(self, table: Table, memory: Memory | None = None):
        self.table, self.target, self.home, self.ladders = table, table.target, table.home, table.ladders
        self.memory = memory or Memory()
        self.blocks: dict[Family, SolvedBlock] = {}
        self._met: Met = {}
        self._grids: dict[tuple, Grid] = {}
        self._cache: dict[tuple, object] = {}

    def _solve_family(self, node: FamilyNode) -> SolvedBlock:
        grid, axes = self.grid(node.family), limits.axes(self.target, self.home, node.family)
        rows, slot = self._rows(node.family, grid)
        steps = self._met.get(node.family, limits.whole(axes))
        with self.memory.working(_working_set(grid, len(rows), prod(steps)), node.family.operation.name):
            block = self._block(node, grid, axes, steps, rows, slot)
            self._relax(block)
            self._close(block)
            self._check(block)
            self._keep(block)
        block.known = block.decision = None
        return block

    def grid(self, family: Family) -> Grid:
        """The grid of a family: of all with the same dimensions on the same ladders, one object."""
        key = family.operation.dims, ladder_names(family.operation)
        found = self._grids.get(key)
        return self._grids.setdefault(key, Grid(family.operation, self.ladders)) if found is None else found

    def _cached(self, key: tuple, make):
        found = self._cache.get(key)
        return self._cache.setdefault(key, make()) if found is None else found

    def _rows(self, family: Family, grid: Grid) -> tuple[np.ndarray, np.ndarray]:
        """(points of the rows, row of each point or -1). Many families share them."""
        needs = tuple(limits.needs(self.home, family))
        return self._cached(("needs", grid, needs), lambda: self._rows_at(grid, self._holds(needs, grid)))

    def _rows_at(self, grid: Grid, holds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        def make():
            slot = np.full(grid.points, -1, np.int32)
            rows = np.flatnonzero(holds)
            slot[rows] = np.arange(len(rows), dtype=np.int32)
            return rows, slot

        return self._cached(("rows", grid, np.packbits(holds).tobytes()), make)

    def _block(
        self,
        node: FamilyNode,
        grid: Grid,
        axes: tuple[int, ...],
        steps: tuple[int, ...],
        rows: np.ndarray,
        slot: np.ndarray,
    ) -> SolvedBlock:
        """The family's rows, with the decisions that the table has for them."""
        shape = (len(rows), prod(steps))
        known, decision, products = np.zeros(len(rows), bool), np.full(shape, NONE, np.int16), []
        found = self._found(node)
        if found is not None:
            decision, products = np.ascontiguousarray(first(found[0][rows], limits.whole(axes), steps)), found[1]
            known = (decision != UNKNOWN).all(axis=1)
            decision[~known] = NONE
        specs_known = int(np.count_nonzero(known)) * shape[1]
        return SolvedBlock(
            node, grid, axes, steps, rows, slot, known, decision, products, self.memory.full(shape, INF), specs_known
        )

    def _check(self, block: SolvedBlock) -> None:
        """Damaged where a known decision, replayed, comes to no cost: it does not fit, or leaves what has no
        program."""
        if not block.known.any():
            return
        for part in self.memory.slabs(block.cost):
            lost = (block.decision[part] != NONE) & ~(block.cost[part] < INF)
            self.memory.settle(block.cost)
            if lost[block.known[part]].any():
                self.memory.free(block.cost)
                raise Damaged("a decision that cannot be taken")

    def _keep(self, block: SolvedBlock) -> None:
        """Put into the table what it did not have."""
        family, grid = block.node.family, block.grid
        holes, held = [], np.zeros(len(block.rows), bool)
        for product in block.products:
            rows = rows_in(product, block)
            if block.known[rows].all():
                holes.append(product)
                held[rows] = True
        fresh = block.rows[~held]
        if len(fresh) or not self.table.patches(family):
            slot, shape = block.slot, grid.shape + block.steps
            if holes:
                slot = slot.copy()
                slot[block.rows[held]] = -1
            # a cover takes ten times as long as runs, and a third of their memory
            is_kept_small = self.table.store is not None or self.memory.bounded
            boxes = cover(fresh, slot, block.decision, shape) if is_kept_small else Runs.of(slot, block.decision, shape)
            self.table.keep(
                family,
                Patch(
                    *self.table.axes(family),
                    block.axes,
                    len(limits.SHARES),
                    len(fresh) * block.decision.shape[1],
                    boxes,
                    tuple(holes),
                ),
            )

    def _holds(self, needs: tuple, grid: Grid) -> np.ndarray:
        """Points whose operands each fit the level they are at."""
        fits = np.ones(grid.points, bool)
        for need in needs:
            fits &= self._cached(("fits", grid, *need), lambda: grid.flat(limits.fits(self.target, need, grid.size)))
        return fits

    def _own(self, edge: Edge, grid: Grid) -> Own:
        return self._cached(("own", grid, edge.key), lambda: self._price(edge, grid))

    def _price(self, edge: Edge, grid: Grid) -> Own:
        """The own cost of an edge: at all points, or at those at which it fits. Leaves fit at few: what they cost is
        worked out at the least product of coordinates that has those."""
        fits = np.asarray(True) if edge.fits is None else np.asarray(edge.fits(grid.size))
        if fits.all():
            return Own.of(grid.flat(self._cost(edge, grid.size)).astype(np.float32))
        places = grid.places(fits)
        if not all(map(len, places)):
            return Own.of(np.zeros(0, np.float32), np.zeros(0, np.int64))
        mesh, points = self._cached(
            ("mesh", grid, *(place.tobytes() for place in places)), lambda: (grid.at(places), grid.points_at(places))
        )
        holds = np.broadcast_to(fits, grid.shape)[np.ix_(*places)]
        cost = np.broadcast_to(self._cost(edge, mesh).astype(np.float32), holds.shape)
        return Own.of(cost[holds], points[holds.reshape(-1)])

    def _cost(self, edge: Edge, size) -> np.ndarray:
        return np.asarray(self.target.cost(edge.features(size)), np.float64)

    def _relax(self, block: SolvedBlock) -> None:
        """Relax all edges in one call; where costs may be in the scratch file one by one, a slab at a time."""
        edges, children, kept = self._tables(block)
        bounded, count = self.memory.bounded, len(edges)
        for begin in range(count) if bounded else (0,):
            end = begin + 1 if bounded else count
            costs = [self.blocks[c.family].cost for c in block.node.edges[begin].children] if bounded else []
            for part in self.memory.slabs(block.cost, *costs):
                off = self._relax_edges(block, edges, begin, end, children, part)
                if off >= 0:
                    raise DoesNotApply(_off_ladders(block.node, off))
                self.memory.settle(block.cost, *costs)
        del kept  # which the tables have the addresses of

    def _tables(self, block: SolvedBlock) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """The edges of a family and their children as the loops take them, and what is to live as long."""
        edges, kept = Edges(), list[np.ndarray]()
        for edge in block.node.edges:
            edges.add(self._own(edge, block.grid).told, [self._child(child, block, kept) for child in edge.children])
        return *edges.tables(), kept

    def _child(self, child: Child, block: SolvedBlock, kept: list[np.ndarray]) -> tuple[int, ...]:
        """A child as it is seen from the parent's block, a row of the table of children."""
        body = self.blocks[child.family]
        seen = *body.told, self._points(child, block.grid, body.grid)
        if not child.carries:
            return *seen, 0, 0, 0, AHEAD if child.ahead else ALONE
        kind, table = self._transition(block, body, child)
        return *seen, self._times(child, block.grid, kept), kind, table, CARRIES

    @staticmethod
    def _times(child: Child, grid: Grid, kept: list[np.ndarray]) -> int:
        """Where it says how often a child runs at each point; 0: once."""
        if child.times is None:
            return 0
        times = grid.flat(np.asarray(child.times(grid.size), np.float32))
        kept.append(times)
        return address(times)

    def _points(self, child: Child, grid: Grid, onto: Grid) -> int:
        """Where it says which point of the child's grid each of the parent's is, -1 where its sizes are not on its
        ladders; 0: the same."""
        found = self._point_of(child, grid, onto)
        return 0 if found is None else found[1]

    def _point_of(self, child: Child, grid: Grid, onto: Grid) -> tuple[np.ndarray, int] | None:
        """That as an array, and where it is."""
        if child.sizes is None and onto is grid:
            return None
        if child.sizes is None and onto.projects(grid):
            return self._told(("projection", grid, onto), lambda: grid.projection(onto))
        return self._told(("mapped", grid, onto, child.sizes), lambda: grid.mapped(onto, child.at(grid.size)))

    def _told(self, key: tuple, make) -> tuple[np.ndarray, int]:
        """An array that is kept by a key, and its address."""

        def found():
            array = make()
            return array, address(array)

        return self._cached(key, found)

    def _transition(self, block: SolvedBlock, body: SolvedBlock, child: Child) -> tuple[int, int]:
        """Where the kind of each point is, and by kind the child's limit at each of the parent's."""
        kinds, table = self._limits_of(block, body, child)
        return 0 if kinds is None else kinds[1], table[1]

    def _limits_of(
        self, block: SolvedBlock, body: SolvedBlock, child: Child
    ) -> tuple[tuple[np.ndarray, int] | None, tuple[np.ndarray, int]]:
        """The kind of each point (None: there is one), and [kinds, parent's limits] the child's; each as an array, and
        where it is."""
        uses, met = limits.taken(child, self.home), (block.axes, body.axes, (block.steps, body.steps))
        if uses is None:
            free = np.zeros((1, len(limits.SHARES)), np.int8)
            return None, self._told(("transition", *met), lambda: limits.transition(*met[:2], None, free, met[2]))
        level, (downs, kind, kinds) = uses[0], self._downs(block.grid, *uses)
        key = "transition", *met, level, id(downs)  # the cache holds `downs` too
        return (kinds, kind), self._told(key, lambda: limits.transition(*met[:2], level, downs, met[2]))

    def _taken(self, node: FamilyNode, child: Child) -> tuple[int, np.ndarray] | None:
        """What a child takes of limits: a level, and [kinds, steps] the step that is left."""
        uses = limits.taken(child, self.home)
        return None if uses is None else (uses[0], self._downs(self.grid(node.family), *uses)[0])

    def _downs(self, grid: Grid, level: int, used, key: tuple) -> tuple[np.ndarray, int, np.ndarray]:
        """The distinct rows of `limits.step_down` over a grid (equal ones are one array), and which of them each point
        has: where that is, and itself."""

        def distinct():
            capacity = self.target.capacity_lines(level)
            taken = np.asarray(used(grid.size))
            lines, place = np.unique(taken, return_inverse=True)
            downs, kind = np.unique(limits.step_down(capacity, lines), axis=0, return_inverse=True)
            downs = self._cached(("distinct", downs.tobytes()), lambda: downs)
            kinds = grid.flat(kind.reshape(-1)[place].reshape(taken.shape)).astype(np.int32)
            return downs, address(kinds), kinds

        return self._cached(("downs", grid, level, key), distinct)

    def _close(self, block: SolvedBlock) -> None:
        tilings = [t for t in block.node.tilings if len(self.ladders[t.dim]) > 1]
        if not tilings or not len(block.rows):
            return
        rest = next((self._rest(block, self.blocks[t.rest]) for t in tilings if t.rest is not None), block.cost)
        key = "loops", block.grid, *((t.dim, t.key, t.rest is None) for t in tilings)
        dims, tile_at, quotient, remainder, has_rest = self._cached(key, lambda: self._loops(block.grid, tilings))
        self._close_block(block, dims, tile_at, quotient, remainder, rest, has_rest, self._cuts(block, tilings))

    @staticmethod
    def _rest(block: SolvedBlock, rest: SolvedBlock) -> np.ndarray:
        """The costs of what a split leaves, at the limits of the block."""
        return (
            rest.cost if rest.steps == block.steps else np.ascontiguousarray(first(rest.cost, rest.steps, block.steps))
        )

    def _loops(self, grid: Grid, tilings: list[Tiling]) -> tuple[np.ndarray, ...]:
        """What `close` asks of the loops of a family: dims, tile_at, quotient, remainder, has_rest."""
        rank, span = len(grid.dims), max(grid.shape)
        most = max(len(ladder.tiles) for ladder in grid.ladders)
        tile_at, has_rest = np.full((rank, most), span, np.int32), np.zeros(rank, bool)
        quotient, remainder = np.zeros((rank, span, most), np.float32), np.full((rank, span, most), -1, np.int32)
        dims = np.array([grid.dims.index(t.dim) for t in tilings], np.int64)
        for d, tiling in zip(dims, tilings):
            ladder = self.ladders[tiling.dim]
            tile_at[d, : len(ladder.tiles)] = [ladder.index[t] for t in ladder.tiles]
            quotient[d, : len(ladder), : len(ladder.tiles)], remainder[d, : len(ladder), : len(ladder.tiles)] = (
                ladder.loops(tiling.key, tiling.allowed)
            )
            has_rest[d] = tiling.rest is not None
        return dims, tile_at, quotient, remainder, has_rest

    def _cuts(self, block: SolvedBlock, tilings: list[Tiling]) -> np.ndarray:
        """[dimension, point]: what each step of a loop costs but the first; of length 1 where that is nothing."""
        family, grid = block.node.family, block.grid
        last = len(family.operands) - 1
        places = tuple(
            (family.access(i), o.layout, o.level, i == last)
            for i, o in enumerate(family.operands)
            if (o.layout.apart if i == last else o.layout.panel)
        )
        return self._cached(("cuts", grid, places, *(t.dim for t in tilings)), lambda: self._cut(family, grid, tilings))

    def _cut(self, family: Family, grid: Grid, tilings: list[Tiling]) -> np.ndarray:
        cuts = {t.dim: found for t in tilings if (found := cut(family, t.dim, self.target, grid.size))}
        own = {dim: np.asarray(self.target.cost(found), np.float32) for dim, found in cuts.items()}
        if not any(price.any() for price in own.values()):
            return np.zeros((len(grid.dims), 1), np.float32)
        nothing = np.zeros(grid.points, np.float32)
        return np.stack([grid.flat(own[dim]) if dim in own else nothing for dim in grid.dims])

    # ---- the semiring: least cost, and which choice gives it; and where what is known comes from, and goes -----------

    def _found(self, node: FamilyNode):
        return self.table.known(node.family, limits.axes(self.target, self.home, node.family), len(node.edges))

    def _relax_edges(self, block: SolvedBlock, edges, first: int, last: int, children, part: slice) -> int:
        return relax(
            block.cost,
            block.decision,
            block.known,
            block.rows,
            block.slot,
            part.start,
            part.stop,
            edges,
            first,
            last,
            children,
        )

    def _close_block(self, block: SolvedBlock, dims, tile_at, quotient, remainder, rest, has_rest, cuts) -> None:
        loop, grid = np.float32(self.target.coefficient["loop"]), block.grid
        for part in self.memory.slabs(block.cost, rest):
            close(
                block.cost,
                block.decision,
                block.known,
                block.rows,
                part.start,
                part.stop,
                block.slot,
                grid.coordinates,
                grid.strides,
                dims,
                tile_at,
                quotient,
                remainder,
                rest,
                has_rest,
                loop,
                cuts,
            )
            self.memory.settle(block.cost, rest)


def _working_set(grid: Grid, rows: int, limit_count: int) -> int:
    """Bytes that solving a family takes beside its costs: decisions (and a dense copy to cover them), and some arrays
    of a number for each point."""
    return rows * limit_count * 2 + grid.points * (2 * limit_count + 48)


def _off_ladders(node: FamilyNode, edge: int) -> str:
    """That an edge of a family has a child whose sizes are not on its ladders."""
    name = next((child.family.operation.name for child in node.edges[edge].children if child.sizes), "a part")
    return f"expected sizes of {name} on its ladders, found others; name them in `asked` of its rule"
