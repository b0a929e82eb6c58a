"""Windows that slide along the last axes of [n, c, ..]: pooling. What the language's calls of two axes do not cover is
joined tap by tap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from math import inf, prod
from typing import Any

import numpy as np

from ...lang.types.dtypes import limits
from .array import Array, array_call, call, kind, sliced, sqrt, where
from .calls import Unsupported
from .indexing import take_along_axis
from .kinds import in_f32
from .moving import along, padded, strides
from .products import multiplied
from .reducing import place_of_largest

MOST_TAPS = 4096  # elements of a window that are joined one by one


@dataclass(frozen=True)
class Window:
    """Windows along some axes, with a number for each.

    Attributes:
        sizes: elements of a window.
        stride: steps from one window to the next.
        pads: elements (before, after) an array that windows reach.
        dilation: steps from one element of a window to the next.
    """

    sizes: tuple[int, ...]
    stride: tuple[int, ...]
    pads: tuple[tuple[int, int], ...]
    dilation: tuple[int, ...]

    @property
    def reach(self) -> tuple[int, ...]:
        """Elements from the first of a window to its last."""
        return tuple((k - 1) * d + 1 for k, d in zip(self.sizes, self.dilation))

    def counts(self, sizes: Sequence[int]) -> list[int]:
        """How many windows there are along axes of these sizes."""
        ends = zip(sizes, self.pads, self.reach, self.stride)
        return [(n + before + after - reach) // s + 1 for n, (before, after), reach, s in ends]

    def rounded_up(self, sizes: Sequence[int]) -> Window:
        """With as many more pads at the end as let windows that begin within them reach beyond."""
        pads = []
        for n, (before, after), reach, s in zip(sizes, self.pads, self.reach, self.stride):
            places = -(-(n + before + after - reach) // s) + 1
            if (places - 1) * s >= n + before:  # would begin beyond x and its pads
                places -= 1
            pads.append((before, max(after, (places - 1) * s + reach - n - before)))
        return replace(self, pads=tuple(pads))

    def of_rows(self) -> Window:
        """The same windows along the last of two axes; the first has one element."""
        return Window((1, *self.sizes), (1, *self.stride), ((0, 0), *self.pads), (1, *self.dilation))

    def inner(self) -> Window:
        """Along all axes but the first."""
        return Window(self.sizes[1:], self.stride[1:], self.pads[1:], self.dilation[1:])

    def along(self, axis: int) -> Window:
        """Along one axis, of one element along others."""
        only = lambda numbers, other: tuple(n if a == axis else other for a, n in enumerate(numbers))
        return Window(only(self.sizes, 1), only(self.stride, 1), only(self.pads, (0, 0)), only(self.dilation, 1))


def windows(rank: int, sizes: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1) -> Window:
    """Windows along so many axes, of numbers for each axis or one for all; padding is as much before as after."""
    every = lambda given: (given,) * rank if isinstance(given, int) else (*given,) * (rank // len(given) or 1)
    return Window(every(sizes), every(stride), tuple((int(n), int(n)) for n in every(padding)), every(dilation))


def as_image(x: Array) -> Array:
    """[n, c, w] as images of one row."""
    return x.reshape((*x.shape[:2], 1, x.shape[2]))


def as_row(x: Array) -> Array:
    """Images of one row as [n, c, w]."""
    return x.reshape((*x.shape[:2], x.shape[3]))


def taps(x: Array, given: Window, fill: float) -> Iterator[Array]:
    """For each element of a window what all windows have there; `fill` beyond x."""
    front = x.ndim - len(given.sizes)
    x = padded(x, [0] * front + [a for a, _ in given.pads], [0] * front + [b for _, b in given.pads], fill)
    if prod(given.sizes) > MOST_TAPS:
        raise Unsupported(f"windows of {prod(given.sizes)} elements")
    counts = replace(given, pads=((0, 0),) * len(given.sizes)).counts(x.shape[front:])
    for at in product(*map(range, given.sizes)):
        starts = [i * d for i, d in zip(at, given.dilation)]
        ends = enumerate(zip(starts, counts, given.stride))
        yield sliced(x, {front + a: (o, o + (n - 1) * s + 1, s) for a, (o, n, s) in ends})


def joined_taps(called: str, x: Array, given: Window, fill: float) -> Array:
    """Windows joined by a call, along one axis after the other."""
    for a in range(len(given.sizes)):
        x = reduce(lambda one, tap: call(called, one, tap), taps(x, given.along(a), fill))
    return x


def _is_plain(given: Window) -> bool:
    """Whether the language's calls have room for them."""
    return len(given.sizes) in (1, 2) and all(max(pads) < n for pads, n in zip(given.pads, given.reach))


def _pooled(called: str, x: Array, given: Window, **attributes: Any) -> Array:
    if len(given.sizes) == 1:
        return as_row(_pooled(called, as_image(x), given.of_rows(), **attributes))
    if called == "max_pool2d":
        attributes["dilation"] = given.dilation
    return call(called, x, window=given.sizes, stride=given.stride, padding=given.pads, **attributes)


def max_pool(x: Array, given: Window) -> Array:
    """The largest of each window."""
    if _is_plain(given):
        return _pooled("max_pool2d", x, given)
    return joined_taps("maximum", x, given, -inf if kind(x.dtype) == "float" else limits(x.dtype)[0])


