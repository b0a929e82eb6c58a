"""Functions that join or number the elements along axes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..operators.kinds import bits, kind
from .declaring import Untraceable, function
from .library import over_s32, padded, reshaped, reversed_order, sliced, wrapped
from .traced import Trace, TracedArray, as_shape

AxisLike = int | Sequence[int] | None
AT_ONCE = 64  # elements of which each sum that runs is a sum by itself
BLOCK = 32


def axes_of(x: Any, axis: AxisLike) -> tuple[int, ...]:
    """The axes that are meant; AxisError, as NumPy has it, where there is none."""
    if axis is None:
        return tuple(range(x.ndim))
    return tuple(np.lib.array_utils.normalize_axis_tuple(axis, x.ndim))


def _reduced(x: TracedArray, call: str, axis: AxisLike, keepdims: bool) -> TracedArray:
    axes = axes_of(x, axis)
    if not axes:
        return x.new(x.value)
    join = over_s32 if call in ("sum", "prod") else type(x.tracing).call
    return x.new(join(x.tracing, call, x.value, axis=axes, keepdims=bool(keepdims)))


def _wide(x: TracedArray, dtype: Any) -> TracedArray:
    """As what NumPy sums in: integers have 64 bits."""
    if dtype is None and x.dtype.kind in "biu":
        dtype = np.uint64 if x.dtype.kind == "u" else np.int64
        dtype = np.result_type(dtype, x.dtype)
    return x if dtype is None else x.astype(dtype, copy=False)


@function("sum", method="sum")
def sum(trace: Trace, a: Any, axis: AxisLike = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _reduced(_wide(trace.array(a), dtype), "sum", axis, keepdims)


@function("prod", method="prod")
def product(trace: Trace, a: Any, axis: AxisLike = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _reduced(_wide(trace.array(a), dtype), "prod", axis, keepdims)


@function("max", "amax", method="max")
def largest(trace: Trace, a: Any, axis: AxisLike = None, keepdims: bool = False) -> Any:
    return _of_numbers(trace.array(a), "max", axis, keepdims)


@function("min", "amin", method="min")
def least(trace: Trace, a: Any, axis: AxisLike = None, keepdims: bool = False) -> Any:
    return _of_numbers(trace.array(a), "min", axis, keepdims)


def _of_numbers(x: TracedArray, call: str, axis: AxisLike, keepdims: bool) -> Any:
    """Conditions are 0 and 1."""
    if x.dtype.kind != "b":
        return _reduced(x, call, axis, keepdims)
    return _reduced(x.astype(np.uint8), call, axis, keepdims) != 0


@function("all", method="all")
def every(trace: Trace, a: Any, axis: AxisLike = None, keepdims: bool = False) -> Any:
    return _of_numbers(trace.array(a).astype(bool), "min", axis, keepdims)


@function("any", method="any")
def some(trace: Trace, a: Any, axis: AxisLike = None, keepdims: bool = False) -> Any:
    return _of_numbers(trace.array(a).astype(bool), "max", axis, keepdims)


@function("count_nonzero")
def count_nonzero(trace: Trace, a: Any, axis: AxisLike = None, keepdims: bool = False) -> Any:
    return np.sum(trace.array(a).astype(bool), axis=axis, keepdims=keepdims)


def _count(x: Any, axis: AxisLike) -> int:
    return prod(x.shape[a] for a in axes_of(x, axis))


@function("mean", method="mean")
def mean(trace: Trace, a: Any, axis: AxisLike = None, dtype: Any = None, keepdims: bool = False) -> Any:
    x = trace.array(a)
    if dtype is None and x.dtype.kind in "biu":
        dtype = np.float64
    x = x if dtype is None else x.astype(dtype, copy=False)
    return _reduced(x, "mean", axis, keepdims)


@function("average")
def average(trace: Trace, a: Any, axis: AxisLike = None, weights: Any = None, *, keepdims: bool = False) -> Any:
    x = trace.array(a)
    if weights is None:
        return np.mean(x, axis=axis, keepdims=keepdims)
    w = trace.array(weights)
    if w.ndim != x.ndim:
        (along,) = axes_of(x, axis)
        w = as_shape(w, [-1 if a == along else 1 for a in range(x.ndim)] if w.ndim > 1 else _along(x, along, w.size))
    w = np.broadcast_to(w, x.shape)
    return np.sum(x * w, axis=axis, keepdims=keepdims) / np.sum(w, axis=axis, keepdims=keepdims)


def _along(x: Any, axis: int, size: int) -> list[int]:
    return [size if a == axis else 1 for a in range(x.ndim)]


@function("var", method="var")
def var(
    trace: Trace,
    a: Any,
    axis: AxisLike = None,
    dtype: Any = None,
    *,
    ddof: float = 0,
    keepdims: bool = False,
    correction: float | None = None,
) -> Any:
    """The mean of squares off the mean."""
    x = trace.array(a)
    if x.dtype.kind in "biu" or dtype is not None:
        x = x.astype(np.float64 if dtype is None else dtype, copy=False)
    off: Any = x - mean(trace, x, axis, keepdims=True)
    return np.sum(off * off, axis=axis, keepdims=keepdims) / (
        _count(x, axis) - (ddof if correction is None else correction)
    )


@function("std", method="std")
def std(
    trace: Trace,
    a: Any,
    axis: AxisLike = None,
    dtype: Any = None,
    *,
    ddof: float = 0,
    keepdims: bool = False,
    correction: float | None = None,
) -> Any:
    return np.sqrt(var(trace, a, axis, dtype, ddof=ddof, keepdims=keepdims, correction=correction))


@function("ptp")
def ptp(trace: Trace, a: Any, axis: AxisLike = None, keepdims: bool = False) -> Any:
    return largest(trace, a, axis, keepdims) - least(trace, a, axis, keepdims)


@function("nansum")
def nansum(trace: Trace, a: Any, axis: AxisLike = None, dtype: Any = None, keepdims: bool = False) -> Any:
    x: Any = trace.array(a)
    return sum(trace, np.where(np.isnan(x), x.dtype.type(0), x), axis, dtype, keepdims)


@function("nanmean")
def nanmean(trace: Trace, a: Any, axis: AxisLike = None, dtype: Any = None, keepdims: bool = False) -> Any:
    x: Any = trace.array(a)
    total = nansum(trace, x, axis, dtype, keepdims)
    return total / np.sum(~np.isnan(x), axis=axis, keepdims=keepdims).astype(total.dtype)


@function("nanmax")
def nanmax(trace: Trace, a: Any, axis: AxisLike = None, keepdims: bool = False) -> Any:
    x: Any = trace.array(a)
    return largest(trace, np.where(np.isnan(x), x.dtype.type(-np.inf), x), axis, keepdims)


@function("nanmin")
def nanmin(trace: Trace, a: Any, axis: AxisLike = None, keepdims: bool = False) -> Any:
    x: Any = trace.array(a)
    return least(trace, np.where(np.isnan(x), x.dtype.type(np.inf), x), axis, keepdims)


@function("argmax", method="argmax")
def argmax(trace: Trace, a: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    return _place(trace.array(a), axis, keepdims)


@function("argmin", method="argmin")
def argmin(trace: Trace, a: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    x = trace.array(a)
    x = x.astype(np.uint8) if x.dtype.kind == "b" else x
    return _place(x.new(trace.value(reversed_order(trace, x.value))), axis, keepdims)


def _place(x: TracedArray, axis: int | None, keepdims: bool) -> Any:
    """Where the first of the largest is, or the first NaN."""
    x = x.astype(np.uint8) if x.dtype.kind == "b" else x
    axes = axes_of(x, axis)
    if not axes:
        return x.new(x.tracing.value(np.int64(0)))
    given: Any = axes[0] if len(axes) == 1 else axes
    found = x.new(x.tracing.call("argmax", x.value, axis=given)).astype(np.int64)
    return as_shape(found, [1 if a in axes else n for a, n in enumerate(x.shape)]) if keepdims else found


@function("cumsum", method="cumsum")
def cumsum(trace: Trace, a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """Sums within blocks, and of the blocks before each."""
    x = _wide(trace.array(a), dtype)
    if axis is None:
        x, axis = as_shape(x, (x.size,)), 0
    (along,) = axes_of(x, axis)
    return x.new(_run(trace, x.value, along))


def _run(trace: Trace, x: Any, axis: int) -> Any:
    shape, size = x.type.shape, x.type.shape[axis]
    dtype = x.type.dtype
    if kind(dtype) != "float" and bits(dtype) < 32:
        return wrapped(trace, _run(trace, trace.cast(x, "s32"), axis), dtype)
    if size <= AT_ONCE:
        return trace.call("cumsum", x, axis=axis)
    blocks = -(-size // BLOCK)
    none = [0] * x.type.rank
    x = padded(trace, x, none, [blocks * BLOCK - size if a == axis else 0 for a in range(x.type.rank)])
    parted = reshaped(trace, x, [*shape[:axis], blocks, BLOCK, *shape[axis + 1 :]])
    within = trace.call("cumsum", parted, axis=axis + 1)
    totals = trace.call("sum", sliced(trace, parted, {axis: (0, blocks - 1)}), axis=(axis + 1,), keepdims=True)
    before = _run(trace, totals, axis)
    low = [int(a == axis) for a in range(parted.type.rank)]
    found = trace.call("add", within, padded(trace, before, low, [0] * parted.type.rank))
    whole = reshaped(trace, found, [blocks * BLOCK if a == axis else n for a, n in enumerate(shape)])
    return sliced(trace, whole, {axis: (0, size)})


@function("cumprod", method="cumprod")
def cumprod(trace: Trace, a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """In rounds, of which each doubles how many elements are joined."""
    x: Any = _wide(trace.array(a), dtype)
    if axis is None:
        x, axis = as_shape(x, (x.size,)), 0
    (along,) = axes_of(x, axis)
    size, by = x.shape[along], 1
    while by < size:
        part = sliced(trace, x.value, {along: (0, size - by)})
        low = [by if a == along else 0 for a in range(x.ndim)]
        x = x * x.new(padded(trace, part, low, [0] * x.ndim, 1))
        by *= 2
    return x


@function("diff")
def diff(trace: Trace, a: Any, n: int = 1, axis: int = -1) -> Any:
    x: Any = trace.array(a)
    (along,) = axes_of(x, axis)
    for _ in range(n):
        size = x.shape[along]
        late, early = (x.new(sliced(trace, x.value, {along: part})) for part in ((1, size), (0, size - 1)))
        x = late != early if x.dtype.kind == "b" else late - early
    return x


@function("linalg.norm")
def norm(trace: Trace, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Of vectors, and of matrices by their elements."""
    a: Any = trace.array(x)
    a = a if a.dtype.kind == "f" or kind(trace.dtype(a.value)) == "float" else a.astype(np.float64)
    if axis is None and ord is None:
        return _keep(np.sqrt(np.sum(a * a, axis=None)), a, keepdims)
    axes = axes_of(a, axis)
    if len(axes) == 2 and ord in ("fro", None):
        ord = 2
    elif len(axes) != 1:
        raise Untraceable(
            f"expected a norm of vectors or the Frobenius norm, found ord={ord!r} of matrices; compute it before"
        )
    return vector_norm(trace, a, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)


def _keep(found: Any, x: Any, keepdims: bool) -> Any:
    return as_shape(found, (1,) * x.ndim) if keepdims else found


@function("linalg.vector_norm")
def vector_norm(trace: Trace, x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    a: Any = np.abs(trace.array(x))
    if ord in (np.inf, -np.inf):
        return (largest if ord > 0 else least)(trace, a, axis, keepdims)
    if ord == 0:
        return np.sum((a != 0).astype(a.dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(a, axis=axis, keepdims=keepdims)
    if ord == 2:
        return np.sqrt(np.sum(a * a, axis=axis, keepdims=keepdims))
    return np.power(np.sum(np.power(a, ord), axis=axis, keepdims=keepdims), 1 / ord)
