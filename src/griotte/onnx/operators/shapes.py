"""Operators that move elements, or read or write at indices, and compute none."""

from __future__ import annotations

from math import prod

import numpy as np

from ...readers.operators.array import integer, integers, known, numpy_of, sliced, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.indexing import (
    narrow,
    overwritten_at,
    put_along_axis,
    put_rows,
    take,
    take_along_axis,
    take_rows,
)
from ...readers.operators.kinds import over_u8, placed
from ...readers.operators.moving import along, depth_to_space, extended, joined, padded, picked, repeated, triangle
from ...readers.operators.moving import split as parts_of
from ...readers.tables import OperatorTable


def reshape(x, wanted=None, *, shape=None, allowzero=0):
    x = x.with_elements()
    sizes = [int(n) for n in shape] if wanted is None else integers(wanted, "the shape")
    if not allowzero:
        sizes = [x.shape[i] if n == 0 else n for i, n in enumerate(sizes)]
    if -1 in sizes:
        i = sizes.index(-1)
        sizes[i] = x.size // max(1, prod(sizes[:i] + sizes[i + 1 :]))
    return x.reshape(sizes)


def flatten(x, *, axis=1):
    axis += x.ndim * (axis < 0)
    return x.reshape((prod(x.shape[:axis]), prod(x.shape[axis:])))


def axes_of(given, attribute):
    """Axes, from an input or an attribute; None where there are none."""
    if given is not None:
        return integers(given, "the axes")
    return None if attribute is None else [int(n) for n in np.asarray(attribute).reshape(-1)]


def squeeze(x, given=None, *, axes=None):
    found = axes_of(given, axes)
    gone = [i for i, n in enumerate(x.shape) if n == 1] if found is None else [placed(a, x.ndim) for a in found]
    if any(x.shape[i] != 1 for i in gone):
        raise Unsupported(f"axes {gone} of {x.type}, which have other sizes than 1")
    return x.reshape([n for i, n in enumerate(x.shape) if i not in gone])


def unsqueeze(x, given=None, *, axes=None):
    found = axes_of(given, axes) or []
    rank = x.ndim + len(found)
    places = {placed(a, rank) for a in found}
    sizes = iter(x.shape)
    return x.reshape([1 if i in places else next(sizes) for i in range(rank)])


@over_u8
def concat(*parts, axis=1):
    return joined(parts, placed(axis, next(part.ndim for part in parts if not part.is_known)))


