"""A graph that grows while a function is traced: values, known arrays and calls, as declared functions ask for them.
What operators of ONNX are made of (`onnx/operators/`) takes it for a node."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from ..errors import SpecError
from ..ir.dtypes import dtype_name, require_unmasked
from ..models.graph import GraphBuilder, ModelValue
from ..operators.calls import ArrayCalls


class CallBuilder(ArrayCalls):
    """The calls that are traced.

    Attributes:
        builder: makes the graph.
    """

    def __init__(self) -> None:
        self.builder = GraphBuilder()

    def value(self, item: Any) -> ModelValue:
        """A value of the graph; a constant where it is an array."""
        if isinstance(item, ModelValue):
            return item
        require_unmasked(item, "a constant of a traced function")
        array = np.asarray(item)
        if not array.size:
            raise SpecError(f"expected arrays that have elements, found shape {array.shape}; leave it out")
        return self.builder.constant(np.array(array, order="K"))  # the user's own may be written to later

    def call(self, call: str, *reads: Any, **attributes: Any) -> ModelValue:
        """A call of the language over values, known arrays and numbers."""
        given = [r if isinstance(r, (ModelValue, int, float)) else self.value(r) for r in reads]
        return self.builder.call(call, *given, **attributes)

    @staticmethod
    def dtype(item: Any) -> str:
        """griotte's name of a dtype."""
        return item.type.dtype if isinstance(item, ModelValue) else dtype_name(np.asarray(item).dtype)

    def scalar(self, number: Any, wanted: np.dtype[Any]) -> ModelValue | float:
        """A number as an operand of this dtype: a number of Python where the language takes that."""
        array = np.asarray(number).astype(wanted)
        plain = array.astype(np.float64).item() if wanted.kind not in "biu" else int(array.item())
        return self.value(array) if isnan(plain) else plain
