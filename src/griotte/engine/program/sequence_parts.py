"""What a Sequence is made of: programs over numbered tensors, stages, views, loops around parts, and parts side by
side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ...lang.calls.spec import Spec
from ...lang.types.tensor import TensorType
from .nodes import Loop, Node, walk


@dataclass(frozen=True)
class Turn:
    """How far a tensor lies from where it lies in the first turn of the loop around which `depth` others are. It lies
    `bytes` more at each turn. Alternating, it does so at every second turn, the first of them being `odd`."""

    depth: int
    bytes: int
    odd: int | None = None


@dataclass(frozen=True)
class Home:
    """In which tensor's memory a tensor lies, at which byte, and how that follows the turns of loops."""

    home: int
    at: int = 0
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True, eq=False)
class Stage:
    """A function over whole arrays that no search makes: written as it is, in place of a Program's root.

    Attributes:
        title: what it does, in a few words.
        cost: cycles of a call.
        threads: how many it runs on.
        source: its C, a static function `void name(int64_t .., const T *reads .., T *gives ..)`, of (the library of
            vectors, the target, the name).
        is_sized: whether the first of its arguments is `int64_t m`, the dynamic size that a call has. One that is not
            so may touch no tensor of a dynamic size.
    """

    title: str
    cost: float
    threads: int
    source: Callable[[Any, Any, str], str]
    is_sized: bool = False


@dataclass(frozen=True, eq=False)
class SequencePart:
    """The program of a canonical Spec over the tensors that it `reads` (one for each of its inputs as stated) and
    `gives` (one for each output). Or a Stage, over `numbers` and these. Without one nothing moves. Each of `places` is
    then a tensor, the tensor that it lies in, and at which byte. Without any, its result lies where its input does."""

    reads: tuple[int, ...]
    gives: tuple[int, ...]
    root: Node | Stage | None = None
    spec: Spec | None = None
    places: tuple[tuple[int, int, int], ...] = ()
    numbers: tuple[int, ...] = ()

    @property
    def homes(self) -> tuple[tuple[int, int, int], ...]:
        """(tensor, the tensor that it lies in, at which byte) of a view; none for a program."""
        return () if self.root is not None else self.places or ((self.gives[0], self.reads[0], 0),)

    @property
    def threads(self) -> int:
        """How many it runs on."""
        if self.root is None or isinstance(self.root, Stage):
            return self.root.threads if self.root is not None else 1
        return max((node.threads for node in walk(self.root) if isinstance(node, Loop)), default=1)


@dataclass(frozen=True)
class Carried:
    """A tensor that goes from turn to turn. In the first turn it is `first`, then what the turn before gave as `then`.
    `last` is that of the last turn, where it is asked for. Both lie in `room`, in one half and the other by turns."""

    first: int
    now: int
    then: int
    last: int | None
    room: int


@dataclass(frozen=True)
class Turned:
    """A tensor of a turn that is a part of one around the loop, along its first axis: in the first turn the first part,
    or, backward, the last."""

    inner: int
    outer: int
    backward: bool = False


@dataclass(frozen=True, eq=False)
class SequenceLoop:
    """Parts that run `trips` times, on `slices` of the tensors that they read, into `rows` of those that they give."""

    trips: int
    parts: tuple[AnyPart, ...]
    carried: tuple[Carried, ...] = ()
    slices: tuple[Turned, ...] = ()
    rows: tuple[Turned, ...] = ()

    def lying(self, types: tuple[TensorType, ...], depth: int) -> Iterator[tuple[int, Home]]:
        """What lies elsewhere at each turn, where so many loops are around this one."""
        for each in self.carried:
            half = types[each.room].bytes // 2
            yield each.now, Home(each.room, 0, (Turn(depth, half, 1),))
            yield each.then, Home(each.room, 0, (Turn(depth, half, 0),))
        for part in (*self.slices, *self.rows):
            size = types[part.inner].bytes
            start, step = ((self.trips - 1) * size, -size) if part.backward else (0, size)
            yield part.inner, Home(part.outer, start, (Turn(depth, step),))


@dataclass(frozen=True, eq=False)
class SequenceFork:
    """Parts that run at the same time, each on one thread: none of them reads what another gives."""

    parts: tuple[AnyPart, ...]


AnyPart = SequencePart | SequenceLoop | SequenceFork


def flat(parts: Iterable[AnyPart]) -> Iterator[SequencePart]:
    """Parts, those of loops and forks in the place of these."""
    for part in parts:
        if isinstance(part, SequencePart):
            yield part
        else:
            yield from flat(part.parts)


def loops(parts: Iterable[AnyPart]) -> Iterator[SequenceLoop]:
    """The loops among parts, those within others too."""
    for part in parts:
        if isinstance(part, SequenceLoop):
            yield part
        if not isinstance(part, SequencePart):
            yield from loops(part.parts)
