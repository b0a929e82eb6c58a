"""Integers of 8 bits that stand for floats: what is done to them is done to the floats, and quantised again."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....readers.operators.array import call, sigmoid, where
from ....readers.operators.kinds import placed
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
from ..products import GemmAttributes
from ..windows import WindowAttributes, largest
from ..windows import mean as mean_pool


def of_two(node, a: Quantised, b: Quantised, y_scale, y_zero=None):
    called = "add" if node.operator == "QLinearAdd" else "mul"
    return quantize(call(called, a.floats(), b.floats()), y_scale, y_zero, a.values)


def q_sigmoid(x: Quantised, y_scale, y_zero=None):
    return quantize(sigmoid(x.floats()), y_scale, y_zero, x.values)


def q_leaky_relu(x: Quantised, y_scale, y_zero=None, *, alpha=0.01):
    return quantize(call("leaky_relu", x.floats(), alpha=alpha), y_scale, y_zero, x.values)


def softmax(x: Quantised, y_scale, y_zero, *, axis=-1, opset):
    """The zero of x is taken off all elements alike."""
    given = x.floats()
    axis = placed(axis, given.ndim)
    over = (axis,) if opset >= 13 else tuple(range(axis, given.ndim))
    return quantize(call("softmax", given, axis=over), y_scale, y_zero, x.values)


def average_pool(x: Quantised, y_scale, y_zero=None, *, window: WindowAttributes):
    given = x.floats()
    if window.channels_last:
        found = mean_pool(_channels_second(given), window=window).transpose(_channels_last(given))
    else:
        found = mean_pool(given, window=window)
    return quantize(found, y_scale, y_zero, x.values)


def global_average_pool(x: Quantised, y_scale, y_zero=None, *, channels_last=0):
    given = x.floats()
    axes = tuple(range(1, given.ndim - 1) if channels_last else range(2, given.ndim))
    return quantize(given.mean(axis=axes, keepdims=True), y_scale, y_zero, x.values)


def _channels_second(x):
    return x.transpose((0, x.ndim - 1, *range(1, x.ndim - 1)))


def _channels_last(x):
    return (0, *range(2, x.ndim), 1)


def max_pool(node, x, *, window: WindowAttributes):
    return largest(node, _channels_second(x), window=window).transpose(_channels_last(x))


def mean(x: Quantised, y_scale, y_zero=None, *, axes=None, keepdims=1):
    given = x.floats()
    over = tuple(axis % given.ndim for axis in axes or range(given.ndim))
    return quantize(given.mean(axis=over, keepdims=bool(keepdims)), y_scale, y_zero, x.values)


def concat(y_scale, y_zero, *given, axis=0):
    parts = [dequantize(*given[i : i + 3]) for i in range(0, len(given), 3)]
    return quantize(joined(parts, placed(axis, parts[0].ndim)), y_scale, y_zero, y_zero)


def where_(p, x: Quantised, y: Quantised, z_scale, z_zero):
    return quantize(where(p, x.floats(), y.floats()), z_scale, z_zero, z_zero)


def gemm(a: Quantised, b: Quantised, c=None, y_scale=None, y_zero=None, *, how: GemmAttributes):
    """A product of integers plus c, in s32; requantised, or in floats."""
    x = a.values.transpose((1, 0)) if how.transA else a.values
    y = b.values.transpose((1, 0)) if how.transB else b.values
    sums = integer_product(x, y, a.zero, b.zero, c)
    factor = one_or(a.scale, (-1,)) * one_or(b.scale, (-1,))
    if how.alpha != 1:
        factor = factor * how.alpha
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
    ("com.microsoft.QLinearSigmoid", q_sigmoid),
    ("com.microsoft.QLinearLeakyRelu", q_leaky_relu),
    ("com.microsoft.QLinearSoftmax", softmax),
    ("com.microsoft.QLinearAveragePool", average_pool),
    ("com.microsoft.QLinearGlobalAveragePool", global_average_pool),
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
