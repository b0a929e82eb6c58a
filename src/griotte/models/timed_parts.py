"""The parts of a model, timed apart: a Spec that is searched once is a part, however often a call runs it.

    parts_of(program) -> SharedPart: its share of a call, what a trial is expected to gain and takes
    -> `spend`: the next trial where allocation.py says, until the budget is spent -> winners in the table

What trials tell is kept after each (trials.py), a winner that stands out as well: who is interrupted loses the trial in
work. A part's search is done anew where its drafts are first asked for, and let go with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..compiler.programs import Program
from ..compiler.tuning import ROUND, Drafted, Late, Picking, never
from ..engine.learned.model import PerformanceModel
from ..engine.learned.updates import BATCH
from ..lang.nests.operation import is_contraction
from ..support.errors import GriotteError
from .allocation import Prospect, expected, next_part
from .budget import Budget, stopped
from .program import ModelProgram
from .trials import Remembered, Trials
from .watching import Observer, Progress

FIRST = 4.0  # seconds of the first trial of a part, where none was seen: to search, draft, compile and time it
APART = 0.02  # by how much a draft must be faster in its turns to be kept before it raced


@dataclass
class SharedPart:
    """A Spec that is searched once in a model, and runs so many `turns` in a call of it.

    Attributes:
        program: the best by price.
        turns: how often a call runs it.
        again: searches it.
        remembered: what the table knows of trials.
        trials: those of this run and of earlier ones.
        drafted: its drafts, as long as it is in work.
        runs: how many programs were timed now.
        spent: seconds of that.
        drafting: seconds that its drafts took.
        last: seconds of its last trial, without them.
        is_done: nothing is to be gained, or nothing was drafted.
    """

    program: Program
    turns: int
    again: Callable[[], Program]
    remembered: Remembered = field(default_factory=lambda: Remembered(None, 1))
    trials: Trials = field(default_factory=Trials)
    drafted: Drafted | None = None
    picking: Picking | None = None
    runs: int = 0
    spent: float = 0.0
    drafting: float = 0.0
    last: float | None = None
    is_done: bool = False

    @property
    def name(self) -> str:
        return str(self.program.spec)

    @property
    def sort(self) -> str:
        """What parts are alike in, for what prices err by: whether they are products."""
        return "product" if any(map(is_contraction, self.program.root.state.family.operation.operations)) else "other"

    @property
    def first_us(self) -> float | None:
        """Microseconds of its best program by price, once it was timed."""
        return self.trials.first_us or None

    @property
    def is_timed(self) -> bool:
        return bool(self.trials.times)

    def us(self, rate: float) -> float:
        """Microseconds of a call of the model; of a part that was not timed by its price, `rate` a cycle."""
        return self.turns * (self.first_us or rate * self.program.cost)

    @property
    def characters(self) -> int:
        """Of the C of a batch."""
        return (BATCH + 1) * len(self.program.to_c())

    def begin(self, model: PerformanceModel | None, is_late: Late = never) -> None:
        """Draft its programs, those that are found before it is late; it is done where there are none but one."""
        try:
            with stopped(is_late):
                self.drafted = Drafted.of(self.again(), is_late)
        except GriotteError:
            self.drafted = Drafted((), (), "")  # of what is another search by itself than in the model, or came late
        if len(self.drafted.programs) < 2:
            self.is_done = True
            return
        places = {name: place for place, name in enumerate(self.drafted.names)}
        known = {places[name]: took for name, took in self.trials.times.items() if name in places}
        self.picking = Picking(self.drafted.programs, model, *((known, self.first_us) if 0 in known else ()))

    def time(self, most: int, is_late: Late = never) -> int:
        """Time a batch, what of it is compiled before it is late; how many. It is done where there is nothing to
        gain."""
        assert self.picking is not None and self.drafted is not None
        places = self.picking.next(most)
        self.is_done = not places
        if not places:
            return 0
        timed = self.picking.time(places, is_late)
        self._keep()
        self.runs += timed
        return timed

    def _keep(self) -> None:
        """Let the table know what was timed, and the best of it where that stands out."""
        assert self.picking is not None and self.picking.first_us is not None and self.drafted is not None
        names, took = self.drafted.names, self.picking.took
        self.trials = Trials(self.picking.first_us, self.picking.gain(), {names[n]: took[n] for n in took})
        self.remembered.keep_trials(self.name, self.trials)
        best = min(took, key=lambda place: took[place])
        if took[best] < 1 - APART:
            self._record(best, took[best] * self.picking.first_us, self.picking.first_us)

    def _record(self, place: int, median: float, first: float) -> None:
        assert self.drafted is not None
        text = self.drafted.record(place, max(2, len(self.trials.times)), median, first)
        self.remembered.keep_winner(self.drafted.key, text)

    @property
    def has_contender(self) -> bool:
        """Whether something is to race before its winner is known."""
        return self.picking is not None and self.picking.timed > 0 and self.trials.gain > 0

    def keep_winner(self) -> None:
        """Let the table remember the fastest of what was timed; the part is done."""
        self.is_done = True
        if self.picking is not None and self.picking.timed:
            winner, median, first = self.picking.winner()
            self._record(winner, median, first)
            self.remembered.add_gain(self.sort, max(0.0, 1 - median / first))
        self.picking = self.drafted = None  # and what they hold

    def facts(self, whole: float, rate: float) -> dict[str, Any]:
        """What `stats["tuned"]` tells of it: its share of a call, of that what it gained, and what it may gain yet."""
        doubt = self.trials.doubt if self.is_timed else None
        return {
            "part": self.name,
            "share": self.us(rate) / whole,
            "doubt": doubt,
            "runs": self.runs,
            "seconds": round(self.spent, 3),
            "gain": self.trials.gain,
        }


def parts_of(
    program: ModelProgram, search: Callable[[Any], Program], remembered: Remembered | None = None
) -> list[SharedPart]:
    """The parts of a model that are searched, those alike as one: the dearest first, those of a dynamic size left
    out."""
    found: dict[str, SharedPart] = {}
    known = remembered or Remembered(None, program.threads)
    for each, turns in (pair for part in program.parts for pair in part.each()):
        if isinstance(each.program, Program) and each.program.spec.dynamic is None:
            for own in each.program.searched:
                name = str(own.spec)
                if name not in found:
                    found[name] = SharedPart(own, 0, partial(search, own.spec), known, known.trials(name))
                found[name].turns += turns
    return sorted(found.values(), key=lambda part: -part.turns * part.program.cost)


def spend(
    parts: Sequence[SharedPart],
    budget: Budget,
    model: PerformanceModel | None = None,
    progress: Observer | None = None,
    pick: Callable[[Sequence[Prospect], float], int | None] = next_part,
) -> int:
    """Time programs within a budget, each batch of the part that `pick` takes; how many were. A part's winner is kept,
    and what it takes to time it let go, as soon as the part is done."""
    while (place := pick(prospects(parts, budget), budget.left(_races(parts)))) is not None:
        part, began = parts[place], budget.clock()
        if progress is not None:
            progress(_progress(budget, part))
        _try(part, budget, _races(parts), model)
        if part.is_done:
            part.keep_winner()
        part.spent += budget.clock() - began
        budget.note(budget.spent)
    for part in parts:
        began = budget.clock()
        part.keep_winner()
        part.spent += budget.clock() - began
    return budget.used


def _races(parts: Sequence[SharedPart]) -> int:
    """How many there are at most after one more trial."""
    return 1 + sum(part.has_contender for part in parts)


def _try(part: SharedPart, budget: Budget, races: int, model: PerformanceModel | None) -> None:
    """One trial of a part: its drafts, where it has none, and a batch of them, as far as there is time."""
    began = budget.clock()
    characters = 0 if budget.seconds is None else part.characters
    if part.picking is None:
        part.begin(model, budget.late(races, budget.rate.of(characters) + ROUND))
        part.drafting = budget.clock() - began
    if part.is_done:
        return
    began = budget.clock()
    most = BATCH if budget.runs is None else min(BATCH, budget.runs - budget.used)
    budget.used += part.time(most, budget.late(races, ROUND))
    part.last = budget.clock() - began
    budget.rate.saw(characters, part.last - ROUND)


def cost(part: SharedPart, parts: Sequence[SharedPart], budget: Budget) -> float:
    """What the next trial of a part is expected to take: as long as its last one; the first as long as others' did."""
    if budget.seconds is None:
        return 1.0
    if part.last is not None and part.picking is not None:
        return part.last
    seen = [other.drafting + other.last for other in parts if other.last is not None]
    return sum(seen) / len(seen) if seen else FIRST


