"""A line of the table: what is measured, the bar it is held against, and how to measure it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Result:
    """`measured` as a person reads it; `ok` is None where no bar applies; `details` go into the JSON file."""

    measured: str
    ok: bool | None
    details: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """How a run was asked for: `quick` measures less often; `note` shows a line of progress."""

    quick: bool = False
    note: Callable[[str], None] = lambda text: None


@dataclass(frozen=True)
class Row:
    """`name` is for --only; an `on_request` row runs only when named."""

    name: str
    what: str
    bar: str
    measure: Callable[[Run], Result]
    on_request: bool = False
