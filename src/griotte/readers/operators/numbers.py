"""What readers share that takes elements one by one: arithmetic that wraps, casts, functions made of others."""

from __future__ import annotations

import math
from math import inf, pi

import numpy as np
from ml_dtypes import finfo

from ...lang.types.dtypes import TINY, limits
from .array import (
    atan,
    bits,
    call,
    ceil,
    cos,
    dtype_among,
    erf,
    exp,
    expm1,
    floor,
    kind,
    log,
    log1p,
    maximum,
    minimum,
    numpy_of,
    sin,
    sqrt,
    where,
    wrapped,
)
from .kinds import in_f32


def floor_quotient(x, y):
    """The largest integer not above x / y: the truncated one or the one below. (x - x mod y would overflow.) Narrow
    integers are divided in s32, and wrap."""
    dtype = dtype_among(x, y)
    wide = {"dtype": "s32"} if bits(dtype) < 32 else {}
    cut, left = (call(name, x, y, **wide) for name in ("div", "mod"))
    whole = call("add", call("mul", cut, y, **wide), left, **wide) == x
    found = where(whole, cut, call("sub", cut, 1, **wide))
    return wrapped(found, dtype) if wide else found


def sign(x):
    if kind(x.dtype) == "float":
        return call("sign", x)
    found = minimum(x, 1)
    return found if kind(x.dtype) == "unsigned" else maximum(found, -1)


def converted(x, dtype: str, saturate: bool = True):
    """x as ONNX casts it: integers wrap, what is not 0 is true."""
    if dtype in TINY:
        return saturated(x, dtype) if saturate else x.astype(dtype)
    if x.is_known:
        with np.errstate(all="ignore"):
            return x.of(x.known.astype(numpy_of(dtype)))
    given = x.dtype
    if dtype == "pred" and given != "pred":
        return x != 0
    if kind(dtype) not in ("signed", "unsigned") or given == "pred":
        return x.astype(dtype)
    if kind(given) == "float":
        return wrapped(x.astype("s32"), dtype) if bits(dtype) < 8 else x.astype(dtype)
    loses_sign = kind(given) == "signed" and kind(dtype) == "unsigned"
    holds = dtype == given or bits(dtype) > bits(given) and not loses_sign
    return x.astype(dtype) if holds else wrapped(x, dtype)


def saturated(x, dtype: str):
    """x as floats of 8 bits or fewer: the largest where it is beyond."""
    x = x if x.dtype in ("f64", "f32", "f16", "bf16") else x.astype("f32")
    most = float(finfo(numpy_of(dtype)).max)
    return minimum(maximum(x, -most), most).astype(dtype)


def trunc(x):
    """x without what is behind its point."""
    return where(x < 0, ceil(x), floor(x)) if kind(x.dtype) == "float" else x


def exp2(x):
    """A power, which is right to a rounding; e^(x ln 2) is off by more the larger x is."""
    return 2.0**x


@in_f32
def erfc(x):
    """By erf: right to a rounding of 1, also where it is small."""
    return 1.0 - erf(x)


@in_f32
def tan(x):
    return sin(x) / cos(x)


@in_f32
def cosh(x):
    """(e^|x| + e^-|x|) / 2, of which the first is taken as a product, which overflows later."""
    x = abs(x)
    half = exp(x * 0.5)
    grown = half * 0.5 * half
    return grown + exp(-x) * 0.5


@in_f32
def sinh(x):
    size = abs(x)
    half = exp(size * 0.5)
    grown = half * 0.5 * half
    far = grown - exp(-size) * 0.5
    less = expm1(minimum(size, 2.0))
    near = (less + less / (less + 1.0)) * 0.5
    found = where(size < 1.0, near, far)
    return where(x < 0.0, -found, found)


@in_f32
def asinh(x):
    size = abs(x)
    small = minimum(size, 1e4)
    square = small * small
    root = sqrt(square + 1.0) + 1.0
    near = log1p(small + square / root)
    far = log(size) + math.log(2)
    found = where(size < 1e4, near, far)
    return where(x < 0.0, -found, found)


@in_f32
def acosh(x):
    """Below 1 it is NaN, as the root at 0 is."""
    beyond = maximum(minimum(x, 1e4), 0.0) - 1.0
    root = sqrt(beyond * (beyond + 2.0))
    near = log1p(beyond + root)
    return where(x < 1e4, near, log(x) + math.log(2))


@in_f32
def atanh(x):
    both = log1p(x) - log1p(-x)
    return both * 0.5


@in_f32
def atan2(y, x):
    """The angle of (x, y), by the quotient that is at most 1, and the half and the quarter that it is in; -0 is 0."""
    if "f64" in (x.dtype, y.dtype):
        x, y = x.astype("f64"), y.astype("f64")
    high, wide = abs(y), abs(x)
    most, least = maximum(high, wide), minimum(high, wide)
    share = where(high == wide, x.number(1), least / most)
    angle = atan(where(most == 0.0, x.number(0), share))
    angle = where(high > wide, pi / 2 - angle, angle)
    angle = where(x < 0.0, pi - angle, angle)
    return where(y < 0.0, -angle, angle)


@in_f32
def logaddexp(x, y):
    """By the larger, which is taken out of the sum."""
    most = maximum(x, y)
    return where(abs(most) < inf, most + log1p(exp(-abs(x - y))), most)


@in_f32
def hypot(x, y):
    """By the larger, so that no square is beyond what there is."""
    x, y = abs(x), abs(y)
    most = maximum(x, y)
    share = minimum(x, y) / most
    found = most * sqrt(share * share + 1.0)
    found = where(most == 0, most, found)
    endless = (x == inf) | (y == inf)
    return where(endless, found.number(inf), found)  # also beside a NaN


def reversed_order(x):
    """x, of which the smallest is the largest."""
    dtype = x.dtype
    if kind(dtype) == "float":
        return -x
    return (limits(dtype)[1] if kind(dtype) == "unsigned" else -1) - x
