"""Where calls are cut at whole arrays: the cheapest way to take them in runs, each of which one search may cover.

Calls stand in an order in which each reads what came before. A cut takes them in runs of neighbours in that order; of a
run, calls that read nothing of each other are apart. What a way costs is what its groups move: the bytes that each
reads and gives as whole arrays, and a call; a view alone moves nothing. Dynamic programming over where a run ends finds
the cheapest:

    best[j] = min over i < j of best[i] + sum over the groups of calls i..j-1 of what they move
"""

from __future__ import annotations

from math import inf

from ..ir.graph import is_contraction
from .calls import CallList, is_reduction

CALL = 4096  # bytes that take as long to move as a group takes to begin and end
LONGEST = 64  # calls of a run: more are never searched as one
# of a group of a Spec that is cut: more are seldom worth a search, of which attention has as many
CONTRACTIONS, REDUCTIONS = 2, 4

Steps = tuple[int, ...]


class Cutter:
    """The cheapest way to cut `calls` into groups none of which is refused: has more than so many of some calls, or
    more contractions or reductions than a group may. A call is always one."""

    def __init__(self, calls: CallList):
        self.calls = calls
        self._refused: list[tuple[frozenset[int], int]] = []
        self._moved: dict[Steps, float] = {}

    def refuse(self, steps: Steps, most: int) -> None:
        """No group has more than `most` of these calls."""
        self._refused.append((frozenset(steps), most))

    def cheapest(self) -> list[Steps]:
        """The groups of the cheapest way, in an order in which each reads what came before."""
        count = len(self.calls)
        best, begins = [0.0, *[inf] * count], [0] * (count + 1)
        for end in range(1, count + 1):
            for start in range(end - 1, max(-1, end - 1 - LONGEST), -1):
                cost = best[start] + self._cost(start, end)
                if cost < best[end]:
                    best[end], begins[end] = cost, start
                elif cost == inf and self._never(start, end):
                    break
        found, end = [], count
        while end:
            found.append(self.calls.joined(range(begins[end], end)))
            end = begins[end]
        return [group for run in reversed(found) for group in run]

    def _cost(self, start: int, end: int) -> float:
        return sum(map(self._of_group, self.calls.joined(range(start, end))))

    def _never(self, start: int, end: int) -> bool:
        """Whether a run that begins here or earlier and ends there has a refused group in it."""
        return any(self._is_refused(group) for group in self.calls.joined(range(start, end)))

    def _is_refused(self, group: Steps) -> bool:
        own = set(group)
        if len(group) > 1 and any(len(own & steps) > most for steps, most in self._refused):
            return True
        return len(group) > 1 and self.is_crowded(group)

    def is_crowded(self, group: Steps) -> bool:
        """Whether it has more contractions or reductions than a group may."""
        contractions, reductions = self._crowd(group)
        return contractions > CONTRACTIONS or reductions > REDUCTIONS

    def crowd(self, group: Steps) -> str:
        """How many of these it has."""
        return "{} of them contractions, {} reductions".format(*self._crowd(group))

    def _crowd(self, group: Steps) -> tuple[int, int]:
        return self.calls.count(group, is_contraction), self.calls.count(group, is_reduction)

    def _of_group(self, group: Steps) -> float:
        """The bytes that a group moves; inf where it is refused, or part of it is known ahead of the call."""
        if self._is_refused(group) or self.calls.is_split_in_time(group):
            return inf
        if group not in self._moved:
            self._moved[group] = 0.0 if self.calls.is_view(group) else float(self.calls.moved(group) + CALL)
        return self._moved[group]
