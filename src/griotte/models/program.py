"""A solved model: a program for each of its parts, one after the other in one C function, with one workspace."""

from __future__ import annotations

import hashlib
import os
import textwrap
import time
from collections.abc import Iterator
from collections.abc import Sequence as Sequence_
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.tensor import TensorType
from ..partitioned import PartitionedProgram
from ..program.sequence import Sequence, SequencePart
from ..programs import Program
from ..targets import runnable
from ..targets.target import Target
from .concatenated import ConcatProgram
from .graph import ModelGraph, ModelValue
from .parts import ModelPart
from .views import places_of
from .winograd.program import WinogradProgram

if TYPE_CHECKING:
    from ..codegen.emit import Unit
    from ..runtime.model import ModelKernel, ModelLibrary


@dataclass(frozen=True, eq=False)
class SolvedPart:
    """A part of a model and its program; parts alike have the same one. Without a program it is a view.

    Attributes:
        apart: cycles of its atoms as parts of their own, calls included: what the next best cut would have cost here.
    """

    part: ModelPart
    program: Program | None
    apart: float = 0.0


@dataclass(frozen=True, eq=False)
class ModelProgram:
    """A model, solved.

    Attributes:
        graph: the model as it was given.
        simple: the model as it was cut: simplified, the same function.
        parts: in the order in which they run.
        target: the machine that it is for.
        threads: how many a call runs on.
        stats: parts, parts_solved, parts_from_table, synthesis_s (seconds), peak_rss_mb.
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
        called = [each.program.cost for each in self.parts if each.program is not None]
        return sum(called) + len(called) * self.target.cost({"call": 1})

    @cached_property
    def _numbered(self) -> _Numbered:
        return _Numbered(self)

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
        text = f"{[str(each.part.spec) for each in self.parts]}|{self.target.name}|{self.threads}"
        return f"griotte_model_{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    @cached_property
    def _written(self) -> tuple[Unit, int]:
        return self.written()

    def written(self, timed: bool = False) -> tuple[Unit, int]:
        """The program as C, and the bytes of its packed constants; a `timed` one tells when each part is done."""
        from ..codegen.emit import Unit, UnitWriter
        from ..codegen.sequence import add_model

        writer = UnitWriter(self.target)
        comment = f"a model of {len(self.parts)} parts: {', '.join(map(_named, self.graph.inputs))}"
        function, size = add_model(writer, self.sequence, self.function, comment, timed)
        title = f"{comment}\n\n{self.target.name}, {self.threads} threads, {self.cost:.4g} cycles by the model"
        return Unit(writer.source(title), function.header, function.name, function.packs), size

    def __str__(self) -> str:
        return "\n".join(
            f"part {n}, {each.part.title}:{_indented(each.program)}" for n, each in enumerate(self.parts, 1)
        )

    def __repr__(self) -> str:
        return f"<griotte.ModelProgram of {len(self.parts)} parts, {self.target.name}, {self.cost:.3g} cycles>"

    def explain(self) -> str:
        """The model as a report: its parts in order, what each costs, what binds it, what was saved by fusing it."""
        from ..report.model import explain

        return explain(self)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the report as one HTML page that needs nothing else. ToolchainError where it cannot be written."""
        from ..report.html import write_page
        from ..report.model_html import page

        write_page(path, page(self))

    def to_c(self) -> str:
        """The program as C that needs nothing else, as text."""
        return self._written[0].source

    def build(self) -> ModelLibrary:
        """The compiled library, not loaded."""
        from ..runtime.arguments import Signature
        from ..runtime.model import ModelLibrary
        from ..runtime.saved import Build
        from ..runtime.toolchain import compile_shared

        unit, size = self._written
        started = time.perf_counter()
        build = Build(self.target.flags)
        path = compile_shared(unit.source, build.flags)
        inputs = tuple(_argument(v.name, v.type) for v in self.graph.inputs)
        output, *further = (_argument(name, v.type) for name, v in self.graph.results)
        stats = {
            **self.stats,
            "cost": self.cost,
            **self.held,
            "constants_bytes": size,
            "compile_s": time.perf_counter() - started,
            "threads": self.threads,
            "target": self.target.name,
        }
        return ModelLibrary(
            unit.source,
            unit.header,
            Signature(unit.function, inputs, output, tuple(further)),
            path,
            self.target.features,
            stats,
            build,
            size,
        )

    def compile(self) -> ModelKernel:
        """The model as a kernel, loaded into this process, its constants packed."""
        from ..runtime.model import ModelKernel, packed

        runnable(self.target)
        library = self.build()
        return ModelKernel(library, packed(library, self.arrays()))

    def arrays(self) -> Iterator[np.ndarray]:
        """The data of the constants that parts read, in order."""
        for value in self.constants:
            assert value.array is not None
            yield value.array


