"""Reductions along axes, running ones, and what is largest."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from ...ir.dtypes import limits
from ...operators import floats
from ...operators.array import bits, call, exp, kind, log1p, maximum, minimum, sliced, where, wrapped
from ...operators.calls import Unsupported
from ...operators.indexing import take_along_axis
from ...operators.kinds import in_f32, over_u8
from ...operators.moving import padded
from ...operators.numbers import reversed_order
from ...operators.reducing import top
from ...readers.tables import OperatorTable


def reduced(node, x, axes, **how):
    """Integers wrap: of narrow ones it is that of wider ones."""
    if not axes:
        return x
    dtype, called = x.dtype, node.operator.removeprefix("reduce_")
    if kind(dtype) == "float":
        return call(called, x, axis=tuple(axes))
    wide = dtype if bits(dtype) >= 32 else "s32"
    return wrapped(call(called, x.astype(wide), axis=tuple(axes)), dtype)


@over_u8
def extreme(node, x, axes, **how):
    return call(node.operator.removeprefix("reduce_"), x, axis=tuple(axes)) if axes else x


def logic(node, x, axes, **how):
    """Of conditions the least, the largest, or whether there is an odd number of them; of integers by halves."""
    if not axes:
        return x
    how_ = node.operator.removeprefix("reduce_")
    if x.dtype != "pred":
        return halved(x, axes, lambda a, b: call(f"bitwise_{how_}", a, b))
    if how_ == "xor":
        return x.astype("s32").sum(axis=tuple(axes)) % 2 == 1
    called = "min" if how_ == "and" else "max"
    return over_u8(lambda t: call(called, t, axis=tuple(axes)))(x)


def halved(x, axes, join: Callable[[Any, Any], Any]):
    """Elements along axes, joined in halves."""
    for axis in axes:
        while (size := x.shape[axis]) > 1:
            half = size // 2
            joined = join(sliced(x, {axis: (0, half)}), sliced(x, {axis: (half, 2 * half)}))
            if size % 2:
                last = sliced(x, {axis: (size - 1, size)})
                first = join(sliced(joined, {axis: (0, 1)}), last)
                rest = [sliced(joined, {axis: (1, half)})] if half > 1 else []
                joined = call("concat", first, *rest, axis=axis) if rest else first
            x = joined
    return x.reshape([n for a, n in enumerate(x.shape) if a not in axes])


@over_u8
def argmax(node, x, axes, **how):
    """The first of the largest; what is no number comes before all."""
    (axis,) = axes
    ordered = reversed_order(x) if node.operator == "argmin" else x
    return ordered.argmax(axis=int(axis))


def running_sum(x, axis, reverse=False):
    dtype = x.dtype
    wide = dtype if kind(dtype) == "float" or bits(dtype) >= 32 else "s32"
    found = call("cumsum", x.astype(wide), axis=axis, reverse=bool(reverse))
    return found if kind(dtype) == "float" else wrapped(found, dtype)


def least(dtype: str) -> float:
    """The least of a dtype."""
    return -inf if kind(dtype) == "float" else limits(dtype)[0]


def most(dtype: str) -> float:
    """The largest of a dtype."""
    return inf if kind(dtype) == "float" else limits(dtype)[1]


NOTHING = {"cumprod": lambda dtype: 1, "cummax": least, "cummin": most}
"""What changes nothing, by dtype."""
NOTHING["cumlogsumexp"] = NOTHING["cummax"]


@in_f32
@over_u8
def running(node, x, axis, reverse=False):
    """In as many steps as the size has binary digits: each joins what is so far with what is so many places before."""
    size, rank = x.shape[axis], x.ndim
    fill, by = NOTHING[node.operator](x.dtype), 1
    join = {"cumprod": _times, "cummax": _larger, "cummin": _smaller, "cumlogsumexp": _log_sum}[node.operator]
    at = lambda n: [n if a == axis else 0 for a in range(rank)]
    while by < size:
        low, high = (at(0), at(by)) if reverse else (at(by), at(0))
        parts = {axis: (by, size) if reverse else (0, size - by)}
        x = join(x, padded(sliced(x, parts), low, high, fill))
        by *= 2
    return x


def _times(a, b):
    return a * b


def _larger(a, b):
    return maximum(a, b)


def _smaller(a, b):
    return minimum(a, b)


def _log_sum(a, b):
    high, low = maximum(a, b), minimum(a, b)
    apart = low - high
    apart = where(low == high, high.number(0), apart)  # of two infinities
    return high + log1p(exp(apart))


def reduce(node, *operands, jaxpr, dimensions, **how):
    """One that joins by one operation what is given with an initial value; of several arrays each by its own."""
    calls, count = node.reader.body(jaxpr).joins(), len(operands) // 2
    if len(calls) != count or not all(called in JOINING for called in calls):
        raise Unsupported("what elements are joined by is no sum, product, largest, smallest, and, or, xor")
    found = []
    for called, x, start in zip(calls, operands, operands[count:]):
        name, join = JOINING[called]
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


def sort(node, *operands, dimension, num_keys=1, is_stable=True, descending=False):
    """The first is put in order, the others as it is; what is no number comes last. Of several keys the last one is
    put in order first: equal ones stay as they were."""
    axis, count = int(dimension), operands[0].shape[dimension]
    values, places = ordered(node, operands[num_keys - 1], axis, count, descending)
    for key in operands[: num_keys - 1][::-1]:
        values, again = ordered(node, along_axis(node, key, places, axis), axis, count, descending)
        places = along_axis(node, places, again, axis)
    return [values, *(along_axis(node, x, places, axis) for x in operands[1:])]


def top_k(node, x, k, axis=-1, **how):
    """Floats in the order of all of them, by their bits."""
    axis, dtype = axis % len(x.shape), x.dtype
    if kind(dtype) != "float":
        values, places = ordered(node, x, axis, int(k), True)
    else:
        order, places = ordered(node, floats.in_order(floats.whole(x), dtype), axis, int(k), True)
        values = floats.of_whole(floats.in_order(order, dtype), dtype)
    return [values, places.astype("s32")]


def approx_top_k(node, x, reduction_dimension, is_max_k, **how):
    """As XLA has it on CPUs, where none is left out."""
    axis = reduction_dimension % len(x.shape)
    values, places = ordered(node, x, axis, node.shape[axis], bool(is_max_k))
    return [values, places.astype("s32")]


def ordered(node, x, axis: int, count: int, largest: bool):
    """The first elements along an axis, in order, and their places."""
    dtype = x.dtype
    wide = "u8" if dtype == "pred" else "f32" if kind(dtype) == "float" and bits(dtype) < 32 else dtype
    values, places = top(x.astype(wide), count, axis, largest)
    return (values != 0 if dtype == "pred" else values.astype(dtype)), places


def along_axis(node, x, places, axis: int):
    """The elements of x at places along an axis, each row's own."""
    return over_u8(lambda t: take_along_axis(t, places.astype("s32"), axis))(x)


def choose(node, x, places, start, first, dimensions, of):
    """What StableHLO writes for the largest, or the smallest, of what stands along an axis, and its place."""
    (axis,) = dimensions
    expected = np.arange(x.shape[axis])
    numbers = [n if a == axis else 1 for a, n in enumerate(x.shape)]
    if not places.is_known or not np.array_equal(places, np.broadcast_to(expected.reshape(numbers), x.shape)):
        raise Unsupported("places that are not counted along the axis")
    largest = node.again("reduce_max" if of == "argmax" else "reduce_min", x, axes=(axis,))
    return [largest, node.again(of, x, axes=(axis,))]


OPERATORS: OperatorTable = (
    ("reduce_sum reduce_prod", reduced),
    ("reduce_max reduce_min", extreme),
    ("reduce_and reduce_or reduce_xor", logic),
    ("argmax argmin", argmax),
    ("cumprod cummax cummin cumlogsumexp", running),
    ("reduce", reduce),
    ("sort", sort),
    ("top_k", top_k),
    ("approx_top_k", approx_top_k),
    ("choose", choose),
)


FUNCTIONS: OperatorTable = (("cumsum", running_sum),)
