"""Operators that move elements and compute none."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...ir.dtypes import limits
from ...readers.moving import (
    broadcast,
    flat,
    joined,
    overlaid,
    padded,
    permuted,
    picked,
    repeated,
    reshaped,
    sliced,
    stacked,
)
from .declaring import OPERATORS, Unsupported, operator, over_u8, placed


@operator("view", "_unsafe_view", "reshape", "_reshape_alias", "squeeze", "squeeze.dim", "squeeze.dims", "unsqueeze")
@operator("flatten.using_ints", "unflatten.int")
def reshape(node, x, *how, **more):
    """The shape is that which torch tells."""
    return reshaped(node, x, node.shape)


@operator("permute")
def permute(node, x, dims):
    rank = node.value(x).type.rank
    return permuted(node, x, [placed(a, rank) for a in dims])


@operator("t", "numpy_T", "mT")
def t(node, x):
    rank = node.value(x).type.rank
    return permuted(node, x, [*range(rank - 2), *range(rank)[-2:][::-1]])


@operator("transpose.int", "swapaxes")
def transpose(node, x, dim0, dim1):
    order = list(range(node.value(x).type.rank))
    order[dim0], order[dim1] = order[dim1], order[dim0]
    return permuted(node, x, order)


@operator("expand")
def expand(node, x, size, implicit=False):
    rank = node.value(x).type.rank
    front = (1,) * (len(node.shape) - rank)
    return broadcast(node, reshaped(node, x, (*front, *node.value(x).type.shape)), node.shape)


@operator("repeat")
def repeat(node, x, repeats):
    front = (1,) * (len(repeats) - node.value(x).type.rank)
    return repeated(node, reshaped(node, x, (*front, *node.value(x).type.shape)), repeats)


@operator("slice.Tensor")
def slice_(node, x, dim=0, start=None, end=None, step=1):
    axis = placed(dim, node.value(x).type.rank)
    first, stop, step = slice(start, end, step).indices(node.value(x).type.shape[axis])
    return sliced(node, x, {axis: (first, max(first, stop), step)})


@operator("select.int")
def select(node, x, dim, index):
    axis = placed(dim, node.value(x).type.rank)
    at = index % node.value(x).type.shape[axis]
    return reshaped(node, sliced(node, x, {axis: (at, at + 1)}), node.shape)


@operator("narrow")
def narrow(node, x, dim, start, length):
    return slice_(node, x, dim, start, start + length)


@operator("unbind.int")
def unbind(node, x, dim=0):
    return _apart(node, node.value(x), placed(dim, node.value(x).type.rank), [1] * len(node.gives))


@operator("split.Tensor", "split_with_sizes", "chunk")
def split(node, x, sizes=1, dim=0):
    """The sizes are those of the parts that torch tells."""
    axis = placed(dim, node.value(x).type.rank)
    return _apart(node, node.value(x), axis, [int(part.shape[axis]) for part in node.gives])


def _apart(node, x, axis: int, lengths: list[int]):
    """Parts of x of these lengths, one after the other along an axis."""
    ends = np.cumsum([0, *lengths]).tolist()
    parts = [sliced(node, x, {axis: (a, b)}) for a, b in pairwise(ends)]
    return [part if 0 in told.shape else reshaped(node, part, told.shape) for part, told in zip(parts, node.gives)]


@operator("cat", "stack")
def cat(node, tensors, dim=0):
    axis = placed(dim, len(node.shape))
    join = stacked if node.operator.startswith("stack") else joined
    parts = [node.cast(part, node.dtype_given) for part in tensors if 0 not in node.sizes(part)]
    return over_u8(lambda own, *each: join(own, each, axis))(node, *parts)


@operator("flip")
def flip(node, x, dims):
    x = node.value(x)
    for dim in dims:
        axis = placed(dim, x.type.rank)
        x = picked(node, x, axis, np.arange(x.type.shape[axis])[::-1])
    return x


@operator("roll")
def roll(node, x, shifts, dims=()):
    x = node.value(x)
    if not dims:
        return reshaped(node, roll(node, flat(node, x), shifts, [0]), x.type.shape)
    for shift, dim in zip(shifts, dims):
        axis = placed(dim, x.type.rank)
        n = x.type.shape[axis]
        at = -shift % n
        x = joined(node, [sliced(node, x, {axis: (at, n)}), sliced(node, x, {axis: (0, at)})], axis) if at else x
    return x


@operator("constant_pad_nd")
@over_u8
def pad(node, x, pad, value=0):
    """The last axis comes first; what is below 0 is cut off."""
    x = node.value(x)
    ends = [(0, 0)] * (x.type.rank - len(pad) // 2) + list(zip(pad[::2], pad[1::2]))[::-1]
    x = sliced(
        node, x, {a: (max(0, -low), n - max(0, -high)) for a, ((low, high), n) in enumerate(zip(ends, x.type.shape))}
    )
    number = float(value) if x.type.dtype[0] in "fb" else min(int(value), limits(x.type.dtype)[1])  # 2.0**63 of s64
    return padded(node, x, [max(0, low) for low, _ in ends], [max(0, high) for _, high in ends], number)


@operator("reflection_pad1d", "reflection_pad2d", "reflection_pad3d")
@operator("replication_pad1d", "replication_pad2d", "replication_pad3d")
def mirrored(node, x, padding):
    mode = "reflect" if node.operator.startswith("reflection") else "edge"
    rank = node.value(x).type.rank
    front = [0] * (rank - len(padding) // 2)
    pads = np.array([*front, *padding[::2][::-1], *front, *padding[1::2][::-1]])
    return node.as_onnx("Pad", x, pads, mode=mode)


@operator("diagonal")
def diagonal(node, x, offset=0, dim1=0, dim2=1):
    x = node.value(x)
    one, other = placed(dim1, x.type.rank), placed(dim2, x.type.rank)
    rest = [a for a in range(x.type.rank) if a not in (one, other)]
    square = permuted(node, x, [*rest, one, other])
    *front, rows, columns = square.type.shape
    count = node.shape[-1]
    first = max(0, -offset) * columns + max(0, offset)
    lined = reshaped(node, square, (*front, rows * columns))
    return picked(node, lined, len(front), first + np.arange(count) * (columns + 1))


@operator("tril", "triu")
def triangle(node, x, diagonal=0):
    return node.as_onnx("Trilu", x, np.asarray(diagonal), upper=int(node.operator.startswith("triu")))


@operator("pixel_shuffle")
def pixel_shuffle(node, x, upscale_factor):
    return node.as_onnx("DepthToSpace", x, blocksize=upscale_factor, mode="CRD")


@operator("pixel_unshuffle")
def pixel_unshuffle(node, x, downscale_factor):
    n, c, h, w = node.value(x).type.shape
    by = downscale_factor
    apart = reshaped(node, x, (n, c, h // by, by, w // by, by))
    return reshaped(node, permuted(node, apart, (0, 1, 3, 5, 2, 4)), node.shape)


@operator("channel_shuffle")
def channel_shuffle(node, x, groups):
    n, c, *rest = node.value(x).type.shape
    apart = reshaped(node, x, (n, groups, c // groups, *rest))
    return reshaped(node, permuted(node, apart, (0, 2, 1, *range(3, 3 + len(rest)))), node.shape)


@operator("select_scatter")
def select_scatter(node, x, src, dim, index):
    x = node.value(x)
    axis = placed(dim, x.type.rank)
    own = [1 if a == axis else n for a, n in enumerate(x.type.shape)]
    at = index % x.type.shape[axis]
    return _laid(node, x, reshaped(node, src, own), axis, at, at + 1)


@operator("slice_scatter")
def slice_scatter(node, x, src, dim=0, start=None, end=None, step=1):
    x = node.value(x)
    axis = placed(dim, x.type.rank)
    first, stop, step = slice(start, end, step).indices(x.type.shape[axis])
    if step == 1:
        return _laid(node, x, src, axis, first, max(first, stop))
    return overlaid(node, x, node.cast(src, x.type.dtype), _places(node, x).take(range(first, stop, step), axis))


@operator("diagonal_scatter")
@over_u8
def diagonal_scatter(node, x, src, offset=0, dim1=0, dim2=1):
    x = node.value(x)
    return overlaid(node, x, node.cast(src, x.type.dtype), np.diagonal(_places(node, x), offset, dim1, dim2))


@operator("as_strided_scatter")
@over_u8
def as_strided_scatter(node, x, src, size, stride, storage_offset=None):
    x = node.value(x)
    return overlaid(node, x, node.cast(src, x.type.dtype), strided(node, size, stride, storage_offset))


def _places(node, x):
    """The number of each element of x, counted row by row."""
    node.room(*x.type.shape)
    return np.arange(x.type.elements).reshape(x.type.shape)


def _laid(node, x, rows, axis: int, first: int, stop: int):
    """x with other rows from one place to another."""
    if stop <= first:
        return x
    before, after = sliced(node, x, {axis: (0, first)}), sliced(node, x, {axis: (stop, x.type.shape[axis])})
    return joined(node, [before, node.cast(rows, x.type.dtype), after], axis)


@operator("unfold")
def unfold(node, x, dimension, size, step):
    """Windows along an axis, the elements of each along a new last axis; a scalar is one."""
    x = node.value(x)
    if not x.type.rank:
        return reshaped(node, x, node.shape)
    axis = placed(dimension, x.type.rank)
    count = (x.type.shape[axis] - size) // step + 1
    at = np.arange(count)[:, None] * step + np.arange(size)
    rows = picked(node, x, axis, at.reshape(-1))
    apart = reshaped(node, rows, (*x.type.shape[:axis], count, size, *x.type.shape[axis + 1 :]))
    return permuted(node, apart, [a for a in range(x.type.rank + 1) if a != axis + 1] + [axis + 1])


@operator("as_strided")
def as_strided(node, x, size, stride, storage_offset=None):
    return reshaped(node, picked(node, flat(node, x), 0, strided(node, size, stride, storage_offset)), size)


def strided(node, size, stride, storage_offset) -> np.ndarray:
    """The numbers of elements of what lies densely, in the order that steps tell."""
    if not node.given[0].is_contiguous():
        raise Unsupported("steps through what does not lie densely")
    node.room(*size)
    at = np.asarray(storage_offset or 0)
    for n, step in zip(size, stride):
        at = at[..., None] + np.arange(n) * step
    return at


VIEWS = (
    "as_strided diagonal expand permute select.int slice.Tensor split.Tensor split_with_sizes squeeze squeeze.dim"
    " squeeze.dims t transpose.int unbind.int unfold unsqueeze view"
)
for view in VIEWS.split():
    name, _, overload = view.partition(".")
    overload = overload or "default"
    OPERATORS[f"{name}_copy.{overload}"] = OPERATORS[f"{name}.{overload}"]
OPERATORS["narrow_copy.default"] = OPERATORS["narrow.default"]
