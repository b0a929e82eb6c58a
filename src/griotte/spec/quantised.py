"""Quantised operations: whole numbers of few bits that stand for floats by a scale and a zero, scale * (q - zero).

    quantize(x, scale, zero)   = saturate(round(x / scale) + zero)
    dequantize(q, scale, zero) = (q - zero) * scale

Rounding is to the nearest whole number, half to even, as in ONNX; docs/quantised.md says exactly what is computed.
"""

from __future__ import annotations

from ..errors import SpecError
from . import operations as op
from .compose import in_order
from .composites import Operand, nest, of, once, told, type_of
from .dtypes import dtype as dtype_row
from .expr import Arg, Call, Const, Expr
from .spec import Spec

_X = tuple(map(Arg, range(5)))


def _call(function: str, *args: Expr) -> Call:
    return Call(function, args)


def _rounded(value: Expr, zero: Expr) -> Call:
    return _call("add", _call("round", value), zero)


def _narrow(name: str, what: str, x: Operand) -> None:
    found = type_of(x)
    if dtype_row(found.dtype).kind not in ("signed", "unsigned") or dtype_row(found.dtype).bits > 8:
        raise SpecError(f"{name} expects {what} of s8, u8 or s4, found {found}")


def _scale(name: str, *scales: Operand) -> None:
    for scale in scales:
        if type_of(scale).dtype not in ("f32", "bf16", "f16"):
            raise SpecError(f"{name} expects scales of f32, bf16 or f16, found {type_of(scale)}")


def quantize(x: Operand, scale: Operand, zero: Operand, dtype: str | None = None, *, layout=None) -> Spec:
    """saturate(round(x / scale) + zero) in f32, to the dtype of `zero`; scale and zero broadcast: a scalar, or one for each channel. NaN becomes 0."""
    _narrow("quantize", "a zero", zero)
    _scale("quantize", x, scale)
    body = _rounded(_call("div", _X[0], _X[1]), _X[2])
    return told(of(body, x, scale, zero, dtype=dtype or type_of(zero).dtype, layout=layout), f"quantize({x}, {scale}, {zero})")


def dequantize(x: Operand, scale: Operand, zero: Operand, dtype: str | None = None, *, layout=None) -> Spec:
    """(x - zero) * scale in f32, to the dtype of `scale`."""
    _scale("dequantize", scale)
    body = _call("mul", _call("sub", _X[0], _X[2]), _X[1])
    return told(of(body, x, scale, zero, dtype=dtype or type_of(scale).dtype, layout=layout), f"dequantize({x}, {scale}, {zero})")


def requantize(x: Operand, scale: Operand, zero: Operand, dtype: str | None = None, *, layout=None) -> Spec:
    """saturate(round(x * scale) + zero) in f32, to the dtype of `zero`: what is done to the s32 sums of a product of 8-bit integers."""
    _narrow("requantize", "a zero", zero)
    _scale("requantize", scale)
    body = _rounded(_call("mul", _X[0], _X[1]), _X[2])
    return told(of(body, x, scale, zero, dtype=dtype or type_of(zero).dtype, layout=layout), f"requantize({x}, {scale}, {zero})")


