"""Reductions, and running sums and products."""

from __future__ import annotations

from math import inf, prod

import numpy as np

from ...operators import reducing
from ...operators.array import bits, call, exp, floor, kind, log1p, maximum, minimum, reduced, sqrt, where, wrapped
from ...operators.calls import Unsupported
from ...operators.indexing import put_along_axis
from ...operators.kinds import in_f32, placed
from ...operators.moving import moved, picked
from ...operators.reducing import cumprod, cumsum, place_of_largest, place_of_smallest
from ...readers.tables import OperatorTable
from .comparisons import holds
from .making import converted

CALLS = {"sum": "sum", "mean": "mean", "prod": "prod", "amax": "max", "amin": "min"}


def axes_of(x, dim) -> tuple[int, ...]:
    """The axes that are meant, all where none is said; none of a scalar."""
    rank = x.ndim
    given = [] if not rank else [dim] if isinstance(dim, int) else list(dim or ())
    return tuple(sorted(placed(a, rank) for a in given)) or tuple(range(rank))


def along(called: str, x, axes, keepdim: bool):
    """A reduction; of a scalar it is itself. Sums and products of narrow integers wrap."""
    if not axes:
        return x
    if called in ("sum", "prod"):
        return reduced(called, x, axis=axes, keepdims=bool(keepdim))
    return call(called, x, axis=axes, keepdims=bool(keepdim))


def reduce(node, x, dim=None, keepdim=False, dtype=None):
    called = CALLS[node.operator.split(".")[0]]
    axes = axes_of(x, dim)
    if node.dtype_given == "pred":
        found = along(called, x.astype("u8"), axes, keepdim)
        return found != 0
    if dtype is not None or kind(x.dtype) != "float":
        x = converted(x, node.dtype_given)
    return along(called, x, axes, keepdim)


def product(node, x, dim=None, keepdim=False, dtype=None):
    return along("prod", converted(x, node.dtype_given), axes_of(x, dim), keepdim)


def holding(node, x, dim=None, keepdim=False):
    called = "max" if node.operator.startswith("any") else "min"
    found = along(called, holds(x).astype("u8"), axes_of(x, dim), keepdim)
    return found != 0


def extreme(node, x):
    called = node.operator.split(".")[0]
    return along(called, x, axes_of(x, None), False)


def extreme_along(node, x, dim, keepdim=False):
    """The largest, or smallest, and where the first of them is."""
    called, axes = node.operator.split(".")[0], axes_of(x, dim)
    found = along(called, x, axes, keepdim) if 0 in node.asked else x.of(np.zeros(node.shape))
    if 1 not in node.asked:
        return [found]
    if not axes:
        return [found, np.int64(0)]
    return [found, arg_along(node, "ArgMax" if called == "max" else "ArgMin", x, axes[0], keepdim)]


def arg(node, x, dim=None, keepdim=False):
    name = "ArgMax" if node.operator.startswith("argmax") else "ArgMin"
    if dim is None:
        found = arg_along(node, name, x.reshape((x.size,)), 0, False)
        return found.reshape(node.shape)
    return arg_along(node, name, x, dim, keepdim)


def arg_along(node, name: str, x, axis: int, keepdim: bool):
    """The place of the first of the largest or smallest along an axis."""
    return (place_of_largest if name == "ArgMax" else place_of_smallest)(x, placed(axis, x.ndim), bool(keepdim))


def var(node, x, dim=None, *, correction=None, keepdim=False):
    return in_f32(_variance)(node, x, axes_of(x, dim), 1 if correction is None else correction, keepdim)


def _variance(node, x, axes, off: float, keepdim: bool):
    count = prod(x.shape[a] for a in axes)
    mean = x.mean(axis=axes, keepdims=True)
    apart = x - mean
    total = (apart * apart).sum(axis=axes, keepdims=bool(keepdim))
    if count - off <= 0:
        raise Unsupported(f"the variance of {count} elements, less {off}")
    found = total * (1 / (count - off))
    if not node.operator.startswith("var_mean"):
        return found
    return [found, mean if keepdim else mean.reshape(found.shape)]


@in_f32
def vector_norm(node, x, ord=2, dim=None, keepdim=False, dtype=None):
    return norm_along(x.astype(node.dtype_within), ord, axes_of(x, dim), keepdim)


def norm_along(x, ord: float, axes, keepdim: bool = False):
    """The norm of vectors along axes; of order 0 how many of their elements are not 0."""
    size = abs(x)
    if ord in (float("inf"), float("-inf")):
        return along("max" if ord > 0 else "min", size, axes, keepdim)
    if ord == 0:
        size = (size != 0).astype(size.dtype)
    if ord in (0, 1):
        return along("sum", size, axes, keepdim)
    if not axes:
        return size
    if ord == 2:
        return sqrt(along("sum", size * size, axes, keepdim))
    return along("sum", size ** float(ord), axes, keepdim) ** (1 / ord)


