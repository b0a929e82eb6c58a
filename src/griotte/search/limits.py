"""Memory limits as coordinates: what is left of each cache level, on a short geometric ladder.

A family has an axis for level X only where X can bind: some operand is at X or faster and some other is slower than X.
The step of a limit is a share of the level's capacity; what a move uses is subtracted and rounded down to a step.
"""

from __future__ import annotations

import numpy as np

from ..spec.family import Family

SHARES = (0.0, 0.125, 0.25, 0.5, 0.75, 1.0)


def axes(target, home: int, family: Family) -> tuple[int, ...]:
    """Levels whose limit is a coordinate of this family, fastest first."""
    levels = [o.level for o in family.operands if o.level > 0]
    if family.output.level == 0 or not levels:
        return ()
    return tuple(x for x in target.places(home) if min(levels) <= x < max(levels))


def count(levels: tuple[int, ...]) -> int:
    return len(SHARES) ** len(levels)


def step_down(capacity: float, used: np.ndarray) -> np.ndarray:
    """[points, steps]: the step left after `used` lines are taken at each step; -1 where they do not fit."""
    left = np.asarray(SHARES)[None, :] * capacity - np.asarray(used, np.float64)[:, None]
    return np.where(left < 0, -1, np.searchsorted(np.asarray(SHARES) * capacity, left, side="right") - 1).astype(np.int8)


def transition(parent: tuple[int, ...], child: tuple[int, ...], level: int | None, downs: np.ndarray) -> np.ndarray:
    """[rows, parent limits] -> child limit index or -1, for each distinct row of `downs` [rows, steps] on `level`."""
    steps = len(SHARES)
    mesh = np.indices((steps,) * len(parent)).reshape(len(parent), -1) if parent else np.zeros((0, 1), np.int64)
    rows = len(downs)
    result = np.zeros((rows, count(parent)), np.int64)
    infeasible = np.zeros(result.shape, bool)
    for x in child:
        here = mesh[parent.index(x)] if x in parent else np.full(mesh.shape[1], steps - 1)
        index = downs[:, here] if x == level else np.broadcast_to(here, result.shape)
        infeasible |= index < 0
        result = result * steps + index
    if level is not None and level not in child:
        here = mesh[parent.index(level)] if level in parent else np.full(mesh.shape[1], steps - 1)
        infeasible |= downs[:, here] < 0
    return np.where(infeasible, -1, result).astype(np.int32)


def below(target, home: int, family: Family, edge, child, size, limit: int) -> int:
    """One Spec's `transition`: the limit index that a child of `edge` sees, -1 where what the edge uses is not left."""
    to = axes(target, home, child.family)
    if not child.carries:
        return count(to) - 1
    level, downs = None, np.zeros((1, len(SHARES)), np.int8)
    if edge.uses is not None and edge.uses[0] < home:
        level, used, _ = edge.uses
        downs = step_down(target.capacity_lines(level), np.array([float(used(size))]))
    return int(transition(axes(target, home, family), to, level, downs)[0, limit])


def left(target, home: int, family: Family, limit: int) -> dict[int, float]:
    """Lines left of every cache level below `home` at a limit index."""
    levels = axes(target, home, family)
    steps = np.unravel_index(limit, (len(SHARES),) * len(levels)) if levels else ()
    shares = {level: SHARES[step] for level, step in zip(levels, steps)}
    return {level: shares.get(level, 1.0) * target.capacity_lines(level) for level in target.places(home)}


def index(steps: tuple[int, ...]) -> int:
    """The limit index of a step for each axis."""
    found = 0
    for step in steps:
        found = found * len(SHARES) + step
    return found
