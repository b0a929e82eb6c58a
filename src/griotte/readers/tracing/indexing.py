"""Parts of arrays: slices, new axes, rows at numbers; and writes to such parts."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..operators.array import Array, call, kind, sliced
from ..operators.moving import countable, padded, place_steps, within
from .trace import BY_VALUES, Untraceable


def expanded(key: Any, rank: int) -> list[Any]:
    """A key with one item for each axis (masks take several), and its new axes; Ellipsis stands for the rest."""
    items = list(key) if isinstance(key, tuple) else [key]
    found: list[Any] = []
    for item in items:
        item = np.asarray(item) if isinstance(item, list) else item
        if isinstance(item, np.ndarray) and item.dtype == bool and item.ndim:
            found += item.nonzero()
        else:
            found.append(item)
    taken = sum(item is not None and item is not Ellipsis for item in found)
    at = next((n for n, item in enumerate(found) if item is Ellipsis), None)
    if taken > rank or sum(item is Ellipsis for item in found) > 1:
        raise IndexError(f"too many indices for array: array is {rank}-dimensional, but {taken} were indexed")
    rest = [slice(None)] * (rank - taken)
    return [*found, *rest] if at is None else [*found[:at], *rest, *found[at + 1 :]]


def is_whole(item: Any) -> bool:
    """Whether an item of a key is a number."""
    return isinstance(item, (int, np.integer)) and not isinstance(item, (bool, np.bool_))


def picked_by(x: Array, key: Any) -> tuple[Array, bool]:
    """x[key], and whether NumPy gives a view."""
    parts: dict[int, tuple[int, ...]] = {}
    shape: list[int] = []
    places: list[tuple[int, Any]] = []
    axis = 0
    for item in expanded(key, x.ndim):
        if item is None:
            shape.append(1)
            continue
        size = x.shape[axis]
        if is_whole(item) or isinstance(item, slice):
            parts[axis] = _part(item, size, axis)
            shape += [len(range(*parts[axis]))] * isinstance(item, slice)
        else:
            places.append((len(shape), _places(item, size)))
            shape.append(size)
        axis += 1
    if 0 in shape:
        raise Untraceable(f"expected a part that has elements, found {key!r} of shape {x.shape}; leave it out")
    x = sliced(x, parts).reshape(shape)
    return (_taken(x, places), False) if places else (x, True)


def _part(item: Any, size: int, axis: int) -> tuple[int, int, int]:
    """What a number or a slice means of an axis: from where, up to where, by which step."""
    if is_whole(item):
        if item not in range(-size, size):
            raise IndexError(f"index {item} is out of bounds for axis {axis} with size {size}")
        return (item := int(item) % size), item + 1, 1
    try:
        start, stop, step = item.indices(size)
    except TypeError:
        raise Untraceable("expected slices by numbers, found one by an array; pass a number") from None
    return start, stop, step


def _places(item: Any, size: int) -> Any:
    """Row numbers: known, or an array of the graph."""
    if isinstance(item, Array):
        if item.dtype == "pred":
            raise Untraceable(
                f"expected indices, found a mask that is computed: {BY_VALUES}; or keep the shape: np.where(mask, x, 0)"
            )
        if kind(item.dtype) not in ("signed", "unsigned"):
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        return within(item.astype("s32"), size)
    array = np.asarray(item)
    if array.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if array.size and (array.min() < -size or array.max() >= size):
        raise IndexError(f"an index is out of bounds for an axis with size {size}")
    return np.where(array < 0, array + countable(size), array).astype(np.int32)


def _taken(x: Array, places: list[tuple[int, Any]]) -> Array:
    """x at rows along one axis, or along several whose numbers broadcast."""
    axes = [axis for axis, _ in places]
    if len(places) == 1:
        return call("take", x, places[0][1], axis=axes[0])
    first = axes[0] if axes == list(range(axes[0], axes[0] + len(axes))) else 0
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    x = x.transpose([*rest[:first], *axes, *rest[first:]])
    sizes = x.shape[first : first + len(axes)]
    shape = np.broadcast_shapes(*(item.shape for _, item in places))
    total: Any = None
    for (_, item), step in zip(places, place_steps(sizes)):
        if isinstance(item, Array):
            term: Any = item.broadcast_to(shape) * step
        else:
            term = np.broadcast_to(item * np.int32(step), shape).astype(np.int32)
        total = term if total is None else total + term
    flat = x.reshape([*x.shape[:first], prod(sizes), *x.shape[first + len(axes) :]])
    return call("take", flat, total, axis=first)


def written_at(x: Array, key: Any, item: Array) -> Array:
    """x with an item at x[key]: where a mask holds, or at slices of step 1."""
    shape = x.shape
    if isinstance(key, Array) and key.dtype == "pred":
        if key.shape != shape or item.ndim:
            raise Untraceable("expected one number for all that a mask tells, found an array; use np.where")
        return call("where", key, item, x)
    items = expanded(key, x.ndim)
    if not all(is_whole(each) or isinstance(each, slice) for each in items):
        raise Untraceable("expected a mask, numbers or slices to write at, found another index; use np.where")
    parts = [_part(each, n, axis) for axis, (each, n) in enumerate(zip(items, shape))]
    if any(step != 1 or start >= stop for start, stop, step in parts):
        raise Untraceable("expected slices of step 1 that have elements to write at, found others; use np.where")
    is_inside = np.zeros(shape, bool)
    is_inside[tuple(slice(*part) for part in parts)] = True
    if item.ndim:
        kept = [stop - start for each, (start, stop, _) in zip(items, parts) if not is_whole(each)]
        item = item.broadcast_to(kept).reshape([stop - start for start, stop, _ in parts])
        item = padded(item, [p[0] for p in parts], [n - p[1] for n, p in zip(shape, parts)])
    return call("where", is_inside, item, x)
