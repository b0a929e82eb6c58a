"""Functions that move elements: shapes, axes, parts, arrays side by side, borders."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..operators.moving import along
from .declaring import Untraceable, function
from .library import broadcast, padded, permuted, picked, repeated, reshaped
from .reducing import axes_of
from .traced import Trace, TracedArray, as_shape


@function("reshape")
def reshape(trace: Trace, a: Any, /, shape: Any = None, order: str = "C", *, copy: bool | None = None) -> Any:
    x = trace.array(a)
    given = [int(n) for n in (shape if isinstance(shape, (tuple, list)) else (shape,))]
    if -1 in given:
        rest = prod(n for n in given if n != -1)
        given[given.index(-1)] = x.size // rest if rest else 0
    if prod(given) != x.size:
        raise ValueError(f"cannot reshape array of size {x.size} into shape {tuple(given)}")
    if order == "F":
        return transpose(trace, as_shape(transpose(trace, x), given[::-1]))
    return as_shape(x, given)


@function("ravel", method="ravel flatten")
def ravel(trace: Trace, a: Any, order: str = "C") -> Any:
    return reshape(trace, a, -1, order)


@function("transpose", "permute_dims")
def transpose(trace: Trace, a: Any, axes: Any = None) -> Any:
    x = trace.array(a)
    perm = range(x.ndim)[::-1] if axes is None else axes_of(x, tuple(axes))
    return x.as_view(permuted(trace, x.value, perm))


@function("matrix_transpose")
def matrix_transpose(trace: Trace, x: Any, /) -> Any:
    return swapaxes(trace, x, -1, -2)


@function("swapaxes", method="swapaxes")
def swapaxes(trace: Trace, a: Any, axis1: int, axis2: int) -> Any:
    x = trace.array(a)
    perm = list(range(x.ndim))
    one, other = axes_of(x, axis1)[0], axes_of(x, axis2)[0]
    perm[one], perm[other] = perm[other], perm[one]
    return x.as_view(permuted(trace, x.value, perm))


@function("moveaxis")
def moveaxis(trace: Trace, a: Any, source: Any, destination: Any) -> Any:
    x = trace.array(a)
    came, to = axes_of(x, source), axes_of(x, destination)
    perm = [axis for axis in range(x.ndim) if axis not in came]
    for where, axis in sorted(zip(to, came)):
        perm.insert(where, axis)
    return x.as_view(permuted(trace, x.value, perm))


@function("expand_dims")
def expand_dims(trace: Trace, a: Any, axis: Any) -> Any:
    x = trace.array(a)
    axes = [axis] if isinstance(axis, int) else list(axis)
    rank = x.ndim + len(axes)
    new, sizes = {axis % rank for axis in axes}, iter(x.shape)
    return as_shape(x, [1 if axis in new else next(sizes) for axis in range(rank)])


@function("squeeze", method="squeeze")
def squeeze(trace: Trace, a: Any, axis: Any = None) -> Any:
    x = trace.array(a)
    axes = [n for n, size in enumerate(x.shape) if size == 1] if axis is None else axes_of(x, axis)
    if any(x.shape[n] != 1 for n in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return as_shape(x, [size for n, size in enumerate(x.shape) if n not in axes])


def _ranked(rank: int, trace: Trace, arrays: Any) -> Any:
    found = []
    for each in arrays:
        x = trace.array(each)
        if rank == 3 and x.ndim == 2:
            x = as_shape(x, (*x.shape, 1))
        shape = x.shape if x.ndim >= rank else (1, x.size, 1) if rank == 3 else (1,) * (rank - x.ndim) + x.shape
        found.append(as_shape(x, shape))
    return found[0] if len(found) == 1 else found


@function("atleast_1d")
def atleast_1d(trace: Trace, *arys: Any) -> Any:
    return _ranked(1, trace, arys)


@function("atleast_2d")
def atleast_2d(trace: Trace, *arys: Any) -> Any:
    return _ranked(2, trace, arys)


@function("broadcast_to")
def broadcast_to(trace: Trace, array: Any, shape: Any, subok: bool = False) -> Any:
    x = trace.array(array)
    return x.as_view(broadcast(trace, x.value, (shape,) if isinstance(shape, int) else shape))


@function("broadcast_arrays")
def broadcast_arrays(trace: Trace, *args: Any, subok: bool = False) -> Any:
    shape = np.broadcast_shapes(*(np.shape(each) for each in args))
    return tuple(broadcast_to(trace, each, shape) for each in args)


@function("concatenate", "concat")
def concatenate(trace: Trace, arrays: Sequence[Any], /, axis: int | None = 0, *, dtype: Any = None) -> Any:
    parts = [trace.array(each) for each in arrays]
    if axis is None:
        parts, axis = [as_shape(each, (each.size,)) for each in parts], 0
    to = np.result_type(*(each.dtype for each in parts)) if dtype is None else np.dtype(dtype)
    (at,) = axes_of(parts[0], axis)
    values = [each.astype(to, copy=False).value for each in parts]
    return parts[0].new(values[0] if len(values) == 1 else trace.call("concat", *values, axis=at))


@function("stack")
def stack(trace: Trace, arrays: Sequence[Any], axis: int = 0, *, dtype: Any = None) -> Any:
    return concatenate(trace, [expand_dims(trace, each, axis) for each in arrays], axis, dtype=dtype)


@function("vstack")
def vstack(trace: Trace, tup: Sequence[Any], *, dtype: Any = None) -> Any:
    return concatenate(trace, [_ranked(2, trace, [each]) for each in tup], 0, dtype=dtype)


@function("hstack")
def hstack(trace: Trace, tup: Sequence[Any], *, dtype: Any = None) -> Any:
    parts = [_ranked(1, trace, [each]) for each in tup]
    return concatenate(trace, parts, 0 if parts[0].ndim == 1 else 1, dtype=dtype)


@function("dstack")
def dstack(trace: Trace, tup: Sequence[Any]) -> Any:
    return concatenate(trace, [_ranked(3, trace, [each]) for each in tup], 2)


@function("column_stack")
def column_stack(trace: Trace, tup: Sequence[Any]) -> Any:
    parts = [trace.array(each) for each in tup]
    return concatenate(trace, [as_shape(each, (each.size, 1)) if each.ndim < 2 else each for each in parts], 1)


@function("split", "array_split")
def split(trace: Trace, ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    x = trace.array(ary)
    (at,) = axes_of(x, axis)
    size = x.shape[at]
    if isinstance(indices_or_sections, int):
        count, more = divmod(size, indices_or_sections)
        sizes = [count + 1] * more + [count] * (indices_or_sections - more)
        ends = np.cumsum(sizes).tolist()
    else:
        ends = [*map(int, indices_or_sections), size]
    return [x[(*[slice(None)] * at, slice(start, end))] for start, end in zip([0, *ends], ends)]


@function("hsplit")
def hsplit(trace: Trace, ary: Any, indices_or_sections: Any) -> Any:
    return split(trace, ary, indices_or_sections, 0 if trace.array(ary).ndim == 1 else 1)


@function("vsplit")
def vsplit(trace: Trace, ary: Any, indices_or_sections: Any) -> Any:
    return split(trace, ary, indices_or_sections, 0)


@function("unstack")
def unstack(trace: Trace, x: Any, /, *, axis: int = 0) -> Any:
    a = np.moveaxis(trace.array(x), axis, 0)
    return tuple(a[n] for n in range(a.shape[0]))


@function("tile")
def tile(trace: Trace, A: Any, reps: Any) -> Any:
    x = trace.array(A)
    times = (reps,) if isinstance(reps, int) else tuple(reps)
    rank = max(x.ndim, len(times))
    x = as_shape(x, (1,) * (rank - x.ndim) + x.shape)
    return x.new(repeated(trace, x.value, (1,) * (rank - len(times)) + times))


@function("repeat", method="repeat")
def repeat(trace: Trace, a: Any, repeats: Any, axis: int | None = None) -> Any:
    x = trace.array(a)
    if axis is None:
        x, axis = as_shape(x, (x.size,)), 0
    (at,) = axes_of(x, axis)
    if isinstance(repeats, TracedArray):
        raise Untraceable("expected repeats that are known, found a traced array; pass numbers")
    places = np.repeat(np.arange(x.shape[at]), repeats)
    return x.new(picked(trace, x.value, at, places))


@function("flip")
def flip(trace: Trace, m: Any, axis: Any = None) -> Any:
    x = trace.array(m)
    axes = axes_of(x, axis)
    return x[tuple(slice(None, None, -1 if n in axes else 1) for n in range(x.ndim))]


@function("flipud")
def flipud(trace: Trace, m: Any) -> Any:
    return flip(trace, m, 0)


@function("fliplr")
def fliplr(trace: Trace, m: Any) -> Any:
    return flip(trace, m, 1)


@function("roll")
def roll(trace: Trace, a: Any, shift: Any, axis: Any = None) -> Any:
    x = trace.array(a)
    if axis is None:
        return as_shape(roll(trace, as_shape(x, (x.size,)), shift, 0), x.shape)
    by, axes = np.broadcast_arrays(shift, axis)
    for number, at in zip(by.reshape(-1).tolist(), axes.reshape(-1).tolist()):
        (at,) = axes_of(x, at)
        first = -number % x.shape[at]
        if first:
            before = [slice(None)] * at
            x = concatenate(trace, [x[(*before, slice(first, None))], x[(*before, slice(0, first))]], at)
    return x


@function("rot90")
def rot90(trace: Trace, m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    x = trace.array(m)
    for _ in range(k % 4):
        x = flip(trace, swapaxes(trace, x, *axes), axes[0])
    return x


@function("pad")
def pad(trace: Trace, array: Any, pad_width: Any, mode: Any = "constant", *, constant_values: Any = 0) -> Any:
    x = trace.array(array)
    if isinstance(pad_width, dict):
        pad_width = [pad_width.get(n, pad_width.get(n - x.ndim, 0)) for n in range(x.ndim)]
        pad_width = [(each, each) if isinstance(each, int) else each for each in pad_width]
    widths = np.broadcast_to(np.asarray(pad_width), (x.ndim, 2)).tolist()
    if mode == "constant":
        if np.ndim(constant_values):
            raise Untraceable("expected one number as constant_values, found several; pad axis by axis")
        low, high = zip(*widths)
        return x.new(padded(trace, x.value, low, high, np.asarray(constant_values).astype(x.dtype).item()))
    value = x.value
    for axis, (before, after) in enumerate(widths):
        if before or after:  # which row each place has, as NumPy says it
            value = picked(trace, value, axis, np.pad(np.arange(x.shape[axis]), (before, after), mode))
    return x.new(value)


@function("take", method="take")
def take(trace: Trace, a: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
    x = trace.array(a)
    if axis is None:
        x, axis = as_shape(x, (x.size,)), 0
    (at,) = axes_of(x, axis)
    rows = indices if isinstance(indices, (TracedArray, int)) else np.asarray(indices)
    return x[(*[slice(None)] * at, rows)]


@function("take_along_axis")
def take_along_axis(trace: Trace, arr: Any, indices: Any, axis: int | None = -1) -> Any:
    x = trace.array(arr)
    rows = indices if isinstance(indices, TracedArray) else np.asarray(indices)
    if axis is None:
        x, axis = as_shape(x, (x.size,)), 0
    (at,) = axes_of(x, axis)
    key = [along(x.ndim, n, np.arange(size)) for n, size in enumerate(x.shape)]
    return x[tuple(rows if n == at else each for n, each in enumerate(key))]


@function("lib.stride_tricks.sliding_window_view")
def sliding_window_view(trace: Trace, x: Any, window_shape: Any, axis: Any = None) -> Any:
    """Rows at each place and those after it."""
    a = trace.array(x)
    sizes = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    axes = axes_of(a, axis)
    if len(axes) != len(sizes):
        raise ValueError("Must provide matching length window_shape and axis")
    value = a.value
    for at, size in zip(axes, sizes):
        count = value.type.shape[at] - size + 1
        if count < 1:
            raise ValueError("window shape cannot be larger than input array shape")
        rows = (np.arange(count)[:, None] + np.arange(size)).astype(np.int32)
        value = trace.call("take", value, rows, axis=at)
        rank = value.type.rank
        value = permuted(trace, value, [*(n for n in range(rank) if n != at + 1), at + 1])
    return a.new(value)


@function("diagonal", "linalg.diagonal", method="diagonal")
def diagonal(trace: Trace, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Every so many elements of the two axes as one."""
    x = trace.array(a)
    one, other = axes_of(x, axis1)[0], axes_of(x, axis2)[0]
    perm = [n for n in range(x.ndim) if n not in (one, other)]
    x = x.new(permuted(trace, x.value, [*perm, one, other]))
    rows, columns = x.shape[-2:]
    places = np.arange(rows * columns).reshape(rows, columns).diagonal(offset)
    whole = reshaped(trace, x.value, (*x.shape[:-2], rows * columns))
    return x.new(picked(trace, whole, whole.type.rank - 1, places))


