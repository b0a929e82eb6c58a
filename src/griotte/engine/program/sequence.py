"""Programs that run one after the other, with whole arrays between them: a Spec that is cut before it is searched, or a
model.

Tensors are numbered: the Spec's inputs, then the results of its calls. A part without a program is a view: its result
lies where its input does. Values computed of one constant alone are computed ahead of the call, with the packs
of that constant. A loop runs its parts at each turn; some of their tensors lie elsewhere at each. A fork runs its parts
at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ...lang.nests.family import LINE
from ...lang.types.tensor import TensorType
from .sequence_parts import AnyPart, Home, SequenceLoop, SequencePart, Stage, flat, loops
from .workspace import Life, Lives, most_at_once, overwritable, placed, size


@dataclass(frozen=True, eq=False)
class Sequence:
    """`types` are those of all tensors, the first `inputs` come in, `results` go out. `constants[t]` is the constant
    input that tensor t is, or is computed of alone; None elsewhere."""

    types: tuple[TensorType, ...]
    inputs: int
    results: tuple[int, ...]
    constants: tuple[int | None, ...]
    parts: tuple[AnyPart, ...]

    @cached_property
    def _homes(self) -> dict[int, Home]:
        """By tensor, the tensor in whose memory it lies, and where."""
        within = dict(self._lying(self.parts, 0))
        found: dict[int, Home] = {}
        for tensor in within:
            path = [tensor]
            while path[-1] in within and path[-1] not in found:
                path.append(within[path[-1]].home)
            last = found.get(path[-1], Home(path[-1]))
            for each in reversed(path[:-1]):
                own = within[each]
                found[each] = last = Home(last.home, last.at + own.at, last.turns + own.turns)
        return found

    def _lying(self, parts: Iterable[AnyPart], depth: int) -> Iterator[tuple[int, Home]]:
        """Which tensor lies in which other's memory."""
        for part in parts:
            if isinstance(part, SequenceLoop):
                yield from part.lying(self.types, depth)
                yield from self._lying(part.parts, depth + 1)
            elif isinstance(part, SequencePart):
                yield from ((lying, Home(home, at)) for lying, home, at in part.homes)
            else:
                yield from self._lying(part.parts, depth)

    def source(self, tensor: int) -> int:
        """The tensor in whose memory a tensor lies."""
        return self.lies(tensor).home

    def lies(self, tensor: int) -> Home:
        """In which tensor's memory it lies, and where."""
        return self._homes.get(tensor) or Home(tensor)

    def is_ahead(self, part: SequencePart) -> bool:
        """Whether a part is computed before any call."""
        return are_ahead(part.gives, self.constants)

    @cached_property
    def programs(self) -> tuple[SequencePart, ...]:
        """The parts that have a program, those of loops and forks too."""
        return tuple(part for part in flat(self.parts) if part.root is not None)

    @cached_property
    def loops(self) -> tuple[SequenceLoop, ...]:
        """All loops, those within others too."""
        return tuple(loops(self.parts))

    @cached_property
    def called(self) -> tuple[AnyPart, ...]:
        """What runs at a call, in order: programs, loops and forks."""
        return tuple(self.running(self.parts))

    def running(self, parts: Iterable[AnyPart]) -> Iterator[AnyPart]:
        """Those of these parts that run at a call."""
        for part in parts:
            if not isinstance(part, SequencePart) or (part.root is not None and not self.is_ahead(part)):
                yield part

    @cached_property
    def places(self) -> dict[int, int]:
        """Where in the workspace of a call each tensor between its programs lies, in bytes from the beginning."""
        rooms = placed(self._rooms)
        return {t: rooms[self._room(t)] for t in self._lives}

    @cached_property
    def workspace(self) -> int:
        """Bytes of the tensors between the programs of a call, as they are placed."""
        return size(self._lives, self.places)

    @property
    def live(self) -> int:
        """The most bytes of it that are needed at once: no less is a workspace of these programs in this order."""
        return most_at_once(self._rooms)

    @property
    def intermediates(self) -> int:
        """The bytes of all tensors between the programs of a call, were each in a place of its own."""
        return sum(life.bytes for life in self._lives.values())

    def in_place(self, part: SequencePart) -> frozenset[int]:
        """The operands of a part's program that lie where its output does."""
        room = self._overwritten.get(part.gives[0])
        if room is None or part.spec is None:
            return frozenset()
        sources = part.spec.operand_sources
        shared = {i for i, source in enumerate(sources[:-1]) if source >= 0 and self.source(part.reads[source]) == room}
        return frozenset({*shared, len(sources) - 1})

    @cached_property
    def _overwritten(self) -> dict[int, int]:
        """By tensor that a part gives, the tensor whose place it takes: one that the part is the last to read."""
        found: dict[int, int] = {}
        for number, part in self._walked.programs:
            given = part.gives[0]
            if len(part.gives) == 1 and given in self._lives and self._lives[given].first == number:
                ends = (t for t in _overwritable(part) if self._ends(t, number, part))
                fitting = (t for t in map(self.source, ends) if self.types[t].bytes == self.types[given].bytes)
                if (t := next(fitting, None)) is not None:
                    found[given] = t
        return found

    def _ends(self, tensor: int, number: int, part: SequencePart) -> bool:
        """Whether a part, by its place, is the last to read the memory that a tensor is all of, and reads it as that
        alone."""
        room = self.source(tensor)
        alone = all(t == tensor for t in part.reads if self.source(t) == room)
        return alone and self.lies(tensor) == Home(room) and room in self._lives and self._lives[room].last == number

    def _room(self, tensor: int) -> int:
        """The first of the tensors that one place serves in turn."""
        while tensor in self._overwritten:
            tensor = self._overwritten[tensor]
        return tensor

    @cached_property
    def _rooms(self) -> dict[int, Life]:
        """How long each place between the programs of a call is needed; a place within a fork, as long as that runs."""
        found: dict[int, Life] = {}
        for t, life in self._lives.items():
            room = self._room(t)
            other = found.get(room, life)
            found[room] = Life(life.bytes, min(other.first, life.first), max(other.last, life.last))
        for span in self._walked.forks:
            found = {room: life.over(*span) for room, life in found.items()}
        return found

    @cached_property
    def _lives(self) -> dict[int, Life]:
        """How long each tensor between the programs of a call is needed; bytes are whole lines."""
        between = ((t, lived) for t, lived in self._walked.found.items() if t not in self.results)
        return {t: Life(-(-self.types[t].bytes // LINE) * LINE, *lived) for t, lived in between}

    @cached_property
    def _walked(self) -> Lives:
        """The programs of a call, each with its moment."""
        lives = Lives(self.source, self.running)
        lives.walk(self.parts)
        return lives


def are_ahead(tensors: tuple[int, ...], constants: tuple[int | None, ...]) -> bool:
    """Whether tensors are computed before any call: each is, or is of, a constant alone."""
    return all(constants[t] is not None for t in tensors)


def _overwritable(part: SequencePart) -> list[int]:
    """The tensors that a part reads in whose place it may leave what it gives."""
    if part.spec is None or part.root is None or isinstance(part.root, Stage):
        return []
    sources, operands = part.spec.operand_sources, overwritable(part.spec, part.root)
    others = {source for i, source in enumerate(sources) if i not in operands}
    return [part.reads[i] for i in dict.fromkeys(sources[i] for i in sorted(operands)) if i >= 0 and i not in others]
