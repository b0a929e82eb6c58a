"""A solved model: a program for each of its parts, one after the other in one C function, with one workspace."""

from __future__ import annotations

import hashlib
import os
import textwrap
import time
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Sequence_
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.family import LINE
from ..ir.tensor import TensorType, tensor
from ..partitioned import PartitionedProgram
from ..program.sequence import Carried, Sequence, SequenceLoop, SequencePart, Turned
from ..program.stage import Stage
from ..programs import Program
from ..targets import runnable
from ..targets.target import Target
from .arrays import ArrayCall
from .concatenated import ConcatProgram
from .graph import ModelGraph, ModelValue
from .loops import ModelLoop
from .parts import MadePart, ModelPart
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

    part: ModelPart | MadePart
    program: Program | LoopProgram | ArrayProgram | None
    apart: float = 0.0

    def each(self, turns: int = 1) -> Iterator[tuple[SolvedPart, int]]:
        """The parts that are searched as one, and how often each runs: of a loop those of its body, else itself."""
        if not isinstance(self.program, LoopProgram):
            yield self, turns
            return
        for part in self.program.parts:
            yield from part.each(turns * self.program.loop.trips)


@dataclass(frozen=True, eq=False)
class LoopProgram:
    """A loop, solved: the parts of its body, which run one after the other at each turn.

    Attributes:
        loop: with the body as it was cut.
        parts: in the order in which they run.
        target: the machine that it is for.
    """

    loop: ModelLoop
    parts: tuple[SolvedPart, ...]
    target: Target

    def of(self, turn: float) -> float:
        """Cycles of all turns, each of so many."""
        return self.loop.trips * (turn + self.target.cost({"loop": 1}))

    @property
    def cost(self) -> float:
        """Cycles of all turns."""
        return self.of(_cost(self.parts, self.target))

    @property
    def apart(self) -> float:
        """The same, of its atoms as parts of their own."""
        return self.of(sum(each.apart for each in self.parts))

    def explain(self) -> str:
        """Of each part what its own program says."""
        told = (f"{each.part.title}\n{each.program.explain()}" for each in self.parts if each.program is not None)
        return "\n\n".join((f"{self.loop.trips} turns, each of", *told))

    def __str__(self) -> str:
        return f"loop of {self.loop.trips}\n{textwrap.indent(_listed(self.parts), '  ')}"


@dataclass(frozen=True, eq=False)
class ArrayProgram:
    """A call that is written as it is: no search is made for it, and there is no tree.

    Attributes:
        call: what it computes.
        target: the machine that it is for.
    """

    call: ArrayCall
    target: Target
    root: None = None
    is_partitioned: bool = False
    searched: tuple[Program, ...] = ()

    @cached_property
    def stage(self) -> Stage:
        """Its function."""
        return self.call.stage(self.target)

    @property
    def cost(self) -> float:
        """Cycles of a call."""
        return self.stage.cost

    def explain(self) -> str:
        """What it is, as text."""
        return f"{self}   cost {self.cost:,.0f} cycles"

    def __str__(self) -> str:
        return str(self.call)


def _cost(parts: Iterable[SolvedPart], target: Target) -> float:
    """Cycles of parts, and of calling each."""
    called = [each.program.cost for each in parts if each.program is not None]
    return sum(called) + len(called) * target.cost({"call": 1})


