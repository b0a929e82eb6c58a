"""Integers that stand for floats."""

from __future__ import annotations

from inspect import Parameter, Signature, signature
from operator import add, mul

import numpy as np

from ...readers.operators import quantised as library
from ...readers.operators.array import bits, call, kind, known, round_, sigmoid, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.convolutions import channels, convolved
from ...readers.operators.kinds import placed
from ...readers.operators.moving import joined, repeat
from ...readers.operators.numbers import converted
from ...readers.operators.quantised import as_u8, dequantized_sums, integer_product, one_or, single
from ...readers.operators.windows import as_image, as_row
from ...readers.tables import OperatorTable, calling, inputs, with_node
from . import windows


def spread(node, x, scale):
    """A scale, or a zero, as it goes with x: one, one for each place along an axis, or one for each block there."""
    axis, block = node.attribute("axis", 1) % max(1, x.ndim), node.attribute("block_size", 0)
    if scale.size == 1:
        return scale.reshape(())
    if not block:
        return scale.reshape([scale.size if i == axis else 1 for i in range(x.ndim)])
    return repeat(scale, block, axis)


def quantize(node, x, scale, zero=None, *, output_dtype=0, precision=0):
    dtype = zero.dtype if zero is not None else node.of_element(output_dtype) if output_dtype else "u8"
    if precision:
        raise Unsupported("quantised by a precision")
    scale = spread(node, x, scale)
    if kind(x.dtype) != "float":
        x = x.astype("f32")
    if bits(dtype) <= 8 and kind(dtype) != "float":
        return call("quantize", x, scale, 0 if zero is None else spread(node, x, zero), dtype=dtype)
    found = call("div", x, scale, dtype="f32")
    if kind(dtype) != "float":
        found = round_(found)
    if zero is not None:
        found = found + spread(node, x, zero).astype("f32")
    if kind(dtype) != "float":
        return found.astype(dtype)
    return converted(found, dtype, bool(node.attribute("saturate", 1)))


def dequantize(node, x, scale, zero=None, *, output_dtype=0):
    x, zero = widened(x), None if zero is None else widened(zero)
    dtype = node.of_element(output_dtype) if output_dtype else scale.dtype
    scale = spread(node, x, scale)
    if kind(x.dtype) == "float":
        x = x.astype("f32")
        if zero is not None:
            x = x - spread(node, x, zero).astype("f32")
        return (x * scale.astype("f32")).astype(dtype)
    if zero is not None and zero.dtype == "s32":  # exact, which f32 may not be
        x, zero = x - spread(node, x, zero), None
    return call("dequantize", x, scale, 0 if zero is None else spread(node, x, zero), dtype=dtype)


def widened(x):
    """Integers of fewer bits than the language's, where they are known, as those of 8."""
    if not x.is_known or np.asarray(x).dtype.name not in ("uint4", "uint2", "int2"):
        return x
    x.reserve(*np.shape(x), item=1)
    return x.of(np.asarray(x).astype(np.int8 if np.asarray(x).dtype.name == "int2" else np.uint8))


def qmatmul(*given):
    a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = inputs(given, 8, 8)
    row = lambda t: one_or(t, (-1, 1))
    column = lambda t: one_or(t, (-1,))
    operands = (a, row(a_scale), row(a_zero), b, column(b_scale), column(b_zero))
    return call("qmatmul", *operands, row(y_scale), row(y_zero))


def qconv(node, *given, channels_last=0):
    x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias = inputs(given, 8, 9)
    if channels_last:
        x = windows.channels_second(x)
    one = lambda t: one_or(t, (-1,))
    scales, zeros = [one(t) for t in (x_scale, w_scale, y_scale)], [one(x_zero), _alike(w_zero), one(y_zero)]
    found = _qconv(node, x, w, scales, zeros, bias)
    return windows.channels_last(found) if channels_last else found


def _qconv(node, x, w, scales, zeros, bias):
    rank, groups = x.ndim - 2, node.attribute("group", 1)
    window = windows.window_of(node, x, w.shape[2:])
    if rank > 2:  # by s32 sums of products
        x, w = (t.astype("s32") - z.astype("s32") for t, z in zip((x, w), zeros))
        sums = convolved(x, w, window, groups, "s32")
        sums = sums if bias is None else sums + channels(bias, x.ndim)
        factor = call("mul", *scales[:2]) / scales[2]
        return call("requantize", sums, channels(factor, x.ndim) if factor.size > 1 else factor, zeros[2])
    if rank == 1:
        x, w, window = as_image(x), as_image(w), window.of_rows()
    operands = [t for each in zip((x, w), scales, zeros) for t in each]
    how = {"stride": window.stride, "padding": window.pads, "dilation": window.dilation, "groups": groups}
    more = {} if bias is None else {"bias": bias}
    found = call("qconv2d", *operands, scales[2], zeros[2], **how, **more)
    return found if rank == 2 else as_row(found)


def _alike(zero):
    """Zeros that are one number."""
    if not zero.is_known:
        return one_or(zero, (-1,))
    array = np.asarray(known(zero, "zeros")).reshape(-1)
    if (array != array[0]).any():
        raise Unsupported("zeros that differ from channel to channel")
    return zero.of(array[0].reshape(()))


def conv_integer(node, x, w, x_zero=None, w_zero=None):
    """A convolution of x and w less their zeros; x less its zero is padded with 0."""
    if x_zero is not None:
        x = x.astype("s32") - one_or(x_zero, (-1,)).astype("s32")
    if w_zero is not None:
        zero = w_zero.astype("s32")
        zero = zero.reshape(()) if zero.size == 1 else channels(zero, x.ndim + 1)
        w = w.astype("s32") - zero
    if x.dtype != w.dtype and "s32" in (x.dtype, w.dtype):
        x, w = x.astype("s32"), w.astype("s32")
    return convolved(x, w, windows.window_of(node, x, w.shape[2:]), node.attribute("group", 1), "s32")


