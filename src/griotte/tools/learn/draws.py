"""Programs drawn from the space of a solved goal, and those that fuse nothing.

A program is drawn from its root on. At a point a few of the choices are taken evenly, each with the best programs of
what it leaves, and of these one with weight (least cost / cost) ** (1 / heat); or the point keeps the choice that it
has. Then likewise at the parts that it leaves, until a few points were drawn. So a program may differ from the best
anywhere, not along the critical path alone. (Of all programs, evenly drawn, nearly all differ from the best everywhere
at once: there are 10^60863309 of an 8-bit product of 256 x 512 x 256.)
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from ...engine.program.nodes import MaybeNode, Node, Pipeline
from ...engine.search.kbest import KBest
from ...engine.search.rebuild import Rebuild
from ...engine.search.space import Choice, SearchPlace
from ...lang.nests.family import State

BREADTH = 8  # choices of a point that are looked at
POINTS = 4  # of a program that are drawn
MOST_CUTS = 100  # tensors between nests: more than any graph of one search has
KEPT = 0.3  # the chance that a point keeps its choice


class Draws:
    """Draws from the space of a solved table, for so many threads."""

    def __init__(self, rebuild: Rebuild, threads: int, rng: random.Random):
        self.kbest, self.space, self.threads, self.rng = KBest(rebuild), rebuild.space, threads, rng
        self._choices: dict[SearchPlace, list[Choice]] = {}
        self._left = 0  # points that may still be drawn, or tensors that may still be cut at

    def drawn(self, best: Node, heat: float) -> Node:
        """A program of the goal whose best is given."""
        self._left = POINTS
        return self._drawn(self._goal(best), best, heat)

    def unfused(self, best: Node, most: int = MOST_CUTS) -> Node:
        """The cheapest program of a graph of which at most so many tensors between nests are whole, where arrays rest,
        the first ones that can be; as far as there is one."""
        self._left = most
        return self._unfused(self._goal(best), best)

    def _goal(self, best: Node) -> SearchPlace:
        return self.space.goal(best.state.family, best.state.size, self.threads)

    def _drawn(self, place: SearchPlace, best: Node, heat: float) -> Node:
        if not self._left:
            return best
        options = self._at(place)
        below = lambda place, best: self._drawn(place, best, heat)
        if self.rng.random() < KEPT:
            own = [choice for choice in options if choice.rewrite == best.rewrite]
            return self._node(own[0], best.rewrite.parts(best), place, below) if own else best
        self._left -= 1
        some = options if len(options) <= BREADTH else self.rng.sample(options, BREADTH)
        derivations = list(self.kbest.begun(some))
        if not derivations:
            return best
        costs = [max(derivation.cost(), 1e-9) for derivation in derivations]
        (taken,) = self.rng.choices(derivations, [(min(costs) / cost) ** (1 / heat) for cost in costs])
        return self._node(taken.choice, taken.programs(), place, below)

    def _unfused(self, place: SearchPlace, best: Node) -> Node:
        if not place[0].operation.held or not self._left:
            return best
        home, found = place[0].slowest, None
        for derivation in self.kbest.begun(self._at(place)):
            node = derivation.choice.node(State(place[0], place[1]), derivation.programs())
            is_whole = isinstance(node, Pipeline) and node.to.level == home or node.rewrite.outer
            if is_whole and (found is None or derivation.cost() < found.cost()):
                found = derivation
        if found is None:
            return best
        self._left -= not found.choice.rewrite.outer
        return self._node(found.choice, found.programs(), place, self._unfused)

    def _node(self, choice: Choice, parts: Iterable[MaybeNode], place: SearchPlace, below) -> Node:
        """The program that begins with a choice, and with what `below` makes of each part that runs."""
        programs = list(parts)
        for i, part in enumerate(choice.parts):
            program = programs[i]
            if part is not None and part[0] and program is not None:
                programs[i] = below(part[1], program)
        return choice.node(State(place[0], place[1]), tuple(programs))

    def _at(self, place: SearchPlace) -> list[Choice]:
        """The choices of a place."""
        if place not in self._choices:
            self._choices[place] = list(self.space.options(place))
        return self._choices[place]