def split(node, x, sizes=None, *, axis=0, split=None, num_outputs=None):
    x = x.with_elements()
    axis = placed(axis, x.ndim)
    given = split if sizes is None else integers(sizes, "the sizes of a split")
    size = x.shape[axis]
    if given is None:
        count = num_outputs or node.outputs
        each = -(-size // count)
        given = [max(0, min(each, size - each * i)) for i in range(count)]
    given = [int(n) for n in given]
    if sum(given) != size:
        raise Unsupported(f"a split of {size} into {given}")
    return parts_of(x, given, axis)


def slice_(node, x, begin=None, stop=None, along=None, steps=None):
    """Until ONNX 10 starts and ends are attributes."""
    first, last, places = (node.attribute(name) for name in ("starts", "ends", "axes"))
    if begin is not None:
        first, last = (integers(each, "a slice's place") for each in (begin, stop))
        places = axes_of(along, places)
    by = known(steps, "a slice's step")
    places = list(range(len(first))) if places is None else places
    for n, (axis, start, end) in enumerate(zip(places, first, last)):
        axis = placed(axis, x.ndim)
        step = 1 if by is None else int(by[n])
        first_of, stop, step = _bounds(int(start), int(end), step, x.shape[axis])
        if step > 0:
            x = sliced(x, {axis: (first_of, max(first_of, stop), step)})
        else:
            x = picked(x, axis, range(first_of, stop, step))
        if x.is_known:
            return np.zeros(_sizes(x, places[n + 1 :], first[n + 1 :], last[n + 1 :]), x.numpy)
    return x


def _bounds(start: int, end: int, step: int, size: int) -> tuple[int, int, int]:
    return slice(start, None if step < 0 and end < -size else end, step).indices(size)


def _sizes(x, *later):
    if any(map(len, later)):
        raise Unsupported("a part without elements")
    return x.shape


def expand(x, shape):
    wanted = tuple(integers(shape, "the shape"))
    full = np.broadcast_shapes(x.shape, wanted)
    if 0 in full:
        return np.zeros(full, x.numpy)
    return x.broadcast_to(full)


@over_u8
def pad(node, x, wide=None, fill=None, axes=None):
    given, mode = node.attribute("pads"), node.attribute("mode", "constant")
    given = given if wide is None else integers(wide, "the pads")
    places = axes_of(axes, None)
    places = list(range(x.ndim)) if places is None else [placed(a, x.ndim) for a in places]
    low, high = dict(zip(places, given)), dict(zip(places, given[len(places) :]))
    if mode != "constant":
        return extended(x, low.values(), high.values(), mode, places)
    x = sliced(x, {a: (max(0, -low[a]), n - max(0, -high[a])) for a, n in enumerate(x.shape) if a in low})
    value = node.attribute("value", 0.0) if fill is None else known(fill, "what is beyond")
    number = np.asarray(value).reshape(()).item()
    number = int(number) if x.dtype[0] in "su" else number
    full = range(x.ndim)
    return padded(x, [max(0, low.get(a, 0)) for a in full], [max(0, high.get(a, 0)) for a in full], number)


def trilu(x, k=None, *, upper=1):
    return triangle(x, 0 if k is None else integer(k, "the diagonal"), bool(upper))


def eye_like(node, x, *, dtype=None, k=0):
    own = x.dtype if dtype is None else node.of_element(dtype)
    x.reserve(*x.shape)
    rows, columns = x.shape
    return np.eye(rows, columns, k=k, dtype=numpy_of(own))


def one_hot(indices, depth, values, *, axis=-1):
    n = integer(depth, "the depth")
    rank = indices.ndim + 1
    axis = placed(axis, rank)
    sizes = [*indices.shape[:axis], 1, *indices.shape[axis:]]
    wide = indices.reshape(sizes)
    wide = where(wide < 0, wide + n, wide)
    indices.reserve(n)
    count = along(rank, axis, np.arange(n, dtype=indices.numpy))
    is_there = wide == count
    off, on = (picked(values, 0, [i]).reshape(()) for i in range(2))
    return where(is_there, on, off)


def reverse_sequence(x, lengths, *, batch_axis=1, time_axis=0):
    parts = []
    for i, n in enumerate(integers(lengths, "the lengths")):
        at = np.arange(x.shape[time_axis])
        at[:n] = at[:n][::-1]
        parts.append(picked(picked(x, batch_axis, [i]), time_axis, at))
    return joined(parts, batch_axis)


def compress(x, condition, *, axis=None):
    if axis is None:
        x, axis = x.reshape((x.size,)), 0
    axis = placed(axis, x.ndim)
    return picked(x, axis, np.flatnonzero(known(condition, "what is taken")[: x.shape[axis]]))


@over_u8
def center_crop_pad(x, shape, *, axes=None):
    wanted = integers(shape, "the shape")
    for axis, n in zip([placed(a, x.ndim) for a in axes or range(x.ndim)], wanted):
        size = x.shape[axis]
        if n < size:
            start = (size - n) // 2
            x = sliced(x, {axis: (start, start + n)})
        low = max(0, n - size) // 2
        high = max(0, n - size) - low
        pads = [[m if a == axis else 0 for a in range(x.ndim)] for m in (low, high)]
        x = padded(x, pads[0], pads[1])
    return x


def of_numbers(*numbers):
    """What follows from numbers that say its size: computed by onnx's reference as soon as they are known."""
    for number in numbers:
        known(number, "a size")
    raise Unsupported("not computed by onnx's reference")


def range_(node, *numbers):
    """Known numbers, as far apart as told."""
    start, limit, step = (np.asarray(known(n, "where a range lies")).reshape(()) for n in numbers)
    count = max(0, int(np.ceil((limit.astype(np.float64) - start) / step)))
    node.reserve(count)
    return (start + np.arange(count) * step).astype(start.dtype)


def expand_dims(x, axis):
    place = integer(axis, "the axis")
    sizes = list(x.shape)
    sizes.insert(place if place >= 0 else place + len(sizes) + 1, 1)
    return x.reshape(sizes)


def _how(reduction: str) -> str:
    """How the language's scatter joins old and new elements."""
    return "set" if reduction == "none" else reduction


def scatter_elements(x, places, part, *, axis=0, reduction="none"):
    return put_along_axis(x, places, part, placed(axis, x.ndim), _how(reduction))


@over_u8
def tensor_scatter(past, new, starts=None, *, axis=-2, mode="linear"):
    """New rows along an axis, from a place of each row of the batch on."""
    axis = placed(axis, past.ndim)
    if not axis:
        raise Unsupported("rows along the axis of the batch")
    starts = past.of(np.zeros(past.shape[0], np.int32)) if starts is None else narrow(starts)
    return overwritten_at(past, new, starts, axis, mode == "circular")


def features(x, places):
    found = x.take(places.ravel(), x.ndim - 1)
    return found.reshape((1, places.size)) if x.ndim == 1 else found


OPERATORS: OperatorTable = (
    ("Reshape", reshape),
    ("Squeeze", squeeze),
    ("Unsqueeze", unsqueeze),
    ("Split", split),
    ("Slice", slice_),
    ("Pad com.microsoft.Pad", pad),
    ("EyeLike", eye_like),
    ("Range", range_),
    ("Shape", lambda x, *, start=0, end=None: np.array(x.shape[start:end], np.int64)),
    ("Size", lambda x: np.array(x.size, np.int64)),
    ("Flatten", flatten),
    ("Transpose", lambda x, *, perm=None: x.transpose(perm or range(x.ndim)[::-1])),
    ("Concat", concat),
    ("Expand", expand),
    ("Tile", lambda x, times: repeated(x, integers(times, "how often"))),
    ("Trilu com.microsoft.Trilu", trilu),
    ("DepthToSpace", lambda x, *, blocksize, mode="DCR": depth_to_space(x, blocksize, mode == "DCR")),
    ("OneHot", one_hot),
    ("ReverseSequence", reverse_sequence),
    ("Compress", compress),
    ("CenterCropPad", center_crop_pad),
    ("com.microsoft.ExpandDims", expand_dims),
    ("ConstantOfShape MelWeightMatrix", of_numbers),
    ("Gather", lambda x, places, *, axis=0: take(x, places, placed(axis, x.ndim))),
    ("GatherElements", lambda x, places, *, axis=0: take_along_axis(x, places, placed(axis, x.ndim))),
    ("GatherND com.microsoft.GatherND", lambda x, places, *, batch_dims=0: take_rows(x, places, batch_dims)),
    ("ScatterElements Scatter", scatter_elements),
    ("ScatterND", lambda x, at, rows, *, reduction="none": put_rows(x, at, rows, _how(reduction))),
    ("TensorScatter", tensor_scatter),
    ("ai.onnx.ml.ArrayFeatureExtractor", features),
)
