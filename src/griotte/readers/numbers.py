"""What readers share that takes elements one by one: arithmetic that wraps, casts, functions made of others."""

from __future__ import annotations

from math import log, pi

import numpy as np
from ml_dtypes import finfo

from ..ir.dtypes import TINY, limits
from .kinds import bits, in_f32, kind

ALIKE = tuple("acos asin atan cos erf exp expm1 log log1p rsqrt sin sqrt tanh".split())
"""Functions of one element that frameworks name as the language does."""


def wrapping(node, call: str, *operands):
    """Arithmetic that wraps, as ONNX's does: that of narrow integers is done in s32."""
    dtype = node.dtype(operands[0])
    if kind(dtype) == "float" or bits(dtype) >= 32:
        return node.call(call, *operands)
    return wrapped(node, node.call(call, *operands, dtype="s32"), dtype)


def wrapped(node, x, dtype: str):
    """Wide integers as an integer dtype, of which they have the last bits."""
    n, given = bits(dtype), node.dtype(x)
    if n >= 32:
        return node.cast(x, dtype)
    if bits(given) < 32:
        x, given = node.cast(x, "s32"), "s32"
    if kind(dtype) == "unsigned":
        return node.call("cast", node.call("mod", x, 1 << n), dtype=dtype)
    x = node.cast(x, "s32")
    moved = node.call("mod", node.call("add", x, 1 << (n - 1)), 1 << n)
    return node.call("cast", node.call("sub", moved, 1 << (n - 1)), dtype=dtype)


def over_s32(node, call: str, x, **how):
    """A sum, a product, or a running one, whose narrow integers wrap as those of frameworks do."""
    dtype = node.dtype(x)
    if kind(dtype) not in ("signed", "unsigned") or bits(dtype) >= 32:
        return node.call(call, x, **how)
    return wrapped(node, node.call(call, node.cast(x, "s32"), **how), dtype)


def floor_quotient(node, x, y, **given):
    """The largest integer not above x / y: the truncated one or the one below. (x - x mod y would overflow.)"""
    cut, left = (node.call(call, x, y, **given) for call in ("div", "mod"))
    whole = node.call("equal", node.call("add", node.call("mul", cut, y, **given), left, **given), x)
    return node.call("where", whole, cut, node.call("sub", cut, 1, **given))


def sign(node, x):
    if kind(node.dtype(x)) == "float":
        return node.call("sign", x)
    found = node.call("minimum", x, 1)
    return found if kind(node.dtype(x)) == "unsigned" else node.call("maximum", found, -1)


def converted(node, x, dtype: str):
    """x as ONNX casts it: integers wrap, what is not 0 is true."""
    if dtype in TINY:
        return saturated(node, x, dtype)
    if not node.is_value(x):
        with np.errstate(all="ignore"):
            return np.asarray(x).astype(node.numpy(dtype))
    given = x.type.dtype
    if dtype == "pred" and given != "pred":
        return node.call("not_equal", x, 0)
    if kind(dtype) not in ("signed", "unsigned") or given == "pred":
        return node.cast(x, dtype)
    if kind(given) == "float":
        return wrapped(node, node.cast(x, "s32"), dtype) if bits(dtype) < 8 else node.cast(x, dtype)
    loses_sign = kind(given) == "signed" and kind(dtype) == "unsigned"
    holds = dtype == given or bits(dtype) > bits(given) and not loses_sign
    return node.cast(x, dtype) if holds else wrapped(node, x, dtype)


def saturated(node, x, dtype: str):
    """x as floats of 8 bits or fewer: the largest where it is beyond, unless the node says otherwise."""
    x, given = node.value(x), node.dtype(x)
    if node.attribute("saturate", 1):
        x = x if given in ("f64", "f32", "f16", "bf16") else node.cast(x, "f32")
        most = float(finfo(node.numpy(dtype)).max)
        x = node.call("minimum", node.call("maximum", x, -most), most)
    return node.cast(x, dtype)


@in_f32
def tan(node, x):
    return node.call("div", node.call("sin", x), node.call("cos", x))


@in_f32
def cosh(node, x):
    """(e^|x| + e^-|x|) / 2, of which the first is taken as a product, which overflows later."""
    x = node.call("abs", x)
    half = node.call("exp", node.call("mul", x, 0.5))
    grown = node.call("mul", node.call("mul", half, 0.5), half)
    return node.call("add", grown, node.call("mul", node.call("exp", node.call("neg", x)), 0.5))


@in_f32
def sinh(node, x):
    size = node.call("abs", x)
    half = node.call("exp", node.call("mul", size, 0.5))
    grown = node.call("mul", node.call("mul", half, 0.5), half)
    far = node.call("sub", grown, node.call("mul", node.call("exp", node.call("neg", size)), 0.5))
    less = node.call("expm1", node.call("minimum", size, 2.0))
    near = node.call("mul", node.call("add", less, node.call("div", less, node.call("add", less, 1.0))), 0.5)
    found = node.call("where", node.call("less", size, 1.0), near, far)
    return node.call("where", node.call("less", x, 0.0), node.call("neg", found), found)


@in_f32
def asinh(node, x):
    size = node.call("abs", x)
    small = node.call("minimum", size, 1e4)
    square = node.call("mul", small, small)
    root = node.call("add", node.call("sqrt", node.call("add", square, 1.0)), 1.0)
    near = node.call("log1p", node.call("add", small, node.call("div", square, root)))
    far = node.call("add", node.call("log", size), log(2))
    found = node.call("where", node.call("less", size, 1e4), near, far)
    return node.call("where", node.call("less", x, 0.0), node.call("neg", found), found)


@in_f32
def acosh(node, x):
    """Below 1 it is NaN, as the root at 0 is."""
    beyond = node.call("sub", node.call("maximum", node.call("minimum", x, 1e4), 0.0), 1.0)
    root = node.call("sqrt", node.call("mul", beyond, node.call("add", beyond, 2.0)))
    near = node.call("log1p", node.call("add", beyond, root))
    return node.call("where", node.call("less", x, 1e4), near, node.call("add", node.call("log", x), log(2)))


@in_f32
def atanh(node, x):
    both = node.call("sub", node.call("log1p", x), node.call("log1p", node.call("neg", x)))
    return node.call("mul", both, 0.5)


@in_f32
def atan2(node, y, x):
    """The angle of (x, y); on the axis of negative x that of a y that is no negative zero."""
    if "f64" in (node.dtype(x), node.dtype(y)):
        x, y = node.cast(x, "f64"), node.cast(y, "f64")
    own = node.call("atan", node.call("div", y, x))
    turned = node.call("where", node.call("less", y, 0), node.call("sub", own, pi), node.call("add", own, pi))
    found = node.call("where", node.call("less", x, 0), turned, own)
    is_none = node.call("logical_and", node.call("equal", x, 0), node.call("equal", y, 0))
    return node.call("where", is_none, node.number(0, found), found)


def bitwise_not(node, x):
    dtype = node.dtype(x)
    if bits(dtype) >= 32:
        return node.call("sub", node.call("neg", x), 1)
    if kind(dtype) == "signed":
        return node.call("sub", -1, x)
    return node.call("sub", (1 << bits(dtype)) - 1, x)


def reversed_order(node, x):
    """x, of which the smallest is the largest."""
    dtype = node.dtype(x)
    if kind(dtype) == "float":
        return node.call("neg", x)
    return node.call("sub", limits(dtype)[1] if kind(dtype) == "unsigned" else -1, x)