def _indented(program: Program | None) -> str:
    return "  nothing moves" if program is None else f"\n{textwrap.indent(str(program), '  ')}"


def _named(value: ModelValue) -> str:
    return f"{value.name}: {value.type}"


def _argument(name: str, type: TensorType):
    from ..runtime.arguments import TensorArg

    return TensorArg(name, type.dtype, type.shape, type.minor_to_major, False, None, type.dynamic, tied=type.tied)


class _Numbered:
    """The tensors of a model's parts, numbered; parts that are cut themselves are taken apart."""

    def __init__(self, program: ModelProgram):
        graph, parts = program.simple, program.parts
        read = {id(v) for each in parts for v in each.part.reads}
        self.constants = [v for v in graph.constants if id(v) in read]
        given = [*graph.inputs, *self.constants]
        # of a value, in each layout that it lies in
        self.number = {(id(value), value.type.minor_to_major): i for i, value in enumerate(given)}
        self.places = places_of(graph)
        self.types: list[TensorType] = [value.type for value in given]
        self.known: list[int | None] = [i if v.array is not None else None for i, v in enumerate(given)]
        self.parts: list[SequencePart] = []
        self.owners: list[int] = []  # of each of them, the place of its part
        for place, each in enumerate(parts):
            self._add(each)
            self.owners += [place] * (len(self.parts) - len(self.owners))
        results = tuple(self.number[id(value), value.type.minor_to_major] for _, value in graph.results)
        self.sequence = Sequence(tuple(self.types), len(given), results, tuple(self.known), tuple(self.parts))

    def _add(self, solved: SolvedPart) -> None:
        part = solved.part
        reads = tuple(self.number[id(v), t.minor_to_major] for v, t in zip(part.reads, part.spec.inputs))
        program = solved.program
        if isinstance(program, PartitionedProgram | WinogradProgram | ConcatProgram):
            self._add_sequence(solved, program.sequence, reads)
            return
        gives = tuple(self._new(type, None) for type in part.spec.outputs)
        self._number(solved, gives)
        if program is None:
            self.parts.append(SequencePart(reads, gives, places=self._places(part)))
        else:
            self.parts.append(SequencePart(reads, gives, program.root, program.canonical))

    def _add_sequence(self, solved: SolvedPart, sequence: Sequence, reads: tuple[int, ...]) -> None:
        own = dict(enumerate(reads))
        for t in range(sequence.inputs, len(sequence.types)):
            constant = sequence.constants[t]
            own[t] = self._new(sequence.types[t], None if constant is None else own[constant])
        for part in sequence.parts:
            inner = tuple(own[t] for t in part.reads), tuple(own[t] for t in part.gives)
            self.parts.append(SequencePart(*inner, part.root, part.spec, numbers=part.numbers))
        self._number(solved, [own[t] for t in sequence.results])

    def _number(self, solved: SolvedPart, gives: Sequence_[int]) -> None:
        part = solved.part
        self.number |= {(id(v), t.minor_to_major): n for v, t, n in zip(part.gives, part.spec.outputs, gives)}

    def _places(self, part: ModelPart) -> tuple[tuple[int, int, int], ...]:
        """Of a view what lies where, by number; where none is told, what it gives lies as what it reads."""
        own = lambda value: self.number[id(value), value.type.minor_to_major]
        places = self.places.get(id(part.calls[0]), ()) if part.calls else ()
        return tuple((own(lying), own(within), at) for lying, within, at in places)

    def _new(self, type: TensorType, constant: int | None) -> int:
        self.types.append(type)
        self.known.append(constant)
        return len(self.types) - 1
