"""A call over whole arrays that no nest of the language is: written as it is. Each kind is one class, in a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ....lang.types.dtypes import dtype
from ....lang.types.tensor import TensorType
from ...value import Attributes, OpaqueOp
from ..loop import KernelLoop

if TYPE_CHECKING:  # a model that is read needs no code generator
    from ....engine.vectors.library import VectorLibrary


def is_of_own(type: TensorType) -> bool:
    """Whether its numbers are compared and added as they are: integers of whole bytes, floats of 32 bits and more."""
    row = dtype(type.dtype)
    return row.bits >= 32 if row.kind == "float" else row.kind in ("signed", "unsigned") and row.bits >= 8


@dataclass(frozen=True)
class ArrayCall(KernelLoop, OpaqueOp):
    """A call over row-major arrays of these types.

    Attributes:
        arity: how many operands the kind has.
        options: its other arguments: words, the first of them where it is left out, or a whole number.
        operands: their types.
        attributes: those, in order.
    """

    arity: ClassVar[int]
    options: ClassVar[Mapping[str, tuple[str, ...] | int]] = {}

    operands: tuple[TensorType, ...]
    attributes: Attributes = ()

    @property
    def takes(self) -> tuple[TensorType, ...]:
        return self.operands

    @property
    def rest(self) -> str:
        return "".join(f", {key}={value}" for key, value in self.attributes)

    @property
    def title(self) -> str:
        return str(self)

    @property
    def is_open(self) -> bool:
        return any(type.dynamic_axes for type in self.takes)

    def arguments(self, library: VectorLibrary) -> dict[str, str]:
        """`x0, x1 .., y0, y1 ..`"""
        found = {f"x{n}": f"const {library.scalar(type.dtype)} *" for n, type in enumerate(self.takes)}
        return found | {f"y{n}": f"{library.scalar(type.dtype)} *" for n, type in enumerate(self.types)}

    def over(self, types: tuple[TensorType, ...]) -> ArrayCall:
        """The same of other operands; SpecError where they do not fit."""
        found = replace(self, operands=types)
        assert found.types
        return found

    def given(self, key: str) -> Any:
        """One of its attributes."""
        return dict(self.attributes)[key]

    def run(self, interpret: Any, *arrays: Any) -> tuple[np.ndarray, ...]:
        return self.meaning(*map(np.asarray, arrays))

    def picks(self, of: Any) -> dict[int, int]:
        """None: most kinds take no places."""
        return {}

    @abstractmethod
    def meaning(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """What it gives."""

    def __str__(self) -> str:
        return f"{self.call}({', '.join(map(str, self.takes))}{self.rest})"

    __repr__ = __str__
