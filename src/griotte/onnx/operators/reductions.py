"""Reductions, running sums, and choices along an axis."""

from __future__ import annotations

import numpy as np

from ...readers.operators.array import bits, call, exp, integer, kind, log, sqrt, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import in_f32, over_u8, placed
from ...readers.operators.moving import along, moved
from ...readers.operators.reducing import cumprod, cumsum, logsumexp, place_of_largest, place_of_smallest, top
from ...readers.tables import OperatorTable
from .shapes import axes_of

CALLS = {"ReduceSum": "sum", "ReduceMean": "mean", "ReduceMax": "max", "ReduceMin": "min", "ReduceProd": "prod"}


def reduced_axes(node, x, given) -> tuple[int, ...]:
    """The axes of x that a node reduces: those that are given, where they are an input."""
    x = x.with_elements()
    found = axes_of(given, node.attribute("axes"))
    if not found:
        return () if node.attribute("noop_with_empty_axes", 0) else tuple(range(x.ndim))
    return tuple(placed(a, x.ndim) for a in found)


@over_u8
def reduce(node, x, given=None):
    called = CALLS[node.operator]
    if called == "mean" and kind(x.dtype) != "float":
        raise Unsupported("the mean of integers")
    return reduced(node, called, x, given)


def reduced(node, called, x, given):
    axis = reduced_axes(node, x, given)
    return x if not axis else call(called, x, axis=axis, keepdims=bool(node.attribute("keepdims", 1)))


def _same(x):
    return x


BEFORE = {"ReduceSumSquare": lambda x: x * x, "ReduceL2": lambda x: x * x, "ReduceL1": abs, "ReduceLogSum": _same}
AFTER = {"ReduceL2": sqrt, "ReduceLogSum": log}


@in_f32
def reduce_composed(node, x, given=None):
    """A function of x, its sum, and a function of the sum."""
    dtype = x.dtype
    if node.operator == "ReduceL2" and kind(dtype) != "float":
        x = x.astype("f64")
    found = reduced(node, "sum", BEFORE[node.operator](x), given)
    return AFTER.get(node.operator, _same)(found).astype(dtype)


def reduce_log_sum_exp(node, x, given=None, *, keepdims=1):
    return logsumexp(x, reduced_axes(node, x, given), bool(keepdims))


def softmax(node, x, *, axis=None):
    """Until ONNX 13 over all axes from one on."""
    axis = _axis(node, x, axis)
    over = (axis,) if node.opset >= 13 else tuple(range(axis, x.ndim))
    if node.operator == "LogSoftmax":
        return call("log_softmax", x, axis=over)
    return call("softmax", x, axis=over) if bits(x.dtype) > 16 else _rounded_softmax(x, over)


def _axis(node, x, axis: int | None) -> int:
    """The axis of a softmax; by default the last, until ONNX 13 the second."""
    return placed((-1 if node.opset >= 13 else 1) if axis is None else axis, x.ndim)


def _rounded_softmax(x, axis: tuple[int, ...]):
    """Of floats of 16 bits, rounded at each step: ONNX's own tests ask for no less and no more."""
    largest = x.max(axis=axis, keepdims=True)
    grown = exp(x - largest)
    return grown / grown.sum(axis=axis, keepdims=True)


def argmax(node, x, *, axis=0, keepdims=1, select_last_index=0):
    find = place_of_largest if node.operator == "ArgMax" else place_of_smallest
    return find(x, placed(axis, x.ndim), bool(keepdims), bool(select_last_index))


def hardmax(node, x, *, axis=None):
    axis = _axis(node, x, axis)
    if node.opset < 13 and axis != x.ndim - 1:
        raise Unsupported("a largest over several axes")
    sizes = [1 if i == axis else n for i, n in enumerate(x.shape)]
    place = x.argmax(axis=axis).reshape(sizes)
    is_it = place == along(x.ndim, axis, np.arange(x.shape[axis], dtype=np.int32))
    return where(is_it, x.number(1), x.number(0))


def running(node, x, axis, *, reverse=0, exclusive=0):
    join, none = (cumsum, 0) if node.operator == "CumSum" else (cumprod, 1)
    axis, backward = placed(integer(axis, "the axis"), x.ndim), bool(reverse)
    found = join(x, axis, backward)
    return moved(found, axis, 1, none, backward) if exclusive else found


def top_k(x, count=None, *, k=None, axis=-1, largest=1):
    count = k if count is None else integer(count, "how many")
    return top(x, count, placed(axis, x.ndim), bool(largest))


OPERATORS: OperatorTable = (
    (" ".join(CALLS), reduce),
    (" ".join(BEFORE), reduce_composed),
    ("ReduceLogSumExp", reduce_log_sum_exp),
    ("Softmax LogSoftmax", softmax),
    ("ArgMax ArgMin", argmax),
    ("Hardmax", hardmax),
    ("CumSum CumProd", running),
    ("TopK", top_k),
)
