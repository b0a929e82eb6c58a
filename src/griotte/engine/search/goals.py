"""Programs of goals out of a solved table: one recursion over what a goal may begin with.

A program of a goal runs in series, or places its constants first, or is shared out over threads, or takes the goal
apart into goals again. Each sort of choice is declared once (`CHOICES`), in the order in which equal costs are decided;
the table remembers by a sort's name what was chosen. A part of a choice is a goal again or a point of the space, whose
program is the table's.

Every grid of loops over threads, over one or two dimensions, is priced at once. The table holds no block for such a
loop. A tile costs what the goal's family does at that size, and the busiest thread runs the largest share of whole
tiles. Where a reduction is among the dimensions, the parts are joined.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...lang.nests.family import Family, State
from ...lang.nests.pending import ShardCount
from ...support.errors import NoProgramError
from ..program.nodes import Node
from ..rewrites import Edge, Parallel, join_state, parallel_cost, share_edges, shared_grids, shared_lines, shared_tiles
from ..table import Damaged, digest
from . import limits
from .graph import is_placed, is_split
from .rebuild import Rebuild, Unsolved
from .space import Choice, ParallelGoal, SearchPlace, even_share

Ways = Mapping[str, Choice | None]  # to begin a goal, by what the table calls them; None where one does not fit


class Goals:
    """The program of least cost of each goal and point, read from a solved table; each is worked out once."""

    def __init__(self, rebuild: Rebuild):
        self.rebuild, self.space, self.target = rebuild, rebuild.space, rebuild.target
        self._known: dict[ParallelGoal, Node] = {}

    def of(self, family: Family, size: dict[str, int], threads: int, along: str | None = None) -> Node:
        """The program of least cost of a family at these sizes, by so many threads; `along` is the dynamic dimension,
        if there is one."""
        return self.best(self.space.goal(family, size, threads, along))

    def best(self, place: SearchPlace) -> Node:
        """The program of least cost of a goal or a point; NoProgramError where it has none."""
        if not isinstance(place, ParallelGoal):
            family, sizes, left = place
            return self.rebuild.at(family, dict(zip(family.operation.dims, sizes)), limits.index(left))
        if place not in self._known:
            found = [node for choice in CHOICES if choice.applies(place) and (node := choice.best(self, place))]
            if not found:
                raise NoProgramError(f"expected a way to share out {place.state} over threads, found none")
            self._known[place] = min(found, key=lambda node: node.cost)
        return self._known[place]

    def begun(self, goal: ParallelGoal, way: Choice | None) -> Node | None:
        """The program of least cost that begins so; None where it does not fit, or a part has no program."""
        if way is not None:
            with suppress(NoProgramError):
                return way.node(goal.state, tuple(part and self.best(part[1]) for part in way.parts))
        return None

    def edge(self, goal: ParallelGoal, edge: Edge) -> Choice | None:
        """An edge of the goal's family as a choice; None where it does not fit."""
        return self.space.step(goal.family, edge, goal.sizes, self.space.free(goal.family), goal.threads)


@dataclass(frozen=True)
class Series:
    """One thread does all of it."""

    def applies(self, goal: ParallelGoal) -> bool:
        return not goal.shared and is_placed(goal.family)

    def best(self, goals: Goals, goal: ParallelGoal) -> Node:
        return goals.rebuild.best(goal.family, goal.state.size)


@dataclass(frozen=True)
class EvenShare:
    """Each thread takes an equal share of a dynamic size."""

    def applies(self, goal: ParallelGoal) -> bool:
        return even_share(goal) is not None

    def best(self, goals: Goals, goal: ParallelGoal) -> Node | None:
        loops = even_share(goal)
        return goals.begun(goal, goals.space.over(goal.state, loops)) if loops else None


