"""A model's parts timed on this machine with so many runs in all, the fastest programs of them kept in the table.

    parts -> the part whose next runs are expected to gain the most of a call -> a batch of its drafts is timed -> ..
          -> winners in the table, where solving the model finds them -> the whole beside the one by price (`race`)

What a part is expected to gain is its share of a call's time, parts alike counted as often as they run, times the
expected improvement of its next draft (engine/learned/updates.py); of one that was not timed, `PRIOR`. A part's search
is done anew where its drafts are first asked for, and let go with them.

Parts are timed apart, their operands where the caches leave them, which is not always where the parts before leave
them: what is faster there need not be in the model. So the whole is raced once beside the one by price, in turns, and
the table remembers which one won.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..compiler.programs import Program
from ..compiler.session import NOTHING, Session, Tuning
from ..compiler.synthesis import searched
from ..compiler.tuning import DRAFTS, Picking, drafts, keep
from ..engine.learned.model import PerformanceModel
from ..engine.learned.updates import BATCH
from ..engine.search.solved import Solved
from ..engine.table.keys import digest, emitted
from ..machine import runnable
from ..machine.detect import fingerprint
from ..runtime import timing
from ..support.errors import GriotteError
from ..support.folders import temporary_folder
from .graph import ModelGraph
from .pool import Pool
from .program import ModelProgram
from .reference import arrays_of
from .solving import solve
from .watching import Observer, Progress

PRIOR = 0.04  # of its time: what a part is expected to gain that was not timed
PRICED = Tuning(1)  # by price, whatever the table remembers
LEAST = 2e-4  # of a call: what is expected to gain less is not worth a run


def program_of(graph: ModelGraph, session: Session, progress: Observer | None = None) -> ModelProgram:
    """The program of a model: its parts timed where that is asked, else each by price, by what the table remembers, or
    by the order of a model of times."""
    if session.tuning.is_timed:
        return tuned_model(graph, session, progress)
    found = solve(graph, Pool(session), progress)
    if session.tuning == NOTHING and "tuned" in found.stats and is_slower(found, session):
        found = solve(graph, Pool(replace(session, tuning=PRICED)), progress)
        return replace(found, stats={**found.stats, "tuned": {"taken": BY_PRICE}})
    return found


def tuned_model(graph: ModelGraph, session: Session, progress: Observer | None = None) -> ModelProgram:
    """The program of a model, so many programs of whose parts were timed, or the one by price where that is faster as a
    whole; without a table for this call alone."""
    runs, model = session.tuning
    assert runs is not None
    runnable(session.target)
    with _lasting(session.table) as table:
        session = replace(session, table=table, tuning=NOTHING)
        by_price = replace(session, tuning=PRICED)
        program = solve(graph, Pool(by_price), progress)
        of_parts = replace(by_price, effort=3)
        parts = parts_of(program, lambda spec: searched(spec, of_parts, as_one=True))
        used = spend(parts, runs, model, progress)
        found = solve(graph, Pool(session), progress)
        raced = race(found, program)
        taken = found if raced is None or raced.taken == TUNED else program
        remember(found, TUNED if taken is found else BY_PRICE, session)
    told = {**found.stats.get("tuned", {}), "runs": used, "of": runs, **(raced.facts() if raced else {})}
    return replace(taken, stats={**taken.stats, "tuned": told})


@contextmanager
def _lasting(table: Any) -> Iterator[Any]:
    """The table; where there is to be none, one that goes."""
    if table != "none":
        yield table
        return
    with temporary_folder() as folder:
        yield Path(folder) / "tuning.griotte"


@dataclass
class SharedPart:
    """What is searched once in a model, and runs so many `turns` in a call of it. `again` searches it; `first_us`:
    microseconds of its best program by price, once it was timed."""

    program: Program
    turns: int
    again: Callable[[], Program]
    picking: Picking | None = None
    first_us: float | None = None
    is_done: bool = False

    def us(self, rate: float) -> float:
        """Microseconds of a call of the model; of a part that was not timed by its price, `rate` a cycle."""
        return self.turns * (self.first_us or rate * self.program.cost)

    @property
    def gain(self) -> float:
        """What its next runs are expected to gain, relative to its time."""
        if self.is_done:
            return 0.0
        return self.picking.gain() if self.picking is not None and self.first_us else PRIOR

    def begin(self, model: PerformanceModel | None) -> None:
        """Draft its programs; it is done where there are none but one."""
        try:
            program = self.again()
            solved = program._search
            found = drafts(program, solved, DRAFTS) if isinstance(solved, Solved) else []
        except GriotteError:
            found = []  # of what is another search by itself than in the model
        if len(found) < 2:
            self.is_done = True
        else:
            self.picking = Picking([replace(draft, _search=None) for draft in found], model)

    def time(self, most: int) -> int:
        """Time a batch; how many. It is done where there is nothing to gain."""
        assert self.picking is not None
        places = self.picking.next(most)
        self.is_done = not places
        if places:
            self.picking.time(places)
            self.first_us = self.picking.first_us
        return len(places)

    def keep_winner(self) -> None:
        """Let the table remember the fastest of what was timed; the part is done."""
        self.is_done = True
        if self.picking is None or not self.picking.timed:
            return
        winner, median, first = self.picking.winner()
        program = self.again()
        assert program._search is not None
        root = self.picking.candidates[winner].root
        keep(program, program._search, root, max(2, self.picking.timed), median, first)
        self.picking = None  # and what it holds


def parts_of(program: ModelProgram, search: Callable[[Any], Program]) -> list[SharedPart]:
    """The parts of a model that are searched, those alike as one: the dearest first, those of a dynamic size left
    out."""
    found: dict[str, SharedPart] = {}
    for each, turns in (pair for part in program.parts for pair in part.each()):
        if isinstance(each.program, Program) and each.program.spec.dynamic is None:
            for own in each.program.searched:
                found.setdefault(str(own.spec), SharedPart(own, 0, partial(search, own.spec))).turns += turns
    return sorted(found.values(), key=lambda part: -part.us(1.0))


def spend(
    parts: Sequence[SharedPart], runs: int, model: PerformanceModel | None, progress: Observer | None = None
) -> int:
    """Time at most so many programs, each batch where it is expected to gain the most of a call; how many were. A
    part's winner is kept, and what it takes to time it let go, as soon as the part is done."""
    used = 0
    while used < runs and (part := most_promising(parts)) is not None:
        if progress is not None:
            progress(Progress(used, runs, (str(part.program.spec),), "runs"))
        if part.picking is None:
            part.begin(model)
        if not part.is_done:
            used += part.time(min(BATCH, runs - used))
        if part.is_done:
            part.keep_winner()
    for part in parts:
        part.keep_winner()
    return used


