"""Goals solved into one table: here, by processes of this machine, or by an existing Dask cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...compiler.session import Session
from ...engine.table.merge import merge
from ...support.cpus import usable
from ...support.folders import temporary_folder
from .goals import Goal
from .work import Report, placed, solve


def fill(goals: Iterable[Goal], session: Session, workers: int = 1, scheduler: str | None = None) -> Iterator[Report]:
    """Solve the goals, each for its own threads, into the table of the session, made where there is none; a report
    each, as they are done. The session's `memory` bounds each worker's search.

    Stopped at any moment, what was solved is in the table, but for the families at work: calling it again goes on from
    there. Raises TableError where the file is no table, ToolchainError where workers are wanted and Dask is not there.
    """
    session = placed(session)
    store = session.store
    left = []
    for goal in goals:
        if (workers == 1 and scheduler is None) or store is None or store.remembers(goal.spec, goal.threads):
            yield solve(goal, session)
        else:
            left.append(goal)
    if not left:
        return
    from .cluster import connected, on_cluster

    with connected(workers, scheduler) as client:
        cores = None if scheduler else max(1, usable() // workers)
        for report in on_cluster(client, left, session, cores):
            if report.data is not None:
                _merge(session.table, report.data)
            yield report


def _merge(path: Any, data: bytes) -> None:
    with temporary_folder() as folder:
        source = Path(folder) / "away.griotte"
        source.write_bytes(data)
        merge(path, [source])
