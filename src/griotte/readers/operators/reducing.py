"""What joins or orders the elements along an axis, or the rows of segments that follow one another."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from operator import add, mul
from typing import Any

import numpy as np

from .array import Array, array_call, call, data, exp, floor, kind, log, minimum, sliced, sqrt, where
from .calls import Unsupported
from .indexing import put_along_axis, put_rows
from .kinds import NEUTRAL, in_f32, in_s32, least_of, most_of
from .moving import along, moved, padded, picked
from .numbers import logaddexp, reversed_order

Joining = Callable[[Any, Any], Array]


def accumulated(x: Array, axis: int, join: Joining, none: float, backward: bool = False) -> Array:
    """All elements up to each along an axis, joined, in rounds; each round doubles how many are joined. `none` is the
    number that changes nothing."""
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


AT_ONCE = 64  # elements: up to here each running sum is a sum of its own
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
    """The largest is taken out of the sum, if it is finite."""
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
    x.reserve(bins)
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
    x.reserve(size)
    order = [*(a for a in range(x.ndim) if a != axis), axis]
    found = in_f32(_top)(x.transpose(order), count, int(largest))
    return [each.transpose(np.argsort(order)) for each in found]


def _top(x: Array, count: int, largest: int) -> list[Array]:
    return array_call("top", x, k=count, largest=largest)


def running_extreme(x: Array, axis: int, is_largest: bool) -> list[Array]:
    """The largest, or smallest, up to each element, and its place: in rounds, where each doubles how many elements are
    joined. The last of equals counts, and NaN comes first."""
    size, dtype = x.shape[axis], x.dtype
    worst = least_of(dtype) if is_largest else most_of(dtype)
    at = x.of(np.broadcast_to(along(x.ndim, axis, np.arange(size, dtype=np.int32)), x.shape).copy())
    by = 1
    while by < size:
        before, place = moved(x, axis, by, worst), moved(at, axis, by, 0)
        stays = x >= before if is_largest else x <= before
        if kind(dtype) == "float":
            stays = stays | (x != x)
        x, at, by = where(stays, x, before), where(stays, at, place), 2 * by
    return [x, at]


def mode(x: Array, axis: int) -> list[Array]:
    """The least of those that are met most often, and the last place of it: each element is compared with all of its
    row."""
    size = x.shape[axis]
    x.reserve(size, x.size)
    one = x.reshape((*x.shape[: axis + 1], 1, *x.shape[axis + 1 :]))
    other = x.reshape((*x.shape[:axis], 1, *x.shape[axis:]))
    count = (one == other).astype("s32").sum(axis=axis + 1)
    is_most = count == count.max(axis=axis, keepdims=True)
    values = where(is_most, x, x.number(most_of(x.dtype))).min(axis=axis, keepdims=True)
    at = along(x.ndim, axis, np.arange(size, dtype=np.int32))
    return [values, where(x == values, at, -1).max(axis=axis, keepdims=True)]


def searchsorted(rows: Array, values: Any, right: bool = False) -> Array:
    """How many elements of sorted rows come before each value; before a NaN do all."""
    front = rows.shape[:-1] if rows.ndim > 1 else (1,) * max(0, values.ndim - 1)
    row = rows.reshape((*front, 1, rows.shape[-1]) if values.ndim else rows.shape)
    is_behind = call("greater" if right else "greater_equal", row, values.reshape((*values.shape, 1)))
    return (~is_behind).astype("s32").sum(axis=is_behind.ndim - 1)


def segments_ended(ends: Array, size: int) -> Array:
    """Of so many rows in each line of `ends` how many segments have ended: [.., segments] to [.., rows]."""
    rows = np.arange(size, dtype=np.int32)
    if ends.is_known:
        ends.reserve(*ends.shape, size)
        return ends.of((np.asarray(ends)[..., None, :] <= rows[:, None]).sum(-1).astype(np.int32))
    ends = ends.astype("s32")
    has_ended = ends.reshape((*ends.shape[:-1], 1, ends.shape[-1])) <= rows[:, None]
    return has_ended.astype("s32").sum(axis=has_ended.ndim - 1)


def in_segments(rows: Array, segment: Any, count: int, how: str, first: float | None = None) -> Array:
    """[rows, inner] to [count, inner]: the rows of each segment, joined with a number."""
    inner = rows.shape[1:]
    rows.reserve(count, *inner)
    into = np.full((count, *inner), NEUTRAL[how](rows.dtype) if first is None else first, rows.numpy)
    at = rows.of(data(rows.of(segment).reshape((rows.shape[0], 1))))
    return put_rows(rows.of(into), at, rows, how)
