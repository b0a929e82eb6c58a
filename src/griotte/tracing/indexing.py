"""Parts of arrays: slices, new axes, rows at numbers; and what is written to such parts."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..models.graph import ModelValue
from ..operators.moving import countable, place_steps
from .calls import CallBuilder
from .declaring import BY_VALUES, Untraceable
from .library import broadcast, padded, permuted, reshaped, sliced, within


def expanded(key: Any, rank: int) -> list[Any]:
    """A key with one item for each axis (masks take several), and its new axes; Ellipsis is what is left."""
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


def picked_by(calls: CallBuilder, x: ModelValue, key: Any) -> tuple[ModelValue, bool]:
    """x[key], and whether NumPy gives a view."""
    items = expanded(key, x.type.rank)
    parts: dict[int, tuple[int, ...]] = {}
    shape: list[int] = []
    places: list[tuple[int, Any]] = []
    axis = 0
    for item in items:
        if item is None:
            shape.append(1)
            continue
        size = x.type.shape[axis]
        if is_whole(item):
            at = _at(int(item), size, axis)
            parts[axis] = at, at + 1, 1
        elif isinstance(item, slice):
            parts[axis] = _part(item, size)
            shape.append(len(range(*parts[axis])))
        else:
            places.append((len(shape), _places(calls, item, size)))
            shape.append(size)
        axis += 1
    if 0 in shape:
        raise Untraceable(f"expected a part that has elements, found {key!r} of shape {x.type.shape}; leave it out")
    x = reshaped(calls, sliced(calls, x, parts), shape)
    return (_taken(calls, x, places), False) if places else (x, True)


def _at(item: int, size: int, axis: int) -> int:
    if item not in range(-size, size):
        raise IndexError(f"index {item} is out of bounds for axis {axis} with size {size}")
    return item % size


def _part(item: slice, size: int) -> tuple[int, ...]:
    try:
        start, stop, step = item.indices(size)
    except TypeError:
        raise Untraceable("expected slices by numbers, found one by an array; pass a number") from None
    return (start, stop, step)


def _places(calls: CallBuilder, item: Any, size: int) -> Any:
    """Row numbers: known, or a value."""
    value = getattr(item, "value", None)
    if isinstance(value, ModelValue):
        if value.type.dtype == "pred":
            raise Untraceable(
                f"expected indices, found a mask that is computed: {BY_VALUES}; or keep the shape: np.where(mask, x, 0)"
            )
        if np.dtype(item.dtype).kind not in "iu":
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        return within(calls, calls.cast(value, "s32"), size)
    array = np.asarray(item)
    if array.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if array.size and (array.min() < -size or array.max() >= size):
        raise IndexError(f"an index is out of bounds for an axis with size {size}")
    return np.where(array < 0, array + countable(size), array).astype(np.int32)


def _shape(item: Any) -> tuple[int, ...]:
    return item.type.shape if isinstance(item, ModelValue) else item.shape


def _taken(calls: CallBuilder, x: ModelValue, places: list[tuple[int, Any]]) -> ModelValue:
    """x at rows along one axis, or along several whose numbers broadcast."""
    axes = [axis for axis, _ in places]
    if len(places) == 1:
        return calls.call("take", x, places[0][1], axis=axes[0])
    first = axes[0] if axes == list(range(axes[0], axes[0] + len(axes))) else 0
    rest = [axis for axis in range(x.type.rank) if axis not in axes]
    x = permuted(calls, x, [*rest[:first], *axes, *rest[first:]])
    sizes = x.type.shape[first : first + len(axes)]
    shape = np.broadcast_shapes(*(_shape(item) for _, item in places))
    total: Any = None
    for (_, item), step in zip(places, place_steps(sizes)):
        if isinstance(item, ModelValue):
            term: Any = calls.call("mul", broadcast(calls, item, shape), step)
        else:
            term = np.broadcast_to(item * np.int32(step), shape).astype(np.int32)
        known = isinstance(total, np.ndarray) and isinstance(term, np.ndarray)
        total = term if total is None else total + term if known else calls.call("add", total, term)
    flat = reshaped(calls, x, [*x.type.shape[:first], prod(sizes), *x.type.shape[first + len(axes) :]])
    return calls.call("take", flat, total, axis=first)


def written_at(calls: CallBuilder, x: ModelValue, key: Any, item: ModelValue) -> ModelValue:
    """x, of which x[key] is an item: where a mask holds, or at slices of step 1."""
    shape = x.type.shape
    mask = getattr(key, "value", key)
    if isinstance(mask, ModelValue) and mask.type.dtype == "pred":
        if mask.type.shape != shape or item.type.rank:
            raise Untraceable("expected one number for all that a mask tells, found an array; use np.where")
        return calls.call("where", mask, item, x)
    items = expanded(key, x.type.rank)
    if not all(is_whole(each) or isinstance(each, slice) for each in items):
        raise Untraceable("expected a mask, numbers or slices to write at, found another index; use np.where")
    parts = [
        (at, at + 1, 1) if is_whole(each) and (at := _at(int(each), n, a)) >= 0 else _part(each, n)
        for a, (each, n) in enumerate(zip(items, shape))
    ]
    if any(step != 1 or start >= stop for start, stop, step in parts):
        raise Untraceable("expected slices of step 1 that have elements to write at, found others; use np.where")
    is_inside = np.zeros(shape, bool)
    is_inside[tuple(slice(*part) for part in parts)] = True
    if item.type.rank:
        kept = [stop - start for each, (start, stop, _) in zip(items, parts) if not is_whole(each)]
        item = reshaped(calls, broadcast(calls, item, kept), [stop - start for start, stop, _ in parts])
        item = padded(calls, item, [p[0] for p in parts], [n - p[1] for n, p in zip(shape, parts)])
    return calls.call("where", is_inside, item, x)
