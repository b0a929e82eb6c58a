"""Programs made ready to be timed: of each Spec one library of all its drafts, whose results were checked, and their
data. To make them takes nearly all of the time, and goes beside other work and on all cores. To time them compiles
nothing and searches nothing; it wants the machine to itself for a second or less a Spec.

    FOLDER/3f0a91c2.so      the drafts, functions of one unit
    FOLDER/3f0a91c2.npz     features and trees
    FOLDER/3f0a91c2.json    all else; written last: without it a Spec is not ready

Either can be stopped, and continues where it was. The folder is of one machine and one griotte; records outlive it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from hashlib import sha256
from math import nan
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from ...compiler.programs import signature
from ...compiler.session import Session
from ...engine.learned.features import VERSION, features
from ...engine.learned.tree import packed, trees
from ...lang.calls.spec import Spec
from ...lang.meaning.agreement import compare, tolerance
from ...lang.meaning.reference import empty_outputs
from ...lang.meaning.samples import timed_arrays
from ...lang.text.text import parse
from ...machine import described
from ...machine.detect import fingerprint
from ...runtime.compilers import find_compiler
from ...runtime.kernel import kernel_of
from ...runtime.saved import Library
from ...runtime.toolchain import ObjectFiles
from ...support.errors import GriotteError, NoProgramError, ToolchainError
from ...support.folders import write_atomically
from .collecting import Collecting, SpecReport, operation
from .drafts import Draft, Drafting
from .records import Records, Timed, TimedGoal
from .timing import OwnProcess, TimedLibraries, as_result, as_tuple, on_a_line, timed_cold, timed_warm

FORMAT = 1
USUAL = Collecting()
_NUMBERS = (
    "spec",
    "operation",
    "threads",
    "target",
    "machine",
    "compiler",
    "seconds",
    "programs",
    "wrong",
    "version",
    "network",
)


class _Packed(NamedTuple):
    """A constant that is packed: the operand, the function and its bytes, as `signature` takes them."""

    operand: int
    function: str
    bytes: int


# ---- made ------------------------------------------------------------------------------------------------------------


def make_ready(
    specs: Iterable[Spec],
    session: Session,
    folder: str | Path,
    workers: int,
    until: float | None = None,
    how: Collecting = USUAL,
) -> Iterator[SpecReport]:
    """Make the programs of each Spec ready, so many Specs at a time, each in a process of its own, with a report of
    each. No Spec is begun after `until` (seconds of `time.monotonic`)."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    told: SimpleQueue[SpecReport] = SimpleQueue()
    with ExitStack() as stack:
        free: SimpleQueue[OwnProcess] = SimpleQueue()
        for _ in range(workers):
            free.put(stack.enter_context(OwnProcess()))
        pool = stack.enter_context(ThreadPoolExecutor(workers))

        def one(spec: Spec) -> None:
            process = free.get()
            try:
                if begins():
                    told.put(process.run(_ready, spec, session, folder, how))
            except (GriotteError, MemoryError, RecursionError) as error:
                told.put(SpecReport(str(spec), error=str(error) or type(error).__name__))
            finally:
                free.put(process)

        begins = lambda: until is None or time.monotonic() <= until
        waiting: list[Future[None]] = []
        for spec in specs:
            if not begins():
                break
            waiting.append(pool.submit(one, spec))
            if len(waiting) > workers:  # one stands by
                waiting.pop(0).result()
            while not told.empty():
                yield told.get()
        for each in waiting:
            each.result()
        while not told.empty():
            yield told.get()


def _ready(spec: Spec, session: Session, folder: Path, how: Collecting) -> SpecReport:
    started = time.perf_counter()
    key = str(spec), session.threads, described.text(session.target), fingerprint(), find_compiler().version
    name = sha256(json.dumps(key).encode()).hexdigest()[:16]
    if (folder / f"{name}.json").exists():
        return SpecReport(str(spec), known=True)
    drafting = Drafting(spec, session, how.seed, how.most, sparing=True)
    drafts = drafting.drafts()
    library = folder / f"{name}.so"
    with ObjectFiles(session.target.flags) as compiling:
        content = compiling.linked([drafting.unit.source(str(spec))])
    if content is None:
        raise ToolchainError(
            f"expected C that the compiler takes for {spec}, found that it refused it; please report it"
        )
    write_atomically(library, content)
    libraries = [library_at(spec, library, *_called(draft)) for draft in drafts]
    right = _right(spec, libraries, how.seed)
    kept = [draft for draft, is_right in zip(drafts, right) if is_right]
    if not kept:
        raise NoProgramError(f"expected a program with the right result for {spec}, found none; please report it")
    roots = [draft.root for draft in kept]
    target = drafting.target
    found = [np.frombuffer(packed(tree), np.uint8) for tree in trees(roots, target)]
    arrays: dict[str, Any] = {
        "features": features(roots, target, session.threads),
        "trees": np.concatenate(found),
    }
    np.savez_compressed(folder / f"{name}.npz", sizes=np.array([len(each) for each in found]), **arrays)
    programs = [
        {"decisions": d.decisions, "source": d.source, "price": d.root.cost, "function": f, "packs": p}
        for d, (f, p) in zip(kept, map(_called, kept))
    ]
    seconds, wrong = time.perf_counter() - started, len(drafts) - len(kept)
    values = key[0], operation(spec), *key[1:], seconds, programs, wrong, VERSION, how.network(spec)
    told = {"format": FORMAT, "seed": how.seed, **dict(zip(_NUMBERS, values))}
    write_atomically(folder / f"{name}.json", json.dumps(told).encode())
    return SpecReport(str(spec), len(kept), seconds, wrong=wrong)


