"""Operations that move elements and compute none."""

from __future__ import annotations

import numpy as np

from ...readers.moving import along, between, broadcast, joined, padded, permuted, repeated, reshaped, sliced, stacked
from .declaring import known, operator, over_u8


@operator("broadcast_in_dim")
def broadcast_in_dim(node, x, broadcast_dimensions, **how):
    """The axes of x stand where they are told to in the result."""
    sizes = [1] * len(node.shape)
    for size, axis in zip(node.sizes(x), broadcast_dimensions):
        sizes[int(axis)] = size
    return broadcast(node, reshaped(node, x, sizes), node.shape)


@operator("reshape", "squeeze", "expand_dims")
def reshape(node, x, dimensions=None, **how):
    if node.operator == "reshape" and dimensions is not None:
        x = permuted(node, x, dimensions)
    return reshaped(node, x, node.shape)


@operator("transpose")
def transpose(node, x, permutation):
    return permuted(node, x, permutation)


@operator("concatenate")
@over_u8
def concatenate(node, *parts, dimension):
    return joined(node, parts, int(dimension))


@operator("slice")
def slice_(node, x, start_indices, limit_indices, strides=None):
    steps = strides or [1] * len(start_indices)
    return sliced(node, x, dict(enumerate(zip(start_indices, limit_indices, steps))))


@operator("split")
def split(node, x, sizes, axis):
    found, at = [], 0
    for size in sizes:
        found.append(sliced(node, x, {axis: (at, at + size)}))
        at += size
    return found


@operator("rev")
def reverse(node, x, dimensions):
    parts = {int(a): (n - 1, -1, -1) for a in dimensions if (n := node.sizes(x)[a]) > 1}
    return sliced(node, x, parts) if parts else x


@operator("tile")
def tile(node, x, reps):
    return repeated(node, x, reps)


@operator("stack")
@over_u8
def stack(node, *parts, axis):
    return stacked(node, parts, int(axis))


@operator("iota")
def iota(node, *sizes, dimension, **how):
    node.room(*node.shape)
    own = np.arange(node.shape[dimension]).astype(node.numpy(node.dtype_given))
    return np.broadcast_to(along(len(node.shape), dimension, own), node.shape)


@operator("pad")
def pad(node, x, value, padding_config):
    """Numbers around x and between its elements; less than none of them cuts."""
    if 0 in node.sizes(x):
        return broadcast(node, value, node.shape)
    return over_u8(_pad)(node, x, value, padding_config=padding_config)


def _pad(node, x, value, padding_config):
    config, value = [tuple(map(int, each)) for each in padding_config], known(value)
    if not node.is_value(value):
        return _padded(node, node.value(x), config, _number(value))
    node.room(*node.shape)
    inside = _padded(node, node.value(np.ones(node.sizes(x), np.uint8)), config, 0)
    found = _padded(node, node.value(x), config, 0)
    return node.call("where", node.call("not_equal", inside, 0), found, value)


def _number(value):
    number = np.asarray(value).reshape(())
    return number.item() if number.dtype.kind in "iub" else float(number)


def _padded(node, x, config, fill):
    x = between(node, x, [inner if n else 0 for n, (_, _, inner) in zip(x.type.shape, config)], fill)
    sizes = x.type.shape
    low, high = ([max(0, each[side]) for each in config] for side in (0, 1))
    wide = padded(node, x, low, high, fill)
    parts = {
        a: (max(0, -before), max(0, -before) + n + before + after)
        for a, (n, (before, after, _)) in enumerate(zip(sizes, config))
        if before < 0 or after < 0
    }
    return sliced(node, wide, parts) if parts else wide
