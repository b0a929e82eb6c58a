"""Windows that slide: pooling."""

from __future__ import annotations

from typing import Any

from ...readers.operators.array import call, known
from ...readers.operators.calls import Unsupported
from ...readers.operators.moving import padded
from ...readers.operators.windows import Window, avg_pool, lp_pool, max_pool, max_pool_places, max_unpool
from ...readers.tables import OperatorTable


def windows_of(node, x, window) -> Window:
    """The windows along the last axes of x that a node tells."""
    window = tuple(window)
    rank = len(window)
    stride, dilation = numbers(node, "strides", x.ndim - 2), numbers(node, "dilations", x.ndim - 2)
    auto = node.attribute("auto_pad", "NOTSET")
    pads: Any = [(0, 0)] * rank
    if auto in ("NOTSET", ""):
        pads = pairs(node.attribute("pads") or (0,) * (2 * rank), rank)
    elif auto != "VALID":
        pads = []
        for size, k, s, d in zip(x.shape[2:], window, stride, dilation):
            total = max(0, (-(-size // s) - 1) * s + (k - 1) * d + 1 - size)
            small = total // 2
            pads.append((total - small, small) if auto == "SAME_LOWER" else (small, total - small))
    return Window(window, stride, tuple((int(a), int(b)) for a, b in pads), dilation)


def pairs(numbers, rank: int):
    """Numbers of what is before along each axis, then of what is after."""
    return tuple(zip(numbers[:rank], numbers[rank:]))


def numbers(node, name: str, rank: int, default: int = 1) -> tuple[int, ...]:
    """An attribute of one number for each axis."""
    return tuple(int(n) for n in node.attribute(name) or (default,) * rank)


def pool_windows(node, x) -> tuple[Window, Window]:
    """The windows of a pool, as they are told and with what is rounded up."""
    told = windows_of(node, x, node.attribute("kernel_shape"))
    return told, told.rounded_up(x.shape[2:]) if node.attribute("ceil_mode", 0) else told


def largest(node, x):
    _, given = pool_windows(node, x)
    if node.outputs > 1:
        return max_pool_places(x, given, bool(node.attribute("storage_order", 0)))
    return max_pool(x, given)


def mean(node, x):
    told, given = pool_windows(node, x)
    return avg_pool(x, given, told.pads if node.attribute("count_include_pad", 0) else None)


def unpool(node, x, places, shape=None):
    """Elements put where a pool had them from, among zeros."""
    given = windows_of(node, x, node.attribute("kernel_shape"))
    ends = zip(x.shape[2:], given.stride, given.sizes, given.pads)
    sizes = [*x.shape[:2], *((n - 1) * s + k - a - b for n, s, k, (a, b) in ends)]
    wanted = sizes if shape is None else [int(n) for n in known(shape, "the shape of the result")]
    if any(n < m for n, m in zip(wanted, sizes)):
        raise Unsupported(f"a result {wanted} that does not hold {sizes}")
    found = max_unpool(x, places, sizes)
    return padded(found, [0] * len(sizes), [n - m for n, m in zip(wanted, sizes)])


def global_pool(node, x):
    called = "mean" if node.operator == "GlobalAveragePool" else "max"
    return call(called, x, axis=tuple(range(2, x.ndim)), keepdims=True)


def root_pool(node, x, *, p=2):
    given = None if node.operator == "GlobalLpPool" else pool_windows(node, x)[1]
    return lp_pool(x, p, given)


OPERATORS: OperatorTable = (
    ("MaxPool", largest),
    ("AveragePool", mean),
    ("MaxUnpool", unpool),
    ("GlobalAveragePool GlobalMaxPool", global_pool),
    ("LpPool GlobalLpPool", root_pool),
)
