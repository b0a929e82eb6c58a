"""Products of matrices, and convolutions."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np

from ...operators.array import bits, call, kind, sliced, wrapped
from ...operators.convolutions import conv_transpose, convolved
from ...operators.moving import cropped, padded, spread
from ...operators.windows import Window
from ...tables import OperatorTable
from ..attributes import contracted_of, number_of, of_window, window_axes, window_padding
from .windows import window_of


def accumulating(node, *operands):
    """Operands in one dtype, and the dtype in which their products are added: f32 at least of floats, and s32 at least
    of integers."""
    dtypes, wanted = {x.dtype for x in operands}, node.dtype_given
    if kind(wanted) == "float":
        wide = "f64" if "f64" in (*dtypes, wanted) else "f32"
        is_plain = len(dtypes) == 1 and wide == "f32" and all(kind(d) == "float" and bits(d) >= 16 for d in dtypes)
        return list(operands) if is_plain else [x.astype(wide) for x in operands], wide
    wide = wanted if kind(wanted) != "pred" and bits(wanted) >= 32 else "s32"
    return list(operands) if dtypes == {"s8"} and wide == "s32" else [x.astype(wide) for x in operands], wide


def narrowed(node, result):
    """A sum of products as the program has it: integers wrap, of conditions it is whether it is not 0."""
    wanted = node.dtype_given
    return result if kind(wanted) == "float" or wanted == "pred" else wrapped(result, wanted)


def dot_general(node, x, y, dimension_numbers, **how):
    """A product of matrices, of the axes that are summed last of x and first of y."""
    (sum_x, sum_y), (batch_x, batch_y) = ([tuple(map(int, axes)) for axes in each] for each in dimension_numbers)
    (x, y), dtype = accumulating(node, x, y)
    free_x = [a for a in range(x.ndim) if a not in (*sum_x, *batch_x)]
    free_y = [a for a in range(y.ndim) if a not in (*sum_y, *batch_y)]
    size_x, size_y = (lambda axes: [x.shape[a] for a in axes]), (lambda axes: [y.shape[a] for a in axes])
    batch, k = size_x(batch_x), prod(size_x(sum_x))
    a = x.transpose((*batch_x, *free_x, *sum_x))
    b = y.transpose((*batch_y, *sum_y, *free_y))
    if not (len(batch) == 0 and len(sum_x) == 1 and len(free_x) > 0):  # else rows stay as they are
        a = a.reshape((*batch, prod(size_x(free_x)), k))
    b = b.reshape((*batch, k, prod(size_y(free_y))))
    result = call("matmul", a, b, dtype=dtype)
    return narrowed(node, result.reshape((*batch, *size_x(free_x), *size_y(free_y))))


def conv_general_dilated(node, x, w, dimension_numbers, **how):
    """ONNX's convolution of axes in its order; one that spreads its image is ONNX's transposed one where it can be."""
    (x, w), dtype = accumulating(node, x, w)
    x, w = x.transpose(dimension_numbers.lhs_spec), w.transpose(dimension_numbers.rhs_spec)
    groups, batches = how.get("feature_group_count", 1), how.get("batch_group_count", 1)
    if batches > 1:
        n, c, *sizes = x.shape
        apart = x.reshape((batches, n // batches, c, *sizes)).transpose([1, 0, *range(2, x.ndim + 1)])
        x, groups = apart.reshape((n // batches, batches * c, *sizes)), batches
    window, spread_x = window_of(
        w.shape[2:], how["window_strides"], how["padding"], how["lhs_dilation"], how["rhs_dilation"]
    )
    rank = x.ndim - 2
    if not rank:
        x, w = x.reshape((*x.shape, 1)), w.reshape((*w.shape, 1))
        window, spread_x = window_of((1,), (1,))
    if rank in (1, 2) and max(spread_x) > 1 and set(window.stride) == {1}:
        result = _transposed(x, w, window, spread_x, groups)
    else:
        result = _plain(x, w, window, spread_x, groups, dtype)
    result = result if rank else result.reshape(result.shape[:2])
    return narrowed(node, result.transpose(np.argsort(dimension_numbers.out_spec)))


def _plain(x, w, window: Window, spread_x, groups, dtype):
    x = spread(x, [1, 1, *spread_x])
    x, pads = cropped(x, window.pads)
    if any(max(pad) >= n for pad, n in zip(pads, window.reach)):
        x = padded(x, [0, 0, *(low for low, _ in pads)], [0, 0, *(high for _, high in pads)])
        pads = ((0, 0),) * len(pads)
    return convolved(x, w, replace(window, pads=pads), groups, dtype)


def _transposed(x, w, window: Window, spread_x, groups):
    """The image is spread: each element goes to where the turned window puts it."""
    o, per_group, *sizes = w.shape
    turned = sliced(w, {2 + a: (n - 1, -1, -1) for a, n in enumerate(sizes) if n > 1})
    apart = turned.reshape((groups, o // groups, per_group, *sizes))
    swapped = apart.transpose((0, 2, 1, *range(3, apart.ndim)))
    kernel = swapped.reshape((groups * per_group, o // groups, *sizes))
    cut = tuple((r - 1 - low, r - 1 - high) for r, (low, high) in zip(window.reach, window.pads))
    return conv_transpose(x, kernel, None, replace(window, stride=spread_x, pads=cut), (), groups)


OPERATORS: OperatorTable = (
    ("dot_general", dot_general, "dot", {"dimension_numbers": contracted_of}),
    (
        "conv_general_dilated",
        conv_general_dilated,
        "convolution",
        {
            "dimension_numbers": window_axes,
            "window_strides": of_window("stride", "window_strides"),
            "padding": window_padding,
            "lhs_dilation": of_window("lhs_dilate", "lhs_dilation"),
            "rhs_dilation": of_window("rhs_dilate", "rhs_dilation"),
            "feature_group_count": number_of("feature_group_count"),
            "batch_group_count": number_of("batch_group_count"),
        },
    ),
)
