"""A node of a graph of ATen that is being read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import torch

from ..models.value import ModelValue
from ..onnx.operators import OPERATORS as OF_ONNX
from ..readers.node import Item, ReadNode, Unsupported
from .tensors import name_of

OPSET = 23  # of ONNX, as which its declarations read a node


@dataclass
class AtenNode(ReadNode):
    """A call of an operator of ATen: what it gives by torch's own count, and calls of the language that are of it.

    Attributes:
        operator: its name and its overload, "add.Tensor".
        asked: the numbers of its results that are read; [0] of one that gives one.
        given: what it is called with, as torch describes that.
        gives: the types of its results, as torch tells them, None of what is no tensor.
    """

    reader: Any
    operator: str
    name: str
    asked: tuple[int, ...] = (0,)
    given: tuple[Any, ...] = field(default=(), repr=False)
    gives: tuple[Any, ...] = field(default=(), repr=False)

    @property
    def told(self) -> str:
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
    def dtype_shared(self) -> str:
        """The dtype in which torch compares or joins its first two operands."""
        return name_of(torch.result_type(*self.given[:2]))

    def named(self, dtype: Any) -> str:
        """griotte's name of a dtype of torch."""
        return name_of(dtype)

    def only(self, *numbers: int) -> None:
        """Unsupported where another result than these is read."""
        others = sorted(set(self.asked) - set(numbers))
        if others:
            raise Unsupported(f"result {others[0]} of it is read")

    def sizes(self, item: Item) -> tuple[int, ...]:
        """The sizes of a tensor, known or not."""
        return item.type.shape if isinstance(item, ModelValue) else tuple(getattr(item, "shape", ()))

    def attribute(self, name: str, default: Any = None) -> Any:
        """What shared declarations ask of a node of ONNX: as ONNX has it where nothing is said."""
        return default

    def as_onnx(self, operator: str, *reads: Item, outputs: int = 1, **attributes: Any) -> Any:
        """What ONNX's operator of this name gives, by its declaration."""
        return OF_ONNX["ai.onnx", operator](OfOnnx(self, operator, outputs, attributes), *reads)


class OfOnnx(ReadNode):
    """A node of ATen, or a part of it, as the declaration of an ONNX operator reads it."""

    opset = OPSET

    def __init__(self, node: AtenNode, operator: str, outputs: int, attributes: dict[str, Any]) -> None:
        self.reader, self.name, self.outputs = node.reader, node.name, outputs
        self.attributes = {
            k: list(v) if isinstance(v, Sequence) and not isinstance(v, str) else v
            for k, v in attributes.items()
            if v is not None
        }
        self.proto = SimpleNamespace(op_type=operator, output=[node.name] + ["also"] * (outputs - 1))

    @property
    def told(self) -> str:
        return f"{self.proto.op_type} {self.name}"

    @property
    def labels(self) -> list[str]:
        return [self.name]

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute's value."""
        return self.attributes.get(name, default)

    def axis(self, rank: int, default: int, name: str = "axis") -> int:
        """An attribute that is an axis of a tensor of this rank."""
        return int(self.attribute(name, default)) % rank
