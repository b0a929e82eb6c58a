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
input, `return "out.0"=%v1` as an output; `return y=%v1, none=f32[2,0]` gives one without elements as well. The data of
constants is in the text where it is a few short numbers; a constant without data becomes an input that is marked as
constant.

A loop takes several lines. Its body sees no names but its own. They are values that it carries from turn to turn
(`next` says which go to the next one). Then each turn's part of a tensor, along its first axis (backward: the first
turn has the last), and values that are the same in all. It gives the values that its last turn carries on, then the
rows of all turns; `_` stands for a result that nothing reads:

      %last, %ys = scan(trips=10,
        carry %h: f32[8] = %h0,
        each %x: f32[8] = %xs backward,
        same %b: f32[8] = %bias,
      ) {
        %v0 = add(%h, mul(%x, %b)) -> f32[8]
        next %v0
        rows %v0 backward
      }
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, cast

import numpy as np

from ..lang.meaning.reference import empty
from ..lang.text.text import Opened, Parser
from ..lang.text.tokens import NAME, NUMBER
from ..lang.types.dtypes import DTYPES, as_scalar, convert, dtype
from ..lang.types.tensor import Empty, TensorType
from ..support.errors import SpecError
from .custom.arrays import KINDS as KINDS_OF_ARRAYS
from .custom.arrays import array_call
from .graph import GraphBuilder, ModelGraph, ModelValue
from .loops import ModelLoop
from .value import SCAN

_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|#[^\n]*')
_COLUMN = re.compile(r"at column (\d+)")
MOST_NESTED = 50  # loops within each other
KINDS = ("carry", "each", "same")  # of what a loop takes, in their order


