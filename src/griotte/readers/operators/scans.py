"""Loops of a known number of iterations: a state that is carried on, series that are taken apart, rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...support.errors import SpecError
from .array import Array, calls_of
from .calls import OverBound, TooLong
from .moving import picked, stacked

ScanStep = Callable[[list[Any], list[Any]], tuple[list[Any], list[Any]]]
"""One iteration, of the state and of a part of each series: the next state, and the iteration's rows."""


def scanned(
    trips: int,
    carried: Sequence[Any],
    series: Sequence[tuple[Any, bool]],
    step: ScanStep,
    into: Sequence[bool] = (),
) -> list[Any]:
    """The last state, then the rows of all iterations along a new first axis. Each of `series` is taken apart along its
    first axis, from its end where its flag says so; `into` has the same flags for the rows."""
    calls = calls_of(*carried, *(x for x, _ in series))
    array = lambda x: x if isinstance(x, Array) else Array(calls, x)
    if trips == 1:
        then, rows = step([array(x) for x in carried], [array(x).reshape(x.shape[1:]) for x, _ in series])
        return [*then, *(stacked([row], 0) for row in rows)]
    with calls.looping(trips) as loop:
        state = [Array(calls, loop.carried(array(x).value)) for x in carried]
        parts = [Array(calls, loop.each(array(x).value, backward)) for x, backward in series]
        then, rows = step(state, parts)
        values = [(array(row).value, backward) for row, backward in zip(rows, into or [False] * len(rows), strict=True)]
        found = loop.scan([array(x).value for x in then], values, next(iter(calls.labels), ""), calls.name)
        return [Array(calls, each) for each in found]


def attempted(calls: Any, read: Callable[[], list[Any]]) -> list[Any] | None:
    """The results of `read`, a loop; None, with nothing noted, where that is not possible, or all of it is known."""
    reader = calls.reader
    refused, asked = len(reader.refused), set(reader.asked)
    try:
        found = read()
    except (OverBound, TooLong):
        raise
    except SpecError:
        found = None
    if found is not None and any(x.array is None for each in found for x in each.value.values if each.value.is_made):
        return found
    del reader.refused[refused:]
    reader.asked = asked
    return None


def unrolled(
    trips: int,
    carried: Sequence[Any],
    series: Sequence[tuple[Any, bool]],
    step: ScanStep,
    into: Sequence[bool] = (),
) -> list[Any]:
    """The same, each iteration as calls of its own."""
    calls = calls_of(*carried, *(x for x, _ in series))
    array = lambda x: x if isinstance(x, Array) else Array(calls, x)
    state, found = [array(x) for x in carried], []
    with calls.looping(trips):
        for n in range(trips):
            place = lambda backward, n=n: [trips - 1 - n if backward else n]
            parts = [picked(array(x), 0, place(backward)).reshape(x.shape[1:]) for x, backward in series]
            state, rows = step(state, parts)
            found.append(rows)
    columns = [list(column) for column in zip(*found)]
    ways = into or [False] * len(columns)
    return [*state, *(stacked(column[::-1] if b else column, 0) for column, b in zip(columns, ways))]