def _progress(budget: Budget, part: SharedPart) -> Progress:
    if budget.seconds is None:
        return Progress(budget.used, budget.runs or 0, (part.name,), "runs")
    return Progress(int(budget.spent), int(budget.seconds), (part.name,), "seconds")


def prospects(parts: Sequence[SharedPart], budget: Budget) -> list[Prospect]:
    """The figures of each part before its next trial."""
    rate, hopes = rate_of(parts), {sort: _hope(parts, sort) for sort in {part.sort for part in parts}}
    found = []
    for part in parts:
        doubt = 0.0 if part.is_done else part.trials.doubt if part.is_timed else hopes[part.sort]
        found.append(Prospect(part.us(rate), doubt, cost(part, parts, budget), part.runs))
    return found


def _hope(parts: Sequence[SharedPart], sort: str) -> float:
    """The doubt of parts of a sort that were not timed, by what others gained, now and earlier."""
    known = next(part.remembered for part in parts if part.sort == sort).gains(sort)
    now = [part.trials.gain for part in parts if part.sort == sort and part.runs and not part.is_done]
    return expected(known.total + sum(now), known.count + len(now))


def rate_of(parts: Sequence[SharedPart]) -> float:
    """Microseconds of a cycle of the price, by the parts that were timed; 1 as long as none was."""
    timed = [(part.first_us, part.program.cost) for part in parts if part.first_us]
    return sum(us for us, _ in timed) / sum(cost for _, cost in timed) if timed else 1.0
