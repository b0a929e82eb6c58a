"""Arithmetic of elements: torch computes in the dtype of the result, integers wrap."""

from __future__ import annotations

from math import pi
from operator import neg
from typing import Any

import numpy as np

from ...operators import integers, numbers
from ...operators.array import (
    bits,
    call,
    ceil,
    floor,
    kind,
    numpy_of,
    reciprocal,
    round_,
    where,
    wrapped,
    wrapping,
)
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32
from ...operators.numbers import floor_quotient, hypot, sign
from ...readers.tables import OperatorTable
from .declaring import as_dtype, is_number


def joined(node, called: str, x, y, dtype: str = ""):
    """A call of two operands in a dtype, that of the result where none is told, integers wrapping."""
    dtype = dtype or node.dtype_given
    x, y = (as_dtype(each, dtype) for each in (x, y))
    if is_number(x):
        x = y.number(x)
    return wrapping(called, x, x.number(y) if is_number(y) and kind(dtype) != "float" else y)


def add(node, x, y, alpha=1):
    name = node.operator.split(".")[0]
    if name == "rsub":
        x, y = y, x
    if node.dtype_given == "pred":
        return x | y
    called = "add" if name == "add" else "sub"
    return joined(node, called, x, y) if alpha == 1 else in_f32(_scaled)(node, called, x, y, alpha)


def _scaled(node, called, x, y, alpha):
    dtype = node.dtype_within
    y = y * alpha if is_number(y) else joined(node, "mul", y, alpha, dtype)
    return joined(node, called, x, y, dtype)


def mul(node, x, y):
    if node.dtype_given == "pred":
        return x & y
    return joined(node, "mul", x, y)


def div(node, x, y):
    return joined(node, "div", x, y)


@in_f32
def divided(node, x, y, rounding_mode="floor"):
    dtype = node.dtype_within
    is_float = kind(dtype) == "float"
    if rounding_mode != "floor":
        found = joined(node, "div", x, y, dtype)
        return _cut(found) if is_float and rounding_mode else found
    x, y = (as_dtype(each, dtype) for each in (x, y))
    x = y.number(x) if is_number(x) else x
    if not is_float:
        narrow = bits(dtype) < 32
        found = floor_quotient(x, y, **({"dtype": "s32"} if narrow else {}))
        return wrapped(found, dtype) if narrow else found
    if is_number(y) and y == 0:
        return x / y
    whole = x - x % y
    found = round_(whole / y)
    return found if is_number(y) else where(y == 0, x / y, found)


def trunc(x):
    return x if kind(x.dtype) != "float" else _cut(x)


def _cut(x):
    """x without what is behind its point."""
    return where(x < 0, ceil(x), floor(x))


def rounded(node, x):
    return call(node.operator.split(".")[0], x) if kind(x.dtype) == "float" else x


@in_f32
def rounded_at(x, decimals=0):
    by = 10.0 ** abs(decimals)
    away, back = ("mul", "div") if decimals > 0 else ("div", "mul")
    return call(back, round_(call(away, x, by)), by)


def remainder(node, x, y):
    return _left(node, "mod", x, y)


def fmod_(node, x, y):
    return _left(node, "fmod", x, y)


def _left(node, called, x, y):
    x, y = (as_dtype(each, node.dtype_given) for each in (x, y))
    return call(called, y.number(x) if is_number(x) else x, y)


def signed(node, x):
    functions: dict[str, Any] = {"abs": abs, "neg": neg, "sign": sign, "sgn": sign}
    return functions[node.operator.split(".")[0]](x)


def power(node, x, y):
    x = x.astype(node.dtype_given)
    if is_number(y) and kind(node.dtype_given) == "float" and abs(y) == 0.5:  # torch's is the root: NaN of -inf
        return call("sqrt" if y > 0 else "rsqrt", x)
    if kind(node.dtype_given) == "float":
        return x ** (float(y) if is_number(y) else y.astype(node.dtype_given))
    return _whole_power(node, x, x.number(y) if is_number(y) else y)


def _whole_power(node, x, y):
    """Of integers, which wrap."""
    dtype = node.dtype_given
    wide = dtype if bits(dtype) >= 32 else "s32"
    y = y.astype(wide)
    return wrapped(integers.power(x.astype(wide), y), dtype)


def power_of(node, x, y):
    dtype = node.dtype_given
    if kind(dtype) == "float":
        return float(x) ** y.astype(dtype)
    y = y.astype(dtype)
    return _whole_power(node, y.number(x), y)


def extreme(node, x, y):
    name = node.operator.split(".")[0]
    called = "maximum" if "max" in name else "minimum"
    if node.dtype_given == "pred":
        return call("logical_or" if called == "maximum" else "logical_and", x, y)
    x, y = (each.astype(node.dtype_given) for each in (x, y))
    found = call(called, x, y)
    if not name.startswith("f") or kind(node.dtype_given) != "float":
        return found
    found = where(x != x, y, found)
    return where(y != y, x, found)


