"""The search: every reachable family solved as a block, children first, exactly.

    waves = reach(target, goals)
    for each wave, for each family: relax every edge over its block, close it under loops, cover the decisions by boxes

Costs are float32 cycles. Families of one wave are independent and run on several threads (the Numba loops release the
interpreter lock). What the table knows already is not solved again: its costs are replayed from the decisions.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ..cost.traffic import cut
from ..rewrites import PARTS, share_edges
from ..rewrites.edge import Child, Edge
from ..spec.family import Family, resident
from ..table import NONE, UNKNOWN, Patch, Table, cover
from . import limits
from .graph import Node, reach
from .kernels import close, relax, relax_leaf
from .ladder import Grid
from .memory import Memory
from .statistics import Statistics, peak_rss_mb

INF = np.float32(np.inf)
ONCE = np.ones(1, np.float32)


@dataclass
class Block:
    """A family while it is solved: `cost` [rows, limits] (freed once no parent needs it) and `slot`, the row of each point
    of the grid. While its own edges are relaxed: `decision` beside the costs, and which rows were `known` (on which
    `products` of coordinates)."""

    node: Node
    grid: Grid
    axes: tuple[int, ...]
    rows: np.ndarray
    slot: np.ndarray
    known: np.ndarray | None
    decision: np.ndarray | None
    products: list
    cost: np.ndarray
    specs_known: int

    def cost_at(self, points: np.ndarray, limit: int) -> np.ndarray:
        """Costs at grid points under one limit index, inf where nothing fits; only while the block's costs are held."""
        return np.where(self.slot[points] >= 0, self.cost[np.maximum(self.slot[points], 0), limit], INF)


