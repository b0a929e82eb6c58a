"""What follows from the order of elements along an axis: places among sorted ones, running extremes, modes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .array import Array, call, kind, where
from .kinds import least_of, most_of
from .moving import along, moved


def running_extreme(x: Array, axis: int, is_largest: bool) -> list[Array]:
    """The largest, or smallest, up to each element, and its place: in rounds, of which each doubles how many elements
    are joined; the last of equals counts, and what is no number comes first."""
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
    x.room(size, x.size)
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
