"""How long a model still takes, by what its parts took so far.

    left = what is asked, over the workers + what may be asked, as often as that comes true + its C

A search of a part of several atoms takes about so many times as long as those of its atoms alone did; one of an atom in
other layouts as long as of that atom. Both are learnt as searches end. What will be asked for nobody knows before: at
first the parts that there are, of which few are asked for; then what the cut looks for next by its bounds, and how many
parts there are by which it may still be cheaper (`choose`), of which some are. The guesses are those by which recorded
models were told best (docs/lab/quick/cold.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import fmean
from typing import NamedTuple


class Atom(NamedTuple):
    """An atom of a part: `number`, equal for equal ones; whether it has a product."""

    number: int
    heavy: bool


SearchKind = tuple[Atom, ...]
"""What a search is of, as far as its time goes: its atoms, in order."""

FIRST_S = {True: 0.57, False: 0.01}  # of a search, before any is known: with a product, and without
JOINED = 0.2  # times what its atoms take: a search of several
ASKED = {True: 0.35, False: 0.9}  # of the parts that there are, asked for in the end: of several atoms, and of one
MORE = 1.6  # times the geometric mean of what a cut looks for and of what may be cheaper: what it asks for in the end
FADES = 0.75  # of what was seen of a cut, each round
PACED = 1.0  # searches: what their expected seconds count for, beside those that a round took
DOUBT = 20.0  # observations that a guess made beforehand counts for
WRITTEN_S = 0.045  # of an atom: its C, and the compiler


@dataclass
class Guess:
    """A ratio that is guessed beforehand, which counts as `doubt` observations; what is seen corrects it."""

    guess: float
    doubt: float = DOUBT
    seen: float = 0.0
    over: float = 0.0

    def add(self, seen: float, over: float = 1.0, fades: float = 1.0) -> None:
        self.seen, self.over = self.seen * fades + seen, self.over * fades + over

    @property
    def value(self) -> float:
        return (self.guess * self.doubt + self.seen) / (self.doubt + self.over)


@dataclass
class Expected:
    """What a cut may ask for, beside what it has asked for; and, once its bounds told that, how it went on so far.

    Attributes:
        may: searches.
        wide: how many more there are by which it may be cheaper.
        asked: of all, in this round.
        began: when the round began; None before the first.
        pace: seconds of a search that is asked for.
    """

    may: list[SearchKind] = field(default_factory=list)
    wide: int = 0
    asked: int = 0
    began: float | None = None
    pace: Guess = field(default_factory=lambda: Guess(0.0, PACED))

    def goes_on(self, may: list[SearchKind], wide: int, now: float) -> None:
        """The next round begins."""
        if self.began is not None:
            self.pace.add(now - self.began, self.asked, FADES)
        self.may, self.wide, self.asked, self.began = may, max(wide, len(may)), 0, now

    @property
    def count(self) -> float:
        """Searches that will be asked for yet."""
        return max(0.0, MORE * (len(self.may) * self.wide) ** 0.5 - self.asked)


class Forecast:
    """Learns from what is done, and tells the seconds that are left. Not for several threads at once.

    Args:
        workers: searches at the same time.
        clock: seconds.
    """

    def __init__(self, workers: int, clock: Callable[[], float]):
        self._workers, self._clock = workers, clock
        self._like = {heavy: Guess(seconds) for heavy, seconds in FIRST_S.items()}
        self._joined = Guess(JOINED)
        self._took: dict[SearchKind, list[float]] = {}
        self._waiting: list[SearchKind] = []
        self._running: dict[object, tuple[SearchKind, float]] = {}
        self._cuts: dict[object, Expected] = {}
        self._atoms = 0

    # ---- what is told ------------------------------------------------------------------------------------------------

    def begins(self, cut: object, atoms: int, kinds: Iterable[SearchKind]) -> None:
        """A cut of so many atoms begins, for which these may be asked."""
        self._cuts[cut] = Expected([*kinds])
        self._atoms += atoms

    def may_ask(self, cut: object, kinds: Iterable[SearchKind], wide: int) -> None:
        """By the bounds of the moment a cut looks for these, and so many may make it cheaper."""
        self._cuts.setdefault(cut, Expected()).goes_on([*kinds], wide, self._clock())

    def ends(self, cut: object) -> None:
        """A cut asks for no more."""
        self._cuts.pop(cut, None)

    def asked(self, cut: object, kind: SearchKind) -> None:
        """A search is asked for."""
        self._waiting.append(kind)
        if cut in self._cuts:
            self._cuts[cut].asked += 1

    def began(self, key: object, kind: SearchKind) -> None:
        """A search is in work, which has a name of its own."""
        if kind in self._waiting:
            self._waiting.remove(kind)
        self._running[key] = kind, self._clock()

    def done(self, key: object) -> None:
        """A search has ended."""
        if key in self._running:
            kind, began = self._running.pop(key)
            self._learn(kind, self._clock() - began)

    def _learn(self, kind: SearchKind, seconds: float) -> None:
        if len(kind) == 1 and kind not in self._took:
            self._like[kind[0].heavy].add(seconds)
        elif len(kind) > 1 and (apart := sum(self.expected((atom,)) for atom in kind)):
            self._joined.add(seconds, apart)
        self._took.setdefault(kind, []).append(seconds)

    # ---- what is expected --------------------------------------------------------------------------------------------

    def expected(self, kind: SearchKind) -> float:
        """Seconds of a search."""
        if kind in self._took:
            return fmean(self._took[kind])
        if len(kind) == 1:
            return self._like[kind[0].heavy].value
        return self._joined.value * sum(self.expected((atom,)) for atom in kind)

    def left(self) -> float:
        """Seconds until all is done, as far as can be told now."""
        now = self._clock()
        spent = [(self.expected(kind), now - began) for kind, began in self._running.values()]
        each = [max(expected - so_far, 0.3 * so_far) for expected, so_far in spent]
        each += map(self.expected, self._waiting)
        known = max(sum(each) / self._workers, *each) if each else 0.0
        later = sum(map(self._later, self._cuts.values()))
        return known + later + WRITTEN_S * self._atoms

    def _later(self, cut: Expected) -> float:
        """Seconds that a cut will take for what it has not asked for yet."""
        if cut.began is None:
            return sum(ASKED[len(kind) > 1] * self.expected(kind) for kind in cut.may) / self._workers
        if not cut.may:
            return 0.0
        cut.pace.guess = fmean(map(self.expected, cut.may)) / self._workers
        return cut.count * cut.pace.value
