"""Floats by their bits: the order of all of them, and neighbours."""

from __future__ import annotations

from math import inf

import numpy as np

from ...lang.types.dtypes import limits
from .array import Array, array_call, bits, maximum, where


def bits_as(x: Array, dtype: str) -> Array:
    """The bits of x as another dtype."""
    if x.dtype == dtype:
        return x
    if x.known is not None and bits(x.dtype) == bits(dtype):
        return x.of(np.ascontiguousarray(x.known).reshape(-1).view(x.calls.numpy(dtype)).reshape(x.shape))
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
    """Of bits of floats as whole numbers what is in their order, from -NaN and -inf by -0 and 0 to inf and NaN; of that
    the bits."""
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
    last = np.asarray(inf, x.numpy).view(x.calls.numpy(f"s{bits(dtype)}"))
    return of_whole(where(maximum(*sizes) > a.number(int(last)), most, found), dtype)
