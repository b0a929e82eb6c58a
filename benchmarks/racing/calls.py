"""Specs as text taken apart, for rivals that have no griotte: calls of calls, and what each rival's table makes of
them.

A *call* is a list [name, arguments, attributes], as JSON has it; an argument is another call, the number of an input
or, where the Spec has a number, [NUMBER, [], {"value": it}]. A call that is used again has its own name as a fourth
item, and is an argument by that name. A rival has one table, {name: function}, for all Specs: `function(call, table)`
is the Spec in its words. Nothing here needs more than Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

_TOKEN = re.compile(r"\s*(->|[()\[\]{},:=%]|[A-Za-z_]\w*|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
BYTES = {"f64": 8, "f32": 4, "bf16": 2, "f16": 2, "s32": 4, "s8": 1, "u8": 1, "s4": 0.5}
ROWS = ("sum", "max", "min", "mean")  # reductions
NUMBER = "number"
NORMS = ("layer_norm", "rms_norm", "group_norm")
POOLS = ("max_pool2d", "avg_pool2d")  # of whole windows
WEIGHTS = {"conv2d": 1, "qconv2d": 3}  # which argument of a convolution they are


class NoForm(Exception):
    """A call that a table has no function for."""


@dataclass(frozen=True)
class Input:
    dtype: str
    shape: tuple[int, ...]
    const: bool = False

    @property
    def bytes(self) -> int:
        return int(prod(self.shape) * BYTES[self.dtype])


def parse(text: str) -> tuple[list, tuple[Input, ...]]:
    """The call that a Spec's text is, and its inputs in the order in which they first appear; ValueError where it is
    none."""
    parser = _Parser(text)
    call = parser.call()
    if parser.tokens:
        raise ValueError(f"expected the end of {text!r}, found {parser.tokens[0]!r}")
    return call, tuple(parser.inputs)


class _Parser:
    """The part of griotte's text form that the race has: row-major tensors; result types of what gives a shape alone,
    as the attribute `shape`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _TOKEN.findall(text)
        if "".join(self.tokens) != re.sub(r"\s", "", text):
            raise ValueError(f"expected a Spec, found {text!r}")
        self.inputs: list[Input] = []
        self.names: dict[str, int | str] = {}

    def take(self, wanted: str = "") -> str:
        found = self.tokens.pop(0) if self.tokens else ""
        if not found or wanted and found != wanted:
            raise ValueError(f"expected {wanted or 'more'} in {self.text!r}, found {found or 'the end'}")
        return found

    def next(self, count: int = 0) -> str:
        return self.tokens[count] if len(self.tokens) > count else ""

    def call(self) -> list:
        name, args, attributes = self.take(), [], {}
        self.take("(")
        while self.next() != ")":
            if self.next(1) == "=":
                key = self.take()
                self.take("=")
                attributes[key] = self.value()
            else:
                args.append(self.argument())
            if self.next() != ")":
                self.take(",")
        self.take(")")
        if self.next() == "->":
            if name != "reshape":
                raise ValueError(f"expected no result type of {name} in {self.text!r}")
            self.take()
            attributes["shape"] = list(self.type()[1])
        return [name, args, attributes]

    def value(self) -> Any:
        word = self.take()
        if word == "(":
            values = [self.value()]
            while self.take() == ",":
                values.append(self.value())
            return values
        if word in ("true", "false"):
            return word == "true"
        return word if word[0].isalpha() else float(word) if re.search(r"[.eE]", word) else int(word)

    def argument(self) -> list | int | str:
        if self.next() == "%":
            self.take()
            name = self.take()
            if self.next() == ":":
                self.take()
                self.names[name] = self.input() if self.is_type() else f"v_{name}"
                return self.names[name] if self.is_input(name) else [*self.call(), f"v_{name}"]
            return self.names[name]
        if re.fullmatch(r"[-+]?\d+", self.next()):
            return [NUMBER, [], {"value": int(self.take())}]
        return self.input() if self.is_type() else self.call()

    def is_type(self) -> bool:
        return self.next(1) != "("

    def is_input(self, name: str) -> bool:
        return isinstance(self.names[name], int)

    def input(self) -> int:
        const = self.next() == "const" and bool(self.take())
        self.inputs.append(Input(*self.type(), const))
        return len(self.inputs) - 1

    def type(self) -> tuple[str, tuple[int, ...]]:
        dtype = self.take()
        self.take("[")
        shape = []
        while self.next() != "]":
            shape.append(int(self.take()))
            if self.next() != "]":
                self.take(",")
        self.take("]")
        return dtype, tuple(shape)


Argument = list | int | str


def walk(call: Argument):
    """Every call in it, what is computed first first."""
    if isinstance(call, list):
        for arg in call[1]:
            yield from walk(arg)
        yield call


def named(call: Argument) -> dict[str, list]:
    """The calls that have names."""
    return {found[3]: found for found in walk(call) if len(found) > 3}


