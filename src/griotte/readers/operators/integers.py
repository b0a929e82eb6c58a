"""Powers and shifts of integers, which wrap."""

from __future__ import annotations

import numpy as np

from .array import bits, call, kind, minimum, round_, where, wrapped
from .calls import Unsupported


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
    whole = round_(found)  # what is a whole number but for rounding is that number
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
