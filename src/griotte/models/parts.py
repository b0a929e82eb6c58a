"""Parts of a model, calls that are one search, as Specs over whole arrays; and the interface of their programs."""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ..compiler.programs import Program
from ..compiler.reports.report import ProgramReport, TextReport
from ..engine.program.sequence_parts import AnyPart
from ..lang.calls.compose import outputs
from ..lang.calls.spec import Spec
from ..lang.types.tensor import TensorType
from ..machine.target import Target
from .graph import ModelGraph, ModelValue, applied
from .layouts import ValueLayout, copied, own_layout


@dataclass(frozen=True, eq=False)
class ModelPart:
    """Calls that run as one: a Spec that is searched, or an OpaqueOp, which has one call for each of its results.

    Attributes:
        calls: in the graph's order.
        reads: the values of other calls that they read, in order.
        gives: the values that other calls read, or that are outputs of the model.
        of: the function from `reads` to `gives`; equal parts have one Spec. Its outputs have the layouts in which the
            values are stored.
        layout: the new layout, for a copy.
    """

    calls: tuple[ModelValue, ...]
    reads: tuple[ModelValue, ...]
    gives: tuple[ModelValue, ...]
    of: Any  # a Spec, an OpaqueOp, or loops side by side (forked.py)
    layout: str = ""

    @property
    def spec(self) -> Spec:
        """The Spec that is searched."""
        assert isinstance(self.of, Spec)
        return self.of

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes of the reader's file that it comes from."""
        return tuple(dict.fromkeys(value.origin for value in self.calls if value.origin))

    @property
    def words(self) -> tuple[str, ...]:
        """Its calls in words; for a copy its layout, for a part that is no Spec its own words."""
        if not isinstance(self.of, Spec):
            return self.of.words
        return tuple(value.call for value in self.calls) or (f"copy to {self.layout}",)

    @property
    def title(self) -> str:
        """Its calls and the nodes of the reader's file: `conv2d, relu (Conv_0, Relu_1)`."""
        calls = ", ".join(self.words)
        return f"{calls} ({', '.join(self.names)})" if self.names else calls

    @property
    def text(self) -> str:
        """Its function as text, which for a loop has the digest of the body."""
        return str(self.of)

    @property
    def flops(self) -> int:
        """Arithmetic operations of a run."""
        return self.of.flops

    @property
    def bytes(self) -> int:
        """Bytes of its operands and results."""
        return self.of.bytes


def part_of(
    graph: ModelGraph, calls: Iterable[ModelValue], stored: Mapping[ModelValue, ValueLayout] | None = None
) -> ModelPart:
    """These calls, in the graph's order, as a part.

    Args:
        graph: their graph.
        calls: some of its calls.
        stored: the layouts of values that are read or given in another layout than their own.
    """
    calls, stored = tuple(calls), stored or {}
    reads, gives = graph.read_by(calls), graph.given_by(calls)
    lies = lambda value: stored.get(value, own_layout(value))
    # by name, so that a value that is read twice is one input
    made: dict[ModelValue, Any] = {read: lies(read).read(_named(read, f"p{n}")) for n, read in enumerate(reads)}
    names = {f"p{n}": read for n, read in enumerate(reads)}
    for value in calls:
        is_other = lies(value).order != value.type.minor_to_major
        attributes = (*value.attributes, ("layout", lies(value).order)) if is_other else value.attributes
        made[value] = applied(value.call, value.reads_in(made), attributes)
    spec = outputs(*(lies(value).given(made[value]) for value in gives))
    order = tuple(names[each.type.name] for each in spec.graph.inputs)
    unnamed = replace(spec, inputs=tuple(replace(type, name="") for type in spec.inputs))  # that of parts alike is one
    return ModelPart(calls, order, gives, unnamed)


def copy_of(value: ModelValue, now: ValueLayout, then: ValueLayout) -> ModelPart:
    """A copy of a value into another layout."""
    return ModelPart((), (value,), (value,), copied(value.type, now, then), str(then))


def _named(value: ModelValue, name: str) -> TensorType:
    # one without data comes in by a call, and of one of a dynamic size each size reads another part
    is_packed = value.array is not None and value.type.dynamic is None
    return replace(value.type, constant=is_packed, name=name)


class Numbers(Protocol):
    """The tensors of a model, numbered.

    Attributes:
        types: those of all.
        known: of a value that is a constant, or is computed from one alone, that constant's number.
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

    def parts_of(self, solved: SolvedPart, graph: ModelGraph) -> list[AnyPart]:
        """What runs for a part of a graph."""


class MadeProgram(ABC):
    """The program of what an OpaqueOp gives."""

    root: None = None
    searched: tuple[Program, ...] = ()

    @property
    def within(self) -> tuple[ModelGraph, tuple[SolvedPart, ...], int] | None:
        """Of a loop its body, the parts of that in the order in which they run, and how often they do. Of loops side by
        side the graph that they are in, and these."""
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
        """Its report."""
        return TextReport(self)

    @abstractmethod
    def explain(self) -> str:
        """What it is, as text."""

    @abstractmethod
    def numbered(self, part: ModelPart, numbers: Numbers) -> AnyPart:
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
