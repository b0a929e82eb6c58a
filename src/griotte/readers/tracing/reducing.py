"""Functions that join or number the elements along axes; products of matrices and vectors."""

from __future__ import annotations

from math import prod

import numpy as np

from ..operators import products, reducing
from ..operators.array import call, kind, reduced, sliced
from ..operators.numbers import reversed_order
from ..operators.reducing import accumulated, summed_up
from .array import arrays_of, as_shape
from .moving import along_one, axes_of, moveaxis
from .trace import Untraceable


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


def _extreme(name: str):
    """The largest or the smallest; conditions are 0 and 1."""

    def function(a, axis=None, keepdims=False):
        if a.dtype.kind != "b":
            return _reduced(a, name, axis, keepdims)
        return _reduced(a.astype(np.uint8), name, axis, keepdims) != 0

    return function


max, min = _extreme("max"), _extreme("min")


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


def _no_nan(a, number):
    return np.where(np.isnan(a), a.dtype.type(number), a)


def nansum(a, axis=None, dtype=None, keepdims=False):
    return sum(_no_nan(a, 0), axis, dtype, keepdims)


def nanmean(a, axis=None, dtype=None, keepdims=False):
    total = nansum(a, axis, dtype, keepdims)
    return total / sum(~np.isnan(a), axis, keepdims=keepdims).astype(total.dtype)


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


def _alike(*arrays):
    """Traced arrays of one dtype."""
    found = arrays_of(*arrays)
    to = np.result_type(*(each.dtype for each in found))
    return [each.astype(to, copy=False) for each in found]


def einsum(*operands, optimize=False):
    subscripts, *arrays = operands
    if not isinstance(subscripts, str):
        raise Untraceable("expected an einsum written as text, found lists of axes; write 'ij,jk->ik'")
    given = _alike(*arrays)
    return given[0].new(products.einsum(subscripts, *(each.array for each in given)))


def tensordot(a, b, axes=2):
    x, y = _alike(a, b)
    if isinstance(axes, int):
        own, others = tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    else:
        own, others = (axes_of(each, axis) for each, axis in zip((x, y), axes))
    return x.new(products.tensordot(x.array, y.array, own, others))


def dot(a, b):
    x, y = _alike(a, b)
    return tensordot(x, y, (-1, -2 if y.ndim > 1 else -1)) if x.ndim and y.ndim else x * y


def inner(a, b):
    x, y = _alike(a, b)
    return tensordot(x, y, (-1, -1)) if x.ndim and y.ndim else x * y


def outer(a, b):
    x, y = map(np.ravel, arrays_of(a, b))
    return x[:, None] * y[None, :]


def trace(a, offset=0, axis1=0, axis2=1, dtype=None):
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


def multi_dot(arrays):
    found, *rest = arrays_of(*arrays)
    for each in rest:
        found = found @ each
    return found


def cross(a, b, axis=-1):
    x, y = (moveaxis(each, axis, -1) for each in arrays_of(a, b))
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise Untraceable("expected vectors of 3 elements, found others; write the product out")
    of = lambda i, j: x[..., i] * y[..., j] - x[..., j] * y[..., i]
    return np.stack([of(1, 2), of(2, 0), of(0, 1)], axis=axis)


def convolve(a, v, mode="full"):
    """A convolution of one row; weights run backward."""
    x, w = _alike(a, v)
    x, w = (x, w) if x.size >= w.size else (w, x)
    if kind(x.array.dtype) != "float":
        raise Untraceable(f"expected floats to be convolved, found {x.dtype}; cast them first")
    least = {"full": w.size - 1, "same": w.size // 2, "valid": 0}[mode]
    most = {"full": w.size - 1, "same": (w.size - 1) // 2, "valid": 0}[mode]
    row, weights = (each.array.reshape((1, 1, 1, each.size)) for each in (x, w[::-1]))
    found = call("conv2d", row, weights, padding=((0, 0), (least, most)))
    return x.new(found.reshape(found.shape[3:]))


def correlate(a, v, mode="valid"):
    x, w = _alike(a, v)
    if x.size < w.size:
        raise Untraceable("expected the longer array first, found the shorter; flip the result of the other order")
    return convolve(x, w[::-1], mode)


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
    ("nanmax", lambda a, axis=None, keepdims=False: max(_no_nan(a, -np.inf), axis, keepdims)),
    ("nanmin", lambda a, axis=None, keepdims=False: min(_no_nan(a, np.inf), axis, keepdims)),
    ("argmax", argmax),
    ("argmin", argmin),
    ("cumsum", cumsum),
    ("cumprod", cumprod),
    ("diff", diff),
    ("linalg.norm", norm),
    ("linalg.vector_norm", vector_norm),
    ("einsum", einsum),
    ("tensordot linalg.tensordot", tensordot),
    ("dot", dot),
    ("inner", inner),
    ("vdot", lambda a, b: dot(*map(np.ravel, arrays_of(a, b)))),
    ("outer linalg.outer", outer),
    ("linalg.matmul", lambda x1, x2, /: np.matmul(x1, x2)),
    ("trace linalg.trace", trace),
    ("linalg.multi_dot", multi_dot),
    ("cross linalg.cross", cross),
    ("convolve", convolve),
    ("correlate", correlate),
)
