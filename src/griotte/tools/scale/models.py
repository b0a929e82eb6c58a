"""A model's parts solved into one table: by processes of this machine, or by a Dask cluster that there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...compiler.session import Session
from ...models.graph import ModelGraph
from ...models.pool import NOBODY, Answer, Listening, Pool
from ...models.program import ModelProgram
from ...models.solving import solve
from ...models.watching import Observer
from ...models.worker import Job, run
from ...support.errors import GriotteError
from .cluster import answers, connected, died, placed


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

    def solve(self, jobs: Iterable[Job], told: Listening = NOBODY) -> Iterator[tuple[Job, Answer]]:
        for job, answer in answers(self._client, _run, jobs, self.session):
            yield job, GriotteError(died(job.spec)) if answer is None else answer


def _run(job: Job, session: Session) -> Answer:
    return run(session, job)
