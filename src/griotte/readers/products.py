"""What readers share of products."""

from __future__ import annotations

import numpy as np

from .kinds import bits, kind
from .moving import along, picked, reshaped
from .numbers import wrapped


def multiplied(node, a, b, dtype=None):
    """A product as numpy.matmul has it."""
    x, y = node.value(a), node.value(b)
    left, right = x.type.rank == 1, y.type.rank == 1
    if left:
        x = reshaped(node, x, (1, *x.type.shape))
    if right:
        y = reshaped(node, y, (*y.type.shape, 1))
    if dtype is None and kind(x.type.dtype) != "float":
        dtype = x.type.dtype
    if dtype is not None and kind(dtype) != "float" and bits(dtype) < 32:  # which wraps
        found = wrapped(node, node.call("matmul", x, y, dtype="s32"), dtype)
    else:
        found = node.call("matmul", x, y, dtype=dtype)
    shape = list(found.type.shape)
    if right:
        shape.pop(-1)
    if left:
        shape.pop(-1 if right else -2)
    return reshaped(node, found, shape)


def weighed(node, x, axis: int, places: np.ndarray, weights: np.ndarray):
    """Sums along an axis of what lies at known places [sums, terms], by shares."""
    own = node.numpy(x.type.dtype)
    total = None
    for at, share in zip(places.T, weights.T):
        if not share.any():
            continue
        part = node.call("mul", picked(node, x, axis, at), along(x.type.rank, axis, share.astype(own)))
        total = part if total is None else node.call("add", total, part)
    return total
