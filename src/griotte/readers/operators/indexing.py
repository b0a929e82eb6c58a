"""Functions that read or write at places. Elements are read at places of x along one axis: `take` of a flat x."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .array import Array, array_call, data, maximum, minimum, where
from .kinds import in_f32, over_u8
from .moving import along, countable, joined, picked, place_steps, within

RowPlaces = Any
"""Arrays of NumPy where they are known, else of the graph; code over both is the same."""


def narrow(places: RowPlaces) -> RowPlaces:
    """RowPlaces as s32."""
    return places.astype("s32" if isinstance(places, Array) else np.int32)


def take(x: Array, places: Array, axis: int = 0) -> Array:
    """x at places along an axis; places below 0 count from the end."""
    at = within(places, x.shape[axis])
    if isinstance(at, Array) or at.ndim != 1 and at.size != 1:
        return x.take(at, axis)
    part = picked(x, axis, at)
    return part if at.ndim == 1 else part.reshape((*x.shape[:axis], *at.shape, *x.shape[axis + 1 :]))


def take_along_axis(x: Array, places: Array, axis: int) -> Array:
    """x at places along an axis, each element's own."""
    return x.ravel().take(_along(x, places, axis), 0)


def _along(x: Array, places: Array, axis: int) -> RowPlaces:
    """Where the elements of a flat x are."""
    own = narrow(within(places, x.shape[axis])) * place_steps(x.shape)[axis]
    return _elsewhere(x.shape, places.shape, axis) + own


def _elsewhere(sizes: Any, shape: Any, axis: int) -> np.ndarray:
    """How far each element of a part lies from the first, but along an axis."""
    steps, found = place_steps(sizes), np.zeros([1] * len(shape), np.int32)
    for i, n in enumerate(shape):
        if i != axis:
            found = found + along(len(shape), i, np.arange(n, dtype=np.int32) * np.int32(steps[i]))
    return found


def take_rows(x: Array, indices: Array, batch: int = 0) -> Array:
    """What tuples of indices, along the last axis, stand for; the first axes are both's."""
    shape, front = indices.shape, x.shape[:batch]
    last = batch + shape[-1]
    countable(prod(x.shape[:last]))
    places = rows_of(indices, x.shape[batch:last])
    if batch:
        first = np.arange(prod(front), dtype=np.int32) * np.int32(prod(x.shape[batch:last]))
        places = first.reshape(*front, *[1] * (len(shape) - 1 - batch)) + places
    return x.reshape((prod(x.shape[:last]), *x.shape[last:])).take(places, 0)


def rows_of(indices: Array, sizes: Any) -> RowPlaces:
    """The rows that tuples of indices, along the last axis, stand for."""
    parts = data(indices)
    return joined_places([parts[..., n] for n in range(len(sizes))], sizes)


def joined_places(indices: Any, sizes: Any) -> RowPlaces:
    """The rows of several axes as one, of indices of each."""
    total = None
    for each, size, step in zip(indices, sizes, place_steps(sizes)):
        own = narrow(within(each, size)) * step
        total = own if total is None else total + own
    return total


@over_u8
def put_along_axis(x: Array, places: Array, part: Array, axis: int, how: str = "set") -> Array:
    """x with the elements of a part at places along an axis, or joined with them there."""
    return written(x, x.ndim, _along(x, places, axis), part, how)


@over_u8
def put_rows(x: Array, indices: Array, rows: Array, how: str = "set") -> Array:
    """x with other rows at tuples of indices (along their last axis), or joined with them there."""
    depth = indices.shape[-1]
    return written(x, depth, rows_of(indices, x.shape[:depth]), rows, how)


def written(x: Array, axes: int, places: RowPlaces, part: Array, how: str) -> Array:
    """x with the rows of a part at places among the rows of its first axes, or joined with them in their order."""
    if how == "set" and x.calls.is_open and not isinstance(places, Array):
        rows, inner = prod(x.shape[:axes]), x.shape[axes:]
        at = np.arange(rows)
        at[places.reshape(-1)] = rows + np.arange(places.size)
        whole = joined([x.reshape((rows, *inner)), part.reshape((places.size, *inner))], 0)
        return picked(whole, 0, at).reshape(x.shape)
    join = _scattered if how == "set" else in_f32(_scattered)
    return join(x, part, places, how, axes)


