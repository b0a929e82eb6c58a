"""Operations of the contract that are a few nests each: their constructors write them as calls of others.

    softmax(x) = e * (1 / sum(e)),  e = exp(x - max(x))

Values between the calls are kept in the compute dtype. An e or a result that is less than the normal range is 0
(`decay` and `share` of lang/functions/exponential.py): beside a sum of 1 or more it is nothing. The search decides how
the nests are fused, and where the values between them lie.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...support.errors import SpecError
from ..calls.compose import renamed
from ..calls.spec import Spec
from ..types.dtypes import compute_dtype, dtype_or, limits
from ..types.dtypes import dtype as dtype_row
from ..types.dynamic import of_count
from ..types.expr import SHARED, Arg, Expr, apply
from ..types.tensor import TensorType
from . import elementwise, reductions
from .language import Axes, DTypeLike, LayoutLike, TensorLike, call, require_axes, require_flag
from .nesting import ResultType, as_call, compute_of, iota, map_of, mapped, one_input, type_of
from .operations import cast


def _along(name: str, x: TensorLike, axis: Axes | None) -> tuple[int, ...]:
    """The axes that `axis` means, of a tensor that has some."""
    given = type_of(x)
    found = require_axes(name, given, axis) if given.rank else ()
    if not found:
        raise SpecError(f"{name} expects an axis, found none of {given}; give it one of size 1")
    return found


def _as_stated(axis: Axes | None, along: tuple[int, ...]) -> int | tuple[int, ...]:
    """The axes of a call as it is written."""
    return axis if isinstance(axis, int) else along


@call
def softmax(
    x: TensorLike, axis: Axes | None = -1, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """exp(x - max(x)) / sum(exp(x - max(x))) along `axis`.

    Elements that are all -inf give NaN, as in NumPy, PyTorch and JAX.

    Args:
        x: floats, of any shape but a scalar's.
        axis: an axis, from the last where negative, or a tuple of them; None: all.

    Examples:
        >>> print(gt.softmax(gt.tensor((8, 4))))
        softmax(f32[8,4], axis=-1) -> f32[8,4]
    """
    along = _along("softmax", x, axis)
    return as_call(softmax_over(x, along, ResultType(dtype, layout)), "softmax", axis=_as_stated(axis, along))


def softmax_over(
    x: TensorLike,
    along: tuple[int, ...],
    given: ResultType,
    scale: float = 1.0,
    divides: bool = False,
    empty: bool = False,
) -> Spec:
    """The softmax of x times `scale`: of the smallest of x where that is negative, its largest else. One division a
    row; `divides`: each element, which what multiplies them leaves to its own result (Factor). `empty`: a row of -inf
    alone gives 0."""
    x, compute = one_input(x), compute_of("softmax", x)
    largest = (reductions.max if scale >= 0 else reductions.min)(x, axis=along, keepdims=True)
    shifted = Arg(0) - (apply("maximum", Arg(1), _lowest(compute)) if empty else Arg(1))
    e = map_of(apply("decay", shifted if scale == 1 else shifted * scale), x, largest, dtype=compute)
    total, result = reductions.sum(e, axis=along, keepdims=True), dtype_or(given.dtype, type_of(x).dtype)
    if empty:  # a row with an element has a total of 1 or more
        return map_of(Arg(0) / apply("maximum", Arg(1), 0.5), e, total, dtype=result, layout=given.layout)
    if divides:
        return elementwise.div(e, total, dtype=result, layout=given.layout)
    return mapped("mul", SHARED, (e, map_of(1.0 / Arg(0), total)), ResultType(result, given.layout))


def _lowest(compute: str) -> float:
    return float(np.finfo(dtype_row(compute).numpy).min)


@call
def log_softmax(
    x: TensorLike, axis: Axes | None = -1, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """The logarithm of `softmax`, x - max(x) - log(sum(exp(x - max(x)))), along `axis`.

    Args:
        x: floats, of any shape but a scalar's.
        axis: an axis, from the last where negative, or a tuple of them; None: all.

    Examples:
        >>> print(gt.log_softmax(gt.tensor((8, 4)), axis=0))
        log_softmax(f32[8,4], axis=0) -> f32[8,4]
    """
    along = _along("log_softmax", x, axis)
    x, compute = one_input(x), compute_of("log_softmax", x)
    shifted = elementwise.sub(x, reductions.max(x, axis=along, keepdims=True), dtype=compute)
    powers = mapped("exp", apply("decay", Arg(0)), (shifted,), ResultType(compute))
    total = reductions.sum(powers, axis=along, keepdims=True)
    result = dtype_or(dtype, type_of(x).dtype)
    spec = elementwise.sub(shifted, elementwise.log(total), dtype=result, layout=layout)
    return as_call(spec, "log_softmax", axis=_as_stated(axis, along))


_COUNTS = {"f32": 1 << 24}


@call
def argmax(
    x: TensorLike,
    axis: Axes | None = -1,
    dtype: DTypeLike | None = None,
    *,
    keepdims: bool = False,
    layout: LayoutLike | None = None,
) -> Spec:
    """Where the largest element along `axis` is: of equals the first, and the first NaN where there is one.

    Args:
        x: numbers, of any shape but a scalar's.
        axis: an axis, from the last where negative; a tuple of them, or None for all, gives the number of the element
            among theirs in row-major order.
        dtype: of the result; s32 where left out.
        keepdims: whether each of these axes stays, with size 1.

    Examples:
        >>> print(gt.argmax(gt.tensor((8, 4))))
        argmax(f32[8,4], axis=-1) -> s32[8]
    """
    given, along = type_of(x), _along("argmax", x, axis)
    require_flag("argmax", "keepdims", keepdims)
    x, compute, size = one_input(x), compute_dtype(given.dtype), math.prod(given.shape[axis] for axis in along)
    if size > _COUNTS.get(compute, size):
        raise SpecError(
            f"argmax expects at most {_COUNTS[compute]} elements of {given.dtype} along its axes, found {size}; cast"
            f" first: cast({given}) -> {replace(given, dtype='f64', constant=False)}"
        )
    place, counted = _places(given, along, compute)
    at_most: Expr = apply("where", apply("eq", Arg(0), Arg(1)), place, size)
    if dtype_row(given.dtype).kind == "float":
        at_most = apply("where", apply("eq", Arg(0), Arg(0)), at_most, place)
    places = map_of(at_most, x, reductions.max(x, axis=along, keepdims=True), *counted, dtype=compute)
    first = reductions.min(places, axis=along, keepdims=keepdims, dtype=dtype_or(dtype, "s32"), layout=layout)
    return as_call(first, "argmax", axis=_as_stated(axis, along), keepdims=keepdims or None)


def _places(x: TensorType, along: tuple[int, ...], compute: str) -> tuple[Expr, tuple[Spec, ...]]:
    """The numbers of the elements of x along some axes: an expression over counts (iotas), Arg(2) on, and the counts.

    A dynamic axis is the slowest of one count. A second count, of the axes before it, is multiplied by the length of
    the first."""
    dynamic = next((axis for axis in x.dynamic_axes if axis in along), None)
    first = along[0] if dynamic is None else dynamic
    count = lambda axes, slowest: iota(
        tuple(n if j in axes else 1 for j, n in enumerate(x.shape))[axes[0] :], compute, slowest
    )
    before, behind = (tuple(axis for axis in along if (axis < first) == is_before) for is_before in (True, False))
    counted = count(behind, None if dynamic is None else 0)
    if not before:
        return Arg(2), (counted,)
    return Arg(3) * of_count(x, behind) + Arg(2), (counted, count(before, None))


@call
def mean(
    x: TensorLike,
    axis: Axes | None = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The mean of the elements along `axis`.

    The sum is taken first, and may overflow where the mean would not. That of integers is exact; a mean that is an
    integer too is cut off towards 0.

    Args:
        x: numbers, of any shape.
        axis: an axis, from the last where negative, or a tuple of them; None: all.
        keepdims: whether each of these axes stays, with size 1.

    Examples:
        >>> print(gt.mean(gt.tensor((8, 4)), axis=0))
        mean(f32[8,4], axis=0) -> f32[4]
    """
    given = type_of(x)
    result, axes = dtype_or(dtype, given.dtype), require_axes("mean", given, axis)
    if dtype_row(given.dtype).kind == "float":
        total = reductions.dividend(x, axis, keepdims, compute_dtype(given.dtype, result))
        mean = map_of(reductions.quotient(Arg(0), given, axes), total, dtype=result, layout=layout)
        return renamed(mean, "mean", total.rest)
    most, largest = math.prod(given.shape[axis] for axis in axes), max(map(abs, limits(given.dtype)))
    wide = "u64" if given.dtype == "u64" else "s64"
    total = reductions.dividend(x, axis, keepdims, "s32" if most * largest < 1 << 31 else wide)
    text = total.rest
    if dtype_row(result).kind == "float":
        total = cast(total, compute_dtype(result))
    return renamed(map_of(Arg(0) / of_count(given, axes), total, dtype=result, layout=layout), "mean", text)
