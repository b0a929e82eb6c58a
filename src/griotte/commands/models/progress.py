"""How far a model is, on a terminal: parts that are solved, the one in work, the time that is left, the memory held."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...models.watching import Observer, Progress
from ..output import echo

WORDS = 44  # of what is in work, at most


@contextmanager
def watched(as_json: bool, table: str | None) -> Iterator[Observer]:
    """An observer for the solving of a model. Where it is stopped, a line says what is kept, and the status is 130."""
    last = Progress(0, 0)

    def observe(progress: Progress) -> None:
        nonlocal last
        last = progress
        show(progress)

    try:
        with _bar(as_json) as show:
            yield observe
    except KeyboardInterrupt:
        echo(f"griotte: {stopped(last, table)}", err=True)
        sys.exit(130)


def stopped(progress: Progress, table: str | None) -> str:
    """What is said where a person stops it."""
    if table == "none":
        return f"stopped at {progress.done} of {progress.known} parts; without a table nothing is kept"
    return (
        f"stopped at {progress.done} of {progress.known} parts; what is solved is in the table: run it again to go on"
        " from there"
    )


@contextmanager
def _bar(as_json: bool) -> Iterator[Observer]:
    """What shows progress: a line on standard error, nothing where that is no terminal."""
    if as_json or not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("solving"),
        BarColumn(16),
        MofNCompleteColumn(),
        TextColumn("parts"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[memory]}"),
        TextColumn("{task.fields[work]}", markup=False),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("solving", total=None, memory="", work="")
        yield lambda progress: bar.update(
            task, completed=progress.done, total=progress.known, memory=_held(), work=_shortened(progress)
        )


def _shortened(progress: Progress) -> str:
    """What is in work, and how much beside it."""
    if not progress.working:
        return ""
    first, more = progress.working[0], len(progress.working) - 1
    text = first if len(first) <= WORDS else first[: WORDS - 2] + ".."
    return text + f" and {more} more" * (more > 0)


def _held() -> str:
    """The memory of this process and of those that it started, as Linux tells it; "" elsewhere."""
    try:
        own = Path("/proc/self/task")
        ids = {word for task in own.iterdir() for word in (task / "children").read_text().split()}
        pages = sum(int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in ("self", *ids))
    except (OSError, ValueError, IndexError):
        return ""
    return f"{pages * 4096 / 2**20:,.0f} MiB"
