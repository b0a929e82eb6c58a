"""A program on record: which of the choices of each point it takes, along its spine; all else of it is the table's
best.

A path is data from outside where it comes out of a file: it may name choices that there are not, never more than that.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from ...lang.nests.family import State
from ...support.errors import NoProgramError
from ..program.nodes import Node
from ..program.spine import spine
from ..rewrites import GOAL, SHARED
from . import limits
from .kinds import spine_part
from .parallel import Team
from .rebuild import Rebuild
from .space import Choice, Point, Space

Path = tuple[int, ...]


class Misfit(LookupError):
    """A path that leads to no program."""


def path_of(root: Node, space: Space, threads: int) -> Path:
    """The path of a goal's program, as ranked by kind."""
    found = []
    choices: Iterable[Choice] = space.whole(root.state, threads)
    for node in spine(root):
        wanted = node.rewrite
        number, choice = next((i, choice) for i, choice in enumerate(choices) if choice.rewrite == wanted)
        found.append(number)
        place = spine_part(choice)
        threads = _threads(choice, place, threads)
        choices = () if place is None else _next(choice, place, space, threads)
    return tuple(found)


def along(path: Path, state: State, rebuild: Rebuild, threads: int) -> Node:
    """The program of a goal that a path leads to. Misfit where there is none; Unsolved where the table does not know
    all of it."""
    try:
        return _along(path, state, rebuild.space.whole(state, threads), rebuild, threads)
    except NoProgramError as error:
        raise Misfit(str(error)) from None


def _threads(choice: Choice, place: int | None, threads: int) -> int:
    """The threads that may share a part of a choice: inside of a loop there is one, whatever is a goal elsewhere."""
    return threads if place is not None and choice.role(place) in (GOAL, SHARED) else 1


def _next(choice: Choice, place: int, space: Space, threads: int) -> Iterable[Choice]:
    """The choices at a part of a choice, for so many threads: those of a goal, where all that the choice does is to
    place a constant, or to share a copy among threads."""
    family, sizes, left = choice.parts[place][1]
    if threads == 1:
        return space.choices(family, sizes, left)
    if choice.role(place) == SHARED:
        return space.over(State(family, sizes), threads)
    return (
        space.whole(State(family, sizes), threads) if choice.role(place) == GOAL else space.choices(family, sizes, left)
    )


def _along(path: Path, state: State, choices: Iterable[Choice], rebuild: Rebuild, threads: int) -> Node:
    choice = next(islice(choices, path[0], None), None) if path else None
    if choice is None:
        raise Misfit(f"choice {path[0] if path else 'none'} of {state}")
    place = spine_part(choice)
    if place is None and len(path) > 1:
        raise Misfit(f"a choice after the last, of {state}")

    def program(i: int, point: Point) -> Node:
        family, sizes, left = point
        if i == place:
            inside = _threads(choice, i, threads)
            return _along(path[1:], State(family, sizes), _next(choice, i, rebuild.space, inside), rebuild, inside)
        size = dict(zip(family.operation.dims, sizes))
        is_shared = choice.role(i) == GOAL and threads > 1
        return Team(rebuild, threads).best(family, size) if is_shared else rebuild.at(family, size, limits.index(left))

    return choice.node(state, tuple(part and program(i, part[1]) for i, part in enumerate(choice.parts)))
