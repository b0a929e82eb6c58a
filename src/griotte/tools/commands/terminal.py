"""What moves on a terminal while something takes its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.console import Console
from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TimeElapsedColumn
from rich.table import Column
from rich.text import Text


def spinner(text: str) -> AbstractContextManager[object]:
    """A spinner before a text."""
    return Console(stderr=True).status(text)


@contextmanager
def bar(total: int, text: str) -> Iterator[Callable[[], None]]:
    """A bar of so many steps; each call of what it gives is one."""
    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(text, total=total)
        yield lambda: shown.advance(task)


@contextmanager
def line(text: str) -> Iterator[Callable[[Callable[[], str]], None]]:
    """A spinner before a line, with the time; what it gives is called with what says how the line reads from now on,
    which is asked several times a second."""
    says: Callable[[], str] = lambda: text

    class SaidColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(says(), no_wrap=True, overflow="ellipsis")

    def say(said: Callable[[], str]) -> None:
        nonlocal says
        says = said
        shown.refresh()

    console, column = Console(stderr=True), SaidColumn(table_column=Column(no_wrap=True, overflow="ellipsis"))
    with Progress(SpinnerColumn(), TimeElapsedColumn(), column, console=console, transient=True) as shown:
        shown.add_task(text, total=None)
        yield say
