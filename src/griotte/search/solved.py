"""One solved problem: its table, and the programs read out of it."""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile

from ..program.nodes import Node
from ..spec.spec import Spec
from ..table import Table
from .kbest import KBest, Ranking
from .memory import Memory
from .problem import problem
from .rebuild import Rebuild, Unsolved, parallel_best
from .sizes import Sizes
from .solution import answer
from .space import Space
from .statistics import Statistics


class Solved:
    """A canonical Spec on a target and a number of threads, with its table. It is solved when first asked for something."""

    def __init__(self, spec: Spec, target, threads: int = 1, store=None, memory: Memory | None = None):
        self.target, self.threads, self.dynamic = target, threads, spec.dynamic
        self._memory = memory
        self.start = problem(spec, target, threads)
        self.table = Table(target, self.start.home, self.start.ladders, store)

    @cached_property
    def _answer(self) -> tuple[Node, Statistics]:
        return answer(self.table, (self.start.goal,), self._best, self._memory)

    @property
    def best(self) -> Node:
        """The program of least cost, of a dynamic size those of every size; NoProgramError when the space has none."""
        return self._answer[0]

    @property
    def statistics(self) -> Statistics:
        return self._answer[1]

    def _best(self, rebuild: Rebuild) -> Node:
        goal, sizes = self.start.goal, self.start.sizes
        if self.dynamic:
            return Sizes(rebuild, self.dynamic.dim).goal(goal, sizes, self.dynamic.extents, self.threads)
        return parallel_best(rebuild, goal, sizes, self.threads) if self.threads > 1 else rebuild.best(goal, sizes)

    def cheapest(self, k: int) -> list[Node]:
        """The k cheapest programs, `best` first; fewer where the space has fewer. The others are in order of their costs
        in float64: one may be cheaper than `best` by what float32 does not tell apart."""
        best = self.best
        try:
            found = self._first(k)
        except Unsolved:  # the best came from a store that does not hold all that it competed with
            from .solve import Solver

            Solver(self.table, memory=self._memory).solve(self.start.goal)
            self.__dict__.pop("_ranking", None)
            found = self._first(k)
        return [best, *sorted(found[1:], key=lambda program: program.cost)]

    def _first(self, k: int) -> list[Node]:
        return list(takewhile(lambda program: program is not None, map(self._ranking.at, range(k))))

    @cached_property
    def _ranking(self) -> Ranking:
        rebuild = Rebuild(self.table)
        return KBest(rebuild, Space(self.target, self.start.home, self.start.ladders)).goal(self._best(rebuild), self.threads)