@dataclass(frozen=True)
class RememberedChoice:
    """Ways to begin a goal: the table remembers the best by `name`, or that there is `none`. Where some way is needed,
    `none` is None, and one thread's search says what it lacks. `named` gives the way that a text names, where `ways`
    lists only the priced ones. What the table says is checked: `unknown` and `empty` are the errors' texts."""

    name: str
    applies: Callable[[ParallelGoal], bool]
    ways: Callable[[Goals, ParallelGoal], Ways]
    none: str | None
    unknown: str
    empty: str
    named: Callable[[Goals, ParallelGoal, str], Ways] | None = None

    def best(self, goals: Goals, goal: ParallelGoal) -> Node | None:
        """The program of the best way, priced or as the table remembers it."""
        key, table = self._key(goals, goal), goals.rebuild.table
        known = table.choice(key)
        if known is None:
            found = [(text, node) for text, way in self.ways(goals, goal).items() if (node := goals.begun(goal, way))]
            text, node = min(found, key=lambda way: way[1].cost, default=(self.none, None))
            if text is not None:
                table.choose(key, text)
        elif known == self.none:
            return None
        else:
            node = self._remembered(goals, goal, known)
        return node or (goals.rebuild.best(goal.family, goal.state.size) if self.none is None else None)

    def _remembered(self, goals: Goals, goal: ParallelGoal, text: str) -> Node:
        ways = self.named(goals, goal, text) if self.named else self.ways(goals, goal)
        if text not in ways:
            raise Damaged(self.unknown)
        node = goals.begun(goal, ways[text])
        if node is None:
            raise Damaged(self.empty)
        return node

    def _key(self, goals: Goals, goal: ParallelGoal) -> str:
        """The key of a choice in the table: it holds for the tiles that there are of each dimension alone."""
        table = goals.rebuild.table
        tiles = [table.ladders[d].tiles for d in goal.family.operation.dims]
        return digest(f"{self.name} {table.key(goal.family)} {goal.sizes} {goal.threads} {tiles}")


def _edges(goals: Goals, goal: ParallelGoal, is_way: Callable[[Edge], bool] = lambda edge: True) -> Ways:
    edges = enumerate(goals.space.leaving(goal.family)[0])
    return {str(code): goals.edge(goal, edge) for code, edge in edges if is_way(edge)}


def _shares(goals: Goals, goal: ParallelGoal) -> dict[str, Choice | None]:
    """The copies for all threads that may come first."""
    edges = share_edges(goal.family, goals.target, goal.threads) if goals.space.joins else ()
    return {str(number): goals.edge(goal, edge) for number, edge in enumerate(edges)}


def _over_threads(goals: Goals, goal: ParallelGoal) -> Ways:
    """The loops of least cost, of all grids priced at once; then the copies."""
    loops = cheapest_grid(goals.rebuild, goal)
    return ({_text(loops): goals.space.over(goal.state, loops)} if loops else {}) | _shares(goals, goal)


def _text(loops: Parallel) -> str:
    return json.dumps([loops.dims, loops.tiles])


def _loops_or_copy(goals: Goals, goal: ParallelGoal, text: str) -> Ways:
    try:
        named = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    match named:
        case [[*dims], [*tiles]]:
            loops = Parallel(tuple(dims), tuple(tiles), goal.threads)
            may_be = goals.space.may_share(goal.family, goal.state.size, loops)
            return {text: goals.space.over(goal.state, loops)} if may_be else {}
    return _shares(goals, goal)


def _is_taken_apart(goal: ParallelGoal) -> bool:
    is_begun = goal.family.batch and not ShardCount.of(goal.family.operation)
    return not (goal.family.operation.is_lone or goal.shared or is_begun) and is_placed(goal.family)


AHEAD = RememberedChoice(
    "ahead",
    lambda goal: not goal.shared and not is_placed(goal.family),
    _edges,
    None,
    "a choice of a constant's place that there is not",
    "a choice of a constant's place that has no program",
)
OVER_THREADS = RememberedChoice(
    "shared",
    lambda goal: goal.shared or is_placed(goal.family),
    _over_threads,
    "[[], []]",
    "a choice of loops over threads that there are not",
    "a choice of loops over threads that have no program",
    _loops_or_copy,
)
SPLIT = RememberedChoice(
    "split",
    _is_taken_apart,
    partial(_edges, is_way=is_split),
    "none",
    "a choice of a way to take a graph apart that there is not",
    "a choice of a way to take a graph apart that has no program",
)
CHOICES = (AHEAD, Series(), OVER_THREADS, SPLIT, EvenShare())


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
    joins = [join_state(state, int(n), rebuild.target.spans) for n in parts]
    return np.array([rebuild.best(join.family, join.size).cost for join in joins])[which]
