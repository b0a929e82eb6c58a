"""Programs of a Spec, from the best to several times slower, with the best ones thick among them.

Drawing evenly from the space teaches nothing: nearly all of its 10^100 or 10^400000 programs are terrible, and what has to be
ranked well is what lies near the optimum. So a program is drawn from the top down: at each point it begins as the best program does, or, now and
then, with a choice drawn from all of those that emit code, which is kept with a probability that falls with its price (that of the best program
that begins with it). The parts that are left are drawn in the same way. How steeply the probability falls is drawn once for each program.
"""

from __future__ import annotations

from itertools import pairwise
from math import exp, log

import numpy as np

from ..program.nodes import Node
from ..search.kbest import KBest
from ..search.rebuild import Rebuild
from ..search.solved import Solved
from ..search.space import Choice, Point
from ..spec.family import State

MILD, BOLD = 0.02, 2.0  # a choice that costs this share more than the best is kept 1/e as often; drawn between these
TURNS = 0.4  # how often another choice than the best is looked for
PROPOSALS = 3  # how many are looked at before the best is taken after all
SLOWEST = 6.0  # times the best price: slower programs are not kept
NEAR = 1.15  # times the best price: half of all programs lie below


class Drawer:
    """Draws programs of one solved Spec."""

    def __init__(self, solved: Solved, rng: np.random.Generator):
        self.best, self.rng = solved.best, rng
        self._ranked = KBest(Rebuild(solved.table))
        self.space = self._ranked.space
        self._threads = solved.threads
        self._others: dict[Point, list[list[Choice]]] = {}

    def program(self) -> Node:
        """One program."""
        state, heat = self.best.state, exp(self.rng.uniform(log(MILD), log(BOLD)))
        point = state.family, state.sizes, self.space.free(state.family)
        if self._threads == 1:
            return self._at(point, heat)
        loops = list(self.space.parallel(state.family, state.size, self._threads))
        known = [choice for choice in loops if choice.rewrite == self.best.rewrite]
        other = self._kept(_kinds(loops, state.family), self.best.cost, heat)
        if other is None and not known:
            return self._at(point, heat)
        return self._grown(state, other or known[0], heat)

    def _at(self, point: Point, heat: float) -> Node:
        """A program of a point."""
        best = self._ranked.ranking(point).at(0)
        other = None
        if self.rng.random() < TURNS:
            if point not in self._others:
                self._others[point] = _kinds(self.space.choices(*point), point[0])
            other = self._kept(self._others[point], best.cost, heat)
        return self._grown(best.state, other or self._beginning(point, best), heat)

    def _kept(self, kinds: list[list[Choice]], least: float, heat: float) -> Choice | None:
        """A choice that is cheap enough for the heat; None where none of a few was. First a kind is drawn, then one of that
        kind: many tiles are not more likely than a single kernel."""
        for _ in range(PROPOSALS if kinds else 0):
            kind = kinds[self.rng.integers(len(kinds))]
            for found in self._ranked.derivations([kind[self.rng.integers(len(kind))]]):
                if self.rng.random() < exp(min(0.0, -(found.cost() / max(least, 1e-9) - 1) / heat)):  # in float64 what is best may cost a little less, or 0
                    return found.choice
        return None

    def _beginning(self, point: Point, best: Node) -> Choice:
        """The choice that the best program of a point begins with."""
        return next(choice for choice in self.space.choices(*point) if choice.rewrite == best.rewrite)

    def _grown(self, state: State, choice: Choice, heat: float) -> Node:
        """The program that begins with a choice, its parts drawn."""
        parts, cost = [], choice.own
        for part in choice.parts:
            parts.append(part and self._at(part[1], heat))
            cost += part[0] * parts[-1].cost if part else 0.0
        return choice.rewrite.node(state, tuple(parts), cost)


def _kinds(choices, family) -> list[list[Choice]]:
    """Choices that emit code, by kind of rewrite and what it is about."""
    groups: dict[tuple, list[Choice]] = {}
    for choice in choices:
        if choice.rewrite.emits(family):
            groups.setdefault((type(choice.rewrite), choice.rewrite.about), []).append(choice)
    return list(groups.values())


def spread(prices: list[float], number: int) -> list[int]:
    """Indices of `number` prices or fewer: half of them evenly from the ranks up to NEAR times the least, the others evenly
    over the logarithm of the price up to SLOWEST times. The least is always among them."""
    order = np.argsort(prices, kind="stable")
    ratio = np.array(prices)[order] / prices[order[0]]
    near, far = np.flatnonzero(ratio <= NEAR), np.flatnonzero((ratio > NEAR) & (ratio <= SLOWEST))
    found = list(near[np.unique(np.linspace(0, len(near) - 1, max(1, number // 2)).astype(int))])
    steps = np.exp(np.linspace(np.log(NEAR), np.log(SLOWEST), number - len(found) + 1))
    for low, high in pairwise(steps):
        inside = far[(ratio[far] > low) & (ratio[far] <= high)]
        found += list(inside[:1])
    return [int(order[i]) for i in found]
