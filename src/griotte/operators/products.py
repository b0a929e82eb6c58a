"""What readers share of products."""

from __future__ import annotations

import numpy as np

from .array import bits, call, kind, wrapped
from .moving import along, picked


def multiplied(a, b, dtype=None):
    """A product as numpy.matmul has it."""
    x, y = a, b
    left, right = x.ndim == 1, y.ndim == 1
    if left:
        x = x.reshape((1, *x.shape))
    if right:
        y = y.reshape((*y.shape, 1))
    if dtype is None and kind(x.dtype) != "float":
        dtype = x.dtype
    if dtype is not None and kind(dtype) != "float" and bits(dtype) < 32:  # which wraps
        found = wrapped(call("matmul", x, y, dtype="s32"), dtype)
    else:
        found = call("matmul", x, y, dtype=dtype)
    shape = list(found.shape)
    if right:
        shape.pop(-1)
    if left:
        shape.pop(-1 if right else -2)
    return found.reshape(shape)


def weighed(x, axis: int, places: np.ndarray, weights: np.ndarray):
    """Sums along an axis of what lies at known places [sums, terms], by shares."""
    own = x.numpy
    total = None
    for at, share in zip(places.T, weights.T):
        if not share.any():
            continue
        part = picked(x, axis, at) * along(x.ndim, axis, share.astype(own))
        total = part if total is None else total + part
    return total
