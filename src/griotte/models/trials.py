"""What the table remembers of the trials of a model's parts on this machine, so that a later run goes on where an
earlier one stopped: small choices, and data from outside.

    Trials  of a part: how long each draft took, relative to the best by price
    Gains   of a sort of parts: how many were timed, and what they gained
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from ..engine.table.keys import digest, emitted
from ..engine.table.store import Store
from ..machine.detect import fingerprint

MOST = 1000  # drafts of a part
FURTHEST = 1e9  # microseconds, or times the first


def _is_number(value: Any, most: float = FURTHEST) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < most


@dataclass(frozen=True)
class Trials:
    """`times`: how often the time of the best by price each draft took, by the digest of its path. `first_us`:
    microseconds of the best by price. `doubt`: how much the next trial is expected to gain."""

    first_us: float = 0.0
    doubt: float = inf
    times: Mapping[str, float] = field(default_factory=dict)

    @property
    def gain(self) -> float:
        """What the best draft saves, of the time of the best by price."""
        return max(0.0, 1 - min(self.times.values(), default=1.0))

    def beside(self, other: Trials) -> Trials:
        """These, and those of another process that this one did not make."""
        return replace(self, times={**other.times, **self.times})

    def encode(self) -> str:
        return json.dumps({"first_us": self.first_us, "doubt": self.doubt, "times": dict(self.times)})

    @staticmethod
    def decode(text: str | None) -> Trials:
        """The trials that `encode` made this text of; none where it is something else."""
        try:
            found = json.loads(text or "")
            times, first, doubt = found["times"], found["first_us"], found["doubt"]
            right = (
                isinstance(times, dict)
                and len(times) <= MOST
                and all(_is_number(time) and time > 0 for time in times.values())
            )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return Trials()
        return (
            Trials(first, doubt, times) if right and _is_number(first) and first > 0 and _is_number(doubt) else Trials()
        )


@dataclass(frozen=True)
class Gains:
    """What `count` parts of a sort gained, `total` in all, each relative to its time."""

    count: int = 0
    total: float = 0.0

    @staticmethod
    def decode(text: str | None) -> Gains:
        """Those that a text tells of; none where it is something else."""
        try:
            count, total = json.loads(text or "")
        except (ValueError, TypeError, RecursionError):
            return Gains()
        is_right = type(count) is int and 0 <= count < MOST * MOST and _is_number(total) and total <= count
        return Gains(count, total) if is_right else Gains()


class Remembered:
    """The trials that a table remembers for this machine and so many threads; without one, nothing is remembered."""

    def __init__(self, store: Store | None, threads: int):
        self.store, self._of = store, f"{threads} {fingerprint()} {emitted()}"

    def trials(self, spec: str) -> Trials:
        return Trials.decode(self._get(f"trials {spec}"))

    def keep_trials(self, spec: str, trials: Trials) -> None:
        self._put(f"trials {spec}", trials.beside(self.trials(spec)).encode())

    def keep_winner(self, key: str, record: str) -> None:
        """The record of a tuned program, under the key by which its goal finds it."""
        if self.store is not None:
            self.store.choose(key, record)

    def gains(self, sort: str) -> Gains:
        return Gains.decode(self._get(f"gains {sort}"))

    def add_gain(self, sort: str, gain: float) -> None:
        """One more part of a sort gained so much, from 0 to 1."""
        known = self.gains(sort)
        self._put(f"gains {sort}", json.dumps([known.count + 1, known.total + gain]))

    def seconds(self, whole: str) -> float:
        """Seconds that were spent on a model, in all runs."""
        try:
            found = json.loads(self._get(f"seconds {whole}") or "0")
        except (ValueError, RecursionError):
            return 0.0
        return float(found) if _is_number(found) else 0.0

    def keep_seconds(self, whole: str, seconds: float) -> None:
        self._put(f"seconds {whole}", json.dumps(round(seconds, 3)))

    def _get(self, name: str) -> str | None:
        return None if self.store is None else self.store.choice(digest(f"{name} {self._of}"))

    def _put(self, name: str, text: str) -> None:
        if self.store is not None:
            self.store.choose(digest(f"{name} {self._of}"), text)
