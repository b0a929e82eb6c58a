"""Functions that move elements: parts, places, borders, arrays side by side."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from .array import Array, call, calls_of, sliced, where
from .calls import Unsupported
from .kinds import over_u8

COUNTED = (1 << 31) - 1  # rows: their places are s32


def picked(x: Array, axis: int, places: Any) -> Array:
    """The elements of x at these known places along an axis, in their order."""
    places = np.asarray(places).reshape(-1)
    x.reserve(len(places))
    if not len(places):
        return sliced(x, {axis: (0, 0)})
    steps = set(np.diff(places).tolist()) or {1}
    if len(steps) == 1 and min(steps):
        step = min(steps)
        return sliced(x, {axis: (int(places[0]), int(places[-1]) + (1 if step > 0 else -1), step)})
    countable(x.shape[axis])
    return x.take(places.astype(np.int32), axis)


def split(x: Array, sizes: Any, axis: int) -> list[Array]:
    """Parts of x of these sizes along an axis, one after the other."""
    ends = np.cumsum([0, *sizes]).tolist()
    return [sliced(x, {axis: part}) for part in pairwise(ends)]


def joined(parts: Any, axis: int) -> Array:
    """Arrays one after the other along an axis, but those without elements."""
    calls = calls_of(*parts)
    arrays = [part if isinstance(part, Array) else Array(calls, part) for part in parts]
    arrays = [part for part in arrays if part.size]
    return arrays[0] if len(arrays) == 1 else call("concat", *arrays, axis=axis)


def stacked(parts: Any, axis: int) -> Array:
    """Arrays of one shape, one after the other along a new axis."""
    calls, shape = calls_of(*parts), list(parts[0].shape)
    arrays = (part if isinstance(part, Array) else Array(calls, part) for part in parts)
    return joined([part.reshape([*shape[:axis], 1, *shape[axis:]]) for part in arrays], axis)


def padded(x: Array, low: Any, high: Any, fill: float = 0) -> Array:
    """x with so many elements before and after it along each axis."""
    low, high = tuple(int(n) for n in low), tuple(int(n) for n in high)
    return call("pad", x, before=low, after=high, value=fill) if any((*low, *high)) else x


def cropped(x: Array, pads: Any) -> tuple[Array, tuple[tuple[int, int], ...]]:
    """x without the parts that pads below 0 cut off along its last axes, and the pads, where those are 0."""
    axes = range(x.ndim - len(pads), x.ndim)
    parts = {a: (max(0, -low), x.shape[a] - max(0, -high)) for a, (low, high) in zip(axes, pads)}
    return sliced(x, parts), tuple((max(0, low), max(0, high)) for low, high in pads)


def spread(x: Array, steps: Any) -> Array:
    """x with zeros between its elements, so many places from one to the next along each axis."""
    return between(x, [step - 1 for step in steps], 0)


def between(x: Array, counts: Any, fill: float) -> Array:
    """x with so many of a number between neighbours along each axis."""
    if not any(counts):
        return x
    shape = x.shape
    more = [m for count in counts for m in (0, count)]
    wide = padded(x.reshape([m for n in shape for m in (n, 1)]), [0] * len(more), more, fill)
    wide = wide.reshape([n * (1 + count) for n, count in zip(shape, counts)])
    return sliced(wide, {a: (0, (n - 1) * (1 + count) + 1) for a, (n, count) in enumerate(zip(shape, counts))})


def moved(x: Array, axis: int, by: int, fill: float, backward: bool = False) -> Array:
    """x, moved by some places along an axis; what comes in is `fill`."""
    size = x.shape[axis]
    if by >= size:
        x.reserve(*x.shape)
        return x.of(np.full(x.shape, fill, x.numpy))
    part = sliced(x, {axis: (by, size) if backward else (0, size - by)})
    pads = [by if i == axis else 0 for i in range(x.ndim)], [0] * x.ndim
    return padded(part, *(pads[::-1] if backward else pads), fill)


def overlaid(x: Array, part: Array, places: Any) -> Array:
    """x with the elements of a part at known places, counted row by row, in the part's order."""
    part = part.ravel()
    source = np.full(countable(x.size), -1, np.int32)
    source[np.asarray(places).reshape(-1)] = np.arange(part.size, dtype=np.int32)
    source = source.reshape(x.shape)
    return where(x.of(source >= 0), part.take(np.maximum(source, 0), 0), x)