@in_f32
def dist(node, x, y, p=2):
    x, y = (each.astype(node.dtype_within) for each in (x, y))
    return norm_along(x - y, p, axes_of(x - y, None))


@in_f32
def logsumexp(node, x, dim, keepdim=False):
    return reducing.logsumexp(x, axes_of(x, dim), bool(keepdim))


def softmax(node, x, dim, half_to_float=False, dtype=None):
    x = x.astype(node.dtype_given)
    is_safe = node.operator.startswith("_safe")  # of -inf alone it gives 0
    if not x.ndim:
        one = x.number(0 if "log" in node.operator else 1)
        return where(x == -inf, x.number(0), one) if is_safe else one
    axis = placed(dim, x.ndim)
    found = call("log_softmax" if "log" in node.operator else "softmax", x, axis=axis)
    if not is_safe:
        return found
    is_none = x.max(axis=axis, keepdims=True) == -inf
    return where(is_none, found.number(0), found)


def running(node, x, dim, dtype=None):
    x = converted(x, node.dtype_given)
    if not x.ndim:
        return x
    join, dtype = cumsum if node.operator.startswith("cumsum") else cumprod, x.dtype
    is_narrow = kind(dtype) != "float" and bits(dtype) < 32
    found = join(x.astype("s32") if is_narrow else x, placed(dim, x.ndim))
    return wrapped(found, dtype) if is_narrow else found


@in_f32
def running_log(x, dim):
    """Logarithms of running sums of exponentials, in rounds, of which each doubles how many terms are joined."""
    if not x.ndim:
        return x
    axis, by = placed(dim, x.ndim), 1
    while by < x.shape[axis]:
        x, by = _log_of_both(x, moved(x, axis, by, -inf)), 2 * by
    return x


def _log_of_both(x, y):
    """log(e^x + e^y), by the larger; of equals, which may have no end, they are not subtracted."""
    most, least = maximum(x, y), minimum(x, y)
    apart = where(x == y, x.number(0), least - most)
    found = most + log1p(exp(apart))
    return where(most == -inf, most, found)


@in_f32
def histc(node, x, bins=100, min=0, max=0):
    """How many elements lie in each of equal parts of a range, to which both its ends belong; that of the elements
    where it has no length."""
    x = x.ravel()
    if min != max:
        low, high = x.number(min), x.number(max)
    else:
        low, high = (call(called, x, axis=0) for called in ("min", "max"))
        is_point = low == high
        low, high = (where(is_point, call(called, each, 1), each) for called, each in (("sub", low), ("add", high)))
    is_within = (low <= x) & (x <= high)
    part = (x - low) * bins / (high - low)
    part = where(is_within, part, part.number(0))
    at = minimum(floor(part).astype("s32"), bins - 1)
    x.room(bins)
    nothing = np.zeros(bins, x.numpy)
    return put_along_axis(x.of(nothing), at, is_within.astype(x.dtype), 0, "add")


@in_f32
def pdist(x, p=2.0):
    """Of all pairs of rows, in order."""
    x.room(x.shape[0], x.shape[0])
    both = (picked(x, 0, each) for each in np.triu_indices(x.shape[0], 1))
    return norm_along(call("sub", *both), p, (1,))


@in_f32
def cdist(x, y, p=2.0, compute_mode=None):
    one = x.reshape((*x.shape[:-1], 1, x.shape[-1]))
    other = y.reshape((*y.shape[:-2], 1, *y.shape[-2:]))
    apart = one - other
    return norm_along(apart, p, (apart.ndim - 1,))


OPERATORS: OperatorTable = (
    ("sum sum.dim_IntList mean mean.dim amax amin", reduce),
    ("prod prod.dim_int", product),
    ("any any.dim any.dims all all.dim all.dims", holding),
    ("max min", extreme),
    ("max.dim min.dim", extreme_along),
    ("argmax argmin", arg),
    ("var.correction var_mean.correction", var),
    ("linalg_vector_norm", vector_norm),
    ("dist", dist),
    ("logsumexp", logsumexp),
    ("_softmax _log_softmax softmax.int log_softmax.int _safe_softmax", softmax),
    ("cumsum cumprod", running),
    ("histc", histc),
)


FUNCTIONS: OperatorTable = (
    ("logcumsumexp", running_log),
    ("_pdist_forward", pdist),
    ("cdist_forward _cdist_forward", cdist),
)
