"""A process that solves Specs for another: `python -m griotte.models.worker CPU`. Pickles come in and go out. What it
solves lies in the table that both name, so nothing is lost where it is stopped."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from dataclasses import replace
from typing import Any, NamedTuple

from ..compiler.session import Session
from ..compiler.synthesis import searched
from ..engine.search.progress import Listener, listening
from ..lang.calls.spec import Spec
from ..support.errors import GriotteError
from ..support.memory import BoundError, beyond, held, returned

ROOM = 1152 << 20
"""Bytes that a search may take, where no bound is given: two at once, and who asks, hold 3 GiB without weights."""
GROWN = 64 << 20
"""Bytes that a process grows by before what lies in cycles is looked for. A search leaves some hundred objects in such,
and to look for them takes as long as to go over all families that are kept for the next."""


class Job(NamedTuple):
    """A Spec to be solved for so many threads, and the effort of that; `as_one`: as one search or not at all. What
    stands `beside` it, searched alike, may be asked for next: the table knows it then."""

    spec: Spec
    effort: int
    threads: int
    as_one: bool = False
    beside: tuple[Spec, ...] = ()


def run(session: Session, job: Job, listener: Listener = lambda progress: None) -> Any:
    """The program of a Spec, or the error that there is none; the listener gets the progress of its searches. Where a
    session has no bound on memory there is `ROOM` for each search, and as much as it takes for one that does not
    fit."""
    with listening(listener):
        return _found(session, job)


def _found(session: Session, job: Job) -> Any:
    bounds = (beyond(ROOM), None) if session.memory is None else (session.memory,)
    for memory in bounds:
        try:
            asked = replace(session, effort=job.effort, threads=job.threads, memory=memory)
            return searched(job.spec, asked, job.as_one, job.beside)
        except BoundError as error:
            found: GriotteError = error
        except GriotteError as error:
            return error
    return found


def swept(size: int) -> int:
    """What a process held when it last looked for cycles, which was `size`: it does now where it grew by `GROWN`."""
    if held() - size <= GROWN:
        return size
    gc.collect()
    return held()


def main() -> None:
    """Answer until the other side is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that asks ends this
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")

    def tell(what: Any) -> None:
        pickle.dump(what, sink, pickle.HIGHEST_PROTOCOL)
        sink.flush()

    os.dup2(2, 1)
    if hasattr(os, "sched_setaffinity"):
        cpus = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cpus[int(sys.argv[1]) % len(cpus)]})
    try:
        session = pickle.load(source)
        tell(None)  # what it takes to start is no part of a search
        size = held()
        if size:  # where the system does not say, the collector comes by as it does
            gc.disable()
        while True:
            job = pickle.load(source)
            with returned():
                tell(run(session, job, tell))
            size = swept(size)
    except (EOFError, BrokenPipeError):
        pass


if __name__ == "__main__":
    main()
