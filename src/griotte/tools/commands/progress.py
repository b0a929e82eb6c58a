"""How far a model is, on a terminal: parts that are solved, the one in work, the time that is left, the memory held."""

from __future__ import annotations

import mmap
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...compiler.session import TablePath
from ...models.watching import Observer, Progress
from ...support.printable import printable
from .output import duration, echo, is_quiet, terminal

FEWEST = 3  # parts that are done before the time that is left is told


@contextmanager
def watched(table: TablePath) -> Iterator[Observer]:
    """An observer for the solving of a model. If a person stops it, a line names what stays, and the status is 130."""
    last = Progress(0, 0)

    def observe(progress: Progress) -> None:
        nonlocal last
        last = progress
        show(progress)

    try:
        with _bar() as show:
            yield observe
    except KeyboardInterrupt:
        echo(f"griotte: {stopped(last, table)}", err=True)
        sys.exit(130)


def stopped(progress: Progress, table: TablePath) -> str:
    """The line that is printed if a person stops it."""
    if table == "none":
        return f"stopped at {progress.done} of {progress.known} {progress.of}; without a table nothing is kept"
    return (
        f"stopped at {progress.done} of {progress.known} {progress.of}; what is solved is in the table: run it again to"
        " go on from there"
    )


@contextmanager
def _bar() -> Iterator[Observer]:
    """What shows progress: a line on standard error, nothing where that is no terminal."""
    if is_quiet():
        yield lambda progress: None
        return
    with terminal().line("reading") as say:
        started = time.monotonic()

        def show(progress: Progress) -> None:
            told = time.monotonic()
            say(lambda: progress_line(progress, told - started, time.monotonic() - told))

        yield show


def progress_line(progress: Progress, seconds: float, since: float = 0.0) -> str:
    """How far it is: `12 of 53 parts, 40 s left, 310 MiB: conv2d, relu (Conv_0)`. It is shown so many seconds after the
    beginning, and so many `since` then. Where nobody tells the time left, it is by the rate so far."""
    count = progress.known - progress.done
    left = progress.left
    if left is None and count and progress.done:
        left = seconds / progress.done * count
    is_told = left is not None and progress.done >= FEWEST and left > since
    rate = f", {duration(1e6 * (left - since))} left" if is_told and left is not None else ""
    held = f", {memory}" if (memory := _held()) else ""
    work = f": {printable(progress.working[0])}" if progress.working else ""
    return f"{progress.done} of {progress.known} {progress.of}{rate}{held}{work}"


def _held() -> str:
    """The memory of this process and of those that it started, as Linux tells it; "" elsewhere."""
    try:
        own = Path("/proc/self/task")
        ids = {word for task in own.iterdir() for word in (task / "children").read_text().split()}
        pages = sum(int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in ("self", *ids))
    except (OSError, ValueError, IndexError):
        return ""
    return f"{pages * mmap.PAGESIZE / 2**20:,.0f} MiB"
