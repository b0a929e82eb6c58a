"""Products: MatMul, Gemm, Einsum, convolutions."""

from __future__ import annotations

from ...readers.operators import convolutions, products
from ...readers.operators.array import kind, known
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import dtype_within, in_f32
from ...readers.operators.products import multiplied
from ...readers.operators.windows import Window
from ...readers.tables import OperatorTable
from .windows import numbers, pairs, windows_of


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
    try:
        return products.einsum(node.attribute("equation"), *operands)
    except ValueError as why:
        raise Unsupported(str(why)) from None


def col2im(node, x, image, block):
    """Columns, each of the elements of a window, added where they lie in an image."""
    sizes = [int(n) for n in known(image, "the image's shape")]
    window = tuple(int(n) for n in known(block, "the window's shape"))
    rank = len(sizes)
    pads = pairs(node.attribute("pads") or [0] * (2 * rank), rank)
    given = Window(window, numbers(node, "strides", rank), pads, numbers(node, "dilations", rank))
    return convolutions.col2im(x, sizes, given)


OPERATORS: OperatorTable = (
    ("Gemm", gemm),
    ("Conv", conv),
    ("ConvTranspose", conv_transpose),
    ("Einsum", einsum),
    ("Col2Im", col2im),
    ("MatMul", multiplied),
)
