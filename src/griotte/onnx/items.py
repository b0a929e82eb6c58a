"""What a node reads and gives while a model is read."""

from __future__ import annotations

from collections.abc import MutableMapping

import numpy as np
import onnx

from ..errors import SpecError
from ..ir.dtypes import dtype_name
from ..models.graph import ModelValue
from .operators.declaring import Unsupported

Item = ModelValue | np.ndarray | None
"""A value of the graph, one that is known, or an input that is left out."""


class Missing:
    """What a refused node gives: whatever reads it is not read either."""


Scope = MutableMapping[str, Item | Missing]
"""What there is, by name."""


def dtype_of(element: int) -> str:
    """The dtype of an ONNX element type."""
    try:
        return dtype_name(onnx.helper.tensor_dtype_to_np_dtype(element))
    except (KeyError, TypeError, ValueError, SpecError):
        names = {v: k for k, v in onnx.TensorProto.DataType.items()}
        raise Unsupported(f"a tensor of {names.get(element, f'type {element}, which is none')}") from None
