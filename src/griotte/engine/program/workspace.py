"""Where what lies between programs that run one after the other is put in one workspace, by when it is needed.

No plan takes less than the most that is needed at once. Mostly one that goes by size reaches that; where it does not,
the others are tried, and the shortest is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True)
class Life:
    """`bytes` that are needed from the program `first` on, until after `last`, both by their place in the order."""

    bytes: int
    first: int
    last: int

    def meets(self, other: Life) -> bool:
        """Whether both are needed at once."""
        return self.first <= other.last and other.first <= self.last


_BEFORE: tuple[Callable[[Life], tuple[int, ...]], ...] = (
    lambda life: (-life.bytes, life.first),
    lambda life: (-life.bytes * (life.last - life.first + 1), life.first),
    lambda life: (life.first, -life.bytes),
    lambda life: (-life.last, -life.bytes),
    lambda life: (life.first - life.last, -life.bytes),
)
"""What is placed before what, in one plan each."""


def most_at_once(lives: Mapping[int, Life]) -> int:
    """The most bytes that are needed at once: no workspace is smaller."""
    steps: Counter[int] = Counter()
    for life in lives.values():
        steps[life.first] += life.bytes
        steps[life.last + 1] -= life.bytes
    return max(accumulate(steps[at] for at in sorted(steps)), default=0)


def placed(lives: Mapping[int, Life]) -> dict[int, int]:
    """A place for each, in bytes from the beginning, so that none lies where another does that is needed at once."""
    least, best, extent = most_at_once(lives), dict[int, int](), 0
    for before in _BEFORE:
        found = _in_order(lives, before)
        end = size(lives, found)
        if not best or end < extent:
            best, extent = found, end
        if extent == least:
            break
    return best


def size(lives: Mapping[int, Life], places: Mapping[int, int]) -> int:
    """The bytes of a workspace with these places."""
    return max((places[key] + life.bytes for key, life in lives.items()), default=0)


def _in_order(lives: Mapping[int, Life], before: Callable[[Life], tuple[int, ...]]) -> dict[int, int]:
    """Each in the smallest gap that takes it, between those that are placed and needed at once; else behind them."""
    places: dict[int, int] = {}
    for key, life in sorted(lives.items(), key=lambda item: (before(item[1]), item[0])):
        taken = sorted((at, at + lives[other].bytes) for other, at in places.items() if lives[other].meets(life))
        gaps, end = [], 0
        for begin, until in taken:
            if end + life.bytes <= begin:
                gaps.append((begin - end, end))
            end = max(end, until)
        places[key] = min(gaps)[1] if gaps else end
    return places
