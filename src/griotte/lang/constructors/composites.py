"""Operations of the contract that are a few nests each: their constructors write them as calls of others.

    softmax(x) = e * (1 / sum(e)),  e = exp(x - max(x))

What lies between the calls is kept in the compute dtype. How the nests are fused, and where what is between them lies,
is for the search to say.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...support.errors import SpecError
from ..calls.compose import in_order
from ..calls.spec import Spec
from ..calls.written import Written
from ..nests.operation import Border
from ..types.dtypes import compute_dtype, dtype_or, limits
from ..types.dtypes import dtype as dtype_row
from ..types.dynamic import of_count
from ..types.expr import Arg, Call, Const, Expr
from ..types.tensor import TensorType
from . import elementwise, reductions
from . import operations as op
from .language import Axes, DTypeLike, LayoutLike, TensorLike, call, forms_of
from .nesting import compute_of, nest, of, once, said, told, type_of, widest


def _along(name: str, x: TensorLike, axis: Axes | None) -> tuple[int, ...]:
    """The axes that `axis` means, of a tensor that has some."""
    given = type_of(x)
    found = op._axes(name, given, axis) if given.rank else ()
    if not found:
        raise SpecError(f"{name} expects an axis, found none of {given}; give it one of size 1")
    return found


def _axis_text(axis: Axes | None, along: tuple[int, ...]) -> str:
    return str(axis) if isinstance(axis, int) else op._tuple_text(along)


def _require_rows(name: str, x: TensorLike, *others: TensorLike) -> None:
    """That the others broadcast against x, so that a refusal names what was given and none of the calls that come of
    it."""
    types = [type_of(each) for each in (x, *others)]
    op._broadcast(name, types, [each.shape for each in types])


@call
def softmax(
    x: TensorLike, axis: Axes | None = -1, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """exp(x - max(x)) / sum(exp(x - max(x))) along `axis`.

    Elements that are all -inf give NaN, as in NumPy, PyTorch and JAX.

    Args:
        x: floats, of any shape but a scalar's.
        axis: an axis, from the last where negative, or a tuple of them; None: all.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.softmax(gt.tensor((8, 4))))
        softmax(f32[8,4], axis=-1) -> f32[8,4]
    """
    along = _along("softmax", x, axis)
    text = said("softmax", x, rest=f", axis={_axis_text(axis, along)}")
    return told(softmax_over(x, along, dtype, layout), text)


def softmax_over(
    x: TensorLike,
    along: tuple[int, ...],
    dtype: DTypeLike | None,
    layout: LayoutLike | None = None,
    scale: float = 1.0,
    divides: bool = False,
    empty: bool = False,
) -> Spec:
    """The softmax of x times `scale`: of the smallest of x where that is negative, its largest else. One division a
    row; `divides`: each element, which what multiplies them leaves to its own result (Factor). `empty`: a row of -inf
    alone gives 0."""
    x, compute = once(x), compute_of("softmax", x)
    shifted = Call("sub", (Arg(0), Call("maximum", (Arg(1), Const(_lowest(compute)))) if empty else Arg(1)))
    body = shifted if scale == 1 else Call("mul", (shifted, Const(scale)))
    e = of(
        Call("exp", (body,)),
        x,
        (reductions.max if scale >= 0 else reductions.min)(x, axis=along, keepdims=True),
        dtype=compute,
    )
    total, result = reductions.sum(e, axis=along, keepdims=True), dtype_or(dtype, type_of(x).dtype)
    if empty:  # a row with an element has a total of 1 or more
        return of(Call("div", (Arg(0), Call("maximum", (Arg(1), Const(0.5))))), e, total, dtype=result, layout=layout)
    if divides:
        return elementwise.div(e, total, dtype=result, layout=layout)
    return elementwise.mul(e, of(Call("div", (Const(1.0), Arg(0))), total), dtype=result, layout=layout)


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
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.log_softmax(gt.tensor((8, 4)), axis=0))
        log_softmax(f32[8,4], axis=0) -> f32[8,4]
    """
    along = _along("log_softmax", x, axis)
    text = said("log_softmax", x, rest=f", axis={_axis_text(axis, along)}")
    x, compute = once(x), compute_of("log_softmax", x)
    shifted = elementwise.sub(x, reductions.max(x, axis=along, keepdims=True), dtype=compute)
    total = reductions.sum(elementwise.exp(shifted), axis=along, keepdims=True)
    result = dtype_or(dtype, type_of(x).dtype)
    return told(elementwise.sub(shifted, elementwise.log(total), dtype=result, layout=layout), text)