def most_promising(parts: Sequence[SharedPart]) -> SharedPart | None:
    """The part whose next runs are expected to gain the most of a call; None where none is worth a run."""
    timed = [(part.first_us, part.program.cost) for part in parts if part.first_us]
    rate = sum(us for us, _ in timed) / sum(cost for _, cost in timed) if timed else 1.0
    whole = sum(part.us(rate) for part in parts)
    best = max(parts, key=lambda part: part.us(rate) * part.gain, default=None)
    return None if best is None or best.us(rate) * best.gain < LEAST * whole else best


SECONDS = 0.3  # of each, in turns
TUNED, BY_PRICE = "tuned", "by price"


@dataclass(frozen=True)
class WholeRace:
    """Microseconds of a call of a model, tuned and by price: medians of the same turns."""

    tuned: float
    by_price: float

    @property
    def taken(self) -> str:
        """Which is the faster; of equals the tuned one."""
        return TUNED if self.tuned <= self.by_price else BY_PRICE

    def facts(self) -> dict[str, Any]:
        """What `stats["tuned"]` tells of it."""
        return {"whole_us": self.tuned, "whole_by_price_us": self.by_price, "taken": self.taken}


def race(tuned: ModelProgram, by_price: ModelProgram) -> WholeRace | None:
    """Both timed on the same arrays, of a dynamic size on those of the bound; None where their C is the same."""
    if _code(tuned) == _code(by_price):
        return None
    arrays = arrays_of(tuned.graph, "timed", np.random.default_rng(0))
    calls = {name: each.compile().bind(*arrays) for name, each in ((BY_PRICE, by_price), (TUNED, tuned))}
    found = timing.interleaved(calls, SECONDS)
    return WholeRace(found[TUNED].median_us, found[BY_PRICE].median_us)


def _code(program: ModelProgram) -> str:
    return program.to_c().partition("*/")[2]  # the title differs


def remember(program: ModelProgram, taken: str, session: Session) -> None:
    """Let the table know which whole is the faster: it holds for these parts, this machine, and the C that is emitted
    now."""
    if (store := session.store) is not None:
        store.choose(_key(program), taken)


def is_slower(program: ModelProgram, session: Session) -> bool:
    """Whether the table knows that a model of these parts, tuned, is slower than by price."""
    store = session.store
    return store is not None and store.choice(_key(program)) == BY_PRICE


def _key(program: ModelProgram) -> str:
    parts = [each.part.text for each in program.parts]
    return digest(f"whole {parts} {program.threads} {fingerprint()} {emitted()}")
