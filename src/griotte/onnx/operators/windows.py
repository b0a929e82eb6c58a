"""Windows that slide: pooling."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...readers.operators.array import call, known
from ...readers.operators.calls import Unsupported
from ...readers.operators.moving import padded
from ...readers.operators.windows import Window, avg_pool, lp_pool, max_pool, max_pool_places, max_unpool
from ...readers.tables import OperatorTable


class WindowAttributes(NamedTuple):
    """What nodes tell of windows: those of convolutions and of pools."""

    kernel_shape: Any = None
    strides: Any = None
    pads: Any = None
    dilations: Any = None
    auto_pad: str = "NOTSET"
    ceil_mode: int = 0
    count_include_pad: int = 0
    group: int = 1
    channels_last: int = 0

    def along(self, x, window) -> Window:
        """The windows of these sizes along the last axes of x."""
        window = tuple(window)
        rank = len(window)
        stride, dilation = numbers(self.strides, x.ndim - 2), numbers(self.dilations, x.ndim - 2)
        pads: Any = [(0, 0)] * rank
        if self.auto_pad in ("NOTSET", ""):
            pads = pairs(self.pads or (0,) * (2 * rank), rank)
        elif self.auto_pad != "VALID":
            pads = []
            for size, k, s, d in zip(x.shape[2:], window, stride, dilation):
                total = max(0, (-(-size // s) - 1) * s + (k - 1) * d + 1 - size)
                small = total // 2
                pads.append((total - small, small) if self.auto_pad == "SAME_LOWER" else (small, total - small))
        return Window(window, stride, tuple((int(a), int(b)) for a, b in pads), dilation)

    def of_pool(self, x) -> tuple[Window, Window]:
        """The windows of a pool, as they are told and with what is rounded up."""
        told = self.along(x, self.kernel_shape)
        return told, told.rounded_up(x.shape[2:]) if self.ceil_mode else told


def pairs(numbers, rank: int):
    """Numbers of what is before along each axis, then of what is after."""
    return tuple(zip(numbers[:rank], numbers[rank:]))


def numbers(told: Any, rank: int, default: int = 1) -> tuple[int, ...]:
    """One number for each axis."""
    return tuple(int(n) for n in told or (default,) * rank)


def largest(node, x, *, window: WindowAttributes, storage_order=0):
    _, given = window.of_pool(x)
    return max_pool_places(x, given, bool(storage_order)) if node.outputs > 1 else max_pool(x, given)


def mean(x, *, window: WindowAttributes):
    told, given = window.of_pool(x)
    return avg_pool(x, given, told.pads if window.count_include_pad else None)


def unpool(x, places, shape=None, *, window: WindowAttributes):
    """Elements put where a pool had them from, among zeros."""
    given = window.along(x, window.kernel_shape)
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


def root_pool(node, x, *, p=2, window: WindowAttributes):
    return lp_pool(x, p, None if node.operator == "GlobalLpPool" else window.of_pool(x)[1])


OPERATORS: OperatorTable = (
    ("MaxPool", largest),
    ("AveragePool", mean),
    ("MaxUnpool", unpool),
    ("GlobalAveragePool GlobalMaxPool", global_pool),
    ("LpPool GlobalLpPool", root_pool),
)
