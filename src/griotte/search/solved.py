"""One solved problem: its table, and the programs read out of it."""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile

from ..program.nodes import Node
from ..spec.spec import Spec
from .kbest import KBest, Ranking
from .problem import problem
from .rebuild import Rebuild, parallel_best
from .solve import Solver, Statistics
from .space import Space


class Solved:
    """A canonical Spec on a target and a number of threads. It is solved when first asked for something."""

    def __init__(self, spec: Spec, target, threads: int = 1):
        self.target, self.threads = target, threads
        self.start = problem(spec, target, threads)

    @cached_property
    def _searched(self) -> tuple[Statistics, Rebuild]:
        solver = Solver(self.target, self.start.home, self.start.ladders)
        return solver.solve(self.start.goal).statistics, Rebuild(solver)

    @property
    def statistics(self) -> Statistics:
        return self._searched[0]

    @cached_property
    def best(self) -> Node:
        """The program of least cost; NoProgramError when the space has none."""
        rebuild = self._searched[1]
        goal, sizes = self.start.goal, self.start.sizes
        return parallel_best(rebuild, goal, sizes, self.threads) if self.threads > 1 else rebuild.best(goal, sizes)

    @cached_property
    def _ranking(self) -> Ranking:
        return KBest(self._searched[1], Space(self.target, self.start.home, self.start.ladders)).goal(self.best, self.threads)

    def cheapest(self, k: int) -> list[Node]:
        """The k cheapest programs, `best` first; fewer where the space has fewer. The others are in order of their costs
        in float64: one may be cheaper than `best` by what float32 does not tell apart."""
        found = list(takewhile(lambda program: program is not None, map(self._ranking.at, range(k))))
        return found[:1] + sorted(found[1:], key=lambda program: program.cost)
