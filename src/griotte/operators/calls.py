"""What adds calls to a graph: of values, known arrays and numbers. Readers of models and traced functions are such."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import SpecError
from ..ir.dtypes import dtype, dtype_name
from ..models.value import ModelValue


class Unsupported(SpecError):
    """Why an operator is refused."""


class TooLong(Unsupported):
    """Why a loop is refused, and not read turn by turn either."""


class OverBound(SpecError):
    """Why a model is not read on."""


class ArrayCalls:
    """The graph that arrays belong to."""

    is_open = False
    """Whether the graph is one of several that sizes are left open of."""

    def value(self, item: Any) -> ModelValue:
        """A value of the graph; of what is known a constant."""
        raise NotImplementedError

    def call(self, call: str, *reads: Any, **attributes: Any) -> ModelValue:
        """A call of the language over values, known arrays and numbers."""
        raise NotImplementedError

    def array_call(self, call: str, *reads: Any, **attributes: str | int) -> tuple[ModelValue, ...]:
        """What a call over whole arrays gives that no nest of the language is."""
        raise NotImplementedError

    def turning(self, trips: int) -> Any:
        """While the body of a loop of so many turns is built, the builder of the loop."""
        raise NotImplementedError

    def room(self, *sizes: int, item: int = 8) -> None:
        """Account for an array of these sizes, its elements of so many bytes, that is about to be made; OverBound where
        that is over the bound."""

    def need(self, size: int) -> None:
        """Tell that the open size has to be so much at least."""

    def known(self, item: Any, what: str) -> np.ndarray | None:
        """What must be known before the call: its data; None where it is left out."""
        raise NotImplementedError

    @staticmethod
    def is_value(item: Any) -> bool:
        """Whether it is not known before the call."""
        return isinstance(item, ModelValue) and item.array is None

    @staticmethod
    def numpy(name: str) -> np.dtype[Any]:
        """NumPy's dtype."""
        return dtype(name).numpy

    @staticmethod
    def dtype(item: Any) -> str:
        """griotte's name of a dtype."""
        if isinstance(item, ModelValue):
            return item.type.dtype
        found = np.asarray(item).dtype
        try:
            return dtype_name(found)
        except SpecError:
            raise Unsupported(f"a tensor of {found}") from None

    def cast(self, item: Any, wanted: str) -> ModelValue:
        """In another dtype, by the language's rules."""
        return self.value(item) if self.dtype(item) == wanted else self.call("cast", item, dtype=wanted)

    def number(self, value: float, like: Any) -> ModelValue:
        """A number as an array of rank 0, of another's dtype."""
        return self.value(np.asarray(value).astype(self.numpy(self.dtype(like))))
