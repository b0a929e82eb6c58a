"""Reductions, running sums, and what is chosen along an axis."""

from __future__ import annotations

from math import inf

import numpy as np

from ...readers.kinds import bits, in_f32, kind, over_u8, placed
from ...readers.moving import along, moved, permuted, picked, reshaped
from ...readers.node import Unsupported
from ...readers.numbers import reversed_order
from .declaring import operator
from .shapes import axes_of

CALLS = {"ReduceSum": "sum", "ReduceMean": "mean", "ReduceMax": "max", "ReduceMin": "min", "ReduceProd": "prod"}


@operator(*CALLS)
@over_u8
def reduce(node, x, axes=None):
    call = CALLS[node.proto.op_type]
    if call == "mean" and kind(node.dtype(x)) != "float":
        raise Unsupported("the mean of integers")
    return reduced(node, call, x, axes)


def reduced(node, call, x, axes):
    x = node.value(x)
    axis = _axes(node, x, axes)
    return x if not axis else node.call(call, x, axis=axis, keepdims=bool(node.attribute("keepdims", 1)))


def _axes(node, x, axes) -> tuple[int, ...]:
    found = axes_of(node, axes)
    if not found:
        return () if node.attribute("noop_with_empty_axes", 0) else tuple(range(x.type.rank))
    return tuple(placed(a, x.type.rank) for a in found)


@operator("ReduceSumSquare")
@in_f32
def reduce_sum_square(node, x, axes=None):
    return reduced(node, "sum", node.call("mul", x, x), axes)


@operator("ReduceL2")
@in_f32
def reduce_l2(node, x, axes=None):
    dtype = node.dtype(x)
    x = x if kind(dtype) == "float" else node.cast(x, "f64")
    return node.cast(node.call("sqrt", reduced(node, "sum", node.call("mul", x, x), axes)), dtype)


@operator("ReduceL1")
@in_f32
def reduce_l1(node, x, axes=None):
    x = x if kind(node.dtype(x)) == "unsigned" else node.call("abs", x)
    return reduced(node, "sum", x, axes)


@operator("ReduceLogSum")
@in_f32
def reduce_log_sum(node, x, axes=None):
    return node.call("log", reduced(node, "sum", x, axes))


@operator("ReduceLogSumExp")
@in_f32
def reduce_log_sum_exp(node, x, axes=None):
    """By what is beyond the largest, if that is finite."""
    x = node.value(x)
    axis = _axes(node, x, axes)
    if not axis:
        return x
    largest = node.call("max", x, axis=axis, keepdims=True)
    largest = node.call("where", node.call("less", node.call("abs", largest), inf), largest, node.number(0, x))
    total = node.call("sum", node.call("exp", node.call("sub", x, largest)), axis=axis, keepdims=True)
    found = node.call("add", node.call("log", total), largest)
    if node.attribute("keepdims", 1):
        return found
    return reshaped(node, found, [n for i, n in enumerate(x.type.shape) if i not in axis])


@operator("Softmax", "LogSoftmax")
def softmax(node, x):
    """Until ONNX 13 over all axes from one on."""
    x = node.value(x)
    axis = node.axis(x.type.rank, -1 if node.opset >= 13 else 1)
    over = (axis,) if node.opset >= 13 else tuple(range(axis, x.type.rank))
    if node.proto.op_type == "LogSoftmax":
        return node.call("log_softmax", x, axis=over)
    return node.call("softmax", x, axis=over) if bits(x.type.dtype) > 16 else _rounded_softmax(node, x, over)


def _rounded_softmax(node, x, axis: tuple[int, ...]):
    """Of floats of 16 bits, rounded at each step: ONNX's own tests ask for no less and no more."""
    largest = node.call("max", x, axis=axis, keepdims=True)
    grown = node.call("exp", node.call("sub", x, largest))
    return node.call("div", grown, node.call("sum", grown, axis=axis, keepdims=True))


@operator("ArgMax", "ArgMin")
def argmax(node, x):
    x = node.value(x)
    axis = node.axis(x.type.rank, 0)
    found = node.call("cast", _largest(node, x, axis, node.attribute("select_last_index", 0)), dtype="s64")
    if not node.attribute("keepdims", 1):
        return found
    return reshaped(node, found, [1 if i == axis else n for i, n in enumerate(x.type.shape)])


def _largest(node, x, axis: int, last: int):
    """The place of the largest, or smallest, along an axis, the first or the last of equals."""
    if node.proto.op_type == "ArgMin":
        x = reversed_order(node, x)
    size = x.type.shape[axis]
    if not last:
        return node.call("argmax", x, axis=axis)
    back = node.call("argmax", picked(node, x, axis, np.arange(size)[::-1]), axis=axis)
    return node.call("sub", size - 1, back)


@operator("Hardmax")
def hardmax(node, x):
    x = node.value(x)
    axis = node.axis(x.type.rank, -1 if node.opset >= 13 else 1)
    if node.opset < 13 and axis != x.type.rank - 1:
        raise Unsupported("a largest over several axes")
    sizes = [1 if i == axis else n for i, n in enumerate(x.type.shape)]
    place = reshaped(node, node.call("argmax", x, axis=axis), sizes)
    is_it = node.call("equal", place, along(x.type.rank, axis, np.arange(x.type.shape[axis], dtype=np.int32)))
    return node.call("where", is_it, node.number(1, x), node.number(0, x))


@operator("CumSum", "CumProd")
@in_f32
def running(node, x, axis):
    """In rounds, of which each doubles how many elements are joined."""
    x = node.value(x)
    axis = placed(int(np.asarray(node.known(axis, "the axis")).reshape(-1)[0]), x.type.rank)
    call, none = ("add", 0) if node.proto.op_type == "CumSum" else ("mul", 1)
    size, backward = x.type.shape[axis], node.attribute("reverse", 0)
    by = 1
    while by < size:
        x = node.call(call, x, moved(node, x, axis, by, none, backward))
        by *= 2
    return moved(node, x, axis, 1, none, backward) if node.attribute("exclusive", 0) else x


@operator("TopK")
def top_k(node, x, k=None):
    """One call over rows; where those have an open size, of as many at least as are wanted."""
    x = node.value(x)
    count = node.attribute("k") if k is None else int(np.asarray(node.known(k, "how many")).reshape(-1)[0])
    axis = node.axis(x.type.rank, -1)
    size = x.type.shape[axis]
    if not 0 < count <= size:
        node.reader.least = max(node.reader.least, count)
        raise Unsupported(f"the first {count} of {size} elements")
    node.room(size)
    order = [*(a for a in range(x.type.rank) if a != axis), axis]
    largest = int(bool(node.attribute("largest", 1)))
    found = in_f32(_top)(node, permuted(node, x, order), count, largest)
    return [permuted(node, each, np.argsort(order)) for each in found]


def _top(node, x, count: int, largest: int):
    return list(node.array_call("top", x, k=count, largest=largest))
