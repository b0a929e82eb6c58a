"""Windows that slide: pooling."""

from __future__ import annotations

from math import prod

import numpy as np

from ...operators.array import sliced
from ...operators.convolutions import col2im
from ...operators.indexing import put_along_axis, take_along_axis
from ...operators.kinds import in_f32
from ...operators.moving import padded
from ...operators.products import multiplied
from ...operators.reducing import place_of_largest
from ...operators.windows import Window, max_pool_places, windows
from ...operators.windows import avg_pool as mean_of
from ...operators.windows import max_pool as largest_of
from ...readers.tables import OperatorTable


def pool_windows(rank: int, kernel_size, stride, padding=0, dilation=1) -> Window:
    """The windows of a pool, which lie side by side where no stride is told."""
    return windows(rank, kernel_size, kernel_size if stride in (None, [], ()) else stride, padding, dilation)


def batched(x, rank: int):
    """x with an axis of batches, as all windows take it."""
    return x if x.ndim == rank + 2 else x.reshape((1, *x.shape))


def max_pool(node, x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    """The largest, and where in its image it is."""
    rank = int(node.operator[node.operator.index("pool") + 4])
    whole = batched(x, rank)
    given = pool_windows(rank, kernel_size, stride, padding, dilation)
    given = given.rounded_up(whole.shape[2:]) if ceil_mode else given
    if 1 not in node.asked:
        found = largest_of(whole, given).reshape(node.shape)
        return [found] if node.operator.startswith(("max_pool2d_w", "max_pool3d_w")) else found
    largest, places = max_pool_places(whole, given)
    within = places % np.int64(prod(whole.shape[2:]))
    return [each.reshape(node.shape) for each in (largest, within)]


def max_pool_backward(node, grad, x, kernel_size, stride, padding, dilation, ceil_mode, indices):
    """What each window has, at the place of its largest, added up."""
    shape = node.shape
    planes, places = prod(shape[:-2]), prod(grad.shape[-2:])
    rows, at = (each.reshape((planes, places)) for each in (grad, indices))
    grad.room(*shape)
    nothing = np.zeros((planes, prod(shape[-2:])), rows.numpy)
    return put_along_axis(rows.of(nothing), at, rows, 1, "add").reshape(shape)


def avg_pool(
    node, x, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    rank = int(node.operator[node.operator.index("pool") + 4])
    given = pool_windows(rank, kernel_size, stride, padding)
    whole = batched(x, rank)
    if divisor_override:  # all windows are of one size then
        total = _means(whole, given, node.shape[-rank:])
        return (total * (prod(given.sizes) / divisor_override)).reshape(node.shape)
    counted = given.pads if count_include_pad else None
    given = given.rounded_up(whole.shape[2:]) if ceil_mode else given
    return mean_of(whole, given, counted).reshape(node.shape)


def _means(x, given: Window, wanted):
    """Means of so many windows, of which what lies beyond x counts as 0."""
    before, reach = [p for p, _ in given.pads], [(m - 1) * s + k for m, s, k in zip(wanted, given.stride, given.sizes)]
    ends = [r - n - p for r, n, p in zip(reach, x.shape[2:], before)]
    whole = padded(x, [0, 0, *before], [0, 0, *(max(0, e) for e in ends)])
    whole = sliced(whole, {2 + a: (0, r) for a, r in enumerate(reach)})
    return mean_of(whole, windows(len(wanted), given.sizes, given.stride))


@in_f32
def adaptive_avg_pool(node, x, output_size):
    """Windows of one size where they are; else along each axis a product with known shares."""
    rank = len(output_size)
    whole = batched(x, rank)
    sizes = whole.shape[2:]
    if all(n == 1 for n in output_size):
        found = whole.mean(axis=tuple(range(2, 2 + rank)), keepdims=True)
    elif all(n % m == 0 for n, m in zip(sizes, output_size)):
        window = [n // m for n, m in zip(sizes, output_size)]
        found = mean_of(whole, windows(rank, window, window))
    else:
        found = whole
        for a, (n, m) in enumerate(zip(sizes, output_size)):
            found = shared(found, 2 + a, _shares(n, m))
    return found.reshape(node.shape)


def _shares(n: int, m: int) -> np.ndarray:
    """[m, n]: how much of each element is in each mean."""
    at = np.arange(m)
    first, last = at * n // m, -(-(at + 1) * n // m)
    inside = (np.arange(n) >= first[:, None]) & (np.arange(n) < last[:, None])
    return inside / inside.sum(1, keepdims=True)


def shared(x, axis: int, shares: np.ndarray):
    """Sums along an axis, with these shares [sums, elements]."""
    front, back = x.shape[:axis], x.shape[axis + 1 :]
    rows = x.reshape((prod(front), x.shape[axis], prod(back)))
    own = shares.astype(x.numpy)
    if prod(back) == 1:
        found = multiplied(rows.reshape(rows.shape[:2]), np.ascontiguousarray(own.T))
    else:
        found = multiplied(np.broadcast_to(own, (prod(front), *own.shape)).copy(), rows)
    return found.reshape((*front, len(shares), *back))


def adaptive_max_pool(node, x, output_size):
    """The largest of each window, and where in its image it is; a window that is shorter than others has its last
    element again."""
    rank = len(output_size)
    whole = batched(x, rank)
    sizes = whole.shape[2:]
    if 1 not in node.asked and not any(n % m for n, m in zip(sizes, output_size)):
        window = [n // m for n, m in zip(sizes, output_size)]
        return [largest_of(whole, windows(rank, window, window)).reshape(node.shape)]
    places = np.zeros((1, 1), np.int64)
    for n, m in zip(sizes, output_size):
        own = _windows(n, m)
        places = places[:, None, :, None] * n + own[None, :, None, :]
        places = places.reshape(places.shape[0] * m, -1)
    x.room(places.size * prod(whole.shape[:2]))
    front = prod(whole.shape[:2])
    rows = whole.reshape((front, prod(sizes))).take(places.astype(np.int32), 1)
    found = [rows.max(axis=2).reshape(node.shape)]
    if 1 in node.asked:
        first = place_of_largest(rows, 2, True)
        wide = np.broadcast_to(places, (front, *places.shape)).copy()
        found.append(take_along_axis(rows.of(wide), first, 2).reshape(node.shape))
    return found


def _windows(n: int, m: int) -> np.ndarray:
    """[m, most]: the elements of each of m windows that cover n, the last one again in shorter ones."""
    at = np.arange(m)
    first, last = at * n // m, -(-(at + 1) * n // m)
    return np.minimum(first[:, None] + np.arange((last - first).max()), last[:, None] - 1)


def columns_added(x, output_size, kernel_size, dilation, padding, stride):
    return col2im(x, output_size, windows(2, kernel_size, stride, padding, dilation))


FUNCTIONS: OperatorTable = (("col2im", columns_added),)


OPERATORS: OperatorTable = (
    ("max_pool2d_with_indices max_pool3d_with_indices max_pool2d max_pool1d max_pool3d", max_pool),
    ("max_pool2d_with_indices_backward", max_pool_backward),
    ("avg_pool1d avg_pool2d avg_pool3d", avg_pool),
    ("_adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d", adaptive_avg_pool),
    ("adaptive_max_pool2d adaptive_max_pool3d adaptive_max_pool1d", adaptive_max_pool),
)
