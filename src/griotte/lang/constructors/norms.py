"""Norms of images: over groups of channels, over each channel, and of each place by its neighbours' channels."""

from __future__ import annotations

from math import prod

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..calls.written import Written
from ..nests.operation import Border
from ..types.dtypes import compute_dtype, dtype_or
from ..types.expr import Arg, Call, Const, Expr
from . import operations as op
from . import reductions
from .language import DTypeLike, LayoutLike, TensorLike, call, forms_of
from .nesting import nest, of, once, said, told, type_of
from .windows import require_rank, whole_number


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
        epsilon: what is added to the variance.
        dtype: of the result; that of x where left out.

    Example:
        >>> c = gt.tensor((6,))
        >>> print(gt.group_norm(gt.tensor((1, 6, 8, 8)), 2, c, c))
        group_norm(f32[1,6,8,8], 2, f32[6], f32[6], epsilon=1e-05) -> f32[1,6,8,8]
    """
    epsilon = op._number("group_norm", "epsilon", epsilon)
    groups = whole_number("group_norm", "groups", groups, 1)
    text = said("group_norm", x, groups, gain, bias, rest=f", epsilon={op._number_text(epsilon)}")
    return _normed("group_norm", x, groups, gain, bias, epsilon, dtype, layout, text)


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
        epsilon: what is added to the variance.
        dtype: of the result; that of x where left out.

    Example:
        >>> c = gt.tensor((3,))
        >>> print(gt.instance_norm(gt.tensor((1, 3, 8, 8)), c, c))
        instance_norm(f32[1,3,8,8], f32[3], f32[3], epsilon=1e-05) -> f32[1,3,8,8]
    """
    epsilon = op._number("instance_norm", "epsilon", epsilon)
    text = said("instance_norm", x, gain, bias, rest=f", epsilon={op._number_text(epsilon)}")
    channels = ([*type_of(x).shape, 1, 1])[1]
    return _normed("instance_norm", x, channels, gain, bias, epsilon, dtype, layout, text)


def _normed(
    name: str,
    x: TensorLike,
    groups: int,
    gain: TensorLike,
    bias: TensorLike,
    epsilon: float,
    dtype: DTypeLike | None,
    layout: LayoutLike | None,
    text: Written,
) -> Spec:
    """x [n, c, ..] with channels g * (c / groups) + k, normed along all but n and g."""
    given, others = type_of(x), (type_of(gain), type_of(bias))
    for each in (x, gain, bias):
        op.require_float(name, each)
    if given.rank < 2 or any(each.shape != given.shape[1:2] for each in others) or given.shape[1] % groups:
        raise SpecError(
            f"{name} expects x [n, c, ..], groups that divide c, and gain and bias [c], found {given}, {groups} groups,"
            f" {others[0]} and {others[1]}"
        )
    axes = tuple(range(2, given.rank))
    if groups == given.shape[1] and not axes or any(axis > 0 for axis in given.dynamic_axes):
        raise SpecError(f"{name} expects several elements in each group, and fixed sizes but for n, found {given}")
    x, of_group, rest = once(x), given.shape[1] // groups, op._dims(given.shape)[2:]
    channel = f"g*{of_group}+k" if of_group > 1 else "g"
    sizes = {"n": given.shape[0], "g": groups, "k": of_group, **dict(zip(rest, given.shape[2:]))}
    dims = " ".join(d for d in sizes if d != "k" or of_group > 1)
    every, compute = " ".join(("n", channel, *rest)), compute_dtype(given.dtype, *(each.dtype for each in others))
    count = Const(prod(given.shape[1:]) // groups)
    shifted = Call("sub", (Arg(0), Arg(1)))
    square = Call("mul", (shifted, shifted))
    total = nest("sum", dims, (every,), "n g", Arg(0), "add", sizes, (x,), compute)
    mean = of(reductions.divided(Arg(0), count), total)
    squares = nest("squares", dims, (every, "n g"), "n g", square, "add", sizes, (x, mean), compute)
    variance = reductions.divided(Arg(0), count)
    scale = of(Call("rsqrt", (Call("add", (variance, Const(epsilon))),)), squares)
    body = Call("add", (Call("mul", (Call("mul", (shifted, Arg(2))), Arg(3))), Arg(4)))
    inputs, args = (every, "n g", "n g", channel, channel), (x, mean, scale, gain, bias)
    result = dtype_or(dtype, given.dtype)
    return told(nest(name, dims, inputs, every, body, None, sizes, args, result, layout), text)


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
        bias: what is added.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.lrn(gt.tensor((1, 6, 8, 8)), size=5))
        lrn(f32[1,6,8,8], size=5, alpha=0.0001, beta=0.75, bias=1) -> f32[1,6,8,8]
    """
    require_rank("lrn", type_of(x), "[n, c, h, w]")
    op.require_float("lrn", x)
    size = whole_number("lrn", "size", size, 1)
    alpha, beta, bias = (
        op._number("lrn", key, value) for key, value in (("alpha", alpha), ("beta", beta), ("bias", bias))
    )
    numbers = ", ".join(f"{key}={op._number_text(v)}" for key, v in (("alpha", alpha), ("beta", beta), ("bias", bias)))
    text = said("lrn", x, rest=f", size={size}, {numbers}")
    x, given = once(x), type_of(x)
    compute, sizes = compute_dtype(given.dtype), dict(zip("nchwj", (*given.shape, size)))
    border = Border(((0, 0), ((size - 1) // 2, size // 2), (0, 0), (0, 0)))
    square = Call("mul", (Arg(0), Arg(0)))
    squares = nest(
        "squares", "n c h w j", ("n c+j h w",), "n c h w", square, "add", sizes, (x,), compute, border=border
    )
    around = Call("add", (Call("mul", (Arg(1), Const(alpha / size))), Const(bias)))
    body = Call("div", (Arg(0), _power(around, beta)))
    return told(of(body, x, squares, dtype=dtype_or(dtype, given.dtype), layout=layout), text)


def _power(x: Expr, y: float) -> Expr:
    """x, above 0, to a power: by roots where that is a half or three quarters."""
    root = Call("sqrt", (x,))
    if y == 0.5:
        return root
    return Call("mul", (root, Call("sqrt", (root,)))) if y == 0.75 else Call("power", (x, Const(y)))


FORMS = forms_of(group_norm, instance_norm, lrn)
