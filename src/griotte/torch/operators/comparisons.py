"""Comparisons and logic, and what is chosen by them."""

from __future__ import annotations

from math import inf

import numpy as np

from .declaring import as_dtype, is_number, kind, operator

COMPARED = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}


@operator(*(f"{name}.{overload}" for name in COMPARED for overload in ("Tensor", "Scalar")))
def compared(node, x, y):
    """In the dtype that both have in torch."""
    call, dtype = COMPARED[node.operator.split(".")[0]], node.dtype_shared
    if dtype == "pred":
        if is_number(y):
            y = np.asarray(bool(y))
        if call in ("equal", "not_equal"):
            apart = node.call("logical_xor", x, y)
            return apart if call == "not_equal" else node.call("logical_not", apart)
        dtype = "u8"
    return node.call(call, as_dtype(node, x, dtype), as_dtype(node, y, dtype))


def holds(node, x):
    """Where x is not 0."""
    return node.value(x) if node.dtype(x) == "pred" else node.call("not_equal", x, 0)


@operator("logical_and", "logical_or", "logical_xor")
def logical(node, x, y):
    return node.call(node.operator.split(".")[0], holds(node, x), holds(node, y))


@operator("logical_not")
def logical_not(node, x):
    return node.call("logical_not", holds(node, x))


@operator("where.self", "where.ScalarOther", "where.ScalarSelf", "where.Scalar")
def where(node, condition, x, y):
    dtype = node.dtype_given
    one, other = (np.asarray(e, node.numpy(dtype)) if is_number(e) else node.cast(e, dtype) for e in (x, y))
    if dtype == "pred":
        one, other = (node.cast(e, "u8") for e in (one, other))
    return node.call("where", holds(node, condition), one, other)


@operator("masked_fill.Scalar", "masked_fill.Tensor")
def masked_fill(node, x, mask, value):
    return where(node, mask, value, x)


@operator("isnan")
def isnan(node, x):
    return node.call("not_equal", x, x)


@operator("isinf")
def isinf(node, x):
    if kind(node.dtype(x)) != "float":
        return np.zeros(node.shape, bool)
    return node.call("equal", node.call("abs", x), inf)


@operator("isfinite")
def isfinite(node, x):
    if kind(node.dtype(x)) != "float":
        return np.ones(node.shape, bool)
    return node.call("less", node.call("abs", x), inf)
