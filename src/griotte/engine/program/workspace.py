"""The places in one workspace of the tensors between programs that run one after the other, by when they are needed.

A program takes a moment; a loop or a fork takes one before its parts, those of its parts, and one after them. No plan
takes less than the most that is needed at once. Mostly one that goes by size reaches that; where it does not, the
others are tried, and the shortest is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate

from ...lang.calls.spec import Spec
from .nodes import KernelCall, Loop, Move, Node, walk
from .sequence_parts import AnyPart, SequenceFork, SequenceLoop, SequencePart


@dataclass(frozen=True)
class Life:
    """`bytes` that are needed from the program `first` on, until after `last`, both by their place in the order."""

    bytes: int
    first: int
    last: int

    def meets(self, other: Life) -> bool:
        """Whether both are needed at once."""
        return self.first <= other.last and other.first <= self.last

    def over(self, first: int, last: int) -> Life:
        """It for all of a time, where it is needed at some moment of that."""
        if self.last < first or last < self.first:
            return self
        return Life(self.bytes, min(self.first, first), max(self.last, last))


_BEFORE: tuple[Callable[[Life], tuple[int, ...]], ...] = (
    lambda life: (-life.bytes, life.first),
    lambda life: (-life.bytes * (life.last - life.first + 1), life.first),
    lambda life: (life.first, -life.bytes),
    lambda life: (-life.last, -life.bytes),
    lambda life: (life.first - life.last, -life.bytes),
)
"""The order in which rooms are placed, in one plan each."""


def most_at_once(lives: Mapping[int, Life]) -> int:
    """The most bytes that are needed at once: no workspace is smaller."""
    steps: Counter[int] = Counter()
    for life in lives.values():
        steps[life.first] += life.bytes
        steps[life.last + 1] -= life.bytes
    return max(accumulate(steps[at] for at in sorted(steps)), default=0)


def placed(lives: Mapping[int, Life]) -> dict[int, int]:
    """A place for each, in bytes from the beginning, so that none lies where another does that is needed at once."""
    least, best, extent = most_at_once(lives), dict[int, int](), 0
    for before in _BEFORE:
        found = _in_order(lives, before)
        end = size(lives, found)
        if not best or end < extent:
            best, extent = found, end
        if extent == least:
            break
    return best


def size(lives: Mapping[int, Life], places: Mapping[int, int]) -> int:
    """The bytes of a workspace with these places."""
    return max((places[key] + life.bytes for key, life in lives.items()), default=0)


def _in_order(lives: Mapping[int, Life], before: Callable[[Life], tuple[int, ...]]) -> dict[int, int]:
    """Each in the smallest gap that takes it, between those that are placed and needed at once; else behind them."""
    places: dict[int, int] = {}
    for key, life in sorted(lives.items(), key=lambda item: (before(item[1]), item[0])):
        taken = sorted((at, at + lives[other].bytes) for other, at in places.items() if lives[other].meets(life))
        gaps, end = [], 0
        for begin, until in taken:
            if end + life.bytes <= begin:
                gaps.append((begin - end, end))
            end = max(end, until)
        places[key] = min(gaps)[1] if gaps else end
    return places


Running = Callable[[Iterable[AnyPart]], Iterable[AnyPart]]


class Lives:
    """From when until when tensors between programs are needed.

    Args:
        source: the tensor in whose memory a tensor lies.
        running: those of some parts that run at a call.

    Attributes:
        found: by tensor the first and the last moment, were the parts of a fork to run one after the other.
        programs: each program that runs, with its moment.
        forks: the first and the last moment of each, those within others first.
    """

    def __init__(self, source: Callable[[int], int], running: Running):
        self._source, self._running, self._moment = source, running, 0
        self.found: dict[int, tuple[int, int]] = {}
        self.programs: list[tuple[int, SequencePart]] = []
        self.forks: list[tuple[int, int]] = []

    def walk(self, parts: Iterable[AnyPart]) -> None:
        """Go through parts, in order."""
        for part in self._running(parts):
            if isinstance(part, SequenceLoop):
                self._loop(part)
            elif isinstance(part, SequenceFork):
                start = self._moment
                self._inside(part.parts)
                self.forks.append((start, self._moment))
            else:
                self.programs.append((self._moment, part))
                self._hold(part.gives)
                self._read(part.reads)
            self._moment += 1

    def _loop(self, loop: SequenceLoop) -> None:
        """Tensors from before a loop that are read within it, carried ones and the rows are held until its end."""
        there = [*(each.room for each in loop.carried), *(row.outer for row in loop.rows)]
        self._read(each.first for each in loop.carried)
        self._hold(there)
        self._inside(loop.parts)
        self._read(there)
        self._hold(each.last for each in loop.carried if each.last is not None)

    def _inside(self, parts: Iterable[AnyPart]) -> None:
        """Go through the parts of a loop or of a fork: none of them is the last to read what there is before."""
        outside, start = set(self.found), self._moment
        self._moment += 1
        self.walk(parts)
        for t in outside:
            if self.found[t][1] > start:
                self.found[t] = self.found[t][0], self._moment

    def _hold(self, tensors: Iterable[int]) -> None:
        for t in map(self._source, tensors):
            self.found[t] = self.found.get(t, (self._moment, 0))[0], self._moment

    def _read(self, tensors: Iterable[int]) -> None:
        for t in map(self._source, tensors):
            if t in self.found:
                self.found[t] = self.found[t][0], self._moment


def overwritable(spec: Spec, root: Node) -> frozenset[int]:
    """The operands of a canonical Spec; its program may leave the output in any one of them.

    In a nest that computes each element by itself, an operand with the output's own access is read before that element
    is written, and by no other iteration. For tiles of the output do not overlap, and each is computed once. A copy of
    a tile into a buffer is made before the results computed of it are stored. Other programs come back to what they
    have read, or write partial results first."""
    op, output = spec.operation.nest, spec.output
    if not spec.operation.is_map or op.picks or op.output.border or output.bytes % output.elements:
        return frozenset()
    if not all(map(_stays, walk(root))):
        return frozenset()
    lies = output.dtype, output.strides()
    alike = (t.dtype == lies[0] and t.strides() == lies[1] for t in spec.inputs)
    return frozenset(
        i for i, (is_alike, access) in enumerate(zip(alike, op.inputs)) if is_alike and access == op.output
    )


def _stays(node: Node) -> bool:
    """Whether a node takes tiles one by one, and nothing ahead of the call."""
    match node:
        case Loop():
            return node.join is None
        case Move():
            return not node.ahead
    return isinstance(node, KernelCall)
