"""What readers share of products."""

from __future__ import annotations

from .kinds import kind
from .moving import reshaped


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
    found = node.call("matmul", x, y, dtype=dtype)
    shape = list(found.type.shape)
    if right:
        shape.pop(-1)
    if left:
        shape.pop(-1 if right else -2)
    return reshaped(node, found, shape)