def _listed(parts: Iterable[SolvedPart]) -> str:
    return "\n".join(f"part {n}, {each.part.title}:{_indented(each.program)}" for n, each in enumerate(parts, 1))


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
        return _cost(self.parts, self.target)

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
        text = f"{[each.part.text for each in self.parts]}|{self.target.name}|{self.threads}"
        return f"griotte_model_{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    @cached_property
    def _written(self) -> tuple[Unit, int]:
        return self.written()

    def written(self, timed: bool = False, denormals: str = "keep") -> tuple[Unit, int]:
        """The program as C, and the bytes of its packed constants; a `timed` one tells when each part is done."""
        from ..codegen.emit import Unit, UnitWriter
        from ..codegen.sequence import add_model

        writer = UnitWriter(self.target, denormals=denormals)
        comment = f"a model of {len(self.parts)} parts: {', '.join(map(_named, self.graph.inputs))}"
        function, size = add_model(writer, self.sequence, self.function, comment, timed, self.graph.bound)
        title = f"{comment}\n\n{self.target.name}, {self.threads} threads, {self.cost:.4g} cycles by the model"
        return Unit(writer.source(title), function.header, function.name, function.packs), size

    def __str__(self) -> str:
        return _listed(self.parts)

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

    def to_c(self, denormals: str = "keep") -> str:
        """The program as C that needs nothing else, as text; with denormals="flush" they are zeros within a call."""
        return self._unit_of(denormals)[0].source

    def _unit_of(self, denormals: str) -> tuple[Unit, int]:
        return self._written if denormals == "keep" else self.written(denormals=denormals)

    def build(self, denormals: str = "keep") -> ModelLibrary:
        """The compiled library, not loaded."""
        from ..runtime.arguments import Signature
        from ..runtime.model import ModelLibrary
        from ..runtime.saved import Build
        from ..runtime.toolchain import compile_shared

        unit, size = self._unit_of(denormals)
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

    def compile(self, denormals: str = "keep") -> ModelKernel:
        """The model as a kernel, loaded into this process, its constants packed."""
        from ..runtime.model import kernel_of, packed

        runnable(self.target)
        library = self.build(denormals)
        return kernel_of(library, packed(library, self.arrays()))

    def arrays(self) -> Iterator[np.ndarray]:
        """The data of the constants that parts read, in order."""
        for value in self.constants:
            assert value.array is not None
            yield value.array


def _indented(program: Program | LoopProgram | ArrayProgram | None) -> str:
    return "  nothing moves" if program is None else f"\n{textwrap.indent(str(program), '  ')}"


def _named(value: ModelValue) -> str:
    return f"{value.name}: {value.type}"


def _argument(name: str, type: TensorType):
    from ..runtime.arguments import TensorArg

    return TensorArg(name, type.dtype, type.shape, type.minor_to_major, False, None, type.dynamic, tied=type.tied)


