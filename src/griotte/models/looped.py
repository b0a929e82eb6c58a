"""A loop, solved: its body is cut and solved once, as a model is."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace

from ..compiler.reports.model_html import LoopReport
from ..engine.program.sequence_parts import Carried, SequenceLoop, Turned
from ..machine.target import Target
from .custom.kernel import CustomKernel, Making, SolvedOp
from .graph import ModelGraph
from .loops import ModelLoop
from .parts import MadeProgram, ModelPart, Numbers, SolvedPart, cost_of, listed
from .value import OpaqueOp


@dataclass(frozen=True, eq=False)
class LoopProgram(MadeProgram):
    """A loop, solved: the parts of its body, which run one after the other at each turn.

    Attributes:
        loop: with the body as it was cut.
        parts: in the order in which they run.
        target: the machine that it is for.
    """

    loop: ModelLoop
    parts: tuple[SolvedPart, ...]
    target: Target

    @property
    def opaque(self) -> ModelLoop:
        """The loop."""
        return self.loop

    @property
    def within(self) -> tuple[ModelGraph, tuple[SolvedPart, ...], int]:
        """Its body, the parts of that, and how often they run."""
        return self.loop.body, self.parts, self.loop.trips

    def of(self, turn: float) -> float:
        """Cycles of all turns, each of so many."""
        return self.loop.trips * (turn + self.target.cost({"loop": 1}))

    @property
    def cost(self) -> float:
        """Cycles of all turns."""
        return self.of(cost_of(self.parts, self.target))

    @property
    def apart(self) -> float:
        """The same, of its atoms as parts of their own."""
        return self.of(sum(each.apart for each in self.parts))

    @property
    def report(self) -> LoopReport:
        return LoopReport(self)

    def explain(self) -> str:
        """Of each part what its own program says."""
        told = (f"{each.part.title}\n{each.program.explain()}" for each in self.parts if each.program is not None)
        return "\n\n".join((f"{self.loop.trips} turns, each of", *told))

    def __str__(self) -> str:
        return f"loop of {self.loop.trips}\n{textwrap.indent(listed(self.parts), '  ')}"

    def numbered(self, part: ModelPart, numbers: Numbers) -> SequenceLoop:
        """The loop over numbered tensors."""
        loop, body = self.loop, self.loop.body
        reads, gives = [numbers.own(value) for value in part.reads], numbers.given(part)
        inner = [numbers.new(v.type, numbers.known[t]) for v, t in zip(body.inputs[: loop.own], reads)]
        inner += reads[loop.own :]
        for value, number in zip(body.inputs, inner):
            numbers.put(value, number)
        parts = tuple(made for each in self.parts for made in numbers.parts_of(each, body))
        then, asked = [numbers.own(value) for _, value in body.results], {value.number for value in part.calls}
        carried = tuple(
            Carried(
                reads[n], inner[n], then[n], gives[n] if n in asked else None, numbers.room(numbers.types[inner[n]])
            )
            for n in range(loop.carried)
        )
        slices = zip(inner[loop.carried :], reads[loop.carried :], loop.slices)
        rows = ((then[n], gives[n], loop.rows[n - loop.carried]) for n in gives if n >= loop.carried and n in asked)
        turned = lambda each: tuple(Turned(*one) for one in each)
        return SequenceLoop(loop.trips, parts, carried, turned(slices), turned(rows))


class Loops(CustomKernel):
    """Loops: the price is that of the body's best cut and of the loop, times its turns."""

    opaque = ModelLoop

    def made(self, opaque: OpaqueOp, making: Making) -> SolvedOp:
        """The loop, its body cut once for all its turns."""
        assert isinstance(opaque, ModelLoop)
        found = making.within(opaque.body, opaque.trips)
        program = LoopProgram(replace(opaque, body=found.graph), found.parts, making.target)
        cost, bound = program.of(found.cost), program.of(found.bound)
        return SolvedOp(program, cost, bound, found.tried - 1, found.possible - 1, found.in_order)
