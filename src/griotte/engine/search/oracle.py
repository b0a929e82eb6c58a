"""Brute force over the space, one Spec at a time: what the solver and the k best are checked against.

Oracle(target, home, ladders).cost(family, sizes)      the least cost, by recursion with a memo
Oracle(target, home, ladders).goal(family, sizes, 3)   that of a goal, constants placed first, in series or over
                                                       threads
Oracle(target, home, ladders).count(family, sizes)     how many programs there are, exactly
enumerate_costs(target, home, ladders, family, sizes)  the cost of every program there is; tiny spaces only
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from math import inf, prod

from ...lang.nests.family import Family, State
from ..rewrites import GOAL, SHARED
from .graph import FamilyGraph
from .space import Choice, Extents, Limits, Point, Space, in_order


class Oracle(Space):
    """The least cost of a point of the space, in cycles as float64 (inf where there is no program), and how many
    programs it has. No cost is below 0: of what costs as much as the least that was found, the rest is not asked
    for."""

    def __init__(self, target, home: int, ladders: dict, met: FamilyGraph | None = None):
        super().__init__(target, home, ladders, met)
        self._costs: dict[Point, float] = {}
        self._counts: dict[Point, int] = {}

    def cost(self, family: Family, sizes: dict[str, int]) -> float:
        """The least cost with all memory free."""
        return self.at(family, in_order(family, sizes), self.free(family))

    def at(self, family: Family, sizes: Extents, left: Limits) -> float:
        point = family, sizes, left
        if point not in self._costs:
            self._costs[point] = self._cheapest(self.choices(*point), lambda choice, i: self.at(*choice.parts[i][1]))
        return self._costs[point]

    def goal(self, family: Family, sizes: dict[str, int], threads: int) -> float:
        """The least cost of a goal: its constants placed first, then in series or over threads."""
        return self._least(self.whole(State(family, in_order(family, sizes)), threads), threads)

    def _least(self, choices: Iterable[Choice], threads: int) -> float:
        return self._cheapest(choices, lambda choice, i: self._of_goal(choice, i, threads))

    @staticmethod
    def _cheapest(choices: Iterable[Choice], of_part: Callable[[Choice, int], float]) -> float:
        """The least cost of some choices, by what their parts cost."""
        least = inf
        for choice in choices:
            assert choice.own >= 0, choice
            parts = 0.0
            for i, part in enumerate(choice.parts):
                if not choice.own + parts < least:
                    break
                if part is not None:
                    parts += _times(part[0], of_part(choice, i))
            least = min(least, choice.own + parts)
        return least

    def _of_goal(self, choice: Choice, i: int, threads: int) -> float:
        """The least cost of a part of a goal's choice: what is left once a constant is placed, and a copy for all
        threads, is a goal again; what comes after such a copy is shared out."""
        family, sizes, left = choice.parts[i][1]
        if choice.role(i) == SHARED:
            return self._least(self.over(State(family, sizes), threads), threads)
        if choice.role(i) == GOAL:
            return self.goal(family, dict(zip(family.operation.dims, sizes)), threads)
        return self.at(family, sizes, left)

    def binds(self) -> bool:
        """Whether any point that was met costs more with less memory left."""
        least: dict[tuple[Family, Extents], set[float]] = {}
        for (family, sizes, _), cost in self._costs.items():
            least.setdefault((family, sizes), set()).add(cost)
        return any(len(costs) > 1 for costs in least.values())

    def count(self, family: Family, sizes: dict[str, int]) -> int:
        """The number of programs with all memory free. Two programs differ where any choice differs; what a loop runs
        several times is chosen once."""
        return self._count((family, in_order(family, sizes), self.free(family)))

    def _count(self, point: Point) -> int:
        if point not in self._counts:
            parts = lambda choice: (
                self._count(part) if times else min(1, self._count(part)) for times, part in choice.priced
            )
            self._counts[point] = sum(prod(parts(choice)) for choice in self.choices(*point))
        return self._counts[point]


def _times(times: int, cost: float) -> float:
    """What a part costs in all; inf where it has no program, even if it runs 0 times."""
    return times * cost if cost < inf else inf


def enumerate_costs(target, home: int, ladders: dict, family: Family, sizes: dict[str, int]) -> list[float]:
    """The cost of every program of the space, one entry each, without a memo: every choice at every place, tried
    out."""
    space = Space(target, home, ladders)

    def programs(point: Point) -> list[float]:
        found = []
        for choice in space.choices(*point):
            parts = [
                [times * cost for cost in (programs(part) if times else programs(part)[:1])]
                for times, part in choice.priced
            ]
            found += [choice.own + sum(part) for part in product(*parts)]
        return found

    return programs((family, in_order(family, sizes), space.free(family)))
