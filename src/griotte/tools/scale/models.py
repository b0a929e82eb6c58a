"""A model's parts solved into one table: by processes of this machine, or by a Dask cluster that there is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...compiler.session import Session
from ...engine.table.merge import merge
from ...lang.calls.spec import Spec
from ...models.graph import ModelGraph
from ...models.pool import Answer, Pool
from ...models.program import ModelProgram
from ...models.solving import solve
from ...models.watching import Observer
from ...models.worker import Job, run
from ...support.errors import GriotteError
from ...support.folders import temporary_folder
from .cluster import connected
from .work import Token, placed, token


def fill_model(
    graph: ModelGraph,
    session: Session,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Observer | None = None,
) -> ModelProgram:
    """Solve a model's parts into the table of the session, made where there is none, on so many processes of this
    machine or on the cluster of a scheduler. Stopped at any moment, what was solved is in the table.

    Raises TableError where the file is no table, ToolchainError where there is no Dask, or no scheduler.
    """
    session = placed(session)
    if scheduler is None:
        return solve(graph, Pool(session, workers), progress)
    with connected(workers, scheduler) as client:
        return solve(graph, ClusterPool(session, client), progress)


class ClusterPool(Pool):
    """Solves Specs on the workers of a Dask client; what those solve that cannot open the table comes back."""

    def __init__(self, session: Session, client: Any):
        super().__init__(session, max(1, len(client.scheduler_info()["workers"])))
        self._client = client

    def solve(
        self, jobs: Iterable[Job], note: Callable[[Spec], None] = lambda spec: None
    ) -> Iterator[tuple[Job, Answer]]:
        from distributed import KilledWorker, as_completed

        table = self.session.table
        asked = {
            self._client.submit(solve_away, self.session, job, token(table), pure=False): job for job in list(jobs)
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


def solve_away(session: Session, job: Job, there: Token) -> tuple[Answer, bytes | None]:
    """The program of a job, or why there is none; and, from a machine that has not the table, one with it."""
    try:
        if token(session.table) == there:
            return run(session, job), None
    except OSError:
        pass
    with temporary_folder() as folder:
        own, whole = Path(folder) / "table.griotte", Path(folder) / "whole.griotte"
        answer = run(replace(session, table=str(own)), job)
        with closing(sqlite3.connect(own)) as db:
            db.execute("VACUUM INTO ?", (str(whole),))
        return answer, whole.read_bytes()


def _merge(path: Any, data: bytes) -> None:
    with temporary_folder() as folder:
        source = Path(folder) / "away.griotte"
        source.write_bytes(data)
        merge(path, [source])
