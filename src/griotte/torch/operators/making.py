"""Tensors that are known by their sizes, and casts."""

from __future__ import annotations

import numpy as np

from ...readers.operators import numbers
from ...readers.operators.array import bits, kind, numpy_of
from ...readers.tables import OperatorTable


def filled(node, number):
    dtype = numpy_of(node.dtype_given)
    node.room(*node.shape, item=dtype.itemsize)
    return np.full(node.shape, number, dtype)


def converted(x, dtype: str):
    """x as a dtype; of floats narrow integers are the last bits of what s32 has."""
    is_narrow = kind(dtype) in ("signed", "unsigned") and bits(dtype) < 32
    if is_narrow and kind(x.dtype) == "float":
        return numbers.wrapped(x.astype("s32"), dtype)
    return numbers.converted(x, dtype)


def to_copy(node, x):
    return converted(x, node.dtype_given)


OPERATORS: OperatorTable = (
    ("full_like", lambda node, x, fill_value: filled(node, fill_value)),
    ("new_empty_strided empty_permuted", lambda node, x, *size: filled(node, 0)),
    ("copy", lambda node, x, src: src.astype(node.dtype_given).broadcast_to(node.shape)),
    ("_to_copy prims.convert_element_type.default", to_copy),
    ("scalar_tensor", filled),
    ("clone alias lift_fresh_copy", lambda x: x),
)