def _scattered(x: Array, part: Array, places: RowPlaces, how: str, axes: int) -> Array:
    """Its parameters stand in an order in which those computed in f32 come first."""
    (found,) = array_call("scatter", x, places, part, how=how, axes=axes)
    return found


def _axes(indices: Any) -> tuple[list[int], list[Any]]:
    """The axes that have indices, and those."""
    axes = [axis for axis, each in enumerate(indices) if each is not None]
    return axes, [indices[axis] for axis in axes]


def _stay(axes: list[int]) -> bool:
    """Whether NumPy leaves the indexed axes in place: they are adjacent, and not the first."""
    return axes[0] > 0 and axes == list(range(axes[0], axes[-1] + 1))


def take_at(x: Array, indices: Any) -> Array:
    """x[indices], of arrays of places, or None for an axis as it is. Axes that have places are moved to the front, as
    one, and are taken there. If they are next to each other, the taken rows go to where the first of them was."""
    axes, chosen = _axes(indices)
    if len(axes) == 1:
        (axis,), at = axes, within(chosen[0], x.shape[axes[0]])
        if isinstance(at, Array):
            return x.take(at, axis)
        return picked(x, axis, at).reshape((*x.shape[:axis], *at.shape, *x.shape[axis + 1 :]))
    rest = [a for a in range(x.ndim) if a not in axes]
    rows = x.transpose([*axes, *rest]).reshape((prod(x.shape[a] for a in axes), *(x.shape[a] for a in rest)))
    places = joined_places(chosen, [x.shape[a] for a in axes])
    found = rows.take(places, 0) if isinstance(places, Array) else picked(rows, 0, places)
    found, rank = found.reshape((*places.shape, *rows.shape[1:])), places.ndim
    if not _stay(axes):
        return found
    behind = rank + axes[0]
    return found.transpose([*range(rank, behind), *range(rank), *range(behind, found.ndim)])


def put_at(x: Array, indices: Any, values: Array, how: str = "set") -> Array:
    """x with other values at x[indices], or joined with them there."""
    axes, chosen = _axes(indices)
    order = [*axes, *(a for a in range(x.ndim) if a not in axes)]
    moved = x.transpose(order)
    depth, inner = len(axes), moved.shape[len(axes) :]
    places = joined_places(chosen, moved.shape[:depth])
    shape = places.shape
    if _stay(axes):  # there the rows stand where the axes were
        before = x.shape[: axes[0]]
        whole = values.broadcast_to((*before, *shape, *inner[len(before) :]))
        one, other = len(before), len(before) + len(shape)
        values = whole.transpose([*range(one, other), *range(one), *range(other, whole.ndim)])
    rows = values.broadcast_to((*shape, *inner))
    count = prod(shape)
    at = x.of(data(x.of(places).reshape((count, 1))))
    lined = moved.reshape((prod(moved.shape[:depth]), *inner))
    found = put_rows(lined, at, rows.reshape((count, *inner)), how)
    return found.reshape(moved.shape).transpose(np.argsort(order))


def overwritten_at(past: Array, new: Array, starts: Array, axis: int, circular: bool = False) -> Array:
    """past with new rows along an axis, from a place of each row of the batch on; circular: rows beyond the end go on
    at the start."""
    shape, count = past.shape, new.shape[axis]
    batch, size, front = shape[0], shape[axis], prod(shape[:axis])
    past.reserve(front, size)
    step = np.arange(size, dtype=np.int32)[None] - starts.reshape((batch, 1))  # of the new rows
    step = step % size if circular else step
    inner = minimum(maximum(step, 0), count - 1)
    first = np.arange(front, dtype=np.int32).reshape(batch, front // batch, 1) * np.int32(count)
    at = inner.reshape((batch, 1, size)) + first
    rows = new.reshape((front * count, *shape[axis + 1 :])).take(at, 0)
    is_new = (step >= 0) & (step < count)
    place = [batch if i == 0 else size if i == axis else 1 for i in range(len(shape))]
    return where(is_new.reshape(place), rows.reshape(shape), past)
