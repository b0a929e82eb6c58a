"""Reductions along axes, running ones, and the largest elements."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...operators import numbers
from ...operators.array import bits, call, kind, maximum, minimum, sliced
from ...operators.calls import Unsupported
from ...operators.indexing import take_along_axis
from ...operators.kinds import NEUTRAL, in_f32, in_s32, least_of, most_of, over_u8
from ...operators.moving import joined
from ...operators.numbers import logaddexp, reversed_order
from ...operators.reducing import accumulated, top
from ...tables import OperatorTable
from ..attributes import number_of, numbers_of
from .elementwise import JOINS, mul


def reduced(called: str):
    """A sum or a product; those of integers wrap."""
    return lambda x, axes, **how: in_s32(partial(call, called))(x, axis=tuple(axes)) if axes else x


def extreme(called: str):
    return over_u8(lambda x, axes, **how: call(called, x, axis=tuple(axes)) if axes else x)


def logic(how: str):
    """Of conditions the least, the largest, or whether there is an odd number of them; of integers by halves."""

    def reduce(x, axes, **named):
        if not axes:
            return x
        if x.dtype != "pred":
            return halved(x, axes, JOINS[how])
        if how == "xor":
            return x.astype("s32").sum(axis=tuple(axes)) % 2 == 1
        return extreme("min" if how == "and" else "max")(x, axes)

    return reduce


def halved(x, axes, join):
    """Elements along axes, joined in halves."""
    for axis in axes:
        while (size := x.shape[axis]) > 1:
            half = size // 2
            both = join(sliced(x, {axis: (0, half)}), sliced(x, {axis: (half, 2 * half)}))
            if size % 2:
                first = join(sliced(both, {axis: (0, 1)}), sliced(x, {axis: (size - 1, size)}))
                both = joined([first, sliced(both, {axis: (1, half)})], axis)
            x = both
    return x.reshape([n for a, n in enumerate(x.shape) if a not in axes])


@over_u8
def argmax(x, axes, **how):
    """The first of the largest; NaN comes before all."""
    (axis,) = axes
    return x.argmax(axis=int(axis))


@over_u8
def argmin(x, axes, **how):
    return argmax(reversed_order(x), axes)


@in_s32
def running_sum(x, axis, reverse=False):
    return call("cumsum", x, axis=axis, reverse=bool(reverse))


def running(join, nothing: Callable[[str], float]):
    """By what joins two elements, and what changes nothing, by dtype."""
    run = lambda x, axis, reverse=False: accumulated(x, axis, join, nothing(x.dtype), bool(reverse))
    return in_f32(over_u8(run))


RUNNING = {
    "add": running_sum,
    "mul": running(mul, NEUTRAL["mul"]),
    "max": running(maximum, least_of),
    "min": running(minimum, most_of),
}
"""By how elements are joined, what joins all up to each."""
REDUCED = {
    **{name: (reduced(called), JOINS[name]) for name, called in (("add", "sum"), ("mul", "prod"))},
    **{name: (extreme(name), JOINS[name]) for name in ("max", "min")},
    **{name: (logic(name), JOINS[name]) for name in ("and", "or", "xor")},
}
"""By the operation of a body, the reduction and how its result is joined with the initial value."""


def reduce(node, *operands, jaxpr, dimensions, **how):
    """One that joins elements by one operation, with an initial value; of several arrays each by its own."""
    calls, count = node.reader.body(jaxpr).joins(), len(operands) // 2
    if len(calls) != count or not all(called in REDUCED for called in calls):
        raise Unsupported("what elements are joined by is no sum, product, largest, smallest, and, or, xor")
    result = []
    for called, x, start in zip(calls, operands, operands[count:]):
        whole, join = REDUCED[called]
        result.append(join(x.of(whole(x, tuple(dimensions))), start))
    return result


def sort(*operands, dimension, num_keys=1, is_stable=True, descending=False):
    """The first is put in order, the others as it is; NaN comes last. Of several keys the last one is put in order
    first: equal ones stay as they were."""
    axis, count = int(dimension), operands[0].shape[dimension]
    values, places = ordered(operands[num_keys - 1], axis, count, descending)
    for key in operands[: num_keys - 1][::-1]:
        values, again = ordered(along_axis(key, places, axis), axis, count, descending)
        places = along_axis(places, again, axis)
    return [values, *(along_axis(x, places, axis) for x in operands[1:])]


def top_k(x, k, axis=-1, **how):
    """Floats in the order of all of them, by their bits."""
    axis, dtype = axis % len(x.shape), x.dtype
    if kind(dtype) != "float":
        values, places = ordered(x, axis, int(k), True)
    else:
        order, places = ordered(numbers.in_order(numbers.whole(x), dtype), axis, int(k), True)
        values = numbers.of_whole(numbers.in_order(order, dtype), dtype)
    return [values, places.astype("s32")]


def approx_top_k(node, x, reduction_dimension, is_max_k, **how):
    """As XLA has it on CPUs, where none is left out."""
    axis = reduction_dimension % len(x.shape)
    values, places = ordered(x, axis, node.shape[axis], bool(is_max_k))
    return [values, places.astype("s32")]


def ordered(x, axis: int, count: int, largest: bool):
    """The first elements along an axis, in order, and their places."""
    dtype = x.dtype
    wide = "u8" if dtype == "pred" else "f32" if kind(dtype) == "float" and bits(dtype) < 32 else dtype
    values, places = top(x.astype(wide), count, axis, largest)
    return (values != 0 if dtype == "pred" else values.astype(dtype)), places


def along_axis(x, places, axis: int):
    """The elements of x at places along an axis, each row's own."""
    return over_u8(lambda t: take_along_axis(t, places.astype("s32"), axis))(x)


def choose(x, places, start, first, dimensions, of):
    """What StableHLO writes for the largest, or the smallest, of what stands along an axis, and its place."""
    (axis,) = dimensions
    expected = np.arange(x.shape[axis])
    numbers = [n if a == axis else 1 for a, n in enumerate(x.shape)]
    if not places.is_known or not np.array_equal(places, np.broadcast_to(expected.reshape(numbers), x.shape)):
        raise Unsupported("places that are not counted along the axis")
    best, place = ("max", argmax) if of == "argmax" else ("min", argmin)
    return [extreme(best)(x, dimensions), place(x, dimensions)]


OPERATORS: OperatorTable = (
    ("reduce", reduce, "", {"dimensions": numbers_of("dimensions")}),
    ("approx_top_k", approx_top_k),
    ("reduce_sum", reduced("sum")),
    ("reduce_prod", reduced("prod")),
    *((f"reduce_{name}", REDUCED[name][0]) for name in ("max", "min", "and", "or", "xor")),
    ("argmax", argmax),
    ("argmin", argmin),
    *((f"cum{name}", RUNNING[how]) for name, how in zip("sum prod max min".split(), RUNNING)),
    ("cumlogsumexp", running(logaddexp, least_of)),
    ("sort", sort, "", {"dimension": number_of("dimension")}),
    ("top_k", top_k, "", {"k": number_of("k")}),
    ("", choose, "choose"),
)
