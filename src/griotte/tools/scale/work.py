"""One goal solved into a table file: what a worker does."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...compiler.session import Session
from ...compiler.synthesis import remember
from ...engine.canonical.canonical import canonical_form
from ...engine.search.division import solving
from ...engine.search.solve import Solver
from ...engine.search.work import Statistics
from ...lang.text.text import parse
from ...support.errors import GriotteError
from ...support.folders import temporary_folder
from .goals import Goal

Token = tuple[str, int, int]


@dataclass(frozen=True)
class Report:
    """What became of a goal. `data` is a table file with it, where the worker could not open the one that it was to
    fill."""

    goal: Goal
    seconds: float = 0.0
    families: int = 0
    specs_solved: int = 0
    specs_known: int = 0
    error: str | None = None
    data: bytes | None = None

    @property
    def skipped(self) -> bool:
        """Whether the table had all of it."""
        return self.error is None and not self.families


def placed(session: Session) -> Session:
    """A session by the whole path of its table. A file that is none, or a bound on memory, is refused now: before
    workers start."""
    session = replace(session, table=str(Path(session.table or "").absolute()))
    _ = session.store, session.costs
    return session


def solve(goal: Goal, session: Session, cores: int | None = None) -> Report:
    """Make the session's table hold all that the goal leads to; with `cores` threads. What it holds is not solved
    again."""
    started = time.perf_counter()
    try:
        found = _solved(goal, replace(session, threads=goal.threads), cores)
    except GriotteError as error:
        return Report(goal, time.perf_counter() - started, error=str(error))
    return Report(goal, time.perf_counter() - started, found.families, found.specs_solved, found.specs_known)


def _solved(goal: Goal, session: Session, cores: int | None) -> Statistics:
    store, spec = session.store, parse(goal.spec)
    solved = solving(canonical_form(spec), session.target, session.threads, store, session.costs)
    if store is not None and store.remembers(goal.spec, goal.threads):
        solved.best  # noqa: B018 - solves what was lost, if anything was
        return solved.statistics
    found = [Solver(part.table, cores, session.costs).solve(*part.start.goals) for part in solved.parts]
    solved.best  # noqa: B018 - over threads, the table remembers the grid
    remember(spec, goal.threads, store)
    return Statistics.of_all(found)


def token(path: Any) -> Token:
    """What tells a file from one of the same path on another machine: SQLite's log works on one machine alone."""
    try:
        machine = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        machine = socket.gethostname()
    found = os.stat(path)
    return machine, found.st_dev, found.st_ino


def solve_away(goal: Goal, session: Session, there: Token, cores: int | None = None) -> Report:
    """`solve`, on a machine that may not have the file: then into a file of its own, which comes back with the
    report."""
    try:
        if token(session.table) == there:
            return solve(goal, session, cores)
    except OSError:
        pass
    with temporary_folder() as folder:
        own, whole = Path(folder) / "table.griotte", Path(folder) / "whole.griotte"
        report = solve(goal, replace(session, table=str(own)), cores)
        with closing(sqlite3.connect(own)) as db:
            db.execute("VACUUM INTO ?", (str(whole),))
        return Report(**{**vars(report), "data": whole.read_bytes()})
