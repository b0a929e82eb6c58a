"""Windows that slide: pooling."""

from __future__ import annotations

from math import prod

import numpy as np

from ...operators.array import sliced
from ...operators.indexing import put_along_axis, take_along_axis
from ...operators.kinds import in_f32
from ...operators.moving import padded
from ...operators.products import multiplied
from ...operators.reducing import place_of_largest
from ...readers.tables import OperatorTable


def described(rank: int, kernel_size, stride, padding, dilation=1, ceil_mode=False) -> dict:
    """Windows as ONNX tells them; torch leaves out what is alike along all axes."""
    every = lambda given: [given] * rank if isinstance(given, int) else list(given) * (rank // len(given) or 1)
    pads = every(padding)
    steps = every(stride) if stride not in (None, [], ()) else every(kernel_size)
    return {
        "kernel_shape": every(kernel_size),
        "strides": steps,
        "pads": [*pads, *pads],
        "dilations": every(dilation),
        "ceil_mode": int(ceil_mode),
    }


def batched(x, rank: int):
    """x with an axis of batches, as all windows take it."""
    return x if x.ndim == rank + 2 else x.reshape((1, *x.shape))


def max_pool(node, x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    """The largest, and where in its image it is."""
    rank = int(node.operator[node.operator.index("pool") + 4])
    whole = batched(x, rank)
    given = described(rank, kernel_size, stride, padding, dilation, ceil_mode)
    if 1 not in node.asked:
        found = node.as_onnx("MaxPool", whole, **given).reshape(node.shape)
        return [found] if node.operator.startswith(("max_pool2d_w", "max_pool3d_w")) else found
    largest, places = node.as_onnx("MaxPool", whole, outputs=2, **given)
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
    given = described(rank, kernel_size, stride, padding, 1, ceil_mode)
    whole = batched(x, rank)
    if divisor_override:  # all windows are of one size then
        total = _means(node, whole, given, node.shape[-rank:])
        return (total * (prod(given["kernel_shape"]) / divisor_override)).reshape(node.shape)
    found = node.as_onnx("AveragePool", whole, count_include_pad=int(count_include_pad), **given)
    return found.reshape(node.shape)


def _means(node, x, given, wanted):
    """Means of so many windows, of which what lies beyond x counts as 0."""
    window, steps, before = (given[key] for key in ("kernel_shape", "strides", "pads"))
    ends = [(m - 1) * s + k - n - p for m, s, k, n, p in zip(wanted, steps, window, x.shape[2:], before)]
    whole = padded(x, [0, 0, *before[: len(window)]], [0, 0, *(max(0, e) for e in ends)])
    whole = sliced(whole, {2 + a: (0, (m - 1) * s + k) for a, (m, s, k) in enumerate(zip(wanted, steps, window))})
    return node.as_onnx("AveragePool", whole, kernel_shape=window, strides=steps)


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
        found = node.as_onnx("AveragePool", whole, kernel_shape=window, strides=window)
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
        return [node.as_onnx("MaxPool", whole, kernel_shape=window, strides=window).reshape(node.shape)]
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


def col2im(node, x, output_size, kernel_size, dilation, padding, stride):
    given = {"strides": stride, "dilations": dilation, "pads": [*padding, *padding]}
    return node.as_onnx("Col2Im", x, np.array(output_size), np.array(kernel_size), **given)


OPERATORS: OperatorTable = (
    ("max_pool2d_with_indices max_pool3d_with_indices max_pool2d max_pool1d max_pool3d", max_pool),
    ("max_pool2d_with_indices_backward", max_pool_backward),
    ("avg_pool1d avg_pool2d avg_pool3d", avg_pool),
    ("_adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d", adaptive_avg_pool),
    ("adaptive_max_pool2d adaptive_max_pool3d adaptive_max_pool1d", adaptive_max_pool),
    ("col2im", col2im),
)
