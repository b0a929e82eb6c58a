"""Reductions, running sums, and what is chosen along an axis."""

from __future__ import annotations

import numpy as np

from ...readers.operators.array import bits, call, exp, kind, known, log, sqrt, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import in_f32, over_u8, placed
from ...readers.operators.moving import along, moved
from ...readers.operators.reducing import cumprod, cumsum, logsumexp, place_of_largest, place_of_smallest, top
from ...readers.tables import OperatorTable
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


def _same(x):
    return x


BEFORE = {"ReduceSumSquare": lambda x: x * x, "ReduceL2": lambda x: x * x, "ReduceL1": abs, "ReduceLogSum": _same}
AFTER = {"ReduceL2": sqrt, "ReduceLogSum": log}


@in_f32
def reduce_composed(node, x, axes=None):
    """A sum of what is made of x, and what is made of it."""
    dtype = x.dtype
    if node.operator == "ReduceL2" and kind(dtype) != "float":
        x = x.astype("f64")
    found = reduced(node, "sum", BEFORE[node.operator](x), axes)
    return AFTER.get(node.operator, _same)(found).astype(dtype)


def reduce_log_sum_exp(node, x, axes=None):
    return logsumexp(x, _axes(node, x, axes), bool(node.attribute("keepdims", 1)))


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
    find = place_of_largest if node.operator == "ArgMax" else place_of_smallest
    how = bool(node.attribute("keepdims", 1)), bool(node.attribute("select_last_index", 0))
    return find(x, node.axis(x.ndim, 0), *how)


def hardmax(node, x):
    axis = node.axis(x.ndim, -1 if node.opset >= 13 else 1)
    if node.opset < 13 and axis != x.ndim - 1:
        raise Unsupported("a largest over several axes")
    sizes = [1 if i == axis else n for i, n in enumerate(x.shape)]
    place = x.argmax(axis=axis).reshape(sizes)
    is_it = place == along(x.ndim, axis, np.arange(x.shape[axis], dtype=np.int32))
    return where(is_it, x.number(1), x.number(0))


def running(node, x, axis):
    join, none = (cumsum, 0) if node.operator == "CumSum" else (cumprod, 1)
    axis, backward = placed(int(known(axis, "the axis").reshape(-1)[0]), x.ndim), bool(node.attribute("reverse", 0))
    found = join(x, axis, backward)
    return moved(found, axis, 1, none, backward) if node.attribute("exclusive", 0) else found


def top_k(node, x, k=None):
    count = node.attribute("k") if k is None else int(known(k, "how many").reshape(-1)[0])
    return top(x, count, node.axis(x.ndim, -1), bool(node.attribute("largest", 1)))


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