def clamp(node, x, min=None, max=None):
    if node.operator.startswith("clamp_max"):
        min, max = None, min
    x = x.astype(node.dtype_given)
    for called, bound in (("maximum", min), ("minimum", max)):
        if bound is not None:
            x = call(called, x, as_dtype(bound, node.dtype_given))
    return x


def atan2(y, x):
    return numbers.atan2(y, x)


def bitwise(node, x, y):
    how = node.operator.split(".")[0].strip("_").removeprefix("bitwise_")
    if is_number(x):
        x, y = y, x
    if is_number(y):
        y = x.number(y)
    if node.dtype_given == "pred":
        return call(f"logical_{how}", x, y)
    return call(f"bitwise_{how}", x.astype(node.dtype_given), y.astype(node.dtype_given))


def bitwise_not(node, x):
    return ~x


def shifted(node, x, y):
    if is_number(x):
        x = y.number(x)
    is_left = "left" in node.operator or "lshift" in node.operator
    return integers.shifted(x, x.number(y) if is_number(y) else y.astype(x.dtype), is_left)


@in_f32
def added(node, x, y, z, value=1):
    term = call("mul" if "mul" in node.operator else "div", y, z)
    if kind(node.dtype_given) != "float":
        raise Unsupported("of integers")
    return x + (term * float(value) if value != 1 else term)


@in_f32
def lerp(x, y, weight):
    return x + (y - x) * weight


def signbit(node, x):
    """Of floats also where they are -0, of which the reciprocal is less."""
    if kind(x.dtype) != "float":
        return x < 0 if kind(x.dtype) == "signed" else np.zeros(node.shape, bool)
    return (x < 0) | (reciprocal(x) < 0)


def copysign(node, x, y):
    dtype = node.dtype_given
    size = abs(x.astype(dtype))
    is_below = signbit(node, np.asarray(y, numpy_of(dtype)) if is_number(y) else y)
    return where(is_below, -size, size)


@in_f32
def ldexp(node, x, y):
    dtype = node.dtype_within
    return x.astype(dtype) * 2.0 ** y.astype(dtype)


def angle(node, x):
    x = x.astype(node.dtype_given)
    turned = where(x < 0, x.number(pi), x.number(0))
    return where(x != x, x, turned)


OPERATORS: OperatorTable = (
    ("div.Tensor div.Scalar true_divide.Tensor", div),
    ("add.Tensor add.Scalar sub.Tensor sub.Scalar rsub.Scalar rsub.Tensor", add),
    ("mul.Tensor mul.Scalar", mul),
    ("div.Tensor_mode div.Scalar_mode floor_divide floor_divide.Scalar", divided),
    ("floor ceil round", rounded),
    ("remainder.Tensor remainder.Scalar remainder.Scalar_Tensor", remainder),
    ("fmod.Tensor fmod.Scalar", fmod_),
    ("abs neg sign sgn", signed),
    ("pow.Tensor_Scalar pow.Tensor_Tensor", power),
    ("pow.Scalar", power_of),
    ("maximum minimum fmax fmin", extreme),
    ("clamp clamp.Tensor clamp_min clamp_max clamp_min.Tensor clamp_max.Tensor", clamp),
    (
        (
            "bitwise_and.Tensor bitwise_or.Tensor bitwise_xor.Tensor bitwise_and.Scalar bitwise_or.Scalar "
            "bitwise_xor.Scalar __and__.Tensor __or__.Tensor __xor__.Tensor bitwise_and.Scalar_Tensor "
            "bitwise_or.Scalar_Tensor bitwise_xor.Scalar_Tensor"
        ),
        bitwise,
    ),
    ("bitwise_not", bitwise_not),
    (
        (
            "bitwise_left_shift.Tensor bitwise_right_shift.Tensor bitwise_left_shift.Tensor_Scalar "
            "bitwise_right_shift.Tensor_Scalar __lshift__.Scalar __rshift__.Scalar __lshift__.Tensor "
            "__rshift__.Tensor bitwise_left_shift.Scalar_Tensor bitwise_right_shift.Scalar_Tensor"
        ),
        shifted,
    ),
    ("addcmul addcdiv", added),
    ("signbit", signbit),
    ("copysign.Tensor copysign.Scalar", copysign),
    ("ldexp.Tensor", ldexp),
    ("angle", angle),
)


FUNCTIONS: OperatorTable = (
    ("trunc fix", trunc),
    ("round.decimals", rounded_at),
    ("hypot", hypot),
    ("atan2", atan2),
    ("lerp.Scalar lerp.Tensor", lerp),
)
