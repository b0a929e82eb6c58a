"""A tuning on record: which of the programs of a goal was the fastest on a machine, and by how much.

It is a small choice of the table (a JSON object among values that are none), and data from outside: read with care.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

LONGEST = 1000  # choices of a path
LARGEST = 1 << 31  # number of a choice
MOST = 1e30  # cycles, or microseconds


@dataclass(frozen=True)
class Tuned:
    """`path` leads to the program, `cost` is what the model says of it, in cycles; `of` kinds of programs were asked
    for. `median_us` is the time of a call, `model_us` that of the model's best: both of the same turns, in
    microseconds."""

    spec: str
    threads: int
    machine: str
    of: int
    path: tuple[int, ...]
    cost: float
    median_us: float
    model_us: float

    @property
    def speedup(self) -> float:
        """How often the program runs in the time of the model's best."""
        return self.model_us / self.median_us

    def facts(self) -> dict[str, Any]:
        """For people: all but the path, and the speedup."""
        found = {**asdict(self), "speedup": self.speedup}
        del found["path"]
        return found

    def encode(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @staticmethod
    def decode(text: str) -> Tuned | None:
        """The tuning that `encode` made this text of; None where it is something else."""
        try:
            found = json.loads(text)
            if not isinstance(found, dict) or set(found) != {f.name for f in fields(Tuned)}:
                return None
            path = tuple(found.pop("path"))
            tuned = Tuned(path=path, **found)
        except (ValueError, TypeError, RecursionError):
            return None
        counts = (
            all(type(n) is int and 0 <= n < LARGEST for n in (*path, tuned.of, tuned.threads))
            and 0 < len(path) <= LONGEST
        )
        times = all(_is_number(x) and x > 0 for x in (tuned.median_us, tuned.model_us))
        words = isinstance(tuned.spec, str) and isinstance(tuned.machine, str)
        return tuned if counts and times and words and _is_number(tuned.cost) else None


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < MOST  # which NaN is not
