"""An operation of XLA that is being read: a primitive of JAX, or an operation of StableHLO."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..node import ReadNode, Unsupported
from ..operators.array import item_of


@dataclass(frozen=True)
class Given:
    """The type of a result, as the program tells it."""

    dtype: str
    shape: tuple[int, ...]


@dataclass
class XlaNode(ReadNode):
    """An operation, and calls of the language that are of it.

    Attributes:
        operator: the primitive's name.
        name: where it stands in the program.
        gives: the types of its results.
    """

    reader: Any
    operator: str
    name: str
    gives: tuple[Given, ...] = field(default=(), repr=False)

    @property
    def told(self) -> str:
        return f"{self.operator} {self.name}"

    @property
    def labels(self) -> list[str]:
        return []

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its first result."""
        return self.gives[0].shape

    @property
    def dtype_given(self) -> str:
        """The dtype of its first result."""
        return self.gives[0].dtype

    def ran(self, body: Any, given: list[Any]) -> list[Any]:
        """What a program within the program gives of these items; Unsupported where griotte lacks some of it."""
        found = self.reader.inner(body, item_of(given))
        if self.lacks(found):
            raise Unsupported("a body that is not covered")
        return self.array(found)
