"""Products: MatMul, Gemm, Einsum, convolutions."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...operators.array import call, kind, known, sliced
from ...operators.calls import Unsupported
from ...operators.kinds import dtype_within, in_f32
from ...operators.moving import padded, picked, spread, strides
from ...operators.products import multiplied
from ...readers.tables import OperatorTable
from .windows import numbers, pads_of


def matmul(a, b):
    return multiplied(a, b)


def gemm(node, a, b, c=None):
    x = a
    return gemm_within(node, a, b, c).astype(x.dtype)


def gemm_within(node, a, b, c=None):
    """A Gemm before it is rounded to the dtype of a."""
    x, y = a, b
    dtype = dtype_within(x)
    if node.attribute("transA", 0):
        x = x.transpose((1, 0))
    if node.attribute("transB", 0):
        y = y.transpose((1, 0))
    own = None if dtype == x.dtype else dtype
    found = scaled(multiplied(x, y, own), node.attribute("alpha", 1.0))
    if c is None or node.attribute("beta", 1.0) == 0:
        return found
    return found + scaled(c.astype(dtype), node.attribute("beta", 1.0))


def scaled(x, factor: float):
    """x times a number, which is seldom another than 1."""
    if factor != 1 and kind(x.dtype) != "float":
        if factor != int(factor):
            raise Unsupported(f"integers times {factor}")
        factor = int(factor)
    return x if factor == 1 else x * factor


def conv(node, x, w, bias=None):
    return convolution_within(node, x, w, bias).astype(x.dtype)


def convolution_within(node, x, w, bias=None):
    """A convolution and its bias before they are rounded to the dtype of x."""
    dtype = dtype_within(x)
    found = convolved(node, x, w, None if dtype == x.dtype else dtype)
    return found if bias is None else found + channels(bias.astype(dtype), x.ndim)


def channels(x, rank: int):
    """One number for each channel, of a tensor of a rank."""
    return x.reshape((-1 if not x.size else x.size, *[1] * (rank - 2)))


def convolved(node, x, w, dtype=None):
    """A convolution along as many axes as there are."""
    rank = x.ndim - 2
    window = tuple(w.shape[2:])
    stride, dilation = numbers(node, "strides", rank), numbers(node, "dilations", rank)
    pads = pads_of(node, x.shape[2:], window, stride, dilation)
    return conv_of(x, w, stride, dilation, pads, dtype, node.attribute("group", 1))


def conv_of(x, w, stride, dilation, pads, dtype, groups: int):
    """A convolution of these windows."""
    rank = x.ndim - 2
    if rank == 1:  # along w, of one row
        x = x.reshape((*x.shape[:2], 1, x.shape[2]))
        w = w.reshape((*w.shape[:2], 1, w.shape[2]))
        found = conv_of(x, w, (1, *stride), (1, *dilation), ((0, 0), *pads), dtype, groups)
        return found.reshape((*found.shape[:2], found.shape[3]))
    if rank > 2:
        return _deep(x, w, stride, dilation, pads, dtype, groups)
    given = {"stride": stride, "padding": pads, "dilation": dilation, "groups": groups}
    return call("conv2d", x, w, **given, dtype=dtype)


def _deep(x, w, stride, dilation, pads, dtype, groups):
    """Of more than two axes: a sum over the first of convolutions along the others, of which the places along the first
    are images of their own."""
    zeros = [0] * (x.ndim - 3)
    x = padded(x, (0, 0, pads[0][0], *zeros), (0, 0, pads[0][1], *zeros))
    depth, k = x.shape[2], w.shape[2]
    places = (depth - (k - 1) * dilation[0] - 1) // stride[0] + 1
    total: Any = None
    for i in range(k):
        at = i * dilation[0]
        part = sliced(x, {2: (at, at + (places - 1) * stride[0] + 1, stride[0])})
        images = part.transpose((0, 2, 1, *range(3, x.ndim)))
        images = images.reshape((x.shape[0] * places, x.shape[1], *x.shape[3:]))
        kernel = sliced(w, {2: (i, i + 1)}).reshape((*w.shape[:2], *w.shape[3:]))
        found = conv_of(images, kernel, stride[1:], dilation[1:], pads[1:], dtype, groups)
        total = found if total is None else total + found
    apart = total.reshape((x.shape[0], places, *total.shape[1:]))
    return apart.transpose((0, 2, 1, *range(3, x.ndim)))


def conv_transpose(node, x, w, bias=None):
    rank = x.ndim - 2
    if rank not in (1, 2, 3):
        raise Unsupported(f"a transposed convolution along {rank} axes")
    window = w.shape[2:]
    stride, dilation = numbers(node, "strides", rank), numbers(node, "dilations", rank)
    extra = numbers(node, "output_padding", rank, 0)
    sizes = [(n - 1) * s + (k - 1) * d + 1 for n, s, k, d in zip(x.shape[2:], stride, window, dilation)]
    pads, extra = _cut_off(node, x.shape[2:], sizes, stride, extra)
    own = dtype_within(x)
    plain = {"groups": node.attribute("group", 1)} | ({} if own == x.dtype else {"dtype": own})
    found = _turned(x, w, stride, dilation, pads, extra, plain)
    if bias is not None:
        found = found + channels(bias.astype(own), rank + 2)
    return found.astype(x.dtype)


def _turned(x, w, stride, dilation, pads, extra, plain):
    """A transposed convolution along as many axes as there are."""
    rank = x.ndim - 2
    if rank == 1:  # along w, of one row
        x, w = (t.reshape((*t.shape[:2], 1, t.shape[2])) for t in (x, w))
        found = _turned(x, w, (1, *stride), (1, *dilation), ((0, 0), *pads), (0, *extra), plain)
        return found.reshape((*found.shape[:2], found.shape[3]))
    if rank == 3:
        return _turned_deep(x, w, stride, dilation, pads, extra, plain)
    plain = {"stride": stride, "dilation": dilation, **plain}
    if any(p < 0 for pair in pads for p in pair) or any(e >= s for e, s in zip(extra, stride)):
        return _cut(call("conv_transpose2d", x, w, **plain), pads, extra)
    return call("conv_transpose2d", x, w, padding=pads, output_padding=extra, **plain)


def _cut(x, pads, extra):
    """x without what is cut off along its last axes, before and after; with zeros where more is added."""
    front = x.ndim - len(pads)
    parts = {
        front + a: (max(0, before), n - max(0, after - more))
        for a, ((before, after), n, more) in enumerate(zip(pads, x.shape[front:], extra))
    }
    more = [max(0, e - after) for (_, after), e in zip(pads, extra)]
    less = [max(0, -before) for before, _ in pads]
    return padded(sliced(x, parts), (*[0] * front, *less), (*[0] * front, *more))


def _turned_deep(x, w, stride, dilation, pads, extra, plain):
    """Along three axes: each place along the first is an image, of which what a slice of the windows gives stands where
    that puts it."""
    count, channels_in, depth, *image = x.shape
    images = x.transpose((0, 2, 1, 3, 4)).reshape((count * depth, channels_in, *image))
    k, step = w.shape[2], dilation[0]
    total: Any = None
    for i in range(k):
        window = sliced(w, {2: (i, i + 1)}).reshape((*w.shape[:2], *w.shape[3:]))
        found = _turned(images, window, stride[1:], dilation[1:], pads[1:], extra[1:], plain)
        apart = found.reshape((count, depth, *found.shape[1:])).transpose((0, 2, 1, 3, 4))
        wide = spread(apart, (1, 1, stride[0], 1, 1))
        part = padded(wide, (0, 0, i * step, 0, 0), (0, 0, (k - 1 - i) * step, 0, 0))
        total = part if total is None else total + part
    return _cut(total, (pads[0], (0, 0), (0, 0)), (extra[0], 0, 0))


def _cut_off(node, given, sizes, stride, extra):
    """What is cut off of all that windows reach, before and after, and what is added at the end."""
    wanted, auto = node.attribute("output_shape"), node.attribute("auto_pad", "NOTSET")
    rank = len(sizes)
    if wanted is None and auto in ("NOTSET", "", "VALID"):
        pads = node.attribute("pads") or [0] * (2 * rank) if auto != "VALID" else [0] * (2 * rank)
        return tuple(zip(pads[:rank], pads[rank:])), extra
    if wanted is None:
        wanted = [n * s for n, s in zip(given, stride)]
    totals = [n + e - m for n, m, e in zip(sizes, wanted[-rank:], extra)]
    pads = []
    for total in totals:
        small = max(0, total) // 2
        before = max(0, total) - small if auto != "SAME_UPPER" else small
        pads.append((before, max(0, total) - before))
    return tuple(pads), tuple(e + max(0, -t) for e, t in zip(extra, totals))


@in_f32
def einsum(node, *operands):
    """Two operands at a time, as one product over what they share and no other has."""
    equation = node.attribute("equation").replace(" ", "")
    given, _, wanted = equation.partition("->")
    values = list(operands)
    labels, dots = _labels(given.split(","), values)
    if "->" in equation:
        result = list(wanted.replace("...", "|"))
        result = [label for one in result for label in (dots if one == "|" else [one])]
    else:
        every = [label for own in labels for label in own]
        result = [*dots, *sorted(label for label in set(every) - set(dots) if every.count(label) == 1)]
    value, own = _diagonal(values[0], labels[0])
    for other, theirs in zip(values[1:], labels[1:]):
        other, theirs = _diagonal(other, theirs)
        later = {label for each in labels[2:] for label in each} | set(result)
        labels = labels[1:]
        value, own = _joined(value, own, other, theirs, later)
    gone = tuple(i for i, label in enumerate(own) if label not in result)
    if gone:
        value, own = value.sum(axis=gone), [label for label in own if label in result]
    return value.transpose([own.index(label) for label in result])


def _labels(given, values):
    """For each operand a label for each axis; those that dots stand for are numbers, from the last."""
    count = max((v.ndim - len(g.replace("...", "")) for g, v in zip(given, values) if "..." in g), default=0)
    found = []
    for text, value in zip(given, values):
        front, has, back = text.partition("...")
        own = value.ndim - len(front) - len(back) if has else 0
        labels = [*front, *map(str, range(count - own, count)), *back]
        if len(labels) != value.ndim:
            raise Unsupported(f"an equation that does not fit {value.type}")
        found.append(labels)
    return found, [str(i) for i in range(count)]


def _diagonal(x, labels):
    """x with each label once: of one that two axes have what lies along both."""
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            i, j = [a for a, own in enumerate(labels) if own == label][:2]
            n = x.shape[i]
            rest = [a for a in range(x.ndim) if a not in (i, j)]
            square = x.transpose([i, j, *rest])
            lined = square.reshape((n * n, *square.shape[2:]))
            x = picked(lined, 0, np.arange(n) * (n + 1))
            labels = [label, *(labels[a] for a in rest)]
    return x, labels


def _joined(x, own, y, theirs, later):
    """The product of two, summed over what both have and nothing later reads."""
    sizes: dict[str, int] = {}
    for value, labels in ((x, own), (y, theirs)):
        for label, n in zip(labels, value.shape):
            if sizes.setdefault(label, n) != n:
                sizes[label] = max(n, sizes[label])
    x = x.broadcast_to([sizes[label] for label in own])
    y = y.broadcast_to([sizes[label] for label in theirs])
    both = [label for label in own if label in theirs]
    batch, summed = [b for b in both if b in later], [b for b in both if b not in later]
    left, right = [b for b in own if b not in both], [b for b in theirs if b not in both]
    lengths = [[sizes[label] for label in labels] for labels in (batch, left, right)]
    a = x.transpose([own.index(b) for b in (*batch, *left, *summed)])
    b = y.transpose([theirs.index(b) for b in (*batch, *summed, *right)])
    n, m, k, p = prod(lengths[0]), prod(lengths[1]), prod(sizes[s] for s in summed), prod(lengths[2])
    found = multiplied(a.reshape((n, m, k)), b.reshape((n, k, p)))
    return found.reshape([*lengths[0], *lengths[1], *lengths[2]]), [*batch, *left, *right]


def col2im(node, x, image, block):
    """Columns, each of the elements of a window, added where they lie in an image."""
    sizes = [int(n) for n in known(image, "the image's shape")]
    window = [int(n) for n in known(block, "the window's shape")]
    rank = len(sizes)
    stride, dilation = numbers(node, "strides", rank), numbers(node, "dilations", rank)
    pads = node.attribute("pads") or [0] * (2 * rank)
    full = [n + a + b for n, a, b in zip(sizes, pads[:rank], pads[rank:])]
    counts = [(n - (k - 1) * d - 1) // s + 1 for n, k, s, d in zip(full, window, stride, dilation)]
    n, c = x.shape[0], x.shape[1] // prod(window)
    columns = x.reshape((n, c, prod(window), prod(counts)))
    steps = strides(full)
    places = np.zeros([1] * (2 * rank), np.int64)
    for a, (k, s, d, count) in enumerate(zip(window, stride, dilation, counts)):
        own = (np.arange(k)[:, None] * d + np.arange(count) * s) * steps[a]
        places = places + own.reshape([k if i == a else count if i == rank + a else 1 for i in range(2 * rank)])
    total = _gathered(columns.reshape((n * c, prod(window) * prod(counts))), places.reshape(-1), prod(full))
    whole = total.reshape((n, c, *full))
    return sliced(whole, {2 + a: (pads[a], pads[a] + m) for a, m in enumerate(sizes)})


def _gathered(rows, places: np.ndarray, count: int):
    """For each place the sum of the columns that lie there, in rounds of one for each."""
    order = np.argsort(places, kind="stable")
    number = np.arange(len(order)) - np.searchsorted(places[order], places[order])  # of a place, which it is
    wide = padded(rows, (0, 0), (0, 1))
    total = None
    for turn in range(int(number.max()) + 1):
        at = np.full(count, len(places))
        at[places[order[number == turn]]] = order[number == turn]
        part = picked(wide, 1, at)
        total = part if total is None else total + part
    return total


FUNCTIONS: OperatorTable = (("MatMul", matmul),)


OPERATORS: OperatorTable = (
    ("Gemm", gemm),
    ("Conv", conv),
    ("ConvTranspose", conv_transpose),
    ("Einsum", einsum),
    ("Col2Im", col2im),
)
