"""A program in words: what a file keeps of it, and how it is found again under other coefficients.

    outline := [word, part, ..]      a rewrite in words and the outlines of its parts, null where there is none

A view emits no code. So one kernel has as many prices as there are ways to place views in it, and the search pays the least;
when coefficients change, another placing may be the least. `Cheapest` finds the program of the space that does what an outline says, and moves its
views, one operand's at a time, to where they cost least. An outline from a file is only ever compared with the choices of the space:
a wrong one is the outline of no program.
"""

from __future__ import annotations

from ..program.nodes import Node
from ..search.problem import Problem
from ..search.space import Choice, Point, Space
from ..spec.family import State

Outline = tuple  # (str, *(Outline | None))


def outline(program: Node) -> Outline:
    """The outline of a program of fixed sizes."""
    rewrite = program.rewrite
    return (rewrite.outline(program.state.family), *(part and outline(part) for part in rewrite.parts(program)))


class Cheapest:
    """Programs by their outlines, in one space."""

    def __init__(self, space: Space):
        self.space = space

    def program(self, start: Problem, threads: int, wanted: Outline) -> Node | None:
        """The cheapest program found that differs from the outline in nothing but views; None where the space has not
        even the one that it describes."""
        least = best = self._goal(start, threads, wanted, None)
        number = len(start.goal.operands)
        for first in range(number if best else 0):  # the one that moves first takes the cache: each has its turn at that
            found = best
            for i in range(number):
                found = min(found, self._goal(start, threads, outline(found), (first + i) % number), key=lambda node: node.cost)
            least = min(least, found, key=lambda node: node.cost)
        return least

    def _goal(self, start: Problem, threads: int, wanted: Outline, free: int | None) -> Node | None:
        """With the views of operand `free` (of no operand: None) at their best places."""
        family = start.goal
        sizes = tuple(start.sizes[d] for d in family.operation.dims)
        walk = _Walk(self.space, free)
        if not wanted[0].startswith("parallel "):
            return walk.at((family, sizes, self.space.free(family)), wanted)
        loops = (c for c in self.space.parallel(family, start.sizes, threads) if c.rewrite.outline(family) == wanted[0])
        return next((walk.built(State(family, sizes), choice, wanted) for choice in loops), None)


class _Walk:
    """One pass over an outline: the least cost of each point that has the rest of it, with a memo."""

    def __init__(self, space: Space, free: int | None):
        self.space, self.free = space, free
        self._known: dict[tuple[Point, Outline], Node | None] = {}

    def at(self, point: Point, wanted: Outline) -> Node | None:
        """The cheapest program of a point that has the outline."""
        while wanted and wanted[0].startswith(f"view {self.free} ") and len(wanted) == 2:
            wanted = wanted[1]
        key = point, wanted
        if key not in self._known:
            self._known[key] = self._best(point, wanted) if wanted and self.space.holds(*point[:2]) else None
        return self._known[key]

    def _best(self, point: Point, wanted: Outline) -> Node | None:
        family, state = point[0], State(*point[:2])
        found = []
        for choice in (self.space.loops if wanted[0].startswith("tile ") else self.space.steps)(*point):
            if choice.rewrite.outline(family) == wanted[0]:
                found.append(self.built(state, choice, wanted))
        for choice in self.space.steps(*point) if self.free is not None else ():
            if not choice.rewrite.emits(family) and choice.rewrite.about == self.free:
                found.append(self.built(state, choice, ("", wanted)))
        return min((node for node in found if node is not None), key=lambda node: node.cost, default=None)

    def built(self, state: State, choice: Choice, wanted: Outline) -> Node | None:
        """The choice over the cheapest programs of its parts."""
        parts, cost = [], choice.own
        if len(wanted) != len(choice.parts) + 1:
            return None
        for part, inner in zip(choice.parts, wanted[1:]):
            node = self.at(part[1], inner) if part and inner else None
            if (part is None) != (inner is None) or (part and node is None):
                return None
            parts.append(node)
            cost += part[0] * node.cost if part else 0.0
        return choice.rewrite.node(state, tuple(parts), cost)
