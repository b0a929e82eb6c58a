"""A solved model: a program for each of its parts, over numbered tensors, one after the other in one C function, with
one workspace."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Sequence as Sequence_
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..codegen.emit import EmittedFunction, Unit, UnitWriter, unit_of
from ..codegen.model import add_model
from ..codegen.reached import packing_alone
from ..compiler.programs import SolvedProgram
from ..compiler.programs.partitioned import PartitionedProgram
from ..compiler.reports.model_html import ModelReport
from ..engine.program.sequence import Sequence
from ..engine.program.sequence_parts import AnyPart, SequencePart
from ..lang.nests.family import LINE
from ..lang.types.tensor import TensorType, tensor
from ..machine.target import Target
from ..runtime.model import ModelKernel, Weights, kernel_of, packed
from ..runtime.saved import Library
from ..runtime.signature import Signature, TensorArg
from .atoms import places_of
from .custom.kernel import CustomProgram
from .graph import ModelGraph, ModelValue
from .parts import MadeProgram, ModelPart, SolvedPart, cost_of, listed


@dataclass(frozen=True, eq=False, repr=False)
class ModelProgram(SolvedProgram[ModelKernel]):
    """A model, solved.

    Attributes:
        graph: the model as it was given.
        simple: the model as it was cut: simplified, the same function.
        parts: in the order in which they run.
        target: the machine that it is for.
        threads: how many a call runs on.
        stats: parts, parts_solved, parts_from_table, families, edges, synthesis_s (seconds), peak_rss_mb.
    """

    graph: ModelGraph
    simple: ModelGraph
    parts: tuple[SolvedPart, ...]
    target: Target
    threads: int
    stats: dict[str, Any] = field(default_factory=dict)

    @property
    def cost(self) -> float:
        """Cycles of a call: of its parts, and of calling each."""
        return cost_of(self.parts, self.target)

    @cached_property
    def _numbered(self) -> Numbered:
        return Numbered(self.simple, self.parts)

    @property
    def sequence(self) -> Sequence:
        """The programs over numbered tensors: the inputs, the constants, then what parts give."""
        return self._numbered.sequence

    @property
    def held(self) -> dict[str, int]:
        """Bytes of what lies between parts: as it is placed, the most that is needed at once, and of all its arrays."""
        sequence = self.sequence
        return {
            "workspace_bytes": sequence.workspace,
            "live_bytes": sequence.live,
            "intermediates_bytes": sequence.intermediates,
        }

    @property
    def owners(self) -> tuple[int, ...]:
        """Of each program that a call runs, in order, the place of the part that it is of."""
        numbered, sequence = self._numbered, self.sequence
        called = {id(part) for part in sequence.called}
        return tuple(n for n, part in zip(numbered.owners, sequence.parts) if id(part) in called)

    @property
    def constants(self) -> tuple[ModelValue, ...]:
        """The constants that parts read, in the order in which they are packed."""
        return tuple(self._numbered.constants)

    @cached_property
    def function(self) -> str:
        """The exported C function's name."""
        text = f"{[each.part.text for each in self.parts]}|{self.target.name}|{self.threads}"
        return f"griotte_model_{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    @property
    def report(self) -> ModelReport:
        """Its report."""
        return ModelReport(self)

    @property
    def _comment(self) -> str:
        return f"a model of {len(self.parts)} parts: {', '.join(map(_named, self.graph.inputs))}"

    @property
    def _title(self) -> str:
        return f"{self._comment}\n\n{self.target.name}, {self.threads} threads, {self.cost:.4g} cycles by the model"

    def written(self, writer: UnitWriter, name: str) -> EmittedFunction:
        return self._added(writer, name, False)

    def timed(self) -> Unit:
        """Its C with a function that also tells when each part is done."""
        return unit_of(lambda writer: self._added(writer, self.function, True), self.target, self._title)

    def _added(self, writer: UnitWriter, name: str, timed: bool) -> EmittedFunction:
        size = None if self.graph.bound is None else (self.graph.least, self.graph.bound)
        return add_model(writer, self.sequence, name, self._comment, timed, size)

    def __str__(self) -> str:
        return listed(self.parts)

    def __repr__(self) -> str:
        return f"<griotte.ModelProgram of {len(self.parts)} parts, {self.target.name}, {self.cost:.3g} cycles>"

    def _weights(self, unit: Unit) -> int:
        return unit.packs[0].bytes

    def _plain(self) -> Callable[[], str]:
        write = lambda writer: self.written(writer, self.function)
        return lambda: packing_alone(write, self.target, f"{self.function}_pack")

    def _signature(self, unit: Unit) -> Signature:
        inputs = tuple(TensorArg.of(v.name, v.type) for v in self.graph.inputs)
        output, *further = (TensorArg.of(name, v.type) for name, v in self.graph.results)
        return Signature(unit.function, inputs, output, tuple(further), self.graph.least)

    def _metadata(self, unit: Unit) -> dict[str, Any]:
        return {
            **self.stats,
            **({"empty": [astuple(each) for each in self.graph.empty]} if self.graph.empty else {}),
            "cost": self.cost,
            "thread_bytes": unit.thread_bytes,
            **self.held,
            "constants_bytes": self._weights(unit),
            "threads": self.threads,
            "target": self.target.name,
            "math": self.target.math,
        }

    def _kernel(self, library: Library) -> ModelKernel:
        return kernel_of(library, packed(library, self.arrays()))

    def _packed(self, library: Library) -> Weights:
        return packed(library, self.arrays())

    def arrays(self) -> Iterator[np.ndarray]:
        """The data of the constants that parts read, in order."""
        for value in self.constants:
            assert value.array is not None
            yield value.array


