"""Which memory limits a search meets. From a goal, where all memory is free, a move takes of a level and gives nothing
back: of a family that was reached with an operand in L1 no Spec with all of L1 free is ever asked for. What is not met
is not solved."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ...lang.nests.family import Family
from ..rewrites.edge import Child
from . import limits
from .graph import FamilyNode

FREE = len(limits.SHARES) - 1

Met = dict[Family, tuple[int, ...]]


def met(
    nodes: list[FamilyNode],
    whole: Iterable[Family],
    axes: Callable[[Family], tuple[int, ...]],
    downs: Callable[[FamilyNode, Child], tuple[int, np.ndarray] | None],
) -> Met:
    """How many steps of each of its axes, from none left on, a family is met at. `nodes` stand children first; families
    that are `whole` are met at all. `downs` gives what a child of a node takes of limits: a level and [kinds, steps],
    the step that is left."""
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
