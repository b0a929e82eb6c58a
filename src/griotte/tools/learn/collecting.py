"""Programs of many Specs timed into a file of records, one Spec after the other.

    Spec -> drafts -> each compiled as it would be alone, on all cores -> checked against the reference -> timed -> kept

Nothing is compiled while something is timed.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...codegen.emit import Unit, unit_of
from ...compiler.programs import Program, signature
from ...compiler.session import Session
from ...engine.learned.features import features
from ...engine.learned.tree import packed, trees
from ...lang.calls.spec import Spec
from ...lang.functions import FUNCTIONS
from ...lang.nests.operation import is_contraction
from ...machine import described
from ...machine.architectures import intrinsics_of
from ...machine.detect import fingerprint
from ...machine.target import Target
from ...runtime.compilers import OBJECT_FLAGS, find_compiler
from ...runtime.saved import Build, Library
from ...runtime.toolchain import compile_shared
from ...support.cpus import usable
from ...support.errors import GriotteError, NoProgramError
from ...support.folders import temporary_folder
from . import timing
from .drafts import MOST, Draft, Drafting
from .elsewhere.turns import Pace
from .records import Records, Timed, TimedGoal
from .timing import FULL, TimedLibraries


@dataclass(frozen=True)
class SpecReport:
    """What became of a Spec: its `programs` that were timed, in `seconds`; of these `timing`. `known`: it was there
    already; `wrong`: programs with a wrong result; `error`: why there are none."""

    spec: str
    programs: int = 0
    seconds: float = 0.0
    timing: float = 0.0
    load: float = 0.0
    wrong: int = 0
    known: bool = False
    error: str = ""


@dataclass(frozen=True)
class Collecting:
    """How programs are timed: at most so many of a Spec, drawn by a seed, at a pace. `apart`: in a process of their
    own. `networks`: by a Spec's text, the network that it is a part of."""

    most: int = MOST
    pace: Pace = FULL
    apart: bool = False
    seed: int = 0
    networks: Mapping[str, str] = field(default_factory=dict)

    def network(self, spec: Spec) -> str:
        """The network of a Spec; empty where it is of none."""
        return self.networks.get(str(spec), "")


def collect(
    specs: Iterable[Spec],
    session: Session,
    records: Records,
    until: float | None = None,
    how: Collecting = Collecting(),  # it is data
) -> Iterator[SpecReport]:
    """Time the programs of each Spec into `records`, with a report of each. No Spec is begun after `until` (seconds of
    `time.monotonic`). One whose search or whose C fails is reported, and the next one taken."""
    kept = described.text(session.target), fingerprint(), find_compiler().version
    with Compiling(session.target) as compiling, timing.TimingProcess() if how.apart else nullcontext(timing) as clock:
        for spec in specs:
            if until is not None and time.monotonic() > until:
                return
            key = str(spec), session.threads, *kept
            if key in records:
                yield SpecReport(str(spec), known=True)
                continue
            try:
                report, goal = _timed(spec, session, key, how, compiling, clock)
            except (GriotteError, MemoryError, RecursionError) as error:
                yield SpecReport(str(spec), error=str(error) or type(error).__name__)
                continue
            records.add(goal)
            yield report


def _timed(
    spec: Spec, session: Session, key: tuple, how: Collecting, compiling: Compiling, clock: Any
) -> tuple[SpecReport, TimedGoal]:
    started, threads, seed = time.perf_counter(), session.threads, how.seed
    drafts = Drafting(spec, session, seed, how.most).drafts()
    libraries = compiling.libraries([draft.program for draft in drafts])
    found = clock.measured(spec, libraries, threads, seed, how.pace)
    kept = [draft for draft, right in zip(drafts, found.right) if right]
    if not kept:
        raise NoProgramError(f"expected a program with the right result for {spec}, found none; please report it")
    programs = on_record(kept, found, session)
    text, _, of_target, machine, compiler = key
    seconds = time.perf_counter() - started
    goal = TimedGoal(
        *(text, operation(spec), threads, of_target, machine, compiler, found.load, found.at, seconds, programs),
        network=how.network(spec),
    )
    wrong = len(drafts) - len(kept)
    return SpecReport(text, len(kept), seconds, found.seconds, found.load, wrong), goal


def on_record(drafts: Sequence[Draft], found: TimedLibraries, session: Session) -> tuple[Timed, ...]:
    """Drafts with their features and trees, and what timing them found."""
    session = session.of_call(drafts[0].program.spec)
    roots = [draft.root for draft in drafts]
    rows, of_roots = features(roots, session.target, session.threads), map(packed, trees(roots, session.target))
    return tuple(
        Timed(
            *(draft.decisions, draft.source, row, draft.root.cost, warm.low, warm.median, *cold, warm.spread), tree=tree
        )
        for draft, row, tree, warm, cold in zip(drafts, rows, of_roots, found.warm, found.cold)
    )


def operation(spec: Spec) -> str:
    """The name that samples of a Spec are held out by: that of its call. Of several calls it is `graph:` and the name
    of the largest product, or else of the outermost call that is more than elementwise."""
    called = _CALL.findall(str(spec))
    if len(called) < 2:
        return called[0] if called else spec.operation.name
    products = [v.spec for v in spec.graph.calls if is_contraction(v.spec.operation)]
    name = max(products, key=lambda each: each.flops).operation.name if products else ""
    others = [call for call in called if call not in FUNCTIONS]
    return f"graph:{name if name in called else (others or called)[0]}"


_CALL = re.compile(r"([a-z_]\w*)\(")


NAME = "intrinsics.h"


def unit_alone(program: Program) -> Unit:
    """The C of a draft, compiled as it would be alone."""
    return unit_of(lambda writer: program.written(writer, program.function), program.target, str(program.spec))


class Compiling:
    """Compiles the drafts of a run, for one target, each as it would be alone.

    The header of intrinsics takes most of a small kernel's compilation. With gcc it is read once for all drafts of a
    run (a precompiled header); the machine code is the same to the byte.
    """

    def __init__(self, target: Target):
        self.target, self._header = target, intrinsics_of(target.features).header
        self._folder = temporary_folder()
        self._more = self._precompiled()

    def __enter__(self) -> Compiling:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def libraries(self, programs: Sequence[Program]) -> list[Library]:
        """The library of each program. ToolchainError where its C fails."""
        with ThreadPoolExecutor(usable()) as pool:
            return list(pool.map(self._library, programs))

    def _library(self, program: Program) -> Library:
        unit = unit_alone(program)
        build = Build(program.target.flags, self._more if f"<{self._header}>" in unit.source else ())
        path = compile_shared(unit.source, build.flags, extra_flags=build.more)
        told = {"spec": str(program.spec), "target": program.target.name, "threads": program.threads}
        takes = signature(program.spec, unit.function, unit.packs)
        metadata = {**told, "cost": program.cost}
        return Library(unit.source, unit.header, takes, path, program.target.features, metadata, build)

    def _precompiled(self) -> tuple[str, ...]:
        """Flags for a source that includes the header; none where there is no gcc, or it did not compile it."""
        compiler, folder = find_compiler(), Path(self._folder.name)
        if compiler.kind != "gcc" or not self._header:
            return ()
        (folder / NAME).write_text(f"#include <{self._header}>\n")
        flags = [flag for flag in compiler.flags(self.target.flags, OBJECT_FLAGS) if flag not in OBJECT_FLAGS]
        command = [*compiler.command, *flags, "-x", "c-header", NAME, "-o", f"{NAME}.gch"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        return ("-include", str(folder / NAME)) if done.returncode == 0 else ()
