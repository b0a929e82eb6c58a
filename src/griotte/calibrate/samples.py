"""What was measured, in a file of JSON lines: a line about the machine, then one for each program.

    {"griotte": "samples", "version": 1, "machine": {...}}
    {"spec": "matmul(..)", "threads": 1, "outline": [..], "cycles": [[..], ..]}

`cycles` has a list of turns for each round that the program was measured in. A file can be added to, and fitted by others.
"""

from __future__ import annotations

import json
import math
import statistics
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ..errors import GriotteError
from ..runtime.cache import write_atomically
from ..targets import detect
from .outline import Outline

VERSION = 1
MOST_BYTES = 1 << 28


@dataclass
class Sample:
    """A program of a Spec (as text) on a number of threads, and its cycles, turns within rounds."""

    spec: str
    threads: int
    outline: Outline
    cycles: list[list[float]] = field(default_factory=list)

    @property
    def measured(self) -> float:
        """Cycles of a call: the median of each round's least, for what disturbs a turn only makes it longer; NaN where it was
        not measured."""
        return statistics.median(map(min, self.cycles)) if self.cycles else math.nan

    @property
    def halves(self) -> tuple[float, float]:
        """The same over every other round, and over the rounds between: what measuring again would give."""
        first, second = self.cycles[::2], self.cycles[1::2] or self.cycles
        return statistics.median(map(min, first)), statistics.median(map(min, second))


def machine() -> dict:
    """What figures are true for: the CPU as it names itself, its caches, the cores this process may use."""
    found = detect()
    return {"cpu": found.name, "caches": {f"L{level}": size for level, size in sorted(found.caches.items())}, "cores": found.cores}


def write(path: Path, samples: list[Sample]) -> None:
    """The whole file or none of it."""
    lines = [{"griotte": "samples", "version": VERSION, "machine": machine()}, *map(asdict, samples)]
    write_atomically(path, "".join(json.dumps(line) + "\n" for line in lines).encode())


def read(path: Path) -> list[Sample]:
    """The samples of a file; GriotteError where it is no such file, or of another machine."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _wrong(path, f"{path.stat().st_size} bytes")
        first, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        if not isinstance(first, dict) or first.get("griotte") != "samples" or first.get("version") != VERSION:
            raise _wrong(path, "another kind of file")
        samples = [_sample(line) for line in lines]
    except OSError as error:
        raise _wrong(path, error.strerror or str(error)) from None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _wrong(path, f"an error ({error or type(error).__name__})") from None
    if first["machine"] != machine():
        raise GriotteError(f"expected samples of this machine ({machine()['cpu']}, {machine()['cores']} cores), found some of {first['machine']} in {path}; name another file")
    return samples


def _wrong(path: Path, found: str) -> GriotteError:
    return GriotteError(f"expected a file of samples as griotte calibrate --samples writes it, found {found}: {path}; name another file")


def _sample(line: dict) -> Sample:
    spec, threads, cycles = line["spec"], line["threads"], line["cycles"]
    if not (isinstance(spec, str) and isinstance(threads, int) and 1 <= threads <= 1024):
        raise ValueError("a spec or threads that are none")
    turns = [[float(x) for x in turn] for turn in cycles]
    if not all(turn and all(0 < x < math.inf for x in turn) for turn in turns):
        raise ValueError("cycles that are none")
    return Sample(spec, threads, _tuple(line["outline"]), turns)


def _tuple(value) -> Outline:
    """Lists as tuples: [str, *(outline or None)]."""
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise ValueError("an outline that is none")
    return (value[0], *(part if part is None else _tuple(part) for part in value[1:]))
