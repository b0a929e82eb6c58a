"""A model as text: see `text.py`, which reads it back."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np

from ..support.printable import printable
from .value import SCAN, ModelValue

MOST_NUMBERS = 8  # of a constant that is written out
MOST_DIGITS = 12  # characters of each that is no whole number
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def text(graph: Any) -> str:
    """A ModelGraph as text."""
    given, constants, names = _heads(graph)
    lines = ["model(", *(_head(value, names[value]) for value in (*given, *constants)), ") {"]
    lines += _statements(graph, names)
    told = [f"{_quoted(name)}=%{names[value]}" for name, value in graph.results]
    for each in graph.empty:
        told.insert(each.place, f"{_quoted(each.name)}={each.dtype}[{','.join(map(str, each.shape))}]")
    return "\n".join([*lines, f"  return {', '.join(told)}", "}"])


def _heads(graph: Any) -> tuple[Sequence[ModelValue], Sequence[ModelValue], dict[ModelValue, str]]:
    """The inputs of a graph, its constants, and the names of all values."""
    given = set(graph.inputs)
    constants = [value for value in graph.values if not value.call and value not in given]
    return graph.inputs, constants, _names([*graph.inputs, *constants, *graph.calls])


def _names(values: list[ModelValue]) -> dict[ModelValue, str]:
    """A name for each value: its own where that is plain and no other's."""
    times = Counter(value.name for value in values)
    fresh = (name for n in count() if (name := f"v{n}") not in times)
    own = lambda value: value.name if _PLAIN.fullmatch(value.name) and times[value.name] == 1 else ""
    return {value: own(value) or next(fresh) for value in values}


def _quoted(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else json.dumps(name)


def _head(value: ModelValue, name: str) -> str:
    """An input or a constant."""
    of_text = f" {json.dumps(value.name)}" if value.array is None and value.name != name else ""
    data = _data(value.array)
    comment = f"   # {printable(value.name)}" if value.array is not None and value.name not in ("", name) else ""
    return f"  %{name}{of_text}: {value.type}{data and f' = {data}'},{comment}"


def _data(array: np.ndarray | None) -> str:
    """The numbers of a constant, where they are few and short; "" else."""
    if array is None or not 0 < array.size <= MOST_NUMBERS:
        return ""
    numbers = [_number(n) for n in array.reshape(-1)]
    if array.dtype.kind not in "iu" and any(len(n) > MOST_DIGITS for n in numbers):
        return ""
    return numbers[0] if not array.ndim else f"({', '.join(numbers)}{',' * (len(numbers) == 1)})"


def _number(number: np.generic) -> str:
    """A number in the fewest digits that tell it, a whole one in all of them; more than any that is written out where
    there is none."""
    if number.dtype.kind in "iu":
        return str(number)
    exact = float(number)
    told = (f"{exact:.{digits}g}" for digits in range(1, MOST_DIGITS))
    read = lambda text: np.asarray(float(text)).astype(number.dtype)
    with np.errstate(over="ignore"):
        return next((text for text in told if math.isfinite(exact) and read(text) == number), "n" * (MOST_DIGITS + 1))


def _statements(graph: Any, names: Mapping[ModelValue, str]) -> Iterator[str]:
    """The calls, one a line; a loop, with all that it gives, takes several."""
    made = {value: each for each in graph.made for value in each}
    told: set[ModelValue] = set()
    for value in graph.calls:
        if not value.is_made:
            yield _statement(value, f"%{names[value]}", str(value.type), names)
        elif value not in told:
            told.update(made[value])
            first, given = made[value][0], _given(made[value], names)
            if value.call == SCAN:
                yield from _loop(first, given, names)
            else:
                yield _statement(first, given, ", ".join(map(str, first.opaque.types)), names)


def _statement(value: ModelValue, given: str, types: str, names: Mapping[ModelValue, str]) -> str:
    """A call over names, and what it gives."""
    call = "".join(piece if isinstance(piece, str) else f"%{names[piece]}" for piece in value.pieces())
    return f"  {given} = {call} -> {types}{_comment(value)}"


def _comment(value: ModelValue) -> str:
    return f"   # {printable(value.origin)}" if value.origin else ""


def _given(values: Sequence[ModelValue], names: Mapping[ModelValue, str]) -> str:
    """The names of what an OpaqueOp gives, each with its place."""
    own = {value.number: f"%{names[value]}" for value in values}
    return ", ".join(own.get(n, "_") for n in range(len(values[0].opaque.types)))


def _loop(value: ModelValue, results: str, names: Mapping[ModelValue, str]) -> Iterator[str]:
    """A loop: what it takes, its body, and what goes on from turn to turn and into rows."""
    loop, reads = value.opaque, value.values
    yield f"  {results} = scan(trips={loop.trips},"
    given, constants, own = _heads(loop.body)
    kinds = ["carry"] * loop.carried + ["each"] * len(loop.slices) + ["same"] * (len(given) - loop.own)
    ways = [False] * loop.carried + list(loop.slices) + [False] * (len(given) - loop.own)
    for kind, each, read, backward in zip(kinds, given, reads, ways):
        yield f"    {kind} %{own[each]}: {each.type} = %{names[read]}{' backward' * backward},"
    yield from (f"  {_head(each, own[each])}" for each in constants)
    yield "  ) {"
    yield from (f"  {line}" for line in _statements(loop.body, own))
    then = [f"%{own[each]}" for _, each in loop.body.results]
    rows = [f"{row}{' backward' * backward}" for row, backward in zip(then[loop.carried :], loop.rows)]
    if loop.carried:
        yield f"    next {', '.join(then[: loop.carried])}"
    if rows:
        yield f"    rows {', '.join(rows)}"
    yield f"  }}{_comment(value)}"
