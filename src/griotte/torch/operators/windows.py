"""Windows that slide: pooling."""

from __future__ import annotations

from math import prod

import numpy as np

from ...readers.moving import reshaped
from ...readers.products import multiplied
from .declaring import Unsupported, in_f32, operator


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


def batched(node, x, rank: int):
    """x with an axis of batches, as all windows take it."""
    x = node.value(x)
    return x if x.type.rank == rank + 2 else reshaped(node, x, (1, *x.type.shape))


@operator("max_pool2d_with_indices", "max_pool3d_with_indices", "max_pool2d", "max_pool1d", "max_pool3d")
def max_pool(node, x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    """The largest, and where in its image it is."""
    rank = int(node.operator[node.operator.index("pool") + 4])
    whole = batched(node, x, rank)
    given = described(rank, kernel_size, stride, padding, dilation, ceil_mode)
    if 1 not in node.asked:
        found = reshaped(node, node.as_onnx("MaxPool", whole, **given), node.shape)
        return [found] if node.operator.startswith(("max_pool2d_w", "max_pool3d_w")) else found
    largest, places = node.as_onnx("MaxPool", whole, outputs=2, **given)
    within = node.call("mod", places, np.int64(prod(whole.type.shape[2:])))
    return [reshaped(node, each, node.shape) for each in (largest, within)]


@operator("avg_pool1d", "avg_pool2d", "avg_pool3d")
def avg_pool(
    node, x, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    rank = int(node.operator[node.operator.index("pool") + 4])
    given = described(rank, kernel_size, stride, padding, 1, ceil_mode)
    if divisor_override and (ceil_mode or not count_include_pad):
        raise Unsupported("a divisor of windows that reach beyond what is counted")
    found = node.as_onnx("AveragePool", batched(node, x, rank), count_include_pad=int(count_include_pad), **given)
    if divisor_override:
        found = node.call("mul", found, prod(given["kernel_shape"]) / divisor_override)
    return reshaped(node, found, node.shape)


@operator("_adaptive_avg_pool2d", "_adaptive_avg_pool3d", "adaptive_avg_pool1d", "adaptive_avg_pool2d")
@in_f32
def adaptive_avg_pool(node, x, output_size):
    """Windows of one size where they are; else along each axis a product with known shares."""
    rank = len(output_size)
    whole = batched(node, x, rank)
    sizes = whole.type.shape[2:]
    if all(n == 1 for n in output_size):
        found = node.call("mean", whole, axis=tuple(range(2, 2 + rank)), keepdims=True)
    elif all(n % m == 0 for n, m in zip(sizes, output_size)):
        window = [n // m for n, m in zip(sizes, output_size)]
        found = node.as_onnx("AveragePool", whole, kernel_shape=window, strides=window)
    else:
        found = whole
        for a, (n, m) in enumerate(zip(sizes, output_size)):
            found = shared(node, found, 2 + a, _shares(n, m))
    return reshaped(node, found, node.shape)


def _shares(n: int, m: int) -> np.ndarray:
    """[m, n]: how much of each element is in each mean."""
    at = np.arange(m)
    first, last = at * n // m, -(-(at + 1) * n // m)
    inside = (np.arange(n) >= first[:, None]) & (np.arange(n) < last[:, None])
    return inside / inside.sum(1, keepdims=True)


def shared(node, x, axis: int, shares: np.ndarray):
    """Sums along an axis, with these shares [sums, elements]."""
    x = node.value(x)
    front, back = x.type.shape[:axis], x.type.shape[axis + 1 :]
    rows = reshaped(node, x, (prod(front), x.type.shape[axis], prod(back)))
    own = shares.astype(node.numpy(x.type.dtype))
    if prod(back) == 1:
        found = multiplied(node, reshaped(node, rows, rows.type.shape[:2]), np.ascontiguousarray(own.T))
    else:
        found = multiplied(node, np.broadcast_to(own, (prod(front), *own.shape)).copy(), rows)
    return reshaped(node, found, (*front, len(shares), *back))


@operator("adaptive_max_pool2d", "adaptive_max_pool3d", "adaptive_max_pool1d")
def adaptive_max_pool(node, x, output_size):
    node.only(0)
    rank = len(output_size)
    whole = batched(node, x, rank)
    sizes = whole.type.shape[2:]
    if any(n % m for n, m in zip(sizes, output_size)):
        raise Unsupported(f"windows of several sizes: {list(sizes)} into {list(output_size)}")
    window = [n // m for n, m in zip(sizes, output_size)]
    return [reshaped(node, node.as_onnx("MaxPool", whole, kernel_shape=window, strides=window), node.shape)]


@operator("col2im")
def col2im(node, x, output_size, kernel_size, dilation, padding, stride):
    given = {"strides": stride, "dilations": dilation, "pads": [*padding, *padding]}
    return node.as_onnx("Col2Im", x, np.array(output_size), np.array(kernel_size), **given)
