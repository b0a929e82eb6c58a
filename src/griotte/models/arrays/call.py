"""A call over whole arrays that no nest of the language is: written as it is. Each kind is one class, in a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...codegen.text import indent
from ...codegen.vector import VectorLibrary
from ...ir.tensor import TensorType
from ...program.stage import Stage
from ...targets.target import Target
from ..value import Attributes, ValueMaker


@dataclass(frozen=True)
class ArrayCall(ValueMaker):
    """A call over row-major arrays of these types.

    Attributes:
        arity: how many operands the kind has.
        options: what else it is given: words, of which the first stands where it is left out, or a whole number.
        operands: their types.
        attributes: those, in order.
    """

    arity: ClassVar[int]
    options: ClassVar[Mapping[str, tuple[str, ...] | int]] = {}

    operands: tuple[TensorType, ...]
    attributes: Attributes = ()

    @property
    def takes(self) -> tuple[TensorType, ...]:
        """The types of its operands."""
        return self.operands

    @abstractmethod
    def cost(self, target: Target) -> float:
        """Cycles of a call."""

    @abstractmethod
    def body(self, scalars: list[str]) -> list[str]:
        """Of a C function of `x0, x1 .., y0, y1 ..`, of which the types of C are given."""

    def stage(self, target: Target) -> Stage:
        """Its C."""
        return Stage(str(self), self.cost(target), 1, self._source)

    def _source(self, library: VectorLibrary, target: Target, name: str) -> str:
        scalars = [library.scalar(type.dtype) for type in (*self.takes, *self.types)]
        formals = [f"const {scalar} *x{n}" for n, scalar in enumerate(scalars[: len(self.takes)])]
        formals += [f"{scalar} *y{n}" for n, scalar in enumerate(scalars[len(self.takes) :])]
        body = indent(self.body(scalars))
        return "\n".join([f"static void {name}({', '.join(formals)})", "{", *body, "}", ""])

    def given(self, key: str) -> Any:
        """One of its attributes."""
        return dict(self.attributes)[key]

    def run(self, interpret: Any, *arrays: Any) -> tuple[np.ndarray, ...]:
        """What it means, in NumPy."""
        return self.meaning(*map(np.asarray, arrays))

    @abstractmethod
    def meaning(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """What it gives."""

    def __str__(self) -> str:
        given = [*map(str, self.takes), *(f"{key}={value}" for key, value in self.attributes)]
        return f"{self.call}({', '.join(given)})"

    __repr__ = __str__
