"""Types and attributes in MLIR's text."""

from __future__ import annotations

import re
from typing import Any

from ...support.errors import SpecError
from ...support.printable import printable
from .constants import dense
from .node import Given
from .tokens import Lexer

ELEMENTS = {
    "i1": "pred",
    **{f"{of}{n}": f"{own}{n}" for of, own in (("i", "s"), ("ui", "u"), ("f", "f")) for n in (2, 4, 8, 16, 32, 64)},
    "bf16": "bf16",
    "f8E4M3FN": "f8e4m3fn",
    "f8E4M3FNUZ": "f8e4m3fnuz",
    "f8E5M2": "f8e5m2",
    "f8E5M2FNUZ": "f8e5m2fnuz",
    "f4E2M1FN": "f4e2m1fn",
}
"""The language's names of dtypes, by StableHLO's."""


class ValueParser(Lexer):
    """Reads types and values of attributes."""

    def type(self) -> Given:
        """`tensor<2x3xf32>`; of what is no tensor its name."""
        if self.kind != "tensor":
            name = self.take("word", "a type")
            if self.token == "<":
                self.value_in_angles()
            return Given(f"!{name}", ())
        line, text = self.here, self.advance()[len("tensor<") : -1]
        *sizes, element = text.partition(",")[0].strip().split("x") if "complex" not in text else [text]
        if not all(re.fullmatch(r"\d{1,18}", n) for n in sizes):
            raise SpecError(f"expected sizes that are numbers, found tensor<{printable(text[:60])}>, at line {line}")
        return Given(ELEMENTS.get(element, f"!{element}"), tuple(map(int, sizes)))

    def range(self) -> tuple[int, ...]:
        """`1:5:2`"""
        numbers = [int(self.take("number", "where a slice begins"))]
        while self.accept(":"):
            numbers.append(int(self.take("number", "where a slice ends")))
        if len(numbers) not in (2, 3):
            raise self.wrong("a slice, start:limit or start:limit:step")
        return tuple(numbers)

    def joined_values(self) -> Any:
        """A value; several with `x` and `->` between them are a tuple."""
        found = [self.value()]
        while (self.kind == "word" and self.token == "x") or (self.token == "->" and len(found) > 1):
            self.advance()
            found.append(self.value())
        return found[0] if len(found) == 1 else tuple(found)

    def value(self) -> Any:
        """An attribute's value."""
        with self.nested():
            if self.accept("["):
                return self.listed("]", self._typed)
            if self.token == "{":
                return self.dictionary()
            if self.kind == "number":
                return _number(self.advance())
            if self.kind in ("symbol", "name"):
                return self.advance()
            if self.kind == "string":
                return self.advance()[1:-1]
            if self.kind == "dense":
                return DenseText(self.advance(), self._type_behind())
            if self.kind == "tensor":
                return self.type()
            if self.kind == "word":
                word = self.advance()
                return self.value_in_angles() if self.token == "<" else {"true": True, "false": False}.get(word, word)
            raise self.wrong("a value")

    def _type_behind(self) -> Given | None:
        return self.type() if self.accept(":") else None

    def _typed(self) -> Any:
        """A value whose type may be told."""
        value = self.value()
        self._type_behind()
        return value

    def dictionary(self) -> dict[str, Any]:
        """`{key = value, ..}`"""
        self.expect("{")
        return dict(self.listed("}", self._entry))

    def _entry(self) -> tuple[str, Any]:
        key = self.advance() if self.kind in ("word", "string") else ""
        if not key:
            raise self.wrong("the name of an attribute")
        value = self.joined_values() if self.accept("=") else True
        self._type_behind()
        return key.strip('"'), value

    def value_in_angles(self) -> Any:
        """`<i64: 1, 2>`, `<precision DEFAULT>`, `<offset_dims = [0], ..>`, `<[b, 0, f]x[0, i, o]->[b, 0, f]>`."""
        self.expect("<")
        named: dict[str, Any] = {}
        found: list[Any] = []
        while not self.accept(">"):
            if self.accept(",") or self.accept(":") or self.accept("x") or self.accept("->"):
                continue
            value = self.value()
            if isinstance(value, str) and self.accept("="):
                named[value] = self.value()
            elif not (isinstance(value, str) and (value in ELEMENTS or self.accept(":"))):  # else the type of all
                found.append(value)
        return named or found


class DenseText:
    """A constant whose type is not told yet."""

    def __init__(self, text: str, type: Given | None) -> None:
        self.text, self.type = text, type


def made(value: Any, line: int) -> Any:
    """An attribute's value; of a constant the array."""
    return dense(value.text, value.type, line) if isinstance(value, DenseText) and value.type is not None else value


def _number(text: str) -> int | float:
    try:
        return int(text, 0)
    except ValueError:
        return float(text)
