"""A node of a graph of ATen that is being read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from ..readers.node import ReadNode, Unsupported
from ..readers.operators.array import item_of
from .operators.declaring import AtenOperator, taken
from .tensors import name_of, part_of


@dataclass
class AtenNode(ReadNode):
    """A call of an operator of ATen: its results by torch's own count, and calls of the language that are of it.

    Attributes:
        operator: its name and its overload, "add.Tensor".
        asked: the numbers of its results that are read; [0] of one that gives one.
        given: its arguments, as torch describes them.
        gives: the types of its results, as torch tells them, None of a result that is no tensor.
    """

    reader: Any
    operator: str
    name: str
    asked: tuple[int, ...] = (0,)
    given: tuple[Any, ...] = field(default=(), repr=False)
    gives: tuple[Any, ...] = field(default=(), repr=False)

    def array(self, item: Any) -> Any:
        return item.map(self.array) if hasattr(item, "map") else super().array(item)

    @staticmethod
    def items(result: Any) -> Any:
        if isinstance(result, (list, tuple)):
            return [AtenNode.items(each) for each in result]
        return result.map(item_of) if hasattr(result, "map") else item_of(result)

    def take(self, function: AtenOperator, given: Mapping[str, Any]) -> Any:
        """What a function gives of what it takes of this, by the names of the schema, as arrays."""
        in_order, by_name = taken(function, given)
        return function(self, *map(self.array, in_order), **{key: self.array(each) for key, each in by_name.items()})

    @property
    def title(self) -> str:
        return f"{self.operator} {self.name}"

    @property
    def labels(self) -> list[str]:
        return [self.name]

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its first result."""
        return tuple(int(n) for n in self.gives[0].shape)

    @property
    def dtype_given(self) -> str:
        """The dtype of its first result."""
        return name_of(self.gives[0].dtype)

    @property
    def dtype_within(self) -> str:
        """That in which it is computed: of floats of 16 bits f32."""
        return "f32" if self.dtype_given in ("f16", "bf16") else self.dtype_given

    @property
    def is_complex(self) -> bool:
        """Whether its first result is of complex numbers."""
        return self.gives[0].dtype.is_complex

    @property
    def dtype_of_parts(self) -> str:
        """The dtype of the parts of the complex numbers that it gives, or reads."""
        dtypes = (each.dtype for each in (self.gives[0], *self.given) if isinstance(each, torch.Tensor))
        return name_of(next(dtype for dtype in dtypes if dtype.is_complex).to_real())

    def of_parts(self) -> AtenNode:
        """It as it is of the real or the imaginary parts alone."""
        return replace(self, gives=tuple(map(part_of, self.gives)))

    @property
    def dtype_shared(self) -> str:
        """The dtype in which torch compares or joins its first two operands."""
        return name_of(torch.result_type(*self.given[:2]))

    def only(self, *numbers: int) -> None:
        """Unsupported where another result than these is read."""
        others = sorted(set(self.asked) - set(numbers))
        if others:
            raise Unsupported(f"result {others[0]} of it is read")
