"""Functions of single elements: torch computes in the dtype of the result, integers wrap."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, pi
from operator import invert, neg
from typing import Any

import numpy as np

from ...readers.operators import numbers, special
from ...readers.operators.array import (
    ALIKE,
    COMPARED,
    bits,
    call,
    expm1,
    kind,
    log,
    maximum,
    minimum,
    numpy_of,
    reciprocal,
    round_,
    where,
    wrapped,
    wrapping,
)
from ...readers.operators.kinds import in_f32, in_s32
from ...readers.operators.numbers import (
    acosh,
    asinh,
    atan2,
    atanh,
    cosh,
    erfc,
    exp2,
    floor_quotient,
    hypot,
    sign,
    sinh,
    tan,
    trunc,
)
from ...readers.tables import OperatorTable
from .declaring import as_dtype, is_number


def both(x, y):
    """Two operands; the first is an array."""
    return (y.number(x) if is_number(x) else x), y


def joined(node, called: str, x, y, dtype: str = ""):
    """A call of two operands in a dtype, else that of the result; integers wrap."""
    dtype = dtype or node.dtype_given
    x, y = both(*(as_dtype(each, dtype) for each in (x, y)))
    return wrapping(called, x, x.number(y) if is_number(y) and kind(dtype) != "float" else y)


def add(node, x, y, alpha, called="add"):
    if node.dtype_given == "pred":
        return x | y
    return joined(node, called, x, y) if alpha == 1 else in_f32(_scaled)(node, called, x, y, alpha)


def _scaled(node, called, x, y, alpha):
    dtype = node.dtype_within
    y = y * alpha if is_number(y) else joined(node, "mul", y, alpha, dtype)
    return joined(node, called, x, y, dtype)


@in_f32
def divided(node, x, y, rounding_mode):
    dtype = node.dtype_within
    is_float = kind(dtype) == "float"
    if rounding_mode != "floor":
        result = joined(node, "div", x, y, dtype)
        return trunc(result) if is_float and rounding_mode else result
    x, y = both(*(as_dtype(each, dtype) for each in (x, y)))
    if not is_float:
        return floor_quotient(x, y)
    if is_number(y) and y == 0:
        return x / y
    result = round_((x - x % y) / y)
    return result if is_number(y) else where(y == 0, x / y, result)


def left(called: str, node, x, y):
    """What a division leaves."""
    return call(called, *both(*(as_dtype(each, node.dtype_given) for each in (x, y))))


def power(node, x, y):
    dtype = node.dtype_given
    x, y = (as_dtype(each, dtype) for each in (x, y))
    if kind(dtype) == "float":
        is_root = is_number(y) and abs(y) == 0.5  # NaN of -inf
        return call("sqrt" if y > 0 else "rsqrt", x) if is_root else x**y
    x, y = both(x, y)
    return in_s32(numbers.power)(x, x.number(y) if is_number(y) else y)


def extreme(called: str, node, x, y, skips_nan=False):
    dtype = node.dtype_given
    if dtype == "pred":
        return x | y if called == "maximum" else x & y
    x, y = (each.astype(dtype) for each in (x, y))
    result = call(called, x, y)
    return where(y != y, x, where(x != x, y, result)) if skips_nan and kind(dtype) == "float" else result


def clamp(node, x, min, max):
    x = x.astype(node.dtype_given)
    for called, bound in (("maximum", min), ("minimum", max)):
        if bound is not None:
            x = call(called, x, as_dtype(bound, node.dtype_given))
    return x


def bitwise(how: str, node, x, y):
    x, y = (y, x) if is_number(x) else (x, y)
    y = x.number(y) if is_number(y) else y
    if node.dtype_given == "pred":
        return call(f"logical_{how}", x, y)
    return call(f"bitwise_{how}", x.astype(node.dtype_given), y.astype(node.dtype_given))


def shifted(is_left: bool, x, y):
    x, y = both(x, y)
    return numbers.shifted(x, x.number(y) if is_number(y) else y.astype(x.dtype), is_left)


def copysign(node, x, y):
    dtype = node.dtype_given
    size = abs(x.astype(dtype))
    is_below = signbit(node, np.asarray(y, numpy_of(dtype)) if is_number(y) else y)
    return where(is_below, -size, size)


@in_f32
def ldexp(node, x, y):
    return x.astype(node.dtype_within) * 2.0 ** y.astype(node.dtype_within)


def compared(called: str, node, x, y):
    """In the dtype that both have in torch."""
    dtype = node.dtype_shared
    if dtype == "pred":
        if is_number(y):
            y = np.asarray(bool(y))
        if called in ("equal", "not_equal"):
            return x ^ y if called == "not_equal" else ~(x ^ y)
        dtype = "u8"
    return call(called, as_dtype(x, dtype), as_dtype(y, dtype))


def logical(how: str, x, y):
    return call(f"logical_{how}", holds(x), holds(y))


def where_(node, condition, x, y):
    dtype = node.dtype_given
    one, other = (np.asarray(e, numpy_of(dtype)) if is_number(e) else e.astype(dtype) for e in (x, y))
    if dtype == "pred":
        one, other = (e.astype("u8") for e in (one, other))
    return where(holds(condition), one, other)


def _every(kinds: str, names: str) -> str:
    """Names with each of these overloads."""
    return " ".join(f"{name}.{kind}" for name in names.split() for kind in kinds.split())


SCALARS, SHIFTS = "Tensor Scalar Scalar_Tensor", "Tensor Tensor_Scalar Scalar_Tensor"


def in_own_dtype(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one array in the dtype of the result: integers are floats there."""
    return lambda node, x: function(x.astype(node.dtype_given))


