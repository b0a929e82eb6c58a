"""Products: MatMul, Gemm, Einsum, convolutions."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...readers.operators import convolutions, products
from ...readers.operators.array import kind, known
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import dtype_within, in_f32
from ...readers.operators.products import multiplied
from ...readers.operators.windows import Window
from ...readers.tables import OperatorTable
from .windows import WindowAttributes, numbers, pairs


class GemmAttributes(NamedTuple):
    """Factors of the product and of what is added, and which operands are turned."""

    alpha: float = 1.0
    beta: float = 1.0
    transA: int = 0
    transB: int = 0


def gemm(a, b, c=None, *, how: GemmAttributes):
    return gemm_within(a, b, c, how).astype(a.dtype)


def gemm_within(x, y, c, how: GemmAttributes):
    """A Gemm before it is rounded to the dtype of x."""
    dtype = dtype_within(x)
    own = None if dtype == x.dtype else dtype
    x, y = (t.transpose((1, 0)) if is_turned else t for t, is_turned in ((x, how.transA), (y, how.transB)))
    found = scaled(multiplied(x, y, own), how.alpha)
    return found if c is None or how.beta == 0 else found + scaled(c.astype(dtype), how.beta)


def scaled(x, factor: float):
    """x times a number, which is seldom another than 1."""
    if factor != 1 and kind(x.dtype) != "float":
        if factor != int(factor):
            raise Unsupported(f"integers times {factor}")
        factor = int(factor)
    return x if factor == 1 else x * factor


def conv(x, w, bias=None, *, window: WindowAttributes):
    return convolutions.conv(x, w, bias, window.along(x, w.shape[2:]), window.group)


def conv_transpose(x, w, bias=None, *, window: WindowAttributes, output_padding=None, output_shape=None):
    rank = x.ndim - 2
    stride, dilation = numbers(window.strides, rank), numbers(window.dilations, rank)
    extra = numbers(output_padding, rank, 0)
    sizes = [(n - 1) * s + (k - 1) * d + 1 for n, s, k, d in zip(x.shape[2:], stride, w.shape[2:], dilation)]
    wanted = output_shape
    if wanted is None and window.auto_pad not in ("NOTSET", "", "VALID"):
        wanted = [n * s for n, s in zip(x.shape[2:], stride)]
    pads, extra = _cut_off(window, wanted, sizes, extra)
    return convolutions.conv_transpose(x, w, bias, Window(w.shape[2:], stride, pads, dilation), extra, window.group)


def _cut_off(window: WindowAttributes, wanted: Any, sizes, extra):
    """What is cut off of all that windows reach, before and after, and what is added at the end."""
    rank, auto = len(sizes), window.auto_pad
    if wanted is None:
        return pairs((auto != "VALID" and window.pads) or [0] * (2 * rank), rank), extra
    totals = [n + e - m for n, m, e in zip(sizes, wanted[-rank:], extra)]
    pads = []
    for total in totals:
        small = max(0, total) // 2
        before = max(0, total) - small if auto != "SAME_UPPER" else small
        pads.append((before, max(0, total) - before))
    return tuple(pads), tuple(e + max(0, -t) for e, t in zip(extra, totals))


@in_f32
def einsum(*operands, equation):
    try:
        return products.einsum(equation, *operands)
    except ValueError as why:
        raise Unsupported(str(why)) from None


def col2im(x, image, block, *, window: WindowAttributes):
    """Columns, each of the elements of a window, added where they lie in an image."""
    sizes = [int(n) for n in known(image, "the image's shape")]
    own = tuple(int(n) for n in known(block, "the window's shape"))
    rank = len(sizes)
    pads = pairs(window.pads or [0] * (2 * rank), rank)
    given = Window(own, numbers(window.strides, rank), pads, numbers(window.dilations, rank))
    return convolutions.col2im(x, sizes, given)


OPERATORS: OperatorTable = (
    ("Gemm", gemm),
    ("Conv", conv),
    ("ConvTranspose", conv_transpose),
    ("Einsum", einsum),
    ("Col2Im", col2im),
    ("MatMul", multiplied),
)
