"""The stages joined: Spec -> synthesize -> Program -> to_c -> compile -> Kernel."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from ..engine.rewrites.edge import DoesNotApply
from ..engine.search.division import Divided
from ..engine.search.work import Statistics
from ..lang.calls.spec import Spec, shortened
from ..lang.text.text import parse, spec_of
from ..machine import runnable
from ..machine.target import Target
from ..runtime.cache_size import wrote
from ..runtime.leaves import resolved
from ..support import floats, unforeseen
from ..support.errors import NoProgramError, SpecError
from .partition import Partition
from .programs import Program
from .programs.dynamic import DynamicProgram
from .programs.partitioned import NONE, PartitionedProgram, ProgramPart
from .session import NOTHING, SearchArguments, Session, require_asked, session_of
from .tuning import check, tuned

if TYPE_CHECKING:
    from ..engine.table.store import Store
    from ..engine.table.table import Table
    from ..runtime.kernel import Kernel
    from .partition import SolvedGroup


def synthesize(spec: Spec | Program | str | Sequence[Spec], **asked: Unpack[SearchArguments]) -> Program:
    """The program of least cost for a Spec, or a schedule with its holes filled. `griotte.synthesize`, which takes
    models as well, documents the arguments and errors."""
    if isinstance(spec, Program):
        return _filled(spec, asked)
    spec = spec_of(spec)
    return program_of(spec, session_of(**asked))


def compile(spec: Spec | Program | str | Sequence[Spec], **asked: Unpack[SearchArguments]) -> Kernel:
    """The kernel of a Spec or of a schedule: `synthesize`, then `Program.compile`."""
    if isinstance(spec, Program):
        denormals = asked.get("denormals", "keep")
        floats.require_denormals(denormals)
        return _filled(spec, asked).compile(denormals)
    session = session_of(**asked)
    runnable(session.target)
    return program_of(spec_of(spec), session).compile(session.denormals)


def _filled(schedule: Program, asked: SearchArguments) -> Program:
    """A schedule with its holes filled: its target, and what it promises of floats, are its own."""
    threads, math, own = asked.get("threads", 1), asked.get("math"), schedule.target
    require_asked(threads, asked.get("effort", 2))
    check(schedule, asked.get("tune"), asked.get("model"), asked.get("tune_seconds"))
    if (target := asked.get("target", "native")) != "native" and resolved(target, own.math) != own:
        raise SpecError(
            f"expected {own.name}, the target of the schedule, found {target}; give the target to griotte.schedule"
        )
    if math is not None and floats.require(math) != own.math:
        raise SpecError(f"expected {own.math}, the math of the schedule, found {math}; give it to griotte.schedule")
    return schedule.filled(threads, asked.get("table"), asked.get("memory"))


def program_of(spec: Spec, session: Session) -> Program:
    """The program of least cost for a Spec, or the one that its tuning takes. SpecError where the Spec is none to
    tune."""
    tuning = session.tuning
    if tuning != NOTHING:
        check(spec, *tuning)
    if tuning.is_timed:
        runnable(session.target)
    return searched(spec, session)


def searched(spec: Spec, session: Session, as_one: bool = False, beside: tuple[Spec, ...] = ()) -> Program:
    """`program_of` with a session that is checked. With `as_one` a Spec is one search; NoProgramError where it is more,
    or has no program as one. Of Specs `beside` that are searched alike the table knows the programs afterwards."""
    with reported(spec):
        session = session.of_call(spec)
        store = session.store
        try:
            found = Partition(spec, session, as_one, beside)
        except NoProgramError:
            if session.effort > 0:
                raise
            return searched(spec, replace(session, effort=1), as_one)  # the small space has none
    solved = [group.solved for group in found.groups if group.solved is not None]

    def again(other: Target) -> Program:
        return searched(spec, replace(session, target=other, tuning=NOTHING), as_one)

    statistics = Statistics.of_all(each.statistics for each in dict.fromkeys(solved))
    if statistics.specs_solved and session.effort > 0:  # what the small space has is in no table
        remember(spec, session.threads, store)
    stats = stats_of(statistics, *(part.table for each in dict.fromkeys(solved) for part in each.parts))
    if len(found.groups) == 1:
        program = _program(spec, found.groups[0], session, stats)
    else:
        program = _partitioned(spec, found, session, stats)
    return replace(program, _again=again)


def _program(spec: Spec, group: SolvedGroup, session: Session, stats: dict[str, Any]) -> Program:
    """The program of a Spec that one search covers."""
    solved, canonical, best = group.solved, group.canonical, group.best
    assert solved is not None and best is not None
    target, threads = session.target, session.threads
    if canonical.dynamic or isinstance(solved, Divided):
        return DynamicProgram(spec, canonical, best, target, threads, stats)
    return tuned(Program(spec, canonical, best, target, threads, stats, _search=solved), solved, session.tuning)


def _partitioned(spec: Spec, found: Partition, session: Session, stats: dict[str, Any]) -> Program:
    """The programs of a Spec that is cut; groups that are alike share one."""
    programs: dict[int, Program] = {}
    parts = []
    for group in found.groups:
        program = None
        if group.solved is not None:
            key = id(group.solved)
            if key not in programs:
                own = stats_of(group.solved.statistics, *(part.table for part in group.solved.parts))
                programs[key] = _program(group.spec, group, session, own)
            program = programs[key]
        parts.append(ProgramPart(group.steps, program))
    stats = {**stats, "parts": len(parts), "cuts": found.cuts}
    target, threads = session.target, session.threads
    return PartitionedProgram(spec, spec, NONE, target, threads, stats, parts=tuple(parts))


def reported(spec: Spec) -> AbstractContextManager[None]:
    """An error within griotte becomes a GriotteError of one line that names the Spec, and says how to go on."""
    return unforeseen.reported(lambda: f"a program for {shortened(spec, 400)}", also=(DoesNotApply,))


def remember(spec: Spec, threads: int, store: Store | None) -> None:
    """Note in a table which Spec was solved into it, where it has a text form."""
    try:
        if store is not None and parse(str(spec)) == spec:
            store.remember(str(spec), threads)
    except SpecError:
        pass


def stats_of(found: Statistics, *tables: Table) -> dict[str, Any]:
    """`Program.stats` from the statistics of a search and its tables, which one file keeps."""
    told = ("specs_solved", "specs_known", "families", "edges", "synthesis_s", "peak_rss_mb")
    stats: dict[str, Any] = {key: getattr(found, key) for key in told}
    rectangles, store = sum(table.rectangles for table in tables), tables[0].store
    stats |= {"rectangles": rectangles, "compression": sum(table.points for table in tables) / max(1, rectangles)}
    if store is None:
        return stats
    if kept := store.settle(found.specs_solved > 0):
        wrote(kept)
    return stats | {"table_bytes": store.file.bytes}
