"""The programs of calls that are written as they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...engine.program.sequence import SequencePart
from ...engine.program.stage import Stage
from ...machine.target import Target
from ..custom.kernel import CustomKernel, Making, SolvedOp
from ..custom.stages import stage_of
from ..parts import ModelPart
from ..solved import MadeProgram, Numbers
from ..value import OpaqueOp
from .call import ArrayCall


@dataclass(frozen=True, eq=False)
class ArrayProgram(MadeProgram):
    """A call that is written as it is: no search is made for it, and there is no tree.

    Attributes:
        call: what it computes.
        target: the machine that it is for.
        threads: how many it may run on.
    """

    call: ArrayCall
    target: Target
    threads: int

    @property
    def opaque(self) -> ArrayCall:
        """What it computes."""
        return self.call

    @cached_property
    def stage(self) -> Stage:
        """Its function, on all threads where that costs less."""
        return stage_of(self.call, self.target, self.threads)

    @property
    def cost(self) -> float:
        """Cycles of a call."""
        return self.stage.cost

    def explain(self) -> str:
        """What it is, as text."""
        return f"{self}   cost {self.cost:,.0f} cycles"

    def __str__(self) -> str:
        return str(self.call)

    def numbered(self, part: ModelPart, numbers: Numbers) -> SequencePart:
        """The function over numbered tensors."""
        return SequencePart(tuple(map(numbers.own, part.reads)), tuple(numbers.given(part).values()), self.stage)


class WrittenAsTheyAre(CustomKernel):
    """The kinds of `arrays`."""

    opaque = ArrayCall
    are_one = True

    def made(self, opaque: OpaqueOp, making: Making) -> SolvedOp:
        """Its function."""
        assert isinstance(opaque, ArrayCall)
        program = ArrayProgram(opaque, making.target, making.threads)
        return SolvedOp(program, program.cost, program.cost)
