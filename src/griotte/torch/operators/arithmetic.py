"""Arithmetic of elements: torch computes in the dtype of the result, integers wrap."""

from __future__ import annotations

from math import inf, pi

import numpy as np

from ...readers import numbers
from ...readers.numbers import floor_quotient, wrapped
from .declaring import Unsupported, as_dtype, bits, in_f32, is_number, kind, operator


def joined(node, call: str, x, y, dtype: str = ""):
    """A call of two operands in a dtype, that of the result where none is told, integers wrapping."""
    dtype = dtype or node.dtype_given
    x, y = (as_dtype(node, each, dtype) for each in (x, y))
    if is_number(x):
        x = node.number(x, y)
    if kind(dtype) == "float":
        return node.call(call, x, y)
    return node.as_onnx({"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div"}[call], x, _of(node, y, x))


def _of(node, y, x):
    return node.number(y, x) if is_number(y) else y


@operator("add.Tensor", "add.Scalar", "sub.Tensor", "sub.Scalar", "rsub.Scalar", "rsub.Tensor")
def add(node, x, y, alpha=1):
    name = node.operator.split(".")[0]
    if name == "rsub":
        x, y = y, x
    if node.dtype_given == "pred":
        return node.call("logical_or", x, node.value(y))
    call = "add" if name == "add" else "sub"
    return joined(node, call, x, y) if alpha == 1 else in_f32(_scaled)(node, call, x, y, alpha)


def _scaled(node, call, x, y, alpha):
    dtype = node.dtype_within
    y = y * alpha if is_number(y) else joined(node, "mul", y, alpha, dtype)
    return joined(node, call, x, y, dtype)


@operator("mul.Tensor", "mul.Scalar")
def mul(node, x, y):
    if node.dtype_given == "pred":
        return node.call("logical_and", node.value(x), node.value(y))
    return joined(node, "mul", x, y)


@operator("div.Tensor", "div.Scalar", "true_divide.Tensor")
def div(node, x, y):
    return joined(node, "div", x, y)


@operator("div.Tensor_mode", "div.Scalar_mode", "floor_divide", "floor_divide.Scalar")
@in_f32
def divided(node, x, y, rounding_mode="floor"):
    dtype = node.dtype_within
    is_float = kind(dtype) == "float"
    if rounding_mode != "floor":
        found = joined(node, "div", x, y, dtype)
        return _cut(node, found) if is_float and rounding_mode else found
    x, y = (as_dtype(node, each, dtype) for each in (x, y))
    x = node.number(x, y) if is_number(x) else x
    if not is_float:
        narrow = bits(dtype) < 32
        found = floor_quotient(node, x, y, **({"dtype": "s32"} if narrow else {}))
        return wrapped(node, found, dtype) if narrow else found
    if is_number(y) and y == 0:
        return node.call("div", x, y)
    whole = node.call("sub", x, node.call("mod", x, y))
    found = node.call("round", node.call("div", whole, y))
    return found if is_number(y) else node.call("where", node.call("equal", y, 0), node.call("div", x, y), found)


@operator("trunc", "fix")
def trunc(node, x):
    return x if kind(node.dtype(x)) != "float" else _cut(node, x)


def _cut(node, x):
    """x without what is behind its point."""
    return node.call("where", node.call("less", x, 0), node.call("ceil", x), node.call("floor", x))


@operator("floor", "ceil", "round")
def rounded(node, x):
    return node.call(node.operator.split(".")[0], x) if kind(node.dtype(x)) == "float" else x


@operator("round.decimals")
@in_f32
def rounded_at(node, x, decimals=0):
    by = 10.0 ** abs(decimals)
    away, back = ("mul", "div") if decimals > 0 else ("div", "mul")
    return node.call(back, node.call("round", node.call(away, x, by)), by)


@operator("remainder.Tensor", "remainder.Scalar", "remainder.Scalar_Tensor")
def remainder(node, x, y):
    return _left(node, "mod", x, y)


@operator("fmod.Tensor", "fmod.Scalar")
def fmod(node, x, y):
    return _left(node, "fmod", x, y)


def _left(node, call, x, y):
    x, y = (as_dtype(node, each, node.dtype_given) for each in (x, y))
    return node.call(call, node.number(x, y) if is_number(x) else x, y)


@operator("abs", "neg", "sign", "sgn")
def signed(node, x):
    call = {"abs": "Abs", "neg": "Neg", "sign": "Sign", "sgn": "Sign"}[node.operator.split(".")[0]]
    if call == "Neg" and kind(node.dtype(x)) == "unsigned":
        return node.as_onnx("Sub", node.number(0, x), x)
    return node.as_onnx(call, x)


@operator("pow.Tensor_Scalar", "pow.Tensor_Tensor")
def power(node, x, y):
    x = node.cast(x, node.dtype_given)
    if is_number(y) and kind(node.dtype_given) == "float" and abs(y) == 0.5:  # torch's is the root: NaN of -inf
        return node.call("sqrt" if y > 0 else "rsqrt", x)
    if kind(node.dtype_given) == "float":
        return node.call("power", x, float(y) if is_number(y) else node.cast(y, node.dtype_given))
    return _whole_power(node, x, node.number(y, x).array if is_number(y) else y)


def _whole_power(node, x, y):
    """Of integers, which wrap."""
    dtype = node.dtype_given
    wide = dtype if bits(dtype) >= 32 else "s32"
    y = node.cast(y, wide) if node.is_value(y) else y.astype(node.numpy(wide))
    return wrapped(node, node.as_onnx("Pow", node.cast(x, wide), y), dtype)


