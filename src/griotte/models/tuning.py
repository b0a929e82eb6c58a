"""A model's parts timed on this machine with so many runs, or seconds, in all, the fastest programs of them kept in the
table.

    parts -> trials where they are expected to gain the most of a call for what they take (timed_parts.py)
          -> winners in the table, where solving the model finds them -> the whole beside the one by price (`race`)

Seconds are those beyond what the model takes by price: its search, and its C. They count in all runs: who asks again
for as many as were spent gets the known result, who asks for more goes on.

Parts are timed apart, their operands where the caches leave them, which is not always where the parts before leave
them. A program that is faster there need not be in the model. So the whole is raced once beside the one by price, in
turns, and the table remembers which one won.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..compiler.session import NOTHING, Session, Tuning
from ..compiler.synthesis import searched
from ..engine.table.keys import digest, emitted
from ..machine import runnable
from ..machine.detect import fingerprint
from ..runtime import timing
from ..support.folders import temporary_folder
from .budget import Budget, CompileRate
from .graph import ModelGraph
from .pool import Pool
from .program import ModelProgram
from .reference import arrays_of
from .solving import solve
from .timed_parts import SharedPart, parts_of, rate_of, spend
from .trials import Remembered
from .watching import Observer

EACH = 0.1  # seconds, at most, of a part whose program is in the table
STEP = 1.0  # seconds that are not worth a run
now = time.monotonic  # seconds
PRICED = Tuning(1)  # by price, whatever the table remembers


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
    asked = session.tuning
    runnable(session.target)
    with _lasting(session.table) as table:
        session = replace(session, table=table, tuning=NOTHING)
        by_price = replace(session, tuning=PRICED)
        program = solve(graph, Pool(by_price), progress)
        remembered, whole = Remembered(session.store, session.threads), whole_key(program)
        earlier = remembered.seconds(whole) if asked.seconds is not None else 0.0
        if asked.seconds is not None and earlier >= asked.seconds - STEP:
            return _as_known(graph, session, earlier, progress)
        of_parts = replace(by_price, effort=3)
        parts = parts_of(program, lambda spec: searched(spec, of_parts, as_one=True), remembered)
        budget = Budget(asked.runs)
        if asked.seconds is not None:
            note = lambda spent: remembered.keep_seconds(whole, earlier + spent)
            budget = _budget(program, asked.seconds - earlier, note)
        used = spend(parts, budget, asked.model, progress)
        found = solve(graph, Pool(session), progress)
        raced = race(found, program)
        taken = found if raced is None or raced.taken == TUNED else program
        remember(found, TUNED if taken is found else BY_PRICE, session)
        budget.note(max(budget.spent, budget.seconds or 0.0))
    told = {**found.stats.get("tuned", {}), "runs": used, "of": asked.runs or used}
    told |= _told(parts, budget, earlier) | (raced.facts() if raced else {})
    return replace(taken, stats={**taken.stats, "tuned": told})


def _as_known(graph: ModelGraph, session: Session, seconds: float, progress: Observer | None) -> ModelProgram:
    """What the table has of a model on which as many seconds were spent as are asked for."""
    found = program_of(graph, session, progress)
    known = {**found.stats.get("tuned", {}), "seconds": seconds, "spent_s": 0.0}
    return replace(found, stats={**found.stats, "tuned": known})


def _budget(program: ModelProgram, seconds: float, note: Callable[[float], None]) -> Budget:
    """A budget of seconds, which begin now: the program by price is compiled. After the trials come the model solved
    out of the table, the C of it, and the race."""
    rate, began = CompileRate(), now()
    program.compile()
    characters = len(program.to_c())
    rate.saw(characters, now() - began)
    end = min(program.stats["synthesis_s"], EACH * len(program.parts)) + 3 * SECONDS
    return Budget(None, seconds, end, characters, now, note, rate)


def _told(parts: Sequence[SharedPart], budget: Budget, earlier: float) -> dict[str, Any]:
    """Where the budget went, the dearest part first."""
    rate = rate_of(parts)
    whole = sum(part.us(rate) for part in parts) or 1.0
    each = [part.facts(whole, rate) for part in sorted(parts, key=lambda part: -part.spent) if part.spent]
    told: dict[str, Any] = {"spent_s": round(budget.spent, 3), "by_part": each}
    return told if budget.seconds is None else told | {"seconds": round(earlier + budget.seconds, 3)}


@contextmanager
def _lasting(table: Any) -> Iterator[Any]:
    """The table; where there is to be none, one that goes."""
    if table != "none":
        yield table
        return
    with temporary_folder() as folder:
        yield Path(folder) / "tuning.griotte"


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
        store.choose(_race_key(program), taken)


def is_slower(program: ModelProgram, session: Session) -> bool:
    """Whether the table knows that a model of these parts, tuned, is slower than by price."""
    store = session.store
    return store is not None and store.choice(_race_key(program)) == BY_PRICE


def whole_key(program: ModelProgram) -> str:
    """The parts of a model, in order."""
    return digest(f"{[each.part.text for each in program.parts]}")


def _race_key(program: ModelProgram) -> str:
    parts = [each.part.text for each in program.parts]
    return digest(f"whole {parts} {program.threads} {fingerprint()} {emitted()}")
