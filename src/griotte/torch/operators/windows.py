"""Windows that slide: pooling."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...readers.operators.array import sliced
from ...readers.operators.convolutions import col2im
from ...readers.operators.indexing import put_along_axis
from ...readers.operators.moving import padded
from ...readers.operators.windows import Window, adaptive_avg_pool, adaptive_max_pool_places, max_pool_places, windows
from ...readers.operators.windows import avg_pool as mean_of
from ...readers.operators.windows import max_pool as largest_of
from ...readers.tables import OperatorTable


class PoolWindow(NamedTuple):
    """The windows of a pool, which lie side by side where no stride is told."""

    kernel_size: Any
    stride: Any = ()
    padding: Any = 0

    def windows(self, rank: int, dilation: Any = 1) -> Window:
        """The same along so many axes."""
        stride = self.kernel_size if self.stride in (None, [], ()) else self.stride
        return windows(rank, self.kernel_size, stride, self.padding, dilation)


class MeanOptions(NamedTuple):
    """As torch's avg_pool has them."""

    ceil_mode: bool = False
    count_include_pad: bool = True
    divisor: Any = None


def batched(x, rank: int):
    """x with an axis of batches, as all windows take it."""
    return x if x.ndim == rank + 2 else x.reshape((1, *x.shape))


def max_pool(rank: int, node, x, pool: PoolWindow, dilation=1, ceil_mode=False):
    """The largest, and where in its image it is."""
    whole, given = batched(x, rank), pool.windows(rank, dilation)
    given = given.rounded_up(whole.shape[2:]) if ceil_mode else given
    if 1 not in node.asked:
        return [largest_of(whole, given).reshape(node.shape)]
    largest, places = max_pool_places(whole, given)
    return [each.reshape(node.shape) for each in (largest, places % np.int64(prod(whole.shape[2:])))]


def max_pool_backward(node, grad, *how, indices):
    """What each window has, at the place of its largest, added up."""
    shape = node.shape
    planes, places = prod(shape[:-2]), prod(grad.shape[-2:])
    rows, at = (each.reshape((planes, places)) for each in (grad, indices))
    grad.room(*shape)
    nothing = np.zeros((planes, prod(shape[-2:])), rows.numpy)
    return put_along_axis(rows.of(nothing), at, rows, 1, "add").reshape(shape)


def avg_pool(rank, node, x, pool: PoolWindow, how: MeanOptions):
    whole, given = batched(x, rank), pool.windows(rank)
    if how.divisor:  # all windows are of one size then
        total = _means(whole, given, node.shape[-rank:])
        return (total * (prod(given.sizes) / how.divisor)).reshape(node.shape)
    counted = given.pads if how.count_include_pad else None
    given = given.rounded_up(whole.shape[2:]) if how.ceil_mode else given
    return mean_of(whole, given, counted).reshape(node.shape)


def _means(x, given: Window, wanted):
    """Means of so many windows, of which what lies beyond x counts as 0."""
    before, reach = [p for p, _ in given.pads], [(m - 1) * s + k for m, s, k in zip(wanted, given.stride, given.sizes)]
    ends = [r - n - p for r, n, p in zip(reach, x.shape[2:], before)]
    whole = padded(x, [0, 0, *before], [0, 0, *(max(0, e) for e in ends)])
    whole = sliced(whole, {2 + a: (0, r) for a, r in enumerate(reach)})
    return mean_of(whole, windows(len(wanted), given.sizes, given.stride))


def adaptive_max_pool(node, x, output_size):
    whole, sizes = batched(x, len(output_size)), x.shape[-len(output_size) :]
    if 1 in node.asked or any(n % m for n, m in zip(sizes, output_size)):
        return [each.reshape(node.shape) for each in adaptive_max_pool_places(whole, output_size)]
    window = [n // m for n, m in zip(sizes, output_size)]
    return [largest_of(whole, windows(len(sizes), window, window)).reshape(node.shape)]


def columns_added(x, output_size, kernel_size, dilation, padding, stride):
    return col2im(x, output_size, windows(2, kernel_size, stride, padding, dilation))


OPERATORS: OperatorTable = (
    ("max_pool2d_with_indices", partial(max_pool, 2)),
    ("max_pool3d_with_indices", partial(max_pool, 3)),
    ("max_pool2d_with_indices_backward", max_pool_backward),
    ("avg_pool2d", partial(avg_pool, 2)),
    ("avg_pool3d", partial(avg_pool, 3)),
    (
        "_adaptive_avg_pool2d _adaptive_avg_pool3d",
        lambda node, x, sizes: adaptive_avg_pool(batched(x, len(sizes)), sizes).reshape(node.shape),
    ),
    ("adaptive_max_pool2d adaptive_max_pool3d", adaptive_max_pool),
    ("col2im", columns_added),
)
