"""What a nest's body is worth, in NumPy, and sums of products of two inputs as products of matrices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import prod

import numpy as np

from ..calls.spec import Spec
from ..functions import FUNCTIONS
from ..types.dtypes import convert, dtype
from ..types.expr import PRODUCT, Arg, Call, Const, Expr, as_product


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


def is_matrix_product(spec: Spec) -> bool:
    """A sum of products of two inputs in which no dimension is summed over one input alone: a batched matrix
    product."""
    nest = spec.operation
    if as_product(nest.body) != PRODUCT or not nest.is_sum or nest.streamed != 2:
        return False
    left, right = (a.dims for a in nest.inputs[:2])
    return all(d in left and d in right for d in nest.reduction)


def contracted(spec: Spec, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The sum of products over the reduction dimensions by np.matmul; a and b have one axis per dimension of the
    nest."""
    nest = spec.operation
    left, right = (access.dims for access in nest.inputs[:2])
    both = [d for d in nest.parallel if d in left and d in right or d not in left and d not in right]
    rows = [d for d in nest.parallel if d in left and d not in right]
    columns = [d for d in nest.parallel if d in right and d not in left]

    def grouped(array, *groups):
        order = [[nest.dims.index(d) for d in group] for group in groups]
        moved = array.transpose(
            [i for group in order for i in group] + [i for i in range(array.ndim) if not any(i in g for g in order)]
        )
        lengths = [[array.shape[i] for i in group] for group in order]
        return moved.reshape([prod(n) for n in lengths]), lengths

    a, (batch, m, _) = grouped(a, both, rows, nest.reduction)
    b, (_, _, n) = grouped(b, both, nest.reduction, columns)
    order = [*both, *rows, *columns]
    result = _matmul(a, b, dtype(spec.accumulator).kind).reshape((*batch, *m, *n))
    return result.transpose([order.index(d) for d in nest.parallel])


def _matmul(a: np.ndarray, b: np.ndarray, kind: str) -> np.ndarray:
    """a @ b, integers modulo their width: through float64 while every partial sum is exact in it, else 32 bits as two
    halves."""
    if kind == "float":
        return a @ b
    left, right = a.astype(np.float64), b.astype(np.float64)
    if np.abs(left).max() * np.abs(right).max() * a.shape[-1] < 2.0**53:
        return (left @ right).astype(np.int64).astype(a.dtype)
    if a.dtype.itemsize == 8:
        return a @ b
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    crossed = a_high @ b_low + a_low @ b_high  # the product of the high halves is a multiple of 2**32
    return ((crossed.astype(np.int64) << 16) + (a_low @ b_low).astype(np.int64)).astype(a.dtype)


def _halves(array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return (array >> 16).astype(np.float64), (array & 0xFFFF).astype(np.float64)
