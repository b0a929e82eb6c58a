"""Integers of 8 bits that stand for floats: what is done to them is done to the floats, and quantised again."""

from __future__ import annotations

from functools import partial

import numpy as np

from ....readers.moving import joined, permuted, reshaped
from ....readers.node import Unsupported
from ..declaring import MICROSOFT, operator
from ..quantised import integer_product, of_lines
from ..windows import pool

microsoft = partial(operator, domain=MICROSOFT)


def floats(node, x, scale, zero=None):
    """What integers of one scale stand for."""
    return node.call("dequantize", x, _one(node, scale), 0 if zero is None else _one(node, zero))


def quantised(node, y, scale, zero, like):
    """Floats as integers of the dtype of others."""
    return node.call("quantize", y, _one(node, scale), 0 if zero is None else _one(node, zero), dtype=node.dtype(like))


def _one(node, number):
    number = node.value(number)
    if number.type.elements != 1:
        raise Unsupported(f"{list(number.type.shape)} scales or zeros, where one is expected")
    return reshaped(node, number, ())


@microsoft("QLinearAdd", "QLinearMul")
def of_two(node, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero=None):
    call = "add" if node.proto.op_type == "QLinearAdd" else "mul"
    found = node.call(call, floats(node, a, a_scale, a_zero), floats(node, b, b_scale, b_zero))
    return quantised(node, found, y_scale, y_zero, a)


@microsoft("QLinearSigmoid", "QLinearLeakyRelu")
def activation(node, x, x_scale, x_zero, y_scale, y_zero=None):
    given = floats(node, x, x_scale, x_zero)
    if node.proto.op_type == "QLinearSigmoid":
        found = node.call("sigmoid", given)
    else:
        found = node.call("leaky_relu", given, alpha=node.attribute("alpha", 0.01))
    return quantised(node, found, y_scale, y_zero, x)


@microsoft("QLinearSoftmax")
def softmax(node, x, x_scale, x_zero, y_scale, y_zero):
    """The zero of x is taken off all elements alike."""
    x = node.value(x)
    axis = node.axis(x.type.rank, -1)
    over = (axis,) if node.attribute("opset") >= 13 else tuple(range(axis, x.type.rank))
    return quantised(node, node.call("softmax", floats(node, x, x_scale, x_zero), axis=over), y_scale, y_zero, x)


@microsoft("QLinearAveragePool", "QLinearGlobalAveragePool")
def average_pool(node, x, x_scale, x_zero, y_scale, y_zero=None):
    x = node.value(x)
    given, inner = floats(node, x, x_scale, x_zero), tuple(range(1, x.type.rank - 1))
    is_last = node.attribute("channels_last", 0)
    if node.proto.op_type == "QLinearGlobalAveragePool":
        axes = inner if is_last else tuple(axis + 1 for axis in inner)
        found = node.call("mean", given, axis=axes, keepdims=True)
    elif is_last:
        found = permuted(node, pool(node, permuted(node, given, (0, x.type.rank - 1, *inner))), _channels_last(x))
    else:
        found = pool(node, given)
    return quantised(node, found, y_scale, y_zero, x)


def _channels_last(x):
    return (0, *range(2, x.type.rank), 1)


@microsoft("NhwcMaxPool")
def max_pool(node, x):
    x = node.value(x)
    return permuted(
        node, pool(node, permuted(node, x, (0, x.type.rank - 1, *range(1, x.type.rank - 1)))), _channels_last(x)
    )


@microsoft("QLinearReduceMean")
def mean(node, x, x_scale, x_zero, y_scale, y_zero=None):
    x = node.value(x)
    axes = tuple(axis % x.type.rank for axis in node.attribute("axes") or range(x.type.rank))
    found = node.call("mean", floats(node, x, x_scale, x_zero), axis=axes, keepdims=bool(node.attribute("keepdims", 1)))
    return quantised(node, found, y_scale, y_zero, x)


@microsoft("QLinearConcat")
def concat(node, y_scale, y_zero, *given):
    parts = [floats(node, *given[i : i + 3]) for i in range(0, len(given), 3)]
    axis = node.axis(parts[0].type.rank, 0)
    return quantised(node, joined(node, parts, axis), y_scale, y_zero, y_zero)


@microsoft("QLinearWhere")
def where(node, p, x, x_scale, x_zero, y, y_scale, y_zero, z_scale, z_zero):
    found = node.call("where", p, floats(node, x, x_scale, x_zero), floats(node, y, y_scale, y_zero))
    return quantised(node, found, z_scale, z_zero, z_zero)


@microsoft("QGemm")
def gemm(node, a, a_scale, a_zero, b, b_scale, b_zero, c=None, y_scale=None, y_zero=None):
    """A product of integers plus c, in s32; requantised, or in floats."""
    x, y = node.value(a), node.value(b)
    x = permuted(node, x, (1, 0)) if node.attribute("transA", 0) else x
    y = permuted(node, y, (1, 0)) if node.attribute("transB", 0) else y
    sums = integer_product(node, x, y, a_zero, b_zero, c)
    factor = node.call("mul", of_lines(node, a_scale, (-1,)), of_lines(node, b_scale, (-1,)))
    if node.attribute("alpha", 1.0) != 1:
        factor = node.call("mul", factor, node.attribute("alpha"))
    if y_scale is None:
        return node.call("dequantize", sums, factor, 0)
    zero = 0 if y_zero is None else _one(node, y_zero)
    dtype = node.dtype(a if y_zero is None else y_zero)
    return node.call("requantize", sums, node.call("div", factor, _one(node, y_scale)), zero, dtype=dtype)


@microsoft("MatMulIntegerToFloat")
def to_floats(node, a, b, a_scale, b_scale, a_zero=None, b_zero=None, bias=None):
    sums = integer_product(node, node.value(a), node.value(b), a_zero, b_zero)
    return scaled(node, sums, a_scale, b_scale, bias)


def scaled(node, sums, a_scale, b_scale, bias=None):
    """The floats that sums of products stand for, plus a bias."""
    found = node.call(
        "dequantize", sums, node.call("mul", of_lines(node, a_scale, (-1,)), of_lines(node, b_scale, (-1,))), 0
    )
    return found if bias is None else node.call("add", found, bias)


@microsoft("DynamicQuantizeMatMul")
def dynamic_product(node, a, b, b_scale, b_zero=None, bias=None):
    """Of a as u8, by a scale and a zero that follow from its own least and largest."""
    x, scale, zero = as_u8(node, a)
    return scaled(node, integer_product(node, x, node.value(b), zero, b_zero), scale, b_scale, bias)


@operator("DynamicQuantizeLinear")
def as_u8(node, x):
    """x as u8, so that 0 is a whole number; the scale; the zero. All zeros have the scale 1."""
    low, high = (
        node.call(bound, node.call(call, x, axis=None), 0.0) for call, bound in (("min", "minimum"), ("max", "maximum"))
    )
    span = node.call("div", node.call("sub", high, low), 255.0)
    scale = node.call("where", node.call("equal", span, 0.0), np.float32(1), span)
    zero = node.call("round", node.call("clip", node.call("neg", node.call("div", low, scale)), low=0.0, high=255.0))
    zero = node.cast(zero, "u8")
    return [node.call("quantize", x, scale, zero), scale, zero]


@microsoft("MulInteger")
def integer_mul(node, a, a_zero, b, b_zero=None):
    wide = lambda t, zero: (
        node.cast(t, "s32") if zero is None else node.call("sub", node.cast(t, "s32"), node.cast(zero, "s32"))
    )
    return node.call("mul", wide(a, a_zero), wide(b, b_zero))
