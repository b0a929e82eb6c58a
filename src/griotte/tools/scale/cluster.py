"""Dask's part: processes on this machine, or a cluster that there is. A goal is a task; one whose worker dies is given
to another, which goes on from what the first one kept."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from ...compiler.session import Session
from ...support.errors import ToolchainError
from .goals import Goal
from .work import Report, solve_away, token

CONNECT_S = 10


@contextmanager
def connected(workers: int, scheduler: str | None) -> Iterator:
    """A Dask client: of the scheduler at an address, else of `workers` processes made for it."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ToolchainError(
            "expected Dask for more than one worker, found none installed; pip install 'griotte[scale]', or leave out"
            " --workers and --scheduler"
        ) from None
    if scheduler is None:
        with (
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            ) as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = Client(scheduler, timeout=CONNECT_S)
    except (OSError, ValueError, TimeoutError) as error:
        raise ToolchainError(
            f"expected a Dask scheduler at {scheduler}, found none ({error}); start one with dask scheduler, or leave"
            " --scheduler out"
        ) from None
    with client:
        yield client


def on_cluster(client, goals: list[Goal], session: Session, cores: int | None = None) -> Iterator[Report]:
    """A report of each goal, as they are done."""
    from distributed import KilledWorker, as_completed

    there = token(session.table)
    futures = {client.submit(solve_away, goal, session, there, cores, pure=False): goal for goal in goals}
    for future in as_completed(futures):
        try:
            yield future.result()
        except KilledWorker:
            yield Report(
                futures[future],
                error=(
                    f"expected workers to live while they solve {futures[future].spec}, found several that died; use"
                    " fewer, or more memory"
                ),
            )
        future.release()
