"""A whole program as data: at each of its nodes which of the choices of the space it takes. Read back it is followed
choice by choice, without a search, and can lead to nothing but a program of the space.

    [["Select:9c3f51e2", []], ["Move:51d0aa07", [0]], ["Tile:70c2b9d4", [1, null, null]]]

A list of nodes, the root last. Each has the name of its rewrite, and for each part that this leaves the place of the
part's node, before its own, or null where there is none. Equal parts are one node. The name of a rewrite is its class
and a digest of all that it says, so it outlives changes of the space beside it.

A path is shorter: it names the choices along the critical path alone, by their numbers, and all else is the table's
best. Both are data from outside where they come out of a file: they may name choices that do not exist, and that is all
that can be wrong with them.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields, is_dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from ...lang.nests.family import Family, State
from ...support.errors import NoProgramError
from ..program.nodes import Node, critical_path
from ..rewrites import Edge, Rewrite, Tile
from .goals import Goals
from .kbest import critical_part
from .rebuild import Rebuild
from .space import Choice, ParallelGoal, SearchPlace, Space

LONGEST = 20_000  # nodes of a program on record
DIGITS = 8  # of a digest, in hexadecimal

Decisions = list[tuple[str, tuple[int | None, ...]]]


@lru_cache(1 << 16)
def name_of(rewrite: Rewrite) -> str:
    """The name of a rewrite on record: `Tile:70c2b9d4`. It stays where a rewrite, or one of its layouts, gets a new
    field that has its default."""
    said = _said(rewrite)
    return f"{said.partition('(')[0]}:{hashlib.sha256(said.encode()).hexdigest()[:DIGITS]}"


def _said(value: Any) -> str:
    """As `repr`, without fields that have their default."""
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return f"({' '.join(f'{_said(each)},' for each in value)})"
    if not is_dataclass(value):
        return repr(value)
    own = [(f.name, getattr(value, f.name)) for f in fields(value) if f.repr]
    given = {f.name: f.default for f in fields(value)}
    return f"{type(value).__name__}({', '.join(f'{name}={_said(each)}' for name, each in own if each != given[name])})"


def written(root: Node) -> str:
    """A program as text, JSON: of equal programs the same."""
    nodes: dict[tuple[str, tuple[int | None, ...]], int] = {}
    places: dict[int, int] = {}

    def place(node: Node) -> int:
        if id(node) not in places:
            parts = tuple(None if part is None else place(part) for part in node.rewrite.parts(node))
            places[id(node)] = nodes.setdefault((name_of(node.rewrite), parts), len(nodes))
        return places[id(node)]

    place(root)
    return json.dumps(list(nodes), separators=(",", ":"))


def decoded(text: str) -> Decisions:
    """What `written` made a text of. Misfit where it is something else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError, TypeError):
        raise Misfit("a record of choices that is no JSON") from None
    if not isinstance(found, list) or not 0 < len(found) <= LONGEST:
        raise Misfit("a record of choices that is no list of nodes")
    return [_node(at, each) for at, each in enumerate(found)]


def _node(at: int, found: Any) -> tuple[str, tuple[int | None, ...]]:
    match found:
        case [str(name), [*parts]] if all(p is None or type(p) is int and 0 <= p < at for p in parts):
            return name, tuple(parts)
    raise Misfit(f"a record of choices whose node {at} is none")


