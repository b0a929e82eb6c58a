"""A model's file as it is read: JSON text. Every part of it is checked before it is used. A part is asked for by its
key and what it may be. If it is anything else, a line says so, with the file, the key and what to do."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...support.errors import GriotteError
from ...support.printable import printable

LARGEST = 1 << 20
"""Bytes of a model's file, at most."""
_MEND = "name a file that griotte learn fit wrote, or fit the model anew"
_LONGEST = 1000  # characters of a text
_SHOWN = 40


class Section:
    """A table of the file, and where it is. Its methods raise GriotteError where a part is missing or not as told."""

    def __init__(self, path: Path, data: dict[str, Any], where: str = ""):
        self.path, self.data, self.where = path, data, where

    def part(self, key: str) -> Section:
        """The table of that name."""
        return Section(self.path, self._found(key, lambda v: isinstance(v, dict), "a table"), f"{self.where}{key}.")

    def items(self, most: int) -> list[str]:
        """The keys of the table, at most so many."""
        if len(self.data) > most:
            self.refuse(self.where.rstrip("."), f"a table of at most {most} keys", f"{len(self.data)}")
        return list(self.data)

    def number(self, key: str, least: float = -math.inf, most: float = math.inf) -> float:
        """A finite number from `least` to `most`."""
        kind = "a number" + (f" from {least:g} to {most:g}" if math.isfinite(most) else "")
        return float(self._found(key, lambda v: _is_number(v) and least <= v <= most, kind))

    def count(self, key: str, most: int) -> int:
        """A whole number from 0 to `most`."""
        return self._found(key, lambda v: type(v) is int and 0 <= v <= most, f"a whole number from 0 to {most}")

    def text(self, key: str) -> str:
        """A short text."""
        return self._found(key, _is_text, f"a text of at most {_LONGEST} characters")

    def texts(self, key: str, most: int) -> tuple[str, ...]:
        """A list of short texts."""
        kind = f"a list of at most {most} short texts"
        return tuple(self._found(key, lambda v: isinstance(v, list) and len(v) <= most and all(map(_is_text, v)), kind))

    def numbers(self, key: str, *shape: int, most: float = 1e300) -> NDArray[np.float64]:
        """A list of as many numbers, none larger than `most`, as an array of that shape."""
        return np.array(self._list(key, _is_number, math.prod(shape), -most, most, "numbers"), np.float64).reshape(
            shape
        )

    def counts(self, key: str, length: int, least: int, most: int) -> NDArray[np.int64]:
        """A list of so many whole numbers from `least` to `most`."""
        return np.array(self._list(key, lambda v: type(v) is int, length, least, most, "whole numbers"), np.int64)

    def length(self, key: str, most: int) -> int:
        """How long the list is, which must have one item or more, and at most so many."""
        return len(
            self._found(key, lambda v: isinstance(v, list) and 0 < len(v) <= most, f"a list of 1 to {most} items")
        )

    def refuse(self, key: str, expected: str, found: str) -> NoReturn:
        raise refusal(self.path, f"{expected} as {key}" if key else expected, found)

    # ---- within ------------------------------------------------------------------------------------------------------

    def _list(self, key: str, fits: Callable[[Any], bool], length: int, least: float, most: float, kind: str) -> list:
        return self._found(
            key,
            lambda v: isinstance(v, list) and len(v) == length and all(fits(x) and least <= x <= most for x in v),
            f"a list of {length} {kind} from {least:g} to {most:g}",
        )

    def _found(self, key: str, fits: Callable[[Any], bool], expected: str) -> Any:
        if key not in self.data:
            self.refuse(f"{self.where}{key}", expected, "none")
        value = self.data[key]
        if not fits(value):
            self.refuse(f"{self.where}{key}", expected, _short(value))
        return value


def read(path: str | Path) -> Section:
    """The file as a table. GriotteError where there is none, it is too large, or no JSON object."""
    path = Path(path)
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise refusal(path, "a performance model", getattr(error, "strerror", None) or str(error)) from None
    if len(content) > LARGEST:
        raise refusal(path, f"a performance model of at most {LARGEST} bytes", "more")
    try:
        data = json.loads(content, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise refusal(path, "a performance model as JSON text", str(error).partition("\n")[0]) from None
    if not isinstance(data, dict):
        raise refusal(path, "a performance model as a JSON object", _short(data))
    return Section(path, data)


def refusal(path: Path, expected: str, found: str) -> GriotteError:
    return GriotteError(f"expected {expected}, found {printable(found)} in {path}; {_MEND}")


def rounded(values: NDArray[np.float64], digits: int = 7) -> list[float]:
    """The numbers of an array, one after the other, to so many significant digits: what a file has of them."""
    return [float(f"{value:.{digits}g}") for value in np.ravel(values).tolist()]


def _refused(name: str) -> NoReturn:
    raise ValueError(f"the number {name}")


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 53 or type(value) is float and math.isfinite(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}.."
