"""The model that a text is, one line for each value, as `print(graph)` gives it:

    model(
      %x: f32[1,3,48,192],
      %w: const f32[8,3,3,3],
      %half: const f32[] = 0.5,
    ) {
      %v0 = conv2d(%x, %w, stride=2, padding=1) -> f32[1,8,24,96]   # Conv_0
      %v1 = mul(%v0, %half) -> f32[1,8,24,96]
      return y=%v1
    }

Calls are written as in the text of a Spec. A name that is none (`input.1`) is quoted: `%v2 "input.1": f32[8]` as an
input, `return "out.0"=%v1` as an output. The data of constants is in the text where it is a few short numbers; a
constant without data becomes an input that is marked as constant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np

from ..errors import SpecError
from ..frontends.text import NAME, NUMBER, Opened, Parser
from ..ir.dtypes import DTYPES, convert
from ..ir.reference import empty
from ..ir.tensor import TensorType, stated
from .graph import GraphBuilder, ModelGraph, ModelValue

_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|#[^\n]*')
_COLUMN = re.compile(r"at column (\d+)")


def parse_graph(text: str) -> ModelGraph:
    """The model that a text is: `print(graph)` is one.

    Raises:
        SpecError: it is none; the message has the line and the column.

    Example:
        >>> graph = parse_graph("model(%x: f32[2,3]) { %e = exp(%x) return y=%e }")
        >>> [value.call for value in graph.calls]
        ['exp']
    """
    if not isinstance(text, str):
        raise SpecError(f"expected a model as text, found {type(text).__name__}; write one like model(..) {{ .. }}")
    blank = _COMMENT.sub(lambda m: m.group() if m.group(1) else " " * len(m.group()), text)
    try:
        return _GraphParser(blank).graph()
    except SpecError as error:
        raise SpecError(_COLUMN.sub(lambda m: _place(text, int(m.group(1))), str(error))) from None


def _place(text: str, column: int) -> str:
    before = text[: column - 1]
    return f"at line {before.count(chr(10)) + 1}, column {column - 1 - before.rfind(chr(10))}"


class _GraphParser(Parser):
    """Reads statements, whose operands are values of a graph."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.builder = GraphBuilder()
        self.values: dict[str, ModelValue] = {}

    def excerpt(self) -> str:
        """The line around the token."""
        at = min(self.token.column - 1, len(self.text))
        start, end = self.text.rfind("\n", 0, at) + 1, self.text.find("\n", at)
        return repr(self.text[start : end if end >= 0 else len(self.text)].strip()[:120])

    def graph(self) -> ModelGraph:
        """The whole text."""
        self.expect("model", "'model('", "write model(%x: f32[8]) { .. return y=%x }")
        self.expect("(")
        while not self.accept(")"):
            self.head()
            if not self.accept(","):
                self.expect(")", "',' or ')'", "separate inputs by a comma")
                break
        self.expect("{", "'{' and calls", "write one call a line: %y = exp(%x)")
        while self.token.text == "%":
            self.statement()
        self.expect("return", "a call that has a name, or return", "write %y = exp(%x), and return y=%y at the end")
        results = dict(self.results())
        self.expect("}", "',' or '}'", "close the model after what it returns")
        self.expect("", "the end of the model", "remove what follows it")
        return self.builder.graph(results)

    def fresh(self) -> str:
        """The name of a value that is new."""
        self.expect("%", "a name like %x", "write % before it")
        if not NAME.match(self.token.text):
            raise self.error("a name after '%'", "write one like %x")
        if self.token.text in self.values:
            raise self.error("each name to be given once", "write another")
        return self.take().text

    def head(self) -> None:
        """An input, or a constant."""
        name = self.fresh()
        own = json.loads(self.take().text) if self.token.text.startswith('"') else name
        self.expect(":", "':' and a type", f"write %{name}: f32[8]")
        at = self.token
        type = self.type()
        if not self.accept("="):
            self.values[name] = self.builder.input(replace(type, name=own), own)
            return
        if not type.constant:
            self.at -= 1
            raise self.error("no data for what is not constant", f"write const {type}")
        array = self.located(at, lambda: self.data(type))
        is_plain = type.dynamic is None
        known = self.builder.constant(array, name)
        self.values[name] = known if is_plain else self.builder.known(replace(known, type=type))

    def data(self, type: TensorType) -> np.ndarray:
        """The numbers of a constant."""
        numbers = [self.real()] if not self.accept("(") else [*self.reals()]
        if len(numbers) != type.elements:
            raise SpecError(f"expected {type.elements} numbers for {type}, found {len(numbers)}")
        array = empty(type)
        array[...] = convert(np.asarray(numbers, np.float64).reshape(type.shape), type.dtype)
        return array

    def reals(self) -> Iterator[float]:
        while not self.accept(")"):
            yield self.real()
            if not self.accept(","):
                self.expect(")", "',' or ')'", "close the numbers")
                return

    def real(self) -> float:
        if not NUMBER.match(self.token.text):
            raise self.error("a number", "write one like 0.5")
        written = self.token.text
        self.number("a number")
        return float(written)  # of -0 too

    def statement(self) -> None:
        """A value that is computed."""
        name = self.fresh()
        self.expect("=")
        value: Any = self.closed(self.opened(name))
        self.values[name] = value

    def results(self) -> Iterator[tuple[str, ModelValue]]:
        """What is returned."""
        while self.token.text != "}":
            name = self.token.text
            if name.startswith('"'):
                name = json.loads(self.take().text)
                self.expect("=")
            elif NAME.match(name):
                self.take()
                self.expect("=")
            else:
                name = self.tokens[min(self.at + 1, len(self.tokens) - 1)].text
            yield name, self.operand()
            if not self.accept(","):
                return

    def operand(self) -> Any:
        """A value that has a name, or the head of a call."""
        if self.token.text == "%" or self.token.text not in (*DTYPES, "const"):
            return super().operand()
        raise self.error("a value like %x", "give each tensor a name, and its type where the model begins")

    def named(self) -> Any:
        self.expect("%")
        if self.token.text not in self.values:
            raise self.error("a name given before", "give it a type in model(..), or the call that computes it")
        return self.values[self.take().text]

    def built(self, call: Opened) -> Any:
        """The value of one call that was read."""
        given: dict[str, Any] = dict(call.attributes)
        types = [_plain(read) for read in call.operands]
        spec = super().built(replace(call, operands=types, attributes={k: _plain(v) for k, v in given.items()}))
        if call.form.shaped:
            given["shape"] = stated(spec.output)
        dtype, layout = spec.output.dtype, spec.output.minor_to_major
        value = self.made(call, given) if self.tells_dtype(call, types, given) else None
        if value is None or value.type.dtype != dtype:
            value = self.made(call, given := given | {"dtype": dtype})
        return value if value.type.minor_to_major == layout else self.made(call, given | {"layout": layout})

    @staticmethod
    def tells_dtype(call: Opened, types: list[Any], attributes: dict[str, Any]) -> bool:
        """Whether a call gives a dtype that it is not told: a cast does not, and what is quantised to a number."""
        plain = {key: _plain(value) for key, value in attributes.items()}
        try:
            call.form.constructor(*types, **plain)
        except (SpecError, TypeError):
            return False
        return True

    def made(self, call: Opened, attributes: dict[str, Any]) -> ModelValue:
        name, reads = call.start.text, cast(list[Any], call.operands)
        value: Any = self.located(call.start, lambda: self.builder.call(name, *reads, name=call.name, **attributes))
        return value


def _plain(read: Any) -> Any:
    """What a call reads, as its Spec is made of."""
    return replace(read.type, name="") if isinstance(read, ModelValue) else read
