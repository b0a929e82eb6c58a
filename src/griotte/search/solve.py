"""The search: every reachable family solved as a block, children first, exactly.

    waves = reach(target, goals)
    for each wave, for each family: relax every edge over its block, close it under loops, keep the decisions

Costs are float32 cycles. Families of one wave are independent and run on several threads (the Numba loops release the
interpreter lock).
"""

from __future__ import annotations

import os
import resource
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from ..rewrites.edge import Edge
from ..spec.family import Family, resident
from . import limits
from .graph import Node, reach
from .kernels import close, relax, relax_leaf
from .ladder import Grid, Ladder

INF = np.float32(np.inf)
ONCE = np.ones(1, np.float32)


@dataclass
class Block:
    """A solved family: `cost` [rows, limits] (freed once no parent needs it), `decision` beside it, `slot` of each point."""

    node: Node
    grid: Grid
    axes: tuple[int, ...]
    rows: np.ndarray
    slot: np.ndarray
    cost: np.ndarray | None
    decision: np.ndarray

    def decision_cost(self, points: np.ndarray, limit: int) -> np.ndarray:
        """Costs at grid points under one limit index; only while the block's costs are held."""
        return self.cost[np.maximum(self.slot[points], 0), limit]


@dataclass
class Statistics:
    """What a solve did: Specs are (point, limits) pairs of all families; memory is the process's peak in MiB."""

    specs_solved: int = 0
    families: int = 0
    synthesis_s: float = 0.0
    peak_rss_mb: float = 0.0


@dataclass
class Table:
    """The solved families of one problem."""

    target: object
    home: int
    ladders: dict[str, Ladder]
    blocks: dict[Family, Block] = field(default_factory=dict)
    statistics: Statistics = field(default_factory=Statistics)