def qmatmul(
    a: Operand, a_scale: Operand, a_zero: Operand, b: Operand, b_scale: Operand, b_zero: Operand, y_scale: Operand, y_zero: Operand, dtype: str | None = None, *, layout=None
) -> Spec:
    """ONNX's QLinearMatMul: the sum over k of (a - a_zero) (b - b_zero), exactly, in s32; requantised by a_scale * b_scale / y_scale and y_zero.

    Scales and zeros are scalars, or broadcast against the result: one for each row [m, 1], or for each column [n]. The zeros are taken off the sums of whole rows and
    columns, which is the same in whole numbers: sum(a b) - a_zero sum(b) - b_zero sum(a) + k a_zero b_zero.
    """
    text = f"qmatmul({', '.join(map(str, (a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero)))})"
    for what, x in (("operands", a), ("operands", b), ("zeros", a_zero), ("zeros", b_zero), ("zeros", y_zero)):
        _narrow("qmatmul", what, x)
    _scale("qmatmul", a_scale, b_scale, y_scale)
    args = a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = tuple(map(once, (a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero)))
    products = op.matmul(a, b, dtype="s32")
    rows, columns = op.sum(a, axis=-1, keepdims=True, dtype="s32"), op.sum(b, axis=-2, keepdims=True, dtype="s32")
    depth = Const(type_of(a).shape[-1])
    constant = _call("mul", _call("mul", _X[1], _X[2]), depth)
    body = _call("sub", _call("sub", _call("add", _X[0], constant), _call("mul", _X[1], _X[3])), _call("mul", _X[2], _X[4]))
    whole = of(body, products, a_zero, b_zero, columns, rows, dtype="s32")
    factor = of(_call("div", _call("mul", _X[0], _X[1]), _X[2]), a_scale, b_scale, y_scale, dtype="f32")
    return told(in_order(requantize(whole, factor, y_zero, dtype, layout=layout), args), text)


def group_matmul(x: Operand, w: Operand, scales: Operand, activations: str = "", dtype: str | None = None, *, layout=None) -> Spec:
    """x [..., m, k] by weights w [n, g, s] with a scale [n, g] for each group of s, k = g s: y[m, n] = sum over g of scales[n, g] * (sum over s of x[m, g s + s'] * w[n, g, s']).

    In f32. With activations=s8 each group of x is first quantised: to round(127 x / max|x|), half to even, with a scale of its own, max|x| / 127.
    """
    text = f"group_matmul({x}, {w}, {scales}{f', activations={activations}' if activations else ''})"
    xt, wt, st = map(type_of, (x, w, scales))
    _narrow("group_matmul", "weights", w)
    _scale("group_matmul", x, scales)
    if activations not in ("", "s8"):
        raise SpecError(f"group_matmul expects activations to be s8, or left out, found {activations}")
    if xt.rank < 2 or wt.rank != 3 or st.shape != wt.shape[:2] or xt.shape[-1] != wt.shape[1] * wt.shape[2]:
        raise SpecError(f"group_matmul expects x [..., m, g s], w [n, g, s] and scales [n, g], found {xt}, {wt} and {st}")
    front, (n, groups, size) = op._dims(xt.shape[:-2]), wt.shape
    b, sizes, result = " ".join(front), dict(zip(front, xt.shape)) | {"m": xt.shape[-2], "n": n, "g": groups, "s": size}, dtype or xt.dtype
    read = f"{b} m g*{size}+s"
    if not activations:
        product = _call("mul", _call("mul", _X[0], _X[1]), _X[2])
        return told(nest("group_matmul", f"{b} m n g s", (read, "n g s", "n g"), f"{b} m n", product, "add", sizes, (x, w, scales), result, layout, keep="n"), text)
    x = once(x)
    largest = nest("largest", f"{b} m g s", (read,), f"{b} m g", _call("abs", _X[0]), "maximum", sizes, (x,), "f32")
    own = of(_call("mul", _X[0], Const(1 / 127)), largest, dtype="f32")
    whole = nest("quantize", f"{b} m g s", (read, f"{b} m g"), f"{b} m g s", _call("round", _call("div", *_X[:2])), None, sizes, (x, own), "s8")
    product = _call("mul", _call("mul", _call("mul", *_X[:2]), _X[2]), _X[3])
    inputs = (f"{b} m g s", "n g s", "n g", f"{b} m g")
    return told(nest("group_matmul", f"{b} m n g s", inputs, f"{b} m n", product, "add", sizes, (whole, w, scales, own), result, layout, keep="n"), text)


FORMS: dict[str, op.Form] = {
    "quantize": op.Form(quantize, 3),
    "dequantize": op.Form(dequantize, 3),
    "requantize": op.Form(requantize, 3),
    "qmatmul": op.Form(qmatmul, 8),
    "group_matmul": op.Form(group_matmul, 3, ("activations",)),
}