def repeated(x: Array, times: Any) -> Array:
    """x so many times along each axis."""
    full = x.reshape([m for n in x.shape for m in (1, n)]).broadcast_to(
        [m for t, n in zip(times, x.shape) for m in (t, n)]
    )
    return full.reshape([t * n for t, n in zip(times, x.shape)])


def repeat(x: Array, times: int, axis: int) -> Array:
    """Each element along an axis so many times."""
    front, back = x.shape[: axis + 1], x.shape[axis + 1 :]
    wide = x.reshape((*front, 1, *back)).broadcast_to((*front, times, *back))
    return wide.reshape((*front[:-1], front[-1] * times, *back))


@over_u8
def triangle(x: Array, diagonal: int = 0, upper: bool = True) -> Array:
    """The elements of the last two axes on and above a diagonal, or on and below it; 0 elsewhere."""
    x.reserve(*x.shape[-2:])
    mask = (np.triu if upper else np.tril)(np.ones(x.shape[-2:], bool), diagonal)
    return where(mask, x, np.zeros((), x.numpy))


def diagonal(x: Array, offset: int, one: int, other: int) -> Array:
    """A diagonal of two axes as the last one."""
    x = x.transpose([*(n for n in range(x.ndim) if n not in (one, other)), one, other])
    rows, columns = x.shape[-2:]
    places = np.arange(rows * columns).reshape(rows, columns).diagonal(offset)
    return picked(x.reshape((*x.shape[:-2], rows * columns)), x.ndim - 2, places)


def extended(x: Array, low: Any, high: Any, mode: str, axes: Any = None) -> Array:
    """x with elements of its own before and after it along axes: those at its edge, mirrored ones, or again from its
    other end; less than none of them cuts."""
    for axis, before, after in zip(range(x.ndim) if axes is None else axes, map(int, low), map(int, high)):
        x.reserve(x.shape[axis] + abs(before) + abs(after))
        x = picked(x, axis, _beyond(x.shape[axis], before, after, mode))
    return x


def _beyond(size: int, low: int, high: int, mode: str) -> np.ndarray:
    """The source of each element of an extended axis."""
    at = np.arange(-low, size + high)
    if mode == "edge":
        return np.clip(at, 0, size - 1)
    if mode == "wrap":
        return at % size
    if mode == "reflect":
        period = max(1, 2 * (size - 1))
        return np.abs((at + size - 1) % period - (size - 1)) if size > 1 else np.zeros_like(at)
    raise Unsupported(f"what is beyond is {mode}")


def depth_to_space(x: Array, by: int, rows_first: bool) -> Array:
    """Channels [n, c, h, w] as blocks of rows and columns, whose places come before the rest of the channels or
    behind."""
    n, c, h, w = x.shape
    inner = c // by**2
    if rows_first:
        apart = x.reshape((n, by, by, inner, h, w)).transpose((0, 3, 4, 1, 5, 2))
    else:
        apart = x.reshape((n, inner, by, by, h, w)).transpose((0, 1, 4, 2, 5, 3))
    return apart.reshape((n, inner, h * by, w * by))


def along(rank: int, axis: int, array: np.ndarray) -> np.ndarray:
    """An array of one axis as one of many, in which it is this one."""
    return array.reshape([-1 if i == axis else 1 for i in range(rank)])


def countable(rows: int) -> int:
    """So many rows, where an s32 counts their places; Unsupported where there are more."""
    if rows > COUNTED:
        raise Unsupported(f"places among {rows:,} rows or elements, more than the {COUNTED:,} that are counted")
    return rows


def strides(shape: Any) -> list[int]:
    """How many elements lie within each axis."""
    return [prod(shape[i + 1 :]) for i in range(len(shape))]


def place_steps(shape: Any) -> list[int]:
    """How many rows lie within each axis; Unsupported where there are more than places count."""
    countable(prod(shape))
    return strides(shape)


def within(indices: Any, size: int) -> Any:
    """Places with those below 0 counted from the end; known places give an array of NumPy."""
    countable(size)
    own = indices.known if isinstance(indices, Array) else indices
    if own is None:
        return where(indices < 0, indices + size, indices)
    return np.where(own < 0, own + size, own).astype(np.int32)
