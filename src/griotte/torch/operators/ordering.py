"""What follows from the order of elements: sorting, medians, places among sorted ones, running extremes."""

from __future__ import annotations

from math import inf, nan

import numpy as np

from ...ir.dtypes import limits
from ...operators.array import call, kind, maximum, sliced, where
from ...operators.calls import Unsupported
from ...operators.indexing import take_along_axis
from ...operators.kinds import placed
from ...operators.moving import along, moved
from ...operators.reducing import top
from ...readers.tables import OperatorTable
from .declaring import is_number
from .reductions import arg_along


def running_extreme(node, x, dim):
    """In rounds, of which each doubles how many elements are joined; the last of equals counts, and what is no number
    comes first."""
    if not x.ndim:
        return [x, np.int64(0)]
    axis, is_largest = placed(dim, x.ndim), node.operator.startswith("cummax")
    size, dtype = x.shape[axis], x.dtype
    worst = limits(dtype)[0 if is_largest else 1] if kind(dtype) != "float" else -inf if is_largest else inf
    at = x.of(np.broadcast_to(along(x.ndim, axis, np.arange(size, dtype=np.int32)), x.shape).copy())
    by = 1
    while by < size:
        before, place = moved(x, axis, by, worst), moved(at, axis, by, 0)
        stays = call("greater_equal" if is_largest else "less_equal", x, before)
        if kind(dtype) == "float":
            stays = stays | (x != x)
        x, at = where(stays, x, before), where(stays, at, place)
        by *= 2
    return [x, at]


def topk(node, x, k, dim=-1, largest=True, sorted=True):
    if not x.ndim:
        return [x, np.int64(0)]
    return top(x, k, dim, largest)


def sort(node, x, dim=-1, descending=False, stable=None):
    return ordered(node, x, dim, descending)


def ordered(node, x, dim: int, descending: bool = False):
    """x in order along an axis, and where its elements were."""
    if not x.ndim:
        return [x, np.int64(0)]
    n = x.shape[placed(dim, x.ndim)]
    return top(x, n, dim, descending)


def nth(node, found, n, axis: int, keepdim: bool):
    """Of what is in order the values and the places that are number n of each row; n may be known or computed."""
    values, places = (each for each in found)
    if not values.ndim:
        return [values, places]
    if isinstance(n, int):
        both = [sliced(each, {axis: (n, n + 1)}) for each in (values, places)]
    else:
        both = [take_along_axis(each, n, axis) for each in (values, places)]
    return both if keepdim else [each.reshape(node.gives[0].shape) for each in both]


def kthvalue(node, x, k, dim=-1, keepdim=False):
    axis = placed(dim, max(1, x.ndim))
    return nth(node, ordered(node, x, axis), k - 1, axis, keepdim)


def median(node, x, dim=None, keepdim=False):
    """The lower of the two in the middle; of what has a NaN that, unless these are left out."""
    is_whole = dim is None
    if is_whole:
        x, dim = x.ravel(), 0
    if not x.ndim:
        return [x, np.int64(0)]
    axis = placed(dim, x.ndim)
    size = x.shape[axis]
    if kind(x.dtype) != "float":
        found = nth(node, ordered(node, x, axis), (size - 1) // 2, axis, keepdim)
    else:
        is_none = x != x
        filled = where(is_none, x.number(inf), x)
        lacking = is_none.astype("s32").sum(axis=axis, keepdims=True)
        if node.operator.startswith("nan"):  # of rows without numbers the first, which is a NaN
            middle = maximum((size - 1 - lacking) / 2, 0)
        else:
            middle = (size - 1) // 2
        bad = lacking == size if node.operator.startswith("nan") else lacking > 0
        values, places = nth(node, ordered(node, filled, axis), middle, axis, True)
        first = arg_along(node, "ArgMax", is_none.astype("s32"), axis, True).reshape(places.shape)
        found = [
            where(bad, values.number(nan), values),
            where(bad, first, places.astype("s64")),
        ]
        found = [each.reshape(node.shape) for each in found]
    return found[0].reshape(node.shape) if is_whole else found


def mode(node, x, dim=-1, keepdim=False):
    """The least of those that are met most often, and the last place of it: each element is compared with all of its
    row."""
    if not x.ndim:
        return [x, np.int64(0)]
    axis = placed(dim, x.ndim)
    size = x.shape[axis]
    x.room(size, x.size)
    one = x.reshape((*x.shape[: axis + 1], 1, *x.shape[axis + 1 :]))
    other = x.reshape((*x.shape[:axis], 1, *x.shape[axis:]))
    count = (one == other).astype("s32").sum(axis=axis + 1)
    is_most = count == count.max(axis=axis, keepdims=True)
    largest = inf if kind(x.dtype) == "float" else limits(x.dtype)[1]
    values = where(is_most, x, x.number(largest)).min(axis=axis, keepdims=True)
    at = along(x.ndim, axis, np.arange(size, dtype=np.int32))
    places = where(x == values, at, -1).max(axis=axis, keepdims=True)
    return [each.reshape(told.shape) for each, told in zip((values, places), node.gives)]


def searched(node, one, other, out_int32=False, right=False, side=None, sorter=None):
    """How many of the sorted elements come before each value; before a NaN do all."""
    sorted_, values = (other, one) if node.operator.startswith("bucketize") else (one, other)
    if sorter is not None:
        sorted_ = take_along_axis(sorted_, sorter, sorted_.ndim - 1)
    values = sorted_.number(values) if is_number(values) else values
    if values.dtype != sorted_.dtype:
        raise Unsupported(f"values of {values.type.dtype} among those of {sorted_.type.dtype}")
    shape = sorted_.shape
    front = shape[:-1] if len(shape) > 1 else (1,) * max(0, values.ndim - 1)
    row = sorted_.reshape((*front, 1, shape[-1]))
    each = values.reshape((*values.shape, 1))
    if not values.ndim:
        row = sorted_.reshape(shape)
    is_behind = call("greater" if right or side == "right" else "greater_equal", row, each)
    is_before = ~is_behind
    return is_before.astype("s32").sum(axis=is_before.ndim - 1)


OPERATORS: OperatorTable = (
    ("cummax cummin", running_extreme),
    ("topk", topk),
    ("sort sort.stable", sort),
    ("kthvalue", kthvalue),
    ("median median.dim nanmedian nanmedian.dim", median),
    ("mode", mode),
    ("searchsorted.Tensor searchsorted.Scalar bucketize.Tensor bucketize.Scalar", searched),
)
