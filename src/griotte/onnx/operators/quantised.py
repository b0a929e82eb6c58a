"""Integers that stand for floats."""

from __future__ import annotations

import numpy as np

from .declaring import Unsupported, bits, kind, operator
from .moving import reshaped
from .products import channels, convolved, multiplied
from .windows import numbers, pads_of


def _spread(node, x, scale, name="a scale"):
    """A scale, or a zero, as it goes with x: one, one for each place along an axis, or one for each block there."""
    scale = node.value(scale)
    axis, block = node.attribute("axis", 1) % max(1, x.type.rank), node.attribute("block_size", 0)
    if scale.type.elements == 1:
        return reshaped(node, scale, ())
    if not block:
        return reshaped(node, scale, [scale.type.elements if i == axis else 1 for i in range(x.type.rank)])
    shape = scale.type.shape
    wide = reshaped(node, scale, (*shape[: axis + 1], 1, *shape[axis + 1 :]))
    wide = node.call("broadcast", wide, shape=(*shape[: axis + 1], block, *shape[axis + 1 :]))
    return reshaped(node, wide, (*shape[:axis], shape[axis] * block, *shape[axis + 1 :]))


@operator("QuantizeLinear")
def quantize(node, x, scale, zero=None):
    x, wanted = node.value(x), node.attribute("output_dtype", 0)
    dtype = node.dtype(zero) if zero is not None else node.of_element(wanted) if wanted else "u8"
    if kind(dtype) == "float" or node.attribute("precision", 0):
        raise Unsupported("quantised to floats, or by a precision")
    scale = _spread(node, x, scale)
    if kind(x.type.dtype) != "float":
        x = node.cast(x, "f32")
    if bits(dtype) <= 8:
        return node.call("quantize", x, scale, 0 if zero is None else _spread(node, x, zero), dtype=dtype)
    found = node.call("round", node.call("div", x, scale, dtype="f32"))
    if zero is not None:
        found = node.call("add", found, node.cast(_spread(node, x, zero), "f32"))
    return node.cast(found, dtype)


@operator("DequantizeLinear")
def dequantize(node, x, scale, zero=None):
    x, wanted = node.value(x), node.attribute("output_dtype", 0)
    dtype = node.of_element(wanted) if wanted else node.dtype(scale)
    scale = _spread(node, x, scale)
    if zero is not None and node.dtype(zero) == "s32":  # exact, which f32 may not be
        x, zero = node.call("sub", x, _spread(node, x, zero)), None
    return node.call("dequantize", x, scale, 0 if zero is None else _spread(node, x, zero), dtype=dtype)


@operator("QLinearMatMul")
def qmatmul(node, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero):
    row = lambda t: _of_lines(node, t, (-1, 1))
    column = lambda t: _of_lines(node, t, (-1,))
    given = (a, row(a_scale), row(a_zero), b, column(b_scale), column(b_zero), row(y_scale), row(y_zero))
    return node.call("qmatmul", *given)


def _of_lines(node, x, shape):
    x = node.value(x)
    n = x.type.elements
    return reshaped(node, x, () if n == 1 else [n if s == -1 else s for s in shape])


@operator("QLinearConv")
def qconv(node, x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias=None):
    x, w = node.value(x), node.value(w)
    window = w.type.shape[2:]
    if len(window) != 2:
        raise Unsupported(f"a convolution along {len(window)} axes")
    stride, dilation = numbers(node, "strides", 2), numbers(node, "dilations", 2)
    pads = pads_of(node, x.type.shape[2:], window, stride, dilation)
    one = lambda t: _of_lines(node, t, (-1,))
    given = (x, one(x_scale), one(x_zero), w, one(w_scale), _alike(node, w_zero), one(y_scale), one(y_zero))
    sides = {"stride": stride, "padding": pads, "dilation": dilation, "groups": node.attribute("group", 1)}
    return node.call("qconv2d", *given, **sides, **({} if bias is None else {"bias": node.value(bias)}))


def _alike(node, zero):
    """Zeros that are one number."""
    if node.is_value(zero):
        return _of_lines(node, zero, (-1,))
    array = np.asarray(node.known(zero, "zeros")).reshape(-1)
    if (array != array[0]).any():
        raise Unsupported("zeros that differ from channel to channel")
    return array[0].reshape(())


@operator("MatMulInteger")
def matmul_integer(node, a, b, a_zero=None, b_zero=None):
    """Of a and b without their zeros, which are taken off the sums."""
    x, y = node.value(a), node.value(b)
    if min(x.type.rank, y.type.rank) < 2 and (a_zero is not None or b_zero is not None):
        raise Unsupported("vectors with zeros")
    total = multiplied(node, x, y, "s32")
    row = None if a_zero is None else node.cast(_of_lines(node, a_zero, (-1, 1)), "s32")
    column = None if b_zero is None else node.cast(_of_lines(node, b_zero, (-1,)), "s32")
    if row is not None:
        total = node.call("sub", total, node.call("mul", row, _total(node, y, -2)))
    if column is not None:
        total = node.call("sub", total, node.call("mul", column, _total(node, x, -1)))
    if row is not None and column is not None:
        both = node.call("mul", node.call("mul", row, column), x.type.shape[-1])
        total = node.call("add", total, both)
    return total


def _total(node, x, axis: int):
    return node.call("sum", x, axis=axis % x.type.rank, keepdims=True, dtype="s32")


@operator("ConvInteger")
def conv_integer(node, x, w, x_zero=None, w_zero=None):
    """Of x and w without their zeros: beyond x lies what is 0 of that."""
    x, w = node.value(x), node.value(w)
    if x_zero is not None:
        x = node.call("sub", node.cast(x, "s32"), node.cast(_of_lines(node, x_zero, (-1,)), "s32"))
    if w_zero is not None:
        zero = node.cast(w_zero, "s32")
        zero = reshaped(node, zero, ()) if zero.type.elements == 1 else channels(node, zero, x.type.rank + 1)
        w = node.call("sub", node.cast(w, "s32"), zero)
    if x.type.dtype != w.type.dtype and "s32" in (x.type.dtype, w.type.dtype):
        x, w = node.cast(x, "s32"), node.cast(w, "s32")
    return convolved(node, x, w, "s32")
