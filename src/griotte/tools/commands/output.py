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


def echo(text: str, err: bool = False) -> None:
    """Print a text of lines, each as a terminal may have it."""
    click.echo(re.sub(r"[^\n\t]+", lambda part: printable(part[0]), text), err=err)


def print_json(value: dict[str, Any]) -> None:
    click.echo(json.dumps(_plain(value), allow_nan=False))


def _plain(value: Any) -> Any:
    """JSON has no infinity or NaN: such keys are left out. NumPy numbers become Python's."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items() if not (isinstance(v, float) and not math.isfinite(v))}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value.item() if hasattr(value, "item") else value


def for_each(
    items: list[Any],
    one: Callable[[Any], dict[str, Any]],
    show: Callable[[Any, dict[str, Any]], None],
    as_json: bool,
    more: dict[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """`one` of every item: shown as it comes, or as JSON at the end. Of several, one that fails does not stop the rest:
    its result has `error`."""
    results = []
    for item in items:
        try:
            results.append(one(item))
        except GriotteError as error:
            if len(items) == 1:
                raise
            results.append({"spec": str(item), "error": str(error)})
        if as_json:
            continue
        if "ok" not in results[-1]:  # not even run
            echo(f"griotte: {printable(results[-1]['error'])}", err=True)
        else:
            show(item, results[-1])
    if as_json:
        print_json(results[0] if len(items) == 1 and not more else {"results": results, **(more or {})})
    return results


@contextlib.contextmanager
def status(text: str, as_json: bool) -> Iterator[None]:
    """A spinner on standard error while something takes its time; nothing where that is not a terminal."""
    if as_json or not sys.stderr.isatty():
        yield
        return
    with terminal().spinner(text):
        yield


@contextlib.contextmanager
def progress(total: int, text: str, as_json: bool) -> Iterator[Callable[[], None]]:
    """A bar on standard error, moved by each call of what it gives; nothing where that is not a terminal."""
    if as_json or total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    with terminal().bar(total, text) as advance:
        yield advance


def terminal() -> Any:
    """What moves there: loaded where there is one."""
    from . import terminal

    return terminal


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
