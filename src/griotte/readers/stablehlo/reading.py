"""Parts that readers of XLA's programs share: how one operation is read, and the notes of one that griotte lacks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from ...lang.types.dtypes import dtype as row
from ...lang.types.tensor import tensor
from ...models.graph import ModelValue
from ...support.errors import SpecError
from ..node import Missing, OverBound, Reading, ReadNode, Unsupported, known
from ..operators.array import item_of
from .bodies import RegionBody
from .module import ArrayType
from .operators import OPERATORS, REFUSED

XlaOperation = TypeVar("XlaOperation")


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
    gives: tuple[ArrayType, ...] = field(default=(), repr=False)

    @property
    def title(self) -> str:
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

    def ran(self, body: Any, arguments: list[Any]) -> list[Any]:
        """What a program within the program gives of these items; Unsupported where griotte lacks some of it."""
        result = self.reader.inner(body, item_of(arguments))
        if self.lacks(result):
            raise Unsupported("a body that is not covered")
        return self.array(result)


class XlaReading(Reading, ABC):
    """The graph of a program of XLA's operations, as it grows."""

    @abstractmethod
    def inner(self, body: Any, arguments: Sequence[Any]) -> list[Any]:
        """What a program within the program gives of these items."""

    @abstractmethod
    def body(self, source: Any) -> RegionBody:
        """The view of a program within the program."""

    def input(self, name: str, wanted: ArrayType) -> Any:
        """What the program takes by a name."""
        if wanted.dtype.startswith("!"):
            return self.lack(name, "input", f"an array of {wanted.dtype[1:]}")
        if 0 in wanted.shape:
            return np.zeros(wanted.shape, row(wanted.dtype).numpy)
        return self.builder.input(tensor(wanted.shape, wanted.dtype, name=name), name)

    def guarded(
        self, name: str, operator: str, reads: Sequence[Any], count: int, read: Callable[[list[Any]], list[Any]]
    ) -> list[Any]:
        """What an operation gives of what it reads; Missing, and a note of why, where griotte lacks it."""
        if any(isinstance(each, Missing) for each in reads):
            return [Missing()] * count
        try:
            return read([known(each) for each in reads])
        except OverBound:
            raise
        except SpecError as why:
            return [self.lack(name, operator, why)] * count

    @staticmethod
    def require_dtypes(gives: Sequence[ArrayType]) -> None:
        """Unsupported where a result is of a dtype that the language lacks."""
        for wanted in gives:
            if wanted.dtype.startswith("!"):
                raise Unsupported(f"an array of {wanted.dtype[1:]}")

    @staticmethod
    def require_declared(operator: str) -> None:
        """Unsupported, and why, where an operation is not declared."""
        if operator not in OPERATORS:
            raise Unsupported(REFUSED.get(operator, "no such operation here"))

    def made(self, node: XlaNode, reads: Sequence[Any], attributes: Mapping[str, Any]) -> list[Any]:
        """What an operation gives, by its declaration, of the types that the program tells."""
        self.require_declared(node.operator)
        if node.gives and all(0 in wanted.shape for wanted in node.gives):
            return [np.zeros(wanted.shape, row(wanted.dtype).numpy) for wanted in node.gives]
        result = node.read_by(OPERATORS[node.operator].function, *reads, **attributes)
        several = list(result) if isinstance(result, (tuple, list)) else [result]
        return [self.fitting(node, wanted, each) for wanted, each in zip(node.gives, several, strict=True)]

    def fitting(self, node: XlaNode, wanted: ArrayType, result: Any) -> Any:
        """A result of the dtype and the shape that the program tells."""
        if isinstance(result, Missing):
            return result
        sizes = result.type.shape if isinstance(result, ModelValue) else np.shape(result)
        if sizes != wanted.shape:
            raise Unsupported(f"griotte gives {list(sizes)} for it, the program {list(wanted.shape)}")
        if not node.is_value(result):
            return np.asarray(known(result)).astype(row(wanted.dtype).numpy, copy=False)
        return node.fitted(result, wanted.dtype)


def live_operations(
    operations: Sequence[XlaOperation],
    results: Iterable[Any],
    gives: Callable[[XlaOperation], Sequence[Any]],
    reads: Callable[[XlaOperation], Iterable[Any]],
) -> list[XlaOperation]:
    """The operations whose results are read, or which give nothing, in order."""
    read, result = set(results), []
    for op in reversed(operations):
        own = gives(op)
        if not own or not read.isdisjoint(own):
            result.append(op)
            read.update(reads(op))
    return result[::-1]
