"""Windows that slide: largest, smallest, sums and products of what they meet."""

from __future__ import annotations

from math import prod

import numpy as np

from ...onnx.operators.windows import joined_taps
from ...readers.moving import between, permuted, reshaped, sliced
from ...readers.numbers import wrapped
from .declaring import Unsupported, bits, in_f32, kind, operator, over_u8
from .reductions import least, most

TAPS = {"max": "maximum", "min": "minimum", "sum": "add", "prod": "mul"}
NOTHING = {"max": least, "min": most, "sum": lambda dtype: 0, "prod": lambda dtype: 1}
"""What stands beyond the ends of an array, by how windows are joined."""
RUNNING = {"max": "cummax", "min": "cummin", "sum": "cumsum", "prod": "cumprod"}
JOINED_BY = {"add": "sum", "mul": "prod", "max": "max", "min": "min"}
"""How windows are joined, by the operation of a body."""


@operator("reduce_window_max", "reduce_window_min", "reduce_window_sum")
def reduce_window(node, x, **how):
    return windowed(node, x, node.operator.rpartition("_")[2], **how)


@operator("reduce_window")
def reduce_window_of(node, *operands, jaxpr, consts=(), **how):
    """One that joins by one operation; an initial value is joined with each window once, as XLA does."""
    call = node.reader.one_operation(jaxpr)
    if len(operands) != 2 or call not in JOINED_BY or node.is_value(operands[1]):
        raise Unsupported("what windows are joined by is no sum, product, largest, smallest")
    x, start = operands
    join = JOINED_BY[call]
    found = windowed(node, x, join, **how)
    return found if np.asarray(start).item() == NOTHING[join](node.dtype(x)) else node.again(call, found, start)


def windowed(
    node, x, how: str, window_dimensions, window_strides, padding=None, base_dilation=None, window_dilation=None
):
    """Windows of x, joined: of integers in s32 at least, of floats in f32 at least."""
    rank, dtype = len(node.sizes(x)), node.dtype(x)
    every = lambda told: tuple(map(int, told)) if told is not None else (1,) * rank
    pads = tuple((int(low), int(high)) for low, high in padding or ((0, 0),) * rank)
    given = (every(window_dimensions), every(window_strides), pads, every(base_dilation), every(window_dilation))
    if how in ("max", "min"):
        return over_u8(lambda own, t: _windowed(own, t, how, *given))(node, x)
    if kind(dtype) == "float":
        return in_f32(lambda own, t: _windowed(own, t, how, *given))(node, x)
    return wrapped(node, _windowed(node, node.cast(x, dtype if bits(dtype) >= 32 else "s32"), how, *given), dtype)


def _windowed(node, x, how: str, window, stride, pads, spread, dilation):
    """All that is before an element, or behind it; a pool where two axes at most have windows; else tap by tap."""
    fill = NOTHING[how](node.dtype(x))
    x = between(node, node.value(x), [step - 1 for step in spread], fill)
    x = sliced(node, x, {a: (max(0, -low), n - max(0, -high)) for a, (n, (low, high)) in _ends(x, pads)})
    pads = tuple((max(0, low), max(0, high)) for low, high in pads)
    axes = [a for a, (k, s, p) in enumerate(zip(window, stride, pads)) if k > 1 or s > 1 or any(p)]
    along = _running_axis(x.type.shape, window, stride, pads, dilation)
    if along is not None:
        return node.again(RUNNING[how], x, axis=along, reverse=pads[along][1] > 0)
    is_pool = how == "max" or (how == "sum" and kind(x.type.dtype) == "float")
    if not is_pool or len(axes) not in (1, 2):
        return joined_taps(node, TAPS[how], x, window, stride, dilation, pads, fill)
    return _pooled(node, x, how, axes, window, stride, pads, dilation)


def _ends(x, pads):
    return enumerate(zip(x.type.shape, pads))


def _running_axis(sizes, window, stride, pads, dilation) -> int | None:
    """The axis along which windows are all that is on one side of an element; None where they are not."""
    axes = [a for a, k in enumerate(window) if k > 1]
    if len(axes) != 1 or {*stride, *dilation} != {1} or sum(any(pair) for pair in pads) != 1:
        return None
    (axis,) = axes
    n = sizes[axis]
    return axis if window[axis] == n and sorted(pads[axis]) == [0, n - 1] else None


def _pooled(node, x, how: str, axes, window, stride, pads, dilation):
    """Windows along one axis or two, which are made the last."""
    rest = [a for a in range(x.type.rank) if a not in axes]
    order, sizes = [*rest, *axes], [x.type.shape[a] for a in rest]
    images = (sizes[0], prod(sizes[1:])) if sizes else (1, 1)
    moved = reshaped(node, permuted(node, x, order), (*images, *(x.type.shape[a] for a in axes)))
    given = {
        "kernel_shape": [window[a] for a in axes],
        "strides": [stride[a] for a in axes],
        "pads": [*(pads[a][0] for a in axes), *(pads[a][1] for a in axes)],
        "dilations": [dilation[a] for a in axes],
    }
    if how == "max":
        found = node.as_onnx("MaxPool", moved, **given)
    else:
        mean = node.as_onnx("AveragePool", moved, count_include_pad=1, **given)
        found = node.call("mul", mean, prod(given["kernel_shape"]))
    found = reshaped(node, found, (*sizes, *found.type.shape[2:]))
    return permuted(node, found, [order.index(a) for a in range(x.type.rank)])
