"""Windows that slide: pooling. What the language's calls of two axes do not cover is joined tap by tap."""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import inf, prod
from typing import Any

import numpy as np

from ...ir.dtypes import limits
from ...operators.array import array_call, call, kind, known, sliced, sqrt, where
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32
from ...operators.moving import along, padded, strides
from ...readers.tables import OperatorTable

MOST_TAPS = 4096  # elements of a window that are joined one by one


def pads_of(node, sizes, window, stride, dilation, ceil=False):
    """Elements before and after, along each axis, that a window may reach beyond."""
    auto = node.attribute("auto_pad", "NOTSET")
    rank = len(window)
    if auto in ("NOTSET", ""):
        given = node.attribute("pads") or (0,) * (2 * rank)
        pads = list(zip(given[:rank], given[rank:]))
    elif auto == "VALID":
        pads = [(0, 0)] * rank
    else:
        pads = []
        for size, k, s, d in zip(sizes, window, stride, dilation):
            total = max(0, (-(-size // s) - 1) * s + (k - 1) * d + 1 - size)
            small = total // 2
            pads.append((total - small, small) if auto == "SAME_LOWER" else (small, total - small))
    if ceil:
        pads = [_rounded_up(*each) for each in zip(sizes, window, stride, dilation, pads)]
    return tuple((int(a), int(b)) for a, b in pads)


def _rounded_up(size, k, s, d, pads):
    """Pads with as many more at the end as let windows that begin within them reach beyond."""
    before, after = pads
    reach = (k - 1) * d + 1
    places = -(-(size + before + after - reach) // s) + 1
    if (places - 1) * s >= size + before:  # would begin beyond what is there
        places -= 1
    return before, max(after, (places - 1) * s + reach - size - before)


def numbers(node, name: str, rank: int, default: int = 1) -> tuple[int, ...]:
    """An attribute of one number for each axis."""
    return tuple(int(n) for n in node.attribute(name) or (default,) * rank)


def taps(x, window, stride, dilation, pads, fill: float):
    """For each element of a window over the last axes of x what all windows have there."""
    rank = len(window)
    front = x.ndim - rank
    x = padded(x, [0] * front + [a for a, _ in pads], [0] * front + [b for _, b in pads], fill)
    if prod(window) > MOST_TAPS:
        raise Unsupported(f"windows of {prod(window)} elements")
    sizes = x.shape[front:]
    places = [(n - (k - 1) * d - 1) // s + 1 for n, k, s, d in zip(sizes, window, stride, dilation)]
    for at in product(*map(range, window)):
        starts = [i * d for i, d in zip(at, dilation)]
        yield sliced(
            x, {front + a: (o, o + (n - 1) * s + 1, s) for a, (o, n, s) in enumerate(zip(starts, places, stride))}
        )


def joined_taps(called: str, x, window, stride, dilation, pads, fill: float):
    """Windows joined along one axis after the other."""
    rank = len(window)
    for a in range(rank):
        only = lambda values, other: tuple(v if i == a else other for i, v in enumerate(values))
        given = (only(window, 1), only(stride, 1), only(dilation, 1), only(pads, (0, 0)), fill)
        x = reduce(lambda one, tap: call(called, one, tap), taps(x, *given))
    return x


def pool(node, x):
    rank = x.ndim - 2
    window = tuple(node.attribute("kernel_shape"))
    stride, dilation = numbers(node, "strides", rank), numbers(node, "dilations", rank)
    stated = pads_of(node, x.shape[2:], window, stride, dilation)
    pads = pads_of(node, x.shape[2:], window, stride, dilation, bool(node.attribute("ceil_mode", 0)))
    reach = [(k - 1) * d + 1 for k, d in zip(window, dilation)]
    is_plain = rank in (1, 2) and all(max(pad) < n for pad, n in zip(pads, reach))
    if node.operator.endswith("MaxPool"):
        if node.outputs > 1:
            return _placed_largest(node, x, window, stride, dilation, pads)
        if is_plain:
            return _pooled("max_pool2d", x, window, stride, pads, dilation=dilation)
        least = -inf if kind(x.dtype) == "float" else limits(x.dtype)[0]
        return joined_taps("maximum", x, window, stride, dilation, pads, least)
    counts_pad = bool(node.attribute("count_include_pad", 0))
    if is_plain and set(dilation) == {1} and (not counts_pad or pads == stated):
        return _pooled("avg_pool2d", x, window, stride, pads, count_pad=counts_pad)
    return _mean(x, window, stride, dilation, pads, stated if counts_pad else ((0, 0),) * rank)


def _placed_largest(node, x, window, stride, dilation, pads):
    """The largest elements of windows, and where in the tensor the first of each is."""
    rank, sizes = len(window), x.shape[2:]
    if kind(x.dtype) != "float":
        raise Unsupported("the places of the largest of integers")
    steps = strides(sizes[::-1])[::-1] if node.attribute("storage_order", 0) else strides(sizes)
    offsets = (sum(i * d * s for i, d, s in zip(at, dilation, steps)) for at in product(*map(range, window)))
    (largest, offset), *others = zip(taps(x, window, stride, dilation, pads, -inf), offsets)
    moved: Any = np.full(largest.shape, offset, np.int64)
    for tap, offset in others:
        is_larger = tap > largest
        moved = where(is_larger, np.int64(offset), moved)
        largest = where(is_larger, tap, largest)
    first = np.arange(prod(x.shape[:2])).reshape(*x.shape[:2], *[1] * rank) * prod(sizes)
    for a in range(rank):
        own = np.arange(largest.shape[2 + a]) * stride[a] - pads[a][0]
        first = first + along(2 + rank, 2 + a, own * steps[a])
    x.room(*first.shape)
    return [largest, moved + first]


def max_unpool(node, x, places, shape=None):
    """Elements put where a pool had them from, among zeros."""
    rank = x.ndim - 2
    window, stride, pads = tuple(node.attribute("kernel_shape")), numbers(node, "strides", rank), node.attribute("pads")
    pads = pads or [0] * (2 * rank)
    ends = zip(x.shape[2:], stride, window, pads[:rank], pads[rank:])
    sizes = [*x.shape[:2], *((n - 1) * s + k - a - b for n, s, k, a, b in ends)]
    wanted = sizes if shape is None else [int(n) for n in known(shape, "the shape of the result")]
    if any(n < m for n, m in zip(wanted, sizes)):
        raise Unsupported(f"a result {wanted} that does not hold {sizes}")
    x.room(prod(sizes))
    nothing = np.zeros(prod(sizes), x.numpy)
    at = places.reshape((x.size,)).astype("s32")
    (found,) = array_call("scatter", nothing, at, x.reshape((x.size,)), how="set", axes=1)
    return padded(found.reshape(sizes), [0] * len(sizes), [n - m for n, m in zip(wanted, sizes)])


def _pooled(called: str, x, window, stride, pads, **attributes):
    rank = len(window)
    if rank == 1:
        x = x.reshape((*x.shape[:2], 1, x.shape[2]))
        window, stride, pads = (1, *window), (1, *stride), ((0, 0), *pads)
        if "dilation" in attributes:
            attributes["dilation"] = (1, *attributes["dilation"])
    found = call(called, x, window=window, stride=stride, padding=pads, **attributes)
    return found if rank == 2 else found.reshape((*found.shape[:2], found.shape[3]))


@in_f32
def _mean(x, window, stride, dilation, pads, counted):
    """Sums by how many elements of x, or of what counts beyond it, a window meets."""
    total = joined_taps("add", x, window, stride, dilation, pads, 0)
    rank = len(window)
    count = np.ones([1] * (2 + rank))
    for a, (n, k, s, d) in enumerate(zip(x.shape[2:], window, stride, dilation)):
        first = np.arange(total.shape[2 + a])[:, None] * s - pads[a][0] + np.arange(k) * d
        own = ((first >= -counted[a][0]) & (first < n + counted[a][1])).sum(1)
        count = count * along(2 + rank, 2 + a, own)
    return total / count.astype(total.numpy)


def global_pool(node, x):
    called = "mean" if node.operator == "GlobalAveragePool" else "max"
    return call(called, x, axis=tuple(range(2, x.ndim)), keepdims=True)


@in_f32
def lp_pool(node, x):
    """The p-th root of sums of p-th powers."""
    p = node.attribute("p", 2)
    rank = x.ndim - 2
    size = abs(x)
    powers = size if p == 1 else size**p
    if node.operator == "GlobalLpPool":
        total = powers.sum(axis=tuple(range(2, x.ndim)), keepdims=True)
    else:
        window = tuple(node.attribute("kernel_shape"))
        stride, dilation = numbers(node, "strides", rank), numbers(node, "dilations", rank)
        pads = pads_of(node, x.shape[2:], window, stride, dilation, bool(node.attribute("ceil_mode", 0)))
        total = joined_taps("add", powers, window, stride, dilation, pads, 0)
    return total if p == 1 else (sqrt(total) if p == 2 else total ** (1 / p))


@in_f32
def lrn(node, x):
    """x / (bias + alpha / size * the sum of squares of neighbours along channels) ** beta."""
    size, alpha = node.attribute("size"), node.attribute("alpha", 1e-4)
    beta, bias = node.attribute("beta", 0.75), node.attribute("bias", 1.0)
    if x.ndim == 4:
        return call("lrn", x, size=size, alpha=alpha, beta=beta, bias=bias)
    low = (size - 1) // 2
    rows = (x * x).reshape((x.shape[0], x.shape[1], -1 if x.ndim < 3 else prod(x.shape[2:])))
    lined = call(
        "avg_pool2d",
        rows.reshape((rows.shape[0], 1, *rows.shape[1:])),
        window=(size, 1),
        stride=1,
        padding=((low, size - 1 - low), (0, 0)),
    )
    mean = lined.reshape(x.shape)
    base = mean * alpha + bias
    return x / base**beta


OPERATORS: OperatorTable = (
    ("MaxPool AveragePool", pool),
    ("MaxUnpool", max_unpool),
    ("GlobalAveragePool GlobalMaxPool", global_pool),
    ("LpPool GlobalLpPool", lp_pool),
    ("LRN", lrn),
)
