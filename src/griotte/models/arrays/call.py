"""A call over whole arrays that no nest of the language is: written as it is. Each kind is one class, in a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...codegen.stages import stage_function
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

    @property
    def shares(self) -> int:
        """How many steps there are that threads may share out."""
        return 1

    @abstractmethod
    def loop(self, first: str, end: str, library: VectorLibrary, target: Target) -> list[str]:
        """The steps from one to before another, in C, of `x0, x1 .., y0, y1 ..`."""

    def stage(self, target: Target, threads: int) -> Stage:
        """Its C, on all threads where that costs less."""
        alone, by = self.cost(target), min(threads, self.shares)
        shared = alone / by + target.coefficient["fork"]
        by = by if by > 1 and shared < alone else 1
        return Stage(str(self), min(alone, shared) if by > 1 else alone, by, _CallText(self, by))

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


@dataclass(frozen=True)
class _CallText:
    """The C of a call."""

    call: ArrayCall
    threads: int

    def __call__(self, library: VectorLibrary, target: Target, name: str) -> str:
        call = self.call
        given = {f"x{n}": f"const {library.scalar(type.dtype)} *" for n, type in enumerate(call.takes)}
        given |= {f"y{n}": f"{library.scalar(type.dtype)} *" for n, type in enumerate(call.types)}
        loop = lambda first, end: call.loop(first, end, library, target)
        return stage_function(name, given, call.shares, self.threads, loop)
