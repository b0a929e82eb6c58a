"""Functions that move elements: shapes, axes, parts, arrays side by side, borders."""

from __future__ import annotations

from math import prod

import numpy as np

from ..operators.moving import along, joined, padded, picked, repeated
from ..operators.moving import diagonal as array_diagonal
from .array import TracedArray, arrays_of, as_shape
from .trace import Untraceable


def axes_of(x, axis) -> tuple[int, ...]:
    """The axes that are meant; AxisError, as NumPy has it, where there is none."""
    if axis is None:
        return tuple(range(x.ndim))
    return tuple(np.lib.array_utils.normalize_axis_tuple(axis, x.ndim))


def along_one(x, axis):
    """An array and one axis of it; of None its elements along one axis."""
    x, axis = (as_shape(x, (x.size,)), 0) if axis is None else (x, axis)
    (at,) = axes_of(x, axis)
    return x, at


def reshape(a, /, shape=None, order="C", *, copy=None):
    given = [int(n) for n in (shape if isinstance(shape, (tuple, list)) else (shape,))]
    if -1 in given:
        rest = prod(n for n in given if n != -1)
        given[given.index(-1)] = a.size // rest if rest else 0
    if prod(given) != a.size:
        raise ValueError(f"cannot reshape array of size {a.size} into shape {tuple(given)}")
    if order == "F":
        return transpose(as_shape(transpose(a), given[::-1]))
    return as_shape(a, given)


def transpose(a, axes=None):
    return a.as_view(a.array.transpose(range(a.ndim)[::-1] if axes is None else axes_of(a, tuple(axes))))


def swapaxes(a, axis1, axis2):
    perm = list(range(a.ndim))
    one, other = axes_of(a, axis1)[0], axes_of(a, axis2)[0]
    perm[one], perm[other] = perm[other], perm[one]
    return transpose(a, perm)


def moveaxis(a, source, destination):
    came, to = axes_of(a, source), axes_of(a, destination)
    perm = [axis for axis in range(a.ndim) if axis not in came]
    for where, axis in sorted(zip(to, came)):
        perm.insert(where, axis)
    return transpose(a, perm)


def expand_dims(a, axis):
    axes = [axis] if isinstance(axis, int) else list(axis)
    rank = a.ndim + len(axes)
    new, sizes = {axis % rank for axis in axes}, iter(a.shape)
    return as_shape(a, [1 if axis in new else next(sizes) for axis in range(rank)])