class ProgramReader:
    """Programs on record of one goal, over its space: what several of them share is one node."""

    def __init__(self, space: Space, threads: int = 1):
        self.space, self.threads = space, threads
        self._nodes: dict[tuple, Node] = {}
        self._edges: dict[Family, dict[str, list[Edge]]] = {}
        self._of_goal: dict[ParallelGoal, dict[str, list[Choice]]] = {}

    def program(self, decisions: Decisions, goal: State) -> Node:
        """The program of the goal, priced by the space's target. Misfit where the decisions lead to none."""
        place = self.space.goal(goal.family, goal.size, self.threads)
        try:
            return self._program(decisions, len(decisions) - 1, place, {})
        except NoProgramError as error:
            raise Misfit(str(error)) from None
        except RecursionError:
            raise Misfit("a record of choices that is too deep") from None

    def _program(self, decisions: Decisions, at: int, place: SearchPlace, known: dict[tuple, Node]) -> Node:
        """The program of a place that begins with node `at`; `known` are those of this record that were met."""
        key, state = (at, place), State(place[0], place[1])
        if key in known:
            return known[key]
        name, parts = decisions[at]
        for choice in self._named(name, place):
            if [part is None for part in choice.parts] == [part is None for part in parts]:
                break
        else:
            raise Misfit(f"a choice {name} of {state}, which has none of this name")
        programs = tuple(
            None if part is None else self._program(decisions, part, choice.parts[i][1], known)
            for i, part in enumerate(parts)
        )
        # nodes live as long as this, so that their identity stands for them
        shared = place, name, tuple(map(id, programs))
        if shared not in self._nodes:
            self._nodes[shared] = choice.node(state, programs)
        known[key] = self._nodes[shared]
        return known[key]

    def _named(self, name: str, place: SearchPlace) -> list[Choice]:
        """The choices of a name at a place."""
        if isinstance(place, ParallelGoal):
            return self._at_goal(place).get(name, [])
        family, sizes, left = place
        if name.startswith("Tile:"):
            loops = (
                self.space.loop(family, tiling.dim, tile, sizes, left)
                for tiling in self.space.leaving(family)[1]
                for tile in self.space.ladders[tiling.dim].tiles
                if name_of(Tile(tiling.dim, tile)) == name
            )
            return [choice for choice in loops if choice]
        steps = (self.space.step(family, edge, sizes, left) for edge in self._leaving(family).get(name, ()))
        return [choice for choice in steps if choice]

    def _leaving(self, family: Family) -> dict[str, list[Edge]]:
        """The edges of a family by name."""
        if family not in self._edges:
            found: dict[str, list[Edge]] = {}
            for edge in self.space.leaving(family)[0]:
                found.setdefault(name_of(edge.rewrite), []).append(edge)
            self._edges[family] = found
        return self._edges[family]

    def _at_goal(self, goal: ParallelGoal) -> dict[str, list[Choice]]:
        """The choices of a goal for several threads, by name."""
        if goal not in self._of_goal:
            found: dict[str, list[Choice]] = {}
            for choice in self.space.options(goal):
                found.setdefault(name_of(choice.rewrite), []).append(choice)
            self._of_goal[goal] = found
        return self._of_goal[goal]


Path = tuple[int, ...]


class Misfit(LookupError):
    """A path that leads to no program."""


def path_of(root: Node, space: Space, threads: int) -> Path:
    """The path of a goal's program, as ranked by kind."""
    found, place = [], space.goal(root.state.family, root.state.size, threads)
    for node in critical_path(root):
        options = enumerate(space.options(place))
        number, choice = next((i, choice) for i, choice in options if choice.rewrite == node.rewrite)
        found.append(number)
        next_one = critical_part(choice)
        place = place if next_one is None else choice.parts[next_one][1]
    return tuple(found)


def along(path: Path, state: State, rebuild: Rebuild, threads: int) -> Node:
    """The program of a goal that a path leads to. Misfit where there is none; Unsolved where the table lacks a part of
    it."""
    try:
        return _along(path, rebuild.space.goal(state.family, state.size, threads), Goals(rebuild))
    except NoProgramError as error:
        raise Misfit(str(error)) from None


def _along(path: Path, place: SearchPlace, goals: Goals) -> Node:
    state = State(place[0], place[1])
    choice = next(islice(goals.space.options(place), path[0], None), None) if path else None
    if choice is None:
        raise Misfit(f"choice {path[0] if path else 'none'} of {state}")
    next_one = critical_part(choice)
    if next_one is None and len(path) > 1:
        raise Misfit(f"a choice after the last, of {state}")
    parts = (
        part and (_along(path[1:], part[1], goals) if i == next_one else goals.best(part[1]))
        for i, part in enumerate(choice.parts)
    )
    return choice.node(state, tuple(parts))
