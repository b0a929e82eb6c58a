"""Integers that stand for floats."""

from __future__ import annotations

import numpy as np

from ...readers.kinds import bits, kind
from ...readers.moving import permuted, reshaped
from ...readers.node import Unsupported
from ...readers.numbers import saturated
from ...readers.products import multiplied
from .declaring import MICROSOFT, operator
from .products import channels, convolved
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


@operator("QuantizeLinear", domain=MICROSOFT)
@operator("QuantizeLinear")
def quantize(node, x, scale, zero=None):
    x, wanted = node.value(x), node.attribute("output_dtype", 0)
    dtype = node.dtype(zero) if zero is not None else node.of_element(wanted) if wanted else "u8"
    if node.attribute("precision", 0):
        raise Unsupported("quantised by a precision")
    scale = _spread(node, x, scale)
    if kind(x.type.dtype) != "float":
        x = node.cast(x, "f32")
    if bits(dtype) <= 8 and kind(dtype) != "float":
        return node.call("quantize", x, scale, 0 if zero is None else _spread(node, x, zero), dtype=dtype)
    found = node.call("div", x, scale, dtype="f32")
    if kind(dtype) != "float":
        found = node.call("round", found)
    if zero is not None:
        found = node.call("add", found, node.cast(_spread(node, x, zero), "f32"))
    return saturated(node, found, dtype) if kind(dtype) == "float" else node.cast(found, dtype)


@operator("DequantizeLinear", domain=MICROSOFT)
@operator("DequantizeLinear")
def dequantize(node, x, scale, zero=None):
    x, zero = widened(node, x), None if zero is None else widened(node, zero)
    x, wanted = node.value(x), node.attribute("output_dtype", 0)
    dtype = node.of_element(wanted) if wanted else node.dtype(scale)
    scale = _spread(node, x, scale)
    if kind(x.type.dtype) == "float":
        x = node.cast(x, "f32")
        if zero is not None:
            x = node.call("sub", x, node.cast(_spread(node, x, zero), "f32"))
        return node.cast(node.call("mul", x, node.cast(scale, "f32")), dtype)
    if zero is not None and node.dtype(zero) == "s32":  # exact, which f32 may not be
        x, zero = node.call("sub", x, _spread(node, x, zero)), None
    return node.call("dequantize", x, scale, 0 if zero is None else _spread(node, x, zero), dtype=dtype)


def widened(node, x):
    """Integers of fewer bits than the language's, where they are known, as those of 8."""
    if node.is_value(x) or np.asarray(x).dtype.name not in ("uint4", "uint2", "int2"):
        return x
    node.room(*np.shape(x), item=1)
    return np.asarray(x).astype(np.int8 if np.asarray(x).dtype.name == "int2" else np.uint8)


@operator("QLinearMatMul")
def qmatmul(node, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero):
    row = lambda t: of_lines(node, t, (-1, 1))
    column = lambda t: of_lines(node, t, (-1,))
    given = (a, row(a_scale), row(a_zero), b, column(b_scale), column(b_zero), row(y_scale), row(y_zero))
    return node.call("qmatmul", *given)


def of_lines(node, x, shape):
    x = node.value(x)
    n = x.type.elements
    return reshaped(node, x, () if n == 1 else [n if s == -1 else s for s in shape])


@operator("QLinearConv", domain=MICROSOFT)
@operator("QLinearConv")
def qconv(node, x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias=None):
    x, w = node.value(x), node.value(w)
    is_last = node.attribute("channels_last", 0)
    if is_last:
        x = permuted(node, x, (0, x.type.rank - 1, *range(1, x.type.rank - 1)))
    one = lambda t: of_lines(node, t, (-1,))
    scales, zeros = [one(t) for t in (x_scale, w_scale, y_scale)], [one(x_zero), _alike(node, w_zero), one(y_zero)]
    found = _qconv(node, x, w, scales, zeros, bias)
    return permuted(node, found, (0, *range(2, x.type.rank), 1)) if is_last else found


