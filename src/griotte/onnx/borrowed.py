"""Declarations of ONNX's operators as nodes of other readers take them."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from ..readers.node import Item, ReadNode
from .operators import OPERATORS

OPSET = 23  # as which declarations read such a node


def as_onnx(node: ReadNode, operator: str, *reads: Item, outputs: int = 1, **attributes: Any) -> Any:
    """What ONNX's operator of this name gives, by its declaration, as a part of another reader's node."""
    own = OfOnnx(node, operator, outputs, attributes)
    return own.array(OPERATORS["ai.onnx", operator](own, *reads))


class OfOnnx(ReadNode):
    """A node of another reader, or a part of it, as the declaration of an ONNX operator reads it."""

    opset = OPSET

    def __init__(self, node: ReadNode, operator: str, outputs: int, attributes: dict[str, Any]) -> None:
        self.reader, self.name, self.outputs = node.reader, node.name, outputs
        self.attributes = {
            k: list(v) if isinstance(v, Sequence) and not isinstance(v, str) else v
            for k, v in attributes.items()
            if v is not None
        }
        self.operator = operator
        self.proto = SimpleNamespace(output=[node.name] + ["also"] * (outputs - 1))

    @property
    def told(self) -> str:
        return f"{self.operator} {self.name}"

    @property
    def labels(self) -> list[str]:
        return [self.name]

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute's value."""
        return self.attributes.get(name, default)

    def axis(self, rank: int, default: int, name: str = "axis") -> int:
        """An attribute that is an axis of a tensor of this rank."""
        return int(self.attribute(name, default)) % max(rank, 1)  # a scalar has axis 0