class Solver:
    """Solves goals in one pass; holds what its families share: grids, own-cost arrays, limit transitions."""

    def __init__(self, table: Table, workers: int | None = None, memory: Memory | None = None):
        self.table, self.target, self.home, self.ladders = table, table.target, table.home, table.ladders
        self.workers = workers or os.cpu_count() or 1
        self.memory = memory or Memory()
        self.statistics = Statistics()
        self.blocks: dict[Family, Block] = {}
        self._grids: dict[tuple[str, ...], Grid] = {}
        self._cache: dict[tuple, object] = {}

    def solve(self, *goals: Family) -> Statistics:
        """Make the table hold the goals and all that they lead to."""
        self.memory.begin()
        waves = reach(self.target, *goals)
        parents = _parent_counts(waves)
        kept = {family for goal in goals for family in _kept(goal, waves, self._shares)}
        for family in kept:
            parents[family] = parents.get(family, 0) + 1
        with ThreadPoolExecutor(self.workers) as pool:
            for wave in waves:
                self._solve_wave(pool, wave)
                for node in wave:
                    self._release(node, parents)
        self.table.costs.update({family: self.blocks[family] for family in kept})
        self.statistics.peak_rss_mb = peak_rss_mb()
        return self.statistics

    def _solve_wave(self, pool: ThreadPoolExecutor, wave: list[Node]) -> None:
        """The families that another process is at come last: by then they are likely in the store."""
        left = [node for node, done in zip(wave, pool.map(self._solve_claimed, wave)) if not done]
        for _ in pool.map(lambda node: self._solve_claimed(node, wait=True), left):
            pass
        for node in wave:
            block = self.blocks[node.family]
            self.statistics.families += 1
            self.statistics.specs_known += block.specs_known
            self.statistics.specs_solved += block.cost.size - block.specs_known

    def _solve_claimed(self, node: Node, wait: bool = False) -> bool:
        """Solve a family; False, and nothing done, where another process is at it and `wait` is not set."""
        with self.table.claim(node.family, wait) as granted:
            if granted:
                self.blocks[node.family] = self._solve_family(node)
        return granted

    def _shares(self, family: Family) -> list[Edge]:
        """The copies that threads may share before they share out a family."""
        if PARTS not in self.ladders or PARTS in family.operation.dims:
            return []
        return share_edges(family, self.target, int(self.ladders[PARTS].sizes[-1]))

    def _release(self, node: Node, parents: dict[Family, int]) -> None:
        for child in node.children:
            parents[child] -= 1
            if parents[child] == 0:
                self.memory.free(self.blocks.pop(child).cost)

    def grid(self, family: Family) -> Grid:
        dims = family.operation.dims
        if dims not in self._grids:
            self._grids[dims] = Grid(dims, self.ladders)
        return self._grids[dims]

    def _cached(self, key: tuple, make):
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]

    # ---- one family ---------------------------------------------------------------------------------------------

    def _solve_family(self, node: Node) -> Block:
        grid, axes = self.grid(node.family), limits.axes(self.target, self.home, node.family)
        rows, slot = self._rows(node.family, grid)
        with self.memory.working(_working_set(grid, len(rows), limits.count(axes)), node.family.operation.name):
            block = self._block(node, grid, axes, rows, slot)
            for code, edge in enumerate(node.edges):
                self._relax(block, edge, np.int16(code))
            self._close(block)
            self._keep(block)
        block.known = block.decision = None
        return block

    def _rows(self, family: Family, grid: Grid) -> tuple[np.ndarray, np.ndarray]:
        """(points of the rows, row of each point or -1). Many families share them."""
        holds = self._holds(family, grid)

        def make():
            slot = np.full(grid.points, -1, np.int32)
            rows = np.flatnonzero(holds)
            slot[rows] = np.arange(len(rows), dtype=np.int32)
            return rows, slot

        return self._cached(("rows", grid.dims, np.packbits(holds).tobytes()), make)

    def _block(self, node: Node, grid: Grid, axes: tuple[int, ...], rows: np.ndarray, slot: np.ndarray) -> Block:
        """The family's rows, with the decisions that the table has for them."""
        shape = (len(rows), limits.count(axes))
        known, decision, products = np.zeros(len(rows), bool), np.full(shape, NONE, np.int16), []
        found = self._found(node)
        if found is not None:
            decision, products = found[0][rows], found[1]
            known = decision[:, 0] != UNKNOWN
            decision[~known] = NONE
        specs_known = int(np.count_nonzero(known)) * shape[1]
        return Block(node, grid, axes, rows, slot, known, decision, products, self.memory.full(shape, INF), specs_known)

    def _keep(self, block: Block) -> None:
        """Put into the table what it did not have."""
        family, grid, steps = block.node.family, block.grid, len(limits.SHARES)
        holes, held = [], np.zeros(len(block.rows), bool)
        for product in block.products:
            rows = _rows_in(product, block)
            if block.known[rows].all():
                holes.append(product)
                held[rows] = True
        fresh = block.rows[~held]
        if len(fresh) or not self.table.patches(family):
            slot = block.slot.copy()
            slot[block.rows[held]] = -1
            boxes = cover(fresh, slot, block.decision, grid.shape + (steps,) * len(block.axes))
            self.table.keep(family, Patch(*self.table.axes(family), block.axes, steps, len(fresh) * block.decision.shape[1], boxes, tuple(holes)))

    def _holds(self, family: Family, grid: Grid) -> np.ndarray:
        """Points whose operands each fit the level they are at."""
        fits = np.ones(grid.points, bool)
        for i, operand in enumerate(family.operands):
            if 0 < operand.level < self.home:
                fits &= self._resident(family, i, grid) <= self.target.capacity_lines(operand.level)
        return fits

    def _resident(self, family: Family, i: int, grid: Grid) -> np.ndarray:
        access, operand, reduced = family.access(i), family.operands[i], family.reduced(i)
        return self._cached(("resident", grid.dims, access, operand, reduced), lambda: grid.flat(resident(access, operand, grid.size, reduced)))

    def _own(self, edge: Edge, grid: Grid) -> np.ndarray:
        def make():
            own = grid.flat(np.asarray(self.target.cost(edge.features(grid.size)), np.float64)).astype(np.float32)
            return own if edge.fits is None else np.where(grid.flat(edge.fits(grid.size)), own, INF)

        return make() if edge.key[0] == "leaf" else self._cached(("own", grid.dims, edge.key), make)

    def _relax(self, block: Block, edge: Edge, code: np.int16) -> None:
        own = self._own(edge, block.grid)
        for child in edge.children:
            if not child.carries:
                own = own + self._alone(child, block.grid)
        if edge.body is None:
            self._relax_leaf(block, own, code)
            return
        body = self.blocks[edge.body.family]
        kind, table = self._transition(block, body, edge)
        slot = body.slot if body.grid is block.grid else body.slot[self._projection(block.grid, body.grid)]
        times = ONCE if edge.body.times is None else block.grid.flat(np.asarray(edge.body.times(block.grid.size), np.float32))
        self._relax_child(block, body, slot, own, times, kind, table, code)

    def _projection(self, grid: Grid, onto: Grid) -> np.ndarray:
        return self._cached(("projection", grid.dims, onto.dims), lambda: grid.projection(onto))

    def _alone(self, child: Child, grid: Grid) -> np.ndarray:
        """The cost of a child that finds the caches free, at each point of the parent's grid: inf where it has no program.
        One that runs ahead of the call costs nothing, and (counted) is no choice."""
        block = self.blocks[child.family]
        best = np.append(block.cost[:, -1], INF)
        self.memory.settle(block.cost)
        if child.ahead:
            best = np.where(best < INF, np.float32(0), INF)
        return best[block.slot[self._projection(grid, block.grid)]]

    def _transition(self, block: Block, body: Block, edge: Edge) -> tuple[np.ndarray, np.ndarray]:
        if edge.uses is None or edge.uses[0] >= self.home:
            table = self._cached(("transition", block.axes, body.axes), lambda: limits.transition(block.axes, body.axes, None, np.zeros((1, len(limits.SHARES)), np.int8)))
            return self._cached(("zero", block.grid.dims), lambda: np.zeros(block.grid.points, np.int32)), table
        level, used, key = edge.uses
        grid = block.grid

        def distinct():
            capacity = self.target.capacity_lines(level)
            lines, place = np.unique(grid.flat(used(grid.size)), return_inverse=True)
            downs, kind = np.unique(limits.step_down(capacity, lines), axis=0, return_inverse=True)
            return downs, kind.reshape(-1)[place.reshape(-1)].astype(np.int32)

        downs, kind = self._cached(("downs", grid.dims, level, key), distinct)
        table = self._cached(("transition", block.axes, body.axes, level, grid.dims, key), lambda: limits.transition(block.axes, body.axes, level, downs))
        return kind, table

    def _close(self, block: Block) -> None:
        node, grid = block.node, block.grid
        tilings = [t for t in node.tilings if len(self.ladders[t.dim]) > 1]
        if not tilings or not len(block.rows):
            return
        rank, span = len(grid.dims), max(grid.shape)
        most = max(len(ladder.tiles) for ladder in grid.ladders)
        tile_at = np.full((rank, most), span, np.int32)
        quotient, remainder = np.zeros((rank, span, most), np.float32), np.full((rank, span, most), -1, np.int32)
        for tiling in tilings:
            d, ladder = grid.dims.index(tiling.dim), self.ladders[tiling.dim]
            tile_at[d, : len(ladder.tiles)] = [ladder.index[t] for t in ladder.tiles]
            quotient[d, : len(ladder), : len(ladder.tiles)], remainder[d, : len(ladder), : len(ladder.tiles)] = ladder.loops(tiling.key, tiling.allowed)
        rest = next((self.blocks[t.rest].cost for t in tilings if t.rest is not None), block.cost)
        has_rest = np.zeros(rank, bool)
        has_rest[[grid.dims.index(t.dim) for t in tilings if t.rest is not None]] = True
        dims = np.array([grid.dims.index(t.dim) for t in tilings], np.int64)
        self._close_block(block, dims, tile_at, quotient, remainder, rest, has_rest, self._cuts(block, tilings))

    def _cuts(self, block: Block, tilings: list) -> np.ndarray:
        """[dimension, point]: what each step of a loop costs but the first; of length 1 where that is nothing."""
        family, grid = block.node.family, block.grid
        cuts = {t.dim: found for t in tilings if (found := cut(family, t.dim, self.target, grid.size))}
        own = {dim: np.asarray(self.target.cost(found), np.float32) for dim, found in cuts.items()}
        if not any(price.any() for price in own.values()):
            return np.zeros((len(grid.dims), 1), np.float32)
        nothing = np.zeros(grid.points, np.float32)
        return np.stack([grid.flat(own[dim]) if dim in own else nothing for dim in grid.dims])

    # ---- the semiring: least cost, and which choice gives it; and where what is known comes from, and goes ----------------

    def _found(self, node: Node):
        return self.table.known(node.family, len(node.edges))

    def _relax_leaf(self, block: Block, own: np.ndarray, code: np.int16) -> None:
        for part in self.memory.slabs(block.cost):
            relax_leaf(block.cost[part], block.decision[part], block.known[part], block.rows[part], own, code)
            self.memory.settle(block.cost)

    def _relax_child(self, block: Block, body: Block, slot, own, times, kind, table, code: np.int16) -> None:
        for part in self.memory.slabs(block.cost, body.cost):
            relax(block.cost[part], block.decision[part], block.known[part], block.rows[part], body.cost, slot, own, times, kind, table, code)
            self.memory.settle(block.cost, body.cost)

    def _close_block(self, block: Block, dims, tile_at, quotient, remainder, rest, has_rest, cuts) -> None:
        loop, grid = np.float32(self.target.coefficient["loop"]), block.grid
        for part in self.memory.slabs(block.cost, rest):
            close(
                block.cost, block.decision, block.known, block.rows, part.start, part.stop, block.slot, grid.coordinates, grid.strides, dims, tile_at, quotient, remainder, rest, has_rest, loop, cuts
            )
            self.memory.settle(block.cost, rest)


