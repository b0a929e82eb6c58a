"""The programs of calls that are written as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ...codegen.stages import stage_function
from ...program.sequence import SequencePart
from ...program.stage import Stage
from ...targets.target import Target
from ...vectors.library import VectorLibrary
from ...vectors.text import indent
from ..custom.kernel import CustomKernel, Making, SolvedOp, over_threads
from ..parts import ModelPart
from ..solved import MadeProgram, Numbers
from ..value import OpaqueOp
from .call import ArrayCall, Lines


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
        cost, by = over_threads(self.call.cost(self.target), self.call.shares, self.target, self.threads)
        return Stage(str(self.call), cost, by, _ArrayText(self.call, by), self.call.is_open)

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


@dataclass(frozen=True)
class _ArrayText:
    """The C of a call."""

    call: ArrayCall
    threads: int

    def __call__(self, library: VectorLibrary, target: Target, name: str) -> str:
        call = self.call
        given = {"m": "int64_t"} if call.is_open else {}
        given |= {f"x{n}": f"const {library.scalar(type.dtype)} *" for n, type in enumerate(call.takes)}
        given |= {f"y{n}": f"{library.scalar(type.dtype)} *" for n, type in enumerate(call.types)}
        loop = lambda first, end: list(_flat(call.loop(first, end, library, target)))
        return stage_function(name, given, call.steps, self.threads, loop)


def _flat(lines: Lines) -> Iterator[str]:
    for line in lines:
        yield from [line] if isinstance(line, str) else indent(list(_flat(line)))


class WrittenAsTheyAre(CustomKernel):
    """The kinds of `arrays`."""

    opaque = ArrayCall
    are_one = True

    def made(self, opaque: OpaqueOp, making: Making) -> SolvedOp:
        """Its function."""
        assert isinstance(opaque, ArrayCall)
        program = ArrayProgram(opaque, making.target, making.threads)
        return SolvedOp(program, program.cost, program.cost)