def parse_graph(text: str) -> ModelGraph:
    """The model that a text is: `print(graph)` is one.

    Raises:
        SpecError: it is none; the message has the line and the column.

    Examples:
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
        self.depth = 0

    def excerpt(self) -> str:
        """The line around the token."""
        at = min(self.token.column - 1, len(self.text))
        start, end = self.text.rfind("\n", 0, at) + 1, self.text.find("\n", at)
        return repr(self.text[start : end if end >= 0 else len(self.text)].strip()[:120])

    def graph(self) -> ModelGraph:
        """The whole text."""
        self.expect("model", "'model('", "write model(%x: f32[8]) { .. return y=%x }")
        self.expect("(")
        for _ in self.separated(")", "separate inputs by a comma", trailing=True):
            self.head()
        self.expect("{", "'{' and calls", "write one call a line: %y = exp(%x)")
        self.statements()
        self.expect("return", "a call that has a name, or return", "write %y = exp(%x), and return y=%y at the end")
        found = dict(self.results())
        results = {name: each for name, each in found.items() if isinstance(each, ModelValue)}
        nothing = [
            replace(each, place=n, name=name) for n, (name, each) in enumerate(found.items()) if name not in results
        ]
        self.expect("", "the end of the model", "remove what follows it")
        return self.builder.graph(results, empty=nothing)

    def fresh(self) -> str:
        """The name of a value that is new."""
        self.expect("%", "a name like %x", "write % before it")
        if not NAME.match(self.token.text):
            raise self.error("a name after '%'", "write one like %x")
        if self.token.text in self.names:
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
            self.names[name] = self.builder.input(replace(type, name=own), own)
            return
        if not type.constant:
            self.at -= 1
            raise self.error("no data for what is not constant", f"write const {type}")
        known = self.builder.constant(self.located(at, lambda: self.data(type)), name)
        self.names[name] = known if type.dynamic is None else self.builder.known(replace(known, type=type))

    def data(self, type: TensorType) -> np.ndarray:
        """The numbers of a constant."""
        items = self.separated(")", "close the numbers", trailing=True) if self.accept("(") else range(1)
        numbers = [self.real() for _ in items]
        if len(numbers) != type.elements:
            raise SpecError(f"expected {type.elements} numbers for {type}, found {len(numbers)}")
        array = empty(type)
        wide: list[Any] = list(map(float, numbers))
        if dtype(type.dtype).kind in ("signed", "unsigned"):  # of which f64 does not hold every one
            wide = [as_scalar(int(n) if n == n // 1 else n, type.dtype, f"a constant of {type}") for n in numbers]
        array[...] = convert(np.reshape(np.asarray(wide), type.shape), type.dtype)
        return array

    def real(self) -> float:
        if not NUMBER.match(self.token.text):
            raise self.error("a number", "write one like 0.5")
        written = self.token.text
        number = self.number("a number")
        return number if number else float(written)  # -0 is no whole number

    def statements(self) -> None:
        """The lines of computed values."""
        while self.token.text in ("%", "_"):
            names = [self.result()]
            while self.accept(","):
                names.append(self.result())
            self.expect("=")
            if self.token.text == SCAN or self.token.text in KINDS_OF_ARRAYS:
                values = self.loop(names) if self.token.text == SCAN else self.array_call(names)
                self.names |= {name: value for name, value in zip(names, values) if name}
                continue
            if len(names) > 1 or not names[0]:
                raise self.error("scan", "give one call one name; a loop alone has several results")
            self.closed(self.opened(names[0]))

    def result(self) -> str:
        """The name of a result; "" of one that has none."""
        return "" if self.accept("_") else self.fresh()

    def array_call(self, names: list[str]) -> tuple[ModelValue, ...]:
        """What a call gives that is written as it is."""
        start, reads, given = self.take(), list[ModelValue](), dict[str, str | int]()
        self.expect("(")
        while not self.accept(")"):
            if reads:
                self.expect(",", "',' or ')'", "separate operands by a comma and close the call")
            if self.token.text == "%":
                reads.append(self.named())
                continue
            key = self.take().text
            self.expect("=", "a value like %x, or an attribute", "write how=add")
            given[key] = self.integer("a number") if NUMBER.match(self.token.text) else self.take().text
        types = [self.type()] if self.accept("->") else []
        while types and self.accept(","):
            types.append(self.type())

        def made() -> tuple[ModelValue, ...]:
            call = array_call(start.text, tuple(reads), **given)
            if len(call.types) != len(names) or types and tuple(types) != call.types:
                raise SpecError(
                    f"expected {', '.join(map(str, call.types))} of {call}, found {len(names)} names"
                    f" of {', '.join(map(str, types)) or 'no types'}; write those"
                )
            return self.builder.make(call, *reads, names=names)

        return self.located(start, made)

    def loop(self, names: list[str]) -> tuple[ModelValue, ...]:
        """What a loop gives."""
        start, outer, self.depth = self.take(), (self.builder, self.names), self.depth + 1
        if self.depth > MOST_NESTED:
            raise self.error(f"at most {MOST_NESTED} loops within each other", "write them side by side")
        self.builder, self.names = GraphBuilder(), {}
        for text in ("(", "trips", "="):
            self.expect(text, "scan(trips=..", "write scan(trips=10, carry %h: f32[8] = %h0) { .. }")
        trips, given = self.integer("how many turns"), [*self.operands(outer[1])]
        self.expect("{", "'{' and the body", "write one call a line: %y = exp(%x)")
        self.statements()
        then = self.turned("next")
        rows = self.turned("rows")
        self.expect("}", "next, rows or '}'", "close the body after what it gives")
        bare = [value for value in self.builder.inputs if value.type.constant]
        given += [("same", value, self.without_data(value, outer), False) for value in bare]
        given.sort(key=lambda each: KINDS.index(each[0]))
        self.builder.inputs = [own for _, own, _, _ in given]
        results = {f"then{n}": value for n, (value, _) in enumerate(then)}
        results |= {f"row{n}": value for n, (value, _) in enumerate(rows)}
        body = self.builder.graph(results)
        slices = tuple(backward for kind, _, _, backward in given if kind == "each")
        carried = sum(kind == "carry" for kind, *_ in given)
        self.builder, self.names, self.depth = *outer, self.depth - 1
        into = tuple(backward for _, backward in rows)

        def made() -> tuple[ModelValue, ...]:
            if len(results) != len(names):
                raise SpecError(f"expected {len(results)} names of what a loop gives, found {len(names)}; _ is none")
            loop = ModelLoop(body, trips, carried, slices, into)
            return self.builder.make(loop, *(read for _, _, read, _ in given), names=names)

        return self.located(start, made)

    def operands(self, outer: dict[str, ModelValue]) -> Iterator[tuple[str, ModelValue, ModelValue, bool]]:
        """What a loop takes: its kind, its value in the body and around it, and whether backward."""
        while not self.accept(")"):
            self.expect(",", "',' or ')'", "separate what it takes by a comma")
            if self.accept(")"):
                return
            if self.token.text == "%":
                self.head()
                if any(not value.type.constant for value in self.builder.inputs):
                    raise self.error(f"{', '.join(KINDS)} before what is no constant", "say how a turn takes it")
                continue
            if self.token.text not in KINDS:
                raise self.error(f"{', '.join(KINDS)} or a constant", "say how a turn takes it: carry %h: f32[8] = %h0")
            kind, name = self.take().text, self.fresh()
            self.expect(":", "':' and a type", f"write %{name}: f32[8] = %x")
            own = ModelValue(replace(self.type(), name=name), name)
            self.expect("=", "'=' and a value around the loop", f"write %{name}: f32[8] = %x")
            read = self.named(outer)
            self.names[name] = own
            yield kind, own, read, self.accept("backward")

    @staticmethod
    def without_data(value: ModelValue, outer: tuple[GraphBuilder, dict[str, ModelValue]]) -> ModelValue:
        """The input that a constant of a body is whose data is given later."""
        builder, values = outer
        taken = {*values, *(each.name for each in builder.inputs)}
        fresh = (name for n in count() if (name := f"{value.name}_{n}") not in taken)
        name = value.name if value.name not in taken else next(fresh)
        return builder.input(replace(value.type, name=name), name)

    def turned(self, word: str) -> list[tuple[ModelValue, bool]]:
        """What goes on to the next turn, or into rows."""
        found: list[tuple[ModelValue, bool]] = []
        if self.accept(word):
            while not found or self.accept(","):
                found.append((self.named(), word == "rows" and self.accept("backward")))
        return found

    def results(self) -> Iterator[tuple[str, Any]]:
        """The line of returned values."""
        for _ in self.separated("}", "close the model after what it returns", trailing=True):
            name = self.token.text
            if name.startswith('"'):
                name = json.loads(self.take().text)
                self.expect("=")
            elif NAME.match(name):
                self.take()
                self.expect("=")
            else:
                name = self.ahead
            yield name, self.nothing() if self.token.text in DTYPES else self.operand()

    def nothing(self) -> Empty:
        """A result without elements: its type."""
        start, dtype = self.token, self.take().text
        self.expect("[", "'[' and the sizes", f"write {dtype}[2,0]")
        shape = self.integers("]", "a size")
        if 0 not in shape or min(shape) < 0:
            self.at = self.tokens.index(start)
            raise self.error("a value like %x, or a type without elements", "give what is computed a name")
        return Empty(0, "", dtype, shape)

    def operand(self) -> Any:
        """A value that has a name, or the head of a call."""
        if self.token.text == "%" or self.token.text not in (*DTYPES, "const"):
            return super().operand()
        raise self.error("a value like %x", "give each tensor a name, and its type where the model begins")

    def named(self, values: dict[str, ModelValue] | None = None) -> Any:
        """A value that has a name, of these."""
        values = self.names if values is None else values
        self.expect("%")
        if self.token.text not in values:
            raise self.error("a name given before", "give it a type in model(..), or the call that computes it")
        return values[self.take().text]

    def made(self, call: Opened, dtype: str = "", layout: tuple[int, ...] = (), **told: Any) -> tuple[Any, TensorType]:
        """The value of a call; of its dtype and layout only what does not follow from the rest are attributes."""
        reads, given = cast(list[Any], call.operands), {**call.attributes, **told}
        make: Any = partial(self.builder.call, call.start.text, *reads, name=call.name, **given)
        value, more = None, dict[str, Any]()
        # neither a cast nor a quantize by a zero that is a number has a dtype of its own
        with suppress(SpecError, TypeError) if dtype else nullcontext():
            value = make()
        if value is None or dtype and value.type.dtype != dtype:
            more = {"dtype": dtype}
            value = make(**more)
        if layout and value.type.minor_to_major != layout:
            value = make(**more, layout=layout)
        return value, value.type
