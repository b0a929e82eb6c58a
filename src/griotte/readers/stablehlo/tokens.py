"""The tokens of MLIR's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ...support.errors import SpecError
from ...support.printable import printable

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
            found = TOKEN.match(self.text, self.end)
            if found is None:
                if self.end < len(self.text):
                    self.token = self.text[self.end : self.end + 20]
                    raise self.wrong("a token of MLIR")
                self.kind, self.token = "end", ""
                return before
            self.start, self.end = found.span()
            if found.lastgroup != "blank":
                self.kind, self.token = str(found.lastgroup), found.group()
                break
        return before

    @property
    def here(self) -> int:
        """The line of the token."""
        self.line += self.text.count("\n", self.counted, self.start)
        self.counted = self.start
        return self.line

    def wrong(self, expected: str) -> SpecError:
        found = printable(self.token[:40]) or "the end"
        return SpecError(
            f"expected {expected}, found {found!r}, at line {self.here} of StableHLO; write it as"
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
        """One level of what is within others; SpecError where they are too many."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise SpecError(
                f"expected at most {MOST_NESTED} regions and lists in each other, found more, at line {self.here}"
            )
        yield
        self.depth -= 1

    def listed(self, end: str, read: Callable[[], ListItem]) -> list[ListItem]:
        """Items up to an end, with commas between them."""
        found = []
        while not self.accept(end):
            found.append(read())
            self.accept(",")
        return found

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