@function("diag")
def diag(trace: Trace, v: Any, k: int = 0) -> Any:
    x: Any = trace.array(v)
    if x.ndim == 2:
        return diagonal(trace, x, k)
    if k:
        raise Untraceable("expected numpy.diag of a vector on the main diagonal, found another; pad it")
    return np.where(np.eye(x.size, dtype=bool), x, x.dtype.type(0))


def _triangle(trace: Trace, m: Any, k: int, is_upper: bool) -> Any:
    x: Any = trace.array(m)
    mask = np.tri(x.shape[-2], x.shape[-1], k - is_upper, dtype=bool)
    return np.where(~mask if is_upper else mask, x, x.dtype.type(0))


@function("tril")
def tril(trace: Trace, m: Any, k: int = 0) -> Any:
    return _triangle(trace, m, k, False)


@function("triu")
def triu(trace: Trace, m: Any, k: int = 0) -> Any:
    return _triangle(trace, m, k, True)


@function("copy")
def copy(trace: Trace, a: Any, order: str = "K", subok: bool = False) -> Any:
    return trace.array(a).copy()


@function("astype")
def astype(trace: Trace, x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    return trace.array(x).astype(dtype, copy=copy)


@function("meshgrid")
def meshgrid(trace: Trace, *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    count = len(xi)
    order = [1, 0, *range(2, count)] if indexing == "xy" and count > 1 else list(range(count))
    arrays = [trace.array(each) for each in xi]
    shaped = [
        as_shape(each, [each.size if n == order[i] else 1 for n in range(count)]) for i, each in enumerate(arrays)
    ]
    return tuple(shaped) if sparse else broadcast_arrays(trace, *shaped)
