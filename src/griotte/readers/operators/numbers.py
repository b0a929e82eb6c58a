"""What readers share that takes elements one by one: arithmetic that wraps, casts, functions made of others; powers and
shifts of integers; floats by their bits, in their order."""

from __future__ import annotations

import math
from math import inf, pi

import numpy as np
from ml_dtypes import finfo

from ...lang.types.dtypes import TINY, limits
from .array import (
    Array,
    array_call,
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
    round_,
    sin,
    sqrt,
    where,
    wrapped,
)
from .calls import Unsupported
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
    """x as ONNX casts it: integers wrap, numbers other than 0 are true."""
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
    """x rounded toward 0."""
    return where(x < 0, ceil(x), floor(x)) if kind(x.dtype) == "float" else x


def exp2(x):
    """A power, right to a rounding; the error of e^(x ln 2) grows with x."""
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
    """(e^|x| + e^-|x|) / 2; e^|x| is a product of two halves, which overflows later."""
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
    """The larger is taken out of the sum."""
    most = maximum(x, y)
    return where(abs(most) < inf, most + log1p(exp(-abs(x - y))), most)


@in_f32
def hypot(x, y):
    """The larger is taken out of the root, so that no square overflows."""
    x, y = abs(x), abs(y)
    most = maximum(x, y)
    share = minimum(x, y) / most
    found = most * sqrt(share * share + 1.0)
    found = where(most == 0, most, found)
    endless = (x == inf) | (y == inf)
    return where(endless, found.number(inf), found)  # also beside a NaN


def reversed_order(x):
    """x in reversed order: the smallest becomes the largest."""
    dtype = x.dtype
    if kind(dtype) == "float":
        return -x
    return (limits(dtype)[1] if kind(dtype) == "unsigned" else -1) - x


def power(x, y):
    dtype, other = x.dtype, y.dtype
    number = None
    if y.is_known and np.asarray(y).size == 1:
        number = float(np.asarray(y).reshape(()))
    if number in (1, 2, 3) and np.asarray(y).ndim <= x.ndim:
        return x if number == 1 else (x**number if bits(dtype) >= 32 else _cut(x, number))
    if kind(dtype) == "float":
        exponent = number if number is not None and np.asarray(y).ndim <= x.ndim else y.astype(dtype)
        return x**exponent
    if kind(other) != "float":
        return _whole_power(x, y)
    found = x.astype("f64") ** y.astype("f64")
    whole = round_(found)  # a whole number but for rounding becomes that number
    off = abs(found - whole)
    is_whole = off <= abs(whole) * 1e-13
    return where(is_whole, whole, found).astype(dtype)


def _whole_power(x, y):
    """By squares, exactly; of exponents of 64 and more, which only 0, 1 and -1 are without overflow, the parity."""
    dtype = x.dtype
    size = y.astype(dtype) if kind(y.dtype) == "unsigned" else abs(y.astype(dtype))
    parity = size % 2 + 62
    left = where(size < 64, size, parity)
    base, one, none = x, x.number(1), x.number(0)
    found = one
    for turn in range(6):
        is_odd = left % 2 == 1
        found = where(is_odd, found * base, found)
        if turn < 5:
            base, left = base * base, left / 2
    is_unit = x * x == one
    below = where(is_unit, found, none)
    return where(y < 0, below, found)


def _cut(x, number: float):
    if kind(x.dtype) == "float":
        return x**number
    raise Unsupported("a power of narrow integers")


def shifted(x, by, is_left: bool):
    """Products with, or quotients by, powers of 2. By less than 0, or by as many places as there are, all are lost."""
    dtype = x.dtype
    n = bits(dtype)
    if kind(dtype) == "signed" and not is_left:
        return _down(x, by, n)
    whole = np.uint64 if n > 32 else np.uint32
    powers = np.left_shift(whole(1), np.arange(n, dtype=whole))
    wide = x.astype("u64" if n > 32 else "u32")
    found = call("mul" if is_left else "div", wide, x.of(powers).take(_places(by, n - 1), 0))
    is_within = by < n
    if kind(dtype) == "signed":
        is_within = is_within & (by >= 0)
    return wrapped(where(is_within, found, whole(0)), dtype)


def _places(by, most: int):
    """How many places are moved by, as row numbers."""
    least = minimum(by, most)
    return least.astype("s32") if bits(by.dtype) > 32 else least


def _down(x, by, n: int):
    """A signed shift to the right: whole quotients, rounded down."""
    whole = np.int64 if n > 32 else np.int32
    powers = np.left_shift(whole(1), np.arange(n - 1, dtype=whole))
    power = x.of(powers).take(_places(by, n - 2), 0)
    wide = x.astype("s64" if n > 32 else "s32")
    found = (wide - wide % power) / power
    is_within = (by < n - 1) & (by >= 0)
    sign = where(wide < 0, whole(-1), whole(0))
    return where(is_within, found, sign).astype(x.dtype)


def powered(x, n: int):
    """x to a power of 1 or more, by products of squares."""
    found = None
    while True:
        if n & 1:
            found = x if found is None else found * x
        n >>= 1
        if not n:
            return found
        x = x * x


def bits_as(x: Array, dtype: str) -> Array:
    """The bits of x as another dtype."""
    if x.dtype == dtype:
        return x
    if x.known is not None and bits(x.dtype) == bits(dtype):
        return x.of(np.ascontiguousarray(x.known).reshape(-1).view(numpy_of(dtype)).reshape(x.shape))
    (found,) = array_call("bits", x, dtype=dtype)
    return found


def whole(x: Array) -> Array:
    """The bits of floats as whole numbers with signs, of 32 bits at least."""
    found = bits_as(x, f"s{bits(x.dtype)}")
    return found.astype("s32") if bits(found.dtype) < 32 else found


def of_whole(x: Array, dtype: str) -> Array:
    """The floats of a dtype that have these bits."""
    return bits_as(x.astype(f"s{bits(dtype)}"), dtype)


def in_order(x: Array, dtype: str) -> Array:
    """Whole numbers in the order of floats, from the bits of floats: from -NaN and -inf by -0 and 0 to inf and NaN.
    From such numbers the bits."""
    return where(x < 0, x ^ x.number(limits(f"s{bits(dtype)}")[1]), x)


def next_after(x: Array, y: Array) -> Array:
    """The float next to x on the way to y."""
    dtype, a, b = x.dtype, whole(x), whole(y)
    least, most = (a.number(n) for n in limits(f"s{bits(dtype)}"))
    sizes = [a & most, b & most]
    rises, is_above = in_order(a, dtype) < in_order(b, dtype), a >= 0
    found = a + where(rises.astype("s32") == is_above.astype("s32"), a.number(1), a.number(-1))
    found = where(sizes[0] == 0, b & least | a.number(1), found)
    found = where((a == b) | (maximum(*sizes) == 0), b, found)
    last = np.asarray(inf, x.numpy).view(numpy_of(f"s{bits(dtype)}"))
    return of_whole(where(maximum(*sizes) > a.number(int(last)), most, found), dtype)
