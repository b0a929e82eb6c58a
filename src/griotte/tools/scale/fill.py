"""Goals solved into one table: here, by processes of this machine, or by an existing Dask cluster."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ...compiler.session import Session
from ...compiler.synthesis import remember
from ...engine.canonical.canonical import canonical_form
from ...engine.search.division import solving
from ...engine.search.solve import Solver
from ...engine.search.work import Statistics
from ...lang.text.text import parse
from ...support.cpus import usable
from ...support.errors import GriotteError
from .cluster import answers, connected, died, placed
from .goals import Goal


@dataclass(frozen=True)
class Report:
    """What became of a goal."""

    goal: Goal
    seconds: float = 0.0
    families: int = 0
    specs_solved: int = 0
    specs_known: int = 0
    error: str | None = None

    @property
    def skipped(self) -> bool:
        """Whether the table had all of it."""
        return self.error is None and not self.families


def fill(goals: Iterable[Goal], session: Session, workers: int = 1, scheduler: str | None = None) -> Iterator[Report]:
    """Solve the goals, each for its own threads, into the table of the session, made where there is none; a report
    each, as they are done. The session's `memory` bounds each worker's search.

    Stopped at any moment, what was solved is in the table, but for the families at work: calling it again goes on from
    there. Raises TableError where the file is no table, ToolchainError where workers are wanted and Dask is not there.
    """
    session = placed(session)
    left = []
    for goal in goals:
        if (workers == 1 and scheduler is None) or _of(goal, session).remembers(parse(goal.spec)):
            yield solve(goal, session)
        else:
            left.append(goal)
    if not left:
        return
    with connected(workers, scheduler) as client:
        yield from on_cluster(client, left, session, None if scheduler else max(1, usable() // workers))


def on_cluster(client: Any, goals: list[Goal], session: Session, cores: int | None = None) -> Iterator[Report]:
    """A report of each goal, as they are done."""
    for goal, report in answers(client, partial(solve, cores=cores), goals, session):
        yield report or Report(goal, error=died(goal.spec))


def solve(goal: Goal, session: Session, cores: int | None = None) -> Report:
    """Make the session's table hold all that the goal leads to; with `cores` threads. What it holds is not solved
    again."""
    started = time.perf_counter()
    try:
        found = _solved(goal, _of(goal, session), cores)
    except GriotteError as error:
        return Report(goal, time.perf_counter() - started, error=str(error))
    return Report(goal, time.perf_counter() - started, found.families, found.specs_solved, found.specs_known)


def _of(goal: Goal, session: Session) -> Session:
    return session if session.threads == goal.threads else replace(session, threads=goal.threads)


def _solved(goal: Goal, session: Session, cores: int | None) -> Statistics:
    spec = parse(goal.spec)
    is_known, session = session.remembers(spec), session.of_call(spec)
    store = session.store
    solved = solving(canonical_form(spec), session.target, session.threads, store, session.costs)
    if is_known:
        solved.best  # noqa: B018 - solves what was lost, if anything was
        return solved.statistics
    found = [Solver(part.table, cores, session.costs).solve(part.start.goal) for part in solved.parts]
    solved.best  # noqa: B018 - over threads, the table remembers the grid
    remember(spec, goal.threads, store)
    return Statistics.of_all(found)
