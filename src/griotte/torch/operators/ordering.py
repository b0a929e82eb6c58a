"""What follows from the order of elements: sorting, medians, places among sorted ones, running extremes."""

from __future__ import annotations

from math import inf, nan

import numpy as np

from ...ir.dtypes import limits
from ...readers.moving import along, flat, moved, reshaped, sliced
from .declaring import Unsupported, is_number, kind, operator, placed
from .reductions import arg_along


@operator("cummax", "cummin")
def running_extreme(node, x, dim):
    """In rounds, of which each doubles how many elements are joined; the last of equals counts, and what is no number
    comes first."""
    x = node.value(x)
    if not x.type.rank:
        return [x, np.int64(0)]
    axis, is_largest = placed(dim, x.type.rank), node.operator.startswith("cummax")
    size, dtype = x.type.shape[axis], x.type.dtype
    worst = limits(dtype)[0 if is_largest else 1] if kind(dtype) != "float" else -inf if is_largest else inf
    at = node.value(np.broadcast_to(along(x.type.rank, axis, np.arange(size, dtype=np.int32)), x.type.shape).copy())
    by = 1
    while by < size:
        before, place = moved(node, x, axis, by, worst), moved(node, at, axis, by, 0)
        stays = node.call("greater_equal" if is_largest else "less_equal", x, before)
        if kind(dtype) == "float":
            stays = node.call("logical_or", stays, node.call("not_equal", x, x))
        x, at = node.call("where", stays, x, before), node.call("where", stays, at, place)
        by *= 2
    return [x, at]


@operator("topk")
def topk(node, x, k, dim=-1, largest=True, sorted=True):
    if not node.value(x).type.rank:
        return [x, np.int64(0)]
    return node.as_onnx("TopK", x, np.array(k), axis=dim, largest=int(largest), sorted=1, outputs=2)


@operator("sort", "sort.stable")
def sort(node, x, dim=-1, descending=False, stable=None):
    return ordered(node, x, dim, descending)


def ordered(node, x, dim: int, descending: bool = False):
    """x in order along an axis, and where its elements were."""
    x = node.value(x)
    if not x.type.rank:
        return [x, np.int64(0)]
    n = x.type.shape[placed(dim, x.type.rank)]
    return node.as_onnx("TopK", x, np.array(n), axis=dim, largest=int(descending), sorted=1, outputs=2)


def nth(node, found, n, axis: int, keepdim: bool):
    """Of what is in order the values and the places that are number n of each row; n may be known or computed."""
    values, places = (node.value(each) for each in found)
    if not values.type.rank:
        return [values, places]
    if isinstance(n, int):
        both = [sliced(node, each, {axis: (n, n + 1)}) for each in (values, places)]
    else:
        both = [node.as_onnx("GatherElements", each, n, axis=axis) for each in (values, places)]
    return both if keepdim else [reshaped(node, each, node.gives[0].shape) for each in both]


@operator("kthvalue")
def kthvalue(node, x, k, dim=-1, keepdim=False):
    axis = placed(dim, max(1, node.value(x).type.rank))
    return nth(node, ordered(node, x, axis), k - 1, axis, keepdim)


@operator("median", "median.dim", "nanmedian", "nanmedian.dim")
def median(node, x, dim=None, keepdim=False):
    """The lower of the two in the middle; of what has a NaN that, unless these are left out."""
    x = node.value(x)
    is_whole = dim is None
    if is_whole:
        x, dim = flat(node, x), 0
    if not x.type.rank:
        return [x, np.int64(0)]
    axis = placed(dim, x.type.rank)
    size = x.type.shape[axis]
    if kind(x.type.dtype) != "float":
        found = nth(node, ordered(node, x, axis), (size - 1) // 2, axis, keepdim)
    else:
        is_none = node.call("not_equal", x, x)
        filled = node.call("where", is_none, node.number(inf, x), x)
        lacking = node.call("sum", node.cast(is_none, "s32"), axis=axis, keepdims=True)
        if node.operator.startswith("nan"):  # of rows without numbers the first, which is a NaN
            middle = node.call("maximum", node.call("div", node.call("sub", size - 1, lacking), 2), 0)
        else:
            middle = (size - 1) // 2
        bad = node.call("equal", lacking, size) if node.operator.startswith("nan") else node.call("greater", lacking, 0)
        values, places = nth(node, ordered(node, filled, axis), middle, axis, True)
        first = reshaped(node, arg_along(node, "ArgMax", node.cast(is_none, "s32"), axis, True), places.type.shape)
        found = [
            node.call("where", bad, node.number(nan, values), values),
            node.call("where", bad, first, node.cast(places, "s64")),
        ]
        found = [reshaped(node, each, node.shape) for each in found]
    return reshaped(node, found[0], node.shape) if is_whole else found


@operator("mode")
def mode(node, x, dim=-1, keepdim=False):
    """The least of those that are met most often, and the last place of it: each element is compared with all of its
    row."""
    x = node.value(x)
    if not x.type.rank:
        return [x, np.int64(0)]
    axis = placed(dim, x.type.rank)
    size = x.type.shape[axis]
    node.room(size, x.type.elements)
    one = reshaped(node, x, (*x.type.shape[: axis + 1], 1, *x.type.shape[axis + 1 :]))
    other = reshaped(node, x, (*x.type.shape[:axis], 1, *x.type.shape[axis:]))
    count = node.call("sum", node.cast(node.call("equal", one, other), "s32"), axis=axis + 1)
    is_most = node.call("equal", count, node.call("max", count, axis=axis, keepdims=True))
    largest = inf if kind(x.type.dtype) == "float" else limits(x.type.dtype)[1]
    values = node.call("min", node.call("where", is_most, x, node.number(largest, x)), axis=axis, keepdims=True)
    at = along(x.type.rank, axis, np.arange(size, dtype=np.int32))
    places = node.call("max", node.call("where", node.call("equal", x, values), at, -1), axis=axis, keepdims=True)
    return [reshaped(node, each, told.shape) for each, told in zip((values, places), node.gives)]


@operator("searchsorted.Tensor", "searchsorted.Scalar", "bucketize.Tensor", "bucketize.Scalar")
def searched(node, one, other, out_int32=False, right=False, side=None, sorter=None):
    """How many of the sorted elements come before each value; before a NaN do all."""
    sorted_, values = (other, one) if node.operator.startswith("bucketize") else (one, other)
    if sorter is not None:
        sorted_ = node.as_onnx("GatherElements", sorted_, sorter, axis=-1)
    sorted_ = node.value(sorted_)
    values = node.number(values, sorted_) if is_number(values) else node.value(values)
    if values.type.dtype != sorted_.type.dtype:
        raise Unsupported(f"values of {values.type.dtype} among those of {sorted_.type.dtype}")
    shape = sorted_.type.shape
    front = shape[:-1] if len(shape) > 1 else (1,) * max(0, values.type.rank - 1)
    row = reshaped(node, sorted_, (*front, 1, shape[-1]))
    each = reshaped(node, values, (*values.type.shape, 1))
    if not values.type.rank:
        row = reshaped(node, sorted_, shape)
    is_behind = node.call("greater" if right or side == "right" else "greater_equal", row, each)
    is_before = node.call("logical_not", is_behind)
    return node.call("sum", node.cast(is_before, "s32"), axis=is_before.type.rank - 1)
