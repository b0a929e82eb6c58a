"""Tensors that are known by their sizes, and casts."""

from __future__ import annotations

import numpy as np

from ...operators import numbers
from ...operators.array import bits, kind, numpy_of
from ...readers.tables import OperatorTable


def full_like(node, x, fill_value, dtype=None):
    return _of(node, fill_value)


def new_full(node, x, size, fill_value, dtype=None):
    return _of(node, fill_value)


def zeros_like(node, x, *size, dtype=None):
    return _of(node, 0)


def ones_like(node, x, *size, dtype=None):
    return _of(node, 1)


def _of(node, number):
    dtype = numpy_of(node.dtype_given)
    node.room(*node.shape, item=dtype.itemsize)
    return np.full(node.shape, number, dtype)


def fill(node, x, value):
    return value.astype(node.dtype_given).broadcast_to(node.shape)


def copy(node, x, src):
    found = src.astype(node.dtype_given)
    return found if found.shape == node.shape else found.broadcast_to(node.shape)


def to_copy(node, x, dtype=None):
    return converted(x, node.dtype_given)


def converted(x, dtype: str):
    """x as a dtype; of floats narrow integers are the last bits of what s32 has."""
    is_narrow = kind(dtype) in ("signed", "unsigned") and bits(dtype) < 32
    if is_narrow and kind(x.dtype) == "float":
        return numbers.wrapped(x.astype("s32"), dtype)
    return numbers.converted(x, dtype)


def same(x):
    return x


def scalar_tensor(node, number, dtype=None):
    return _of(node, number)


OPERATORS: OperatorTable = (
    ("full_like fill.Scalar", full_like),
    ("new_full", new_full),
    ("zeros_like empty_like new_zeros new_empty new_empty_strided empty_permuted", zeros_like),
    ("ones_like new_ones", ones_like),
    ("fill.Tensor", fill),
    ("copy", copy),
    ("_to_copy prims.convert_element_type.default", to_copy),
    ("scalar_tensor", scalar_tensor),
)


FUNCTIONS: OperatorTable = (("clone alias detach contiguous lift_fresh_copy", same),)
