"""Programs of goals out of a solved table: one recursion over what a goal may begin with.

A goal is met in series, or its constants are placed first, or it is shared out over threads, or taken apart into goals
again. Each sort of choice is declared once (`CHOICES`), in the order in which equal costs are decided; the table
remembers by a sort's name what was chosen. A part of a choice is a goal again or a point of the space, whose program is
the table's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from ...lang.nests.family import Family
from ...lang.nests.pending import ShardCount
from ...support.errors import NoProgramError
from ..program.nodes import Node
from ..rewrites import Edge, Parallel, share_edges
from ..table import Damaged, digest
from . import limits
from .graph import is_placed, is_split
from .grids import cheapest_grid
from .rebuild import Rebuild
from .space import Choice, ParallelGoal, SearchPlace, even_share

Ways = Mapping[str, Choice | None]  # to begin a goal, by what the table calls them; None where one does not fit


class Goals:
    """The program of least cost of each goal and point, read from a solved table; each is worked out once."""

    def __init__(self, rebuild: Rebuild):
        self.rebuild, self.space, self.target = rebuild, rebuild.space, rebuild.target
        self._known: dict[ParallelGoal, Node] = {}

    def of(self, family: Family, size: dict[str, int], threads: int, along: str | None = None) -> Node:
        """The program of least cost of a family at these sizes, by so many threads; those of a dynamic dimension are
        `along`."""
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
    `none` is None, and one thread's search says what is missing. `named` gives the way that a text names, where `ways`
    gives the priced ones alone. What the table says is checked: `unknown` and `empty` say what is wrong with it."""

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
        """Of a choice in the table: it holds for the tiles that there are of each dimension alone."""
        table = goals.rebuild.table
        tiles = [table.ladders[d].tiles for d in goal.family.operation.dims]
        return digest(f"{self.name} {table.key(goal.family)} {goal.sizes} {goal.threads} {tiles}")


def _edges(goals: Goals, goal: ParallelGoal, is_way: Callable[[Edge], bool] = lambda edge: True) -> Ways:
    edges = enumerate(goals.space.leaving(goal.family)[0])
    return {str(code): goals.edge(goal, edge) for code, edge in edges if is_way(edge)}


def _splits(goals: Goals, goal: ParallelGoal) -> Ways:
    return _edges(goals, goal, is_split)


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
    return bool(goal.family.operation.held) and not (goal.shared or is_begun) and is_placed(goal.family)


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
    _splits,
    "none",
    "a choice of a way to take a graph apart that there is not",
    "a choice of a way to take a graph apart that has no program",
)
CHOICES = (AHEAD, Series(), OVER_THREADS, SPLIT, EvenShare())
