"""Reductions, running sums, and what is chosen along an axis."""

from __future__ import annotations

from math import inf

import numpy as np

from ...operators.array import array_call, bits, call, exp, kind, known, log, sqrt, where
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32, over_u8, placed
from ...operators.moving import along, moved, picked
from ...operators.numbers import reversed_order
from ...readers.tables import Table
from .shapes import axes_of

CALLS = {"ReduceSum": "sum", "ReduceMean": "mean", "ReduceMax": "max", "ReduceMin": "min", "ReduceProd": "prod"}


@over_u8
def reduce(node, x, axes=None):
    called = CALLS[node.operator]
    if called == "mean" and kind(x.dtype) != "float":
        raise Unsupported("the mean of integers")
    return reduced(node, called, x, axes)


def reduced(node, called, x, axes):
    axis = _axes(node, x, axes)
    return x if not axis else call(called, x, axis=axis, keepdims=bool(node.attribute("keepdims", 1)))


def _axes(node, x, axes) -> tuple[int, ...]:
    x = x.with_elements()
    found = axes_of(node, axes)
    if not found:
        return () if node.attribute("noop_with_empty_axes", 0) else tuple(range(x.ndim))
    return tuple(placed(a, x.ndim) for a in found)


@in_f32
def reduce_sum_square(node, x, axes=None):
    return reduced(node, "sum", x * x, axes)


@in_f32
def reduce_l2(node, x, axes=None):
    dtype = x.dtype
    x = x if kind(dtype) == "float" else x.astype("f64")
    return sqrt(reduced(node, "sum", x * x, axes)).astype(dtype)


@in_f32
def reduce_l1(node, x, axes=None):
    x = x if kind(x.dtype) == "unsigned" else abs(x)
    return reduced(node, "sum", x, axes)


@in_f32
def reduce_log_sum(node, x, axes=None):
    return log(reduced(node, "sum", x, axes))


@in_f32
def reduce_log_sum_exp(node, x, axes=None):
    """By what is beyond the largest, if that is finite."""
    axis = _axes(node, x, axes)
    if not axis:
        return x
    largest = x.max(axis=axis, keepdims=True)
    largest = where(abs(largest) < inf, largest, x.number(0))
    total = exp(x - largest).sum(axis=axis, keepdims=True)
    found = log(total) + largest
    if node.attribute("keepdims", 1):
        return found
    return found.reshape([n for i, n in enumerate(x.shape) if i not in axis])


def softmax(node, x):
    """Until ONNX 13 over all axes from one on."""
    axis = node.axis(x.ndim, -1 if node.opset >= 13 else 1)
    over = (axis,) if node.opset >= 13 else tuple(range(axis, x.ndim))
    if node.operator == "LogSoftmax":
        return call("log_softmax", x, axis=over)
    return call("softmax", x, axis=over) if bits(x.dtype) > 16 else _rounded_softmax(x, over)


def _rounded_softmax(x, axis: tuple[int, ...]):
    """Of floats of 16 bits, rounded at each step: ONNX's own tests ask for no less and no more."""
    largest = x.max(axis=axis, keepdims=True)
    grown = exp(x - largest)
    return grown / grown.sum(axis=axis, keepdims=True)


def argmax(node, x):
    axis = node.axis(x.ndim, 0)
    found = _largest(node, x, axis, node.attribute("select_last_index", 0)).astype("s64")
    if not node.attribute("keepdims", 1):
        return found
    return found.reshape([1 if i == axis else n for i, n in enumerate(x.shape)])


def _largest(node, x, axis: int, last: int):
    """The place of the largest, or smallest, along an axis, the first or the last of equals."""
    if node.operator == "ArgMin":
        x = reversed_order(x)
    size = x.shape[axis]
    if not last:
        return x.argmax(axis=axis)
    back = picked(x, axis, np.arange(size)[::-1]).argmax(axis=axis)
    return size - 1 - back


def hardmax(node, x):
    axis = node.axis(x.ndim, -1 if node.opset >= 13 else 1)
    if node.opset < 13 and axis != x.ndim - 1:
        raise Unsupported("a largest over several axes")
    sizes = [1 if i == axis else n for i, n in enumerate(x.shape)]
    place = x.argmax(axis=axis).reshape(sizes)
    is_it = place == along(x.ndim, axis, np.arange(x.shape[axis], dtype=np.int32))
    return where(is_it, x.number(1), x.number(0))


@in_f32
def running(node, x, axis):
    """In rounds, of which each doubles how many elements are joined."""
    axis = placed(int(np.asarray(known(axis, "the axis")).reshape(-1)[0]), x.ndim)
    called, none = ("add", 0) if node.operator == "CumSum" else ("mul", 1)
    size, backward = x.shape[axis], node.attribute("reverse", 0)
    by = 1
    while by < size:
        x = call(called, x, moved(x, axis, by, none, backward))
        by *= 2
    return moved(x, axis, 1, none, backward) if node.attribute("exclusive", 0) else x


def top_k(node, x, k=None):
    """One call over rows; where those have an open size, of as many at least as are wanted."""
    count = node.attribute("k") if k is None else int(np.asarray(known(k, "how many")).reshape(-1)[0])
    axis = node.axis(x.ndim, -1)
    size = x.shape[axis]
    if not 0 < count <= size:
        node.reader.least = max(node.reader.least, count)
        raise Unsupported(f"the first {count} of {size} elements")
    x.room(size)
    order = [*(a for a in range(x.ndim) if a != axis), axis]
    largest = int(bool(node.attribute("largest", 1)))
    found = in_f32(_top)(x.transpose(order), count, largest)
    return [each.transpose(np.argsort(order)) for each in found]


def _top(x, count: int, largest: int):
    return list(array_call("top", x, k=count, largest=largest))


OPERATORS: Table = (
    (" ".join(CALLS), reduce),
    ("ReduceSumSquare", reduce_sum_square),
    ("ReduceL2", reduce_l2),
    ("ReduceL1", reduce_l1),
    ("ReduceLogSum", reduce_log_sum),
    ("ReduceLogSumExp", reduce_log_sum_exp),
    ("Softmax LogSoftmax", softmax),
    ("ArgMax ArgMin", argmax),
    ("Hardmax", hardmax),
    ("CumSum CumProd", running),
    ("TopK", top_k),
)
