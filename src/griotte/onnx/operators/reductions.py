"""Reductions."""

from __future__ import annotations

from .declaring import Unsupported, operator
from .shapes import axes_of

CALLS = {"ReduceSum": "sum", "ReduceMean": "mean", "ReduceMax": "max", "ReduceMin": "min"}


@operator(*CALLS)
def reduce(node, x, axes=None):
    return reduced(node, CALLS[node.proto.op_type], x, axes)


def reduced(node, call, x, axes):
    x = node.value(x)
    found = axes_of(node, axes)
    if not found and node.attribute("noop_with_empty_axes", 0):
        return x
    axis = tuple(range(x.type.rank)) if not found else tuple(a % x.type.rank for a in found)
    if not axis:
        return x
    return node.call(call, x, axis=axis, keepdims=bool(node.attribute("keepdims", 1)))


@operator("ReduceSumSquare")
def reduce_sum_square(node, x, axes=None):
    return reduced(node, "sum", node.call("mul", x, x), axes)


@operator("ReduceL2")
def reduce_l2(node, x, axes=None):
    return node.call("sqrt", reduced(node, "sum", node.call("mul", x, x), axes))


@operator("ReduceL1")
def reduce_l1(node, x, axes=None):
    return reduced(node, "sum", node.call("abs", x), axes)


@operator("Softmax", "LogSoftmax")
def softmax(node, x):
    x = node.value(x)
    call = "softmax" if node.proto.op_type == "Softmax" else "log_softmax"
    if node.opset >= 13:
        return node.call(call, x, axis=node.attribute("axis", -1))
    axis = node.attribute("axis", 1) % x.type.rank
    return node.call(call, x, axis=axis if axis == x.type.rank - 1 else tuple(range(axis, x.type.rank)))


@operator("ArgMax")
def argmax(node, x):
    x = node.value(x)
    if node.attribute("select_last_index", 0):
        raise Unsupported("the last of equals")
    found = node.call("argmax", x, axis=node.attribute("axis", 0))
    found = node.call("cast", found, dtype="s64")
    if not node.attribute("keepdims", 1):
        return found
    from .shapes import reshaped

    axis = node.attribute("axis", 0) % x.type.rank
    return reshaped(node, found, [1 if i == axis else n for i, n in enumerate(x.type.shape)])
