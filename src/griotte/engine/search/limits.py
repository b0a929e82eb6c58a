"""Memory limits as coordinates: the free part of each cache level, on a short geometric ladder.

A family has an axis for level X only where X can bind: some operand is at X or faster and some other is slower than X.
The step of a limit is a share of the level's capacity; what a move uses is subtracted and rounded down to a step.

A search solves only the limits that it reaches. All memory is free at a goal, and a move takes some of a level and
gives nothing back. So a family that is reached with an operand in L1 is never asked for with all of L1 free.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache

import numpy as np

from ...lang.nests.access import Access
from ...lang.nests.family import Family, Operand
from ..footprint import resident
from ..rewrites.edge import Child
from ..table import STEPS
from .graph import FamilyNode

SHARES = (0.0, 0.125, 0.25, 0.5, 0.75, 1.0)
assert len(SHARES) == STEPS, "a table keeps decisions by these steps"


def axes(target, home: int, family: Family) -> tuple[int, ...]:
    """Levels whose limit is a coordinate of this family, fastest first."""
    levels = [o.level for o in family.operands if o.level > 0]
    if family.output.level == 0 or not levels:
        return ()
    return tuple(x for x in target.places(home) if min(levels) <= x < max(levels))


def count(levels: tuple[int, ...]) -> int:
    return len(SHARES) ** len(levels)


def whole(levels: tuple[int, ...]) -> tuple[int, ...]:
    """How many steps each of these levels has."""
    return (len(SHARES),) * len(levels)


def step_down(capacity: float, used: np.ndarray) -> np.ndarray:
    """[points, steps]: the step left after `used` lines are taken at each step; -1 where they do not fit."""
    left = np.asarray(SHARES)[None, :] * capacity - np.asarray(used, np.float64)[:, None]
    return np.where(left < 0, -1, np.searchsorted(np.asarray(SHARES) * capacity, left, side="right") - 1).astype(
        np.int8
    )


def transition(
    parent: tuple[int, ...], child: tuple[int, ...], level: int | None, downs: np.ndarray, met: tuple | None = None
) -> np.ndarray:
    """[rows, parent limits] -> child limit index or -1, for each distinct row of `downs` [rows, steps] on `level`.
    `met` says how many first steps of the parent's axes and of the child's are taken; None: all."""
    of_parent, of_child = met or (whole(parent), whole(child))
    mesh = np.indices(of_parent).reshape(len(parent), -1) if parent else np.zeros((0, 1), np.int64)
    rows = len(downs)
    result = np.zeros((rows, mesh.shape[1]), np.int64)
    infeasible = np.zeros(result.shape, bool)
    for x, steps in zip(child, of_child):
        here = mesh[parent.index(x)] if x in parent else np.full(mesh.shape[1], len(SHARES) - 1)
        index = downs[:, here] if x == level else np.broadcast_to(here, result.shape)
        infeasible |= index < 0
        result = result * steps + index
    if level is not None and level not in child:
        here = mesh[parent.index(level)] if level in parent else np.full(mesh.shape[1], len(SHARES) - 1)
        infeasible |= downs[:, here] < 0
    return np.where(infeasible, -1, result).astype(np.int32)


def below(target, home: int, family: Family, child: Child, size, limit: int) -> int:
    """One Spec's `transition`: the limit index that a child of an edge of `family` sees, -1 where what it leaves room
    for is not left."""
    return by_limit(target, home, family, child, size)[limit]


def by_limit(target, home: int, family: Family, child: Child, size) -> list[int]:
    """`below` at each limit index of the family."""
    parent, to = axes(target, home, family), axes(target, home, child.family)
    if not child.carries:
        return [count(to) - 1] * count(parent)
    if (uses := taken(child, home)) is None:
        return _row(parent, to, None, 0.0, 0.0)
    level, lines, _ = uses
    return _row(parent, to, level, target.capacity_lines(level), float(lines(size)))


def below_each(target, home: int, family: Family, child: Child, size, limits: list[int]) -> list[int]:
    """`below` for several Specs, whose sizes are arrays in `size`; -1 where a limit is -1."""
    to = axes(target, home, child.family)
    if not child.carries:
        return [count(to) - 1 if limit >= 0 else -1 for limit in limits]
    parent, uses = axes(target, home, family), taken(child, home)
    if uses is None:
        row = _row(parent, to, None, 0.0, 0.0)
        return [row[limit] if limit >= 0 else -1 for limit in limits]
    level, lines, _ = uses
    capacity, used = (
        target.capacity_lines(level),
        np.broadcast_to(np.asarray(lines(size), np.float64), (len(limits),)).tolist(),
    )
    return [_row(parent, to, level, capacity, n)[limit] if limit >= 0 else -1 for n, limit in zip(used, limits)]


def taken(child: Child, home: int) -> tuple | None:
    """What a child takes, before it runs, of a level that can be too small: (level, lines(sizes), key)."""
    return None if child.uses is None or child.uses[0] >= home else child.uses


@lru_cache(1 << 14)
def _row(parent: tuple[int, ...], child: tuple[int, ...], level: int | None, capacity: float, used: float) -> list[int]:
    """`transition` for one number of lines."""
    return transition(parent, child, level, step_down(capacity, np.array([used])))[0].tolist()


def left(target, home: int, family: Family, limit: int) -> dict[int, float]:
    """Lines left of every cache level below `home` at a limit index."""
    levels = axes(target, home, family)
    shares = {level: SHARES[step] for level, step in zip(levels, steps(len(levels), limit))}
    return {level: shares.get(level, 1.0) * target.capacity_lines(level) for level in target.places(home)}


@cache
def steps(rank: int, limit: int) -> tuple[int, ...]:
    """The step of each of `rank` axes at a limit index: `index` undone."""
    found: tuple[int, ...] = ()
    for _ in range(rank):
        limit, step = divmod(limit, len(SHARES))
        found = (step, *found)
    return found


def index(steps: tuple[int, ...]) -> int:
    """The limit index of a step for each axis."""
    found = 0
    for step in steps:
        found = found * len(SHARES) + step
    return found


def free(target, home: int, family: Family) -> int:
    """The limit index with all memory free."""
    return count(axes(target, home, family)) - 1


def needs(home: int, family: Family) -> list[tuple[Access, Operand, bool]]:
    """What must fit the level it is at: the operands at one that can be too small, for `fits`."""
    return [
        (family.access(i), operand, family.reduced(i))
        for i, operand in enumerate(family.operands)
        if 0 < operand.level < home
    ]


def fits(target, need: tuple[Access, Operand, bool], size):
    """Whether a tile of an operand fits its level, of one Spec or of many."""
    access, operand, reduced = need
    return resident(access, operand, size, target.occupied, reduced) <= target.capacity_lines(operand.level)


FREE = len(SHARES) - 1

Met = dict[Family, tuple[int, ...]]


def met(
    nodes: list[FamilyNode],
    whole: Iterable[Family],
    axes: Callable[[Family], tuple[int, ...]],
    downs: Callable[[FamilyNode, Child], tuple[int, np.ndarray] | None],
) -> Met:
    """How many steps of each of its axes, from none left on, a family is reached at. `nodes` stand children first;
    families that are `whole` are reached at all. `downs` gives what a child of a node takes of limits: a level and
    [kinds, steps], the step that is left."""
    levels = {node.family: axes(node.family) for node in nodes}
    top = {family: [0] * len(found) for family, found in levels.items()}
    for family in whole:
        top[family] = [FREE] * len(levels[family])
    for node in reversed(nodes):
        here = dict(zip(levels[node.family], top[node.family]))
        for edge in node.edges:
            for child in edge.children:
                if levels[child.family]:
                    _raise(
                        top[child.family],
                        levels[child.family],
                        _left(here, downs(node, child)) if child.carries else {},
                    )
        for tiling in node.tilings:
            if tiling.rest is not None:
                _raise(top[tiling.rest], levels[tiling.rest], here)
    return {family: tuple(step + 1 for step in found) for family, found in top.items()}


def _left(here: dict[int, int], taken: tuple[int, np.ndarray] | None) -> dict[int, int]:
    """The greatest step of each level that is left to a child."""
    if taken is None:
        return here
    level, downs = taken
    return {**here, level: int(downs[:, here.get(level, FREE)].max())}


def _raise(top: list[int], levels: tuple[int, ...], steps: dict[int, int]) -> None:
    for i, level in enumerate(levels):
        top[i] = max(top[i], steps.get(level, FREE))
