"""What the text of a StableHLO module says: functions of operations, which have regions of others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...support.errors import SpecError


@dataclass(frozen=True)
class ArrayType:
    """The type of a result, as the program tells it."""

    dtype: str
    shape: tuple[int, ...]


@dataclass
class StableHloOperation:
    """One operation as it is written.

    Attributes:
        name: with its dialect, "stablehlo.add".
        results: names of what it gives.
        line: where it is.
        operands: names of what it takes.
        arguments: names of what its regions take, where they stand before the operands.
        attributes: what else it is given, by the words before `=`.
        words: the words that stand by themselves.
        regions: programs that it runs.
        takes: the types of its operands; empty where they are those of its results.
        gives: the types of its results.
    """

    name: str
    results: tuple[str, ...] = ()
    line: int = 0
    operands: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    takes: tuple[ArrayType, ...] = ()
    gives: tuple[ArrayType, ...] = ()

    def given(self, *names: str) -> Any:
        """An attribute, by one of its names."""
        for name in names:
            if name in self.attributes:
                return self.attributes[name]
        raise SpecError(f"expected {names[0]} of {self.name}, found none; write it")

    def get(self, *names: str) -> Any:
        """The same; None where it is left out."""
        return next((self.attributes[name] for name in names if name in self.attributes), None)


@dataclass(frozen=True)
class Region:
    """A program: operations; the last says what it gives.

    Attributes:
        inputs: names and types of what it takes.
        operations: in order.
        results: names of what it gives.
    """

    inputs: tuple[tuple[str, ArrayType], ...]
    operations: tuple[StableHloOperation, ...]
    results: tuple[str, ...]


@dataclass(frozen=True)
class Module:
    """Functions by name; `main` is the program."""

    functions: Mapping[str, Region] = field(default_factory=dict)
    main: str = "main"
