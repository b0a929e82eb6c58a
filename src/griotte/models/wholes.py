"""A tuned model beside the one by price: whole calls of both, in turns, and the faster of them is taken.

Parts are timed apart, their operands where the caches leave them, which is not always where the parts before leave
them: what is faster there need not be in the model. So the whole is raced once, and the table remembers which one won.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compiler.session import Session
from ..engine.table.keys import digest, emitted
from ..machine.detect import fingerprint
from ..runtime import timing
from .data import arrays_of
from .program import ModelProgram

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