def squeeze(a, axis=None):
    axes = [n for n, size in enumerate(a.shape) if size == 1] if axis is None else axes_of(a, axis)
    if any(a.shape[n] != 1 for n in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return as_shape(a, [size for n, size in enumerate(a.shape) if n not in axes])


def _ranked(rank: int, x):
    """With so many axes at least."""
    if rank == 3 and x.ndim < 3:
        return as_shape(x, (*x.shape, 1) if x.ndim == 2 else (1, x.size, 1))
    return as_shape(x, (1,) * (rank - x.ndim) + x.shape)


def _each_ranked(rank: int, arrays):
    found = [_ranked(rank, x) for x in arrays_of(*arrays)]
    return found[0] if len(found) == 1 else found


def broadcast_to(array, shape, subok=False):
    return array.as_view(array.array.broadcast_to((shape,) if isinstance(shape, int) else shape))


def broadcast_arrays(*args, subok=False):
    shape = np.broadcast_shapes(*(np.shape(each) for each in args))
    return tuple(broadcast_to(each, shape) for each in arrays_of(*args))


def concatenate(arrays, /, axis=0, *, dtype=None):
    parts = arrays_of(*arrays)
    if axis is None:
        parts, axis = [as_shape(each, (each.size,)) for each in parts], 0
    to = np.result_type(*(each.dtype for each in parts)) if dtype is None else np.dtype(dtype)
    (at,) = axes_of(parts[0], axis)
    return parts[0].new(joined([each.converted(to) for each in parts], at))


def stack(arrays, axis=0, *, dtype=None):
    return concatenate([expand_dims(each, axis) for each in arrays_of(*arrays)], axis, dtype=dtype)


def hstack(tup, *, dtype=None):
    parts = [_ranked(1, each) for each in arrays_of(*tup)]
    return concatenate(parts, 0 if parts[0].ndim == 1 else 1, dtype=dtype)


def column_stack(tup):
    return concatenate([as_shape(x, (x.size, 1)) if x.ndim < 2 else x for x in arrays_of(*tup)], 1)


def split(ary, indices_or_sections, axis=0):
    (at,) = axes_of(ary, axis)
    size = ary.shape[at]
    if isinstance(indices_or_sections, int):
        count, more = divmod(size, indices_or_sections)
        ends = np.cumsum([count + 1] * more + [count] * (indices_or_sections - more)).tolist()
    else:
        ends = [*map(int, indices_or_sections), size]
    return [ary[(*[slice(None)] * at, slice(start, end))] for start, end in zip([0, *ends], ends)]


def unstack(x, /, *, axis=0):
    x = moveaxis(x, axis, 0)
    return tuple(x[n] for n in range(x.shape[0]))


def tile(A, reps):
    times = (reps,) if isinstance(reps, int) else tuple(reps)
    x = as_shape(A, (1,) * (len(times) - A.ndim) + A.shape)
    return x.new(repeated(x.array, (1,) * (x.ndim - len(times)) + times))


def repeat(a, repeats, axis=None):
    (x, *_) = arrays_of(a, repeats) if isinstance(repeats, TracedArray) else (a,)
    x, at = along_one(x, axis)
    if isinstance(repeats, TracedArray):
        raise Untraceable("expected repeats that are known, found a traced array; pass numbers")
    return x.new(picked(x.array, at, np.repeat(np.arange(x.shape[at]), repeats)))


def flip(m, axis=None):
    axes = axes_of(m, axis)
    return m[tuple(slice(None, None, -1 if n in axes else 1) for n in range(m.ndim))]


def roll(a, shift, axis=None):
    if axis is None:
        return as_shape(roll(as_shape(a, (a.size,)), shift, 0), a.shape)
    by, axes = np.broadcast_arrays(shift, axis)
    for number, at in zip(by.reshape(-1).tolist(), axes.reshape(-1).tolist()):
        (at,) = axes_of(a, at)
        first = -number % a.shape[at]
        if first:
            before = [slice(None)] * at
            a = concatenate([a[(*before, slice(first, None))], a[(*before, slice(0, first))]], at)
    return a


def rot90(m, k=1, axes=(0, 1)):
    for _ in range(k % 4):
        m = flip(swapaxes(m, *axes), axes[0])
    return m


def pad(array, pad_width, mode="constant", *, constant_values=0):
    x, rank = array.array, array.ndim
    if isinstance(pad_width, dict):
        pad_width = [pad_width.get(n, pad_width.get(n - rank, 0)) for n in range(rank)]
        pad_width = [(each, each) if isinstance(each, int) else each for each in pad_width]
    widths = np.broadcast_to(np.asarray(pad_width), (rank, 2)).tolist()
    if mode == "constant":
        if np.ndim(constant_values):
            raise Untraceable("expected one number as constant_values, found several; pad axis by axis")
        low, high = zip(*widths)
        return array.new(padded(x, low, high, np.asarray(constant_values).astype(array.dtype).item()))
    for axis, (before, after) in enumerate(widths):
        if before or after:  # which row each place has, as NumPy says it
            x = picked(x, axis, np.pad(np.arange(x.shape[axis]), (before, after), mode))
    return array.new(x)


def take(a, indices, axis=None, mode="raise"):
    x, at = along_one(arrays_of(a, indices)[0], axis)
    rows = indices if isinstance(indices, (TracedArray, int)) else np.asarray(indices)
    return x[(*[slice(None)] * at, rows)]


def take_along_axis(arr, indices, axis=-1):
    rows = indices if isinstance(indices, TracedArray) else np.asarray(indices)
    x, at = along_one(arrays_of(arr, rows)[0], axis)
    return x[tuple(rows if n == at else along(x.ndim, n, np.arange(size)) for n, size in enumerate(x.shape))]


def sliding_window_view(x, window_shape, axis=None):
    """Rows at each place and those after it."""
    sizes = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    axes = axes_of(x, axis)
    if len(axes) != len(sizes):
        raise ValueError("Must provide matching length window_shape and axis")
    found = x.array
    for at, size in zip(axes, sizes):
        count = found.shape[at] - size + 1
        if count < 1:
            raise ValueError("window shape cannot be larger than input array shape")
        found = found.take((np.arange(count)[:, None] + np.arange(size)).astype(np.int32), at)
        found = found.transpose([*(n for n in range(found.ndim) if n != at + 1), at + 1])
    return x.new(found)


def diagonal(a, offset=0, axis1=0, axis2=1):
    return a.new(array_diagonal(a.array, offset, axes_of(a, axis1)[0], axes_of(a, axis2)[0]))


def diag(v, k=0):
    if v.ndim == 2:
        return diagonal(v, k)
    if k:
        raise Untraceable("expected numpy.diag of a vector on the main diagonal, found another; pad it")
    return np.where(np.eye(v.size, dtype=bool), v, v.dtype.type(0))


def _triangle(m, k: int, is_upper: bool):
    mask = np.tri(m.shape[-2], m.shape[-1], k - is_upper, dtype=bool)
    return np.where(~mask if is_upper else mask, m, m.dtype.type(0))


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    count = len(xi)
    order = [1, 0, *range(2, count)] if indexing == "xy" and count > 1 else list(range(count))
    shaped = [as_shape(x, [x.size if n == at else 1 for n in range(count)]) for at, x in zip(order, arrays_of(*xi))]
    return tuple(shaped) if sparse else broadcast_arrays(*shaped)


FUNCTIONS = (
    ("reshape", reshape),
    ("ravel", lambda a, order="C": reshape(a, -1, order)),
    ("transpose permute_dims", transpose),
    ("matrix_transpose", lambda x, /: swapaxes(x, -1, -2)),
    ("swapaxes", swapaxes),
    ("moveaxis", moveaxis),
    ("expand_dims", expand_dims),
    ("squeeze", squeeze),
    ("atleast_1d", lambda *arys: _each_ranked(1, arys)),
    ("atleast_2d", lambda *arys: _each_ranked(2, arys)),
    ("broadcast_to", broadcast_to),
    ("broadcast_arrays", broadcast_arrays),
    ("concatenate concat", concatenate),
    ("stack", stack),
    ("vstack", lambda tup, *, dtype=None: concatenate([_ranked(2, x) for x in arrays_of(*tup)], 0, dtype=dtype)),
    ("hstack", hstack),
    ("dstack", lambda tup: concatenate([_ranked(3, x) for x in arrays_of(*tup)], 2)),
    ("column_stack", column_stack),
    ("split array_split", split),
    ("hsplit", lambda ary, indices_or_sections: split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)),
    ("vsplit", lambda ary, indices_or_sections: split(ary, indices_or_sections, 0)),
    ("unstack", unstack),
    ("tile", tile),
    ("repeat", repeat),
    ("flip", flip),
    ("flipud", lambda m: flip(m, 0)),
    ("fliplr", lambda m: flip(m, 1)),
    ("roll", roll),
    ("rot90", rot90),
    ("pad", pad),
    ("take", take),
    ("take_along_axis", take_along_axis),
    ("lib.stride_tricks.sliding_window_view", sliding_window_view),
    ("diagonal linalg.diagonal", diagonal),
    ("diag", diag),
    ("tril", lambda m, k=0: _triangle(m, k, False)),
    ("triu", lambda m, k=0: _triangle(m, k, True)),
    ("copy", lambda a, order="K", subok=False: a.copy()),
    ("astype", lambda x, dtype, /, *, copy=True, device=None: x.astype(dtype, copy=copy)),
    ("meshgrid", meshgrid),
)
