"""Operators that move elements and compute none."""

from __future__ import annotations

from math import prod

import numpy as np

from ...readers.kinds import over_u8, placed
from ...readers.moving import along, broadcast, joined, padded, permuted, picked, repeated, reshaped, sliced
from ...readers.node import Unsupported
from .declaring import operator


@operator("Shape")
def shape(node, x):
    sizes = node.value(x).type.shape
    return np.array(sizes[slice(node.attribute("start", 0), node.attribute("end"))], np.int64)


@operator("Size")
def size(node, x):
    return np.array(node.value(x).type.elements, np.int64)


@operator("Reshape")
def reshape(node, x, wanted=None):
    x = node.value(x)
    given = node.attribute("shape") if wanted is None else node.known(wanted, "the shape")
    sizes = [int(n) for n in given]
    if not node.attribute("allowzero", 0):
        sizes = [x.type.shape[i] if n == 0 else n for i, n in enumerate(sizes)]
    if -1 in sizes:
        i = sizes.index(-1)
        sizes[i] = x.type.elements // max(1, prod(sizes[:i] + sizes[i + 1 :]))
    return reshaped(node, x, sizes)


@operator("Flatten")
def flatten(node, x):
    x = node.value(x)
    axis = node.attribute("axis", 1)
    axis += x.type.rank * (axis < 0)
    return reshaped(node, x, (prod(x.type.shape[:axis]), prod(x.type.shape[axis:])))


def axes_of(node, given, name="axes"):
    """Axes, from an input or an attribute; None where there are none."""
    found = node.known(given, "the axes") if given is not None else node.attribute(name)
    return None if found is None else [int(n) for n in np.asarray(found).reshape(-1)]


@operator("Squeeze")
def squeeze(node, x, axes=None):
    x = node.value(x)
    found = axes_of(node, axes)
    gone = (
        [i for i, n in enumerate(x.type.shape) if n == 1] if found is None else [placed(a, x.type.rank) for a in found]
    )
    if any(x.type.shape[i] != 1 for i in gone):
        raise Unsupported(f"axes {gone} of {x.type}, which have other sizes than 1")
    return reshaped(node, x, [n for i, n in enumerate(x.type.shape) if i not in gone])


@operator("Unsqueeze")
def unsqueeze(node, x, axes=None):
    x = node.value(x)
    found = axes_of(node, axes) or []
    rank = x.type.rank + len(found)
    places = {placed(a, rank) for a in found}
    sizes = iter(x.type.shape)
    return reshaped(node, x, [1 if i in places else next(sizes) for i in range(rank)])


@operator("Transpose")
def transpose(node, x):
    x = node.value(x)
    return permuted(node, x, node.attribute("perm") or range(x.type.rank)[::-1])


@operator("Concat")
@over_u8
def concat(node, *parts):
    rank = next(node.value(part).type.rank for part in parts if node.is_value(part))
    return joined(node, parts, node.axis(rank, 1))


