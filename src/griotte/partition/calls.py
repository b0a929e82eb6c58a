"""A stated Spec as the calls that it is made of, in order, and some of them as a Spec of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..ir.compose import Composition, Step
from ..ir.spec import Spec
from ..ir.tensor import TensorType
from .views import is_view

Steps = tuple[int, ...]  # some calls of a CallList, ascending


def is_reduction(op: Any) -> bool:
    """Whether an operation joins elements."""
    return op.combine is not None


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
        self.spec = spec
        self.inputs = len(spec.inputs)
        op = spec.operation
        steps = op.steps if spec.is_composed else (Step(spec, tuple(range(self.inputs))),)
        results = (op.results if spec.is_composed else ()) or (self.inputs + len(steps) - 1,)
        number = _numbered(steps, self.inputs, results)
        renumbered = [replace(step, reads=tuple(number[t] for t in step.reads)) for step in steps]
        self.steps = tuple(step for s, step in enumerate(renumbered) if number[self.inputs + s] >= 0)
        self.counted = tuple(step for s, step in enumerate(renumbered) if number[self.inputs + s] < 0)
        self.types: tuple[TensorType, ...] = (*spec.inputs, *(step.spec.output for step in self.steps))
        self.results = tuple(number[t] for t in results)

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
        counted = self._counted_for(steps)
        order = [*reads, *counted, *(self.inputs + s for s in steps)]
        number = {t: i for i, t in enumerate(order)}
        done = [*(self.counted[-1 - t] for t in counted), *(self.steps[s] for s in steps)]
        own = tuple(replace(step, reads=tuple(number[t] for t in step.reads)) for step in done)
        several = tuple(number[t] for t in gives) if len(gives) > 1 else ()
        return CallGroup(
            steps, Spec(Composition(last.spec.operation.name, own, several), (), inputs, last.spec.output), reads, gives
        )

    def _counted_for(self, steps: Iterable[int]) -> list[int]:
        """What these calls read that is computed of no input, in order."""
        found, stack = set[int](), [t for s in steps for t in self.steps[s].reads if t < 0]
        while stack:
            if (tensor := stack.pop()) not in found:
                found.add(tensor)
                stack += self.counted[-1 - tensor].reads
        return sorted(found, reverse=True)


def _numbered(steps: Iterable[Step], inputs: int, results: tuple[int, ...]) -> dict[int, int]:
    """The number of each tensor: less than 0 where it is computed of no input and is no result."""
    found, counted = {t: t for t in range(inputs)}, 0
    for tensor, step in enumerate(steps, inputs):
        is_counted = tensor not in results and all(found[t] < 0 for t in step.reads)
        counted += is_counted
        found[tensor] = -counted if is_counted else tensor - counted
    return found
