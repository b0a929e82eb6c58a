"""The tokens of a text, and the grammar that Specs and models share: lists, numbers and types.

type := ["const"] dtype "[" [size ("," size)*] "]" ["{" [axis ("," axis)*] "}"]
size := number | "<=" number         known only up to a bound
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...support.errors import SpecError
from ..types.dtypes import DTYPES
from ..types.tensor import TensorType, dynamic_axes, row_major

_TOKEN = re.compile(
    r"\s*(?:(->|<=|[()\[\]{},:=%/])|([A-Za-z_]\w*)|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]inf\b)"
    r'|("(?:[^"\\\n]|\\.)*")|(\S))'
)
NAME = re.compile(r"[A-Za-z_]")
NUMBER = re.compile(r"[-+.\d]")
NOT_FINITE = ("inf", "nan")
MOST_DIGITS = 310  # of a whole number: f64 holds none that has more


@dataclass(frozen=True)
class TextToken:
    text: str
    column: int  # from 1


class Tokens:
    """Reads the tokens of a text from left to right; errors say what was expected, what was found, and the column."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = [TextToken(m.group(m.lastindex or 0), m.start(m.lastindex or 0) + 1) for m in _TOKEN.finditer(text)]
        self.tokens = [*found, TextToken("", len(text.rstrip()) + 1)]
        self.at = 0

    @property
    def token(self) -> TextToken:
        return self.tokens[self.at]

    @property
    def ahead(self) -> str:
        """The text of the token after that."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)].text

    def take(self) -> TextToken:
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, text: str) -> bool:
        if self.token.text != text:
            return False
        self.at += 1
        return True

    def expect(self, text: str, what: str = "", mend: str = "") -> None:
        if self.token.text != text:
            raise self.error(what or f"'{text}'", mend or f"write '{text}' there")
        self.at += bool(text)

    def error(self, expected: str, mend: str) -> SpecError:
        found = f"'{self.token.text}'" if self.token.text else "the end"
        return SpecError(
            f"expected {expected}, found {found} at column {self.token.column} of {self.excerpt()}; {mend}"
        )

    def excerpt(self) -> str:
        """The text, or of a long one what stands around the token."""
        if len(self.text) <= 120:
            return repr(self.text)
        start = max(0, self.token.column - 50)
        return f"'...{self.text[start : start + 80]}...'"

    def separated(self, close: str, mend: str, trailing: bool = False) -> Iterator[None]:
        """Once for each item up to `close`: commas stand between items and, where one may trail, behind the last."""
        is_first = True
        while not self.accept(close):
            if not is_first:
                self.expect(",", f"',' or '{close}'", mend)
                if trailing and self.accept(close):
                    return
            is_first = False
            yield

    def number(self, what: str) -> int | float:
        """A whole number of any size, or one with a point, an exponent, infinite or NaN."""
        if self.token.text in NOT_FINITE or re.fullmatch(
            r"[-+]?(\d+\.\d*|\.\d+|\d+(?=[eE])\d*|\d+[eE]|inf).*", self.token.text
        ):
            return float(self.take().text)
        return self.integer(what, MOST_DIGITS)

    def integer(self, what: str, digits: int = 18) -> int:
        if not re.fullmatch(rf"-?\d{{1,{digits}}}", self.token.text):
            raise self.error(what, f"write one of at most {digits} digits")
        return int(self.take().text)

    def type(self) -> TensorType:
        constant = self.accept("const")
        if self.token.text not in DTYPES:
            raise self.error(f"a dtype ({' '.join(DTYPES)})", "write a type like f32[8,8]")
        start, dtype = self.token, self.take().text
        self.expect("[", "'[' and the sizes", f"write {dtype}[8,8], or {dtype}[] for a scalar")
        bounds: list[int] = []
        shape = self.integers("]", "a size of 1 or more", bounds)
        layout = self.integers("}", "an axis") if self.accept("{") else row_major(len(shape))
        dynamic, tied = self.located(start, lambda: dynamic_axes(shape, bounds))
        return self.located(start, lambda: TensorType(dtype, shape, layout, constant, dynamic, tied=tied))

    def integers(self, close: str, what: str, bounds: list[int] | None = None) -> tuple[int, ...]:
        """Up to `close`; the places of those after "<=" are put into `bounds`, where that is given."""
        items: list[int] = []
        for _ in self.separated(close, f"close with '{close}'"):
            if bounds is not None and self.accept("<="):
                bounds.append(len(items))
            items.append(self.integer(what))
        return tuple(items)

    def located(self, start: TextToken, make):
        """make(), with the column in its error."""
        try:
            return make()
        except SpecError as error:
            if " at column " in str(error):
                raise
            raise SpecError(f"{error} (at column {start.column})") from None
