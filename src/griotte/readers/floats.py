"""Floats by their bits: the order of all of them, and neighbours."""

from __future__ import annotations

from math import inf

import numpy as np

from ..ir.dtypes import limits
from ..models.graph import ModelValue
from .kinds import bits


def bits_as(node, x, dtype: str):
    """The bits of x as another dtype."""
    x = node.value(x)
    if x.type.dtype == dtype:
        return x
    if x.array is not None and bits(x.type.dtype) == bits(dtype):
        return np.ascontiguousarray(x.array).reshape(-1).view(node.numpy(dtype)).reshape(x.type.shape)
    (found,) = node.array_call("bits", x, dtype=dtype)
    return found


def whole(node, x) -> ModelValue:
    """The bits of floats as whole numbers with signs, of 32 bits at least."""
    found = node.value(bits_as(node, x, f"s{bits(node.dtype(x))}"))
    return node.cast(found, "s32") if bits(found.type.dtype) < 32 else found


def of_whole(node, x, dtype: str):
    """The floats of a dtype that have these bits."""
    return bits_as(node, node.cast(x, f"s{bits(dtype)}"), dtype)


def turned(node, x, dtype: str):
    """Of bits of floats as whole numbers what is in their order, from -NaN and -inf by -0 and 0 to inf and NaN; of that
    the bits."""
    flipped = node.call("bitwise_xor", x, node.number(limits(f"s{bits(dtype)}")[1], x))
    return node.call("where", node.call("less", x, 0), flipped, x)


def next_after(node, x, y):
    """The float next to x on the way to y."""
    dtype = node.dtype(x)
    a, b = whole(node, x), whole(node, y)
    least, most = (node.number(n, a) for n in limits(f"s{bits(dtype)}"))
    sizes = [node.call("bitwise_and", each, most) for each in (a, b)]
    rises = node.call("less", turned(node, a, dtype), turned(node, b, dtype))
    grows = node.call("equal", node.cast(rises, "s32"), node.cast(node.call("greater_equal", a, 0), "s32"))
    found = node.call("add", a, node.call("where", grows, node.number(1, a), node.number(-1, a)))
    smallest = node.call("bitwise_or", node.call("bitwise_and", b, least), node.number(1, a))
    found = node.call("where", node.call("equal", sizes[0], 0), smallest, found)
    are_none = node.call("equal", node.call("maximum", *sizes), 0)
    same = node.call("logical_or", node.call("equal", a, b), are_none)
    found = node.call("where", same, b, found)
    last = np.asarray(inf, node.numpy(dtype)).view(node.numpy(f"s{bits(dtype)}"))
    is_nan = node.call("greater", node.call("maximum", *sizes), node.number(int(last), a))
    return of_whole(node, node.call("where", is_nan, most, found), dtype)
