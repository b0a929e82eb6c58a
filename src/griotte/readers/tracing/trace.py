"""The graph that grows while a function is traced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...lang.types.dtypes import dtype_name, require_unmasked
from ...models.graph import GraphBuilder, ModelValue
from ...support.errors import SpecError
from ..operators.calls import ArrayCalls

NumpyTable = Mapping[str, Callable[..., Any]]
METHODS = {
    name: {"flatten": "ravel"}.get(name, name)
    for name in (
        "all any argmax argmin clip cumprod cumsum diagonal dot flatten max mean min prod ravel repeat round squeeze"
        " std sum swapaxes take trace var"
    ).split()
}
"""Methods of arrays that are functions: by name, the name of the function."""
REDUCED = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}
ACCUMULATED = {"add": "cumsum", "multiply": "cumprod"}


class Trace(ArrayCalls):
    """A graph that grows while a function is traced.

    Attributes:
        builder: makes the graph.
        functions: NumPy's, by name from `numpy.` on. Each takes what NumPy's own takes, as traced arrays.
        ufuncs: by name. Each takes arrays of the graph, or numbers, of the dtypes of NumPy's loop.
    """

    name, labels = "", ()

    def __init__(self, functions: NumpyTable, ufuncs: NumpyTable) -> None:
        self.builder, self.functions, self.ufuncs = GraphBuilder(), functions, ufuncs

    def value(self, item: Any) -> ModelValue:
        """A value of the graph; a constant where it is an array."""
        if isinstance(item, ModelValue):
            return item
        require_unmasked(item, "a constant of a traced function")
        array = np.asarray(item)
        if not array.size:
            raise SpecError(f"expected arrays that have elements, found shape {array.shape}; leave it out")
        return self.builder.constant(np.array(array, order="K"))  # the user's own may be written to later

    @staticmethod
    def dtype(item: Any) -> str:
        """griotte's name of a dtype."""
        return item.type.dtype if isinstance(item, ModelValue) else dtype_name(np.asarray(item).dtype)
