"""The stages joined: Spec -> synthesize -> Program -> to_c -> compile -> Kernel."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from . import floats, unforeseen
from .denormals import require
from .errors import SpecError, TableError, ToolchainError
from .frontends.given import spec_of
from .ir.spec import Spec, shortened
from .programs import Program
from .rewrites.edge import DoesNotApply
from .targets import runnable
from .targets.target import Target

if TYPE_CHECKING:
    from .learned.model import PerformanceModel
    from .learned.ranking import GivenModel
    from .partition import Partition, SolvedGroup
    from .runtime.kernel import Kernel
    from .search.memory import Memory
    from .search.statistics import Statistics
    from .table.store import Store
    from .table.table import Table


def synthesize(
    spec: Spec | Program | str | Sequence[Spec],
    target: str | Target = "native",
    threads: int = 1,
    table: str | os.PathLike[str] | None = None,
    memory: int | str | None = None,
    tune: int | None = None,
    effort: int = 2,
    model: GivenModel | None = None,
    math: str | None = None,
) -> Program:
    """The program of least cost for a Spec, found by search in a declared space. `griotte.synthesize`, which takes
    models as well, says what the arguments are, and what is raised."""
    from .partition import require_asked
    from .runtime.leaves import resolved

    require_asked(threads, effort)
    spec = spec if isinstance(spec, Program) else spec_of(spec)
    if tune is not None or model is not None:
        from .tuning import check

        check(tune, spec, model)
    if isinstance(spec, Program):
        if target != "native" and resolved(target, spec.target.math) != spec.target:
            raise SpecError(
                f"expected {spec.target.name}, the target of the schedule, found {target}; give the target to"
                " griotte.schedule"
            )
        if math is not None and floats.require(math) != spec.target.math:
            raise SpecError(
                f"expected {spec.target.math}, the math of the schedule, found {math}; give it to griotte.schedule"
            )
        return spec.filled(threads, table, memory)
    target = resolved(target, math)
    if tune is not None and tune > 1:
        runnable(target)
    return searched(spec, target, threads, table, memory, tune, effort, model=_read(model))


def _read(model: GivenModel | None) -> PerformanceModel | None:
    """The model that is named: its file is read when there is one."""
    if model is None:
        return None
    from .learned.ranking import model_of

    return model_of(model)


def searched(
    spec: Spec,
    target: Target,
    threads: int,
    table: str | os.PathLike[str] | None,
    memory: int | str | None,
    tune: int | None,
    effort: int,
    as_one: bool = False,
    model: PerformanceModel | None = None,
) -> Program:
    """What `synthesize` does with arguments that are checked; of a Spec that is to be one search and is none, or has
    no program as one, NoProgramError (`as_one`)."""
    from .partition import Partition
    from .search.statistics import Statistics

    store = open_store(table, target)
    with reported(spec):
        found = Partition(spec, target, threads, effort, store, bounded(memory), as_one)
    solved = [group.solved for group in found.groups if group.solved is not None]

    def again(other: Target) -> Program:
        return searched(spec, other, threads, table, memory, None, effort, as_one)

    statistics = Statistics.of_all(each.statistics for each in dict.fromkeys(solved))
    if statistics.specs_solved:
        remember(spec, threads, store)
    stats = stats_of(statistics, *(part.table for each in dict.fromkeys(solved) for part in each.parts))
    if len(found.groups) == 1:
        program = _program(spec, found.groups[0], target, threads, stats, tune, model)
    else:
        program = _partitioned(spec, found, target, threads, stats, tune, model)
    return replace(program, _again=again)


def _program(
    spec: Spec,
    group: SolvedGroup,
    target: Target,
    threads: int,
    stats: dict[str, Any],
    tune: int | None,
    model: PerformanceModel | None,
) -> Program:
    """The program of a Spec that one search covers."""
    from .search.division import Divided
    from .tuning import tuned

    solved, canonical, best = group.solved, group.canonical, group.best
    assert solved is not None and best is not None
    if canonical.dynamic or isinstance(solved, Divided):
        from .dynamic import DynamicProgram

        return DynamicProgram(spec, canonical, best, target, threads, stats)
    return tuned(Program(spec, canonical, best, target, threads, stats, _search=solved), solved, tune, model)


def _partitioned(
    spec: Spec,
    found: Partition,
    target: Target,
    threads: int,
    stats: dict[str, Any],
    tune: int | None,
    model: PerformanceModel | None,
) -> Program:
    """The programs of a Spec that is cut; groups alike have one."""
    from .partitioned import NONE, PartitionedProgram, ProgramPart

    programs: dict[int, Program] = {}
    parts = []
    for group in found.groups:
        program = None
        if group.solved is not None:
            key = id(group.solved)
            if key not in programs:
                own = stats_of(group.solved.statistics, *(part.table for part in group.solved.parts))
                programs[key] = _program(group.calls.spec, group, target, threads, own, tune, model)
            program = programs[key]
        parts.append(ProgramPart(group.calls, program))
    stats = {**stats, "parts": len(parts), "cuts": found.cuts}
    return PartitionedProgram(spec, spec, NONE, target, threads, stats, calls=found.calls, parts=tuple(parts))


def reported(spec: Spec) -> AbstractContextManager[None]:
    """What goes wrong within griotte becomes a GriotteError of one line that says of which Spec, and what to do."""
    return unforeseen.reported(lambda: f"a program for {shortened(spec, 400)}", also=(DoesNotApply,))


def remember(spec: Spec, threads: int, store: Store | None) -> None:
    """Note in a table which Spec was solved into it, where it has a text form."""
    from .frontends.text import parse

    try:
        if store is not None and parse(str(spec)) == spec:
            store.remember(str(spec), threads)
    except SpecError:
        pass


def bounded(memory: int | str | None) -> Memory:
    """The Memory of a `memory` argument: its scratch files lie in the cache."""
    from .search.memory import Memory, nbytes

    if memory is None:
        return Memory()
    from .folders import writable_dir

    return Memory(nbytes(memory), str(writable_dir("scratch")))


def open_store(table: str | os.PathLike[str] | None, target: Target) -> Store | None:
    """The Store that a `table` argument names: the user's own for None, no store for "none"."""
    if table == "none":
        return None
    from .folders import writable_dir
    from .runtime.cache_size import limit
    from .table.cached import CachedStore, Store

    if table is None:
        limit()  # a wrong one is told before there is work to lose
        try:
            return CachedStore(writable_dir("tables") / "default.griotte", target)
        except ToolchainError:  # nothing can be written, and that was told: it is solved in memory
            return None
    if not isinstance(table, (str, os.PathLike)):
        raise TableError(f"expected a path, None or 'none' as table, found {table!r}; name a file")
    return Store(table, target)


