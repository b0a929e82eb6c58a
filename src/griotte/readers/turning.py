"""What readers share of operators that run a body for each of a known number of turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import SpecError
from ..models.graph import ModelValue
from .moving import picked, reshaped, stacked
from .node import OverBound, TooLong

OneTurn = Callable[[list[Any], list[Any]], tuple[list[Any], list[Any]]]
"""What one turn gives, of what is carried and of its parts: what it carries on, and its rows."""


def turned(
    node,
    trips: int,
    carried: Sequence[Any],
    series: Sequence[tuple[Any, bool]],
    step: OneTurn,
    into: Sequence[bool] = (),
) -> list[Any]:
    """What is carried out of the last turn, then the rows of all turns along a new first axis. Each of `series` is
    taken apart along its first axis, from its end where that is said; of `into` the same of the rows."""
    if trips == 1:
        own = [reshaped(node, x, node.value(x).type.shape[1:]) for x, _ in series]
        then, rows = step(list(carried), own)
        return [*then, *(stacked(node, [row], 0) for row in rows)]
    with node.turning(trips) as loop:
        return _traced(node, loop, carried, series, step, into)


def _traced(node, loop, carried, series, step: OneTurn, into: Sequence[bool]) -> list[Any]:
    state = [loop.carried(node.value(x)) for x in carried]
    parts = [loop.each(node.value(x), backward) for x, backward in series]
    then, rows = step(state, parts)
    values = [(node.value(row), backward) for row, backward in zip(rows, into or [False] * len(rows), strict=True)]
    label = next(iter(node.labels), "")
    return list(loop.scan([node.value(x) for x in then], values, label, node.name))


def attempted(node, read: Callable[[], list[Any]]) -> list[Any] | None:
    """What is read as a loop; None, with nothing noted, where that does not go, or all of it is known."""
    reader = node.reader
    refused, asked = len(reader.refused), set(reader.asked)
    try:
        found = read()
    except (OverBound, TooLong):
        raise
    except (SpecError, ValueError, TypeError, IndexError):
        found = None
    if found is not None and any(x.array is None for value in found for x in value.values if value.is_made):
        return found
    del reader.refused[refused:]
    reader.asked = asked
    return None


def unrolled(
    node,
    trips: int,
    carried: Sequence[Any],
    series: Sequence[tuple[Any, bool]],
    step: OneTurn,
    into: Sequence[bool] = (),
) -> list[Any]:
    """The same, one turn after the other, of which each is calls of its own."""
    state, found = list(carried), []
    with node.turning(trips):
        for turn in range(trips):
            place = lambda backward, turn=turn: trips - 1 - turn if backward else turn
            state, rows = step(state, [_part(node, x, place(backward)) for x, backward in series])
            found.append(rows)
    columns = [list(column) for column in zip(*found)]
    ways = into or [False] * len(columns)
    return [*state, *(stacked(node, column[::-1] if b else column, 0) for column, b in zip(columns, ways))]


def _part(node, x: Any, place: int) -> ModelValue:
    x = node.value(x)
    return reshaped(node, picked(node, x, 0, [place]), x.type.shape[1:])