@operator("pow.Scalar")
def power_of(node, x, y):
    dtype = node.dtype_given
    if kind(dtype) == "float":
        return node.call("power", float(x), node.cast(y, dtype))
    y = node.cast(y, dtype)
    return _whole_power(node, node.number(x, y), y)


@operator("hypot")
@in_f32
def hypot(node, x, y):
    """By the larger, so that no square is beyond what there is."""
    x, y = node.call("abs", x), node.call("abs", y)
    most = node.call("maximum", x, y)
    share = node.call("div", node.call("minimum", x, y), most)
    found = node.call("mul", most, node.call("sqrt", node.call("add", node.call("mul", share, share), 1.0)))
    found = node.call("where", node.call("equal", most, 0), most, found)
    endless = node.call("logical_or", node.call("equal", x, inf), node.call("equal", y, inf))
    return node.call("where", endless, node.number(inf, found), found)  # also beside a NaN


@operator("maximum", "minimum", "fmax", "fmin")
def extreme(node, x, y):
    name = node.operator.split(".")[0]
    call = "maximum" if "max" in name else "minimum"
    if node.dtype_given == "pred":
        return node.call("logical_or" if call == "maximum" else "logical_and", x, y)
    x, y = (node.cast(each, node.dtype_given) for each in (x, y))
    found = node.call(call, x, y)
    if not name.startswith("f") or kind(node.dtype_given) != "float":
        return found
    found = node.call("where", node.call("not_equal", x, x), y, found)
    return node.call("where", node.call("not_equal", y, y), x, found)


@operator("clamp", "clamp.Tensor", "clamp_min", "clamp_max", "clamp_min.Tensor", "clamp_max.Tensor")
def clamp(node, x, min=None, max=None):
    if node.operator.startswith("clamp_max"):
        min, max = None, min
    x = node.cast(x, node.dtype_given)
    for call, bound in (("maximum", min), ("minimum", max)):
        if bound is not None:
            x = node.call(call, x, as_dtype(node, bound, node.dtype_given))
    return x


@operator("atan2")
def atan2(node, y, x):
    return numbers.atan2(node, y, x)


@operator("bitwise_and.Tensor", "bitwise_or.Tensor", "bitwise_xor.Tensor")
@operator("bitwise_and.Scalar", "bitwise_or.Scalar", "bitwise_xor.Scalar")
@operator("__and__.Tensor", "__or__.Tensor", "__xor__.Tensor")
@operator("bitwise_and.Scalar_Tensor", "bitwise_or.Scalar_Tensor", "bitwise_xor.Scalar_Tensor")
def bitwise(node, x, y):
    how = node.operator.split(".")[0].strip("_").removeprefix("bitwise_")
    if is_number(x):
        x, y = y, x
    if is_number(y):
        y = node.number(y, x)
    if node.dtype_given == "pred":
        return node.call(f"logical_{how}", x, y)
    return node.call(f"bitwise_{how}", node.cast(x, node.dtype_given), node.cast(y, node.dtype_given))


@operator("bitwise_not")
def bitwise_not(node, x):
    return node.call("logical_not", x) if node.dtype(x) == "pred" else node.as_onnx("BitwiseNot", x)


@operator("bitwise_left_shift.Tensor", "bitwise_right_shift.Tensor", "bitwise_left_shift.Tensor_Scalar")
@operator("bitwise_right_shift.Tensor_Scalar", "__lshift__.Scalar", "__rshift__.Scalar")
@operator("__lshift__.Tensor", "__rshift__.Tensor", "bitwise_left_shift.Scalar_Tensor")
@operator("bitwise_right_shift.Scalar_Tensor")
def shifted(node, x, y):
    if is_number(x):
        x = node.number(x, y)
    direction = "LEFT" if "left" in node.operator or "lshift" in node.operator else "RIGHT"
    return node.as_onnx(
        "BitShift", x, node.number(y, x) if is_number(y) else node.cast(y, node.dtype(x)), direction=direction
    )


@operator("addcmul", "addcdiv")
@in_f32
def added(node, x, y, z, value=1):
    term = node.call("mul" if "mul" in node.operator else "div", y, z)
    if kind(node.dtype_given) != "float":
        raise Unsupported("of integers")
    return node.call("add", x, node.call("mul", term, float(value)) if value != 1 else term)


@operator("lerp.Scalar", "lerp.Tensor")
@in_f32
def lerp(node, x, y, weight):
    return node.call("add", x, node.call("mul", node.call("sub", y, x), weight))


@operator("signbit")
def signbit(node, x):
    """Of floats also where they are -0, of which the reciprocal is less."""
    if kind(node.dtype(x)) != "float":
        return node.call("less", x, 0) if kind(node.dtype(x)) == "signed" else np.zeros(node.shape, bool)
    return node.call("logical_or", node.call("less", x, 0), node.call("less", node.call("reciprocal", x), 0))


@operator("copysign.Tensor", "copysign.Scalar")
def copysign(node, x, y):
    dtype = node.dtype_given
    size = node.call("abs", node.cast(x, dtype))
    is_below = signbit(node, np.asarray(y, node.numpy(dtype)) if is_number(y) else node.value(y))
    return node.call("where", is_below, node.call("neg", size), size)


@operator("ldexp.Tensor")
@in_f32
def ldexp(node, x, y):
    dtype = node.dtype_within
    return node.call("mul", node.cast(x, dtype), node.call("power", 2.0, node.cast(y, dtype)))


@operator("angle")
def angle(node, x):
    x = node.cast(x, node.dtype_given)
    turned = node.call("where", node.call("less", x, 0), node.number(pi, x), node.number(0, x))
    return node.call("where", node.call("not_equal", x, x), x, turned)
