"""Brute force over the space, one Spec at a time: what the solver and the k best are checked against.

Oracle(target, home, ladders).cost(family, sizes)      the least cost, by recursion with a memo.
Oracle(target, home, ladders).least(family, sizes, 3)  that of a goal, constants placed first, in series or over
                                                       threads.
Oracle(target, home, ladders).count(family, sizes)     how many programs there are, exactly.
enumerate_costs(target, home, ladders, family, sizes)  the cost of every program there is; tiny spaces only.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import inf, prod

from ...lang.nests.family import Family
from .graph import FamilyGraph
from .space import Choice, Extents, ParallelGoal, Point, SearchPlace, Space


class Oracle(Space):
    """The least cost of a point of the space, in cycles as float64 (inf where there is no program), and how many
    programs it has. No cost is below 0: once a part costs as much as the least cost found, the rest is not asked
    for."""

    def __init__(self, target, home: int, ladders: dict, met: FamilyGraph | None = None):
        super().__init__(target, home, ladders, met)
        self._costs: dict[SearchPlace, float] = {}
        self._counts: dict[Point, int] = {}

    def cost(self, family: Family, sizes: dict[str, int]) -> float:
        """The least cost with all memory free."""
        return self.at(self.point(family, sizes))

    def least(self, family: Family, sizes: dict[str, int], threads: int, along: str | None = None) -> float:
        """The least cost of a goal: its constants placed first, then in series or over threads."""
        return self.at(self.goal(family, sizes, threads, along))

    def at(self, place: SearchPlace) -> float:
        """The least cost of a point or a goal."""
        if place not in self._costs:
            self._costs[place] = self._cheapest(self.options(place))
        return self._costs[place]

    def _cheapest(self, choices: Iterable[Choice]) -> float:
        least = inf
        for choice in choices:
            assert choice.own >= 0, choice
            parts = 0.0
            for part in choice.parts:
                if not choice.own + parts < least:
                    break
                if part is not None:
                    parts += _times(part[0], self.at(part[1]))
            least = min(least, choice.own + parts)
        return least

    def binds(self) -> bool:
        """Whether any point that was met costs more with less memory left."""
        least: dict[tuple[Family, Extents], set[float]] = {}
        for place, cost in self._costs.items():
            if not isinstance(place, ParallelGoal):
                least.setdefault(place[:2], set()).add(cost)
        return any(len(costs) > 1 for costs in least.values())

    def count(self, family: Family, sizes: dict[str, int]) -> int:
        """The number of programs with all memory free. Two programs differ where any choice differs; what a loop runs
        several times is chosen once."""
        return self._count(self.point(family, sizes))

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

    def programs(place: SearchPlace) -> list[float]:
        found = []
        for choice in space.options(place):
            parts = [
                [times * cost for cost in (programs(part) if times else programs(part)[:1])]
                for times, part in choice.priced
            ]
            found += [choice.own + sum(part) for part in product(*parts)]
        return found

    return programs(space.point(family, sizes))
