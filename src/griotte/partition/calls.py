"""A stated Spec as the calls that it is made of, in order, and some of them as a Spec of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..ir.compose import Composition, Step
from ..ir.expr import IOTA
from ..ir.spec import Spec
from ..ir.tensor import TensorType
from .views import is_view


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
    """The calls of a Spec. Tensors are numbered: its inputs, then what each call gives."""

    def __init__(self, spec: Spec):
        self.spec = spec
        self.inputs = len(spec.inputs)
        op = spec.operation
        self.steps = op.steps if spec.is_composed else (Step(spec, tuple(range(self.inputs))),)
        self.types: tuple[TensorType, ...] = (*spec.inputs, *(step.spec.output for step in self.steps))
        self.results = (op.results if spec.is_composed else ()) or (len(self.types) - 1,)

    def __len__(self) -> int:
        return len(self.steps)

    @cached_property
    def readers(self) -> tuple[tuple[int, ...], ...]:
        """Of each tensor the calls that read it."""
        found: list[list[int]] = [[] for _ in self.types]
        for number, step in enumerate(self.steps):
            for tensor in dict.fromkeys(step.reads):
                found[tensor].append(number)
        return tuple(map(tuple, found))

    @cached_property
    def constants(self) -> tuple[int | None, ...]:
        """Of each tensor the constant input that it is, or is computed of alone, so that it is known before any call;
        None elsewhere, and for results."""
        found: list[int | None] = [i if t.constant else None for i, t in enumerate(self.spec.inputs)]
        for number, step in enumerate(self.steps):
            (of, *others) = dict.fromkeys(found[t] for t in step.reads) or (None,)
            found.append(None if others or self.inputs + number in self.results else of)
        return tuple(found)

    @cached_property
    def counts_places(self) -> bool:
        """Whether a call gives 0, 1, 2, .., as causal masks compare them: no part of its own."""
        return any(step.spec.operation.body == IOTA for step in self.steps)

    def step_of(self, tensor: int) -> int | None:
        """The call that gives a tensor; None for inputs."""
        return tensor - self.inputs if tensor >= self.inputs else None

    def reads(self, steps: Iterable[int]) -> tuple[int, ...]:
        """The tensors that these calls read and do not give themselves, in the order in which they do."""
        own = {self.inputs + s for s in steps}
        return tuple(dict.fromkeys(t for s in steps for t in self.steps[s].reads if t not in own))

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

    def moved(self, steps: Iterable[int]) -> int:
        """The bytes of what these calls read and give as whole arrays."""
        steps = tuple(steps)
        return sum(self.types[t].bytes for t in (*self.reads(steps), *self.gives(steps)))

    def is_view(self, steps: tuple[int, ...]) -> bool:
        """Whether it is one call that moves nothing, and what it gives is no result."""
        return (
            1 == len(steps) < len(self)
            and self.inputs + steps[0] not in self.results
            and is_view(self.steps[steps[0]].spec)
        )

    def is_split_in_time(self, steps: Iterable[int]) -> bool:
        """Whether these calls give others what is known ahead of the call, and what is not: that is no one part."""
        return len({self.constants[t] is None for t in self.gives(steps)}) > 1

    def joined(self, steps: Iterable[int]) -> list[tuple[int, ...]]:
        """These calls, ascending, in groups of which none reads what another gives. Of calls that follow each other no
        path leads out of such a group and back."""
        group: dict[int, set[int]] = {}
        for s in steps:
            found = [group[r] for t in self.steps[s].reads if (r := t - self.inputs) in group]
            whole = {s}.union(*found)
            group.update(dict.fromkeys(whole, whole))
        return sorted({tuple(sorted(each)) for each in group.values()})

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
        number = {t: i for i, t in enumerate(reads)} | {self.inputs + s: len(reads) + i for i, s in enumerate(steps)}
        own = tuple(Step(self.steps[s].spec, tuple(number[t] for t in self.steps[s].reads)) for s in steps)
        several = tuple(number[t] for t in gives) if len(gives) > 1 else ()
        return CallGroup(
            steps, Spec(Composition(last.spec.operation.name, own, several), (), inputs, last.spec.output), reads, gives
        )
