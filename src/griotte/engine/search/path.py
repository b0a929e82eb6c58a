"""A program on record: which of the choices of each point it takes, along its critical path; all else of it is the
table's best.

A path is data from outside where it comes out of a file: it may name choices that there are not, never more than that.
"""

from __future__ import annotations

from itertools import islice

from ...lang.nests.family import State
from ...support.errors import NoProgramError
from ..program.critical_path import critical_path
from ..program.nodes import Node
from .goals import Goals
from .kinds import spine_part
from .rebuild import Rebuild
from .space import SearchPlace, Space

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
        next_one = spine_part(choice)
        place = place if next_one is None else choice.parts[next_one][1]
    return tuple(found)


def along(path: Path, state: State, rebuild: Rebuild, threads: int) -> Node:
    """The program of a goal that a path leads to. Misfit where there is none; Unsolved where the table does not know
    all of it."""
    try:
        return _along(path, rebuild.space.goal(state.family, state.size, threads), Goals(rebuild))
    except NoProgramError as error:
        raise Misfit(str(error)) from None


def _along(path: Path, place: SearchPlace, goals: Goals) -> Node:
    state = State(place[0], place[1])
    choice = next(islice(goals.space.options(place), path[0], None), None) if path else None
    if choice is None:
        raise Misfit(f"choice {path[0] if path else 'none'} of {state}")
    next_one = spine_part(choice)
    if next_one is None and len(path) > 1:
        raise Misfit(f"a choice after the last, of {state}")
    parts = (
        part and (_along(path[1:], part[1], goals) if i == next_one else goals.best(part[1]))
        for i, part in enumerate(choice.parts)
    )
    return choice.node(state, tuple(parts))
