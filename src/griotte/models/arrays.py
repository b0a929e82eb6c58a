"""Operations over whole arrays that no nest of the language is: each one declaration, written as it is.

    y = scatter(x, places, updates, how=add, axes=1)    x, of which the row at each place is joined with an update

Rows are numbered along the first `axes` axes; places beyond them stand for the nearest. Several updates of a row are
joined with it one after the other; with `set` the last of them stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from ..codegen.text import indent
from ..codegen.vector import VectorLibrary
from ..errors import SpecError
from ..ir.dtypes import dtype
from ..ir.family import LINE
from ..ir.tensor import TensorType, row_major
from ..program.stage import Stage
from ..targets.target import Target
from .value import Attributes, ModelValue, ValueMaker


@dataclass(frozen=True)
class ArrayKind:
    """What such an operation is, of a call of it.

    Attributes:
        reads: how many operands.
        attributes: what else it is given: words, of which the first stands where it is left out, or a whole number.
        types: of what it gives; SpecError where it refuses.
        meaning: what it gives, in NumPy.
        flops: arithmetic operations.
        cost: cycles on a target.
        body: of a C function of `x0, x1 .., y0, y1 ..`, of which the types of C are given.
        picks: of an operand that says which row is read or written, by its place, how many rows there are.
    """

    reads: int
    attributes: Mapping[str, tuple[str, ...] | int]
    types: Callable[[ArrayCall], tuple[TensorType, ...]]
    meaning: Callable[..., tuple[np.ndarray, ...]]
    flops: Callable[[ArrayCall], int]
    cost: Callable[[ArrayCall, Target], float]
    body: Callable[[ArrayCall, list[str]], list[str]]
    picks: Callable[[ArrayCall], dict[int, int]]


@dataclass(frozen=True)
class ArrayCall(ValueMaker):
    """A call of such an operation, over row-major arrays of these types."""

    call: str
    operands: tuple[TensorType, ...]
    attributes: Attributes = ()

    @property
    def kind(self) -> ArrayKind:
        return KINDS[self.call]

    @property
    def takes(self) -> tuple[TensorType, ...]:
        """The types of its operands."""
        return self.operands

    @cached_property
    def types(self) -> tuple[TensorType, ...]:
        """Those of its results."""
        return self.kind.types(self)

    @property
    def flops(self) -> int:
        """Arithmetic operations of a call."""
        return self.kind.flops(self)

    def run(self, *arrays: Any) -> tuple[np.ndarray, ...]:
        """What it means, in NumPy."""
        return self.kind.meaning(self, *map(np.asarray, arrays))

    def stage(self, target: Target) -> Stage:
        """Its C."""
        return Stage(str(self), self.kind.cost(self, target), 1, self._source)

    def _source(self, library: VectorLibrary, target: Target, name: str) -> str:
        scalars = [library.scalar(type.dtype) for type in (*self.takes, *self.types)]
        formals = [f"const {scalar} *x{n}" for n, scalar in enumerate(scalars[: len(self.takes)])]
        formals += [f"{scalar} *y{n}" for n, scalar in enumerate(scalars[len(self.takes) :])]
        body = indent(self.kind.body(self, scalars))
        return "\n".join([f"static void {name}({', '.join(formals)})", "{", *body, "}", ""])

    def __str__(self) -> str:
        given = [*map(str, self.takes), *(f"{key}={value}" for key, value in self.attributes)]
        return f"{self.call}({', '.join(given)})"

    __repr__ = __str__


def array_call(call: str, reads: tuple[ModelValue, ...], **attributes: str | int) -> ArrayCall:
    """A call over values, of whatever layouts; SpecError where they do not fit."""
    kind = KINDS[call]
    if len(reads) != kind.reads:
        raise SpecError(f"expected {kind.reads} operands of {call}, found {len(reads)}; give it each")
    for key, value in attributes.items():
        may = kind.attributes.get(key, ())
        if not (isinstance(value, int) if isinstance(may, int) else value in may):
            words = {name: "a number" if isinstance(m, int) else " or ".join(m) for name, m in kind.attributes.items()}
            known = ", ".join(f"{name}={each}" for name, each in words.items())
            raise SpecError(f"expected {known or 'no attributes'} of {call}, found {key}={value}; write that")
    default = {key: may if isinstance(may, int) else may[0] for key, may in kind.attributes.items()}
    given = tuple((default | attributes).items())
    plain = lambda type: replace(type, name="", constant=False, minor_to_major=row_major(type.rank))
    found = ArrayCall(call, tuple(plain(value.type) for value in reads), given)
    assert found.types  # or it is refused
    return found


# ---- scatter ---------------------------------------------------------------------------------------------------------

JOINED: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}
EACH = 12.0  # cycles of an update beside what it moves: its place, and the loop around its row


def _scattered(call: ArrayCall) -> tuple[TensorType, ...]:
    x, places, updates = call.takes
    how, axes = _given(call, "how"), _given(call, "axes")
    if any(type.dynamic is not None or type.bytes % type.elements for type in call.takes):
        raise SpecError(f"expected arrays of fixed sizes and of whole bytes for scatter, found {call}; cast them")
    if axes not in range(1, x.rank + 1):
        raise SpecError(f"expected rows along 1 to {x.rank} axes of {x}, found axes={axes}; write one of them")
    if dtype(places.dtype).kind not in ("signed", "unsigned"):
        raise SpecError(f"expected integers as places of scatter, found {places}; cast them")
    if (updates.dtype, updates.shape) != (x.dtype, (*places.shape, *x.shape[axes:])):
        raise SpecError(
            f"expected {x.dtype}{[*places.shape, *x.shape[axes:]]} as updates of {x}, found {updates}; cast or reshape"
            " them"
        )
    if how != "set" and (x.dtype in ("f16", "bf16", "pred")):
        raise SpecError(f"expected numbers of their own arithmetic to be joined, found {x} with how={how}; cast it")
    return (x,)


def _given(call: ArrayCall, key: str) -> Any:
    return dict(call.attributes)[key]


def _rows(call: ArrayCall) -> tuple[int, int]:
    """How many rows x has, and the elements of each."""
    shape, axes = call.takes[0].shape, _given(call, "axes")
    return prod(shape[:axes]), prod(shape[axes:])


def _scatter(call: ArrayCall, x: np.ndarray, places: np.ndarray, updates: np.ndarray) -> tuple[np.ndarray, ...]:
    rows, width = _rows(call)
    y, how = np.array(x, order="C").reshape(rows, width), _given(call, "how")
    with np.errstate(all="ignore"):
        for row, update in zip(np.clip(places.reshape(-1), 0, rows - 1), updates.reshape(-1, width)):
            y[row] = update if how == "set" else JOINED[how](y[row], update)
    return (y.reshape(x.shape),)


def _cost(call: ArrayCall, target: Target) -> float:
    """A copy of x, and each update read and written."""
    x, places, updates = call.takes
    level = target.levels[target.home((2 * x.bytes + updates.bytes) / LINE)].name
    move = target.coefficient[f"stream.{level}"] + target.coefficient[f"store.{level}"]
    lines = max(move, 2 * LINE / target.vector_bytes / target.ports.load)
    return lines * (x.bytes + updates.bytes) / LINE + EACH * places.elements


def _scatter_body(call: ArrayCall, scalars: list[str]) -> list[str]:
    x, places, _ = call.takes
    T, (rows, width) = scalars[0], _rows(call)
    is_integer = dtype(x.dtype).kind in ("signed", "unsigned")
    wrapped = f"({T})((uint64_t)to[j] {{}} (uint64_t)from[j])" if is_integer else "to[j] {} from[j]"
    chosen = "from[j] {} to[j] || from[j] != from[j] ? from[j] : to[j]"  # what is no number stays, and comes in
    joined = {
        "set": "from[j]",
        "add": wrapped.format("+"),
        "mul": wrapped.format("*"),
        "max": chosen.format(">"),
        "min": chosen.format("<"),
    }[_given(call, "how")]
    return [
        f"__builtin_memcpy(y0, x0, {x.bytes});",
        f"for (int64_t i = 0; i < {places.elements}; i++) {{",
        f"    const int64_t at = (int64_t)x1[i], row = at < 0 ? 0 : at < {rows} ? at : {rows - 1};",
        f"    {T} *const to = y0 + row * {width};",
        f"    const {T} *const from = x2 + i * {width};",
        f"    for (int64_t j = 0; j < {width}; j++)",
        f"        to[j] = {joined};",
        "}",
    ]


KINDS: dict[str, ArrayKind] = {
    "scatter": ArrayKind(
        3,
        {"how": ("set", *JOINED), "axes": 1},
        _scattered,
        _scatter,
        lambda call: call.takes[2].elements * (_given(call, "how") != "set"),
        _cost,
        _scatter_body,
        lambda call: {1: _rows(call)[0]},
    )
}
"""By name."""
