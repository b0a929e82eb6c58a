"""Tensors that are known by their sizes, and casts."""

from __future__ import annotations

import numpy as np

from ...readers import numbers
from .declaring import bits, kind, operator


@operator("full_like", "fill.Scalar")
def full_like(node, x, fill_value, dtype=None):
    return _of(node, fill_value)


@operator("new_full")
def new_full(node, x, size, fill_value, dtype=None):
    return _of(node, fill_value)


@operator("zeros_like", "empty_like", "new_zeros", "new_empty", "new_empty_strided", "empty_permuted")
def zeros_like(node, x, *size, dtype=None):
    return _of(node, 0)


@operator("ones_like", "new_ones")
def ones_like(node, x, *size, dtype=None):
    return _of(node, 1)


def _of(node, number):
    dtype = node.numpy(node.dtype_given)
    node.room(*node.shape, item=dtype.itemsize)
    return np.full(node.shape, number, dtype)


@operator("fill.Tensor")
def fill(node, x, value):
    return node.call("broadcast", node.cast(value, node.dtype_given), shape=node.shape)


@operator("copy")
def copy(node, x, src):
    found = node.cast(src, node.dtype_given)
    return found if found.type.shape == node.shape else node.call("broadcast", found, shape=node.shape)


@operator("_to_copy", "prims.convert_element_type.default")
def to_copy(node, x, dtype=None):
    return converted(node, x, node.dtype_given)


def converted(node, x, dtype: str):
    """x as a dtype; of floats narrow integers are the last bits of what s32 has."""
    is_narrow = kind(dtype) in ("signed", "unsigned") and bits(dtype) < 32
    if is_narrow and kind(node.dtype(x)) == "float":
        return numbers.wrapped(node, node.cast(x, "s32"), dtype)
    return numbers.converted(node, x, dtype)


@operator("clone", "alias", "detach", "contiguous", "lift_fresh_copy")
def same(node, x):
    return x


@operator("scalar_tensor")
def scalar_tensor(node, number, dtype=None):
    return _of(node, number)
