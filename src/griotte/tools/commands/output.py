"""What the verbs print: one JSON object, or text; progress on a terminal only."""

from __future__ import annotations

import contextlib
import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from ...support.errors import GriotteError, ToolchainError
from ...support.folders import write_atomically
from ...support.printable import printable

JSON = "griotte.json"
"""Where a call of the command line keeps whether it was asked for JSON (`click.Context.meta`)."""


def wants_json() -> bool:
    """Whether this call of the command line was asked for JSON."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(JSON))


def is_quiet() -> bool:
    """Whether nothing moves on standard error: JSON is asked for, or it is no terminal."""
    return wants_json() or not sys.stderr.isatty()


def echo(text: str, err: bool = False) -> None:
    """Print a text of lines, each as a terminal may have it."""
    click.echo(re.sub(r"[^\n\t]+", lambda part: printable(part[0]), text), err=err)


def print_json(value: dict[str, Any]) -> None:
    click.echo(json.dumps(_plain(value), allow_nan=False))


def show(found: dict[str, Any], text: str, complaints: list[str] | None = None) -> None:
    """Print what a verb found: as JSON where that is asked for, else as text, with complaints on standard error."""
    if wants_json():
        print_json(found)
        return
    complain(complaints or [])
    echo(text)


def _plain(value: Any) -> Any:
    """JSON has no infinity or NaN: such keys are left out. NumPy numbers become Python's."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items() if not (isinstance(v, float) and not math.isfinite(v))}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value.item() if hasattr(value, "item") else value


def for_each(
    items: list[Any], one: Callable[[Any], dict[str, Any]], show: Callable[[Any, dict[str, Any]], None]
) -> None:
    """`one` of every item: shown as it comes, or as JSON at the end; then the process ends. Of several, one that fails
    does not stop the rest: its result has `error`. The exit status is 2 where one failed, 1 where a result is wrong."""
    results = []
    for item in items:
        try:
            results.append(one(item))
        except GriotteError as error:
            if len(items) == 1:
                raise
            results.append({"spec": str(item), "error": str(error)})
        if wants_json():
            continue
        if "ok" not in results[-1]:  # not even run
            complain([results[-1]["error"]])
        else:
            show(item, results[-1])
    if wants_json():
        print_json(results[0] if len(items) == 1 else {"results": results})
    if any("ok" not in result for result in results):
        sys.exit(2)
    if not all(result["ok"] for result in results):
        sys.exit(1)


def complain(messages: list[str], most: int = 8) -> None:
    """A line each on standard error; after a few, how many more."""
    for message in messages[:most]:
        echo(f"griotte: {printable(message)}", err=True)
    if len(messages) > most:
        echo(f"griotte: and {len(messages) - most} more", err=True)


# ---- while something takes its time ----------------------------------------------------------------------------------


@contextlib.contextmanager
def status(text: str) -> Iterator[None]:
    """A spinner on standard error while something takes its time; nothing where that is not a terminal."""
    with contextlib.nullcontext() if is_quiet() else terminal().spinner(text):
        yield


@contextlib.contextmanager
def progress(total: int, text: str) -> Iterator[Callable[[], None]]:
    """A bar on standard error, moved by each call of what it gives; nothing where that is not a terminal."""
    if is_quiet() or total < 2:
        yield lambda: None
        return
    with terminal().bar(total, text) as advance:
        yield advance


def terminal() -> Any:
    """What moves there: loaded where there is one."""
    from . import terminal

    return terminal


# ---- files and numbers -----------------------------------------------------------------------------------------------


def store(path: Path, content: Any) -> str:
    """Write a file; its name."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise ToolchainError(
            f"expected to write {path}, found {error.strerror or error}; name a directory that can be written with -o"
        ) from None
    return str(path)


def duration(us: float) -> str:
    """Microseconds as a person reads them: 1.23 ms."""
    for unit, name in ((1e6, "s"), (1e3, "ms")):
        if us >= unit:
            return f"{us / unit:.3g} {name}"
    return f"{us:.3g} us"


def size(count: int) -> str:
    """Bytes as a person writes them: 48 KiB, 2 MiB."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} B"


def number(value: int) -> str:
    """34,623,123 as a person reads it: 34.6 M."""
    for unit, name in ((10**9, "G"), (10**6, "M"), (10**5, "k")):
        if value >= unit:
            return f"{value / min(unit, 10**3 if name == 'k' else unit):.3g} {name}"
    return f"{value:,}"


def many(value: int, one: str, several: str | None = None) -> str:
    """1 patch, 2 patches."""
    return f"{number(value)} {one if value == 1 else several or one + 's'}"
