"""Windows that slide: pooling."""

from __future__ import annotations

from typing import Any

from ...readers.operators.array import call, integers
from ...readers.operators.calls import Unsupported
from ...readers.operators.moving import padded
from ...readers.operators.windows import Window, avg_pool, lp_pool, max_pool, max_pool_places, max_unpool
from ...readers.tables import OperatorTable


def window_of(node, x, sizes) -> Window:
    """The windows of these sizes along the last axes of x, as the attributes of a node tell."""
    sizes = tuple(sizes)
    rank, auto = len(sizes), node.attribute("auto_pad", "NOTSET")
    stride, dilation = (numbers(node.attribute(name), x.ndim - 2) for name in ("strides", "dilations"))
    pads: Any = [(0, 0)] * rank
    if auto in ("NOTSET", ""):
        pads = pairs(node.attribute("pads") or (0,) * (2 * rank), rank)
    elif auto != "VALID":
        pads = []
        for size, k, s, d in zip(x.shape[2:], sizes, stride, dilation):
            total = max(0, (-(-size // s) - 1) * s + (k - 1) * d + 1 - size)
            small = total // 2
            pads.append((total - small, small) if auto == "SAME_LOWER" else (small, total - small))
    return Window(sizes, stride, tuple((int(a), int(b)) for a, b in pads), dilation)


def pool_of(node, x) -> Window:
    """The windows of a pool, as many as its attributes ask for."""
    window = window_of(node, x, node.attribute("kernel_shape"))
    return window.rounded_up(x.shape[2:]) if node.attribute("ceil_mode", 0) else window


def pairs(numbers, rank: int):
    """(before, after) of each axis, from all numbers before, then all numbers after."""
    return tuple(zip(numbers[:rank], numbers[rank:]))


def numbers(given: Any, rank: int, default: int = 1) -> tuple[int, ...]:
    """One number for each axis."""
    return tuple(int(n) for n in given or (default,) * rank)


def channels_second(x):
    """What has its channels last with them as its second axis."""
    return x.transpose((0, x.ndim - 1, *range(1, x.ndim - 1)))


def channels_last(x):
    """What has its channels second with them as its last axis."""
    return x.transpose((0, *range(2, x.ndim), 1))


def largest(node, x, *, storage_order=0):
    window = pool_of(node, x)
    return max_pool_places(x, window, bool(storage_order)) if node.outputs > 1 else max_pool(x, window)


def mean(node, x):
    counted = (
        window_of(node, x, node.attribute("kernel_shape")).pads if node.attribute("count_include_pad", 0) else None
    )
    return avg_pool(x, pool_of(node, x), counted)


def unpool(node, x, places, shape=None, *, kernel_shape=None):
    """Elements put where a pool had them from, among zeros."""
    given = window_of(node, x, kernel_shape)
    ends = zip(x.shape[2:], given.stride, given.sizes, given.pads)
    sizes = [*x.shape[:2], *((n - 1) * s + k - a - b for n, s, k, (a, b) in ends)]
    wanted = sizes if shape is None else integers(shape, "the shape of the result")
    if any(n < m for n, m in zip(wanted, sizes)):
        raise Unsupported(f"a result {wanted} that does not hold {sizes}")
    found = max_unpool(x, places, sizes)
    return padded(found, [0] * len(sizes), [n - m for n, m in zip(wanted, sizes)])


def largest_nhwc(node, x):
    return channels_last(largest(node, channels_second(x)))


def global_pool(node, x):
    called = "mean" if node.operator == "GlobalAveragePool" else "max"
    return call(called, x, axis=tuple(range(2, x.ndim)), keepdims=True)


def root_pool(node, x, *, p=2):
    return lp_pool(x, p, None if node.operator == "GlobalLpPool" else pool_of(node, x))


OPERATORS: OperatorTable = (
    ("MaxPool", largest),
    ("com.microsoft.NhwcMaxPool", largest_nhwc),
    ("AveragePool", mean),
    ("MaxUnpool", unpool),
    ("GlobalAveragePool GlobalMaxPool", global_pool),
    ("LpPool GlobalLpPool", root_pool),
)
