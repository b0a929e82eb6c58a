"""Integers that stand for floats."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...readers.operators.array import bits, call, kind, known, round_
from ...readers.operators.calls import Unsupported
from ...readers.operators.convolutions import channels, convolved
from ...readers.operators.moving import repeat
from ...readers.operators.numbers import converted
from ...readers.operators.quantised import Quantised, integer_product, one_or
from ...readers.operators.windows import as_image, as_row
from ...readers.tables import OperatorTable
from .windows import WindowAttributes


class ScaleAttributes(NamedTuple):
    """How scales go with what is quantised, and what comes of it."""

    axis: int = 1
    block_size: int = 0
    output_dtype: int = 0
    precision: int = 0
    saturate: int = 1

    def spread(self, x, scale):
        """A scale, or a zero, as it goes with x: one, one for each place along an axis, or one for each block there."""
        axis = self.axis % max(1, x.ndim)
        if scale.size == 1:
            return scale.reshape(())
        if not self.block_size:
            return scale.reshape([scale.size if i == axis else 1 for i in range(x.ndim)])
        return repeat(scale, self.block_size, axis)


def quantize(node, x, scale, zero=None, *, how: ScaleAttributes):
    wanted = how.output_dtype
    dtype = zero.dtype if zero is not None else node.of_element(wanted) if wanted else "u8"
    if how.precision:
        raise Unsupported("quantised by a precision")
    scale = how.spread(x, scale)
    if kind(x.dtype) != "float":
        x = x.astype("f32")
    if bits(dtype) <= 8 and kind(dtype) != "float":
        return call("quantize", x, scale, 0 if zero is None else how.spread(x, zero), dtype=dtype)
    found = call("div", x, scale, dtype="f32")
    if kind(dtype) != "float":
        found = round_(found)
    if zero is not None:
        found = found + how.spread(x, zero).astype("f32")
    return converted(found, dtype, bool(how.saturate)) if kind(dtype) == "float" else found.astype(dtype)


def dequantize(node, x, scale, zero=None, *, how: ScaleAttributes):
    x, zero = widened(x), None if zero is None else widened(zero)
    dtype = node.of_element(how.output_dtype) if how.output_dtype else scale.dtype
    scale = how.spread(x, scale)
    if kind(x.dtype) == "float":
        x = x.astype("f32")
        if zero is not None:
            x = x - how.spread(x, zero).astype("f32")
        return (x * scale.astype("f32")).astype(dtype)
    if zero is not None and zero.dtype == "s32":  # exact, which f32 may not be
        x, zero = x - how.spread(x, zero), None
    return call("dequantize", x, scale, 0 if zero is None else how.spread(x, zero), dtype=dtype)


def widened(x):
    """Integers of fewer bits than the language's, where they are known, as those of 8."""
    if not x.is_known or np.asarray(x).dtype.name not in ("uint4", "uint2", "int2"):
        return x
    x.room(*np.shape(x), item=1)
    return x.of(np.asarray(x).astype(np.int8 if np.asarray(x).dtype.name == "int2" else np.uint8))


def qmatmul(a: Quantised, b: Quantised, y_scale, y_zero):
    row = lambda t: one_or(t, (-1, 1))
    column = lambda t: one_or(t, (-1,))
    rows, columns = (a.values, row(a.scale), row(a.zero)), (b.values, column(b.scale), column(b.zero))
    return call("qmatmul", *rows, *columns, row(y_scale), row(y_zero))


def qconv(x: Quantised, w: Quantised, y_scale, y_zero, bias=None, *, window: WindowAttributes):
    is_last, images = window.channels_last, x.values
    rank = images.ndim
    if is_last:
        images = images.transpose((0, rank - 1, *range(1, rank - 1)))
    one = lambda t: one_or(t, (-1,))
    scales, zeros = [one(t) for t in (x.scale, w.scale, y_scale)], [one(x.zero), _alike(w.zero), one(y_zero)]
    found = _qconv(window, images, w.values, scales, zeros, bias)
    return found.transpose((0, *range(2, rank), 1)) if is_last else found


def _qconv(window: WindowAttributes, x, w, scales, zeros, bias):
    rank = x.ndim - 2
    if rank > 2:
        return _deep(window, x, w, scales, zeros, bias)
    windows = window.along(x, w.shape[2:])
    if rank == 1:
        x, w, windows = as_image(x), as_image(w), windows.of_rows()
    given = [t for pair in zip((x, w), scales, zeros) for t in pair]
    sides = {"stride": windows.stride, "padding": windows.pads, "dilation": windows.dilation}
    more = {} if bias is None else {"bias": bias}
    found = call("qconv2d", *given, scales[2], zeros[2], **sides, groups=window.group, **more)
    return found if rank == 2 else as_row(found)


def _deep(window: WindowAttributes, x, w, scales, zeros, bias):
    """Along three axes: what stands for the sums of products of s32."""
    x, w = (t.astype("s32") - z.astype("s32") for t, z in zip((x, w), zeros))
    sums = convolved(x, w, window.along(x, w.shape[2:]), window.group, "s32")
    if bias is not None:
        sums = sums + channels(bias, x.ndim)
    factor = call("mul", *scales[:2]) / scales[2]
    if factor.size > 1:
        factor = channels(factor, x.ndim)
    return call("requantize", sums, factor, zeros[2])


def _alike(zero):
    """Zeros that are one number."""
    if not zero.is_known:
        return one_or(zero, (-1,))
    array = np.asarray(known(zero, "zeros")).reshape(-1)
    if (array != array[0]).any():
        raise Unsupported("zeros that differ from channel to channel")
    return zero.of(array[0].reshape(()))


def conv_integer(x, w, x_zero=None, w_zero=None, *, window: WindowAttributes):
    """Of x and w without their zeros: beyond x lies what is 0 of that."""
    if x_zero is not None:
        x = x.astype("s32") - one_or(x_zero, (-1,)).astype("s32")
    if w_zero is not None:
        zero = w_zero.astype("s32")
        zero = zero.reshape(()) if zero.size == 1 else channels(zero, x.ndim + 1)
        w = w.astype("s32") - zero
    if x.dtype != w.dtype and "s32" in (x.dtype, w.dtype):
        x, w = x.astype("s32"), w.astype("s32")
    return convolved(x, w, window.along(x, w.shape[2:]), window.group, "s32")


OPERATORS: OperatorTable = (
    ("com.microsoft.QuantizeLinear QuantizeLinear", quantize),
    ("com.microsoft.DequantizeLinear DequantizeLinear", dequantize),
    ("com.microsoft.QLinearConv QLinearConv", qconv),
    ("ConvInteger", conv_integer),
    ("QLinearMatMul", qmatmul),
    ("MatMulInteger", integer_product),
)
