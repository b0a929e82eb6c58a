"""Loops that run at the same time, each on one thread, such as both directions of a recurrence.

A turn waits for the one before, so threads share little of it. Loops that read no results of each other need not wait
for each other. They are a fork where that costs less than one after the other, each sharing out its work.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..compiler.reports.model_html import LoopReport
from ..engine.program.sequence_parts import SequenceFork
from ..machine.target import Target
from .custom.kernel import Making
from .graph import ModelGraph, ModelValue
from .looped import LoopProgram, Loops
from .loops import ModelLoop
from .parts import MadeProgram, ModelPart, Numbers, SolvedPart, listed
from .program import Numbered


@dataclass(frozen=True)
class ForkedLoops:
    """What a fork computes: these loops."""

    loops: tuple[ModelLoop, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Those of the loops."""
        return (" beside ".join(", ".join(loop.words) for loop in self.loops),)

    @property
    def flops(self) -> int:
        """Arithmetic operations of all."""
        return sum(loop.flops for loop in self.loops)

    @property
    def bytes(self) -> int:
        """Bytes of the operands and results of all."""
        return sum(loop.bytes for loop in self.loops)

    def __str__(self) -> str:
        return f"fork({', '.join(map(str, self.loops))})"


@dataclass(frozen=True, eq=False)
class ForkProgram(MadeProgram):
    """Loops, each solved for one thread, that run at the same time.

    Attributes:
        graph: that they are in.
        parts: the loops.
        target: the machine that it is for.
    """

    graph: ModelGraph
    parts: tuple[SolvedPart, ...]
    target: Target

    @property
    def opaque(self) -> ForkedLoops:
        """The loops."""
        return ForkedLoops(tuple(each.part.of for each in self.parts))

    @property
    def within(self) -> tuple[ModelGraph, tuple[SolvedPart, ...], int]:
        """The graph, the loops, once."""
        return self.graph, self.parts, 1

    @property
    def cost(self) -> float:
        """Cycles of the longest, and of waking and joining the threads."""
        return max(_loop(each).cost for each in self.parts) + self.target.cost({"fork": 1})

    @property
    def apart(self) -> float:
        """The same, of the atoms of each as parts of their own."""
        return max(each.apart for each in self.parts) + self.target.cost({"fork": 1})

    @property
    def report(self) -> LoopReport:
        return LoopReport(self)

    def explain(self) -> str:
        """Of each loop what its parts say."""
        told = (f"{each.part.title}\n{_loop(each).explain()}" for each in self.parts)
        return "\n\n".join((f"{len(self.parts)} loops, a thread each", *told))

    def __str__(self) -> str:
        return f"fork of {len(self.parts)}\n{textwrap.indent(listed(self.parts), '  ')}"

    def numbered(self, part: ModelPart, numbers: Numbers) -> SequenceFork:
        """The fork over numbered tensors."""
        return SequenceFork(tuple(made for each in self.parts for made in numbers.parts_of(each, self.graph)))


def _loop(part: SolvedPart) -> LoopProgram:
    assert isinstance(part.program, LoopProgram)
    return part.program


def forked(parts: Sequence[SolvedPart], graph: ModelGraph, making: Making, alone: Making) -> tuple[SolvedPart, ...]:
    """The parts of a graph with forks in the place of loops where those cost less.

    Args:
        parts: in the order in which they run.
        graph: theirs.
        making: what solved them.
        alone: what solves loops for one thread.
    """
    if making.threads == 1:
        return tuple(parts)
    return tuple(_Forking(parts, graph, making, alone).parts())


