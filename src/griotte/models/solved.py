"""Parts of a model and their programs: what is asked of any of them."""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from ..compiler.programs import Program
from ..compiler.reports.report import ProgramReport, TextReport
from ..engine.program.sequence_parts import SequenceLoop, SequencePart
from ..lang.types.tensor import TensorType
from ..machine.target import Target
from .graph import ModelGraph, ModelValue
from .parts import ModelPart


class Numbers(Protocol):
    """The tensors of a model, numbered.

    Attributes:
        types: those of all.
        known: of what is a constant, or is computed of one alone, that constant's number.
    """

    types: list[TensorType]
    known: list[int | None]

    def own(self, value: ModelValue) -> int:
        """The number of a value as it lies itself."""

    def put(self, value: ModelValue, number: int) -> None:
        """Let a value as it lies itself have a number."""

    def new(self, type: TensorType, constant: int | None = None) -> int:
        """The number of another tensor."""

    def room(self, type: TensorType) -> int:
        """A tensor that holds two of a type, each on a cache line."""

    def given(self, part: ModelPart) -> dict[int, int]:
        """The tensors of all that an OpaqueOp gives, by its results, those too that nothing reads."""

    def parts_of(self, solved: SolvedPart, graph: ModelGraph) -> list[SequencePart | SequenceLoop]:
        """What runs for a part of a graph."""


class MadeProgram(ABC):
    """The program of what an OpaqueOp gives."""

    root: None = None
    searched: tuple[Program, ...] = ()

    @property
    def within(self) -> tuple[ModelGraph, tuple[SolvedPart, ...], int] | None:
        """Of a loop its body, the parts of that in the order in which they run, and how often they do."""
        return None

    @property
    @abstractmethod
    def opaque(self) -> Any:
        """What it computes."""

    @property
    @abstractmethod
    def cost(self) -> float:
        """Cycles of a call."""

    @property
    def apart(self) -> float:
        """The same, of its atoms as parts of their own."""
        return self.cost

    @property
    def report(self) -> ProgramReport:
        """What is told of it."""
        return TextReport(self)

    @abstractmethod
    def explain(self) -> str:
        """What it is, as text."""

    @abstractmethod
    def numbered(self, part: ModelPart, numbers: Numbers) -> SequencePart | SequenceLoop:
        """It over numbered tensors."""


@dataclass(frozen=True, eq=False)
class SolvedPart:
    """A part of a model and its program; parts alike have the same one. Without a program it is a view.

    Attributes:
        apart: cycles of its atoms as parts of their own, calls included: what the next best cut would have cost here.
    """

    part: ModelPart
    program: Program | MadeProgram | None
    apart: float = 0.0

    def each(self, turns: int = 1) -> Iterator[tuple[SolvedPart, int]]:
        """The parts that are searched as one, and how often each runs: of a loop those of its body, else itself."""
        within = self.program.within if isinstance(self.program, MadeProgram) else None
        if within is None:
            yield self, turns
            return
        _, parts, times = within
        for part in parts:
            yield from part.each(turns * times)


def cost_of(parts: Iterable[SolvedPart], target: Target) -> float:
    """Cycles of parts, and of calling each."""
    called = [each.program.cost for each in parts if each.program is not None]
    return sum(called) + len(called) * target.cost({"call": 1})


def listed(parts: Iterable[SolvedPart]) -> str:
    """The programs of parts, as text."""
    return "\n".join(f"part {n}, {each.part.title}:{_indented(each.program)}" for n, each in enumerate(parts, 1))


def _indented(program: Program | MadeProgram | None) -> str:
    return "  nothing moves" if program is None else f"\n{textwrap.indent(str(program), '  ')}"