def stats_of(found: Statistics, *tables: Table) -> dict[str, Any]:
    """`Program.stats` from the statistics of a search and its tables, which one file keeps."""
    stats: dict[str, Any] = {
        key: getattr(found, key) for key in ("specs_solved", "specs_known", "families", "synthesis_s", "peak_rss_mb")
    }
    rectangles, store = sum(table.rectangles for table in tables), tables[0].store
    stats |= {"rectangles": rectangles, "compression": sum(table.points for table in tables) / max(1, rectangles)}
    if store is None:
        return stats
    if kept := store.settle(found.specs_solved > 0):
        from .runtime.cache_size import wrote

        wrote(kept)
    return stats | {"table_bytes": store.file.bytes}


def compile(
    spec: Spec | Program | str | Sequence[Spec],
    target: str | Target = "native",
    threads: int = 1,
    table: str | os.PathLike[str] | None = None,
    memory: int | str | None = None,
    tune: int | None = None,
    effort: int = 2,
    denormals: str = "keep",
    model: GivenModel | None = None,
    math: str | None = None,
) -> Kernel:
    """The kernel of a Spec: `synthesize`, then `Program.compile`. `griotte.compile`, which takes models as well, says
    what the arguments are, and what is raised."""
    if not isinstance(spec, Program):
        from .runtime.leaves import resolved

        target = runnable(resolved(target, math))
    require(denormals)
    return synthesize(spec, target, threads, table, memory, tune, effort, model, math).compile(denormals)
