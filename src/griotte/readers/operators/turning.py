"""Loops: a body for each of a known number of turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...support.errors import SpecError
from .array import Array, calls_of
from .calls import ArrayCalls, OverBound, TooLong
from .moving import picked, stacked

OneTurn = Callable[[list[Any], list[Any]], tuple[list[Any], list[Any]]]
"""What one turn gives, of what is carried and of its parts: what it carries on, and its rows."""


def turned(
    trips: int,
    carried: Sequence[Any],
    series: Sequence[tuple[Any, bool]],
    step: OneTurn,
    into: Sequence[bool] = (),
) -> list[Any]:
    """What is carried out of the last turn, then the rows of all turns along a new first axis. Each of `series` is
    taken apart along its first axis, from its end where that is said; of `into` the same of the rows."""
    calls = _calls(carried, series)
    if trips == 1:
        own = [_array(calls, x) for x, _ in series]
        then, rows = step([_array(calls, x) for x in carried], [x.reshape(x.shape[1:]) for x in own])
        return [*then, *(stacked([row], 0) for row in rows)]
    with calls.turning(trips) as loop:
        return _traced(calls, loop, carried, series, step, into)


def _calls(carried: Sequence[Any], series: Sequence[tuple[Any, bool]]) -> ArrayCalls:
    return calls_of(*carried, *(x for x, _ in series))


def _array(calls: ArrayCalls, x: Any) -> Array:
    return x if isinstance(x, Array) else Array(calls, x)


def _traced(calls: Any, loop, carried, series, step: OneTurn, into: Sequence[bool]) -> list[Any]:
    value = lambda x: _array(calls, x).value
    state = [Array(calls, loop.carried(value(x))) for x in carried]
    parts = [Array(calls, loop.each(value(x), backward)) for x, backward in series]
    then, rows = step(state, parts)
    values = [(value(row), backward) for row, backward in zip(rows, into or [False] * len(rows), strict=True)]
    found = loop.scan([value(x) for x in then], values, next(iter(calls.labels), ""), calls.name)
    return [Array(calls, each) for each in found]


def attempted(calls: Any, read: Callable[[], list[Any]]) -> list[Any] | None:
    """What is read as a loop; None, with nothing noted, where that does not go, or all of it is known."""
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
    step: OneTurn,
    into: Sequence[bool] = (),
) -> list[Any]:
    """The same, one turn after the other, of which each is calls of its own."""
    calls = _calls(carried, series)
    state, found = [_array(calls, x) for x in carried], []
    with calls.turning(trips):
        for turn in range(trips):
            place = lambda backward, turn=turn: trips - 1 - turn if backward else turn
            state, rows = step(state, [_part(_array(calls, x), place(backward)) for x, backward in series])
            found.append(rows)
    columns = [list(column) for column in zip(*found)]
    ways = into or [False] * len(columns)
    return [*state, *(stacked(column[::-1] if b else column, 0) for column, b in zip(columns, ways))]


def _part(x: Array, place: int) -> Array:
    return picked(x, 0, [place]).reshape(x.shape[1:])
