"""Programs that run one after the other, over whole arrays between them: what a Spec is that is cut before it is
searched.

Tensors are numbered: the Spec's inputs, then what its calls give. A part without a program is a view: what it gives
lies where what it reads does. What is computed of one constant alone is computed ahead of the call, with what is packed
of that constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..ir.family import LINE
from ..ir.spec import Spec
from ..ir.tensor import TensorType
from .nodes import Node
from .stage import Stage


@dataclass(frozen=True, eq=False)
class SequencePart:
    """The program of a canonical Spec over the tensors that it `reads` (one for each of its inputs as stated) and
    `gives` (one for each output); or a Stage, over `numbers` and these. Without one nothing moves: each of `places` is
    a tensor, the tensor that it lies in, and at which byte; where none are told, what it gives lies where what it reads
    does."""

    reads: tuple[int, ...]
    gives: tuple[int, ...]
    root: Node | Stage | None = None
    spec: Spec | None = None
    places: tuple[tuple[int, int, int], ...] = ()
    numbers: tuple[int, ...] = ()

    @property
    def homes(self) -> tuple[tuple[int, int, int], ...]:
        """Of a view, what lies in what, at which byte."""
        return () if self.root is not None else self.places or ((self.gives[0], self.reads[0], 0),)


@dataclass(frozen=True, eq=False)
class Sequence:
    """`types` are those of all tensors, the first `inputs` come in, `results` go out. `constants[t]` is the constant
    input that tensor t is, or is computed of alone; None elsewhere."""

    types: tuple[TensorType, ...]
    inputs: int
    results: tuple[int, ...]
    constants: tuple[int | None, ...]
    parts: tuple[SequencePart, ...]

    @cached_property
    def _homes(self) -> dict[int, tuple[int, int]]:
        """Of each tensor the one in whose memory it lies, and at which byte."""
        within = {lying: (home, at) for part in self.parts for lying, home, at in part.homes}
        found: dict[int, tuple[int, int]] = {}
        for tensor in within:
            path, at = [tensor], 0
            while path[-1] in within and path[-1] not in found:
                path.append(within[path[-1]][0])
            last, at = found.get(path[-1], (path[-1], 0))
            for each in reversed(path[:-1]):
                at += within[each][1]
                found[each] = last, at
        return found

    def source(self, tensor: int) -> int:
        """The tensor in whose memory a tensor lies."""
        return self._homes.get(tensor, (tensor, 0))[0]

    def offset(self, tensor: int) -> int:
        """At which byte of that it begins."""
        return self._homes.get(tensor, (tensor, 0))[1]

    def is_ahead(self, part: SequencePart) -> bool:
        """Whether a part is computed before any call."""
        return are_ahead(part.gives, self.constants)

    @cached_property
    def called(self) -> tuple[SequencePart, ...]:
        """The programs of a call, in order."""
        return tuple(part for part in self.parts if part.root is not None and not self.is_ahead(part))

    @cached_property
    def places(self) -> dict[int, int]:
        """Where in the workspace of a call each tensor between its programs lies, in bytes from the beginning."""
        return _planned(self._lives)

    @property
    def workspace(self) -> int:
        """Bytes of what lies between the programs of a call, as it is placed."""
        return max((self.places[t] + size for t, (size, _, _) in self._lives.items()), default=0)

    @cached_property
    def _lives(self) -> dict[int, tuple[int, int, int]]:
        """(bytes, the program that gives it, the last that reads it) of each tensor between the programs of a call."""
        found: dict[int, tuple[int, int, int]] = {}
        for number, part in enumerate(self.called):
            for t in map(self.source, part.gives):
                if t not in self.results:
                    first = found[t][1] if t in found else number
                    found[t] = -(-self.types[t].bytes // LINE) * LINE, first, number
            for t in map(self.source, part.reads):
                if t in found:
                    size, first, _ = found[t]
                    found[t] = size, first, number
        return found


def are_ahead(tensors: tuple[int, ...], constants: tuple[int | None, ...]) -> bool:
    """Whether tensors are computed before any call: each is, or is of, a constant alone."""
    return all(constants[t] is not None for t in tensors)


def _planned(lives: dict[int, tuple[int, int, int]]) -> dict[int, int]:
    """A place for each: the largest first, each at the least place where none lies that lives at the same time."""
    places: dict[int, int] = {}
    for t, (size, first, last) in sorted(lives.items(), key=lambda item: (-item[1][0], item[0])):
        taken = sorted(
            (places[o], places[o] + lives[o][0]) for o in places if lives[o][1] <= last and first <= lives[o][2]
        )
        at = 0
        for begin, end in taken:
            if at + size <= begin:
                break
            at = max(at, end)
        places[t] = at
    return places
