"""Functions that join or number the elements along axes."""

from __future__ import annotations

from math import prod

import numpy as np

from ..operators import reducing
from ..operators.array import call, kind, reduced, sliced
from ..operators.numbers import reversed_order
from ..operators.reducing import accumulated, summed_up
from .array import arrays_of, as_shape
from .moving import along_one, axes_of
from .refusing import Untraceable


def _reduced(x, name: str, axis, keepdims):
    axes = axes_of(x, axis)
    if not axes:
        return x.copy()
    return x.new(reduced(name, x.array, axis=axes, keepdims=bool(keepdims)))


def _wide(x, dtype):
    """As what NumPy sums in: integers have 64 bits."""
    if dtype is None and x.dtype.kind in "biu":
        dtype = np.result_type(np.uint64 if x.dtype.kind == "u" else np.int64, x.dtype)
    return x if dtype is None else x.astype(dtype, copy=False)


def sum(a, axis=None, dtype=None, keepdims=False):
    return _reduced(_wide(a, dtype), "sum", axis, keepdims)


def max(a, axis=None, keepdims=False):
    return _of_numbers(a, "max", axis, keepdims)


def min(a, axis=None, keepdims=False):
    return _of_numbers(a, "min", axis, keepdims)


def _of_numbers(x, name: str, axis, keepdims):
    """Conditions are 0 and 1."""
    if x.dtype.kind != "b":
        return _reduced(x, name, axis, keepdims)
    return _reduced(x.astype(np.uint8), name, axis, keepdims) != 0


def mean(a, axis=None, dtype=None, keepdims=False):
    dtype = np.float64 if dtype is None and a.dtype.kind in "biu" else dtype
    return _reduced(a if dtype is None else a.astype(dtype, copy=False), "mean", axis, keepdims)


def average(a, axis=None, weights=None, *, keepdims=False):
    if weights is None:
        return mean(a, axis, keepdims=keepdims)
    x, w = arrays_of(a, weights)
    if w.ndim != x.ndim:
        (along,) = axes_of(x, axis)
        size = -1 if w.ndim > 1 else w.size
        w = as_shape(w, [size if n == along else 1 for n in range(x.ndim)])
    w = np.broadcast_to(w, x.shape)
    return np.sum(x * w, axis=axis, keepdims=keepdims) / np.sum(w, axis=axis, keepdims=keepdims)


def var(a, axis=None, dtype=None, *, ddof=0, keepdims=False, correction=None):
    """The mean of squares off the mean."""
    if a.dtype.kind in "biu" or dtype is not None:
        a = a.astype(np.float64 if dtype is None else dtype, copy=False)
    off = a - mean(a, axis, keepdims=True)
    count = prod(a.shape[n] for n in axes_of(a, axis))
    return sum(off * off, axis, keepdims=keepdims) / (count - (ddof if correction is None else correction))


def std(a, axis=None, dtype=None, *, ddof=0, keepdims=False, correction=None):
    return np.sqrt(var(a, axis, dtype, ddof=ddof, keepdims=keepdims, correction=correction))


def nansum(a, axis=None, dtype=None, keepdims=False):
    return sum(np.where(np.isnan(a), a.dtype.type(0), a), axis, dtype, keepdims)


def nanmean(a, axis=None, dtype=None, keepdims=False):
    total = nansum(a, axis, dtype, keepdims)
    return total / sum(~np.isnan(a), axis, keepdims=keepdims).astype(total.dtype)


def nanmax(a, axis=None, keepdims=False):
    return max(np.where(np.isnan(a), a.dtype.type(-np.inf), a), axis, keepdims)


def nanmin(a, axis=None, keepdims=False):
    return min(np.where(np.isnan(a), a.dtype.type(np.inf), a), axis, keepdims)


def argmax(a, axis=None, *, keepdims=False):
    """Where the first of the largest is, or the first NaN."""
    x = a.astype(np.uint8) if a.dtype.kind == "b" else a
    axes = axes_of(x, axis)
    if not axes:
        return x.new(np.int64(0))
    found = x.new(call("argmax", x.array, axis=axes[0] if len(axes) == 1 else axes)).astype(np.int64)
    return as_shape(found, [1 if n in axes else size for n, size in enumerate(x.shape)]) if keepdims else found


def argmin(a, axis=None, *, keepdims=False):
    x = a.astype(np.uint8) if a.dtype.kind == "b" else a
    return argmax(x.new(reversed_order(x.array)), axis, keepdims=keepdims)


def cumsum(a, axis=None, dtype=None):
    x, along = along_one(_wide(a, dtype), axis)
    return x.new(summed_up(x.array, along))


def cumprod(a, axis=None, dtype=None):
    x, along = along_one(_wide(a, dtype), axis)
    return x.new(accumulated(x.array, along, lambda one, other: one * other, 1))


def diff(a, n=1, axis=-1):
    (along,) = axes_of(a, axis)
    for _ in range(n):
        size = a.shape[along]
        late, early = (a.new(sliced(a.array, {along: part})) for part in ((1, size), (0, size - 1)))
        a = late != early if a.dtype.kind == "b" else late - early
    return a


def norm(x, ord=None, axis=None, keepdims=False):
    """Of vectors, and of matrices by their elements."""
    x = x if kind(x.array.dtype) == "float" else x.astype(np.float64)
    if axis is None and ord is None:
        found = np.sqrt(sum(x * x))
        return as_shape(found, (1,) * x.ndim) if keepdims else found
    axes = axes_of(x, axis)
    if len(axes) == 2 and ord in ("fro", None):
        ord = 2
    elif len(axes) != 1:
        raise Untraceable(
            f"expected a norm of vectors or the Frobenius norm, found ord={ord!r} of matrices; compute it before"
        )
    return vector_norm(x, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    x = x if kind(x.array.dtype) == "float" else x.astype(np.float64)
    return x.new(reducing.norm(x.array, ord, axes_of(x, axis), bool(keepdims)))


FUNCTIONS = (
    ("sum", sum),
    ("prod", lambda a, axis=None, dtype=None, keepdims=False: _reduced(_wide(a, dtype), "prod", axis, keepdims)),
    ("max amax", max),
    ("min amin", min),
    ("all", lambda a, axis=None, keepdims=False: min(a.astype(bool), axis, keepdims)),
    ("any", lambda a, axis=None, keepdims=False: max(a.astype(bool), axis, keepdims)),
    ("count_nonzero", lambda a, axis=None, keepdims=False: sum(a.astype(bool), axis, keepdims=keepdims)),
    ("mean", mean),
    ("average", average),
    ("var", var),
    ("std", std),
    ("ptp", lambda a, axis=None, keepdims=False: max(a, axis, keepdims) - min(a, axis, keepdims)),
    ("nansum", nansum),
    ("nanmean", nanmean),
    ("nanmax", nanmax),
    ("nanmin", nanmin),
    ("argmax", argmax),
    ("argmin", argmin),
    ("cumsum", cumsum),
    ("cumprod", cumprod),
    ("diff", diff),
    ("linalg.norm", norm),
    ("linalg.vector_norm", vector_norm),
)
