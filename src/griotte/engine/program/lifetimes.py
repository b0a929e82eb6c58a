"""From when until when tensors between programs are needed. A program takes a moment; a loop takes one before its
parts, those of its parts, and one after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .sequence_parts import SequenceLoop, SequencePart

Running = Callable[[Iterable[SequencePart | SequenceLoop]], Iterable[SequencePart | SequenceLoop]]


class Lives:
    """Finds them.

    Args:
        source: the tensor in whose memory a tensor lies.
        running: those of some parts that run at a call.

    Attributes:
        found: by tensor the first and the last moment.
        programs: each program that runs, with its moment.
    """

    def __init__(self, source: Callable[[int], int], running: Running):
        self._source, self._running, self._moment = source, running, 0
        self.found: dict[int, tuple[int, int]] = {}
        self.programs: list[tuple[int, SequencePart]] = []

    def walk(self, parts: Iterable[SequencePart | SequenceLoop]) -> None:
        """Go through parts, in order."""
        for part in self._running(parts):
            if isinstance(part, SequenceLoop):
                self._loop(part)
            else:
                self.programs.append((self._moment, part))
                self._hold(part.gives)
                self._read(part.reads)
            self._moment += 1

    def _loop(self, loop: SequenceLoop) -> None:
        """What there is before a loop and is read within it, what is carried and the rows are held until its end."""
        there = [*(each.room for each in loop.carried), *(row.outer for row in loop.rows)]
        self._read(each.first for each in loop.carried)
        self._hold(there)
        outside, start = set(self.found), self._moment
        self._moment += 1
        self.walk(loop.parts)
        for t in outside:
            if self.found[t][1] > start:
                self.found[t] = self.found[t][0], self._moment
        self._read(there)
        self._hold(each.last for each in loop.carried if each.last is not None)

    def _hold(self, tensors: Iterable[int]) -> None:
        for t in map(self._source, tensors):
            self.found[t] = self.found.get(t, (self._moment, 0))[0], self._moment

    def _read(self, tensors: Iterable[int]) -> None:
        for t in map(self._source, tensors):
            if t in self.found:
                self.found[t] = self.found[t][0], self._moment
