"""Norms: of rows, of channels by given statistics, of images over groups of channels and over each channel, and of
each place by its neighbours' channels."""

from __future__ import annotations

from math import prod

from ...support.errors import SpecError
from ..calls.compose import in_order
from ..calls.spec import Spec
from ..nests.access import Border
from ..nests.operation import Operation
from ..types.dtypes import compute_dtype, dtype_or
from ..types.dtypes import dtype as dtype_row
from ..types.expr import Arg, Const, Expr, apply
from ..types.tensor import TensorType
from . import elementwise, reductions
from .language import DTypeLike, LayoutLike, TensorLike, call, require_broadcast, require_finite, require_float
from .nesting import ResultType, as_call, compute_of, dims_of, map_of, nest, one_input, type_of, widest
from .windows import require_rank, whole_number


def _require_rows(name: str, x: TensorLike, *others: TensorLike) -> None:
    """That the others broadcast against x, so that a refusal names what was given and none of the calls that come of
    it."""
    types = [type_of(each) for each in (x, *others)]
    require_broadcast(name, types, [each.shape for each in types])


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
        epsilon: a number that is added to the variance.
        dtype: of the result; the widest of the operands' where left out.

    Examples:
        >>> print(gt.layer_norm(gt.tensor((8, 4)), gt.tensor((4,)), gt.tensor((4,))))
        layer_norm(f32[8,4], f32[4], f32[4], epsilon=1e-05) -> f32[8,4]
    """
    epsilon = require_finite("layer_norm", "epsilon", epsilon)
    x, compute = one_input(x), compute_of("layer_norm", x)
    _require_rows("layer_norm", x, gain, bias)
    shifted = elementwise.sub(x, _centre(x, compute), dtype=compute)
    scale = _inverse_deviation(map_of(Arg(0) * Arg(0), shifted), type_of(x), epsilon)
    body, result = Arg(0) * Arg(1) * Arg(2) + Arg(3), dtype_or(dtype, widest(x, gain, bias))
    return as_call(map_of(body, shifted, scale, gain, bias, dtype=result, layout=layout), "layer_norm", epsilon=epsilon)


def _centre(x: TensorLike, compute: str) -> Spec:
    """The means of rows [..., 1]: of what each element is beyond the first of its row, and that. So a row of one value
    has just that, and a large mean takes no digits of the sum. Sums of up to 2^16 equal numbers of 16 bits are exact
    anyway."""
    given = type_of(x)
    last = given.rank - 1
    mean = lambda total: reductions.quotient(total, given, (last,))
    if last in given.dynamic_axes or dtype_row(given.dtype).bits <= 16 or given.shape[last] == 1:
        return map_of(mean(Arg(0)), reductions.sum(x, axis=-1, keepdims=True, dtype=compute), dtype=compute)
    beyond = reductions.sum(elementwise.sub(x, _firsts(x), dtype=compute), axis=-1, keepdims=True)
    return map_of(Arg(1) + mean(Arg(0)), beyond, _firsts(x), dtype=compute)


def _firsts(x: TensorLike) -> Spec:
    """The first element of each row [..., 1]."""
    given = type_of(x)
    dims, rest = dims_of(given.shape), 1 - given.shape[-1]
    sizes, border = {**dict(zip(dims, given.shape)), dims[-1]: 1}, Border((*((0, 0),) * (given.rank - 1), (0, rest)))
    every = " ".join(dims)
    return nest(Operation.of("first", every, (every,), every, Arg(0)), sizes, (x,), given.dtype, border=border)


def _inverse_deviation(squares: Spec, x: TensorType, epsilon: float) -> Spec:
    """1 / sqrt(mean + epsilon) of the squares of rows of x."""
    mean = reductions.quotient(Arg(0), x, (x.rank - 1,))
    total = reductions.sum(squares, axis=-1, keepdims=True)
    return map_of(apply("rsqrt", mean + epsilon), total)


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
        epsilon: a number that is added to the mean of the squares.
        dtype: of the result; the wider of the operands' where left out.

    Examples:
        >>> print(gt.rms_norm(gt.tensor((8, 4)), gt.tensor((4,))))
        rms_norm(f32[8,4], f32[4], epsilon=1e-06) -> f32[8,4]
    """
    epsilon = require_finite("rms_norm", "epsilon", epsilon)
    x, compute = one_input(x), compute_of("rms_norm", x)
    _require_rows("rms_norm", x, gain)
    scale = _inverse_deviation(map_of(Arg(0) * Arg(0), x, dtype=compute), type_of(x), epsilon)
    normed = map_of(Arg(0) * Arg(1) * Arg(2), x, scale, gain, dtype=dtype_or(dtype, widest(x, gain)), layout=layout)
    return as_call(normed, "rms_norm", epsilon=epsilon)


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
        epsilon: a number that is added to the variance.

    Examples:
        >>> c = gt.tensor((3,))
        >>> print(gt.batch_norm(gt.tensor((1, 3, 8, 8)), c, c, c, c))
        batch_norm(f32[1,3,8,8], f32[3], f32[3], f32[3], f32[3], epsilon=1e-05) -> f32[1,3,8,8]
    """
    epsilon = require_finite("batch_norm", "epsilon", epsilon)
    given, others = type_of(x), (mean, variance, gain, bias)
    compute = compute_dtype(*(compute_of("batch_norm", a) for a in (x, *others)))
    if given.rank < 2 or any(type_of(a).shape != given.shape[1:2] for a in others):
        raise SpecError(
            f"batch_norm expects x [n, c, ..], and mean, variance, gain and bias [c], found {given},"
            f" {', '.join(str(type_of(a)) for a in others)}"
        )
    args = x, mean, variance, gain, bias = tuple(map(one_input, (x, *others)))
    scale = map_of(apply("rsqrt", Arg(0) + epsilon) * Arg(1), variance, gain, dtype=compute)
    shift = map_of(Arg(0) - Arg(1) * Arg(2), bias, mean, scale, dtype=compute)
    dims, result = dims_of(given.shape), dtype_or(dtype, given.dtype)
    every, sizes = " ".join(dims), dict(zip(dims, given.shape))
    fold = Operation.of("batch_norm", every, (every, dims[1], dims[1]), every, Arg(0) * Arg(1) + Arg(2))
    folded = nest(fold, sizes, (x, scale, shift), result, layout)
    return as_call(in_order(folded, args), "batch_norm", epsilon=epsilon)


@call
def group_norm(
    x: TensorLike,
    groups: int,
    gain: TensorLike,
    bias: TensorLike,
    epsilon: float = 1e-5,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """(x - mean) * rsqrt(variance + epsilon) * gain + bias, mean and variance those of a group of channels of an image.

    Args:
        x: floats [n, c, ...].
        groups: into how many the channels are parted.
        gain: floats [c].
        bias: floats [c].
        epsilon: a number that is added to the variance.

    Examples:
        >>> c = gt.tensor((6,))
        >>> print(gt.group_norm(gt.tensor((1, 6, 8, 8)), 2, c, c))
        group_norm(f32[1,6,8,8], 2, f32[6], f32[6], epsilon=1e-05) -> f32[1,6,8,8]
    """
    epsilon = require_finite("group_norm", "epsilon", epsilon)
    groups = whole_number("group_norm", "groups", groups, 1)
    return _normed("group_norm", x, groups, (gain, bias), epsilon, ResultType(dtype, layout))


@call
def instance_norm(
    x: TensorLike,
    gain: TensorLike,
    bias: TensorLike,
    epsilon: float = 1e-5,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """(x - mean) * rsqrt(variance + epsilon) * gain + bias, mean and variance those of each channel of an image.

    Args:
        x: floats [n, c, ...].
        gain: floats [c].
        bias: floats [c].
        epsilon: a number that is added to the variance.

    Examples:
        >>> c = gt.tensor((3,))
        >>> print(gt.instance_norm(gt.tensor((1, 3, 8, 8)), c, c))
        instance_norm(f32[1,3,8,8], f32[3], f32[3], epsilon=1e-05) -> f32[1,3,8,8]
    """
    epsilon = require_finite("instance_norm", "epsilon", epsilon)
    channels = ([*type_of(x).shape, 1, 1])[1]
    return _normed("instance_norm", x, channels, (gain, bias), epsilon, ResultType(dtype, layout))


def _normed(
    name: str, x: TensorLike, groups: int, affine: tuple[TensorLike, TensorLike], epsilon: float, how: ResultType
) -> Spec:
    """x [n, c, ..] with channels g * (c / groups) + k, normed along all but n and g; times and plus `affine`."""
    gain, bias = affine
    given, others = type_of(x), (type_of(gain), type_of(bias))
    for each in (x, gain, bias):
        require_float(name, each)
    if given.rank < 2 or any(each.shape != given.shape[1:2] for each in others) or given.shape[1] % groups:
        raise SpecError(
            f"{name} expects x [n, c, ..], groups that divide c, and gain and bias [c], found {given}, {groups} groups,"
            f" {others[0]} and {others[1]}"
        )
    axes = tuple(range(2, given.rank))
    if groups == given.shape[1] and not axes or any(axis > 0 for axis in given.dynamic_axes):
        raise SpecError(f"{name} expects several elements in each group, and fixed sizes but for n, found {given}")
    x, of_group, rest = one_input(x), given.shape[1] // groups, dims_of(given.shape)[2:]
    channel = f"g*{of_group}+k" if of_group > 1 else "g"
    sizes = {"n": given.shape[0], "g": groups, "k": of_group, **dict(zip(rest, given.shape[2:]))}
    dims = " ".join(d for d in sizes if d != "k" or of_group > 1)
    every, compute = " ".join(("n", channel, *rest)), compute_dtype(given.dtype, *(each.dtype for each in others))
    count = Const(prod(given.shape[1:]) // groups)
    shifted = Arg(0) - Arg(1)
    total = nest(Operation.of("sum", dims, (every,), "n g", Arg(0), "add"), sizes, (x,), compute)
    mean = map_of(reductions.divided(Arg(0), count), total)
    squares = nest(
        Operation.of("squares", dims, (every, "n g"), "n g", shifted * shifted, "add"), sizes, (x, mean), compute
    )
    variance = reductions.divided(Arg(0), count)
    scale = map_of(apply("rsqrt", variance + epsilon), squares)
    body = shifted * Arg(2) * Arg(3) + Arg(4)
    inputs, args = (every, "n g", "n g", channel, channel), (x, mean, scale, gain, bias)
    result = dtype_or(how.dtype, given.dtype)
    normed = nest(Operation.of(name, dims, inputs, every, body), sizes, args, result, how.layout)
    return as_call(normed, name, epsilon=epsilon)


@call
def lrn(
    x: TensorLike,
    size: int,
    alpha: float = 1e-4,
    beta: float = 0.75,
    bias: float = 1.0,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """x / (bias + alpha / size * s) ** beta, with s the sum of the squares of `size` channels around each.

    Args:
        x: floats [n, c, h, w].
        size: channels that are summed over; of an even number there is one more behind than before.
        alpha: the factor of their mean.
        beta: the power.
        bias: the number that is added.

    Examples:
        >>> print(gt.lrn(gt.tensor((1, 6, 8, 8)), size=5))
        lrn(f32[1,6,8,8], size=5, alpha=0.0001, beta=0.75, bias=1) -> f32[1,6,8,8]
    """
    require_rank("lrn", type_of(x), "[n, c, h, w]")
    require_float("lrn", x)
    size = whole_number("lrn", "size", size, 1)
    alpha, beta, bias = (
        require_finite("lrn", key, value) for key, value in (("alpha", alpha), ("beta", beta), ("bias", bias))
    )
    x, given = one_input(x), type_of(x)
    compute, sizes = compute_dtype(given.dtype), dict(zip("nchwj", (*given.shape, size)))
    border = Border(((0, 0), ((size - 1) // 2, size // 2), (0, 0), (0, 0)))
    sums = Operation.of("squares", "n c h w j", ("n c+j h w",), "n c h w", Arg(0) * Arg(0), "add")
    squares = nest(sums, sizes, (x,), compute, border=border)
    body = Arg(0) / _power(Arg(1) * (alpha / size) + bias, beta)
    normed = map_of(body, x, squares, dtype=dtype_or(dtype, given.dtype), layout=layout)
    return as_call(normed, "lrn", size=size, alpha=alpha, beta=beta, bias=bias)


def _power(x: Expr, y: float) -> Expr:
    """x, above 0, to a power: by roots where that is a half or three quarters."""
    root = apply("sqrt", x)
    if y == 0.5:
        return root
    return root * apply("sqrt", root) if y == 0.75 else apply("power", x, y)
