"""Quantised numbers: whole numbers of few bits that stand for floats by a scale and a zero, scale * (q - zero).

    quantize(x, scale, zero)   = saturate(round(x / scale) + zero)
    dequantize(q, scale, zero) = (q - zero) * scale

Rounding is to the nearest whole number, half to even, as in ONNX; docs/howto/quantised.md has the exact formulas. And
products with weights of few bits that have a scale for each group.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..nests.operation import Operation
from ..types.dtypes import dtype as dtype_row
from ..types.dtypes import dtype_name, dtype_or, limits
from ..types.expr import Arg, Const, Expr, apply, substitute
from ..types.expr import args as inputs_of
from .language import DTypeLike, LayoutLike, TensorLike, Zero, call, require_type
from .nesting import as_call, dims_of, map_of, nest, one_input, type_of

X = tuple(map(Arg, range(5)))


def rounded(value: Expr, zero: Expr) -> Expr:
    return apply("round", value) + zero


def require_narrow(name: str, what: str, x: TensorLike) -> None:
    found = require_type(name, x)
    if dtype_row(found.dtype).kind not in ("signed", "unsigned") or dtype_row(found.dtype).bits > 8:
        raise SpecError(f"{name} expects {what} of s8, u8 or s4, found {found}")


def require_scale(name: str, *scales: TensorLike, what: str = "scales") -> None:
    for scale in scales:
        if require_type(name, scale).dtype not in ("f32", "bf16", "f16"):
            raise SpecError(f"{name} expects {what} of f32, bf16 or f16, found {type_of(scale)}")


@call
def quantize(
    x: TensorLike, scale: TensorLike, zero: Zero, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """saturate(round(x / scale) + zero), computed in f32; NaN becomes 0.

    Args:
        x: f32, bf16 or f16, of any shape.
        scale: f32, bf16 or f16: a scalar, or of a shape that broadcasts with x.
        zero: s8, u8 or s4, likewise; or a number.
        dtype: of the result; that of `zero` where left out, which is needed where that is a number.

    Examples:
        >>> print(gt.quantize(gt.tensor((8, 4)), gt.tensor(()), gt.tensor((), "u8")))
        quantize(f32[8,4], f32[], u8[]) -> u8[8,4]
    """
    require_scale("quantize", x, what="an operand")
    require_scale("quantize", scale)
    body, args = with_numbers(rounded(X[0] / X[1], X[2]), x, scale, zero)
    return as_call(map_of(body, *args, dtype=_result("quantize", zero, dtype), layout=layout), "quantize")


@call
def dequantize(
    x: TensorLike, scale: TensorLike, zero: Zero, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """(x - zero) * scale, computed in f32.

    Args:
        x: integers, of any shape.
        scale: f32, bf16 or f16: a scalar, or of a shape that broadcasts with x.
        zero: integers, likewise; or a number.
        dtype: of the result; that of `scale` where left out.

    Examples:
        >>> print(gt.dequantize(gt.tensor((8, 4), "u8"), gt.tensor(()), 128))
        dequantize(u8[8,4], f32[], 128) -> f32[8,4]
    """
    require_scale("dequantize", scale)
    body, args = with_numbers((X[0] - X[2]) * X[1], x, scale, zero)
    return as_call(map_of(body, *args, dtype=dtype_or(dtype, type_of(scale).dtype), layout=layout), "dequantize")


@call
def requantize(
    x: TensorLike, scale: TensorLike, zero: Zero, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """saturate(round(x * scale) + zero), computed in f32: the step after a product of 8-bit integers, on its s32 sums.

    Args:
        x: numbers, of any shape.
        scale: f32, bf16 or f16: a scalar, or of a shape that broadcasts with x.
        zero: s8, u8 or s4, likewise; or a number.
        dtype: of the result; that of `zero` where left out, which is needed where that is a number.

    Examples:
        >>> print(gt.requantize(gt.tensor((8, 4), "s32"), gt.tensor(()), 128, dtype="u8"))
        requantize(s32[8,4], f32[], 128) -> u8[8,4]
    """
    require_scale("requantize", scale)
    body, args = with_numbers(rounded(X[0] * X[1], X[2]), x, scale, zero)
    return as_call(map_of(body, *args, dtype=_result("requantize", zero, dtype), layout=layout), "requantize")


def with_numbers(body: Expr, *args: TensorLike | int) -> tuple[Expr, tuple[TensorLike, ...]]:
    """A body with those of its arguments in it that are numbers, and the others that it takes."""
    kept = [i for i, x in enumerate(args) if i in inputs_of(body) and not isinstance(x, int)]
    exprs = tuple(
        Arg(kept.index(i)) if i in kept else Const(x) if isinstance(x, int) else Arg(0) for i, x in enumerate(args)
    )
    return substitute(body, exprs), tuple(x for i, x in enumerate(args) if i in kept and not isinstance(x, int))


def _result(name: str, zero: Zero, dtype: DTypeLike | None) -> str:
    """The dtype of the quantised numbers: that of their zero."""
    if isinstance(zero, int):
        if dtype is None:
            raise SpecError(
                f"{name} expects the type of its result where the zero is a number, found none beside {zero}; write it"
                " after the call, as in -> u8[8], or dtype='u8'"
            )
        result = dtype_name(dtype)
        _zero(name, zero, result)
        return result
    require_narrow(name, "a zero", zero)
    return dtype_or(dtype, type_of(zero).dtype)


def _zero(name: str, zero: Zero, dtype: str) -> None:
    """That a zero is of s8, u8 or s4, or a number of `dtype`, that of what it is the zero of."""
    if not isinstance(zero, int):
        return require_narrow(name, "zeros", zero)
    least, most = limits(dtype)
    if not least <= zero <= most:
        raise SpecError(f"{name} expects a zero of {dtype}, {least} to {most}, found {zero}")


def require_product(
    name: str,
    factors: tuple[TensorLike, TensorLike],
    scales: tuple[TensorLike, ...],
    zeros: tuple[Zero, Zero, Zero],
    dtype: DTypeLike | None,
) -> str:
    """The dtype of the result of a product, which has a scale and a zero as each of its factors."""
    for x in factors:
        require_narrow(name, "operands", x)
    result = dtype_or(dtype, type_of(factors[0] if isinstance(zeros[2], int) else zeros[2]).dtype)
    for zero, of_dtype in zip(zeros, (*(type_of(x).dtype for x in factors), result)):
        _zero(name, zero, of_dtype)
    require_scale(name, *scales)
    return result


@call
def group_matmul(
    x: TensorLike,
    w: TensorLike,
    scales: TensorLike,
    activations: str = "",
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """A product with weights that have a scale for each group of s along k, in f32.

    y[m, n] = sum over g of scales[n, g] * (sum over s' < s of x[m, g s + s'] * w[n, g, s']).

    Args:
        x: f32, bf16 or f16 [..., m, k], with k = g s.
        w: s8, u8 or s4 [n, g, s].
        scales: f32, bf16 or f16 [n, g].
        activations: With "s8" each group of x is first quantised, to round(127 x / max|x|), half to even, with a scale
            of its own, max|x| / 127. With "s24" it becomes whole numbers of 24 bits, with the scale max|x| / 8.2e6.
            That is about as exact as f32 holds the largest of the group. With "" x is taken as it is.
        dtype: of the result [..., m, n]; that of x where left out.

    Examples:
        >>> print(gt.group_matmul(gt.tensor((1, 64)), gt.tensor((8, 2, 32), "s4"), gt.tensor((8, 2))))
        group_matmul(f32[1,64], s4[8,2,32], f32[8,2]) -> f32[1,8]
    """
    xt, wt, st = map(type_of, (x, w, scales))
    require_narrow("group_matmul", "weights", w)
    require_scale("group_matmul", x, what="activations")
    require_scale("group_matmul", scales)
    if activations and activations not in _WHOLE:
        raise SpecError(f"group_matmul expects activations to be s8, s24, or left out, found {activations}")
    if xt.rank < 2 or wt.rank != 3 or st.shape != wt.shape[:2] or xt.shape[-1] != wt.shape[1] * wt.shape[2]:
        raise SpecError(
            f"group_matmul expects x [..., m, g s], w [n, g, s] and scales [n, g], found {xt}, {wt} and {st}"
        )
    front, (n, groups, size) = dims_of(xt.shape[:-2]), wt.shape
    sizes = dict(zip(front, xt.shape)) | {"m": xt.shape[-2], "n": n, "g": groups, "s": size}
    b = " ".join(front)
    read = f"{b} m g*{size}+s"

    def product(body: Expr, *args: TensorLike) -> Spec:
        inputs = (read if args[0] is x else f"{b} m g s", "n g s", "n g", f"{b} m g")[: len(args)]
        sums = Operation.of("group_matmul", f"{b} m n g s", inputs, f"{b} m n", body, "add")
        made = nest(replace(sums, keep=("n",)), sizes, args, dtype_or(dtype, xt.dtype), layout)
        return as_call(made, "group_matmul", activations=activations or None)

    if not activations:
        return product(X[0] * X[1] * X[2], x, w, scales)
    x, given = one_input(x), _WHOLE[activations]
    largest = Operation.of("largest", f"{b} m g s", (read,), f"{b} m g", apply("abs", X[0]), "maximum")
    own = map_of(given.own, nest(largest, sizes, (x,), "f32"), dtype="f32")
    quantise = Operation.of("quantize", f"{b} m g s", (read, f"{b} m g"), f"{b} m g s", apply("round", X[0] / X[1]))
    whole = nest(quantise, sizes, (x, own), given.dtype)
    return product(given.product, whole, w, scales, own)


class WholeNumbers(NamedTuple):
    """Activations as whole numbers: their dtype, the scale of a group by its largest, what a product adds."""

    dtype: str
    own: Expr
    product: Expr


_STEPS = 8_200_000  # from 0 to the largest of a group
_BOUND = 8_300_000  # beyond which nothing is: kernels hold these numbers in three signed bytes
_LEAST = 2.0**-126  # the smallest normal: a smaller scale would have few bits
_WHOLE = {
    "s8": WholeNumbers("s8", X[0] * (1 / 127), X[0] * X[1] * X[2] * X[3]),
    "s24": WholeNumbers(
        "s32",
        apply("maximum", X[0] * (1 / _STEPS), _LEAST),
        apply("maximum", apply("minimum", X[0], _BOUND), -_BOUND) * X[1] * X[2] * X[3],
    ),
}
