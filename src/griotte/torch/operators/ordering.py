"""What follows from the order of elements: sorting, medians, places among sorted ones, running extremes."""

from __future__ import annotations

from functools import partial
from math import inf, nan

import numpy as np

from ...readers.operators import ordering
from ...readers.operators.array import kind, maximum, sliced, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.indexing import take_along_axis
from ...readers.operators.kinds import placed
from ...readers.operators.reducing import place_of_largest, top
from ...readers.tables import OperatorTable
from .declaring import is_number


def running_extreme(is_largest: bool, x, dim):
    return ordering.running_extreme(x, placed(dim, x.ndim), is_largest) if x.ndim else [x, np.int64(0)]


def topk(x, k, dim=-1, largest=True):
    return top(x, k, dim, largest) if x.ndim else [x, np.int64(0)]


def sort(x, dim=-1, descending=False):
    return topk(x, x.shape[placed(dim, x.ndim)] if x.ndim else 1, dim, descending)


def nth(node, found, n, axis: int, keepdim: bool):
    """Of what is in order the values and the places that are number n of each row; n may be known or computed."""
    if not found[0].ndim:
        return found
    if isinstance(n, int):
        both = [sliced(each, {axis: (n, n + 1)}) for each in found]
    else:
        both = [take_along_axis(each, n, axis) for each in found]
    return both if keepdim else [each.reshape(node.gives[0].shape) for each in both]


def kthvalue(node, x, k, dim=-1, keepdim=False):
    axis = placed(dim, max(1, x.ndim))
    return nth(node, sort(x, axis), k - 1, axis, keepdim)


def median(node, x, dim=None, keepdim=False, skips_nan=False):
    """The lower of the two in the middle; of what has a NaN that, unless these are left out."""
    if dim is None:
        return median(node, x.ravel(), 0, keepdim, skips_nan)[0].reshape(node.shape)
    if not x.ndim:
        return [x, np.int64(0)]
    axis = placed(dim, x.ndim)
    size = x.shape[axis]
    middle = (size - 1) // 2
    if kind(x.dtype) != "float":
        return nth(node, sort(x, axis), middle, axis, keepdim)
    is_none = x != x
    filled = where(is_none, x.number(inf), x)
    lacking = is_none.astype("s32").sum(axis=axis, keepdims=True)
    if skips_nan:  # of rows without numbers the first, which is a NaN
        middle = maximum((size - 1 - lacking) / 2, 0)
    bad = lacking == size if skips_nan else lacking > 0
    values, places = nth(node, sort(filled, axis), middle, axis, True)
    first = place_of_largest(is_none.astype("s32"), axis, True).reshape(places.shape)
    found = where(bad, values.number(nan), values), where(bad, first, places.astype("s64"))
    return [each.reshape(node.shape) for each in found]


def mode(node, x, dim=-1, keepdim=False):
    if not x.ndim:
        return [x, np.int64(0)]
    found = ordering.mode(x, placed(dim, x.ndim))
    return [each.reshape(told.shape) for each, told in zip(found, node.gives)]


def searchsorted(rows, values, right=False, side=None, sorter=None):
    if sorter is not None:
        rows = take_along_axis(rows, sorter, rows.ndim - 1)
    values = rows.number(values) if is_number(values) else values
    if values.dtype != rows.dtype:
        raise Unsupported(f"values of {values.type.dtype} among those of {rows.type.dtype}")
    return ordering.searchsorted(rows, values, right or side == "right")


OPERATORS: OperatorTable = (
    ("kthvalue", kthvalue),
    ("median median.dim", median),
    ("nanmedian nanmedian.dim", partial(median, skips_nan=True)),
    ("mode", mode),
    ("cummax", partial(running_extreme, True)),
    ("cummin", partial(running_extreme, False)),
    ("topk", topk),
    ("sort sort.stable", sort),
    ("searchsorted.Tensor searchsorted.Scalar", searchsorted),
    ("bucketize.Tensor bucketize.Scalar", lambda values, rows, right: searchsorted(rows, values, right)),
)
