"""The budget of trials of a model's parts: so many runs, or seconds by a clock. Work after the trials takes some of
these seconds. A trial that takes longer than was expected is cut short where seconds end, at the nearest of these
places:

    its search       between two families of it
    its drafts       between two of them
    its C            between two programs
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf

from ..compiler.tuning import ROUND, Late, never
from ..engine.search.progress import SearchProgress, listening
from ..support.errors import GriotteError

PACE = 1e-5  # seconds of a compiler for a character of C, until one was seen: 0.85e-5 of LeNet, gcc 12 on a Zen 3
RACE = 2.5 * ROUND  # seconds of the race of a part's best

Clock = Callable[[], float]


class TooLate(GriotteError):
    """A search was stopped, for there is no time left for what comes after it."""


@contextmanager
def stopped(is_late: Late) -> Iterator[None]:
    """TooLate of the searches that this thread asks for within, once it is late."""

    def look(progress: SearchProgress) -> None:
        if is_late():
            raise TooLate("expected time for what comes after a search, found none")

    with listening(look):
        yield


@dataclass
class CompileRate:
    """Seconds that compilers take here for a character of C: the most of `PACE` and of the observed times, for C in the
    cache takes none."""

    each: float = PACE

    def saw(self, characters: int, seconds: float) -> None:
        """So much C took so long."""
        self.each = max(self.each, seconds / max(1, characters))

    def of(self, characters: int) -> float:
        """Seconds of so much C."""
        return self.each * characters


@dataclass
class Budget:
    """What trials may take: so many `runs`, or `seconds` by a clock.

    Attributes:
        runs: programs that are timed in all; None: no bound.
        seconds: None: no bound.
        end: seconds of what comes after the trials, but for the C of it.
        characters: of that C.
        clock: seconds.
        note: gets the seconds that were spent, after each trial.
        rate: what compilers take.
    """

    runs: int | None = None
    seconds: float | None = None
    end: float = 0.0
    characters: int = 0
    clock: Clock = time.monotonic
    note: Callable[[float], None] = lambda spent: None
    rate: CompileRate = field(default_factory=CompileRate)

    def __post_init__(self) -> None:
        self._began, self.used = self.clock(), 0

    @property
    def spent(self) -> float:
        return self.clock() - self._began

    def left(self, races: int) -> float:
        """Runs, or the seconds before so many races and what comes then."""
        if self.seconds is None:
            return inf if self.runs is None else self.runs - self.used
        return self.seconds - self.spent - self.end - self.rate.of(self.characters) - RACE * races

    def late(self, races: int, kept: float = 0.0) -> Late:
        """Tells when no more is left before so many races than is `kept` for what else comes before them."""
        return never if self.seconds is None else lambda: self.left(races) <= kept