def of_integers(function, count: int = 1):
    """A function of floats as one of integers that stand for them: behind each of so many operands come its scale and
    its zero, and those of the result come last."""
    function = with_node(function)

    def quantised(node, *given, **attributes):
        *operands, y_scale, y_zero = inputs(given, 3 * count + 1, 3 * count + 2)
        floats = [library.dequantize(*operands[i : i + 3]) for i in range(0, len(operands), 3)]
        return library.quantize(function(node, *floats, **attributes), y_scale, y_zero, operands[0])

    in_order = [Parameter("node", Parameter.POSITIONAL_ONLY), Parameter("given", Parameter.VAR_POSITIONAL)]
    by_name = [each for each in signature(function).parameters.values() if each.kind is each.KEYWORD_ONLY]
    quantised.__signature__ = Signature([*in_order, *by_name])  # type: ignore[attr-defined]
    return quantised


def softmax(x, *, axis=-1, opset):
    axis = placed(axis, x.ndim)
    return call("softmax", x, axis=(axis,) if opset >= 13 else tuple(range(axis, x.ndim)))


def average_pool(node, x, *, channels_last=0):
    if channels_last:
        return windows.channels_last(windows.mean(node, windows.channels_second(x)))
    return windows.mean(node, x)


def global_average_pool(x, *, channels_last=0):
    return x.mean(axis=tuple(range(1, x.ndim - 1) if channels_last else range(2, x.ndim)), keepdims=True)


def mean(x, *, axes=None, keepdims=1):
    return x.mean(axis=tuple(axis % x.ndim for axis in axes or range(x.ndim)), keepdims=bool(keepdims))


def concat(y_scale, y_zero, *given, axis=0):
    parts = [library.dequantize(*given[i : i + 3]) for i in range(0, len(given), 3)]
    return library.quantize(joined(parts, placed(axis, parts[0].ndim)), y_scale, y_zero, y_zero)


def where_(p, *given):
    x, x_scale, x_zero, y, y_scale, y_zero, z_scale, z_zero = inputs(given, 8, 8)
    found = where(p, library.dequantize(x, x_scale, x_zero), library.dequantize(y, y_scale, y_zero))
    return library.quantize(found, z_scale, z_zero, z_zero)


def gemm(node, *given):
    """A product of integers plus c, in s32; requantised, or in floats."""
    a, a_scale, a_zero, b, b_scale, b_zero, c, y_scale, y_zero = inputs(given, 6, 9)
    x, y = (t.transpose((1, 0)) if node.attribute(name, 0) else t for t, name in ((a, "transA"), (b, "transB")))
    sums = integer_product(x, y, a_zero, b_zero, c)
    factor, alpha = one_or(a_scale, (-1,)) * one_or(b_scale, (-1,)), node.attribute("alpha", 1.0)
    if alpha != 1:
        factor = factor * alpha
    if y_scale is None:
        return call("dequantize", sums, factor, 0)
    zero = 0 if y_zero is None else single(y_zero)
    return call("requantize", sums, factor / single(y_scale), zero, dtype=(a if y_zero is None else y_zero).dtype)


def to_floats(a, b, a_scale, b_scale, *others):
    a_zero, b_zero, bias = inputs(others, 0, 3)
    return dequantized_sums(integer_product(a, b, a_zero, b_zero), a_scale, b_scale, bias)


def dynamic_product(a, b, b_scale, b_zero=None, bias=None):
    """Of a as u8, by a scale and a zero that follow from its own least and largest."""
    x, scale, zero = as_u8(a)
    return dequantized_sums(integer_product(x, b, zero, b_zero), scale, b_scale, bias)


def integer_mul(a, a_zero, b, b_zero=None):
    wide = lambda t, zero: t.astype("s32") if zero is None else t.astype("s32") - zero.astype("s32")
    return wide(a, a_zero) * wide(b, b_zero)


OPERATORS: OperatorTable = (
    ("com.microsoft.QuantizeLinear QuantizeLinear", quantize),
    ("com.microsoft.DequantizeLinear DequantizeLinear", dequantize),
    ("com.microsoft.QLinearConv QLinearConv", qconv),
    ("ConvInteger", conv_integer),
    ("QLinearMatMul", qmatmul),
    ("MatMulInteger", integer_product),
    ("DynamicQuantizeLinear", as_u8),
    ("com.microsoft.QLinearAdd", of_integers(add, 2)),
    ("com.microsoft.QLinearMul", of_integers(mul, 2)),
    ("com.microsoft.QLinearSigmoid", of_integers(sigmoid)),
    ("com.microsoft.QLinearLeakyRelu", of_integers(calling("leaky_relu", alpha=0.01))),
    ("com.microsoft.QLinearSoftmax", of_integers(softmax)),
    ("com.microsoft.QLinearAveragePool", of_integers(average_pool)),
    ("com.microsoft.QLinearGlobalAveragePool", of_integers(global_average_pool)),
    ("com.microsoft.QLinearReduceMean", of_integers(mean)),
    ("com.microsoft.QLinearConcat", concat),
    ("com.microsoft.QLinearWhere", where_),
    ("com.microsoft.QGemm", gemm),
    ("com.microsoft.MatMulIntegerToFloat", to_floats),
    ("com.microsoft.DynamicQuantizeMatMul", dynamic_product),
    ("com.microsoft.MulInteger", integer_mul),
)
