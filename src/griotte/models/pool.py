"""Specs solved in processes of their own, as many at once as there are CPUs, into one table."""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from ..compiler.partition import searched_as
from ..compiler.programs import Program
from ..compiler.session import Session
from ..engine.search.progress import SearchProgress
from ..lang.calls.spec import Spec, shortened
from ..support.cpus import usable
from ..support.errors import GriotteError, ToolchainError
from ..support.folders import base_dir
from ..support.memory import returned
from .worker import Job, run

HERE = 40  # jobs that the table remembers, at most, before processes are worth their start

Answer = Program | GriotteError

PATIENCE_S = 1.5  # of searches that are done here before a process is started: CPU seconds, as many as that takes


class Listening(Protocol):
    """An observer of searches, from several threads."""

    def began(self, spec: Spec) -> None:
        """One is in work."""

    def went_on(self, spec: Spec, progress: SearchProgress) -> None:
        """It is so far."""


class Nobody:
    """An observer that takes no note."""

    def began(self, spec: Spec) -> None: ...

    def went_on(self, spec: Spec, progress: SearchProgress) -> None: ...


NOBODY = Nobody()


class Pool:
    """Solves Specs: here where one at a time is all, else in `workers` processes, which start when they are needed."""

    def __init__(self, session: Session, workers: int | None = None):
        self.session, self.workers = session, workers or usable()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._ready: set[int] = set()  # processes that have said that they have started
        self._is_closed = False

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_closed = True
        for process in self._processes:
            process.kill()
            process.wait()
        self._processes = []

    def solve(self, jobs: Iterable[Job], told: Listening = NOBODY) -> Iterator[tuple[Job, Answer]]:
        """Each job with its program, or the error that there is none, as they are done; who is `told` hears of each
        that begins, and how far it is."""
        jobs = list(jobs)
        here, there = self._shared(jobs)
        until = time.process_time() + PATIENCE_S
        while there and not self._processes and (len(there) == 1 or time.process_time() < until):
            for job in there.pop(0):
                yield job, self._here(job, told)
        waiting: queue.SimpleQueue[list[Job]] = queue.SimpleQueue()
        done: queue.SimpleQueue[tuple[Job, Answer]] = queue.SimpleQueue()
        for group in there:
            waiting.put(group)
        self._start(min(self.workers, len(there)))
        for number in range(len(self._processes) if there else 0):
            threading.Thread(target=self._serve, args=(number, waiting, done, told), daemon=True).start()
        for job in here:
            yield job, self._here(job, told)
        for _ in range(sum(map(len, there))):
            yield done.get()

    def _here(self, job: Job, told: Listening) -> Answer:
        """What a process would answer: without the search, whose table would be held as long as the program is."""
        told.began(job.spec)
        with returned():
            found = run(self.session, job, partial(told.went_on, job.spec))
            return pickle.loads(pickle.dumps(found, pickle.HIGHEST_PROTOCOL))

    def _shared(self, jobs: list[Job]) -> tuple[list[Job], list[list[Job]]]:
        """The jobs that are done here, and groups of the others, each done by one process, job after job. All are done
        here where only one is done at a time. So are those that the table remembers, before a process has started."""
        if min(self.workers, len(jobs)) <= 1:
            return jobs, []
        on = {threads: replace(self.session, threads=threads) for threads in {job.threads for job in jobs}}
        here = [job for job in jobs if on[job.threads].remembers(job.spec)][:HERE]
        taken = set(map(id, here))
        there = [job for job in jobs if id(job) not in taken]
        groups = [[job] for job in there] if self.session.store is None else grouped(there)
        return (jobs, []) if len(groups) <= 1 else (here, groups)

    def _start(self, count: int) -> None:
        while len(self._processes) < count:
            self._processes.append(self._started(len(self._processes)))

    def _started(self, number: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"{__package__}.worker", str(number)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
        assert process.stdin is not None
        pickle.dump(self.session, process.stdin, pickle.HIGHEST_PROTOCOL)
        return process

    def _serve(self, number: int, waiting: Any, done: Any, told: Listening) -> None:
        """Give a process the waiting jobs, a group after the other, until there are none. A process that ends on the
        way is started anew for the rest of its group."""
        group: list[Job] = []
        while not self._is_closed:
            process = self._processes[number]
            assert process.stdin is not None and process.stdout is not None
            try:
                group = group or [*waiting.get_nowait()]
            except queue.Empty:
                return
            job = group.pop(0)
            try:
                if process.pid not in self._ready:
                    pickle.load(process.stdout)
                    self._ready.add(process.pid)
                told.began(job.spec)
                pickle.dump(job, process.stdin, pickle.HIGHEST_PROTOCOL)
                process.stdin.flush()
                while isinstance(answer := pickle.load(process.stdout), SearchProgress):
                    told.went_on(job.spec, answer)
                done.put((job, answer))
            except (OSError, EOFError, pickle.PickleError, ValueError) as error:
                if self._is_closed:
                    return
                process.kill()
                self._processes[number] = self._started(number)
                done.put((job, GriotteError(_ended(job.spec, process.wait(), error))))


def grouped(jobs: Iterable[Job]) -> list[list[Job]]:
    """Jobs, together where they are one search, or where one stands beside another: the table answers the second out of
    what it has of the first."""
    found: dict[Hashable, list[Job]] = {}
    beside: dict[Spec, Hashable] = {}  # what stands beside a job, by the name of that job's group
    for job in jobs:
        name = beside.get(job.spec) or (searched_as(job.spec), job.effort, job.threads, job.as_one)
        found.setdefault(name, []).append(job)
        for spec in job.beside:
            beside.setdefault(spec, name)
    return [*found.values()]


def environment() -> dict[str, str]:
    """That of a process which finds the same package and the same cache."""
    found = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with suppress(ToolchainError):  # where the cache cannot be written, this process has said so
        found["GRIOTTE_CACHE"] = str(base_dir())
    return found


def _ended(spec: Spec, status: int | None, error: Exception) -> str:
    return (
        f"expected a program for {shortened(spec, 400)}, found that the process which solved it ended"
        f" ({f'status {status}' if status is not None else type(error).__name__}); more memory, or memory=, may help"
    )
