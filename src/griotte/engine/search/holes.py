"""The holes of a partial program: what each has left of the caches, the ladders that they are solved on, and programs
in their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...lang.calls.spec import Spec
from ..idioms.halo import is_rows
from ..program.nodes import Hole, Loop, Node, children, goals_of_call
from ..rewrites import HolePath, OpenHole, applied, around, edges
from . import limits
from .ladder import Ladder, few, ladder, of_parts, uncut_ladders


@dataclass(frozen=True, eq=False)
class PartialTree:
    """A program with holes, whose arrays are at the level `home`."""

    root: Node
    target: Any
    home: int

    @cached_property
    def holes(self) -> tuple[OpenHole, ...]:
        """From the top of the printed program down."""
        return tuple(self._open(self.root, (), (), limits.free(self.target, self.home, self.root.state.family)))

    def _open(self, node: Node, path: HolePath, turn: HolePath, limit: int) -> Iterator[OpenHole]:
        """The holes under `node`, whose Spec has the memory limits of index `limit`."""
        if isinstance(node, Hole):
            state, levels = node.state, self.target.levels
            left = {levels[x].name: n for x, n in limits.left(self.target, self.home, state.family, limit).items()}
            is_goal = any(state == goal.state for goal in goals_of_call(self.root) if isinstance(goal, Hole))
            yield OpenHole(state, left, path, turn, limit, is_goal, self.target, edges)
            return
        main = main_child(node)
        for i, (part, below) in enumerate(zip(children(node), self._limits(node, limit))):
            yield from self._open(part, (*path, i), (*turn, 0 if i == main else i + 1), below)

    def _limits(self, node: Node, limit: int) -> list[int]:
        """The limit index that each child of `node` sees."""
        if isinstance(node, Loop):
            return [limit] * len(children(node))
        if not children(node):
            return []
        state = node.state
        edge = node.rewrite.edge(state.family, self.target)
        return [limits.below(self.target, self.home, state.family, child, state.size, limit) for child in edge.children]


def replaced(node: Node, path: HolePath, new: Node, target: Any) -> Node:
    """`node` with `new` at `path`, priced anew above it."""
    if not path:
        return new
    old = children(node)[path[0]]
    parts = tuple(replaced(part, path[1:], new, target) if part is old else part for part in node.rewrite.parts(node))
    return applied(around(node.rewrite, parts), node.state, target, parts)


def ladders_of(holes: Iterable[OpenHole], canonical: Spec, target: Any, threads: int) -> dict[str, Ladder]:
    """The ladders of all sizes that holes have, or lead to."""
    found: dict[str, set[int]] = {}
    for hole in holes:
        parts = of_parts(hole.family, hole.size, target)
        for dim, size in (*hole.size.items(), *((d, n) for d, sizes in parts.items() for n in sizes)):
            found.setdefault(dim, set()).add(size)
    extents = {d: tuple(sorted(sizes)) for d, sizes in found.items()}
    return {
        d: few(sizes) if is_rows(d) else ladder(canonical, d, target, sizes, threads) for d, sizes in extents.items()
    } | uncut_ladders(canonical.operation, extents)


def main_child(node: Node) -> int:
    """Which of a node's children is scheduled first: a loop's whole tiles, what runs after a copy in or a fill."""
    parts = node.rewrite.parts(node)
    place = node.rewrite.critical_path(parts)
    return -1 if place is None else children(node).index(parts[place])
