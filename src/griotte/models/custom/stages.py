"""Programs of parts that are one loop which no search makes: of calls of the language, of calls over whole arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

from ...codegen.teams import stage_function
from ...compiler.programs import Program
from ...compiler.programs.partitioned import NONE
from ...engine.program.sequence import Sequence
from ...engine.program.sequence_parts import SequencePart, Stage
from ...engine.vectors.library import VectorLibrary
from ...engine.vectors.text import indent
from ...machine.target import Target
from ..parts import MadeProgram, ModelPart, Numbers
from ..value import OpaqueOp
from .arrays.call import ArrayCall
from .kernel import CustomKernel, CustomProgram, Implementation, Making, SolvedOp
from .loop import KernelLoop, Lines


def stage_of(loop: KernelLoop, target: Target, threads: int) -> Stage:
    """A loop as a function, on all threads that have a share of it where that costs less."""
    cost, by = loop.cost(target), min(threads, loop.shares)
    shared = cost / by + target.coefficient["fork"]
    cost, by = (shared, by) if by > 1 and shared < cost else (cost, 1)
    return Stage(loop.title, cost, by, partial(_text, loop, by), loop.is_open)


def _text(loop: KernelLoop, threads: int, library: VectorLibrary, target: Target, name: str) -> str:
    """The C of a loop: over all steps, or over the shares of threads."""
    given = ({"m": "int64_t"} if loop.is_open else {}) | loop.arguments(library)
    lines = lambda first, end: list(_flat(loop.loop(first, end, library, target)))
    return stage_function(name, given, loop.steps, threads, lines)


def _flat(lines: Lines) -> Iterator[str]:
    for line in lines:
        yield from [line] if isinstance(line, str) else indent(list(_flat(line)))


@dataclass(frozen=True, eq=False, repr=False)
class StageProgram(CustomProgram):
    """A part that is one such loop, which moves more than it computes.

    Attributes:
        loop: what runs.
        reads: the places, among the inputs of the part's Spec, of what it reads.
    """

    loop: KernelLoop = field(kw_only=True)
    reads: tuple[int, ...] = field(kw_only=True)

    @cached_property
    def stage(self) -> Stage:
        return stage_of(self.loop, self.target, self.threads)

    @property
    def cost(self) -> float:
        return self.stage.cost

    @property
    def floor(self) -> float:
        """None: what it moves may be in caches."""
        return 0.0

    @property
    def searched(self) -> tuple[Program, ...]:
        return ()

    @cached_property
    def sequence(self) -> Sequence:
        types, inputs = (*self.spec.inputs, self.spec.outputs[0]), len(self.spec.inputs)
        known = tuple(i if t.constant else None for i, t in enumerate(types))
        return Sequence(types, inputs, (inputs,), known, (SequencePart(self.reads, (inputs,), self.stage),))

    def __str__(self) -> str:
        return str(self.loop)

    def explain(self) -> str:
        return f"{self}   cost {self.cost:,.0f} cycles"


def as_stage(
    part: ModelPart, loop: KernelLoop, reads: tuple[int, ...], making: Making, instead: bool
) -> Implementation:
    """A loop as what computes a part; `instead` of its search, or beside it."""
    target, threads = making.target, making.threads
    program = StageProgram(part.spec, part.spec, NONE, target, threads, loop=loop, reads=reads)
    return Implementation((), lambda _: program, instead)


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
        return self.call

    @cached_property
    def stage(self) -> Stage:
        """Its function, on all threads where that costs less."""
        return stage_of(self.call, self.target, self.threads)

    @property
    def cost(self) -> float:
        return self.stage.cost

    def explain(self) -> str:
        return f"{self}   cost {self.cost:,.0f} cycles"

    def __str__(self) -> str:
        return str(self.call)

    def numbered(self, part: ModelPart, numbers: Numbers) -> SequencePart:
        return SequencePart(tuple(map(numbers.own, part.reads)), tuple(numbers.given(part).values()), self.stage)


class WrittenAsTheyAre(CustomKernel):
    """The kinds of `arrays`."""

    opaque = ArrayCall
    are_one = True

    def made(self, opaque: OpaqueOp, making: Making) -> SolvedOp:
        assert isinstance(opaque, ArrayCall)
        program = ArrayProgram(opaque, making.target, making.threads)
        return SolvedOp(program, program.cost, program.cost)
