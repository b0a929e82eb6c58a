"""A model's parts solved into one table: by processes of this machine, or by a Dask cluster that there is."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import GriotteError
from ..folders import temporary_folder
from ..ir.spec import Spec
from ..models.graph import ModelGraph
from ..models.pool import Answer, Pool
from ..models.program import ModelProgram
from ..models.solving import solve
from ..models.watching import Observer
from ..models.worker import Job, Settings, run
from ..synthesis import bounded, open_store
from ..table.merge import merge
from ..targets.target import Target
from .cluster import connected
from .work import Token, token


def fill_model(
    path: str | os.PathLike[str],
    graph: ModelGraph,
    target: Target,
    threads: int = 1,
    effort: int = 2,
    workers: int = 1,
    scheduler: str | None = None,
    memory: str | None = None,
    progress: Observer | None = None,
) -> ModelProgram:
    """Solve a model's parts into the table `path`, made where there is none, on so many processes of this machine or on
    the cluster of a scheduler. Stopped at any moment, what was solved is in the table.

    Raises TableError where the file is no table, ToolchainError where there is no Dask, or no scheduler.
    """
    path = str(Path(path).absolute())
    open_store(path, target)  # a file that is none is refused before workers start
    settings = Settings(target, threads, path, memory)
    bounded(memory)  # and so is a bound that is none
    if scheduler is None:
        return solve(graph, target, threads, path, effort, progress=progress, pool=Pool(settings, workers))
    with connected(workers, scheduler) as client:
        pool = ClusterPool(settings, client)
        return solve(graph, target, threads, path, effort, progress=progress, pool=pool)


class ClusterPool(Pool):
    """Solves Specs on the workers of a Dask client; what those solve that cannot open the table comes back."""

    def __init__(self, settings: Settings, client: Any):
        super().__init__(settings, max(1, len(client.scheduler_info()["workers"])))
        self._client = client

    def solve(
        self, jobs: Iterable[Job], note: Callable[[Spec], None] = lambda spec: None
    ) -> Iterator[tuple[Job, Answer]]:
        from distributed import KilledWorker, as_completed

        table = self.settings.table
        asked = {
            self._client.submit(solve_away, self.settings, job, token(table), pure=False): job for job in list(jobs)
        }
        for future in as_completed(asked):
            job = asked[future]
            try:
                answer, data = future.result()
                if data is not None:
                    _merge(table, data)
            except KilledWorker:
                answer = GriotteError(
                    f"expected workers to live while they solve {job.spec}, found several that died; use fewer, or more"
                    " memory"
                )
            future.release()
            yield job, answer


def solve_away(settings: Settings, job: Job, there: Token) -> tuple[Answer, bytes | None]:
    """The program of a job, or why there is none; and, from a machine that has not the table, one with it."""
    try:
        if token(settings.table) == there:
            return run(settings, job), None
    except OSError:
        pass
    with temporary_folder() as folder:
        own, whole = Path(folder) / "table.griotte", Path(folder) / "whole.griotte"
        answer = run(replace(settings, table=str(own)), job)
        with closing(sqlite3.connect(own)) as db:
            db.execute("VACUUM INTO ?", (str(whole),))
        return answer, whole.read_bytes()


def _merge(path: str, data: bytes) -> None:
    with temporary_folder() as folder:
        source = Path(folder) / "away.griotte"
        source.write_bytes(data)
        merge(path, [source])
