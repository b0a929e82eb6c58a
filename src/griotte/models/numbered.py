"""The tensors of a solved model, numbered, and its programs over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Sequence_
from dataclasses import replace

from ..compiler.programs.partitioned import PartitionedProgram
from ..engine.program.sequence import Sequence
from ..engine.program.sequence_parts import SequenceLoop, SequencePart
from ..lang.nests.family import LINE
from ..lang.types.tensor import TensorType, tensor
from .custom.kernel import CustomProgram
from .graph import ModelGraph, ModelValue
from .parts import ModelPart
from .solved import MadeProgram, SolvedPart
from .views import places_of


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

    def parts_of(self, solved: SolvedPart, graph: ModelGraph) -> list[SequencePart | SequenceLoop]:
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

    def _several(
        self, part: ModelPart, sequence: Sequence, reads: tuple[int, ...]
    ) -> list[SequencePart | SequenceLoop]:
        """The parts of a program that is a sequence of its own."""
        own = dict(enumerate(reads))
        for t in range(sequence.inputs, len(sequence.types)):
            constant = sequence.constants[t]
            own[t] = self.new(sequence.types[t], None if constant is None else own[constant])
        found = list[SequencePart | SequenceLoop]()
        for each in sequence.parts:
            assert isinstance(each, SequencePart)
            inner = tuple(own[t] for t in each.reads), tuple(own[t] for t in each.gives)
            found.append(SequencePart(*inner, each.root, each.spec, numbers=each.numbers))
        self._put_given(part, [own[t] for t in sequence.results])
        return found

    def _put_given(self, part: ModelPart, gives: Sequence_[int]) -> None:
        self._number |= {(v, t.minor_to_major): n for v, t, n in zip(part.gives, part.spec.outputs, gives)}

    def _places(self, part: ModelPart, graph: ModelGraph) -> tuple[tuple[int, int, int], ...]:
        """Of a view what lies where, by number; where none is told, what it gives lies as what it reads."""
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
