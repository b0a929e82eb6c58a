"""What operators share that move elements: parts, places, borders, tensors side by side."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from ..models.graph import ModelValue
from .node import Unsupported

COUNTED = (1 << 31) - 1  # rows: their places are s32


def reshaped(node, x, shape) -> ModelValue:
    """x in another shape."""
    x = node.value(x)
    shape = tuple(int(n) for n in shape)
    return x if x.type.shape == shape else node.call("reshape", x, shape=shape)


def permuted(node, x, perm) -> ModelValue:
    """x with its axes in another order."""
    x = node.value(x)
    perm = tuple(int(p) for p in perm)
    return x if perm == tuple(range(x.type.rank)) else node.call("transpose", x, perm=perm)


def sliced(node, x, parts: Mapping[int, tuple[int, ...]]) -> Any:
    """The part of x from start to limit, by steps, along some axes; known where it has no elements."""
    x = node.value(x)
    found = [(*parts.get(i, (0, n)), 1)[:3] for i, n in enumerate(x.type.shape)]
    starts, limits, steps = (tuple(int(each[k]) for each in found) for k in range(3))
    sizes = tuple(len(range(*part)) for part in zip(starts, limits, steps))
    if sizes == x.type.shape and min(steps) > 0:
        return x
    if 0 in sizes:
        return np.zeros(sizes, node.numpy(x.type.dtype))
    if set(steps) == {1}:
        return node.call("slice", x, starts=starts, limits=limits)
    return node.call("slice", x, starts=starts, limits=limits, steps=steps)


def picked(node, x, axis: int, places) -> Any:
    """The elements of x at these known places along an axis, in their order."""
    x, places = node.value(x), np.asarray(places).reshape(-1)
    node.room(len(places))
    if not len(places):
        return sliced(node, x, {axis: (0, 0)})
    steps = set(np.diff(places).tolist()) or {1}
    if len(steps) == 1 and min(steps):
        step = min(steps)
        return sliced(node, x, {axis: (int(places[0]), int(places[-1]) + (1 if step > 0 else -1), step)})
    countable(x.type.shape[axis])
    return taken(node, x, axis, places.astype(np.int32))


def taken(node, x, axis: int, places) -> ModelValue:
    """The parts of x at places along an axis: the axes of `places` stand where that was."""
    return node.call("take", x, places, axis=axis)


def flat(node, x) -> ModelValue:
    """x along one axis."""
    x = node.value(x)
    return reshaped(node, x, (x.type.elements,))


def joined(node, parts, axis: int) -> ModelValue:
    """Tensors one after the other along an axis, but those without elements."""
    values = [node.value(part) for part in parts if isinstance(part, ModelValue) or np.asarray(part).size]
    return values[0] if len(values) == 1 else node.call("concat", *values, axis=axis)


def stacked(node, parts, axis: int) -> ModelValue:
    """Tensors of one shape, one after the other along a new axis."""
    shape = list(node.value(parts[0]).type.shape)
    return joined(node, [reshaped(node, part, [*shape[:axis], 1, *shape[axis:]]) for part in parts], axis)


def padded(node, x, low, high, fill: float = 0) -> ModelValue:
    """x with so many elements before and after it along each axis."""
    x = node.value(x)
    low, high = tuple(int(n) for n in low), tuple(int(n) for n in high)
    if not any((*low, *high)):
        return x
    return node.call("pad", x, before=low, after=high, value=fill)


def spread(node, x, steps):
    """x with zeros between its elements, so many places from one to the next along each axis."""
    return between(node, node.value(x), [step - 1 for step in steps], 0)


def between(node, x, counts, fill):
    """x with so many of a number between neighbours along each axis."""
    if not any(counts):
        return x
    shape = x.type.shape
    apart = reshaped(node, x, [m for n in shape for m in (n, 1)])
    more = [m for count in counts for m in (0, count)]
    wide = padded(node, apart, [0] * len(more), more, fill)
    wide = reshaped(node, wide, [n * (1 + count) for n, count in zip(shape, counts)])
    return sliced(node, wide, {a: (0, (n - 1) * (1 + count) + 1) for a, (n, count) in enumerate(zip(shape, counts))})


def broadcast(node, x, shape) -> ModelValue:
    """x as if it had a shape."""
    x = node.value(x)
    shape = tuple(int(n) for n in shape)
    return x if x.type.shape == shape else node.call("broadcast", x, shape=shape)


def moved(node, x, axis: int, by: int, fill: float, backward: bool = False) -> ModelValue:
    """x, moved by some places along an axis; what comes in is `fill`."""
    x = node.value(x)
    size = x.type.shape[axis]
    if by >= size:
        node.room(*x.type.shape)
        return node.value(np.full(x.type.shape, fill, node.numpy(x.type.dtype)))
    part = sliced(node, x, {axis: (by, size) if backward else (0, size - by)})
    pads = [by if i == axis else 0 for i in range(x.type.rank)], [0] * x.type.rank
    return padded(node, part, *(pads[::-1] if backward else pads), fill)


def overlaid(node, x, part, places) -> ModelValue:
    """x, of which the elements at these known places, counted row by row, are those of a part, in its order."""
    x, part = node.value(x), flat(node, part)
    source = np.full(countable(x.type.elements), -1, np.int32)
    source[np.asarray(places).reshape(-1)] = np.arange(part.type.elements, dtype=np.int32)
    source = source.reshape(x.type.shape)
    taken_from = taken(node, part, 0, np.maximum(source, 0))
    return node.call("where", source >= 0, taken_from, x)


def repeated(node, x, times) -> ModelValue:
    """x so many times along each axis."""
    x = node.value(x)
    between = [m for n in x.type.shape for m in (1, n)]
    wanted = [m for t, n in zip(times, x.type.shape) for m in (t, n)]
    full = broadcast(node, reshaped(node, x, between), wanted)
    return reshaped(node, full, [t * n for t, n in zip(times, x.type.shape)])


def along(rank: int, axis: int, array: np.ndarray) -> np.ndarray:
    """An array of one axis as one of many, in which it is this one."""
    return array.reshape([-1 if i == axis else 1 for i in range(rank)])


def countable(rows: int) -> int:
    """So many rows, where an s32 counts their places; Unsupported where there are more."""
    if rows > COUNTED:
        raise Unsupported(f"places among {rows:,} rows or elements, more than the {COUNTED:,} that are counted")
    return rows


def place_steps(shape) -> list[int]:
    """How many rows lie within each axis; Unsupported where there are more than places count."""
    countable(prod(shape))
    return strides(shape)


def within(node, indices, size: int) -> Any:
    """Places, of which those below 0 are told from the end."""
    countable(size)
    if not isinstance(indices, ModelValue):
        return np.where(indices < 0, indices + size, indices).astype(np.int32)
    return node.call("where", node.call("less", indices, 0), node.call("add", indices, size), indices)


def strides(shape) -> list[int]:
    """How many elements lie within each axis."""
    return [prod(shape[i + 1 :]) for i in range(len(shape))]