def _named(value: ModelValue) -> str:
    return f"{value.name}: {value.type}"


class Numbered:
    """The tensors of a model's parts, numbered; programs that are several functions are taken apart."""

    def __init__(self, graph: ModelGraph, solved: Sequence_[SolvedPart]):
        self.constants = list(dict.fromkeys(_constants(graph, solved)))
        given = [*graph.inputs, *self.constants]
        # of a value, in each layout that it lies in
        self._number = {(value, value.type.minor_to_major): i for i, value in enumerate(given)}
        self.types: list[TensorType] = [replace(v.type, constant=v.array is not None) for v in given]
        self.known: list[int | None] = [i if v.array is not None else None for i, v in enumerate(given)]
        self.owners: list[int] = []  # of each part of the sequence, the place of the part that it is of
        parts = []
        for place, each in enumerate(solved):
            parts += self.parts_of(each, graph)
            self.owners += [place] * (len(parts) - len(self.owners))
        results = tuple(self.own(value) for _, value in graph.results)
        self.sequence = Sequence(tuple(self.types), len(given), results, tuple(self.known), tuple(parts))

    def own(self, value: ModelValue) -> int:
        """The number of a value as it lies itself."""
        return self._number[value, value.type.minor_to_major]

    def put(self, value: ModelValue, number: int) -> None:
        """Let a value as it lies itself have a number."""
        self._number[value, value.type.minor_to_major] = number

    def new(self, type: TensorType, constant: int | None = None) -> int:
        """The number of another tensor."""
        self.types.append(type)
        self.known.append(constant)
        return len(self.types) - 1

    def room(self, type: TensorType) -> int:
        """A tensor that holds two of a type, each on a cache line."""
        return self.new(tensor((2 * (-(-type.bytes // LINE) * LINE),), "u8"))

    def given(self, part: ModelPart) -> dict[int, int]:
        """The tensors of all that an OpaqueOp gives, by its results, those too that nothing reads."""
        gives = {n: self.new(type) for n, type in enumerate(part.of.types)}
        for value in part.calls:
            self.put(value, gives[value.number])
        return gives

    def parts_of(self, solved: SolvedPart, graph: ModelGraph) -> list[AnyPart]:
        """What runs for a part of a graph."""
        part, program = solved.part, solved.program
        if isinstance(program, MadeProgram):
            return [program.numbered(part, self)]
        reads = tuple(self._number[v, t.minor_to_major] for v, t in zip(part.reads, part.spec.inputs))
        if isinstance(program, PartitionedProgram | CustomProgram):
            return self._several(part, program.sequence, reads)
        gives = tuple(map(self.new, part.spec.outputs))
        self._put_given(part, gives)
        if program is None:
            return [SequencePart(reads, gives, places=self._places(part, graph))]
        return [SequencePart(reads, gives, program.root, program.canonical)]

    def _several(self, part: ModelPart, sequence: Sequence, reads: tuple[int, ...]) -> list[AnyPart]:
        """The parts of a program that is a sequence of its own."""
        own = dict(enumerate(reads))
        for t in range(sequence.inputs, len(sequence.types)):
            constant = sequence.constants[t]
            own[t] = self.new(sequence.types[t], None if constant is None else own[constant])
        found = list[AnyPart]()
        for each in sequence.parts:
            assert isinstance(each, SequencePart)
            inner = tuple(own[t] for t in each.reads), tuple(own[t] for t in each.gives)
            found.append(SequencePart(*inner, each.root, each.spec, numbers=each.numbers))
        self._put_given(part, [own[t] for t in sequence.results])
        return found

    def _put_given(self, part: ModelPart, gives: Sequence_[int]) -> None:
        self._number |= {(v, t.minor_to_major): n for v, t, n in zip(part.gives, part.spec.outputs, gives)}

    def _places(self, part: ModelPart, graph: ModelGraph) -> tuple[tuple[int, int, int], ...]:
        """Of a view which array lies within which, and where, by number; where there is none, its result lies as its
        operand."""
        places = places_of(graph).get(part.calls[0], ()) if part.calls else ()
        return tuple((self.own(lying), self.own(within), at) for lying, within, at in places)


def _constants(graph: ModelGraph, parts: Iterable[SolvedPart]) -> Iterator[ModelValue]:
    """The constants that parts read, in the order of the graph; then those of loops' bodies."""
    parts = tuple(parts)
    read = {v for each in parts for v in each.part.reads}
    yield from (v for v in graph.constants if v in read)
    for each in parts:
        if isinstance(each.program, MadeProgram) and each.program.within is not None:
            yield from _constants(*each.program.within[:2])