def holds(x):
    """Where x is not 0."""
    return x if x.dtype == "pred" else x != 0


def rounded(called: str, x):
    return call(called, x) if kind(x.dtype) == "float" else x


@in_f32
def rounded_at(x, decimals):
    by = 10.0 ** abs(decimals)
    return round_(x * by) / by if decimals > 0 else round_(x / by) * by


def signbit(node, x):
    """Of floats also where they are -0, whose reciprocal is less than 0."""
    if kind(x.dtype) != "float":
        return x < 0 if kind(x.dtype) == "signed" else np.zeros(node.shape, bool)
    return (x < 0) | (reciprocal(x) < 0)


def angle(x):
    return where(x != x, x, where(x < 0, x.number(pi), x.number(0)))


@in_f32
def elu(x, alpha, scale, input_scale):
    if scale == input_scale == 1:
        return call("elu", x, alpha=float(alpha))
    below = expm1(x * float(input_scale)) * (float(alpha) * float(scale))
    return where(x > 0, x * float(scale), below)


def isinf(node, x):
    return abs(x) == inf if kind(x.dtype) == "float" else np.zeros(node.shape, bool)


IN_OWN_DTYPE: tuple[tuple[str, Callable[..., Any]], ...] = (
    *((name, partial(call, name)) for name in (*ALIKE, "reciprocal", "relu", "sigmoid")),
    ("acosh", acosh),
    ("angle", angle),
    ("asinh", asinh),
    ("atanh", atanh),
    ("cosh", cosh),
    ("digamma", special.digamma),
    ("erfc", erfc),
    ("erfinv", special.erf_inv),
    ("exp2", exp2),
    ("i0 special_modified_bessel_i0", special.bessel_i0),
    ("lgamma", special.lgamma),
    ("log2", lambda x: log(x) * 1.4426950408889634),
    ("log10", lambda x: log(x) * 0.4342944819032518),
    ("sinh", sinh),
    ("special_i0e", partial(special.bessel_i0, scaled=True)),
    ("special_i1 special_modified_bessel_i1", special.bessel_i1),
    ("special_i1e", partial(special.bessel_i1, scaled=True)),
    ("tan", tan),
)
"""Functions of floats: of integers they are in the dtype of the result."""


def converted(x, dtype: str):
    """x as a dtype; of floats narrow integers are the last bits of what s32 has."""
    is_narrow = kind(dtype) in ("signed", "unsigned") and bits(dtype) < 32
    if is_narrow and kind(x.dtype) == "float":
        return wrapped(x.astype("s32"), dtype)
    return numbers.converted(x, dtype)


def to_copy(node, x):
    return converted(x, node.dtype_given)


OPERATORS: OperatorTable = (
    ("_to_copy prims.convert_element_type.default", to_copy),
    ("add.Tensor add.Scalar", add),
    ("sub.Tensor sub.Scalar", partial(add, called="sub")),
    ("mul.Tensor mul.Scalar", lambda node, x, y: x & y if node.dtype_given == "pred" else joined(node, "mul", x, y)),
    ("div.Tensor div.Scalar", lambda node, x, y: joined(node, "div", x, y)),
    ("div.Tensor_mode div.Scalar_mode", divided),
    (_every(SCALARS, "remainder"), partial(left, "mod")),
    ("fmod.Tensor fmod.Scalar", partial(left, "fmod")),
    ("pow.Tensor_Scalar pow.Tensor_Tensor pow.Scalar", power),
    ("maximum", partial(extreme, "maximum")),
    ("minimum", partial(extreme, "minimum")),
    ("fmax", partial(extreme, "maximum", skips_nan=True)),
    ("fmin", partial(extreme, "minimum", skips_nan=True)),
    ("clamp clamp.Tensor", clamp),
    *((f"{_every(SCALARS, f'bitwise_{how}')}", partial(bitwise, how)) for how in ("and", "or", "xor")),
    ("copysign.Tensor copysign.Scalar", copysign),
    ("ldexp.Tensor", ldexp),
    *((_every("Tensor Scalar", name), partial(compared, called)) for name, called in COMPARED.items()),
    ("where.self", where_),
    ("atan2", atan2),
    ("hypot", hypot),
    *((f"logical_{how}", partial(logical, how)) for how in ("and", "or", "xor")),
    (f"{_every(SHIFTS, 'bitwise_left_shift')} __lshift__.Scalar __lshift__.Tensor", partial(shifted, True)),
    (f"{_every(SHIFTS, 'bitwise_right_shift')} __rshift__.Scalar __rshift__.Tensor", partial(shifted, False)),
    *((names, in_own_dtype(function)) for names, function in IN_OWN_DTYPE),
    ("isinf", isinf),
    ("polygamma", lambda node, n, x: special.polygamma(n, x.astype(node.dtype_given))),
    ("signbit", signbit),
    ("abs", abs),
    ("bitwise_not", invert),
    *((name, partial(rounded, name)) for name in ("ceil", "floor", "round")),
    ("elu", elu),
    ("gelu", lambda x, approximate: call("gelu", x, approximate="tanh" if approximate == "tanh" else None)),
    ("hardtanh", lambda x, min_val, max_val: minimum(maximum(x, min_val), max_val)),
    ("isnan", lambda x: x != x),
    ("leaky_relu", lambda x, negative_slope: call("leaky_relu", x, alpha=negative_slope)),
    ("logical_not", lambda x: ~holds(x)),
    ("neg", neg),
    ("round.decimals", rounded_at),
    ("sign", sign),
    ("trunc", trunc),
)
