"""A process that solves Specs for another: `python -m griotte.models.worker CPU`. Pickles come in and go out. What it
solves lies in the table that both name, so nothing is lost where it is stopped."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import GriotteError
from ..ir.spec import Spec
from ..learned.model import PerformanceModel
from ..search.memory import BoundError, beyond
from ..synthesis import searched
from ..targets.target import Target

ROOM = 1152 << 20
"""Bytes that a search may take, where no bound is given: two at once, and who asks, hold 3 GiB without weights."""


@dataclass(frozen=True)
class Settings:
    """What all Specs of a pool are solved with, as of `synthesize`. `memory`, where left out: `ROOM` for each search,
    and as much as it takes for one that does not fit. `model`: by whose order programs are taken;
    `tune` 1: whatever the table remembers of times."""

    target: Target
    threads: int
    table: Any
    memory: Any = None
    model: PerformanceModel | None = None
    tune: int | None = None


class Job(NamedTuple):
    """A Spec to be solved, and the effort of that; `as_one`: as one search or not at all."""

    spec: Spec
    effort: int
    as_one: bool = False


def run(settings: Settings, job: Job) -> Any:
    """The program of a Spec, or the error that there is none."""
    bounds = (beyond(ROOM), None) if settings.memory is None else (settings.memory,)
    for memory in bounds:
        try:
            return searched(
                job.spec,
                settings.target,
                settings.threads,
                settings.table,
                memory,
                settings.tune,
                job.effort,
                job.as_one,
                settings.model,
            )
        except BoundError as error:
            found: GriotteError = error
        except GriotteError as error:
            return error
    return found


def main() -> None:
    """Answer until the other side is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that asks ends this
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if hasattr(os, "sched_setaffinity"):
        cpus = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cpus[int(sys.argv[1]) % len(cpus)]})
    try:
        settings = pickle.load(source)
        while True:
            pickle.dump(run(settings, pickle.load(source)), sink, pickle.HIGHEST_PROTOCOL)
            sink.flush()
    except (EOFError, BrokenPipeError):
        pass


if __name__ == "__main__":
    main()