class Solver:
    """Solves goals in one pass; holds what its families share: grids, own-cost arrays, limit transitions."""

    def __init__(self, target, home: int, ladders: dict[str, Ladder], workers: int | None = None):
        self.target, self.home, self.ladders = target, home, ladders
        self.table = Table(target, home, ladders)
        self.workers = workers or os.cpu_count() or 1
        self._grids: dict[tuple[str, ...], Grid] = {}
        self._cache: dict[tuple, object] = {}

    def solve(self, *goals: Family) -> Table:
        started = time.perf_counter()
        waves = reach(self.target, *goals)
        parents = _parent_counts(waves)
        for family in {family for goal in goals for family in _kept(goal, waves)}:
            parents[family] = parents.get(family, 0) + 1
        with ThreadPoolExecutor(self.workers) as pool:
            for wave in waves:
                for block in pool.map(self._solve_family, wave):
                    self.table.blocks[block.node.family] = block
                for node in wave:
                    self._release(node, parents)
        found = self.table.statistics
        found.families = len(self.table.blocks)
        found.specs_solved = sum(b.decision.size for b in self.table.blocks.values())
        found.synthesis_s = time.perf_counter() - started
        found.peak_rss_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return self.table

    def _release(self, node: Node, parents: dict[Family, int]) -> None:
        for child in node.children:
            parents[child] -= 1
            if parents[child] == 0:
                self.table.blocks[child].cost = None

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
        family, grid = node.family, self.grid(node.family)
        axes = limits.axes(family, self.home)
        rows = np.flatnonzero(self._holds(family, grid)).astype(np.int64)
        slot = np.full(grid.points, -1, np.int32)
        slot[rows] = np.arange(len(rows), dtype=np.int32)
        shape = (len(rows), limits.count(axes))
        block = Block(node, grid, axes, rows, slot, np.full(shape, INF, np.float32), np.full(shape, -1, np.int16))
        for code, edge in enumerate(node.edges):
            self._relax(block, edge, np.int16(code))
        self._close(block)
        return block

    def _holds(self, family: Family, grid: Grid) -> np.ndarray:
        """Points whose operands each fit the level they are at."""
        fits = np.ones(grid.points, bool)
        for i, operand in enumerate(family.operands):
            if 0 < operand.level < self.home:
                fits &= self._resident(family, i, grid) <= self.target.capacity_lines(operand.level)
        return fits

    def _resident(self, family: Family, i: int, grid: Grid) -> np.ndarray:
        access, operand = family.access(i), family.operands[i]
        return self._cached(("resident", grid.dims, access, operand), lambda: grid.flat(resident(access, operand, grid.size)))

    def _own(self, edge: Edge, grid: Grid) -> np.ndarray:
        def make():
            own = grid.flat(np.asarray(self.target.cost(edge.features(grid.size)), np.float64)).astype(np.float32)
            return own if edge.fits is None else np.where(grid.flat(edge.fits(grid.size)), own, INF)

        return make() if edge.key[0] == "leaf" else self._cached(("own", grid.dims, edge.key), make)

    def _relax(self, block: Block, edge: Edge, code: np.int16) -> None:
        own = self._own(edge, block.grid)
        for child in edge.children:
            if not child.carries:
                own = own + self._alone(child.family, block.grid)
        if edge.body is None:
            self._relax_leaf(block, own, code)
            return
        body = self.table.blocks[edge.body.family]
        kind, table = self._transition(block, body, edge)
        slot = body.slot if body.grid is block.grid else body.slot[self._projection(block.grid, body.grid)]
        times = ONCE if edge.body.times is None else block.grid.flat(np.asarray(edge.body.times(block.grid.size), np.float32))
        self._relax_child(block, body, slot, own, times, kind, table, code)

    def _projection(self, grid: Grid, onto: Grid) -> np.ndarray:
        return self._cached(("projection", grid.dims, onto.dims), lambda: grid.projection(onto))

    def _alone(self, family: Family, grid: Grid) -> np.ndarray:
        """The cost of a child that finds the caches free, at each point of the parent's grid."""
        block = self.table.blocks[family]
        best = np.append(block.cost[:, -1], INF)
        return best[block.slot[self._projection(grid, block.grid)]]

    def _transition(self, block: Block, body: Block, edge: Edge) -> tuple[np.ndarray, np.ndarray]:
        if edge.uses is None or edge.uses[0] >= self.home:
            table = self._cached(("transition", block.axes, body.axes), lambda: limits.transition(block.axes, body.axes, None, np.zeros((1, len(limits.SHARES)), np.int8)))
            return self._cached(("zero", block.grid.dims), lambda: np.zeros(block.grid.points, np.int32)), table
        level, used, key = edge.uses
        grid = block.grid

        def distinct():
            capacity = self.target.capacity_lines(level)
            downs, kind = np.unique(limits.step_down(capacity, grid.flat(used(grid.size))), axis=0, return_inverse=True)
            return downs, kind.reshape(-1).astype(np.int32)

        downs, kind = self._cached(("downs", grid.dims, level, key), distinct)
        table = self._cached(("transition", block.axes, body.axes, level, grid.dims, key), lambda: limits.transition(block.axes, body.axes, level, downs))
        return kind, table

    def _close(self, block: Block) -> None:
        node, grid = block.node, block.grid
        tilings = [t for t in node.tilings if len(self.ladders[t.dim]) > 1]
        if not tilings or not len(block.rows):
            return
        dims = np.array([grid.dims.index(t.dim) for t in tilings], np.int64)
        span = max(grid.shape)
        quotient = np.zeros((len(tilings), span, span), np.float32)
        remainder = np.full((len(tilings), span, span), -1, np.int32)
        for d, tiling in enumerate(tilings):
            ladder = self.ladders[tiling.dim]
            q, r = ladder.loops(tiling.key, tiling.allowed)
            quotient[d, : len(ladder), : len(ladder)], remainder[d, : len(ladder), : len(ladder)] = q, r
        rest = next((self.table.blocks[t.rest].cost for t in tilings if t.rest is not None), block.cost)
        has_rest = np.array([t.rest is not None for t in tilings])
        self._close_block(block, dims, quotient, remainder, rest, has_rest)

    # ---- the semiring: least cost, and which choice gives it --------------------------------------------------------

    def _relax_leaf(self, block: Block, own: np.ndarray, code: np.int16) -> None:
        relax_leaf(block.cost, block.decision, block.rows, own, code)

    def _relax_child(self, block: Block, body: Block, slot, own, times, kind, table, code: np.int16) -> None:
        relax(block.cost, block.decision, block.rows, body.cost, slot, own, times, kind, table, code)

    def _close_block(self, block: Block, dims, quotient, remainder, rest, has_rest) -> None:
        loop = np.float32(self.target.coefficient["loop"])
        close(block.cost, block.decision, block.rows, block.slot, block.grid.coordinates, block.grid.strides, dims, quotient, remainder, rest, has_rest, loop, dims)


def _kept(goal: Family, waves: list[list[Node]]) -> list[Family]:
    """Families whose costs are still read after the solve: the goal and what is left of it without batch dimensions."""
    found, nodes = [goal], {node.family: node for wave in waves for node in wave}
    while found[-1].batch:
        found.append(nodes[found[-1]].edges[0].body.family)
    return found


def _parent_counts(waves: list[list[Node]]) -> dict[Family, int]:
    counts: dict[Family, int] = {}
    for wave in waves:
        for node in wave:
            for child in node.children:
                counts[child] = counts.get(child, 0) + 1
    return counts


