"""Reductions, running sums and products; what follows from the order of elements: sorting, medians, places among sorted
ones, running extremes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, nan, prod

import numpy as np

from ...readers.operators import reducing
from ...readers.operators.array import Array, call, kind, maximum, reduced, sliced, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.indexing import take_along_axis
from ...readers.operators.kinds import in_f32, in_s32, placed
from ...readers.operators.moving import picked
from ...readers.operators.reducing import (
    cumprod,
    cumsum,
    histogram,
    logcumsumexp,
    norm,
    place_of_largest,
    place_of_smallest,
    top,
)
from ...readers.tables import OperatorTable
from .declaring import is_number
from .elementwise import converted, holds


def axes_of(x, dim) -> tuple[int, ...]:
    """The axes that are meant, all where none is said; none of a scalar."""
    rank = x.ndim
    given = [] if not rank else [dim] if isinstance(dim, int) else list(dim or ())
    return tuple(sorted(placed(a, rank) for a in given)) or tuple(range(rank))


def along(called: str, x, axes, keepdim: bool):
    """A reduction; of a scalar it is itself. Sums and products of narrow integers wrap."""
    if not axes:
        return x
    return (reduced if called in ("sum", "prod") else call)(called, x, axis=axes, keepdims=bool(keepdim))


def reduce(called: str, node, x, dim=None, keepdim=False, dtype=None):
    if node.dtype_given == "pred" and called != "prod":
        return along(called, x.astype("u8"), axes_of(x, dim), keepdim) != 0
    if called == "prod" or dtype is not None or kind(x.dtype) != "float":
        x = converted(x, node.dtype_given)
    return along(called, x, axes_of(x, dim), keepdim)


def holding(called: str, x, dim=None, keepdim=False):
    return along(called, holds(x).astype("u8"), axes_of(x, dim), keepdim) != 0


def extreme(is_largest: bool, x, dim, keepdim):
    """The largest, or smallest, and where the first of them is."""
    result = along("max" if is_largest else "min", x, axes_of(x, dim), keepdim)
    return [result, arg(is_largest, x, dim, keepdim) if x.ndim else np.int64(0)]


def arg(is_largest: bool, x, dim, keepdim):
    """The place of the first of the largest or smallest along an axis, or of all."""
    place = place_of_largest if is_largest else place_of_smallest
    if dim is None:
        return place(x.ravel(), 0).reshape([1] * x.ndim if keepdim else [])
    return place(x, placed(dim, x.ndim), bool(keepdim))


@in_f32
def var(x, dim, correction, keepdim):
    """The variance, and the mean."""
    axes, off = axes_of(x, dim), 1 if correction is None else correction
    count = prod(x.shape[a] for a in axes)
    mean = x.mean(axis=axes, keepdims=True)
    apart = x - mean
    total = (apart * apart).sum(axis=axes, keepdims=bool(keepdim))
    if count - off <= 0:
        raise Unsupported(f"the variance of {count} elements, less {off}")
    result = total * (1 / (count - off))
    return [result, mean if keepdim else mean.reshape(result.shape)]


@in_f32
def vector_norm(node, x, ord, dim, keepdim):
    return norm(x.astype(node.dtype_within), ord, axes_of(x, dim), bool(keepdim))


@in_f32
def dist(node, x, y, p):
    apart = x.astype(node.dtype_within) - y.astype(node.dtype_within)
    return norm(apart, p, axes_of(apart, None))


def softmax(called: str, node, x, dim):
    x = x.astype(node.dtype_given)
    return call(called, x, axis=placed(dim, x.ndim)) if x.ndim else x.number(float(called == "softmax"))


def running(join: Callable[..., Array], node, x, dim):
    x = converted(x, node.dtype_given)
    if not x.ndim:
        return x
    return in_s32(join)(x, placed(dim, x.ndim))


@in_f32
def histc(x, bins, min, max):
    """Within the least and the largest where min is max; a range without length is wider by 1 at both ends."""
    x = x.ravel()
    if min != max:
        return histogram(x, bins, x.number(min), x.number(max))
    low, high = x.min(0), x.max(0)
    is_point = low == high
    return histogram(x, bins, where(is_point, low - 1, low), where(is_point, high + 1, high))


@in_f32
def pdist(x, p):
    """Of all pairs of rows, in order."""
    x.reserve(x.shape[0], x.shape[0])
    one, other = (picked(x, 0, each) for each in np.triu_indices(x.shape[0], 1))
    return norm(one - other, p, (1,))


@in_f32
def cdist(x, y, p):
    apart = x.reshape((*x.shape[:-1], 1, x.shape[-1])) - y.reshape((*y.shape[:-2], 1, *y.shape[-2:]))
    return norm(apart, p, (apart.ndim - 1,))


def running_extreme(is_largest: bool, x, dim):
    return reducing.running_extreme(x, placed(dim, x.ndim), is_largest) if x.ndim else [x, np.int64(0)]


def topk(x, k, dim, largest):
    return top(x, k, dim, largest) if x.ndim else [x, np.int64(0)]


def sort(x, dim, descending):
    return topk(x, x.shape[placed(dim, x.ndim)] if x.ndim else 1, dim, descending)


def nth(node, result, n, axis: int, keepdim: bool):
    """The values and the places that are number n of each row, of rows in order; n may be known or computed."""
    if not result[0].ndim:
        return result
    if isinstance(n, int):
        both = [sliced(each, {axis: (n, n + 1)}) for each in result]
    else:
        both = [take_along_axis(each, n, axis) for each in result]
    return both if keepdim else [each.reshape(node.gives[0].shape) for each in both]


def kthvalue(node, x, k, dim, keepdim):
    axis = placed(dim, max(1, x.ndim))
    return nth(node, sort(x, axis, False), k - 1, axis, keepdim)


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
        return nth(node, sort(x, axis, False), middle, axis, keepdim)
    is_none = x != x
    filled = where(is_none, x.number(inf), x)
    lacking = is_none.astype("s32").sum(axis=axis, keepdims=True)
    if skips_nan:  # of rows without numbers the first, which is a NaN
        middle = maximum((size - 1 - lacking) / 2, 0)
    bad = lacking == size if skips_nan else lacking > 0
    values, places = nth(node, sort(filled, axis, False), middle, axis, True)
    first = place_of_largest(is_none.astype("s32"), axis, True).reshape(places.shape)
    result = where(bad, values.number(nan), values), where(bad, first, places.astype("s64"))
    return [each.reshape(node.shape) for each in result]


def mode(node, x, dim, keepdim):
    if not x.ndim:
        return [x, np.int64(0)]
    result = reducing.mode(x, placed(dim, x.ndim))
    return [each.reshape(meta.shape) for each, meta in zip(result, node.gives)]


def searchsorted(rows, values, right, side, sorter):
    if sorter is not None:
        rows = take_along_axis(rows, sorter, rows.ndim - 1)
    values = rows.number(values) if is_number(values) else values
    if values.dtype != rows.dtype:
        raise Unsupported(f"values of {values.type.dtype} among those of {rows.type.dtype}")
    return reducing.searchsorted(rows, values, right or side == "right")


OPERATORS: OperatorTable = (
    ("sum.dim_IntList", partial(reduce, "sum")),
    ("mean mean.dim", partial(reduce, "mean")),
    ("prod prod.dim_int", partial(reduce, "prod")),
    ("amax", partial(reduce, "max")),
    ("amin", partial(reduce, "min")),
    ("linalg_vector_norm", vector_norm),
    ("dist", dist),
    ("_softmax", partial(softmax, "softmax")),
    ("_log_softmax", partial(softmax, "log_softmax")),
    ("cumsum", partial(running, cumsum)),
    ("cumprod", partial(running, cumprod)),
    ("any any.dim any.dims", partial(holding, "max")),
    ("max", lambda x: along("max", x, axes_of(x, None), False)),
    ("min", lambda x: along("min", x, axes_of(x, None), False)),
    ("max.dim", partial(extreme, True)),
    ("min.dim", partial(extreme, False)),
    ("argmax", partial(arg, True)),
    ("argmin", partial(arg, False)),
    ("var.correction", lambda x, dim, correction, keepdim: var(x, dim, correction, keepdim)[0]),
    ("var_mean.correction", var),
    ("logcumsumexp", lambda x, dim: logcumsumexp(x, placed(dim, x.ndim)) if x.ndim else x),
    ("histc", histc),
    ("_pdist_forward", pdist),
    ("_cdist_forward", cdist),
    ("kthvalue", kthvalue),
    ("median median.dim", median),
    ("nanmedian nanmedian.dim", partial(median, skips_nan=True)),
    ("mode", mode),
    ("cummax", partial(running_extreme, True)),
    ("cummin", partial(running_extreme, False)),
    ("topk", topk),
    ("sort sort.stable", sort),
    ("searchsorted.Tensor searchsorted.Scalar", searchsorted),
    ("bucketize.Tensor bucketize.Scalar", lambda values, rows, right: searchsorted(rows, values, right, None, None)),
)
