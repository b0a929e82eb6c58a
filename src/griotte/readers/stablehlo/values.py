"""MLIR's text below its operations: tokens, types, values of attributes, constants."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from ...lang.types.dtypes import dtype as row
from ...support.errors import SpecError
from ...support.printable import printable
from .module import ArrayType

TOKEN = re.compile(
    r"(?P<blank>(?:\s+|//[^\n]*)+)"
    r"|(?P<name>%[\w$.\-]+(?:#\d+)?)"
    r'|(?P<symbol>@(?:[\w$.\-]+|"(?:[^"\\]|\\.)*"))'
    r'|(?P<tensor>tensor<(?:[^<>"]|<[^<>"]*>)*>)'
    r'|(?P<dense>dense<(?:"[^"]*"|[^<>"]*)>)'
    r'|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<number>-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?))"
    r"|(?P<word>[#!^]?[A-Za-z_][\w.$]*)"
    r"|(?P<mark>->|[()\[\]{}<>=,:?*])"
)
ListItem = TypeVar("ListItem")
MOST_NESTED = 64  # regions and lists within each other


class Lexer:
    """Goes through a text, token by token."""

    def __init__(self, text: str) -> None:
        self.text, self.start, self.end, self.line, self.counted = text, 0, 0, 1, 0
        self.kind, self.token, self.depth = "", "", 0
        self.advance()

    def advance(self) -> str:
        """Go on to the next token; the one before."""
        before = self.token
        while True:
            result = TOKEN.match(self.text, self.end)
            if result is None:
                if self.end < len(self.text):
                    self.token = self.text[self.end : self.end + 20]
                    raise self.wrong("a token of MLIR")
                self.kind, self.token = "end", ""
                return before
            self.start, self.end = result.span()
            if result.lastgroup != "blank":
                self.kind, self.token = str(result.lastgroup), result.group()
                break
        return before

    @property
    def here(self) -> int:
        """The line of the token."""
        self.line += self.text.count("\n", self.counted, self.start)
        self.counted = self.start
        return self.line

    def wrong(self, expected: str) -> SpecError:
        result = printable(self.token[:40]) or "the end"
        return SpecError(
            f"expected {expected}, found {result!r}, at line {self.here} of StableHLO; write it as"
            " jax.jit(f).lower(x).as_text() does"
        )

    def accept(self, token: str) -> bool:
        """Whether it is this one, which is then read."""
        if self.token != token or self.kind not in ("mark", "word"):
            return False
        self.advance()
        return True

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise self.wrong(repr(token))

    def take(self, kind: str, expected: str) -> str:
        if self.kind != kind:
            raise self.wrong(expected)
        return self.advance()

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One level of regions and lists within others; SpecError where they are too many."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise SpecError(
                f"expected at most {MOST_NESTED} regions and lists in each other, found more, at line {self.here}"
            )
        yield
        self.depth -= 1

    def listed(self, end: str, read: Callable[[], ListItem]) -> list[ListItem]:
        """Items up to an end, with commas between them."""
        result = []
        while not self.accept(end):
            result.append(read())
            self.accept(",")
        return result

    def place(self) -> None:
        """Leave out where it was written: `loc(..)`."""
        if not self.accept("loc"):
            return
        self.expect("(")
        depth = 1
        while depth:
            if self.kind == "end":
                raise self.wrong("')'")
            depth += (self.token == "(") - (self.token == ")") if self.kind == "mark" else 0
            self.advance()


# ---- constants -------------------------------------------------------------------------------------------------------

BRACKETS = str.maketrans("", "", "[] \n\t\r")
HEX = re.compile(r'"0x([0-9A-Fa-f]*)"')


def dense(text: str, type: ArrayType, line: int) -> np.ndarray:
    """The array of `dense<..>` of a type: numbers in brackets, one number for all, which is broadcast and takes no
    room, or the bytes of all as digits."""
    content, wanted = text.partition("<")[2][:-1].strip(), row(type.dtype).numpy
    count = int(np.prod(type.shape, dtype=np.int64))
    try:
        if result := HEX.fullmatch(content):
            flat = _of_bytes(bytes.fromhex(result[1]), wanted, count)
        else:
            words = content.translate(BRACKETS).split(",") if content.translate(BRACKETS) else []
            flat = _of_words(words, type.dtype, wanted)
    except (ValueError, OverflowError) as why:
        message = printable(str(why)[:80])
        raise SpecError(f"expected numbers of {type.dtype}, found {message}, at line {line}; write those") from None
    if flat.size == 1 and count != 1:
        return np.broadcast_to(flat.reshape([1] * len(type.shape)), type.shape)
    if flat.size != count:
        raise SpecError(
            f"expected {count:,} numbers of {type.dtype}{list(type.shape)}, or one for all, found {flat.size:,}, at"
            f" line {line}; write all of them"
        )
    return flat.reshape(type.shape)


def _of_bytes(data: bytes, wanted: np.dtype, count: int) -> np.ndarray:
    if wanted.kind == "b":
        bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
        return np.ones(1, bool) if data == b"\xff" and count != 8 else bits[:count].astype(bool)
    return np.frombuffer(data, wanted)


def _of_words(words: list[str], dtype: str, wanted: np.dtype) -> np.ndarray:
    """Numbers; `0x..` of a float is its bits."""
    if dtype == "pred":
        return np.array([_truth(word) for word in words], bool)
    if wanted.kind in "iu" or dtype in ("s4", "u4", "s2", "u2"):
        return np.array([int(word, 0) for word in words]).astype(wanted)
    if not any("x" in word for word in words):
        return np.array(words, np.float64).astype(wanted)
    return np.concatenate([_float(word, wanted) for word in words])


def _float(word: str, wanted: np.dtype) -> np.ndarray:
    if "x" not in word:
        return np.array([float(word)]).astype(wanted)
    return np.frombuffer(int(word, 16).to_bytes(wanted.itemsize, "little"), wanted)


def _truth(word: str) -> bool:
    if word not in ("true", "false", "0", "1"):
        raise ValueError(word)
    return word in ("true", "1")


# ---- types and attributes --------------------------------------------------------------------------------------------

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

    def type(self) -> ArrayType:
        """`tensor<2x3xf32>`; of another type its name."""
        if self.kind != "tensor":
            name = self.take("word", "a type")
            if self.token == "<":
                self.value_in_angles()
            return ArrayType(f"!{name}", ())
        line, text = self.here, self.advance()[len("tensor<") : -1]
        *sizes, element = text.partition(",")[0].strip().split("x") if "complex" not in text else [text]
        if not all(re.fullmatch(r"\d{1,18}", n) for n in sizes):
            raise SpecError(f"expected sizes that are numbers, found tensor<{printable(text[:60])}>, at line {line}")
        return ArrayType(ELEMENTS.get(element, f"!{element}"), tuple(map(int, sizes)))

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
        result = [self.value()]
        while (self.kind == "word" and self.token == "x") or (self.token == "->" and len(result) > 1):
            self.advance()
            result.append(self.value())
        return result[0] if len(result) == 1 else tuple(result)

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

    def _type_behind(self) -> ArrayType | None:
        return self.type() if self.accept(":") else None

    def _typed(self) -> Any:
        """A value, and its type where there is one."""
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
        result: list[Any] = []
        while not self.accept(">"):
            if self.accept(",") or self.accept(":") or self.accept("x") or self.accept("->"):
                continue
            value = self.value()
            if isinstance(value, str) and self.accept("="):
                named[value] = self.value()
            elif not (isinstance(value, str) and (value in ELEMENTS or self.accept(":"))):  # else the type of all
                result.append(value)
        return named or result


class DenseText:
    """A constant whose type may stand behind the operation."""

    def __init__(self, text: str, type: ArrayType | None) -> None:
        self.text, self.type = text, type


def made(value: Any, line: int) -> Any:
    """An attribute's value; of a constant the array."""
    return dense(value.text, value.type, line) if isinstance(value, DenseText) and value.type is not None else value


def _number(text: str) -> int | float:
    try:
        return int(text, 0)
    except ValueError:
        return float(text)
