"""The kernel of a model, as the verbs ask for it."""

from __future__ import annotations

from typing import Any

from ...models.compiling import compiled
from ...models.hosting import compiled_hosted
from ...models.timing import NOTHING, TimesAsked
from ...models.watching import Observer
from ...targets.target import Target
from .reading import ModelFile, refuse


def kernel_of(
    file: ModelFile,
    target: Target,
    threads: int,
    table: str | None,
    effort: int,
    host: str | None,
    observer: Observer,
    asked: TimesAsked = NOTHING,
) -> Any:
    """The kernel of a model, with `host` one that may need it: then nothing is asked of times."""
    if host is None:
        return compiled(file.graph, target, threads, table, effort, observer, timing=asked)
    refuse("a model with a host", tune=asked.runs, model=asked.model)
    return compiled_hosted(file.graph, target, threads, table, effort, host, observer)
