"""Goals solved into one table: here, by processes of this machine, or by an existing Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..cpus import usable
from ..folders import temporary_folder
from ..synthesis import bounded, open_store
from ..table.merge import merge
from .goals import Goal
from .work import Report, solve


def fill(
    path: str | os.PathLike[str],
    goals: Iterable[Goal],
    target,
    workers: int = 1,
    scheduler: str | None = None,
    memory: str | None = None,
) -> Iterator[Report]:
    """Solve the goals into the table `path`, made where there is none; a report each, as they are done. `memory` bounds
    each worker's search.

    Stopped at any moment, what was solved is in the table, but for the families at work: calling it again goes on from
    there. Raises TableError where the file is no table, ToolchainError where workers are wanted and Dask is not there.
    """
    path = str(Path(path).absolute())
    store = open_store(path, target)  # a file that is none is refused before workers start
    bounded(memory)  # and so is a bound that is none
    left = []
    for goal in goals:
        if (workers == 1 and scheduler is None) or store is None or store.remembers(goal.spec, goal.threads):
            yield solve(goal, target, path, memory=memory)
        else:
            left.append(goal)
    if not left:
        return
    from .cluster import connected, on_cluster

    with connected(workers, scheduler) as client:
        cores = None if scheduler else max(1, usable() // workers)
        for report in on_cluster(client, path, left, target, cores, memory):
            if report.data is not None:
                _merge(path, report.data)
            yield report


def _merge(path: str, data: bytes) -> None:
    with temporary_folder() as folder:
        source = Path(folder) / "away.griotte"
        source.write_bytes(data)
        merge(path, [source])