def max_pool_places(x: Array, given: Window, columns_first: bool = False) -> list[Array]:
    """The largest of each window, and where in all of x the first of them is."""
    rank, sizes = len(given.sizes), x.shape[2:]
    if kind(x.dtype) != "float":
        raise Unsupported("the places of the largest of integers")
    steps = strides(sizes[::-1])[::-1] if columns_first else strides(sizes)
    offsets = (sum(i * d * s for i, d, s in zip(at, given.dilation, steps)) for at in product(*map(range, given.sizes)))
    (largest, offset), *others = zip(taps(x, given, -inf), offsets)
    moved: Any = np.full(largest.shape, offset, np.int64)
    for tap, offset in others:
        is_larger = tap > largest
        moved = where(is_larger, np.int64(offset), moved)
        largest = where(is_larger, tap, largest)
    first = np.arange(prod(x.shape[:2])).reshape(*x.shape[:2], *[1] * rank) * prod(sizes)
    for a in range(rank):
        own = np.arange(largest.shape[2 + a]) * given.stride[a] - given.pads[a][0]
        first = first + along(2 + rank, 2 + a, own * steps[a])
    x.reserve(*first.shape)
    return [largest, x.of(moved + first)]


def max_unpool(x: Array, places: Array, sizes: Sequence[int]) -> Array:
    """Zeros of these sizes, but for the elements of x at places among all."""
    x.reserve(prod(sizes))
    nothing = np.zeros(prod(sizes), x.numpy)
    at = places.reshape((x.size,)).astype("s32")
    (found,) = array_call("scatter", nothing, at, x.reshape((x.size,)), how="set", axes=1)
    return found.reshape(sizes)


def avg_pool(x: Array, given: Window, counted: Any = None) -> Array:
    """The mean of each window over its elements within x, or within the pads `counted`, whose elements are 0."""
    if _is_plain(given) and set(given.dilation) == {1} and counted in (None, given.pads):
        return _pooled("avg_pool2d", x, given, count_pad=counted is not None)
    return _mean(x, given, counted or ((0, 0),) * len(given.sizes))


@in_f32
def _mean(x: Array, given: Window, counted: Any) -> Array:
    """Sums by how many elements of x, or of what counts beyond it, a window meets."""
    total = sum_pool(x, given)
    rank = len(given.sizes)
    count = np.ones([1] * (2 + rank))
    for a, (n, k, s, d) in enumerate(zip(x.shape[2:], given.sizes, given.stride, given.dilation)):
        first = np.arange(total.shape[2 + a])[:, None] * s - given.pads[a][0] + np.arange(k) * d
        own = ((first >= -counted[a][0]) & (first < n + counted[a][1])).sum(1)
        count = count * along(2 + rank, 2 + a, own)
    return total / count.astype(total.numpy)


def sum_pool(x: Array, given: Window) -> Array:
    """The sum of each window."""
    return joined_taps("add", x, given, 0)


@in_f32
def lp_pool(x: Array, p: float, given: Window | None = None) -> Array:
    """The p-th root of the sum of p-th powers of each window, or of all that there is."""
    size = abs(x)
    powers = size if p == 1 else size**p
    total = powers.sum(axis=tuple(range(2, x.ndim)), keepdims=True) if given is None else sum_pool(powers, given)
    return total if p == 1 else (sqrt(total) if p == 2 else total ** (1 / p))


def _adaptive(n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each of m windows that cover n elements begins and ends."""
    at = np.arange(m)
    return at * n // m, -(-(at + 1) * n // m)


@in_f32
def adaptive_avg_pool(x: Array, counts: Sequence[int]) -> Array:
    """The means of so many windows along each axis: of one size where they are, else a product with known shares."""
    rank, sizes = len(counts), x.shape[2:]
    if all(n == 1 for n in counts):
        return x.mean(axis=tuple(range(2, 2 + rank)), keepdims=True)
    if all(n % m == 0 for n, m in zip(sizes, counts)):
        window = [n // m for n, m in zip(sizes, counts)]
        return avg_pool(x, windows(rank, window, window))
    for axis, (n, m) in enumerate(zip(sizes, counts), 2):
        first, last = _adaptive(n, m)
        inside = (np.arange(n) >= first[:, None]) & (np.arange(n) < last[:, None])
        x = _shared(x, axis, inside / inside.sum(1, keepdims=True))
    return x


def _shared(x: Array, axis: int, shares: np.ndarray) -> Array:
    """Sums along an axis, with these shares [sums, elements]."""
    front, back = x.shape[:axis], x.shape[axis + 1 :]
    rows = x.reshape((prod(front), x.shape[axis], prod(back)))
    own = shares.astype(x.numpy)
    if prod(back) == 1:
        found = multiplied(rows.reshape(rows.shape[:2]), np.ascontiguousarray(own.T))
    else:
        found = multiplied(np.broadcast_to(own, (prod(front), *own.shape)).copy(), rows)
    return found.reshape((*front, len(shares), *back))


def adaptive_max_pool_places(x: Array, counts: Sequence[int]) -> list[Array]:
    """The largest of so many windows along each axis, and where in its image it is; a window that is shorter than
    others has its last element again."""
    front, sizes = prod(x.shape[:2]), x.shape[2:]
    places = np.zeros((1, 1), np.int64)
    for n, m in zip(sizes, counts):
        first, last = _adaptive(n, m)
        own = np.minimum(first[:, None] + np.arange((last - first).max()), last[:, None] - 1)
        places = places[:, None, :, None] * n + own[None, :, None, :]
        places = places.reshape(places.shape[0] * m, -1)
    x.reserve(places.size * front)
    rows = x.reshape((front, prod(sizes))).take(places.astype(np.int32), 1)
    wide = x.of(np.broadcast_to(places, (front, *places.shape)).copy())
    return [rows.max(axis=2), take_along_axis(wide, place_of_largest(rows, 2, True), 2)]
