"""A custom kernel: C of its own, with a price of its own, past the space of programs that is searched.

Each is one declaration, in the file of its kind, and a row of kernels.py. It makes the only program of an OpaqueOp (a
loop, a call over whole arrays). Of calls of the language it makes a program in place of their search (copies by rows),
or beside it (Winograd's filtering).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from ...compiler.programs import Program
from ...compiler.reports.report import ProgramReport, TextReport
from ...engine.program.sequence import Sequence as ProgramSequence
from ...lang.calls.spec import Spec
from ...machine.target import Target
from ..graph import ModelGraph, ModelValue
from ..parts import MadeProgram, ModelPart, SolvedPart
from ..value import OpaqueOp


@dataclass(frozen=True)
class SolvedGraph:
    """A graph within a model, cut and solved.

    Attributes:
        graph: as it was cut.
        parts: in the order in which they run.
        cost: cycles, as they count in a cut.
        bound: those that no cut goes below.
        tried, possible: parts that were solved, and that there may be.
        in_order: whether only cuts in one order were looked at.
    """

    graph: ModelGraph
    parts: tuple[SolvedPart, ...]
    cost: float
    bound: float
    tried: int
    possible: int
    in_order: bool


class Making(Protocol):
    """The solver of a model, as custom kernels need it."""

    target: Target
    threads: int

    def copied(self, spec: Spec) -> Program:
        """The program of a copy, whose search takes no time."""

    def within(self, graph: ModelGraph, turns: int) -> SolvedGraph:
        """A graph that runs so many times in a call of this one, solved."""


@dataclass(frozen=True)
class Implementation:
    """How a CustomKernel computes a part.

    Attributes:
        asks: the Specs that must be searched for it.
        program: makes its program of theirs.
        instead: whether the part is not searched as it is written.
    """

    asks: tuple[Spec, ...]
    program: Callable[[Mapping[Spec, Program]], CustomProgram]
    instead: bool


@dataclass(frozen=True)
class SolvedOp:
    """The program of an OpaqueOp, its cost in a cut, a bound on that, and the parts that were tried within it."""

    program: MadeProgram
    cost: float
    bound: float
    tried: int = 0
    possible: int = 0
    in_order: bool = False


class CustomKernel:
    """How some parts are computed. By default each method refuses.

    Attributes:
        opaque: the OpaqueOps that it serves, each a part of its own, in the layouts that it says.
        are_one: whether equal ones have one program.
        takes_open: whether it serves arrays with a dynamic size: its stages take the size of a call then.
        is_beside: whether what it serves is searched as well, so that effort 0 does without it.
    """

    opaque: ClassVar[type[OpaqueOp] | None] = None
    are_one: ClassVar[bool] = False
    takes_open: ClassVar[bool] = False
    is_beside: ClassVar[bool] = False

    def made(self, opaque: OpaqueOp, making: Making) -> SolvedOp:
        """The program of an OpaqueOp."""
        raise NotImplementedError

    def stands_alone(self, value: ModelValue) -> bool:
        """Whether a call is a fusion group of its own and is not searched, whatever the layouts. Where no custom kernel
        supports the layouts, the call has no program, and copies come before or behind it."""
        return False

    def alike(self, value: ModelValue) -> tuple[ModelValue, ...]:
        """What a call that stands alone reads and gives in one layout, or it has no program."""
        return ()

    def continues(self, value: ModelValue, before: ModelValue) -> bool:
        """Whether a call that stands alone is one with another such call that it alone reads."""
        return False

    def implementation(self, part: ModelPart, making: Making) -> Implementation | None:
        """How it computes a part; None where it does not serve it."""
        return None

    def follows(self, part: ModelPart) -> Hashable:
        """The known data, beside the part's Spec, on which its implementation depends."""
        return None

    def share(self, calls: Sequence[ModelValue]) -> float:
        """The least share of these calls' arithmetic that it leaves."""
        return 1.0


@dataclass(frozen=True, eq=False, repr=False)
class CustomProgram(Program, ABC):
    """The program of a part by a CustomKernel: several functions in a row; there is no one tree.

    Attributes:
        is_cautious: whether its price counts more where arrays lie in other layouts than their own, as that of a search
            does.
    """

    is_cautious: ClassVar[bool] = False

    @property
    def report(self) -> ProgramReport:
        """Its report."""
        return TextReport(self)

    @property
    @abstractmethod
    def sequence(self) -> ProgramSequence:
        """The functions over numbered tensors."""

    @property
    @abstractmethod
    def floor(self) -> float:
        """Cycles that the arithmetic takes at best as it is written, whatever the layouts."""
