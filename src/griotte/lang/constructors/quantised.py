"""Quantised numbers: whole numbers of few bits that stand for floats by a scale and a zero, scale * (q - zero).

    quantize(x, scale, zero)   = saturate(round(x / scale) + zero)
    dequantize(q, scale, zero) = (q - zero) * scale

Rounding is to the nearest whole number, half to even, as in ONNX; docs/quantised.md says exactly what is computed.
"""

from __future__ import annotations

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..types.dtypes import dtype as dtype_row
from ..types.dtypes import dtype_name, dtype_or, limits
from ..types.expr import Arg, Call, Const, Expr, substitute
from ..types.expr import args as inputs_of
from .arguments import require_type
from .language import DTypeLike, LayoutLike, TensorLike, Zero, call, forms_of
from .nesting import of, said, told, type_of

X = tuple(map(Arg, range(5)))


def applied(function: str, *args: Expr) -> Call:
    return Call(function, args)


def rounded(value: Expr, zero: Expr) -> Call:
    return applied("add", applied("round", value), zero)


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

    Example:
        >>> print(gt.quantize(gt.tensor((8, 4)), gt.tensor(()), gt.tensor((), "u8")))
        quantize(f32[8,4], f32[], u8[]) -> u8[8,4]
    """
    require_scale("quantize", x, what="an operand")
    require_scale("quantize", scale)
    body, args = with_numbers(rounded(applied("div", X[0], X[1]), X[2]), x, scale, zero)
    return told(
        of(body, *args, dtype=_result("quantize", zero, dtype), layout=layout), said("quantize", x, scale, zero)
    )


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

    Example:
        >>> print(gt.dequantize(gt.tensor((8, 4), "u8"), gt.tensor(()), 128))
        dequantize(u8[8,4], f32[], 128) -> f32[8,4]
    """
    require_scale("dequantize", scale)
    body, args = with_numbers(applied("mul", applied("sub", X[0], X[2]), X[1]), x, scale, zero)
    return told(
        of(body, *args, dtype=dtype_or(dtype, type_of(scale).dtype), layout=layout), said("dequantize", x, scale, zero)
    )


@call
def requantize(
    x: TensorLike, scale: TensorLike, zero: Zero, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """saturate(round(x * scale) + zero), computed in f32: what is done to the s32 sums of a product of 8-bit integers.

    Args:
        x: numbers, of any shape.
        scale: f32, bf16 or f16: a scalar, or of a shape that broadcasts with x.
        zero: s8, u8 or s4, likewise; or a number.
        dtype: of the result; that of `zero` where left out, which is needed where that is a number.

    Example:
        >>> print(gt.requantize(gt.tensor((8, 4), "s32"), gt.tensor(()), 128, dtype="u8"))
        requantize(s32[8,4], f32[], 128) -> u8[8,4]
    """
    require_scale("requantize", scale)
    body, args = with_numbers(rounded(applied("mul", X[0], X[1]), X[2]), x, scale, zero)
    return told(
        of(body, *args, dtype=_result("requantize", zero, dtype), layout=layout), said("requantize", x, scale, zero)
    )


def with_numbers(body: Expr, *args: TensorLike | int) -> tuple[Expr, tuple[TensorLike, ...]]:
    """A body with those of its arguments in it that are numbers, and the others that it takes."""
    kept = [i for i, x in enumerate(args) if i in inputs_of(body) and not isinstance(x, int)]
    exprs = tuple(
        Arg(kept.index(i)) if i in kept else Const(x) if isinstance(x, int) else Arg(0) for i, x in enumerate(args)
    )
    return substitute(body, exprs), tuple(x for i, x in enumerate(args) if i in kept and not isinstance(x, int))


def _result(name: str, zero: Zero, dtype: DTypeLike | None) -> str:
    """The dtype of what is quantised: that of its zero."""
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


FORMS = forms_of(quantize, dequantize, requantize)
