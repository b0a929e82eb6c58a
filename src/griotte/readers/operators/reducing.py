"""What joins or orders the elements along an axis."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from operator import add, mul
from typing import Any

import numpy as np

from .array import (
    Array,
    array_call,
    call,
    exp,
    floor,
    log,
    minimum,
    sliced,
    sqrt,
    where,
)
from .calls import Unsupported
from .indexing import put_along_axis
from .kinds import in_f32, in_s32
from .moving import moved, padded, picked
from .numbers import logaddexp, reversed_order

Joining = Callable[[Any, Any], Array]


def accumulated(x: Array, axis: int, join: Joining, none: float, backward: bool = False) -> Array:
    """What joins all elements up to each along an axis, of what changes nothing, in rounds, of which each doubles how
    many are joined."""
    by = 1
    while by < x.shape[axis]:
        x, by = join(x, moved(x, axis, by, none, backward)), 2 * by
    return x


@in_f32
def cumsum(x: Array, axis: int, backward: bool = False) -> Array:
    return accumulated(x, axis, add, 0, backward)


@in_f32
def cumprod(x: Array, axis: int, backward: bool = False) -> Array:
    return accumulated(x, axis, mul, 1, backward)


AT_ONCE = 64  # elements of which each sum that runs is a sum by itself
BLOCK = 32


@in_s32
def summed_up(x: Array, axis: int) -> Array:
    """Sums of all elements up to each along an axis: within blocks, and of the blocks before each."""
    shape, size = x.shape, x.shape[axis]
    if size <= AT_ONCE:
        return call("cumsum", x, axis=axis)
    blocks, none = -(-size // BLOCK), [0] * x.ndim
    x = padded(x, none, [blocks * BLOCK - size if a == axis else 0 for a in range(x.ndim)])
    parted = x.reshape([*shape[:axis], blocks, BLOCK, *shape[axis + 1 :]])
    within = call("cumsum", parted, axis=axis + 1)
    totals = sliced(parted, {axis: (0, blocks - 1)}).sum((axis + 1,), keepdims=True)
    before = padded(summed_up(totals, axis), [int(a == axis) for a in range(parted.ndim)], [0, *none])
    whole = (within + before).reshape([blocks * BLOCK if a == axis else n for a, n in enumerate(shape)])
    return sliced(whole, {axis: (0, size)})


@in_f32
def logsumexp(x: Array, axis: tuple[int, ...], keepdims: bool = False) -> Array:
    """By what is beyond the largest, if that is finite."""
    if not axis:
        return x
    largest = x.max(axis=axis, keepdims=True)
    largest = where(abs(largest) < inf, largest, x.number(0))
    found = log(exp(x - largest).sum(axis=axis, keepdims=True)) + largest
    return found if keepdims else found.reshape([n for a, n in enumerate(x.shape) if a not in axis])


@in_f32
def logcumsumexp(x: Array, axis: int) -> Array:
    return accumulated(x, axis, logaddexp, -inf)


def norm(x: Array, order: float, axes: tuple[int, ...], keepdims: bool = False) -> Array:
    """The norm of vectors along axes, of none the sizes; of order 0 how many of their elements are not 0."""
    size = abs(x)
    if order == 0:
        size = (size != 0).astype(size.dtype)
    if not axes:
        return size
    if abs(order) == inf:
        return (size.max if order > 0 else size.min)(axes, keepdims)
    if order in (0, 1):
        return size.sum(axes, keepdims)
    if order == 2:
        return sqrt((size * size).sum(axes, keepdims))
    return (size ** float(order)).sum(axes, keepdims) ** (1 / order)


def histogram(x: Array, bins: int, low: Array, high: Array) -> Array:
    """How many elements lie in each of equal parts of a range, to which both its ends belong."""
    is_within = (low <= x) & (x <= high)
    part = (x - low) * bins / (high - low)
    at = minimum(floor(where(is_within, part, part.number(0))).astype("s32"), bins - 1)
    x.room(bins)
    return put_along_axis(x.of(np.zeros(bins, x.numpy)), at, is_within.astype(x.dtype), 0, "add")


def place_of_largest(x: Array, axis: int, keepdims: bool = False, last: bool = False) -> Array:
    """Where the first of the largest, or the last of them, is along an axis, as s64."""
    if last:
        size = x.shape[axis]
        found = size - 1 - picked(x, axis, np.arange(size)[::-1]).argmax(axis=axis)
    else:
        found = x.argmax(axis=axis)
    found = found.astype("s64")
    return found.reshape([1 if a == axis else n for a, n in enumerate(x.shape)]) if keepdims else found


def place_of_smallest(x: Array, axis: int, keepdims: bool = False, last: bool = False) -> Array:
    return place_of_largest(reversed_order(x), axis, keepdims, last)


def top(x: Array, count: int, axis: int = -1, largest: bool = True) -> list[Array]:
    """The first elements along an axis, in order, and their places; where sizes are open, of as many at least as are
    wanted."""
    axis = axis % x.ndim
    size = x.shape[axis]
    if not 0 < count <= size:
        x.calls.need(count)
        raise Unsupported(f"the first {count} of {size} elements")
    x.room(size)
    order = [*(a for a in range(x.ndim) if a != axis), axis]
    found = in_f32(_top)(x.transpose(order), count, int(largest))
    return [each.transpose(np.argsort(order)) for each in found]


def _top(x: Array, count: int, largest: int) -> list[Array]:
    return array_call("top", x, k=count, largest=largest)
