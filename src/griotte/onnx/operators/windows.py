"""Windows that slide: pooling. What the language's calls of two axes do not cover is joined tap by tap."""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import inf, prod

import numpy as np

from ...ir.dtypes import limits
from ...readers.kinds import in_f32, kind
from ...readers.moving import along, padded, reshaped, sliced, strides
from ...readers.node import Unsupported
from .declaring import operator

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


def taps(node, x, window, stride, dilation, pads, fill: float):
    """For each element of a window over the last axes of x what all windows have there."""
    rank = len(window)
    front = x.type.rank - rank
    x = padded(node, x, [0] * front + [a for a, _ in pads], [0] * front + [b for _, b in pads], fill)
    if prod(window) > MOST_TAPS:
        raise Unsupported(f"windows of {prod(window)} elements")
    sizes = x.type.shape[front:]
    places = [(n - (k - 1) * d - 1) // s + 1 for n, k, s, d in zip(sizes, window, stride, dilation)]
    for at in product(*map(range, window)):
        starts = [i * d for i, d in zip(at, dilation)]
        yield sliced(
            node, x, {front + a: (o, o + (n - 1) * s + 1, s) for a, (o, n, s) in enumerate(zip(starts, places, stride))}
        )


def joined_taps(node, call: str, x, window, stride, dilation, pads, fill: float):
    """Windows joined along one axis after the other."""
    rank = len(window)
    for a in range(rank):
        only = lambda values, other: tuple(v if i == a else other for i, v in enumerate(values))
        given = (only(window, 1), only(stride, 1), only(dilation, 1), only(pads, (0, 0)), fill)
        x = reduce(lambda one, tap: node.call(call, one, tap), taps(node, x, *given))
    return x


@operator("MaxPool", "AveragePool")
def pool(node, x):
    x = node.value(x)
    rank = x.type.rank - 2
    window = tuple(node.attribute("kernel_shape"))
    stride, dilation = numbers(node, "strides", rank), numbers(node, "dilations", rank)
    stated = pads_of(node, x.type.shape[2:], window, stride, dilation)
    pads = pads_of(node, x.type.shape[2:], window, stride, dilation, bool(node.attribute("ceil_mode", 0)))
    reach = [(k - 1) * d + 1 for k, d in zip(window, dilation)]
    is_plain = rank in (1, 2) and all(max(pad) < n for pad, n in zip(pads, reach))
    if node.proto.op_type.endswith("MaxPool"):
        if node.outputs > 1:
            return _placed_largest(node, x, window, stride, dilation, pads)
        if is_plain:
            return _pooled(node, "max_pool2d", x, window, stride, pads, dilation=dilation)
        least = -inf if kind(x.type.dtype) == "float" else limits(x.type.dtype)[0]
        return joined_taps(node, "maximum", x, window, stride, dilation, pads, least)
    counts_pad = bool(node.attribute("count_include_pad", 0))
    if is_plain and set(dilation) == {1} and (not counts_pad or pads == stated):
        return _pooled(node, "avg_pool2d", x, window, stride, pads, count_pad=counts_pad)
    return _mean(node, x, window, stride, dilation, pads, stated if counts_pad else ((0, 0),) * rank)


def _placed_largest(node, x, window, stride, dilation, pads):
    """The largest elements of windows, and where in the tensor the first of each is."""
    rank, sizes = len(window), x.type.shape[2:]
    if kind(x.type.dtype) != "float":
        raise Unsupported("the places of the largest of integers")
    steps = strides(sizes[::-1])[::-1] if node.attribute("storage_order", 0) else strides(sizes)
    offsets = (sum(i * d * s for i, d, s in zip(at, dilation, steps)) for at in product(*map(range, window)))
    (largest, offset), *others = zip(taps(node, x, window, stride, dilation, pads, -inf), offsets)
    moved = np.full(largest.type.shape, offset, np.int64)
    for tap, offset in others:
        is_larger = node.call("greater", tap, largest)
        moved = node.call("where", is_larger, np.int64(offset), moved)
        largest = node.call("where", is_larger, tap, largest)
    first = np.arange(prod(x.type.shape[:2])).reshape(*x.type.shape[:2], *[1] * rank) * prod(sizes)
    for a in range(rank):
        own = np.arange(largest.type.shape[2 + a]) * stride[a] - pads[a][0]
        first = first + along(2 + rank, 2 + a, own * steps[a])
    node.room(*first.shape)
    return [largest, node.call("add", moved, first)]


@operator("MaxUnpool")
def max_unpool(node, x, places, shape=None):
    """Elements put where a pool had them from, among zeros."""
    x = node.value(x)
    rank = x.type.rank - 2
    window, stride, pads = tuple(node.attribute("kernel_shape")), numbers(node, "strides", rank), node.attribute("pads")
    pads = pads or [0] * (2 * rank)
    ends = zip(x.type.shape[2:], stride, window, pads[:rank], pads[rank:])
    sizes = [*x.type.shape[:2], *((n - 1) * s + k - a - b for n, s, k, a, b in ends)]
    wanted = sizes if shape is None else [int(n) for n in node.known(shape, "the shape of the result")]
    if any(n < m for n, m in zip(wanted, sizes)):
        raise Unsupported(f"a result {wanted} that does not hold {sizes}")
    node.room(prod(sizes))
    nothing = np.zeros(prod(sizes), node.numpy(x.type.dtype))
    at = node.cast(reshaped(node, places, (x.type.elements,)), "s32")
    (found,) = node.array_call("scatter", nothing, at, reshaped(node, x, (x.type.elements,)), how="set", axes=1)
    return padded(node, reshaped(node, found, sizes), [0] * len(sizes), [n - m for n, m in zip(wanted, sizes)])


def _pooled(node, call: str, x, window, stride, pads, **attributes):
    rank = len(window)
    if rank == 1:
        x = reshaped(node, x, (*x.type.shape[:2], 1, x.type.shape[2]))
        window, stride, pads = (1, *window), (1, *stride), ((0, 0), *pads)
        if "dilation" in attributes:
            attributes["dilation"] = (1, *attributes["dilation"])
    found = node.call(call, x, window=window, stride=stride, padding=pads, **attributes)
    return found if rank == 2 else reshaped(node, found, (*found.type.shape[:2], found.type.shape[3]))


@in_f32
def _mean(node, x, window, stride, dilation, pads, counted):
    """Sums by how many elements of x, or of what counts beyond it, a window meets."""
    total = joined_taps(node, "add", x, window, stride, dilation, pads, 0)
    rank = len(window)
    count = np.ones([1] * (2 + rank))
    for a, (n, k, s, d) in enumerate(zip(x.type.shape[2:], window, stride, dilation)):
        first = np.arange(total.type.shape[2 + a])[:, None] * s - pads[a][0] + np.arange(k) * d
        own = ((first >= -counted[a][0]) & (first < n + counted[a][1])).sum(1)
        count = count * along(2 + rank, 2 + a, own)
    return node.call("div", total, count.astype(node.numpy(total.type.dtype)))


@operator("GlobalAveragePool", "GlobalMaxPool")
def global_pool(node, x):
    x = node.value(x)
    call = "mean" if node.proto.op_type == "GlobalAveragePool" else "max"
    return node.call(call, x, axis=tuple(range(2, x.type.rank)), keepdims=True)


@operator("LpPool", "GlobalLpPool")
@in_f32
def lp_pool(node, x):
    """The p-th root of sums of p-th powers."""
    x = node.value(x)
    p = node.attribute("p", 2)
    rank = x.type.rank - 2
    size = node.call("abs", x)
    powers = size if p == 1 else node.call("power", size, p)
    if node.proto.op_type == "GlobalLpPool":
        total = node.call("sum", powers, axis=tuple(range(2, x.type.rank)), keepdims=True)
    else:
        window = tuple(node.attribute("kernel_shape"))
        stride, dilation = numbers(node, "strides", rank), numbers(node, "dilations", rank)
        pads = pads_of(node, x.type.shape[2:], window, stride, dilation, bool(node.attribute("ceil_mode", 0)))
        total = joined_taps(node, "add", powers, window, stride, dilation, pads, 0)
    return total if p == 1 else node.call("sqrt", total) if p == 2 else node.call("power", total, 1 / p)


@operator("LRN")
@in_f32
def lrn(node, x):
    """x / (bias + alpha / size * the sum of squares of neighbours along channels) ** beta."""
    x = node.value(x)
    size, alpha = node.attribute("size"), node.attribute("alpha", 1e-4)
    beta, bias = node.attribute("beta", 0.75), node.attribute("bias", 1.0)
    if x.type.rank == 4:
        return node.call("lrn", x, size=size, alpha=alpha, beta=beta, bias=bias)
    low = (size - 1) // 2
    rows = reshaped(
        node,
        node.call("mul", x, x),
        (x.type.shape[0], x.type.shape[1], -1 if x.type.rank < 3 else prod(x.type.shape[2:])),
    )
    lined = node.call(
        "avg_pool2d",
        reshaped(node, rows, (rows.type.shape[0], 1, *rows.type.shape[1:])),
        window=(size, 1),
        stride=1,
        padding=((low, size - 1 - low), (0, 0)),
    )
    mean = reshaped(node, lined, x.type.shape)
    base = node.call("add", node.call("mul", mean, alpha), bias)
    return node.call("div", x, node.call("power", base, beta))
