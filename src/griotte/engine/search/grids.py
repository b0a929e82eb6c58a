"""The loops over threads of least cost: every grid over one or two dimensions is priced at once, from the costs of what
is inside.

The table holds no block for a loop over threads: a tile costs what a goal's family does at that size, the busiest
thread runs the largest share of whole tiles and, where a reduction is among them, the parts are joined.
"""

from __future__ import annotations

import numpy as np

from ...lang.nests.family import State
from ..rewrites import Parallel, join_state, parallel_cost, shared_grids, shared_lines, shared_tiles
from .rebuild import Rebuild, Unsolved
from .space import ParallelGoal

Tiles = dict[str, np.ndarray]


def cheapest_grid(rebuild: Rebuild, goal: ParallelGoal) -> Parallel | None:
    """The parallel loops of least cost; None where there are none."""
    least, best = np.inf, None
    for dims in shared_grids(goal.family, goal.state.size, rebuild.space.joins):
        found = _cheapest_tiles(rebuild, goal, dims)
        if found is not None and found[0] < least:
            least, best = found[0], Parallel(dims, found[1], goal.threads)
    return best


def _cheapest_tiles(
    rebuild: Rebuild, goal: ParallelGoal, dims: tuple[str, ...]
) -> tuple[float, tuple[int, ...]] | None:
    """(cost, tile sizes) of the cheapest grid over `dims`; None when there is no tile of it to share."""
    family, sizes, table, threads = goal.family, goal.state.size, rebuild.table, goal.threads
    if family not in table.costs:
        raise Unsolved(f"costs of {family.operation.name}")
    options = [np.array(shared_tiles(family, d, sizes[d], table.ladders[d].tiles, threads), np.int64) for d in dims]
    if not all(map(len, options)):
        return None
    tiles = dict(zip(dims, (m.reshape(-1) for m in np.meshgrid(*options, indexing="ij"))))
    count = np.prod([-(-sizes[d] // t) for d, t in tiles.items()], axis=0)
    lines = shared_lines(family, dims, tuple(tiles.values()), sizes)
    cost = parallel_cost(rebuild.target, count, threads, _whole_tiles(rebuild, goal, tiles), lines)
    value = np.where(count > 1, cost, np.inf) + _join_costs(rebuild, goal.state, tiles)
    k = int(np.argmin(value))
    return float(value[k]), tuple(int(t[k]) for t in tiles.values())


def _whole_tiles(rebuild: Rebuild, goal: ParallelGoal, tiles: Tiles) -> np.ndarray:
    """What a whole tile costs, for each choice of tiles."""
    block = rebuild.table.costs[Parallel(tuple(tiles), (), goal.threads).inside(goal.family)]
    points = np.zeros(len(next(iter(tiles.values()))), np.int64)
    for d, stride, ladder in zip(block.grid.dims, block.grid.strides, block.grid.ladders):
        points += int(stride) * (
            np.searchsorted(ladder.sizes, tiles[d]) if d in tiles else ladder.index[goal.state.size[d]]
        )
    return block.cost_at(points, -1)


def _join_costs(rebuild: Rebuild, state: State, tiles: Tiles) -> np.ndarray | float:
    """What it costs to join the parts of a reduction that is shared out, for each choice of tiles."""
    dim = next((d for d in tiles if d in state.family.operation.reduction), None)
    if dim is None:
        return 0.0
    parts, which = np.unique(-(-state.size[dim] // tiles[dim]), return_inverse=True)
    joins = [join_state(state, int(n)) for n in parts]
    return np.array([rebuild.best(join.family, join.size).cost for join in joins])[which]