class _Numbered:
    """The tensors of a model's parts, numbered; parts that are cut themselves are taken apart."""

    def __init__(self, program: ModelProgram):
        graph = program.simple
        self.constants = list({id(v): v for v in _constants(graph, program.parts)}.values())
        given = [*graph.inputs, *self.constants]
        # of a value, in each layout that it lies in
        self.number = {(id(value), value.type.minor_to_major): i for i, value in enumerate(given)}
        self.types: list[TensorType] = [replace(v.type, constant=v.array is not None) for v in given]
        self.known: list[int | None] = [i if v.array is not None else None for i, v in enumerate(given)]
        self.owners: list[int] = []  # of each part of the sequence, the place of the part that it is of
        parts = []
        for place, each in enumerate(program.parts):
            parts += self._made(each, graph)
            self.owners += [place] * (len(parts) - len(self.owners))
        results = tuple(self._own(value) for _, value in graph.results)
        self.sequence = Sequence(tuple(self.types), len(given), results, tuple(self.known), tuple(parts))

    def _own(self, value: ModelValue) -> int:
        """The number of a value as it lies itself."""
        return self.number[id(value), value.type.minor_to_major]

    def _made(self, solved: SolvedPart, graph: ModelGraph) -> list[SequencePart | SequenceLoop]:
        part, program = solved.part, solved.program
        if isinstance(part, MadePart):
            if isinstance(program, LoopProgram):
                return [self._loop(part, program)]
            assert isinstance(program, ArrayProgram)
            found = self._made_types(part)
            return [SequencePart(tuple(map(self._own, part.reads)), tuple(found.values()), program.stage)]
        assert not isinstance(program, LoopProgram | ArrayProgram)
        reads = tuple(self.number[id(v), t.minor_to_major] for v, t in zip(part.reads, part.spec.inputs))
        if isinstance(program, PartitionedProgram | WinogradProgram | ConcatProgram):
            return self._several(part, program.sequence, reads)
        gives = tuple(self._new(type, None) for type in part.spec.outputs)
        self._number(part, gives)
        if program is None:
            return [SequencePart(reads, gives, places=self._places(part, graph))]
        return [SequencePart(reads, gives, program.root, program.canonical)]

    def _several(
        self, part: ModelPart, sequence: Sequence, reads: tuple[int, ...]
    ) -> list[SequencePart | SequenceLoop]:
        """The parts of a program that is a sequence of its own."""
        own = dict(enumerate(reads))
        for t in range(sequence.inputs, len(sequence.types)):
            constant = sequence.constants[t]
            own[t] = self._new(sequence.types[t], None if constant is None else own[constant])
        found = list[SequencePart | SequenceLoop]()
        for each in sequence.parts:
            assert isinstance(each, SequencePart)
            inner = tuple(own[t] for t in each.reads), tuple(own[t] for t in each.gives)
            found.append(SequencePart(*inner, each.root, each.spec, numbers=each.numbers))
        self._number(part, [own[t] for t in sequence.results])
        return found

    def _loop(self, part: MadePart, program: LoopProgram) -> SequenceLoop:
        loop, body = program.loop, program.loop.body
        reads, gives = [self._own(value) for value in part.reads], self._made_types(part)
        inner = [self._new(v.type, self.known[t]) for v, t in zip(body.inputs[: loop.own], reads)]
        inner += reads[loop.own :]
        self.number |= {(id(v), v.type.minor_to_major): t for v, t in zip(body.inputs, inner)}
        parts = tuple(made for each in program.parts for made in self._made(each, body))
        then, asked = [self._own(value) for _, value in body.results], {value.number for value in part.calls}
        carried = tuple(
            Carried(reads[n], inner[n], then[n], gives[n] if n in asked else None, self._room(self.types[inner[n]]))
            for n in range(loop.carried)
        )
        slices = zip(inner[loop.carried :], reads[loop.carried :], loop.slices)
        rows = ((then[n], gives[n], loop.rows[n - loop.carried]) for n in gives if n >= loop.carried and n in asked)
        turned = lambda each: tuple(Turned(*one) for one in each)
        return SequenceLoop(loop.trips, parts, carried, turned(slices), turned(rows))

    def _made_types(self, part: MadePart) -> dict[int, int]:
        """The tensors of all that a ValueMaker gives, by number, those too that nothing reads."""
        gives = {n: self._new(type, None) for n, type in enumerate(part.maker.types)}
        self.number |= {(id(v), v.type.minor_to_major): gives[v.number] for v in part.calls}
        return gives

    def _room(self, type: TensorType) -> int:
        """A tensor that holds two of a type, each on a cache line."""
        return self._new(tensor((2 * (-(-type.bytes // LINE) * LINE),), "u8"), None)

    def _number(self, part: ModelPart, gives: Sequence_[int]) -> None:
        self.number |= {(id(v), t.minor_to_major): n for v, t, n in zip(part.gives, part.spec.outputs, gives)}

    def _places(self, part: ModelPart, graph: ModelGraph) -> tuple[tuple[int, int, int], ...]:
        """Of a view what lies where, by number; where none is told, what it gives lies as what it reads."""
        places = places_of(graph).get(id(part.calls[0]), ()) if part.calls else ()
        return tuple((self._own(lying), self._own(within), at) for lying, within, at in places)

    def _new(self, type: TensorType, constant: int | None) -> int:
        self.types.append(type)
        self.known.append(constant)
        return len(self.types) - 1


def _constants(graph: ModelGraph, parts: Iterable[SolvedPart]) -> Iterator[ModelValue]:
    """The constants that parts read, in the order of the graph; then those of loops' bodies."""
    parts = tuple(parts)
    read = {id(v) for each in parts for v in each.part.reads}
    yield from (v for v in graph.constants if id(v) in read)
    for each in parts:
        if isinstance(each.program, LoopProgram):
            yield from _constants(each.program.loop.body, each.program.parts)
