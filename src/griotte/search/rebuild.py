"""From decisions to a Program: top-down from the goal's point, one node per decision; equal Specs share one node."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..errors import NoProgramError
from ..program.nodes import Loop, Node
from ..rewrites import Parallel, edge_node, loop_node, parallel_cost, parallel_node, shared_lines
from ..spec.family import Family, State
from . import limits
from .kernels import TILE_CODE, TILE_SPAN
from .solve import Solver


class Rebuild:
    """Reads programs out of a solver's table, replaying costs from the decisions."""

    def __init__(self, solver: Solver):
        self.solver, self.table, self.target = solver, solver.table, solver.target
        self._nodes: dict[tuple, Node] = {}

    def best(self, family: Family, sizes: dict[str, int]) -> Node:
        """The program of least cost with all memory free; NoProgramError when the space has none."""
        return self.at(family, sizes, limits.count(self.table.blocks[family].axes) - 1)

    def at(self, family: Family, sizes: dict[str, int], limit: int) -> Node:
        """The program of least cost under the memory limits of index `limit`."""
        return self.node(family, self.table.blocks[family].grid.point(sizes), limit)

    def node(self, family: Family, point: int, limit: int) -> Node:
        key = (family, point, limit)
        if key not in self._nodes:
            self._nodes[key] = self._make(family, point, limit)
        return self._nodes[key]

    def _make(self, family: Family, point: int, limit: int) -> Node:
        block = self.table.blocks[family]
        state = State(family, block.grid.sizes_at(point))
        row = block.slot[point]
        code = int(block.decision[row, limit]) if row >= 0 else -1
        if code < 0:
            raise NoProgramError(f"expected a program for {state}, found none in the space of target {self.target.name}; more registers or kernels are needed")
        if code >= TILE_CODE:
            return self._loop(block, state, point, limit, *divmod(code - TILE_CODE, TILE_SPAN))
        return self._edge(block, state, block.node.edges[code], point, limit)

    def _loop(self, block, state: State, point: int, limit: int, d: int, j: int) -> Node:
        grid, dim = block.grid, state.family.operation.dims[d]
        ladder = grid.ladders[d]
        base = point - int(grid.coordinates[point, d]) * int(grid.strides[d])
        at = lambda family, index: self.node(family, base + index * int(grid.strides[d]), limit)  # noqa: E731
        tile, extent = int(ladder.sizes[j]), state.size[dim]
        tiling = next(t for t in block.node.tilings if t.dim == dim)
        trips, left = extent // tile, extent % tile
        family = tiling.rest or state.family
        first = at(state.family, j) if tiling.rest else None
        body = at(family, j) if trips > 1 or first is None else None
        tail = at(family, ladder.index[left]) if left else None
        return loop_node(state, self.target, dim, tile, body, tail, first)

    def _edge(self, block, state: State, edge, point: int, limit: int) -> Node:
        return edge_node(edge, state, self.target, tuple(self._child(block, edge, child, state, point, limit) for child in edge.children))

    def _child(self, block, edge, child, state: State, point: int, limit: int) -> Node:
        other = self.table.blocks[child.family]
        to = point if other.grid is block.grid else other.grid.point(state.size)
        return self.node(child.family, to, limits.below(self.target, self.solver.home, state.family, edge, child, state.size, limit))


def parallel_best(rebuild: Rebuild, family: Family, sizes: dict[str, int], threads: int) -> Node:
    """The goal over threads: every grid of one or two parallel dimensions, priced as the largest share of a thread in
    whole tiles, against running it in series."""
    best = rebuild.best(family, sizes)
    least = best.cost
    batch = family.batch
    dims = [d for d in family.operation.parallel if sizes[d] > 1]
    for grid in (*combinations(dims, 1), *combinations(dims, 2)):
        tiles = _cheapest_tiles(rebuild, family, sizes, grid, threads, batch)
        if tiles is not None and tiles[0] < least:
            least, best = tiles[0], _parallel_loop(rebuild, family, sizes, grid, tiles[1], threads)
    return best


def _cheapest_tiles(rebuild: Rebuild, family: Family, sizes, dims, threads: int, batch) -> tuple[float, tuple[int, ...]] | None:
    """(cost, tile sizes) of the cheapest grid over `dims`; None when no tile of it was solved."""
    block = rebuild.table.blocks.get(Parallel(dims, (), threads).inside(family))
    if block is None or block.cost is None:
        return None
    grid, target = block.grid, rebuild.target
    options = [np.array([1]) if d in batch else np.array([t for t in rebuild.table.ladders[d].tiles if t <= sizes[d]]) for d in dims]
    mesh = [m.reshape(-1) for m in np.meshgrid(*options, indexing="ij")]
    points = np.zeros(len(mesh[0]), np.int64)
    for d, stride, ladder in zip(grid.dims, grid.strides, grid.ladders):
        points += int(stride) * (np.searchsorted(ladder.sizes, mesh[dims.index(d)]) if d in dims else ladder.index[sizes[d]])
    count = np.prod([-(-sizes[d] // t) for d, t in zip(dims, mesh)], axis=0)
    cost = np.where(block.slot[points] >= 0, block.decision_cost(points, limits.count(block.axes) - 1), np.inf)
    shared = shared_lines(family, dims, mesh, sizes)
    value = np.where(count > 1, parallel_cost(target, count, threads, cost, shared), np.inf)
    k = int(np.argmin(value))
    return float(value[k]), tuple(int(t[k]) for t in mesh)


def _parallel_loop(rebuild: Rebuild, family: Family, sizes, dims, tiles, threads: int) -> Loop:
    state = State(family, tuple(sizes[d] for d in family.operation.dims))
    bodies = tuple(part and rebuild.best(part.family, part.size) for part in Parallel(dims, tiles, threads).parts(state))
    return parallel_node(state, rebuild.target, dims, tiles, threads, bodies)
