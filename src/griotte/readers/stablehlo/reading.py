"""What readers of XLA's programs share: how one operation is read, and what is noted of one that griotte lacks."""

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


class XlaReading(Reading, ABC):
    """What is made of a program of XLA's operations."""

    @abstractmethod
    def inner(self, body: Any, given: Sequence[Any]) -> list[Any]:
        """What a program within the program gives of these items."""

    @abstractmethod
    def body(self, source: Any) -> RegionBody:
        """What is seen of a program within the program."""

    def input(self, name: str, given: ArrayType) -> Any:
        """What the program takes by a name."""
        if given.dtype.startswith("!"):
            return self.lack(name, "input", f"an array of {given.dtype[1:]}")
        if 0 in given.shape:
            return np.zeros(given.shape, row(given.dtype).numpy)
        return self.builder.input(tensor(given.shape, given.dtype, name=name), name)

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
        for given in gives:
            if given.dtype.startswith("!"):
                raise Unsupported(f"an array of {given.dtype[1:]}")

    @staticmethod
    def require_declared(operator: str) -> None:
        """Unsupported, and why, where an operation is not declared."""
        if operator not in OPERATORS:
            raise Unsupported(REFUSED.get(operator, "no such operation here"))

    def made(self, node: XlaNode, reads: Sequence[Any], attributes: Mapping[str, Any]) -> list[Any]:
        """What an operation gives, by its declaration, of the types that the program tells."""
        self.require_declared(node.operator)
        if node.gives and all(0 in given.shape for given in node.gives):
            return [np.zeros(given.shape, row(given.dtype).numpy) for given in node.gives]
        found = node.read_by(OPERATORS[node.operator].function, *reads, **attributes)
        several = list(found) if isinstance(found, (tuple, list)) else [found]
        return [self.fitting(node, given, each) for given, each in zip(node.gives, several, strict=True)]

    def fitting(self, node: XlaNode, given: ArrayType, found: Any) -> Any:
        """A result of the dtype and the shape that the program tells."""
        if isinstance(found, Missing):
            return found
        sizes = found.type.shape if isinstance(found, ModelValue) else np.shape(found)
        if sizes != given.shape:
            raise Unsupported(f"griotte gives {list(sizes)} for it, the program {list(given.shape)}")
        if not node.is_value(found):
            return np.asarray(known(found)).astype(row(given.dtype).numpy, copy=False)
        return node.fitted(found, given.dtype)


def live_operations(
    operations: Sequence[XlaOperation],
    results: Iterable[Any],
    gives: Callable[[XlaOperation], Sequence[Any]],
    reads: Callable[[XlaOperation], Iterable[Any]],
) -> list[XlaOperation]:
    """The operations whose results are read, or which give nothing, in order."""
    read, found = set(results), []
    for op in reversed(operations):
        own = gives(op)
        if not own or not read.isdisjoint(own):
            found.append(op)
            read.update(reads(op))
    return found[::-1]
