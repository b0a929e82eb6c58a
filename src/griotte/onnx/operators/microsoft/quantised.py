"""Integers of 8 bits that stand for floats: what is done to them is done to the floats, and quantised again."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....readers.operators.array import call, sigmoid, where
from ....readers.operators.moving import joined
from ....readers.operators.quantised import (
    Quantised,
    as_u8,
    dequantize,
    dequantized_sums,
    integer_product,
    one_or,
    quantize,
    single,
)
from ....readers.tables import OperatorTable
from ..windows import largest
from ..windows import mean as mean_pool


def of_two(node, a: Quantised, b: Quantised, y_scale, y_zero=None):
    called = "add" if node.operator == "QLinearAdd" else "mul"
    return quantize(call(called, a.floats(), b.floats()), y_scale, y_zero, a.values)


def activation(node, x, x_scale, x_zero, y_scale, y_zero=None):
    given = dequantize(x, x_scale, x_zero)
    if node.operator == "QLinearSigmoid":
        found = sigmoid(given)
    else:
        found = call("leaky_relu", given, alpha=node.attribute("alpha", 0.01))
    return quantize(found, y_scale, y_zero, x)


def softmax(node, x, x_scale, x_zero, y_scale, y_zero):
    """The zero of x is taken off all elements alike."""
    axis = node.axis(x.ndim, -1)
    over = (axis,) if node.attribute("opset") >= 13 else tuple(range(axis, x.ndim))
    return quantize(call("softmax", dequantize(x, x_scale, x_zero), axis=over), y_scale, y_zero, x)


def average_pool(node, x, x_scale, x_zero, y_scale, y_zero=None):
    given, inner = dequantize(x, x_scale, x_zero), tuple(range(1, x.ndim - 1))
    is_last = node.attribute("channels_last", 0)
    if node.operator == "QLinearGlobalAveragePool":
        axes = inner if is_last else tuple(axis + 1 for axis in inner)
        found = given.mean(axis=axes, keepdims=True)
    elif is_last:
        found = mean_pool(node, given.transpose((0, x.ndim - 1, *inner))).transpose(_channels_last(x))
    else:
        found = mean_pool(node, given)
    return quantize(found, y_scale, y_zero, x)


def _channels_last(x):
    return (0, *range(2, x.ndim), 1)


def max_pool(node, x):
    return largest(node, x.transpose((0, x.ndim - 1, *range(1, x.ndim - 1)))).transpose(_channels_last(x))


def mean(node, x, x_scale, x_zero, y_scale, y_zero=None):
    axes = tuple(axis % x.ndim for axis in node.attribute("axes") or range(x.ndim))
    found = dequantize(x, x_scale, x_zero).mean(axis=axes, keepdims=bool(node.attribute("keepdims", 1)))
    return quantize(found, y_scale, y_zero, x)


def concat(node, y_scale, y_zero, *given):
    parts = [dequantize(*given[i : i + 3]) for i in range(0, len(given), 3)]
    axis = node.axis(parts[0].ndim, 0)
    return quantize(joined(parts, axis), y_scale, y_zero, y_zero)


def where_(p, x: Quantised, y: Quantised, z_scale, z_zero):
    return quantize(where(p, x.floats(), y.floats()), z_scale, z_zero, z_zero)


def gemm(node, a: Quantised, b: Quantised, c=None, y_scale=None, y_zero=None):
    """A product of integers plus c, in s32; requantised, or in floats."""
    x, y = a.values, b.values
    x = x.transpose((1, 0)) if node.attribute("transA", 0) else x
    y = y.transpose((1, 0)) if node.attribute("transB", 0) else y
    sums = integer_product(x, y, a.zero, b.zero, c)
    factor = one_or(a.scale, (-1,)) * one_or(b.scale, (-1,))
    if node.attribute("alpha", 1.0) != 1:
        factor = factor * node.attribute("alpha")
    if y_scale is None:
        return call("dequantize", sums, factor, 0)
    zero = 0 if y_zero is None else single(y_zero)
    dtype = (a.values if y_zero is None else y_zero).dtype
    return call("requantize", sums, factor / single(y_scale), zero, dtype=dtype)


class ProductScales(NamedTuple):
    a_scale: Any
    b_scale: Any


class ProductZeros(NamedTuple):
    a_zero: Any = None
    b_zero: Any = None


def to_floats(a, b, scales: ProductScales, zeros: ProductZeros, bias=None):
    return dequantized_sums(integer_product(a, b, *zeros), *scales, bias)


def dynamic_product(a, b, b_scale, b_zero=None, bias=None):
    """Of a as u8, by a scale and a zero that follow from its own least and largest."""
    x, scale, zero = as_u8(a)
    return dequantized_sums(integer_product(x, b, zero, b_zero), scale, b_scale, bias)


def integer_mul(a, a_zero, b, b_zero=None):
    wide = lambda t, zero: t.astype("s32") if zero is None else t.astype("s32") - zero.astype("s32")
    return wide(a, a_zero) * wide(b, b_zero)


OPERATORS: OperatorTable = (
    ("com.microsoft.QLinearAdd com.microsoft.QLinearMul", of_two),
    ("com.microsoft.QLinearSigmoid com.microsoft.QLinearLeakyRelu", activation),
    ("com.microsoft.QLinearSoftmax", softmax),
    ("com.microsoft.QLinearAveragePool com.microsoft.QLinearGlobalAveragePool", average_pool),
    ("com.microsoft.NhwcMaxPool", max_pool),
    ("com.microsoft.QLinearReduceMean", mean),
    ("com.microsoft.QLinearConcat", concat),
    ("com.microsoft.QGemm", gemm),
    ("com.microsoft.QLinearWhere", where_),
    ("com.microsoft.MatMulIntegerToFloat", to_floats),
    ("com.microsoft.DynamicQuantizeMatMul", dynamic_product),
    ("com.microsoft.MulInteger", integer_mul),
    ("DynamicQuantizeLinear", as_u8),
)
