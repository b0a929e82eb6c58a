"""The search: every reachable family solved as a block, children first, exactly.

    waves = reach(target, goals)
    for each wave, for each family: relax every edge over its block, close it under loops, cover the decisions by boxes

Costs are float32 cycles. Families of one wave are independent and run on several threads (the Numba loops release the
interpreter lock). What the table knows already is not solved again: its costs are replayed from the decisions. One that
does not come to a cost cannot be: then nothing that is stored is believed, and all is solved.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from ..cost.traffic import cut
from ..rewrites import PARTS, can_accumulate, child_state, join_state, share_edges
from ..rewrites.edge import Child, Edge, require
from ..spec.family import Family, State
from ..table import NONE, UNKNOWN, Damaged, Patch, Table, cover
from . import limits
from .graph import Node, reach, subgoals
from .kernels import close, relax, relax_leaf
from .ladder import Grid, ladder_names
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


@dataclass(frozen=True)
class Carried:
    """A child from its parent's points: `cost` [rows, limits] of it, the row (`slot`) and how often (`times`; of length 1: everywhere) at
    each point, and the limit that it finds there, `table[kind[point], parent's limit]`; -1 where it has no program."""

    cost: np.ndarray
    slot: np.ndarray
    times: np.ndarray
    kind: np.ndarray
    table: np.ndarray


class Solver:
    """Solves goals in one pass; holds what its families share: grids, own-cost arrays, limit transitions."""

    def __init__(self, table: Table, workers: int | None = None, memory: Memory | None = None):
        self.table, self.target, self.home, self.ladders = table, table.target, table.home, table.ladders
        self.workers = workers or os.cpu_count() or 1
        self.memory = memory or Memory()
        self.statistics = Statistics()
        self.blocks: dict[Family, Block] = {}
        self._grids: dict[tuple, Grid] = {}
        self._cache: dict[tuple, object] = {}

    def solve(self, *goals: Family) -> Statistics:
        """Make the table hold the goals and all that they lead to."""
        self.memory.begin()
        try:
            self._solve(goals)
        except Damaged as why:
            if not self.table.believed:
                raise
            self.table.doubt(why)
            self._begin_again()
            self._solve(goals)
        self.statistics.peak_rss_mb = peak_rss_mb()
        return self.statistics

    def _begin_again(self) -> None:
        for block in self.blocks.values():
            self.memory.free(block.cost)
        self.blocks.clear()
        self.statistics = Statistics()

    def _solve(self, goals: tuple[Family, ...]) -> None:
        states = [state for goal in goals for state in self._kept(self._largest(goal))]
        kept = {state.family for state in states}
        waves = reach(self.target, *goals, *self._joins(states))
        parents = _parent_counts(waves)
        for goal in goals:
            parents[goal] = parents.get(goal, 0) + 1
        with ThreadPoolExecutor(self.workers) as pool:
            for wave in waves:
                self._solve_wave(pool, wave)
                self.table.costs.update({node.family: self._free_memory(self.blocks[node.family]) for node in wave if node.family in kept})
                for node in wave:
                    self._release(node, parents)

    @staticmethod
    def _free_memory(block: Block) -> Block:
        """A block's costs with all memory free."""
        return replace(block, cost=block.cost[:, -1:].copy())

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

    def _largest(self, family: Family) -> State:
        """A family at the extents of its dimensions."""
        return State(family, tuple(int(self.ladders[d].sizes[-1]) for d in family.operation.dims))

    def _kept(self, goal: State) -> list[State]:
        """Specs of families whose costs are still read after the solve: the goal, its parts, and what threads share a copy for."""
        stack = subgoals(self.target, goal)
        found = dict.fromkeys(stack)
        while stack:
            state = stack.pop()
            fresh = [part for edge in self._shares(state.family) for child in edge.children if (part := child_state(child, state)) not in found]
            found.update(dict.fromkeys(fresh))
            stack += fresh
        return list(found)

    def _joins(self, kept: Iterable[State]) -> set[Family]:
        """What joins the parts of reductions that threads may share."""
        if PARTS not in self.ladders:
            return set()
        whole = [state for state in kept if state.family.operation.combine and PARTS not in state.family.operation.dims and can_accumulate(state.family)]
        return {join_state(state, 2).family for state in whole}

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
        key = family.operation.dims, ladder_names(family.operation)
        if key not in self._grids:
            self._grids[key] = Grid(family.operation, self.ladders)
        return self._grids[key]

    def _cached(self, key: tuple, make):
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]

    # ---- one family ---------------------------------------------------------------------------------------------

    def _solve_family(self, node: Node) -> Block:
        grid, axes = self.grid(node.family), limits.axes(self.target, self.home, node.family)
        rows, slot = self._rows(node.family, grid)
        several = any(len(edge.carrying) > 1 for edge in node.edges)
        with self.memory.working(_working_set(grid, len(rows), limits.count(axes), several), node.family.operation.name):
            block = self._block(node, grid, axes, rows, slot)
            for code, edge in enumerate(node.edges):
                self._relax(block, edge, np.int16(code))
            self._close(block)
            self._check(block)
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

        return self._cached(("rows", grid.dims, grid.key, np.packbits(holds).tobytes()), make)

    def _block(self, node: Node, grid: Grid, axes: tuple[int, ...], rows: np.ndarray, slot: np.ndarray) -> Block:
        """The family's rows, with the decisions that the table has for them."""
        shape = (len(rows), limits.count(axes))
        known, decision, products = np.zeros(len(rows), bool), np.full(shape, NONE, np.int16), []
        found = self._found(node)
        if found is not None:
            decision, products = found[0][rows], found[1]
            known = (decision != UNKNOWN).all(axis=1)
            decision[~known] = NONE
        specs_known = int(np.count_nonzero(known)) * shape[1]
        return Block(node, grid, axes, rows, slot, known, decision, products, self.memory.full(shape, INF), specs_known)

    def _check(self, block: Block) -> None:
        """Damaged where a known decision, replayed, comes to no cost: it does not fit, or leaves what has no program."""
        if not block.known.any():
            return
        for part in self.memory.slabs(block.cost):
            lost = (block.decision[part] != NONE) & ~(block.cost[part] < INF)
            self.memory.settle(block.cost)
            if lost[block.known[part]].any():
                self.memory.free(block.cost)
                raise Damaged("a decision that cannot be taken")

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
        for need in limits.needs(self.home, family):
            fits &= self._cached(("fits", grid.dims, grid.key, *need), lambda: grid.flat(limits.fits(self.target, need, grid.size)))  # noqa: B023 - called at once
        return fits

    def _own(self, edge: Edge, grid: Grid) -> np.ndarray:
        def make():
            own = grid.flat(np.asarray(self.target.cost(edge.features(grid.size)), np.float64)).astype(np.float32)
            return own if edge.fits is None else np.where(grid.flat(edge.fits(grid.size)), own, INF)

        return make() if edge.key[0] == "leaf" else self._cached(("own", grid.dims, grid.key, edge.key), make)

    def _relax(self, block: Block, edge: Edge, code: np.int16) -> None:
        own = self._own(edge, block.grid)
        for child in edge.children:
            if not child.carries:
                own = own + self._alone(child, block, own)
        carrying = [self._carried(child, block, own) for child in edge.carrying]
        if not carrying:
            self._relax_leaf(block, own, code)
        elif len(carrying) == 1:
            self._relax_child(block, carrying[0], own, code)
        else:
            self._relax_child(block, self._together(block, carrying), own, code)

    def _alone(self, child: Child, block: Block, own: np.ndarray) -> np.ndarray:
        """The cost of a child that finds the caches free, at each point of the parent's grid: inf where it has no program.
        One that runs ahead of the call costs nothing, and (counted) is no choice."""
        found = self.blocks[child.family]
        best = np.append(found.cost[:, -1], INF)
        self.memory.settle(found.cost)
        if child.ahead:
            best = np.where(best < INF, np.float32(0), INF)
        return best[self._slots(child, block, own)]

    def _carried(self, child: Child, block: Block, own: np.ndarray) -> Carried:
        """A child that carries, as it is seen from the parent's block."""
        body = self.blocks[child.family]
        kind, table = self._transition(block, body, child)
        times = ONCE if child.times is None else block.grid.flat(np.asarray(child.times(block.grid.size), np.float32))
        return Carried(body.cost, self._slots(child, block, own), times, kind, table)

    def _together(self, block: Block, children: list[Carried]) -> Carried:
        """Several children as one: their costs added, by the parent's rows and limits."""
        total = np.zeros(block.cost.shape, np.float32)
        for child in children:
            for part in self.memory.slabs(total, child.cost):
                total[part] += self._often(child, block.rows[part])
                self.memory.settle(child.cost)
        every = np.arange(limits.count(block.axes), dtype=np.int32).reshape(1, -1)
        return Carried(total, block.slot, ONCE, self._zero(block.grid), every)

    def _often(self, child: Carried, points: np.ndarray) -> np.ndarray:
        """[points, limits]: what a child costs, as often as it runs."""
        row, limit = child.slot[points][:, None], child.table[child.kind[points]]
        times = child.times[points][:, None] if len(child.times) > 1 else child.times
        if not len(child.cost):  # nothing fits it
            return np.full(limit.shape, INF, np.float32)
        return np.where((row >= 0) & (limit >= 0), self._scaled(times, child.cost[np.maximum(row, 0), np.maximum(limit, 0)]), INF)

    def _slots(self, child: Child, block: Block, own: np.ndarray) -> np.ndarray:
        """The child's row at each point of the parent's grid, -1 where it has none."""
        found, grid = self.blocks[child.family], block.grid
        if child.sizes is None and found.grid.projects(grid):
            return found.slot if found.grid is grid else found.slot[self._cached(("projection", grid.dims, grid.key, found.grid.dims, found.grid.key), lambda: grid.projection(found.grid))]
        points = self._cached(("mapped", grid.dims, grid.key, found.grid.dims, found.grid.key, child.sizes), lambda: grid.mapped(found.grid, child.at(grid.size)))
        require(not ((points < 0) & (own < INF))[block.rows].any(), f"expected sizes of {child.family.operation.name} on its ladders, found others; name them in rewrites.ASKED")
        return np.where(points >= 0, found.slot[points], -1)

    def _zero(self, grid: Grid) -> np.ndarray:
        return self._cached(("zero", grid.dims, grid.key), lambda: np.zeros(grid.points, np.int32))

    def _transition(self, block: Block, body: Block, child: Child) -> tuple[np.ndarray, np.ndarray]:
        uses = limits.taken(child, self.home)
        if uses is None:
            table = self._cached(("transition", block.axes, body.axes), lambda: limits.transition(block.axes, body.axes, None, np.zeros((1, len(limits.SHARES)), np.int8)))
            return self._zero(block.grid), table
        (level, used, key), grid = uses, block.grid

        def distinct():
            capacity = self.target.capacity_lines(level)
            lines, place = np.unique(grid.flat(used(grid.size)), return_inverse=True)
            downs, kind = np.unique(limits.step_down(capacity, lines), axis=0, return_inverse=True)
            return downs, kind.reshape(-1)[place.reshape(-1)].astype(np.int32)

        downs, kind = self._cached(("downs", grid.dims, grid.key, level, key), distinct)
        table = self._cached(("transition", block.axes, body.axes, level, grid.dims, grid.key, key), lambda: limits.transition(block.axes, body.axes, level, downs))
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
        return self.table.known(node.family, limits.axes(self.target, self.home, node.family), len(node.edges))

    def _relax_leaf(self, block: Block, own: np.ndarray, code: np.int16) -> None:
        for part in self.memory.slabs(block.cost):
            relax_leaf(block.cost[part], block.decision[part], block.known[part], block.rows[part], own, code)
            self.memory.settle(block.cost)

    def _relax_child(self, block: Block, child: Carried, own: np.ndarray, code: np.int16) -> None:
        for part in self.memory.slabs(block.cost, child.cost):
            relax(block.cost[part], block.decision[part], block.known[part], block.rows[part], child.cost, child.slot, own, child.times, child.kind, child.table, code)
            self.memory.settle(block.cost, child.cost)

    def _scaled(self, times: np.ndarray, cost: np.ndarray) -> np.ndarray:
        return times * cost

    def _close_block(self, block: Block, dims, tile_at, quotient, remainder, rest, has_rest, cuts) -> None:
        loop, grid = np.float32(self.target.coefficient["loop"]), block.grid
        for part in self.memory.slabs(block.cost, rest):
            close(
                block.cost, block.decision, block.known, block.rows, part.start, part.stop, block.slot, grid.coordinates, grid.strides, dims, tile_at, quotient, remainder, rest, has_rest, loop, cuts
            )
            self.memory.settle(block.cost, rest)


def _working_set(grid: Grid, rows: int, limit_count: int, several: bool) -> int:
    """Bytes that solving a family takes beside its costs: decisions (and a dense copy to cover them), some arrays of
    a number for each point, and where `several` children carry, their sum and its terms."""
    return rows * limit_count * (2 + 24 * several) + grid.points * (2 * limit_count + 48)


def _rows_in(product, block: Block) -> np.ndarray:
    """The rows at a product of coordinates."""
    points = np.zeros(1, np.int64)
    for coordinates, stride in zip(product, block.grid.strides):
        points = (points[:, None] + np.array(coordinates, np.int64) * int(stride)).reshape(-1)
    rows = block.slot[points]
    return rows[rows >= 0]


def _parent_counts(waves: list[list[Node]]) -> dict[Family, int]:
    counts: dict[Family, int] = {}
    for wave in waves:
        for node in wave:
            for child in node.children:
                counts[child] = counts.get(child, 0) + 1
    return counts


