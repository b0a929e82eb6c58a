"""A solved Spec that is cut at whole arrays: a program for each group of its calls, one after the other in one C
function."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from ...codegen.emit import EmittedFunction, UnitWriter
from ...codegen.sequence import add_sequence
from ...engine.program import printer
from ...engine.program.sequence import Sequence, are_ahead
from ...engine.program.sequence_parts import SequencePart
from ...lang.calls.calls import CallGraph
from ...lang.calls.spec import shortened
from ...support.errors import SpecError
from ..partition import Steps, placed_calls
from ..reports.report import PartitionedReport, ProgramReport
from .dynamic import DynamicProgram
from .program import Program

if TYPE_CHECKING:
    from ...engine.learned.ranking import GivenModel


NONE: Any = None  # in place of the one tree that there is none of


@dataclass(frozen=True, eq=False)
class ProgramPart:
    """Calls that are one part, and their program; None where they are a view, which nothing runs for."""

    steps: Steps
    program: Program | None


@dataclass(frozen=True, eq=False, repr=False)
class PartitionedProgram(Program):
    """A Spec in parts, each the program of least cost of its calls; whole arrays lie between them. `canonical` is the
    Spec as stated, and there is no one tree.

    Attributes:
        parts: in the order in which they run, those that run ahead of the call among them.
    """

    parts: tuple[ProgramPart, ...] = field(kw_only=True)

    @cached_property
    def calls(self) -> CallGraph:
        """What the parts are of."""
        return placed_calls(self.spec)

    def tensors(self, part: ProgramPart) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The numbers of what a part reads, and of what it gives."""
        calls = self.calls
        own = [calls.calls[s] for s in part.steps]
        return calls.numbers(calls.read_by(own)), calls.numbers(calls.given_by(own))

    @cached_property
    def sequence(self) -> Sequence:
        """The programs over numbered tensors."""
        calls = self.calls
        parts = tuple(
            SequencePart(*self.tensors(part))
            if part.program is None
            else SequencePart(*self.tensors(part), part.program.root, part.program.canonical)
            for part in self.parts
        )
        return Sequence(calls.types, len(calls.inputs), calls.numbers(calls.gives), calls.known, parts)

    @cached_property
    def called(self) -> list[ProgramPart]:
        """The parts that a call runs."""
        is_ahead = lambda part: are_ahead(self.tensors(part)[1], self.calls.known)
        return [part for part in self.parts if part.program is not None and not is_ahead(part)]

    @property
    def cost(self) -> float:
        """Cycles of a call: of its parts, and of calling each."""
        return sum(part.program.cost for part in self.called if part.program) + len(self.called) * self.target.cost(
            {"call": 1}
        )

    def __str__(self) -> str:
        found = []
        for part in self.parts:
            if part.program is None:
                found.append(f"{self.title(part)}: nothing moves")
                continue
            own = printer.text(part.program.root, self.target, self.names(part))
            found.append(f"{self.title(part)}:\n{textwrap.indent(own, '  ')}")
        return "\n".join(found)

    def title(self, part: ProgramPart) -> str:
        """What a part reads, computes and gives: `x0 x1 -> t5: conv2d, add, relu`."""
        words = ", ".join(self.calls.calls[s].spec.name for s in part.steps)
        read, given = (" ".join(self.tensor_names[t] for t in tensors) for tensors in self.tensors(part))
        ahead = "ahead of the call, " * (part.program is not None and part not in self.called)
        return f"{ahead}{read} -> {given}: {words}"

    @cached_property
    def tensor_names(self) -> tuple[str, ...]:
        """What tensors are called before people: x0, x1, .. as they come in, t5, t6, .. between parts; y, y0, y1, .."""
        results = self.calls.numbers(self.calls.gives)
        given = {t: "y" if len(results) == 1 else f"y{n}" for n, t in enumerate(results)}
        return tuple(
            given.get(t, f"x{t}" if t < len(self.calls.inputs) else f"t{t}") for t in range(len(self.calls.types))
        )

    def names(self, part: ProgramPart) -> tuple[str, ...]:
        """What the operands of a part's program are called."""
        assert part.program is not None
        own, spec = self.tensor_names, part.program.canonical
        reads, results = self.tensors(part)
        given = {f"x{i}": own[t] for i, t in enumerate(reads)}
        given |= {"y": own[results[-1]]} | {f"y{n}": own[t] for n, t in enumerate(results)}
        return tuple(given.get(name, f"x{i}") for i, name in enumerate(spec.operand_names))

    @property
    def is_partitioned(self) -> bool:
        return True

    @property
    def searched(self) -> tuple[Program, ...]:
        return tuple(each for part in self.called if part.program for each in part.program.searched)

    @cached_property
    def largest(self) -> Program:
        return self if self.spec.dynamic is None else self.at(self.spec.dynamic.bound)

    def at(self, size: int) -> Program:
        """Of a dynamic size, the programs for one size, 1 to the bound; SpecError for others."""
        spec = self.spec.at(size)
        fixed = lambda program: program.at(size) if isinstance(program, DynamicProgram) else program
        parts = tuple(replace(part, program=fixed(part.program)) for part in self.parts)
        return replace(self, spec=spec, canonical=spec, parts=parts, stats=dict(self.stats))

    @cached_property
    def groups(self) -> list[tuple[tuple[int, ...], Program]]:
        """Of a dynamic size: (sizes, the programs for the largest of them); within each group every part keeps to one
        of its own."""
        dynamic = [part.program for part in self.parts if isinstance(part.program, DynamicProgram)]
        found: dict[tuple[int, ...], list[int]] = {}
        for size in range(1, (self.spec.dynamic.bound if self.spec.dynamic else 0) + 1):
            own = (next(i for i, (sizes, _) in enumerate(program.groups) if size in sizes) for program in dynamic)
            found.setdefault(tuple(own), []).append(size)
        return [(tuple(sizes), self.at(sizes[-1])) for sizes in found.values()]

    def _counted(self) -> float:
        return sum({id(part.program): part.program.count() for part in self.parts if part.program}.values())

    def alternatives(self, k: int = 10, model: GivenModel | None = None) -> list[Program]:
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            return super().alternatives(k)
        if model is not None:
            raise SpecError(
                f"expected a Spec that is one search beside model, found one that is cut: {shortened(self.spec)}; leave"
                " model out, or ask for those of its parts"
            )
        return [replace(self, parts=parts, stats=dict(self.stats)) for parts, _ in zip(self._cheapest(k), range(k))]

    def _cheapest(self, k: int) -> Iterator[tuple[ProgramPart, ...]]:
        """The parts in the order of what they cost together, where the cuts stay: one part takes its next best at a
        time."""
        free = [i for i, part in enumerate(self.parts) if part in self.called]
        ranked = {i: program.alternatives(k) for i in free if (program := self.parts[i].program) is not None}
        start = (0,) * len(free)
        heap, met = [(0.0, start)], {start}
        while heap:
            more, places = heappop(heap)
            chosen = dict(zip(free, places))
            yield tuple(
                replace(part, program=ranked[i][chosen[i]]) if i in chosen else part
                for i, part in enumerate(self.parts)
            )
            for n, i in enumerate(free):
                further = (*places[:n], places[n] + 1, *places[n + 1 :])
                if further[n] < len(ranked[i]) and further not in met:
                    met.add(further)
                    step = ranked[i][further[n]].cost - ranked[i][places[n]].cost
                    heappush(heap, (more + step, further))

    @property
    def report(self) -> ProgramReport:
        return PartitionedReport(self)

    def requests(self) -> str:
        return "\n".join(
            f"{self.title(part)}:\n{textwrap.indent(part.program.requests(), '  ')}"
            for part in self.parts
            if part.program
        )

    def written(self, writer: UnitWriter, name: str) -> EmittedFunction:
        return add_sequence(writer, self.sequence, self.spec, name)
