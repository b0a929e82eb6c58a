"""A model as text: see `text.py`, which reads it back."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from ..ir.written import Written
from ..printable import printable
from .value import ModelValue

MOST_NUMBERS = 8  # of a constant that is written out
MOST_DIGITS = 12  # characters of each
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def text(inputs: Sequence[ModelValue], values: Sequence[ModelValue], results: Sequence[tuple[str, ModelValue]]) -> str:
    """A model as text."""
    given = {id(value) for value in inputs}
    heads = [*inputs, *(value for value in values if not value.call and id(value) not in given)]
    calls = [value for value in values if value.call]
    names = _names([*heads, *calls])
    lines = ["model(", *(_head(value, names[id(value)]) for value in heads), ") {"]
    lines += [_statement(value, names) for value in calls]
    told = (f"{_quoted(name)}=%{names[id(value)]}" for name, value in results)
    return "\n".join([*lines, f"  return {', '.join(told)}", "}"])


def _names(values: list[ModelValue]) -> dict[int, str]:
    """A name for each value, by its id: its own where that is plain and no other's."""
    times = Counter(value.name for value in values)
    fresh = (name for n in count() if (name := f"v{n}") not in times)
    own = lambda value: value.name if _PLAIN.fullmatch(value.name) and times[value.name] == 1 else ""
    return {id(value): own(value) or next(fresh) for value in values}


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
    if any(len(n) > MOST_DIGITS for n in numbers):
        return ""
    return numbers[0] if not array.ndim else f"({', '.join(numbers)}{',' * (len(numbers) == 1)})"


def _number(number: np.generic) -> str:
    """A number in the fewest digits that tell it; more than any that is written out where it is none."""
    exact = float(number)
    told = (f"{exact:.{digits}g}" for digits in range(1, MOST_DIGITS))
    read = lambda text: np.asarray(float(text)).astype(number.dtype)
    with np.errstate(over="ignore"):
        return next((text for text in told if math.isfinite(exact) and read(text) == number), "n" * (MOST_DIGITS + 1))


def _statement(value: ModelValue, names: Mapping[int, str]) -> str:
    """A call, as its Spec is written, over names."""
    written = value.spec.text
    assert isinstance(written, Written)
    said = [f"%{names[id(r)]}" if isinstance(r, ModelValue) else _real(r) for r in value.reads]
    plain, named = said[: len(said) - len(written.named)], said[len(said) - len(written.named) :]
    by_name = "".join(f", {key}={each}" for (key, _), each in zip(written.named, named))
    comment = f"   # {printable(value.origin)}" if value.origin else ""
    call = f"{written.name}({', '.join(plain)}{written.rest}{by_name}) -> {replace(value.type, name='')}"
    return f"  %{names[id(value)]} = {call}{comment}"


def _real(number: float) -> str:
    """A number of Python among the operands of a call."""
    return str(number) if isinstance(number, int) else repr(float(number))
