"""Reductions along axes, running ones, and what is largest."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from ...ir.dtypes import limits
from ...readers import floats
from ...readers.moving import padded, reshaped, sliced
from ...readers.numbers import reversed_order, wrapped, wrapping
from .declaring import Unsupported, bits, in_f32, kind, operator, over_u8


@operator("reduce_sum", "reduce_prod")
def reduced(node, x, axes, **how):
    """Integers wrap: of narrow ones it is that of wider ones."""
    if not axes:
        return x
    dtype, call = node.dtype(x), node.operator.removeprefix("reduce_")
    if kind(dtype) == "float":
        return node.call(call, x, axis=tuple(axes))
    wide = dtype if bits(dtype) >= 32 else "s32"
    return wrapped(node, node.call(call, node.cast(x, wide), axis=tuple(axes)), dtype)


@operator("reduce_max", "reduce_min")
@over_u8
def extreme(node, x, axes, **how):
    return node.call(node.operator.removeprefix("reduce_"), x, axis=tuple(axes)) if axes else x


@operator("reduce_and", "reduce_or", "reduce_xor")
def logic(node, x, axes, **how):
    """Of conditions the least, the largest, or whether there is an odd number of them; of integers by halves."""
    if not axes:
        return x
    how_ = node.operator.removeprefix("reduce_")
    if node.dtype(x) != "pred":
        return halved(node, x, axes, lambda a, b: node.call(f"bitwise_{how_}", a, b))
    if how_ == "xor":
        return node.call("equal", node.call("mod", node.call("sum", node.cast(x, "s32"), axis=tuple(axes)), 2), 1)
    call = "min" if how_ == "and" else "max"
    return over_u8(lambda own, t: own.call(call, t, axis=tuple(axes)))(node, x)


def halved(node, x, axes, join: Callable[[Any, Any], Any]):
    """Elements along axes, joined in halves."""
    x = node.value(x)
    for axis in axes:
        while (size := x.type.shape[axis]) > 1:
            half = size // 2
            joined = join(sliced(node, x, {axis: (0, half)}), sliced(node, x, {axis: (half, 2 * half)}))
            if size % 2:
                last = sliced(node, x, {axis: (size - 1, size)})
                first = join(sliced(node, joined, {axis: (0, 1)}), last)
                rest = [sliced(node, joined, {axis: (1, half)})] if half > 1 else []
                joined = node.call("concat", first, *rest, axis=axis) if rest else first
            x = node.value(joined)
    return reshaped(node, x, [n for a, n in enumerate(x.type.shape) if a not in axes])


@operator("argmax", "argmin")
@over_u8
def argmax(node, x, axes, **how):
    """The first of the largest; what is no number comes before all."""
    (axis,) = axes
    x = node.value(x)
    ordered = reversed_order(node, x) if node.operator == "argmin" else x
    return node.call("argmax", ordered, axis=int(axis))


@operator("cumsum")
def running_sum(node, x, axis, reverse=False):
    dtype = node.dtype(x)
    wide = dtype if kind(dtype) == "float" or bits(dtype) >= 32 else "s32"
    found = node.call("cumsum", node.cast(x, wide), axis=axis, reverse=bool(reverse))
    return found if kind(dtype) == "float" else wrapped(node, found, dtype)


def least(dtype: str) -> float:
    """The least of a dtype."""
    return -inf if kind(dtype) == "float" else limits(dtype)[0]


def most(dtype: str) -> float:
    """The largest of a dtype."""
    return inf if kind(dtype) == "float" else limits(dtype)[1]


NOTHING = {"cumprod": lambda dtype: 1, "cummax": least, "cummin": most}
"""What changes nothing, by dtype."""
NOTHING["cumlogsumexp"] = NOTHING["cummax"]


@operator("cumprod", "cummax", "cummin", "cumlogsumexp")
@in_f32
@over_u8
def running(node, x, axis, reverse=False):
    """In as many steps as the size has binary digits: each joins what is so far with what is so many places before."""
    x = node.value(x)
    size, rank = x.type.shape[axis], x.type.rank
    fill, by = NOTHING[node.operator](x.type.dtype), 1
    join = {"cumprod": _times, "cummax": _larger, "cummin": _smaller, "cumlogsumexp": _log_sum}[node.operator]
    at = lambda n: [n if a == axis else 0 for a in range(rank)]
    while by < size:
        low, high = (at(0), at(by)) if reverse else (at(by), at(0))
        parts = {axis: (by, size) if reverse else (0, size - by)}
        x = node.value(join(node, x, padded(node, sliced(node, x, parts), low, high, fill)))
        by *= 2
    return x


def _times(node, a, b):
    return wrapping(node, "mul", a, b)


def _larger(node, a, b):
    return node.call("maximum", a, b)


def _smaller(node, a, b):
    return node.call("minimum", a, b)


def _log_sum(node, a, b):
    high, low = node.call("maximum", a, b), node.call("minimum", a, b)
    apart = node.call("sub", low, high)
    apart = node.call("where", node.call("equal", low, high), node.number(0, high), apart)  # of two infinities
    return node.call("add", high, node.call("log1p", node.call("exp", apart)))


@operator("reduce")
def reduce(node, *operands, jaxpr, dimensions, **how):
    """One that joins by one operation what is given with an initial value; of several arrays each by its own."""
    calls, count = node.reader.joins(jaxpr), len(operands) // 2
    if len(calls) != count or not all(call in JOINING for call in calls):
        raise Unsupported("what elements are joined by is no sum, product, largest, smallest, and, or, xor")
    found = []
    for call, x, start in zip(calls, operands, operands[count:]):
        name, join = JOINING[call]
        found.append(node.again(join, node.again(name, x, axes=tuple(dimensions)), start))
    return found


JOINING = {
    "add": ("reduce_sum", "add"),
    "mul": ("reduce_prod", "mul"),
    "max": ("reduce_max", "max"),
    "min": ("reduce_min", "min"),
    "and": ("reduce_and", "and"),
    "or": ("reduce_or", "or"),
    "xor": ("reduce_xor", "xor"),
}
"""By the operation of a body, the reduction and how its result is joined with the initial value."""


@operator("sort")
def sort(node, *operands, dimension, num_keys=1, is_stable=True, descending=False):
    """The first is put in order, the others as it is; what is no number comes last. Of several keys the last one is
    put in order first: equal ones stay as they were."""
    axis, count = int(dimension), node.sizes(operands[0])[dimension]
    values, places = ordered(node, operands[num_keys - 1], axis, count, descending)
    for key in operands[: num_keys - 1][::-1]:
        values, again = ordered(node, along_axis(node, key, places, axis), axis, count, descending)
        places = along_axis(node, places, again, axis)
    return [values, *(along_axis(node, x, places, axis) for x in operands[1:])]


@operator("top_k")
def top_k(node, x, k, axis=-1, **how):
    """Floats in the order of all of them, by their bits."""
    axis, dtype = axis % len(node.sizes(x)), node.dtype(x)
    if kind(dtype) != "float":
        values, places = ordered(node, x, axis, int(k), True)
    else:
        order, places = ordered(node, floats.turned(node, floats.whole(node, x), dtype), axis, int(k), True)
        values = floats.of_whole(node, floats.turned(node, order, dtype), dtype)
    return [values, node.cast(places, "s32")]


@operator("approx_top_k")
def approx_top_k(node, x, reduction_dimension, is_max_k, **how):
    """As XLA has it on CPUs, where none is left out."""
    axis = reduction_dimension % len(node.sizes(x))
    values, places = ordered(node, x, axis, node.shape[axis], bool(is_max_k))
    return [values, node.cast(places, "s32")]


def ordered(node, x, axis: int, count: int, largest: bool):
    """The first elements along an axis, in order, and their places."""
    dtype = node.dtype(x)
    wide = "u8" if dtype == "pred" else "f32" if kind(dtype) == "float" and bits(dtype) < 32 else dtype
    found = node.as_onnx(
        "TopK", node.cast(x, wide), np.array([count]), outputs=2, axis=axis, largest=int(largest), sorted=1
    )
    values, places = found
    return (node.call("not_equal", values, 0) if dtype == "pred" else node.cast(values, dtype)), places


def along_axis(node, x, places, axis: int):
    """The elements of x at places along an axis, each row's own."""
    return over_u8(lambda own, t: own.as_onnx("GatherElements", t, own.cast(places, "s32"), axis=axis))(node, x)


@operator("choose")
def choose(node, x, places, start, first, dimensions, of):
    """What StableHLO writes for the largest, or the smallest, of what stands along an axis, and its place."""
    (axis,) = dimensions
    expected = np.arange(node.sizes(x)[axis])
    numbers = [n if a == axis else 1 for a, n in enumerate(node.sizes(x))]
    if node.is_value(places) or not np.array_equal(places, np.broadcast_to(expected.reshape(numbers), node.sizes(x))):
        raise Unsupported("places that are not counted along the axis")
    largest = node.again("reduce_max" if of == "argmax" else "reduce_min", x, axes=(axis,))
    return [largest, node.again(of, x, axes=(axis,))]