@call
def layer_norm(
    x: TensorLike,
    gain: TensorLike,
    bias: TensorLike,
    epsilon: float = 1e-5,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """(x - mean(x)) * rsqrt(variance(x) + epsilon) * gain + bias over the last axis.

    The variance is that of the row itself, not the estimate of a sample's.

    Args:
        x: floats [..., d].
        gain: floats that broadcast with x, such as [d].
        bias: likewise.
        epsilon: what is added to the variance.
        dtype: of the result; the widest of the operands' where left out.

    Example:
        >>> print(gt.layer_norm(gt.tensor((8, 4)), gt.tensor((4,)), gt.tensor((4,))))
        layer_norm(f32[8,4], f32[4], f32[4], epsilon=1e-05) -> f32[8,4]
    """
    epsilon = op._number("layer_norm", "epsilon", epsilon)
    text = said("layer_norm", x, gain, bias, rest=f", epsilon={op._number_text(epsilon)}")
    x, compute = once(x), compute_of("layer_norm", x)
    _require_rows("layer_norm", x, gain, bias)
    shifted = elementwise.sub(x, _centre(x, compute), dtype=compute)
    scale = _inverse_deviation(of(Call("mul", (Arg(0), Arg(0))), shifted), type_of(x), epsilon)
    body = Call("add", (Call("mul", (Call("mul", (Arg(0), Arg(1))), Arg(2))), Arg(3)))
    return told(of(body, shifted, scale, gain, bias, dtype=dtype_or(dtype, widest(x, gain, bias)), layout=layout), text)


def _centre(x: TensorLike, compute: str) -> Spec:
    """The means of rows [..., 1]: of what each element is beyond the first of its row, and that. So a row of one value
    has just that, and a large mean takes no digits of the sum. Sums of up to 2^16 equal numbers of 16 bits are exact
    anyway."""
    given = type_of(x)
    last = given.rank - 1
    mean = lambda total: reductions.quotient(total, given, (last,))
    if last in given.dynamic_axes or dtype_row(given.dtype).bits <= 16 or given.shape[last] == 1:
        return of(mean(Arg(0)), reductions.sum(x, axis=-1, keepdims=True, dtype=compute), dtype=compute)
    beyond = reductions.sum(elementwise.sub(x, _firsts(x), dtype=compute), axis=-1, keepdims=True)
    return of(Call("add", (Arg(1), mean(Arg(0)))), beyond, _firsts(x), dtype=compute)


def _firsts(x: TensorLike) -> Spec:
    """The first element of each row [..., 1]."""
    given = type_of(x)
    dims, rest = op._dims(given.shape), 1 - given.shape[-1]
    sizes, border = {**dict(zip(dims, given.shape)), dims[-1]: 1}, Border((*((0, 0),) * (given.rank - 1), (0, rest)))
    every = " ".join(dims)
    return nest("first", every, (every,), every, Arg(0), None, sizes, (x,), given.dtype, border=border)


def _inverse_deviation(squares: Spec, x: TensorType, epsilon: float) -> Spec:
    """1 / sqrt(mean + epsilon) of the squares of rows of x."""
    mean = reductions.quotient(Arg(0), x, (x.rank - 1,))
    total = reductions.sum(squares, axis=-1, keepdims=True)
    return of(Call("rsqrt", (Call("add", (mean, Const(epsilon))),)), total)


@call
def rms_norm(
    x: TensorLike,
    gain: TensorLike,
    epsilon: float = 1e-6,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """x * rsqrt(mean(x * x) + epsilon) * gain over the last axis.

    Args:
        x: floats [..., d].
        gain: floats that broadcast with x, such as [d].
        epsilon: what is added to the mean of the squares.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.rms_norm(gt.tensor((8, 4)), gt.tensor((4,))))
        rms_norm(f32[8,4], f32[4], epsilon=1e-06) -> f32[8,4]
    """
    epsilon = op._number("rms_norm", "epsilon", epsilon)
    text = said("rms_norm", x, gain, rest=f", epsilon={op._number_text(epsilon)}")
    x, compute = once(x), compute_of("rms_norm", x)
    _require_rows("rms_norm", x, gain)
    scale = _inverse_deviation(of(Call("mul", (Arg(0), Arg(0))), x, dtype=compute), type_of(x), epsilon)
    body = Call("mul", (Call("mul", (Arg(0), Arg(1))), Arg(2)))
    return told(of(body, x, scale, gain, dtype=dtype_or(dtype, widest(x, gain)), layout=layout), text)


@call
def batch_norm(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    gain: TensorLike,
    bias: TensorLike,
    epsilon: float = 1e-5,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """(x - mean) * rsqrt(variance + epsilon) * gain + bias, channel by channel.

    Mean and variance are given, not those of x. It is computed as x * scale + shift: in f32 that loses the digits by
    which the mean is larger than the deviation.

    Args:
        x: floats [n, c, ...].
        mean: floats [c].
        variance: floats [c].
        gain: floats [c].
        bias: floats [c].
        epsilon: what is added to the variance.
        dtype: of the result; that of x where left out.

    Example:
        >>> c = gt.tensor((3,))
        >>> print(gt.batch_norm(gt.tensor((1, 3, 8, 8)), c, c, c, c))
        batch_norm(f32[1,3,8,8], f32[3], f32[3], f32[3], f32[3], epsilon=1e-05) -> f32[1,3,8,8]
    """
    epsilon = op._number("batch_norm", "epsilon", epsilon)
    text = said("batch_norm", x, mean, variance, gain, bias, rest=f", epsilon={op._number_text(epsilon)}")
    given, others = type_of(x), (mean, variance, gain, bias)
    compute = compute_dtype(*(compute_of("batch_norm", a) for a in (x, *others)))
    if given.rank < 2 or any(type_of(a).shape != given.shape[1:2] for a in others):
        raise SpecError(
            f"batch_norm expects x [n, c, ..], and mean, variance, gain and bias [c], found {given},"
            f" {', '.join(str(type_of(a)) for a in others)}"
        )
    args = x, mean, variance, gain, bias = tuple(map(once, (x, *others)))
    scale = of(
        Call("mul", (Call("rsqrt", (Call("add", (Arg(0), Const(epsilon))),)), Arg(1))), variance, gain, dtype=compute
    )
    shift = of(Call("sub", (Arg(0), Call("mul", (Arg(1), Arg(2))))), bias, mean, scale, dtype=compute)
    dims = op._dims(given.shape)
    body, every = Call("add", (Call("mul", (Arg(0), Arg(1))), Arg(2))), " ".join(dims)
    folded = nest(
        "batch_norm",
        every,
        (every, dims[1], dims[1]),
        every,
        body,
        None,
        dict(zip(dims, given.shape)),
        (x, scale, shift),
        dtype_or(dtype, given.dtype),
        layout,
    )
    return told(in_order(folded, args), text)


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

    Example:
        >>> print(gt.argmax(gt.tensor((8, 4))))
        argmax(f32[8,4], axis=-1) -> s32[8]
    """
    given, along = type_of(x), _along("argmax", x, axis)
    op._flag("argmax", "keepdims", keepdims)
    text = said("argmax", x, rest=f", axis={_axis_text(axis, along)}{', keepdims=true' * keepdims}")
    x, compute, size = once(x), compute_dtype(given.dtype), math.prod(given.shape[axis] for axis in along)
    if size > _COUNTS.get(compute, size):
        raise SpecError(
            f"argmax expects at most {_COUNTS[compute]} elements of {given.dtype} along its axes, found {size}; cast"
            f" first: cast({given}) -> {replace(given, dtype='f64', constant=False)}"
        )
    place, counted = _places(given, along, compute)
    at_most: Expr = Call("where", (Call("eq", (Arg(0), Arg(1))), place, Const(size)))
    if dtype_row(given.dtype).kind == "float":
        at_most = Call("where", (Call("eq", (Arg(0), Arg(0))), at_most, place))
    places = of(at_most, x, reductions.max(x, axis=along, keepdims=True), *counted, dtype=compute)
    first = reductions.min(places, axis=along, keepdims=keepdims, dtype=dtype_or(dtype, "s32"), layout=layout)
    return told(first, text)


def _places(x: TensorType, along: tuple[int, ...], compute: str) -> tuple[Expr, tuple[Spec, ...]]:
    """The numbers of the elements of x along some axes, as an expression over what counts them, Arg(2) on: a dynamic
    axis is the slowest of one count, which another, of the axes before it, is times the length of."""
    dynamic = next((axis for axis in x.dynamic_axes if axis in along), None)
    first = along[0] if dynamic is None else dynamic
    count = lambda axes, slowest: op.iota(
        tuple(n if j in axes else 1 for j, n in enumerate(x.shape))[axes[0] :], compute, slowest
    )
    before, behind = (tuple(axis for axis in along if (axis < first) == is_before) for is_before in (True, False))
    counted = count(behind, None if dynamic is None else 0)
    if not before:
        return Arg(2), (counted,)
    return Call("add", (Call("mul", (Arg(3), of_count(x, behind))), Arg(2))), (counted, count(before, None))


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
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.mean(gt.tensor((8, 4)), axis=0))
        mean(f32[8,4], axis=0) -> f32[4]
    """
    given = type_of(x)
    result, axes = dtype_or(dtype, given.dtype), op._axes("mean", given, axis)
    if dtype_row(given.dtype).kind == "float":
        total = reductions.dividend(x, axis, keepdims, compute_dtype(given.dtype, result))
        text = total.text
        assert isinstance(text, Written)
        return told(of(reductions.quotient(Arg(0), given, axes), total, dtype=result, layout=layout), text)
    most, largest = math.prod(given.shape[axis] for axis in axes), max(map(abs, limits(given.dtype)))
    wide = "u64" if given.dtype == "u64" else "s64"
    total = reductions.dividend(x, axis, keepdims, "s32" if most * largest < 1 << 31 else wide)
    text = total.text
    assert isinstance(text, Written)
    if dtype_row(result).kind == "float":
        total = op.cast(total, compute_dtype(result))
    return told(of(Call("div", (Arg(0), of_count(given, axes))), total, dtype=result, layout=layout), text)


FORMS = forms_of(softmax, log_softmax, layer_norm, rms_norm, argmax, mean, batch_norm)