@operator("Split")
def split(node, x, sizes=None):
    x = node.value(x)
    axis = node.axis(x.type.rank, 0)
    given = node.attribute("split") if sizes is None else node.known(sizes, "the sizes of a split")
    size = x.type.shape[axis]
    if given is None:
        count = node.attribute("num_outputs") or node.outputs
        each = -(-size // count)
        given = [max(0, min(each, size - each * i)) for i in range(count)]
    found, at = [], 0
    for n in map(int, given):
        found.append(sliced(node, x, {axis: (at, at + n)}))
        at += n
    if at != size:
        raise Unsupported(f"a split of {size} into {[int(n) for n in given]}")
    return found


@operator("Slice")
def slice_(node, x, starts=None, ends=None, axes=None, steps=None):
    x = node.value(x)
    if starts is None:
        first, last, places = node.attribute("starts"), node.attribute("ends"), node.attribute("axes")
    else:
        first, last = (node.known(each, "a slice's place").tolist() for each in (starts, ends))
        places = axes_of(node, axes)
    by = node.known(steps, "a slice's step")
    places = list(range(len(first))) if places is None else places
    for n, (axis, start, end) in enumerate(zip(places, first, last)):
        axis = placed(axis, x.type.rank)
        step = 1 if by is None else int(by[n])
        first_of, stop, step = _bounds(int(start), int(end), step, x.type.shape[axis])
        if step > 0:
            x = sliced(node, x, {axis: (first_of, max(first_of, stop), step)})
        else:
            x = picked(node, x, axis, range(first_of, stop, step))
        if not node.is_value(x):
            return np.zeros(_sizes(node, x, places[n + 1 :], first[n + 1 :], last[n + 1 :]), x.dtype)
    return x


def _bounds(start: int, end: int, step: int, size: int) -> tuple[int, int, int]:
    return slice(start, None if step < 0 and end < -size else end, step).indices(size)


def _sizes(node, x, *later):
    if any(map(len, later)):
        raise Unsupported("a part without elements")
    return x.shape


@operator("Expand")
def expand(node, x, shape):
    x = node.value(x)
    wanted = tuple(int(n) for n in node.known(shape, "the shape"))
    full = np.broadcast_shapes(x.type.shape, wanted)
    if 0 in full:
        return np.zeros(full, node.numpy(x.type.dtype))
    return broadcast(node, x, full)


@operator("Tile")
def tile(node, x, times):
    return repeated(node, x, [int(n) for n in node.known(times, "how often")])


@operator("Pad")
@over_u8
def pad(node, x, pads=None, fill=None, axes=None):
    x = node.value(x)
    given = node.attribute("pads") if pads is None else node.known(pads, "the pads").tolist()
    places = axes_of(node, axes)
    places = list(range(x.type.rank)) if places is None else [placed(a, x.type.rank) for a in places]
    low, high = dict(zip(places, given)), dict(zip(places, given[len(places) :]))
    mode = node.attribute("mode", "constant")
    if mode != "constant":
        for axis in places:
            node.room(x.type.shape[axis] + abs(int(low[axis])) + abs(int(high[axis])))
            x = picked(node, x, axis, _places(x.type.shape[axis], int(low[axis]), int(high[axis]), mode))
        return x
    x = sliced(node, x, {a: (max(0, -low[a]), n - max(0, -high[a])) for a, n in enumerate(x.type.shape) if a in low})
    value = node.attribute("value", 0.0) if fill is None else node.known(fill, "what is beyond")
    number = np.asarray(value).reshape(()).item()
    number = int(number) if x.type.dtype[0] in "su" else number
    full = range(x.type.rank)
    return padded(node, x, [max(0, low.get(a, 0)) for a in full], [max(0, high.get(a, 0)) for a in full], number)


def _places(size: int, low: int, high: int, mode: str) -> np.ndarray:
    """Where elements come from that are beyond what is there."""
    at = np.arange(-low, size + high)
    if mode == "edge":
        return np.clip(at, 0, size - 1)
    if mode == "wrap":
        return at % size
    if mode == "reflect":
        period = max(1, 2 * (size - 1))
        return np.abs((at + size - 1) % period - (size - 1)) if size > 1 else np.zeros_like(at)
    raise Unsupported(f"what is beyond is {mode}")


@operator("Trilu")
@over_u8
def trilu(node, x, k=None):
    x = node.value(x)
    by = 0 if k is None else int(node.known(k, "the diagonal"))
    node.room(*x.type.shape[-2:])
    mask = (np.triu if node.attribute("upper", 1) else np.tril)(np.ones(x.type.shape[-2:], bool), by)
    zero = np.zeros((), node.numpy(x.type.dtype))
    return node.call("where", mask, x, zero)


@operator("DepthToSpace")
def depth_to_space(node, x):
    x = node.value(x)
    n, c, h, w = x.type.shape
    by = node.attribute("blocksize")
    if node.attribute("mode", "DCR") == "DCR":
        apart = permuted(node, reshaped(node, x, (n, by, by, c // by**2, h, w)), (0, 3, 4, 1, 5, 2))
    else:
        apart = permuted(node, reshaped(node, x, (n, c // by**2, by, by, h, w)), (0, 1, 4, 2, 5, 3))
    return reshaped(node, apart, (n, c // by**2, h * by, w * by))


@operator("EyeLike")
def eye_like(node, x):
    x = node.value(x)
    wanted = node.attribute("dtype")
    dtype = x.type.dtype if wanted is None else node.of_element(wanted)
    node.room(*x.type.shape)
    rows, columns = x.type.shape
    return np.eye(rows, columns, k=node.attribute("k", 0), dtype=node.numpy(dtype))


@operator("OneHot")
def one_hot(node, indices, depth, values):
    indices = node.value(indices)
    n = int(np.asarray(node.known(depth, "the depth")).reshape(()))
    rank = indices.type.rank + 1
    axis = node.axis(rank, -1)
    sizes = [*indices.type.shape[:axis], 1, *indices.type.shape[axis:]]
    wide = reshaped(node, indices, sizes)
    wide = node.call("where", node.call("less", wide, 0), node.call("add", wide, n), wide)
    node.room(n)
    count = along(rank, axis, np.arange(n, dtype=node.numpy(indices.type.dtype)))
    is_there = node.call("equal", wide, count)
    off, on = (reshaped(node, picked(node, values, 0, [i]), ()) for i in range(2))
    return node.call("where", is_there, on, off)


@operator("ReverseSequence")
def reverse_sequence(node, x, lengths):
    x = node.value(x)
    batch, time = node.attribute("batch_axis", 1), node.attribute("time_axis", 0)
    parts = []
    for i, n in enumerate(node.known(lengths, "the lengths").tolist()):
        at = np.arange(x.type.shape[time])
        at[:n] = at[:n][::-1]
        parts.append(picked(node, picked(node, x, batch, [i]), time, at))
    return joined(node, parts, batch)


@operator("Compress")
def compress(node, x, condition):
    x = node.value(x)
    axis = node.attribute("axis")
    if axis is None:
        x, axis = reshaped(node, x, (x.type.elements,)), 0
    axis = placed(axis, x.type.rank)
    return picked(node, x, axis, np.flatnonzero(node.known(condition, "what is taken")[: x.type.shape[axis]]))


@operator("CenterCropPad")
@over_u8
def center_crop_pad(node, x, shape):
    x = node.value(x)
    wanted = [int(n) for n in node.known(shape, "the shape")]
    axes = [placed(a, x.type.rank) for a in node.attribute("axes") or range(x.type.rank)]
    for axis, n in zip(axes, wanted):
        size = x.type.shape[axis]
        if n < size:
            start = (size - n) // 2
            x = sliced(node, x, {axis: (start, start + n)})
        low = max(0, n - size) // 2
        high = max(0, n - size) - low
        pads = [[m if a == axis else 0 for a in range(x.type.rank)] for m in (low, high)]
        x = padded(node, x, pads[0], pads[1])
    return x


@operator("ConstantOfShape", "MelWeightMatrix")
def of_numbers(node, *numbers):
    """What follows from numbers that say its size: computed by onnx's reference as soon as they are known."""
    for number in numbers:
        node.known(number, "a size")
    raise Unsupported("not computed by onnx's reference")


@operator("Range")
def range_(node, *numbers):
    """Known numbers, as far apart as told."""
    start, limit, step = (np.asarray(node.known(n, "where a range lies")).reshape(()) for n in numbers)
    count = max(0, int(np.ceil((limit.astype(np.float64) - start) / step)))
    node.room(count)
    return (start + np.arange(count) * step).astype(start.dtype)
