"""The calls that join elements along axes: sum, max, min and prod, and sums that run along one. (Of several nests:
`composites`.)"""

from __future__ import annotations

from functools import cache
from math import frexp
from typing import Protocol, SupportsIndex

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..functions import Combiner
from ..nests.operation import Operation
from ..types.dtypes import compute_dtype, dtype_or
from ..types.dynamic import of_count
from ..types.expr import Arg, Const, Expr, apply
from ..types.tensor import TensorType
from .elementwise import named
from .language import (
    Axes,
    DTypeLike,
    Form,
    LayoutLike,
    TensorLike,
    attributes_text,
    call,
    require_axes,
    require_flag,
    require_tensor,
)
from .nesting import ResultType, as_call, dims_of, iota, nest, of_types, over_types, result_type, type_of

HELP = """{does}

Args:
    x: numbers, of any shape.
    axis: an axis, from the last where negative, or a tuple of them; None: all.
    keepdims: whether each of these axes stays, with size 1.

Examples:
    >>> print(gt.{name}(gt.tensor({sizes}), {given}))
    {name}({shows}
"""


class Reduction(Protocol):
    """A call that joins elements along axes."""

    __name__: str

    def __call__(
        self,
        x: TensorLike,
        axis: Axes | None = None,
        keepdims: bool = False,
        dtype: DTypeLike | None = None,
        *,
        layout: LayoutLike | None = None,
    ) -> Spec: ...


def _along(name: str, combine: str, does: str = "", *example: str) -> Reduction:
    """The call of a reduction, with its help: what it does, and of an example sizes, axes and what it prints."""
    sizes, given, shows = example or ("", "", "")
    text = HELP.format(name=name, does=does, sizes=sizes, given=given, shows=shows) if does else ""

    def make(
        x: TensorLike,
        axis: Axes | None = None,
        keepdims: bool = False,
        dtype: DTypeLike | None = None,
        *,
        layout: LayoutLike | None = None,
    ) -> Spec:
        return _reduced(name, combine, x, axis, keepdims, ResultType(dtype, layout))

    return call(over_types(named(make, name, text)))


@over_types
def dividend(
    x: TensorLike,
    axis: Axes | None = None,
    keepdims: bool = False,
    dtype: str | None = None,
    layout: LayoutLike | None = None,
) -> Spec:
    """What a mean divides, its call written as that of the mean."""
    return _reduced("mean", "add", x, axis, keepdims, ResultType(dtype, layout))


def quotient(total: Expr, x: TensorType, axes: tuple[int, ...]) -> Expr:
    """What a sum over some axes of x is on average."""
    return divided(total, of_count(x, axes))


def divided(total: Expr, count: Expr) -> Expr:
    """A sum by the number of its terms, or, where that is as exact, times the reciprocal."""
    if isinstance(count, Const) and frexp(count.value)[0] == 0.5:
        return total if count.value == 1 else total * (1 / count.value)
    return total / count


def _reduced(name: str, combine: str, x: TensorLike, axis: Axes | None, keepdims: bool, result: ResultType) -> Spec:
    """A reduction of x."""
    x = require_tensor(name, x)
    require_flag(name, "keepdims", keepdims)
    axes, dims = require_axes(name, x, axis), dims_of(x.shape)
    kept = [j for j in range(x.rank) if j not in axes]
    shape = tuple(1 if j in axes else x.shape[j] for j in range(x.rank) if keepdims or j in kept)
    index = " ".join("1" if j in axes else dims[j] for j in range(x.rank) if keepdims or j in kept)
    every = " ".join(dims)
    text = attributes_text(
        axis=None if axis is None else axes[0] if len(axes) == 1 else axes, keepdims=keepdims or None
    )
    output = result_type(shape, dtype_or(result.dtype, x.dtype), result.layout)
    return of_types(Operation.of(name, every, (every,), index, Arg(0), combine), x.shape, (x,), output, text)


_WIDE = "of the elements along `axis`, taken in f32 at least, of integers in s32 or wider."
_NAN = "of the elements along `axis`; NaN where one is NaN."

sum = _along("sum", "add", f"The sum {_WIDE}", "(8, 4)", "axis=-1", "f32[8,4], axis=1) -> f32[8]")
max = _along(
    "max",
    "maximum",
    f"The largest {_NAN}",
    "(8, 4)",
    "axis=0, keepdims=True",
    "f32[8,4], axis=0, keepdims=true) -> f32[1,4]",
)
min = _along("min", "minimum", f"The smallest {_NAN}", "(8, 4, 2)", "axis=(0, 2)", "f32[8,4,2], axis=(0,2)) -> f32[4]")
prod = _along("prod", "mul", f"The product {_WIDE}", "(8, 4)", "axis=0", "f32[8,4], axis=0) -> f32[4]")


@cache
def declared(combiner: Combiner) -> Form:
    """The call of a reduction by a declared combiner for which none is written here."""
    return Form.of(_along(combiner.call, combiner.name))


@call
def cumsum(
    x: TensorLike,
    axis: SupportsIndex = -1,
    exclusive: bool = False,
    reverse: bool = False,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The sum of each element along `axis` and those before it; each is a sum by itself, so long axes take long.

    Args:
        x: numbers, of any shape but a scalar's.
        axis: an axis, from the last where negative.
        exclusive: whether each element itself is left out.
        reverse: whether it is those after it.

    Examples:
        >>> print(gt.cumsum(gt.tensor((8, 4)), axis=0))
        cumsum(f32[8,4], axis=0) -> f32[8,4]
    """
    given = type_of(x)
    for key, flag in (("exclusive", exclusive), ("reverse", reverse)):
        require_flag("cumsum", key, flag)
    if not given.rank:
        raise SpecError(f"cumsum expects an axis, found none of {given}; give it one of size 1")
    (along,) = require_axes("cumsum", given, axis)
    if along in given.dynamic_axes:
        raise SpecError(f"cumsum expects a fixed size along axis {along} of {given}; write the bound as the size")
    result = dtype_or(dtype, given.dtype)
    size, compute, dims = given.shape[along], compute_dtype(given.dtype, result), dims_of(given.shape)
    read, every = " ".join((*dims[:along], "j", *dims[along + 1 :])), " ".join(dims)
    counts = iota((size,), compute), iota((size,), compute)
    own, other = (Arg(2), Arg(1)) if reverse else (Arg(1), Arg(2))
    counted = apply("where", other < own if exclusive else other <= own, Arg(0), 0)
    sums = Operation.of("cumsum", f"{every} j", (read, dims[along], "j"), every, counted, "add")
    spec = nest(sums, {**dict(zip(dims, given.shape)), "j": size}, (x, *counts), result, layout)
    return as_call(spec, "cumsum", axis=along, exclusive=exclusive or None, reverse=reverse or None)
