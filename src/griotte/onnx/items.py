"""What a node reads and gives while a model is read."""

from __future__ import annotations

from collections.abc import MutableMapping

import onnx

from ..lang.types.dtypes import dtype_name
from ..readers.node import Item, Missing, Unsupported
from ..support.errors import SpecError

Scope = MutableMapping[str, Item | Missing]
"""What there is, by name."""


def dtype_of(element: int) -> str:
    """The dtype of an ONNX element type."""
    try:
        return dtype_name(onnx.helper.tensor_dtype_to_np_dtype(element))
    except (KeyError, TypeError, ValueError, SpecError):
        names = {v: k for k, v in onnx.TensorProto.DataType.items()}
        raise Unsupported(f"a tensor of {names.get(element, f'type {element}, which is none')}") from None
