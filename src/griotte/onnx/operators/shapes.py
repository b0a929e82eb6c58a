"""Operators that move elements and compute none."""

from __future__ import annotations

from math import prod

import numpy as np

from .declaring import Unsupported, operator


def reshaped(node, x, shape):
    """x in another shape."""
    x = node.value(x)
    shape = tuple(int(n) for n in shape)
    if x.array is not None:
        return node.value(x.array.reshape(shape))
    return x if x.type.shape == shape else node.call("reshape", x, shape=shape)


@operator("Shape")
def shape(node, x):
    sizes = node.value(x).type.shape
    start, end = node.attribute("start", 0), node.attribute("end")
    return np.array(sizes[start:end], np.int64)


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
    gone = [i for i, n in enumerate(x.type.shape) if n == 1] if found is None else [a % x.type.rank for a in found]
    return reshaped(node, x, [n for i, n in enumerate(x.type.shape) if i not in gone])


@operator("Unsqueeze")
def unsqueeze(node, x, axes=None):
    x = node.value(x)
    found = axes_of(node, axes) or []
    rank = x.type.rank + len(found)
    places = {a % rank for a in found}
    sizes = iter(x.type.shape)
    return reshaped(node, x, [1 if i in places else next(sizes) for i in range(rank)])


@operator("Transpose")
def transpose(node, x):
    x = node.value(x)
    perm = node.attribute("perm") or list(range(x.type.rank))[::-1]
    return x if list(perm) == list(range(x.type.rank)) else node.call("transpose", x, perm=tuple(perm))


@operator("Concat")
def concat(node, first, *others):
    first = node.value(first)
    axis = node.attribute("axis", 1) % first.type.rank
    for other in others:
        first = node.call("concat", first, other, axis=axis)
    return first


@operator("Split")
def split(node, x, sizes=None):
    x = node.value(x)
    axis = node.attribute("axis", 0) % x.type.rank
    given = node.attribute("split") if sizes is None else node.known(sizes, "the sizes of a split")
    if given is None:
        count = node.attribute("num_outputs") or node.outputs
        each = -(-x.type.shape[axis] // count)
        given = [min(each, x.type.shape[axis] - each * i) for i in range(count)]
    found, at = [], 0
    for n in map(int, given):
        found.append(sliced(node, x, {axis: (at, at + n)}))
        at += n
    return found


def sliced(node, x, parts):
    """The part of x from start to limit, along some axes."""
    starts = [parts.get(i, (0, n))[0] for i, n in enumerate(x.type.shape)]
    limits = [parts.get(i, (0, n))[1] for i, n in enumerate(x.type.shape)]
    if all(s == 0 for s in starts) and tuple(limits) == x.type.shape:
        return x
    return node.call("slice", x, starts=tuple(starts), limits=tuple(limits))


@operator("Slice")
def slice_(node, x, starts=None, ends=None, axes=None, steps=None):
    x = node.value(x)
    if starts is None:
        first, last, along = node.attribute("starts"), node.attribute("ends"), node.attribute("axes")
    else:
        first, last = (node.known(each, "a slice's place").tolist() for each in (starts, ends))
        along = axes_of(node, axes)
    by = node.known(steps, "a slice's step")
    along = list(range(len(first))) if along is None else along
    parts = {}
    for n, (axis, start, end) in enumerate(zip(along, first, last)):
        size = x.type.shape[axis]
        begin, stop, step = slice(int(start), int(end), 1 if by is None else int(by[n])).indices(size)
        if step != 1:
            raise Unsupported(f"a slice by steps of {step}")
        parts[axis % x.type.rank] = (begin, stop)
    return sliced(node, x, parts)


@operator("Expand")
def expand(node, x, shape):
    x = node.value(x)
    wanted = tuple(int(n) for n in node.known(shape, "the shape"))
    full = np.broadcast_shapes(x.type.shape, wanted)
    if x.type.rank < len(full):
        x = reshaped(node, x, (1,) * (len(full) - x.type.rank) + x.type.shape)
    return x if x.type.shape == full else node.call("broadcast", x, shape=full)


@operator("Gather")
def gather(node, x, indices):
    x = node.value(x)
    axis = node.attribute("axis", 0) % x.type.rank
    known = None if not isinstance(indices, np.ndarray) else indices
    if known is not None and known.ndim == 0:
        at = int(known) % x.type.shape[axis]
        part = sliced(node, x, {axis: (at, at + 1)})
        return reshaped(node, part, [n for i, n in enumerate(x.type.shape) if i != axis])
    if axis:
        raise Unsupported(f"a look-up along axis {axis}")
    return node.call("take", x, indices)