def _called(draft: Draft) -> tuple[str, list[list[Any]]]:
    """The function of a draft in the library, and the functions that pack for it."""
    assert draft.function is not None
    return draft.function.name, [[each.operand, each.function, each.bytes] for each in draft.function.packs]


def library_at(spec: Spec, path: Path, function: str, packs: Iterable[Sequence[Any]]) -> Library:
    """A function of a library that is there, with the functions that pack for it: operand, function and bytes of
    each."""
    packing: list[Any] = [_Packed(*each) for each in packs]
    takes = signature(spec, function, packing)
    return Library("", "", takes, path, frozenset(), {})


def _right(spec: Spec, libraries: Sequence[Library], seed: int) -> list[bool]:
    """Whether each gives a right result. A result that equals one before it is as right as that."""
    arrays, outs = _arrays(spec, seed)
    bounds, found = tolerance(spec, arrays, random=True), []
    known: list[tuple[list[np.ndarray], bool]] = []
    for library in libraries:
        for array in outs:
            array.fill(1)  # not the result of the one before
        result = kernel_of(library).bind(*arrays, out=_out(outs))()
        alike = next((right for one, right in known if all(map(_equal, one, outs))), None)
        if alike is None:
            alike = bool(compare(spec, arrays, result, bounds)[1])
            known.append(([array.copy() for array in outs], alike))
        found.append(alike)
    return found


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    return one.tobytes() == other.tobytes()


def _arrays(spec: Spec, seed: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    given = timed_arrays(spec, np.random.default_rng(seed))
    return list(map(on_a_line, given)), list(map(as_result, as_tuple(empty_outputs(spec))))


def _out(outs: list[np.ndarray]) -> Any:
    return tuple(outs) if len(outs) > 1 else outs[0]


# ---- timed -----------------------------------------------------------------------------------------------------------


def time_ready(
    folder: str | Path, records: Records, until: float | None = None, how: Collecting = USUAL
) -> Iterator[SpecReport]:
    """Time the Specs that are ready and not in the records, with a report of each Spec. None is begun after `until`."""
    with OwnProcess() as process:
        for path in sorted(Path(folder).glob("*.json")):
            if until is not None and time.monotonic() > until:
                return
            told = _read(path)
            text, threads, target, machine, compiler = (
                told[name] for name in ("spec", "threads", "target", "machine", "compiler")
            )
            if (text, threads, target, machine, compiler) in records:
                continue
            try:
                found = process.run(_timed, told, path.with_suffix(".so"), how)
            except (GriotteError, MemoryError) as error:
                yield SpecReport(text, error=str(error) or type(error).__name__)
                continue
            records.add(_goal(told, path.with_suffix(".npz"), found))
            yield SpecReport(text, len(found.warm), told["seconds"], found.seconds, found.load, told["wrong"])


def _timed(told: dict[str, Any], library: Path, how: Collecting) -> TimedLibraries:
    spec, threads = parse(told["spec"]), told["threads"]
    arrays, outs = _arrays(spec, told["seed"])
    load, at, started = os.getloadavg()[0], time.time(), time.perf_counter()
    runs = [
        kernel_of(library_at(spec, library, each["function"], each["packs"])).bind(*arrays, out=_out(outs))
        for each in told["programs"]
    ]
    warm = timed_warm(runs, threads, how.pace)
    cold = timed_cold(runs, threads, how.pace, [*arrays, *outs]) if how.pace.cold else [(nan, nan)] * len(runs)
    return TimedLibraries((True,) * len(runs), tuple(warm), tuple(cold), time.perf_counter() - started, load, at)


def _goal(told: dict[str, Any], path: Path, found: TimedLibraries) -> TimedGoal:
    with np.load(path) as arrays:
        rows, parts = arrays["features"], np.split(arrays["trees"], np.cumsum(arrays["sizes"])[:-1])
    programs = tuple(
        Timed(
            *(each["decisions"], each["source"], row, each["price"], warm.low, warm.median, *cold, warm.spread),
            told["version"],
            part.tobytes(),
        )
        for each, row, part, warm, cold in zip(told["programs"], rows, parts, found.warm, found.cold)
    )
    names = ("spec", "operation", "threads", "target", "machine", "compiler", "network")
    of_goal = {name: told[name] for name in names}
    return TimedGoal(**of_goal, load=found.load, at=found.at, seconds=told["seconds"], programs=programs)


def _read(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or told.get("format") != FORMAT or any(name not in told for name in _NUMBERS):
        raise GriotteError(
            f"expected a Spec that griotte learn collect --ready made, found another file: {path}; make it anew in a"
            " folder of its own"
        )
    return told
