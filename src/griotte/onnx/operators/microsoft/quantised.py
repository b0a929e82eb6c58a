"""Integers of 8 bits that stand for floats: what is done to them is done to the floats, and quantised again."""

from __future__ import annotations

import numpy as np

from ....operators.array import call, round_, sigmoid, where
from ....operators.calls import Unsupported
from ....operators.moving import joined
from ....readers.tables import OperatorTable
from ..quantised import integer_product, of_lines
from ..windows import largest
from ..windows import mean as mean_pool


def floats(x, scale, zero=None):
    """What integers of one scale stand for."""
    return call("dequantize", x, _one(scale), 0 if zero is None else _one(zero))


def quantised(y, scale, zero, like):
    """Floats as integers of the dtype of others."""
    return call("quantize", y, _one(scale), 0 if zero is None else _one(zero), dtype=like.dtype)


def _one(number):
    if number.size != 1:
        raise Unsupported(f"{list(number.shape)} scales or zeros, where one is expected")
    return number.reshape(())


def of_two(node, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero=None):
    called = "add" if node.operator == "QLinearAdd" else "mul"
    found = call(called, floats(a, a_scale, a_zero), floats(b, b_scale, b_zero))
    return quantised(found, y_scale, y_zero, a)


def activation(node, x, x_scale, x_zero, y_scale, y_zero=None):
    given = floats(x, x_scale, x_zero)
    if node.operator == "QLinearSigmoid":
        found = sigmoid(given)
    else:
        found = call("leaky_relu", given, alpha=node.attribute("alpha", 0.01))
    return quantised(found, y_scale, y_zero, x)


def softmax(node, x, x_scale, x_zero, y_scale, y_zero):
    """The zero of x is taken off all elements alike."""
    axis = node.axis(x.ndim, -1)
    over = (axis,) if node.attribute("opset") >= 13 else tuple(range(axis, x.ndim))
    return quantised(call("softmax", floats(x, x_scale, x_zero), axis=over), y_scale, y_zero, x)


def average_pool(node, x, x_scale, x_zero, y_scale, y_zero=None):
    given, inner = floats(x, x_scale, x_zero), tuple(range(1, x.ndim - 1))
    is_last = node.attribute("channels_last", 0)
    if node.operator == "QLinearGlobalAveragePool":
        axes = inner if is_last else tuple(axis + 1 for axis in inner)
        found = given.mean(axis=axes, keepdims=True)
    elif is_last:
        found = mean_pool(node, given.transpose((0, x.ndim - 1, *inner))).transpose(_channels_last(x))
    else:
        found = mean_pool(node, given)
    return quantised(found, y_scale, y_zero, x)


def _channels_last(x):
    return (0, *range(2, x.ndim), 1)


def max_pool(node, x):
    return largest(node, x.transpose((0, x.ndim - 1, *range(1, x.ndim - 1)))).transpose(_channels_last(x))


def mean(node, x, x_scale, x_zero, y_scale, y_zero=None):
    axes = tuple(axis % x.ndim for axis in node.attribute("axes") or range(x.ndim))
    found = floats(x, x_scale, x_zero).mean(axis=axes, keepdims=bool(node.attribute("keepdims", 1)))
    return quantised(found, y_scale, y_zero, x)


def concat(node, y_scale, y_zero, *given):
    parts = [floats(*given[i : i + 3]) for i in range(0, len(given), 3)]
    axis = node.axis(parts[0].ndim, 0)
    return quantised(joined(parts, axis), y_scale, y_zero, y_zero)


def where_(p, x, x_scale, x_zero, y, y_scale, y_zero, z_scale, z_zero):
    found = where(p, floats(x, x_scale, x_zero), floats(y, y_scale, y_zero))
    return quantised(found, z_scale, z_zero, z_zero)


def gemm(node, a, a_scale, a_zero, b, b_scale, b_zero, c=None, y_scale=None, y_zero=None):
    """A product of integers plus c, in s32; requantised, or in floats."""
    x, y = a, b
    x = x.transpose((1, 0)) if node.attribute("transA", 0) else x
    y = y.transpose((1, 0)) if node.attribute("transB", 0) else y
    sums = integer_product(x, y, a_zero, b_zero, c)
    factor = of_lines(a_scale, (-1,)) * of_lines(b_scale, (-1,))
    if node.attribute("alpha", 1.0) != 1:
        factor = factor * node.attribute("alpha")
    if y_scale is None:
        return call("dequantize", sums, factor, 0)
    zero = 0 if y_zero is None else _one(y_zero)
    dtype = (a if y_zero is None else y_zero).dtype
    return call("requantize", sums, factor / _one(y_scale), zero, dtype=dtype)


def to_floats(a, b, a_scale, b_scale, a_zero=None, b_zero=None, bias=None):
    sums = integer_product(a, b, a_zero, b_zero)
    return scaled(sums, a_scale, b_scale, bias)


def scaled(sums, a_scale, b_scale, bias=None):
    """The floats that sums of products stand for, plus a bias."""
    found = call("dequantize", sums, of_lines(a_scale, (-1,)) * of_lines(b_scale, (-1,)), 0)
    return found if bias is None else found + bias


def dynamic_product(a, b, b_scale, b_zero=None, bias=None):
    """Of a as u8, by a scale and a zero that follow from its own least and largest."""
    x, scale, zero = as_u8(a)
    return scaled(integer_product(x, b, zero, b_zero), scale, b_scale, bias)


def as_u8(x):
    """x as u8, so that 0 is a whole number; the scale; the zero. All zeros have the scale 1."""
    low, high = (
        call(bound, call(called, x, axis=None), 0.0) for called, bound in (("min", "minimum"), ("max", "maximum"))
    )
    span = (high - low) / 255.0
    scale = where(span == 0.0, np.float32(1), span)
    zero = round_(call("clip", -(low / scale), low=0.0, high=255.0))
    zero = zero.astype("u8")
    return [call("quantize", x, scale, zero), scale, zero]


def integer_mul(a, a_zero, b, b_zero=None):
    wide = lambda t, zero: t.astype("s32") if zero is None else t.astype("s32") - zero.astype("s32")
    return wide(a, a_zero) * wide(b, b_zero)


FUNCTIONS: OperatorTable = (
    ("com.microsoft.QLinearWhere", where_),
    ("com.microsoft.MatMulIntegerToFloat", to_floats),
    ("com.microsoft.DynamicQuantizeMatMul", dynamic_product),
    ("com.microsoft.MulInteger", integer_mul),
    ("DynamicQuantizeLinear", as_u8),
)


OPERATORS: OperatorTable = (
    ("com.microsoft.QLinearAdd com.microsoft.QLinearMul", of_two),
    ("com.microsoft.QLinearSigmoid com.microsoft.QLinearLeakyRelu", activation),
    ("com.microsoft.QLinearSoftmax", softmax),
    ("com.microsoft.QLinearAveragePool com.microsoft.QLinearGlobalAveragePool", average_pool),
    ("com.microsoft.NhwcMaxPool", max_pool),
    ("com.microsoft.QLinearReduceMean", mean),
    ("com.microsoft.QLinearConcat", concat),
    ("com.microsoft.QGemm", gemm),
)
