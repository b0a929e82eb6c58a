"""What a nest's body is worth, in NumPy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from ..functions import FUNCTIONS
from ..types.dtypes import convert
from ..types.expr import Arg, Call, Const, Expr


@dataclass(frozen=True)
class Nudge:
    """An error at call number `call` of the body (innermost first): `relative` of its value and `of_argument` of its
    first argument. The difference it makes is what such an error does to the result."""

    call: int
    relative: float
    of_argument: float = 0.0

    def apply(self, value: np.ndarray, argument: np.ndarray) -> np.ndarray:
        moved = value * (1 + self.relative)
        return moved + np.sign(value) * np.abs(argument) * self.of_argument if self.of_argument else moved


def body_value(
    body: Expr, args, acc: str, compute: np.dtype, nudge: Nudge | None = None, fused: bool = False
) -> np.ndarray:
    """The body over `args`; what an inner float call gives is rounded to the accumulator's dtype `acc`, the outermost
    is not. A call that stands twice is one, and so is its error."""
    return _Values(args, acc, compute, nudge, fused).of(body)


@dataclass(eq=False)
class _Values:
    """What parts of a body are worth: an object, for functions that name each other would keep the arrays until the
    collector of cyclic garbage comes by."""

    args: Sequence[np.ndarray]
    acc: str
    compute: np.dtype
    nudge: Nudge | None
    fused: bool
    counter: Iterator[int] = field(default_factory=count)
    known: dict[Expr, np.ndarray] = field(default_factory=dict)

    def of(self, expr: Expr) -> np.ndarray:
        """Each part once."""
        if expr not in self.known:
            self.known[expr] = self._computed(expr)
        return self.known[expr]

    def _computed(self, expr: Expr) -> np.ndarray:
        if isinstance(expr, Arg):
            return self.args[expr.index]
        if isinstance(expr, Const):
            return convert(np.asarray(expr.value), self.acc).astype(self.compute)
        assert isinstance(expr, Call), "what is computed in several dtypes is evaluated as kernels do it"
        inner = [self.of(x) for x in expr.args]
        if self.compute.kind == "f":
            exact = [
                is_fusible(expr, x) or is_sum(expr) and isinstance(x, Arg) if self.fused else isinstance(x, Arg)
                for x in expr.args
            ]
            inner = [v if e else convert(v, self.acc).astype(self.compute) for v, e in zip(inner, exact)]
        value = FUNCTIONS[expr.function].meaning(*inner)
        if (
            self.fused and expr.function == "mul"
        ):  # wide enough for the product of two f64 to keep its range and most of its digits
            value = FUNCTIONS["mul"].meaning(*(v.astype(np.longdouble) for v in inner))
        return self.nudge.apply(value, inner[0]) if self.nudge and next(self.counter) == self.nudge.call else value


def is_fusible(outer: Expr, inner: Expr) -> bool:
    """A product that feeds a sum or difference: C compilers make one instruction, with one rounding, of the two."""
    return is_sum(outer) and is_product(inner)


def is_sum(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.function in ("add", "sub")


def is_product(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.function == "mul"
