"""A stated Spec as the calls that it is made of, in order, and some of them as a Spec of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from ..ir.calls import CallGraph, Value, linked
from ..ir.spec import Spec
from .views import is_view

Steps = tuple[int, ...]  # some calls of a CallList, ascending


def is_reduction(op: Any) -> bool:
    """Whether an operation joins elements."""
    return op.combine is not None


class Step(NamedTuple):
    """A call: what it gives, its Spec, and the numbers of what it reads."""

    value: Value
    spec: Spec
    reads: tuple[int, ...]


@dataclass(frozen=True)
class CallGroup:
    """Calls that are searched as one: `steps` are their numbers, ascending, `spec` is what they compute, over the
    tensors `reads`, and `gives` are those that it leaves to others, one for each of its outputs."""

    steps: tuple[int, ...]
    spec: Spec
    reads: tuple[int, ...]
    gives: tuple[int, ...]


class CallList:
    """The calls of a Spec. Tensors are numbered: its inputs, then what each call gives. What is computed of no input
    (0, 1, 2, .., as causal masks compare them) is no call of these: `counted`, tensors -1, -2, .., which each group
    that reads them has for itself."""

    def __init__(self, spec: Spec):
        self.spec, graph = spec, spec.graph
        self.inputs = len(graph.inputs)
        number: dict[object, int] = {value.key: n for n, value in enumerate(graph.inputs)}
        steps, counted = list[Value](), list[Value]()
        for value in graph.calls:
            is_counted = value not in graph.gives and all(number[read.key] < 0 for read in value.reads)
            number[value] = -1 - len(counted) if is_counted else self.inputs + len(steps)
            (counted if is_counted else steps).append(value)
        of = lambda values: tuple(Step(v, v.spec, tuple(number[read.key] for read in v.reads)) for v in values)
        self.steps, self.counted = of(steps), of(counted)
        self.types = tuple(value.type for value in (*graph.inputs, *steps))
        self.results = tuple(number[value] for value in graph.gives)

    def __reduce__(self) -> tuple[Any, ...]:
        return CallList, (self.spec,)

    def __len__(self) -> int:
        return len(self.steps)

    @cached_property
    def readers(self) -> tuple[tuple[int, ...], ...]:
        """Of each tensor the calls that read it."""
        found: list[list[int]] = [[] for _ in self.types]
        for number, step in enumerate(self.steps):
            for tensor in dict.fromkeys(t for t in step.reads if t >= 0):
                found[tensor].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def constants(self) -> tuple[int | None, ...]:
        """Of each tensor the constant input that it is, or is computed of alone, so that it is known before any call;
        None elsewhere, and for results."""
        found: list[int | None] = [i if t.constant else None for i, t in enumerate(self.spec.inputs)]
        for number, step in enumerate(self.steps):
            (of, *others) = dict.fromkeys(found[t] for t in step.reads if t >= 0) or (None,)
            found.append(None if others or self.inputs + number in self.results else of)
        return tuple(found)

    def step_of(self, tensor: int) -> int | None:
        """The call that gives a tensor; None for inputs."""
        return tensor - self.inputs if tensor >= self.inputs else None

    def reads(self, steps: Iterable[int]) -> tuple[int, ...]:
        """The tensors that these calls read and do not give themselves, in the order in which they do."""
        own = {self.inputs + s for s in steps}
        return tuple(dict.fromkeys(t for s in steps for t in self.steps[s].reads if t >= 0 and t not in own))

    def gives(self, steps: Iterable[int]) -> tuple[int, ...]:
        """The tensors that these calls give to others, or as results."""
        own = set(steps)
        return tuple(
            self.inputs + s
            for s in sorted(own)
            if self.inputs + s in self.results or any(r not in own for r in self.readers[self.inputs + s])
        )

    def count(self, steps: Iterable[int], kind: Callable[[Any], bool]) -> int:
        """How many of these calls have an operation of a kind."""
        return sum(kind(self.steps[s].spec.operation) for s in steps)

    def is_view(self, steps: tuple[int, ...]) -> bool:
        """Whether it is one call that moves nothing, and what it gives is no result."""
        return (
            1 == len(steps) < len(self)
            and self.inputs + steps[0] not in self.results
            and is_view(self.steps[steps[0]].spec)
        )

    def group(self, steps: tuple[int, ...]) -> CallGroup:
        """These calls as a Spec of their own."""
        reads, gives = self.reads(steps), self.gives(steps)
        if len(steps) == len(self.steps):
            return CallGroup(steps, self.spec, tuple(range(self.inputs)), self.results)
        known = self.constants
        ahead = all(known[t] is not None for t in gives)  # before any call: then nothing is packed before that
        inputs = tuple(replace(self.types[t], name="", constant=known[t] is not None and not ahead) for t in reads)
        last = self.steps[steps[-1]]
        if len(steps) == 1 and len(reads) == len(last.reads):
            return CallGroup(steps, replace(last.spec, inputs=inputs, text=""), reads, gives)
        own = [*(self.counted[-1 - t].value for t in self._counted_for(steps)), *(self.steps[s].value for s in steps)]
        given = tuple(map(Value, inputs))
        every = (*self.spec.graph.inputs, *(step.value for step in self.steps))
        now = linked(own, {every[t].key: value for t, value in zip(reads, given)})
        of = lambda values: tuple(now[value] for value in values)
        graph = CallGraph(last.spec.name, given, of(every[t] for t in gives), of(own))
        return CallGroup(steps, Spec(graph, (), inputs, last.spec.output), reads, gives)

    def _counted_for(self, steps: Iterable[int]) -> list[int]:
        """What these calls read that is computed of no input, in order."""
        found, stack = set[int](), [t for s in steps for t in self.steps[s].reads if t < 0]
        while stack:
            if (tensor := stack.pop()) not in found:
                found.add(tensor)
                stack += self.counted[-1 - tensor].reads
        return sorted(found, reverse=True)
