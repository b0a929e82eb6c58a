"""A model as text: see `text.py`, which reads it back."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from ..lang.calls.written import Written
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
    return f"  %{name}{of_text}: {replace(value.type, name='')}{data and f' = {data}'},{comment}"


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
            yield _statement(value, names)
        elif value not in told:
            told.update(made[value])
            yield from _loop(made[value], names) if value.call == SCAN else _array_call(made[value], names)


def _array_call(values: Sequence[ModelValue], names: Mapping[ModelValue, str]) -> Iterator[str]:
    """A call that is written as it is."""
    call, reads = values[0].opaque, values[0].values
    given = [f"%{names[read]}" for read in reads] + [f"{key}={value}" for key, value in call.attributes]
    types = ", ".join(map(str, call.types))
    comment = f"   # {printable(values[0].origin)}" if values[0].origin else ""
    yield f"  {_given(values, names)} = {call.call}({', '.join(given)}) -> {types}{comment}"


def _given(values: Sequence[ModelValue], names: Mapping[ModelValue, str]) -> str:
    """The names of what an OpaqueOp gives, each with its place."""
    own = {value.number: f"%{names[value]}" for value in values}
    return ", ".join(own.get(n, "_") for n in range(len(values[0].opaque.types)))


def _loop(values: Sequence[ModelValue], names: Mapping[ModelValue, str]) -> Iterator[str]:
    """A loop: what it takes, its body, and what goes on from turn to turn and into rows."""
    loop, reads = values[0].opaque, values[0].values
    yield f"  {_given(values, names)} = scan(trips={loop.trips},"
    given, constants, own = _heads(loop.body)
    kinds = ["carry"] * loop.carried + ["each"] * len(loop.slices) + ["same"] * (len(given) - loop.own)
    ways = [False] * loop.carried + list(loop.slices) + [False] * (len(given) - loop.own)
    for kind, value, read, backward in zip(kinds, given, reads, ways):
        of = f"%{names[read]}{' backward' * backward}"
        yield f"    {kind} %{own[value]}: {replace(value.type, name='')} = {of},"
    yield from (f"  {_head(value, own[value])}" for value in constants)
    yield "  ) {"
    yield from (f"  {line}" for line in _statements(loop.body, own))
    then = [f"%{own[value]}" for _, value in loop.body.results]
    rows = [f"{row}{' backward' * backward}" for row, backward in zip(then[loop.carried :], loop.rows)]
    if loop.carried:
        yield f"    next {', '.join(then[: loop.carried])}"
    if rows:
        yield f"    rows {', '.join(rows)}"
    yield "  }" + (f"   # {printable(values[0].origin)}" if values[0].origin else "")


def _statement(value: ModelValue, names: Mapping[ModelValue, str]) -> str:
    """A call, as its Spec is written, over names."""
    written = value.spec.text
    assert isinstance(written, Written)
    said = [f"%{names[r]}" if isinstance(r, ModelValue) else _real(r) for r in value.reads]
    plain, named = said[: len(written.by_place)], said[len(said) - len(written.keys) :]  # attributes have the others
    by_name = "".join(f", {key}={each}" for key, each in zip(written.keys, named))
    comment = f"   # {printable(value.origin)}" if value.origin else ""
    call = f"{written.name}({', '.join(plain)}{written.attributes}{by_name}) -> {replace(value.type, name='')}"
    return f"  %{names[value]} = {call}{comment}"


def _real(number: float) -> str:
    """A number of Python among the operands of a call."""
    return str(number) if isinstance(number, int) else repr(float(number))
