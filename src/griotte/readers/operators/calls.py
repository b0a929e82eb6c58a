"""What adds calls to a graph: of values, known arrays and numbers. Readers of models and traced functions are such."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...lang.types.dtypes import dtype_name
from ...models.custom.arrays import array_call
from ...models.graph import GraphBuilder
from ...models.loops import LoopBuilder
from ...models.value import ModelValue
from ...support.errors import SpecError


class Unsupported(SpecError):
    """Why an operator is refused."""


class TooLong(Unsupported):
    """Why a loop is refused, and not read turn by turn either."""


class OverBound(SpecError):
    """Why a model is not read on."""


class ArrayCalls(ABC):
    """The graph that arrays belong to.

    Attributes:
        builder: makes the graph.
        name: where calls come from.
        is_open: whether the graph is one of several that sizes are left open of.
    """

    builder: GraphBuilder
    name: str
    is_open: bool = False

    @property
    @abstractmethod
    def labels(self) -> Sequence[str]:
        """The names of results."""

    @abstractmethod
    def value(self, item: Any) -> ModelValue:
        """A value of the graph; a known array becomes a constant."""

    def call(self, call: str, *reads: Any, **attributes: Any) -> ModelValue:
        """A call of the language over values, known arrays and numbers."""
        given = [r if isinstance(r, (ModelValue, int, float)) else self.value(r) for r in reads]
        return self.builder.call(call, *given, name=next(iter(self.labels), ""), origin=self.name, **attributes)

    def array_call(self, call: str, *reads: Any, **attributes: str | int) -> tuple[ModelValue, ...]:
        """What a call over whole arrays gives that no nest of the language is."""
        values = tuple(map(self.value, reads))
        found = array_call(call, values, **attributes)
        labels = [*self.labels, *[""] * len(found.types)][: len(found.types)]
        return self.builder.make(found, *values, names=labels, origin=self.name)

    @contextmanager
    def looping(self, trips: int) -> Iterator[LoopBuilder]:
        """While the body of a loop of so many turns is built, the builder of the loop."""
        yield LoopBuilder(self.builder, trips)

    def reserve(self, *sizes: int, item: int = 8) -> None:  # noqa: B027
        """Account for an array of these sizes, its elements of so many bytes, that is about to be made; OverBound where
        that is over the bound."""

    def need(self, size: int) -> None:  # noqa: B027
        """Tell that the open size has to be so much at least."""

    def ask(self, item: ModelValue) -> None:  # noqa: B027
        """Note that a value was asked for that is not known."""

    def known(self, item: Any, what: str) -> np.ndarray | None:
        """What must be known before the call: its data; None where it is left out."""
        if isinstance(item, ModelValue):
            if item.array is not None:
                return item.array
            self.ask(item)
            raise Unsupported(f"{what} is not known before the call")
        return None if item is None else np.asarray(item)

    @staticmethod
    def is_value(item: Any) -> bool:
        """Whether it is not known before the call."""
        return isinstance(item, ModelValue) and item.array is None

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
