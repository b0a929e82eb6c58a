"""Dask's part: processes on this machine, or a cluster that there is. A job is a task; one whose worker dies is given
to another, which goes on from what the first one kept."""

from __future__ import annotations

import logging
import os
import socket
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ...compiler.session import Session
from ...engine.table.whole_files import merge
from ...support.errors import ToolchainError
from ...support.folders import temporary_folder

CONNECT_S = 10

Token = tuple[str, int, int]
T = TypeVar("T")


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


def answers(
    client: Any, solve: Callable[[T, Session], Any], jobs: Iterable[T], session: Session
) -> Iterator[tuple[T, Any]]:
    """Each job with what `solve` gives for it on a worker, as they are done; None where several workers died of it.
    What workers solve that cannot open the session's table is merged into it."""
    from distributed import KilledWorker, as_completed

    there = token(session.table)
    futures = {client.submit(solve_away, solve, job, session, there, pure=False): job for job in list(jobs)}
    for future in as_completed(futures):
        answer = None
        try:
            answer, data = future.result()
            if data is not None:
                _merge(session.table, data)
        except KilledWorker:
            pass
        future.release()
        yield futures[future], answer


def died(spec: object) -> str:
    """The error of a job that killed several workers."""
    return f"expected workers to live while they solve {spec}, found several that died; use fewer, or more memory"


def solve_away(solve: Callable[[T, Session], Any], job: T, session: Session, there: Token) -> tuple[Any, bytes | None]:
    """What `solve` gives for a job; and, from a machine that has not the table, one with what was solved."""
    try:
        if token(session.table) == there:
            return solve(job, session), None
    except OSError:
        pass
    with temporary_folder() as folder:
        own, whole = Path(folder) / "table.griotte", Path(folder) / "whole.griotte"
        answer = solve(job, replace(session, table=str(own)))
        with closing(sqlite3.connect(own)) as db:
            db.execute("VACUUM INTO ?", (str(whole),))
        return answer, whole.read_bytes()


def token(path: Any) -> Token:
    """The identity of a file, other than that of the same path on another machine: SQLite's log works on one machine
    alone."""
    try:
        machine = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        machine = socket.gethostname()
    found = os.stat(path)
    return machine, found.st_dev, found.st_ino


def placed(session: Session) -> Session:
    """A session by the whole path of its table. A file that is none, or a bound on memory, is refused now: before
    workers start."""
    session = replace(session, table=str(Path(session.table or "").absolute()))
    _ = session.store, session.costs
    return session


def _merge(path: Any, data: bytes) -> None:
    with temporary_folder() as folder:
        source = Path(folder) / "away.griotte"
        source.write_bytes(data)
        merge(path, [source])
