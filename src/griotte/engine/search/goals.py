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
from ..rewrites import GOAL, SHARED, Child, Edge, Parallel, applied, child_state, edge_node, share_edges
from ..table import Damaged, digest
from . import limits
from .graph import is_placed, is_split
from .grids import cheapest_grid
from .rebuild import Rebuild
from .space import ParallelGoal, SearchPlace, even_share

Ways = Mapping[str, Edge | Parallel]  # to begin a goal, by what the table calls them


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

    def begun(self, goal: ParallelGoal, way: Edge | Parallel) -> Node | None:
        """The program of least cost that begins so; None where it does not fit, or a part has no program."""
        state = goal.state
        with suppress(NoProgramError):
            if isinstance(way, Parallel):
                best = self.rebuild.best
                bodies = tuple(best(part.family, part.size) if part else None for part in way.leaves(state))
                return applied(way, state, self.target, bodies)
            if way.fit(state.size):
                return edge_node(way, state, self.target, tuple(self._part(goal, child) for child in way.children))
        return None

    def _part(self, goal: ParallelGoal, child: Child) -> Node:
        state = child_state(child, goal.state)
        if child.role in (GOAL, SHARED):
            return self.best(ParallelGoal(state.family, state.sizes, goal.threads, child.role == SHARED))
        return self.rebuild.best(state.family, state.size)


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
        return goals.begun(goal, loops) if loops else None


@dataclass(frozen=True)
class RememberedChoice:
    """Ways to begin a goal: the table remembers the best by `name`, or that there is `none`. Where some way is needed,
    `none` is None, and one thread's search says what is missing. `named` is the way that a text names, where `ways` has
    those that were priced alone. What the table says is checked: `unknown` and `empty` say what is wrong with it."""

    name: str
    applies: Callable[[ParallelGoal], bool]
    ways: Callable[[Goals, ParallelGoal], Ways]
    none: str | None
    unknown: str
    empty: str
    named: Callable[[Goals, ParallelGoal, str], Edge | Parallel | None] | None = None

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
        way = self.named(goals, goal, text) if self.named else self.ways(goals, goal).get(text)
        if way is None:
            raise Damaged(self.unknown)
        node = goals.begun(goal, way)
        if node is None:
            raise Damaged(self.empty)
        return node

    def _key(self, goals: Goals, goal: ParallelGoal) -> str:
        """Of a choice in the table: it holds for the tiles that there are of each dimension alone."""
        table = goals.rebuild.table
        tiles = [table.ladders[d].tiles for d in goal.family.operation.dims]
        return digest(f"{self.name} {table.key(goal.family)} {goal.sizes} {goal.threads} {tiles}")


def _edges(goals: Goals, goal: ParallelGoal) -> dict[str, Edge]:
    return {str(code): edge for code, edge in enumerate(goals.space.leaving(goal.family)[0])}


def _splits(goals: Goals, goal: ParallelGoal) -> dict[str, Edge]:
    return {code: edge for code, edge in _edges(goals, goal).items() if is_split(edge)}


def _shares(goals: Goals, goal: ParallelGoal) -> dict[str, Edge]:
    """The copies for all threads that may come first."""
    edges = share_edges(goal.family, goals.target, goal.threads) if goals.space.joins else ()
    return {str(number): edge for number, edge in enumerate(edges)}


def _over_threads(goals: Goals, goal: ParallelGoal) -> Ways:
    """The loops of least cost, of all grids priced at once; then the copies."""
    loops = cheapest_grid(goals.rebuild, goal)
    return ({_text(loops): loops} if loops else {}) | _shares(goals, goal)


def _text(loops: Parallel) -> str:
    return json.dumps([loops.dims, loops.tiles])


def _loops_or_copy(goals: Goals, goal: ParallelGoal, text: str) -> Edge | Parallel | None:
    try:
        named = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match named:
        case [[*dims], [*tiles]]:
            loops = Parallel(tuple(dims), tuple(tiles), goal.threads)
            return loops if goals.space.may_share(goal.family, goal.state.size, loops) else None
    return _shares(goals, goal).get(text)


def _is_taken_apart(goal: ParallelGoal) -> bool:
    is_begun = goal.family.batch and not ShardCount.of(goal.family.operation)
    return not (goal.shared or goal.family.operation.is_lone or is_begun) and is_placed(goal.family)


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
