"""Convolutions of [n, c, ..] along as many axes as there are, transposed ones, and columns added to an image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from .array import Array, call, sliced
from .calls import Unsupported
from .kinds import dtype_within
from .moving import padded, picked, spread, strides
from .windows import Window, as_image, as_row


def channels(x: Array, rank: int) -> Array:
    """One number for each channel, of an array of a rank."""
    return x.reshape((-1 if not x.size else x.size, *[1] * (rank - 2)))


def conv(x: Array, w: Array, bias: Array | None, given: Window, groups: int = 1) -> Array:
    """A convolution with w [o, c / groups, ..], plus a bias."""
    return conv_within(x, w, bias, given, groups).astype(x.dtype)


def conv_within(x: Array, w: Array, bias: Array | None, given: Window, groups: int = 1) -> Array:
    """A convolution plus a bias, before they are rounded to the dtype of x."""
    dtype = dtype_within(x)
    found = convolved(x, w, given, groups, None if dtype == x.dtype else dtype)
    return found if bias is None else found + channels(bias.astype(dtype), x.ndim)


def convolved(x: Array, w: Array, given: Window, groups: int = 1, dtype: str | None = None) -> Array:
    """A convolution, summed in a dtype."""
    rank = x.ndim - 2
    if rank == 1:
        return as_row(convolved(as_image(x), as_image(w), given.of_rows(), groups, dtype))
    if rank > 2:
        return _deep(x, w, given, groups, dtype)
    how = {"stride": given.stride, "padding": given.pads, "dilation": given.dilation, "groups": groups}
    return call("conv2d", x, w, **how, dtype=dtype)


def _deep(x: Array, w: Array, given: Window, groups: int, dtype: str | None) -> Array:
    """Of more than two axes: a sum of convolutions along all axes but the first. The sum runs over the first axis of
    the windows; places along the first axis of x are images of their own."""
    zeros, (before, after) = [0] * (x.ndim - 3), given.pads[0]
    x = padded(x, (0, 0, before, *zeros), (0, 0, after, *zeros))
    step = given.stride[0]
    places = (x.shape[2] - given.reach[0]) // step + 1
    total: Any = None
    for i in range(w.shape[2]):
        at = i * given.dilation[0]
        part = sliced(x, {2: (at, at + (places - 1) * step + 1, step)})
        images = part.transpose((0, 2, 1, *range(3, x.ndim)))
        images = images.reshape((x.shape[0] * places, x.shape[1], *x.shape[3:]))
        found = convolved(images, _slice(w, i), given.inner(), groups, dtype)
        total = found if total is None else total + found
    apart = total.reshape((x.shape[0], places, *total.shape[1:]))
    return apart.transpose((0, 2, 1, *range(3, x.ndim)))


def _slice(w: Array, place: int) -> Array:
    """Windows at one place along their first axis."""
    return sliced(w, {2: (place, place + 1)}).reshape((*w.shape[:2], *w.shape[3:]))


def conv_transpose(
    x: Array, w: Array, bias: Array | None, given: Window, extra: Sequence[int] = (), groups: int = 1
) -> Array:
    """A transposed convolution with w [c, o / groups, ..], without its pads, with `extra` elements at the end."""
    rank = x.ndim - 2
    if rank not in (1, 2, 3):
        raise Unsupported(f"a transposed convolution along {rank} axes")
    own = dtype_within(x)
    plain = {"groups": groups} | ({} if own == x.dtype else {"dtype": own})
    found = _transposed(x, w, given, tuple(extra) or (0,) * rank, plain)
    if bias is not None:
        found = found + channels(bias.astype(own), rank + 2)
    return found.astype(x.dtype)


def _transposed(x: Array, w: Array, given: Window, extra: tuple[int, ...], plain: dict[str, Any]) -> Array:
    """A transposed convolution along as many axes as there are."""
    rank = x.ndim - 2
    if rank == 1:
        return as_row(_transposed(as_image(x), as_image(w), given.of_rows(), (0, *extra), plain))
    if rank == 3:
        return _transposed_deep(x, w, given, extra, plain)
    plain = {"stride": given.stride, "dilation": given.dilation, **plain}
    if any(p < 0 for pair in given.pads for p in pair) or any(e >= s for e, s in zip(extra, given.stride)):
        return _cut(call("conv_transpose2d", x, w, **plain), given.pads, extra)
    return call("conv_transpose2d", x, w, padding=given.pads, output_padding=extra, **plain)


def _cut(x: Array, pads: Any, extra: Sequence[int]) -> Array:
    """x with its last axes cut by pads, before and after, and extended by zeros at the end."""
    front = x.ndim - len(pads)
    parts = {
        front + a: (max(0, before), n - max(0, after - more))
        for a, ((before, after), n, more) in enumerate(zip(pads, x.shape[front:], extra))
    }
    more = [max(0, e - after) for (_, after), e in zip(pads, extra)]
    less = [max(0, -before) for before, _ in pads]
    return padded(sliced(x, parts), (*[0] * front, *less), (*[0] * front, *more))


def _transposed_deep(x: Array, w: Array, given: Window, extra: tuple[int, ...], plain: dict[str, Any]) -> Array:
    """Along three axes: each place along the first is an image. The result of a slice of the windows on it stands at
    the place of that slice."""
    count, channels_in, depth, *image = x.shape
    images = x.transpose((0, 2, 1, 3, 4)).reshape((count * depth, channels_in, *image))
    k, step = w.shape[2], given.dilation[0]
    total: Any = None
    for i in range(k):
        found = _transposed(images, _slice(w, i), given.inner(), extra[1:], plain)
        apart = found.reshape((count, depth, *found.shape[1:])).transpose((0, 2, 1, 3, 4))
        wide = spread(apart, (1, 1, given.stride[0], 1, 1))
        part = padded(wide, (0, 0, i * step, 0, 0), (0, 0, (k - 1 - i) * step, 0, 0))
        total = part if total is None else total + part
    return _cut(total, (given.pads[0], (0, 0), (0, 0)), (extra[0], 0, 0))


def col2im(x: Array, sizes: Sequence[int], given: Window) -> Array:
    """Columns [n, c elements, windows] added where they lie in an image of these sizes."""
    rank = len(sizes)
    full = [n + a + b for n, (a, b) in zip(sizes, given.pads)]
    counts = replace(given, pads=((0, 0),) * rank).counts(full)
    n, c = x.shape[0], x.shape[1] // prod(given.sizes)
    columns = x.reshape((n, c, prod(given.sizes), prod(counts)))
    steps = strides(full)
    places = np.zeros([1] * (2 * rank), np.int64)
    for a, (k, s, d, count) in enumerate(zip(given.sizes, given.stride, given.dilation, counts)):
        own = (np.arange(k)[:, None] * d + np.arange(count) * s) * steps[a]
        places = places + own.reshape([k if i == a else count if i == rank + a else 1 for i in range(2 * rank)])
    total = _gathered(columns.reshape((n * c, prod(given.sizes) * prod(counts))), places.reshape(-1), prod(full))
    whole = total.reshape((n, c, *full))
    return sliced(whole, {2 + a: (before, before + m) for a, (m, (before, _)) in enumerate(zip(sizes, given.pads))})


def _gathered(rows: Array, places: np.ndarray, count: int) -> Any:
    """For each place the sum of the columns that lie there, in rounds of one for each."""
    order = np.argsort(places, kind="stable")
    number = np.arange(len(order)) - np.searchsorted(places[order], places[order])  # of a place, which it is
    wide = padded(rows, (0, 0), (0, 1))
    total: Any = None
    for turn in range(int(number.max()) + 1):
        at = np.full(count, len(places))
        at[places[order[number == turn]]] = order[number == turn]
        part = picked(wide, 1, at)
        total = part if total is None else total + part
    return total
