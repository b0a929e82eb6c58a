"""Operations that move elements and compute none."""

from __future__ import annotations

import numpy as np

from ...operators.array import numpy_of, sliced, where
from ...operators.kinds import over_u8
from ...operators.moving import along, between, joined, padded, repeated, split, stacked
from ...tables import OperatorTable
from ..attributes import axes_of, bounds_of, number_of, numbers_of, padding_of


def broadcast_in_dim(node, x, broadcast_dimensions, **how):
    """The axes of x become these axes of the result."""
    sizes = [1] * len(node.shape)
    for size, axis in zip(x.shape, broadcast_dimensions):
        sizes[int(axis)] = size
    return x.reshape(sizes).broadcast_to(node.shape)


def reshape(node, x, dimensions=None, **how):
    return (x if dimensions is None else x.transpose(dimensions)).reshape(node.shape)


def slice_(x, start_indices, limit_indices, strides=None):
    steps = strides or [1] * len(start_indices)
    return sliced(x, dict(enumerate(zip(start_indices, limit_indices, steps))))


def transpose(x, permutation):
    return x.transpose(permutation)


@over_u8
def concatenate(*parts, dimension):
    return joined(parts, int(dimension))


def reverse(x, dimensions):
    parts = {int(a): (n - 1, -1, -1) for a in dimensions if (n := x.shape[a]) > 1}
    return sliced(x, parts) if parts else x


def iota(node, *sizes, dimension, **how):
    node.reserve(*node.shape)
    own = np.arange(node.shape[dimension]).astype(numpy_of(node.dtype_given))
    return np.broadcast_to(along(len(node.shape), dimension, own), node.shape)


def pad(node, x, value, padding_config):
    """Numbers around x and between its elements; less than none of them cuts."""
    if 0 in x.shape:
        return value.broadcast_to(node.shape)
    return over_u8(_pad)(node, x, value, padding_config=padding_config)


def _pad(node, x, value, padding_config):
    config = [tuple(map(int, each)) for each in padding_config]
    if value.is_known:
        return _padded(x, config, _number(value))
    x.reserve(*node.shape)
    inside = _padded(x.of(np.ones(x.shape, np.uint8)), config, 0)
    result = _padded(x, config, 0)
    return where(inside != 0, result, value)


def _number(value):
    number = np.asarray(value).reshape(())
    return number.item() if number.dtype.kind in "iub" else float(number)


def _padded(x, config, fill):
    x = between(x, [inner if n else 0 for n, (_, _, inner) in zip(x.shape, config)], fill)
    sizes = x.shape
    low, high = ([max(0, each[side]) for each in config] for side in (0, 1))
    wide = padded(x, low, high, fill)
    parts = {
        a: (max(0, -before), max(0, -before) + n + before + after)
        for a, (n, (before, after, _)) in enumerate(zip(sizes, config))
        if before < 0 or after < 0
    }
    return sliced(wide, parts) if parts else wide


OPERATORS: OperatorTable = (
    ("broadcast_in_dim", broadcast_in_dim, "", {"broadcast_dimensions": axes_of("dims", "broadcast_dimensions")}),
    ("reshape", reshape),
    ("squeeze expand_dims", lambda node, x, **how: x.reshape(node.shape)),
    ("iota", iota, "", {"dimension": number_of("dim", "iota_dimension")}),
    ("pad", pad, "", {"padding_config": padding_of}),
    ("transpose", transpose, "", {"permutation": numbers_of("dims", "permutation")}),
    ("concatenate", concatenate, "", {"dimension": number_of("dim", "dimension")}),
    (
        "slice",
        slice_,
        "",
        {name: bounds_of(place, name) for place, name in enumerate(("start_indices", "limit_indices", "strides"))},
    ),
    ("split", split),
    ("rev", reverse, "reverse", {"dimensions": numbers_of("dims", "dimensions")}),
    ("tile", lambda x, reps: repeated(x, times=reps)),
    ("stack", over_u8(lambda *parts, axis: stacked(parts, int(axis)))),
)
