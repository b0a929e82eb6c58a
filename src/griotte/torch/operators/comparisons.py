"""Comparisons and logic, and what is chosen by them."""

from __future__ import annotations

from math import inf

import numpy as np

from ...operators.array import call, kind, numpy_of, where
from ...readers.tables import OperatorTable
from .declaring import as_dtype, is_number

COMPARED = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}


def compared(node, x, y):
    """In the dtype that both have in torch."""
    called, dtype = COMPARED[node.operator.split(".")[0]], node.dtype_shared
    if dtype == "pred":
        if is_number(y):
            y = np.asarray(bool(y))
        if called in ("equal", "not_equal"):
            apart = x ^ y
            return apart if called == "not_equal" else ~apart
        dtype = "u8"
    return call(called, as_dtype(x, dtype), as_dtype(y, dtype))


def holds(x):
    """Where x is not 0."""
    return x if x.dtype == "pred" else x != 0


def logical(node, x, y):
    return call(node.operator.split(".")[0], holds(x), holds(y))


def logical_not(x):
    return ~holds(x)


def where_(node, condition, x, y):
    dtype = node.dtype_given
    one, other = (np.asarray(e, numpy_of(dtype)) if is_number(e) else e.astype(dtype) for e in (x, y))
    if dtype == "pred":
        one, other = (e.astype("u8") for e in (one, other))
    return where(holds(condition), one, other)


def masked_fill(node, x, mask, value):
    return where_(node, mask, value, x)


def isnan(x):
    return x != x


def isinf(node, x):
    if kind(x.dtype) != "float":
        return np.zeros(node.shape, bool)
    return abs(x) == inf


def isfinite(node, x):
    if kind(x.dtype) != "float":
        return np.ones(node.shape, bool)
    return abs(x) < inf


OPERATORS: OperatorTable = (
    (" ".join((f"{name}.{overload}" for name in COMPARED for overload in ("Tensor", "Scalar"))), compared),
    ("logical_and logical_or logical_xor", logical),
    ("where.self where.ScalarOther where.ScalarSelf where.Scalar", where_),
    ("masked_fill.Scalar masked_fill.Tensor", masked_fill),
    ("isinf", isinf),
    ("isfinite", isfinite),
)


FUNCTIONS: OperatorTable = (
    ("logical_not", logical_not),
    ("isnan", isnan),
)