class _Forking:
    """Finds what loops run beside, and puts the parts in order by that. Parts are told by number."""

    def __init__(self, parts: Sequence[SolvedPart], graph: ModelGraph, making: Making, alone: Making):
        self._parts, self._graph, self._making, self._alone = parts, graph, making, alone
        self._behind = _behind(parts)
        self._solved: dict[int, SolvedPart] = {}
        self._fork, self._call = (making.target.cost({each: 1}) for each in ("fork", "call"))

    def parts(self) -> Iterator[SolvedPart]:
        """The parts, those of forks as one: what a loop of one reads comes before it, what reads one comes behind."""
        rest: list[tuple[int, ...]] = [(n,) for n in range(len(self._parts))]
        while rest:
            group = self._group(rest)
            if group == rest[0]:
                yield self._one(group)
                rest = rest[1:]
                continue
            self._join(group)
            end = 1 + max(place for place, (n, *_) in enumerate(rest) if n in group)
            others = [each for each in rest[:end] if each[0] not in group]
            before = [each for each in others if not self._behind[each[0]] & {*group}]
            rest = [*before, group, *(each for each in others if each not in before), *rest[end:]]

    def _group(self, rest: list[tuple[int, ...]]) -> tuple[int, ...]:
        """The first part alone, or a loop with those that it runs beside: of the ones that take no longer than some one
        of them, the dearest by themselves."""
        group, most, first = rest[0], 0.0, rest[0][0]
        if not self._is_alone(group):
            return group
        loops = [each[0] for each in rest[1:] if self._is_alone(each) and first not in self._behind[each[0]]]
        for longest in (first, *loops):
            short = (n for n in loops if self._on_one(n).cost <= self._on_one(longest).cost)
            found = [first]
            for n in sorted(short, key=lambda n: -_loop(self._parts[n]).cost):
                if len(found) < self._making.threads and not any(self._are_ordered(n, m) for m in found):
                    found.append(n)
            if len(found) > 1 and (saved := self._saved(found)) > most:
                group, most = tuple(sorted(found)), saved
        return group

    def _is_alone(self, group: tuple[int, ...]) -> bool:
        """Whether it is a loop that is in no fork."""
        return len(group) == 1 and _is_loop(self._parts[group[0]])

    def _join(self, group: tuple[int, ...]) -> None:
        """From now on a part behind one of a group is behind all of it, and each of the group behind all parts that
        another of it is behind."""
        before = set[int]().union(*(self._behind[n] for n in group))
        for n in group:
            self._behind[n] = set(before)
        for behind in self._behind:
            if behind & {*group}:
                behind |= {*group} | before

    def _are_ordered(self, one: int, other: int) -> bool:
        return one in self._behind[other] or other in self._behind[one]

    def _saved(self, group: Sequence[int]) -> float:
        """Cycles that loops take less side by side than one after the other, calls included."""
        apart = sum(_loop(self._parts[n]).cost + self._call for n in group)
        return apart - self._call - self._fork - max(self._on_one(n).cost for n in group)

    def _on_one(self, number: int) -> LoopProgram:
        """A loop's program for one thread."""
        if number not in self._solved:
            part, program = self._parts[number], _loop(self._parts[number])
            inner = Numbered(program.loop.body, program.parts).sequence
            if any(each.threads > 1 for each in inner.programs):
                made = Loops().made(program.loop, self._alone).program
                assert isinstance(made, LoopProgram)
                program = made
            self._solved[number] = replace(part, program=program)
        return _loop(self._solved[number])

    def _one(self, group: tuple[int, ...]) -> SolvedPart:
        """A part, or several loops as a fork."""
        if len(group) == 1:
            return self._parts[group[0]]
        found = tuple(self._solved[n] for n in group)
        program = ForkProgram(self._graph, found, self._making.target)
        reads = tuple(dict.fromkeys(value for each in found for value in each.part.reads))
        calls, gives = (tuple(v for each in found for v in getattr(each.part, of)) for of in ("calls", "gives"))
        return SolvedPart(ModelPart(calls, reads, gives, program.opaque), program, program.apart)


def _is_loop(part: SolvedPart) -> bool:
    return isinstance(part.program, LoopProgram)


def _behind(parts: Sequence[SolvedPart]) -> list[set[int]]:
    """Of each part the loops that what it reads is computed of."""
    of: dict[ModelValue, set[int]] = {}
    found = []
    for n, each in enumerate(parts):
        found.append(set[int]().union(*(of.get(value, set()) for value in each.part.reads)))
        for value in each.part.gives:  # a copy gives what it reads
            of[value] = of.get(value, set()) | found[-1] | ({n} if _is_loop(each) else set())
    return found
