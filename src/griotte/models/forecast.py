"""How long a model still takes, by what its parts took so far.

    left = what is asked, over the workers + what may be asked, as often as that comes true + its C

A search tells its work once it has met its families, and how much of that is done. One that waits takes as long as
others like it did. A part of several atoms takes so many times as long as its atoms alone did, an atom in other layouts
as long as that atom did. Nobody knows beforehand which parts will be asked for. At first these are most of the parts
that there are. Then they are some of those by which the cut may still be cheaper (`choose`). They are fewer, the less
the cut is short of its end and the more of them each search took away so far. The guesses are those that told recorded
models best (docs/lab/quick/cold.md).
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
ASKED = {True: 0.7, False: 0.9}  # of the parts that there are, asked for in the end: of several atoms, and of one
MORE, WIDE, SHORT, SETTLED = 3.0, 0.75, 0.2, 0.8  # of what a cut asks for yet: a factor, and powers (`Expected.count`)
SETTLES, SETTLES_N = 1.0, 4.0  # parts by which a cut may be cheaper that a search takes away; counts for so many
LATE, LATE_S = 1.3, 3.0  # seconds of a round for each that its searches take by what is expected; counts for so many
FADES = 0.75  # of what was seen of a cut, each round
OVERDUE = 2.0  # times what a search takes until its work is known: it takes still, at least
PACE_S = 2.1e-9  # of a search, for each relaxation of a cell that its work is as much as
WORK = 1e9  # relaxations that this guess counts for
DOUBT = 20.0  # observations that a guess made beforehand counts for
LINKED_S = 0.25  # of a library, once: the compiler begins, and what it made is loaded
WRITTEN_S = 0.006, 0.08  # of an atom, and of one with a product that no other is equal to: its C, and the compiler


@dataclass
class Guess:
    """A ratio that is guessed beforehand, which counts as `doubt` observations; observed values correct it."""

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
class RunningSearch:
    """A search in work: what it is of, when it began, and how much of the work that is known was done `at` a time."""

    kind: SearchKind
    began: float
    at: float
    done: float = 0.0
    known: float = 0.0
    met: float = 0.0  # seconds until it was known

    def left(self, now: float, pace: float, expected: float) -> float:
        """Seconds that it still takes: by its work, where that is known, of `pace` seconds for each; its own pace
        counts the more the more is done."""
        so_far = now - self.began
        if not self.known:
            return max(expected - so_far, OVERDUE * so_far)
        share = self.done / self.known
        each = share * (self.at - self.began) / self.done + (1 - share) * pace
        by_work = (self.known - self.done) * each - (now - self.at)
        return max(by_work, (1 + OVERDUE) * self.met - so_far, 0.0)


@dataclass
class Expected:
    """What a cut may ask for, beside what it has asked for; and, once its bounds told that, how it went on so far.

    Attributes:
        may: searches by which it may be cheaper; before its first round all that there are.
        short: how much cheaper, of all it costs; once it cannot be, the cut is done.
        asked: those that it asked for in this round.
        began: when the round began; None before the first.
        settles: of those by which it may be cheaper, how many each search takes away.
        late: seconds of a round, for each that its searches were expected to take.
    """

    may: list[SearchKind] = field(default_factory=list)
    short: float = 0.0
    asked: list[SearchKind] = field(default_factory=list)
    began: float | None = None
    late: Guess = field(default_factory=lambda: Guess(LATE, LATE_S))
    settles: Guess = field(default_factory=lambda: Guess(SETTLES, SETTLES_N))

    @property
    def count(self) -> float:
        """Searches that will be asked for yet: few, where there are few by which it may be cheaper, or by little."""
        most = len(self.may)
        found = MORE * most**WIDE * self.short**SHORT / self.settles.value**SETTLED
        return max(0.0, min(most, found) - len(self.asked))


class Forecast:
    """Learns from finished searches, and tells the seconds that are left. Not for several threads at once.

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
        self._running: dict[object, RunningSearch] = {}
        self._pace = Guess(PACE_S, WORK)
        self._cuts: dict[object, Expected] = {}
        self._atoms, self._heavy = 0, set[Atom]()

    # ---- reports -----------------------------------------------------------------------------------------------------

    def begins(self, cut: object, atoms: int, kinds: Iterable[SearchKind]) -> None:
        """A cut of so many atoms begins, for which these may be asked."""
        self._cuts[cut] = Expected([*kinds])
        self._atoms += atoms
        self._heavy.update(atom for kind in self._cuts[cut].may for atom in kind if atom.heavy)

    def may_ask(self, cut: object, kinds: Iterable[SearchKind], short: float) -> None:
        """By the bounds of the moment these may make a cut cheaper, by `short` of all it costs."""
        may = [*kinds]
        expected, now = self._cuts.setdefault(cut, Expected()), self._clock()
        if expected.began is not None and (apart := self._shared(expected.asked)):
            expected.late.add(now - expected.began, apart, FADES)
            expected.settles.add(max(0, len(expected.may) - len(may)), len(expected.asked))
        expected.may, expected.short, expected.asked, expected.began = may, short, [], now

    def ends(self, cut: object) -> None:
        """A cut asks for no more."""
        self._cuts.pop(cut, None)

    def asked(self, cut: object, kind: SearchKind) -> None:
        """A search is asked for."""
        self._waiting.append(kind)
        self._heavy.update(atom for atom in kind if atom.heavy)
        if cut in self._cuts:
            self._cuts[cut].asked.append(kind)

    def began(self, key: object, kind: SearchKind) -> None:
        """A search is in work, which has a name of its own."""
        if kind in self._waiting:
            self._waiting.remove(kind)
        self._running[key] = RunningSearch(kind, self._clock(), self._clock())

    def went_on(self, key: object, done: float, known: float) -> None:
        """Of the work of a search that is known so much is done."""
        if key in self._running:
            running = self._running[key]
            running.at, running.done, running.known = self._clock(), done, known
            running.met = running.met or running.at - running.began

    def done(self, key: object) -> None:
        """A search has ended."""
        if key in self._running:
            ended = self._running.pop(key)
            seconds = self._clock() - ended.began
            if ended.known:
                self._pace.add(seconds, ended.known)
            self._learn(ended.kind, seconds)

    def _learn(self, kind: SearchKind, seconds: float) -> None:
        if len(kind) == 1 and kind not in self._took:
            self._like[kind[0].heavy].add(seconds)
        elif len(kind) > 1 and (apart := sum(self.expected((atom,)) for atom in kind)):
            self._joined.add(seconds, apart)
        self._took.setdefault(kind, []).append(seconds)

    # ---- expectations ------------------------------------------------------------------------------------------------

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
        each = [one.left(now, self._pace.value, self.expected(one.kind)) for one in self._running.values()]
        each += map(self.expected, self._waiting)
        known = max(sum(each) / self._workers, *each) if each else 0.0
        later = sum(map(self._later, self._cuts.values()))
        return known + later + self._written

    @property
    def _written(self) -> float:
        """Seconds of the C of all, and of the compiler."""
        each = WRITTEN_S[0] * self._atoms + WRITTEN_S[1] * len(self._heavy)
        return LINKED_S + each if each else 0.0

    def _shared(self, kinds: Iterable[SearchKind]) -> float:
        """Seconds of searches that are shared out."""
        return sum(map(self.expected, kinds)) / self._workers

    def _later(self, cut: Expected) -> float:
        """Seconds that a cut will take for what it has not asked for yet."""
        if cut.began is None:
            return sum(ASKED[len(kind) > 1] * self.expected(kind) for kind in cut.may) / self._workers
        return cut.count * cut.late.value * self._shared(cut.may) / len(cut.may) if cut.may else 0.0
