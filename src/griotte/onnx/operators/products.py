"""Products: MatMul, Gemm, Einsum, convolutions."""

from __future__ import annotations

from typing import Any

from ...readers.operators import convolutions, products
from ...readers.operators.array import call, integers, kind
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import dtype_within, in_f32
from ...readers.operators.products import multiplied
from ...readers.operators.windows import Window
from ...readers.tables import OperatorTable
from .windows import channels_last, channels_second, numbers, pairs, window_of


def gemm(node, a, b, c=None):
    return gemm_within(node, a, b, c).astype(a.dtype)


def gemm_within(node, x, y, c):
    """A Gemm before it is rounded to the dtype of x."""
    dtype, beta = dtype_within(x), node.attribute("beta", 1.0)
    own = None if dtype == x.dtype else dtype
    x, y = (t.transpose((1, 0)) if node.attribute(name, 0) else t for t, name in ((x, "transA"), (y, "transB")))
    found = scaled(multiplied(x, y, own), node.attribute("alpha", 1.0))
    return found if c is None or beta == 0 else found + scaled(c.astype(dtype), beta)


def scaled(x, factor: float):
    """x times a number, which is mostly 1."""
    if factor != 1 and kind(x.dtype) != "float":
        if factor != int(factor):
            raise Unsupported(f"integers times {factor}")
        factor = int(factor)
    return x if factor == 1 else x * factor


def conv(node, x, w, bias=None):
    return conv_within(node, x, w, bias).astype(x.dtype)


def conv_within(node, x, w, bias=None):
    """A convolution plus a bias, before they are rounded to the dtype of x."""
    return convolutions.conv_within(x, w, bias, window_of(node, x, w.shape[2:]), node.attribute("group", 1))


def conv_transpose(node, x, w, bias=None, *, output_padding=None, output_shape=None):
    rank = x.ndim - 2
    stride, dilation = (numbers(node.attribute(name), rank) for name in ("strides", "dilations"))
    extra = numbers(output_padding, rank, 0)
    sizes = [(n - 1) * s + (k - 1) * d + 1 for n, s, k, d in zip(x.shape[2:], stride, w.shape[2:], dilation)]
    wanted = output_shape
    if wanted is None and node.attribute("auto_pad", "NOTSET") not in ("NOTSET", "", "VALID"):
        wanted = [n * s for n, s in zip(x.shape[2:], stride)]
    pads, extra = _cut_off(node, wanted, sizes, extra)
    window = Window(w.shape[2:], stride, pads, dilation)
    return convolutions.conv_transpose(x, w, bias, window, extra, node.attribute("group", 1))


def _cut_off(node, wanted: Any, sizes, extra):
    """The (before, after) that are cut off of all that windows reach, and the elements added at the end."""
    rank, auto = len(sizes), node.attribute("auto_pad", "NOTSET")
    if wanted is None:
        return pairs((auto != "VALID" and node.attribute("pads")) or [0] * (2 * rank), rank), extra
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


def col2im(node, x, image, block):
    """Columns, each of the elements of a window, added where they lie in an image."""
    sizes = integers(image, "the image's shape")
    own = tuple(integers(block, "the window's shape"))
    rank = len(sizes)
    stride, dilation = (numbers(node.attribute(name), rank) for name in ("strides", "dilations"))
    pads = pairs(node.attribute("pads") or [0] * (2 * rank), rank)
    return convolutions.col2im(x, sizes, Window(own, stride, pads, dilation))


FUSED = {
    "Relu": ("relu", ()),
    "Sigmoid": ("sigmoid", ()),
    "Tanh": ("tanh", ()),
    "Gelu": ("gelu", ()),
    "HardSwish": ("hard_swish", ()),
    "Softplus": ("softplus", ()),
    "LeakyRelu": ("leaky_relu", ("alpha",)),
    "Elu": ("elu", ("alpha",)),
    "HardSigmoid": ("hard_sigmoid", ("alpha", "beta")),
    "Clip": ("clip", ("low", "high")),
}
"""Activations of products, by their names in ONNX: the call, and its numbers in the order in which nodes have them."""


def activated(node, y, other=None):
    """A product plus another tensor, if there is one, through the node's activation, if it has one."""
    y = y if other is None else y + other.astype(y.dtype)
    name = node.attribute("activation", "")
    if not name:
        return y
    if name not in FUSED:
        raise Unsupported(f"the activation {name}")
    one_by_one = [node.attribute(f"activation_{each}") for each in ("alpha", "beta", "gamma")]
    given = node.attribute("activation_params") or [n for n in one_by_one if n is not None]
    called, names = FUSED[name]
    return call(called, y, **dict(zip(names, given)))


def fused_matmul(node, a, b, *, alpha=1.0):
    x, y = _turned(node, a, "A"), _turned(node, b, "B")
    own = None if dtype_within(x) == x.dtype else dtype_within(x)
    return scaled(multiplied(x, y, own), alpha).astype(x.dtype)


def _turned(node, x, side: str):
    """An operand with its axes as the product reads them: the first may stand before the last, these two may be
    swapped."""
    axes = list(range(x.ndim))
    if node.attribute(f"transBatch{side}", 0):
        axes = [*axes[1:-1], axes[0], axes[-1]]
    if node.attribute(f"trans{side}", 0) and x.ndim > 1:
        axes[-2:] = axes[:-3:-1]
    return x.transpose(axes)


def fused_gemm(node, a, b, c=None):
    return activated(node, gemm_within(node, a, b, c)).astype(a.dtype)


def fused_conv(node, x, w, bias=None, other=None):
    """A convolution plus a bias and another tensor."""
    return activated(node, conv_within(node, x, w, bias), other).astype(x.dtype)


def nhwc_conv(node, x, w, bias=None, other=None):
    """The same of channels that are last, but for the weights' own."""
    found = channels_last(conv_within(node, channels_second(x), w, bias))
    return activated(node, found, other).astype(x.dtype)


OPERATORS: OperatorTable = (
    ("Gemm", gemm),
    ("Conv", conv),
    ("ConvTranspose", conv_transpose),
    ("Einsum", einsum),
    ("Col2Im", col2im),
    ("MatMul", multiplied),
    ("com.microsoft.FusedMatMul com.microsoft.TransposeMatMul", fused_matmul),
    ("com.microsoft.FusedGemm", fused_gemm),
    ("com.microsoft.FusedConv", fused_conv),
    ("com.microsoft.NhwcConv com.microsoft.NhwcFusedConv", nhwc_conv),
)