def _qconv(node, x, w, scales, zeros, bias):
    rank = x.type.rank - 2
    window = w.type.shape[2:]
    stride, dilation = numbers(node, "strides", rank), numbers(node, "dilations", rank)
    pads = pads_of(node, x.type.shape[2:], window, stride, dilation)
    if rank > 2:
        return _deep(node, x, w, scales, zeros, bias, pads)
    if rank == 1:  # along w, of one row
        x, w = (reshaped(node, t, (*t.type.shape[:2], 1, t.type.shape[2])) for t in (x, w))
        stride, dilation, pads = (1, *stride), (1, *dilation), ((0, 0), *pads)
    given = [t for pair in zip((x, w), scales, zeros) for t in pair]
    sides = {"stride": stride, "padding": pads, "dilation": dilation, "groups": node.attribute("group", 1)}
    more = {} if bias is None else {"bias": node.value(bias)}
    found = node.call("qconv2d", *given, scales[2], zeros[2], **sides, **more)
    return found if rank == 2 else reshaped(node, found, (*found.type.shape[:2], found.type.shape[3]))


def _deep(node, x, w, scales, zeros, bias, pads):
    """Along three axes: what stands for the sums of products of s32."""
    x, w = (node.call("sub", node.cast(t, "s32"), node.cast(z, "s32")) for t, z in zip((x, w), zeros))
    sums = convolved(node, x, w, "s32")
    if bias is not None:
        sums = node.call("add", sums, channels(node, bias, x.type.rank))
    factor = node.call("div", node.call("mul", *scales[:2]), scales[2])
    if factor.type.elements > 1:
        factor = channels(node, factor, x.type.rank)
    return node.call("requantize", sums, factor, zeros[2])


def _alike(node, zero):
    """Zeros that are one number."""
    if node.is_value(zero):
        return of_lines(node, zero, (-1,))
    array = np.asarray(node.known(zero, "zeros")).reshape(-1)
    if (array != array[0]).any():
        raise Unsupported("zeros that differ from channel to channel")
    return array[0].reshape(())


@operator("MatMulInteger")
def matmul_integer(node, a, b, a_zero=None, b_zero=None):
    return integer_product(node, node.value(a), node.value(b), a_zero, b_zero)


def integer_product(node, x, y, x_zero=None, y_zero=None, bias=None):
    """The s32 product of x and y without their zeros, which are taken off the sums, plus a bias; what is known of that
    is added at once."""
    if min(x.type.rank, y.type.rank) < 2 and (x_zero is not None or y_zero is not None):
        raise Unsupported("vectors with zeros")
    row, column = (_off(node, zero, shape) for zero, shape in ((x_zero, (-1, 1)), (y_zero, (-1,))))
    total, term = multiplied(node, x, y, "s32"), bias
    if row is not None:
        off = node.call("mul", row, _total(node, y, -2))
        if column is not None:
            off = node.call("sub", off, node.call("mul", node.call("mul", row, column), x.type.shape[-1]))
        term = node.call("neg", off) if term is None else node.call("sub", term, off)
    if term is not None:
        total = node.call("add", total, term)
    if column is not None:
        total = node.call("sub", total, node.call("mul", column, _total(node, x, -1)))
    return total


def _off(node, zero, shape):
    """Zeros in s32, as they lie beside a product; None of those that are left out, or 0."""
    if zero is None or not node.is_value(zero) and not np.any(node.known(zero, "")):
        return None
    return node.cast(of_lines(node, zero, shape), "s32")


def _total(node, x, axis: int):
    return node.call("sum", x, axis=axis % x.type.rank, keepdims=True, dtype="s32")


@operator("ConvInteger")
def conv_integer(node, x, w, x_zero=None, w_zero=None):
    """Of x and w without their zeros: beyond x lies what is 0 of that."""
    x, w = node.value(x), node.value(w)
    if x_zero is not None:
        x = node.call("sub", node.cast(x, "s32"), node.cast(of_lines(node, x_zero, (-1,)), "s32"))
    if w_zero is not None:
        zero = node.cast(w_zero, "s32")
        zero = reshaped(node, zero, ()) if zero.type.elements == 1 else channels(node, zero, x.type.rank + 1)
        w = node.call("sub", node.cast(w, "s32"), zero)
    if x.type.dtype != w.type.dtype and "s32" in (x.type.dtype, w.type.dtype):
        x, w = node.cast(x, "s32"), node.cast(w, "s32")
    return convolved(node, x, w, "s32")