def shape_of(call: Argument, inputs: tuple[Input, ...], names: dict[str, list] | None = None) -> tuple[int, ...]:
    """The shape of what a call gives."""
    if isinstance(call, int):
        return inputs[call].shape
    names = named(call) if names is None else names
    name, args, attributes = (names[call] if isinstance(call, str) else call)[:3]
    shapes = [shape_of(arg, inputs, names) for arg in args]
    if name == NUMBER:
        return ()
    if name == "reshape":
        return tuple(attributes["shape"])
    if name == "transpose":
        return tuple(shapes[0][axis] for axis in attributes["perm"])
    if name in POOLS:
        window, stride = attributes.get("window", 2), attributes.get("stride", 2)
        return (*shapes[0][:2], *((n - window) // stride + 1 for n in shapes[0][2:]))
    if name == "take":
        return (*shapes[1], *shapes[0][1:])
    if name in ("matmul", "linear"):
        return (*_broadcast(shapes[0][:-2], shapes[1][:-2]), shapes[0][-2], shapes[1][-1])
    if name == "attention":
        return (*shapes[0][:-1], shapes[2][-1])
    if name == "group_matmul":
        return (*shapes[0][:-1], shapes[1][0])
    if name in WEIGHTS:
        stride, padding, w = attributes.get("stride", 1), attributes.get("padding", 0), shapes[WEIGHTS[name]]
        return (shapes[0][0], w[0], *((n + 2 * padding - k) // stride + 1 for n, k in zip(shapes[0][2:], w[2:])))
    if name in ROWS:
        axis = attributes["axis"] % len(shapes[0])
        kept = shapes[0][:axis], shapes[0][axis + 1 :]
        return (*kept[0], *((1,) if attributes.get("keepdims") else ()), *kept[1])
    return shapes[0] if name in NORMS else _broadcast(*shapes)


def _broadcast(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    rank = max(map(len, shapes))
    return tuple(max(sizes) for sizes in zip(*((1,) * (rank - len(s)) + s for s in shapes)))


def flops(call: list, inputs: tuple[Input, ...]) -> float:
    """Of its products: two for each multiplication and addition; of a call without a product 0."""
    found, names = 0.0, named(call)
    for name, args, attributes, *_ in walk(call):
        shapes = [shape_of(arg, inputs, names) for arg in args]
        if name in ("matmul", "linear"):
            found += 2.0 * prod(shape_of([name, args, {}], inputs, names)) * shapes[0][-1]
        if name == "group_matmul":
            found += 2.0 * prod(shapes[0]) * shapes[1][0]
        if name in WEIGHTS:
            found += 2.0 * prod(shape_of([name, args, attributes], inputs, names)) * prod(shapes[WEIGHTS[name]][1:])
        if name == "attention":
            found += 2.0 * prod(shapes[0][:-1]) * shapes[1][-2] * (shapes[0][-1] + shapes[2][-1])
    return found


def with_linear(call: Argument, inputs: tuple[Input, ...], names: dict[str, list] | None = None) -> Argument:
    """The same with a bias that is added to a product's rows in one call of both: linear(a, b, bias), for libraries
    that have it."""
    if not isinstance(call, list):
        return call
    names = named(call) if names is None else names
    name, args, attributes, *own = call
    args = [with_linear(arg, inputs, names) for arg in args]
    if (
        name == "add"
        and isinstance(args[0], list)
        and args[0][0] == "matmul"
        and len(shape_of(args[1], inputs, names)) == 1
    ):
        return ["linear", [*args[0][1], args[1]], {}, *own]
    return [name, args, attributes, *own]


def with_biases(call: Argument, inputs: tuple[Input, ...]) -> Argument:
    """The same with what is added to the channels of a convolution in one call of both, conv2d(x, w, bias)."""
    if not isinstance(call, list):
        return call
    name, args, attributes, *own = call
    args = [with_biases(arg, inputs) for arg in args]
    is_of_channels = lambda x: isinstance(x, int) and inputs[x].shape[1:] == (1, 1)
    if name == "add" and isinstance(args[0], list) and args[0][0] == "conv2d" and is_of_channels(args[1]):
        return ["conv2d", [*args[0][1], args[1]], args[0][2], *own]
    return [name, args, attributes, *own]


def function(call: Argument, table: dict[str, Callable]) -> Callable:
    """f(x0, x1, ...) in the words of `table`, written out as Python, so that a library that traces or compiles it sees
    what a person would have written."""
    for name, *_ in walk(call):
        if name not in (*table, NUMBER):
            raise NoForm(f"it has no {name}")
    count = 1 + max((arg for _, args, *_ in walk(call) for arg in args if isinstance(arg, int)), default=-1)
    return eval(f"lambda {', '.join(f'x{i}' for i in range(count))}: {expression(call)}", dict(table))


def expression(call: Argument) -> str:
    """`gelu(add(matmul(x0, x1), x2))`"""
    if not isinstance(call, list):
        return f"x{call}" if isinstance(call, int) else call
    name, args, attributes, *own = call
    if name == NUMBER:
        return repr(attributes["value"])
    text = f"{name}({', '.join([*map(expression, args), *(f'{k}={v!r}' for k, v in attributes.items())])})"
    return f"({own[0]} := {text})" if own else text
