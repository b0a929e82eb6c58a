"""Products: MatMul, Gemm, Einsum, convolutions."""

from __future__ import annotations

from math import prod

import numpy as np

from ...operators import convolutions
from ...operators.array import kind, known
from ...operators.calls import Unsupported
from ...operators.kinds import dtype_within, in_f32
from ...operators.moving import picked
from ...operators.products import multiplied
from ...operators.windows import Window
from ...readers.tables import OperatorTable
from .windows import numbers, pairs, windows_of


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
    return convolutions.conv(x, w, bias, windows_of(node, x, w.shape[2:]), node.attribute("group", 1))


def convolved(node, x, w, dtype):
    """A convolution of integers, summed in a dtype."""
    return convolutions.convolved(x, w, windows_of(node, x, w.shape[2:]), node.attribute("group", 1), dtype)


def conv_transpose(node, x, w, bias=None):
    rank = x.ndim - 2
    window = w.shape[2:]
    stride, dilation = numbers(node, "strides", rank), numbers(node, "dilations", rank)
    extra = numbers(node, "output_padding", rank, 0)
    sizes = [(n - 1) * s + (k - 1) * d + 1 for n, s, k, d in zip(x.shape[2:], stride, window, dilation)]
    pads, extra = _cut_off(node, x.shape[2:], sizes, stride, extra)
    given = Window(tuple(window), stride, pads, dilation)
    return convolutions.conv_transpose(x, w, bias, given, extra, node.attribute("group", 1))


def _cut_off(node, given, sizes, stride, extra):
    """What is cut off of all that windows reach, before and after, and what is added at the end."""
    wanted, auto = node.attribute("output_shape"), node.attribute("auto_pad", "NOTSET")
    rank = len(sizes)
    if wanted is None and auto in ("NOTSET", "", "VALID"):
        pads = node.attribute("pads") or [0] * (2 * rank) if auto != "VALID" else [0] * (2 * rank)
        return pairs(pads, rank), extra
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
    window = tuple(int(n) for n in known(block, "the window's shape"))
    rank = len(sizes)
    pads = pairs(node.attribute("pads") or [0] * (2 * rank), rank)
    given = Window(window, numbers(node, "strides", rank), pads, numbers(node, "dilations", rank))
    return convolutions.col2im(x, sizes, given)


FUNCTIONS: OperatorTable = (("MatMul", matmul),)


OPERATORS: OperatorTable = (
    ("Gemm", gemm),
    ("Conv", conv),
    ("ConvTranspose", conv_transpose),
    ("Einsum", einsum),
    ("Col2Im", col2im),
)
