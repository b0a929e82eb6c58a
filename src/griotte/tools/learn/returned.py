"""The files that came back of a batch (batches.py), checked and put into records.

All of it is data from outside. The programs are worked out anew: decisions are followed choice by choice
(engine/search/recorded.py), and the C that they lead to is written again. Times count for it only if that is the C
which was timed there. A sample of each result is compared with the reference on the same data.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from hashlib import sha256
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from ...compiler.session import Session
from ...engine.search.recorded import Misfit, written
from ...lang.calls.spec import Spec
from ...lang.meaning.agreement import compare, tolerance
from ...lang.meaning.reference import empty_outputs, interpret
from ...lang.text.text import parse
from ...machine.detect import described, in_a_line
from ...machine.systems.linux import bytes_of_caches
from ...support.errors import GriotteError
from ...support.printable import printable
from .batches import digest_of, filled, in_memory, palettes_of, sampled
from .collecting import SpecReport, on_record, operation, unit_alone
from .drafts import Draft, SpecSpace
from .elsewhere.script import BATCH, FORMAT, TIMES, read
from .elsewhere.turns import Times
from .records import Records, TimedGoal, target_of
from .timing import TimedLibraries, as_tuple

LARGEST = 1 << 28  # bytes of a file
LONGEST = 1 << 16  # characters of a text, the target and decisions aside
MOST_THREADS, MOST_PROGRAMS = 1 << 12, 1 << 10
SLOWEST = 1e12  # microseconds


class Returned:
    """A batch that was timed. GriotteError where the folder holds none.

    Attributes:
        count: how many Specs it has.
        machine: in a line, as records have it.
        compiler: the compiler that compiled it.
    """

    def __init__(self, folder: str | os.PathLike[str]):
        self.folder = Path(folder)
        text = self._read(BATCH)
        batch, (times, *known) = self._object(BATCH, text), self._lines(self._read(TIMES))
        if times.get("format") != FORMAT or batch.get("format") != FORMAT:
            raise self._wrong("one of another format", BATCH)
        if times.get("batch") != sha256(text).hexdigest():
            raise self._wrong("times of another batch", TIMES)
        self._target = self._text(batch.get("target"), "target", BATCH)
        self.target, (self.threads, self.seed) = target_of(self._target), self._counts(batch)
        specs = batch.get("specs")
        if not isinstance(specs, list):
            raise self._wrong("no Specs", BATCH)
        self._specs: list[Any] = specs
        self._times = {each["number"]: each for each in known if type(each.get("number")) is int}
        self.count = len(self._specs)
        self.compiler = printable(self._text(times.get("compiler"), "compiler", TIMES))[:200]
        self.machine = self._machine(times.get("machine"))

    def into(self, records: Records) -> Iterator[SpecReport]:
        """Put the programs of each Spec into `records`, with a report of each. A Spec that was not timed, or whose data
        are wrong, is reported, and the next one taken."""
        for number, made in enumerate(self._specs):
            name = made.get("spec") if isinstance(made, dict) else None
            try:
                spec = parse(self._text(name, "Spec", BATCH))
                key = str(spec), self.threads, self._target, self.machine, self.compiler
                if key in records:
                    yield SpecReport(str(spec), known=True)
                    continue
                report, goal = self._goal(spec, made, self._times.get(number))
            except (GriotteError, MemoryError, RecursionError) as error:
                yield SpecReport(str(name)[:200], error=str(error) or type(error).__name__)
                continue
            records.add(goal)
            yield report

    def _goal(self, spec: Spec, made: dict[str, Any], found: dict[str, Any] | None) -> tuple[SpecReport, TimedGoal]:
        started = time.perf_counter()
        if found is None:  # or a line that was not written to its end
            raise GriotteError(f"expected times of {spec}, found none yet; run measure.py to its end")
        if isinstance(found.get("error"), str):
            raise GriotteError(
                f"expected times of {spec}, found that it failed there: {printable(found['error'])[:500]}"
            )
        programs, told = made.get("programs"), found.get("programs")
        if not isinstance(programs, list) or not isinstance(told, list) or not 0 < len(programs) <= MOST_PROGRAMS:
            raise self._wrong(f"no programs of {spec}", BATCH)
        if len(programs) != len(told) or not all(isinstance(each, dict) for each in (*programs, *told)):
            raise self._wrong(f"times of other programs of {spec}", TIMES)
        palettes = palettes_of(spec, self.seed)
        drafts = self._drafts(spec, programs, told)
        right = self._right(spec, palettes, made, told)
        kept = [n for n, each in enumerate(right) if each]
        if not kept:
            raise GriotteError(f"expected a program with the right result for {spec}, found none; please report it")
        load, at, seconds = (self._number(found.get(word), spec) for word in ("load", "at", "seconds"))
        timed = self._timed([told[n] for n in kept], spec, load, at, seconds)
        goal = TimedGoal(
            str(spec),
            operation(spec),
            self.threads,
            self._target,
            self.machine,
            self.compiler,
            load,
            at,
            seconds,
            on_record([drafts[n] for n in kept], timed, Session(self.target, self.threads)),
        )
        wrong = len(programs) - len(kept)
        return SpecReport(str(spec), len(kept), time.perf_counter() - started, seconds, load, wrong), goal

    def _drafts(self, spec: Spec, programs: list[Any], told: list[Any]) -> list[Draft]:
        """The programs, from their decisions."""
        space, drafts = SpecSpace(spec, self.target, self.threads), []
        for made, timed in zip(programs, told):
            source = self._text(made.get("source"), "source", BATCH)
            decisions = self._text(made.get("decisions"), "decisions", BATCH)
            try:
                root = space.rebuilt(decisions)
            except Misfit as why:
                raise self._wrong(f"a program of {spec} that is none ({why})", BATCH) from None
            draft = Draft(space.program(root), source, written(root))
            if sha256(unit_alone(draft.program).source.encode()).hexdigest() != timed.get("c"):
                raise GriotteError(
                    f"expected times of the C that decisions of {spec} lead to, found those of other C; prepare the"
                    " batch anew: another griotte made it, or it was changed"
                )
            drafts.append(draft)
        return drafts

    def _right(self, spec: Spec, palettes: list[np.ndarray], made: dict[str, Any], told: list[Any]) -> list[bool]:
        """Whether each program's results, as far as they were sent back, are right."""
        if digest_of(palettes) != made.get("data"):
            raise GriotteError(
                f"expected the data of {spec} that this griotte draws, found others; prepare the batch anew: another"
                " griotte made it"
            )
        arrays = filled(spec, palettes, self.seed)
        bounds, outputs = tolerance(spec, arrays, random=True), empty_outputs(spec)
        several, expected = (as_tuple(each) for each in (outputs, interpret(spec, *arrays)))
        for array, right in zip(several, expected):
            array[...] = right
        found = []
        for each in told:
            self._take(spec, several, each.get("results"))
            found.append(bool(compare(spec, arrays, outputs, bounds)[1]))
        return found

    def _take(self, spec: Spec, outputs: tuple[np.ndarray, ...], given: Any) -> None:
        """Put a sample of results where it was taken from."""
        if not isinstance(given, list) or len(given) != len(outputs):
            raise self._wrong(f"no results of {spec}", TIMES)
        for array, text in zip(outputs, given):
            places, flat = sampled(array.size, self.seed), in_memory(array)
            try:
                values = np.frombuffer(bytes.fromhex(text), array.dtype)
            except (ValueError, TypeError):
                values = np.empty(0, array.dtype)
            if len(values) != len(places):
                raise self._wrong(f"other results than were asked for of {spec}", TIMES)
            flat[places] = values

    def _timed(self, told: list[Any], spec: Spec, load: float, at: float, seconds: float) -> TimedLibraries:
        warm = tuple(Times(*self._several(each.get("warm"), 3, spec)) for each in told)
        cold = tuple(self._cold(each.get("cold"), spec) for each in told)
        if any(not 0 < time for each in warm for time in (each.low, each.median)):
            raise self._wrong(f"no times of {spec}", TIMES)
        return TimedLibraries((True,) * len(told), warm, cold, seconds, load, at)

    def _cold(self, found: Any, spec: Spec) -> tuple[float, float]:
        """nan where there are none: a CPU without an instruction for it."""
        if found is None:
            return nan, nan
        low, median = self._several(found, 2, spec)
        if not 0 < min(low, median):
            raise self._wrong(f"no times of {spec}", TIMES)
        return low, median

    # ---- what the files say ------------------------------------------------------------------------------------------

    def _read(self, name: str) -> bytes:
        path = self.folder / name
        try:
            if path.exists() and not path.is_file():
                raise self._wrong("no file", name)
            with open(path, "rb") as file:
                found = file.read(LARGEST + 1)
        except OSError as error:
            told = "; run measure.py there, and bring its folder back" if name == TIMES else ""
            raise GriotteError(
                f"expected a batch of griotte learn collect --prepare, found {error.strerror}: {path}{told}"
            ) from None
        if len(found) > LARGEST:
            raise self._wrong(f"more than {LARGEST >> 20} MiB", name)
        return found

    def _object(self, name: str, text: bytes) -> dict[str, Any]:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self._wrong("no JSON object", name)
        return found

    def _lines(self, text: bytes) -> list[dict[str, Any]]:
        try:
            found = read(text.decode())
        except (ValueError, RecursionError):
            found = []
        if not found or not all(isinstance(each, dict) for each in found):
            raise self._wrong("no lines of JSON objects", TIMES)
        return found

    def _counts(self, batch: dict[str, Any]) -> tuple[int, int]:
        threads, seed = batch.get("threads"), batch.get("seed")
        if (
            type(threads) is not int
            or not 0 < threads <= MOST_THREADS
            or type(seed) is not int
            or not 0 <= seed < 1 << 32
        ):
            raise self._wrong("no number of threads, or no seed", BATCH)
        return threads, seed

    def _machine(self, said: Any) -> str:
        match said:
            case {"cpuinfo": str(cpuinfo), "caches": [*caches], "cores": int(cores)} if (
                len(cpuinfo) <= LONGEST
                and 0 < cores <= 1 << 16
                and all(map(_is_cache, caches[:64]))
                and len(caches) <= 64
            ):
                return printable(in_a_line(described(cpuinfo, bytes_of_caches(caches), cores)))
        raise self._wrong("no machine", TIMES)

    def _text(self, found: Any, what: str, name: str) -> str:
        longest = LONGEST if what not in ("target", "decisions") else LONGEST << 4
        if not isinstance(found, str) or not 0 < len(found) <= longest:
            raise self._wrong(f"no text as {what}", name)
        return found

    def _number(self, found: Any, spec: Spec) -> float:
        if not isinstance(found, (int, float)) or isinstance(found, bool) or not 0 <= found <= SLOWEST:
            raise self._wrong(f"no number as a time of {spec}", TIMES)
        return float(found)

    def _several(self, found: Any, count: int, spec: Spec) -> list[float]:
        if not isinstance(found, list) or len(found) != count:
            raise self._wrong(f"no times of {spec}", TIMES)
        return [self._number(each, spec) for each in found]

    def _wrong(self, what: str, name: str) -> GriotteError:
        return GriotteError(
            f"expected a batch of griotte learn collect --prepare, found {what}: {self.folder / name}; prepare one anew"
        )


def _is_cache(found: Any) -> bool:
    return isinstance(found, list) and len(found) == 3 and all(isinstance(x, str) and len(x) <= 16 for x in found)