def _working_set(grid: Grid, rows: int, limit_count: int) -> int:
    """Bytes that solving a family takes beside its costs: decisions (and a dense copy to cover them), and some arrays of
    a number for each point."""
    return rows * limit_count * 2 + grid.points * (2 * limit_count + 48)


def _rows_in(product, block: Block) -> np.ndarray:
    """The rows at a product of coordinates."""
    points = np.zeros(1, np.int64)
    for coordinates, stride in zip(product, block.grid.strides):
        points = (points[:, None] + np.array(coordinates, np.int64) * int(stride)).reshape(-1)
    rows = block.slot[points]
    return rows[rows >= 0]


def _kept(goal: Family, waves: list[list[Node]], shares) -> list[Family]:
    """Families whose costs are still read after the solve: the goal, what is left of it once its constants are placed,
    without batch dimensions, and what threads share a copy for."""
    found, nodes = [goal], {node.family: node for wave in waves for node in wave}
    for family in found:  # which grows
        if family.ahead or family.batch:
            found += [edge.body.family for edge in nodes[family].edges]
        found += [child.family for edge in shares(family) for child in edge.children]
    return found


def _parent_counts(waves: list[list[Node]]) -> dict[Family, int]:
    counts: dict[Family, int] = {}
    for wave in waves:
        for node in wave:
            for child in node.children:
                counts[child] = counts.get(child, 0) + 1
    return counts


