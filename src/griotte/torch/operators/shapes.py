"""Operators that move elements and compute none; tensors that are known by their sizes."""

from __future__ import annotations

import numpy as np

from ...lang.types.dtypes import limits
from ...readers.operators import moving
from ...readers.operators.array import numpy_of, sliced
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import over_u8, placed
from ...readers.operators.moving import cropped, joined, overlaid, padded, picked, repeated
from ...readers.tables import OperatorTable


def reshape(node, x, *how):
    """The shape is the one that torch tells."""
    return x.reshape(node.shape)


def with_axes(x, rank: int):
    """x with so many axes, new ones in front."""
    return x.reshape((*[1] * (rank - x.ndim), *x.shape))


def part_of(x, axis: int, start, end, step) -> tuple[int, int, int]:
    """Where a slice along an axis begins and ends, and its step."""
    first, stop, step = slice(start, end, step).indices(x.shape[axis])
    return first, max(first, stop), step


def slice_(x, dim, start, end, step):
    axis = placed(dim, x.ndim)
    return sliced(x, {axis: part_of(x, axis, start, end, step)})


def select(node, x, dim, index):
    axis = placed(dim, x.ndim)
    at = index % x.shape[axis]
    return sliced(x, {axis: (at, at + 1)}).reshape(node.shape)


def unbind(node, x, dim):
    return _apart(node, x, placed(dim, x.ndim), [1] * len(node.gives))


def split(node, x, sizes, dim):
    """The sizes are those of the parts that torch tells."""
    axis = placed(dim, x.ndim)
    return _apart(node, x, axis, [int(part.shape[axis]) for part in node.gives])


def _apart(node, x, axis: int, lengths: list[int]):
    """Parts of x of these lengths, one after the other along an axis."""
    parts = zip(moving.split(x, lengths, axis), node.gives)
    return [part if 0 in meta.shape else part.reshape(meta.shape) for part, meta in parts]


def cat(node, tensors, dim):
    axis = placed(dim, len(node.shape))
    parts = [part.astype(node.dtype_given) for part in tensors if 0 not in part.shape]
    return over_u8(lambda *each: joined(each, axis))(*parts)


def flip(x, dims):
    for axis in (placed(dim, x.ndim) for dim in dims):
        x = picked(x, axis, np.arange(x.shape[axis])[::-1])
    return x


@over_u8
def pad(x, pad, value):
    """The last axis comes first; ends below 0 are cut off."""
    ends = [(0, 0)] * (x.ndim - len(pad) // 2) + list(zip(pad[::2], pad[1::2]))[::-1]
    x, pads = cropped(x, ends)
    number = float(value) if x.dtype[0] in "fb" else min(int(value), limits(x.dtype)[1])  # 2.0**63 of s64
    return padded(x, [low for low, _ in pads], [high for _, high in pads], number)


def diagonal(x, offset, dim1, dim2):
    return moving.diagonal(x, offset, placed(dim1, x.ndim), placed(dim2, x.ndim))


def slice_scatter(x, src, dim, start, end, step):
    axis = placed(dim, x.ndim)
    first, stop, step = part_of(x, axis, start, end, step)
    if step == 1:
        return _laid(x, src, axis, first, stop)
    return overlaid(x, src.astype(x.dtype), _places(x).take(range(first, stop, step), axis))


@over_u8
def diagonal_scatter(x, src, offset, dim1, dim2):
    return overlaid(x, src.astype(x.dtype), np.diagonal(_places(x), offset, dim1, dim2))


@over_u8
def as_strided_scatter(node, x, src, size, stride, storage_offset):
    return overlaid(x, src.astype(x.dtype), strided(node, size, stride, storage_offset))


def _places(x):
    """The number of each element of x, counted row by row."""
    x.reserve(*x.shape)
    return np.arange(x.size).reshape(x.shape)


def _laid(x, rows, axis: int, first: int, stop: int):
    """x with other rows from one place to another."""
    if stop <= first:
        return x
    before, after = sliced(x, {axis: (0, first)}), sliced(x, {axis: (stop, x.shape[axis])})
    return joined([before, rows.astype(x.dtype), after], axis)


def unfold(x, dimension, size, step):
    """Windows along an axis, the elements of each along a new last axis; a scalar is one."""
    if not x.ndim:
        return x.reshape((1,))
    axis = placed(dimension, x.ndim)
    count = (x.shape[axis] - size) // step + 1
    rows = picked(x, axis, np.arange(count)[:, None] * step + np.arange(size))
    apart = rows.reshape((*x.shape[:axis], count, size, *x.shape[axis + 1 :]))
    return apart.transpose([a for a in range(x.ndim + 1) if a != axis + 1] + [axis + 1])


def as_strided(node, x, size, stride, storage_offset):
    return picked(x.ravel(), 0, strided(node, size, stride, storage_offset)).reshape(size)


def strided(node, size, stride, storage_offset) -> np.ndarray:
    """The numbers of elements of what lies densely, in the order that steps tell."""
    if not node.given[0].is_contiguous():
        raise Unsupported("steps through what does not lie densely")
    node.reserve(*size)
    at = np.asarray(storage_offset or 0)
    for n, step in zip(size, stride):
        at = at[..., None] + np.arange(n) * step
    return at


def filled(node, number):
    dtype = numpy_of(node.dtype_given)
    node.reserve(*node.shape, item=dtype.itemsize)
    return np.full(node.shape, number, dtype)


OPERATORS: OperatorTable = (
    ("view view_copy squeeze.dims unsqueeze", reshape),
    ("expand", lambda node, x, size: with_axes(x, len(node.shape)).broadcast_to(node.shape)),
    ("select.int select_copy.int", select),
    ("unbind_copy.int", unbind),
    ("split_with_sizes split_copy.Tensor", split),
    ("cat", cat),
    ("as_strided_scatter", as_strided_scatter),
    ("as_strided as_strided_copy", as_strided),
    ("permute permute_copy", lambda x, dims: x.transpose([placed(a, x.ndim) for a in dims])),
    ("repeat", lambda x, repeats: repeated(with_axes(x, len(repeats)), repeats)),
    ("slice.Tensor slice_copy.Tensor", slice_),
    ("narrow_copy", lambda x, dim, start, length: slice_(x, dim, start, start + length, 1)),
    ("flip", flip),
    ("constant_pad_nd", pad),
    ("diagonal", diagonal),
    ("unfold", unfold),
    ("slice_scatter", slice_scatter),
    ("diagonal_scatter", diagonal_scatter),
    ("full_like", lambda node, x, fill_value: filled(node, fill_value)),
    ("new_empty_strided empty_permuted", lambda node, x, *size: filled(node, 0)),
    ("copy", lambda node, x, src: src.astype(node.dtype_given).broadcast_to(node.shape)),
    ("scalar_tensor", filled),
    ("clone alias lift_fresh_copy", lambda x: x),
)
