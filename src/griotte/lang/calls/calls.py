"""Graphs of calls: inputs, the values that calls compute, and results. A Spec is one whose calls are each of one nest:

    scores = matmul(q, k); softmax(scores)         -> five calls: a product, and the four nests of a softmax

Any number of calls may read a value. A chain of a thousand calls is built in a thousand steps, for a graph lists its
calls only when they are first asked for, in one walk.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic

from ..types.dynamic import Dynamic, dynamic_input
from ..types.tensor import TensorType
from ..types.walk import children_first
from .value import AnyValue, OneNest, Value


class CallGraph(Generic[AnyValue]):
    """Calls, as the values that they compute. Two graphs are equal where equal calls read each other in the same way,
    whatever the types of their inputs.

    Attributes:
        name: of the last call.
        inputs: in the order in which a kernel takes them.
        gives: the results.
        calls: all, each after the calls that it reads.
    """

    placed = ()  # see Graph

    def __init__(
        self,
        name: str,
        inputs: tuple[AnyValue, ...],
        gives: tuple[AnyValue, ...],
        calls: tuple[AnyValue, ...] | None = None,
    ) -> None:
        self.name, self.inputs, self.gives = name, inputs, gives
        if calls is not None:
            self.calls = calls

    @cached_property
    def calls(self) -> tuple[AnyValue, ...]:
        return tuple(value for value in children_first(self.gives, lambda value: value.values) if value.call)

    @cached_property
    def inputs_by_key(self) -> dict[object, Value]:
        """The inputs by key."""
        return joined({value.key: value} for value in self.inputs)

    @cached_property
    def input_types(self) -> tuple[TensorType, ...]:
        """The types of the inputs."""
        return tuple(map(attrgetter("type"), self.inputs))

    @cached_property
    def dynamic(self) -> Dynamic | None:
        """The dynamic size of the inputs; SpecError where they have several."""
        return dynamic_input(self.input_types)

    @cached_property
    def values(self) -> tuple[AnyValue, ...]:
        """All tensors: the inputs, then the result of each call."""
        return *self.inputs, *self.calls

    @cached_property
    def number(self) -> dict[Hashable, int]:
        """The number of each tensor, by key."""
        return {value.key: n for n, value in enumerate(self.values)}

    def numbers(self, values: Iterable[AnyValue]) -> tuple[int, ...]:
        """The numbers of these tensors; tensors of other graphs are left out."""
        return tuple(self.number[value.key] for value in values if value.key in self.number)

    @cached_property
    def types(self) -> tuple[TensorType, ...]:
        """The types of all tensors."""
        return tuple(value.type for value in self.values)

    @cached_property
    def readers(self) -> dict[Hashable, list[AnyValue | None]]:
        """The calls that read each tensor, by key, once for each read; None for a result."""
        found: dict[Hashable, list[AnyValue | None]] = {key: [] for key in self.number}
        for value in self.calls:
            for read in self.reads(value):
                found[read.key].append(value)
        for value in self.gives:
            found[value.key].append(None)
        return found

    def reads(self, call: AnyValue) -> list[AnyValue]:
        """The tensors that a call reads; tensors of other graphs are left out."""
        return [self.values[n] for n in self.numbers(call.values)]

    def read_by(self, calls: Iterable[AnyValue]) -> tuple[AnyValue, ...]:
        """The tensors that these calls read and do not compute themselves, in the order of the reads."""
        own = {*calls}
        return tuple(dict.fromkeys(read for value in calls for read in self.reads(value) if read not in own))

    def given_by(self, calls: Iterable[AnyValue]) -> tuple[AnyValue, ...]:
        """The tensors of these calls that other calls read, or that are results."""
        own = {*calls}
        return tuple(value for value in calls if not own.issuperset(self.readers[value.key]))

    @cached_property
    def known(self) -> tuple[int | None, ...]:
        """For each tensor the constant input that it is, or is computed from alone: it is known before any call. None
        for other tensors, and for results."""
        found: list[int | None] = [i if value.type.constant else None for i, value in enumerate(self.inputs)]
        for value in self.calls:
            (of, *others) = dict.fromkeys(found[t] for t in self.numbers(value.values)) or (None,)
            found.append(None if others or value in self.gives else of)
        return tuple(found)

    @cached_property
    def _rows(self) -> tuple[Any, ...]:
        """What identifies the graph. Calls without a number, which each reader computes for itself, come first."""
        every = children_first(self.calls, lambda value: (read for read in value.values if read.call))
        calls = (*(value for value in every if value not in self.number), *self.calls)
        number = {value.key: n for n, value in enumerate((*self.inputs, *calls))}
        rows = tuple((value.spec, tuple(number[read.key] for read in value.values)) for value in calls)
        return self.name, len(self.inputs), rows, tuple(number[value.key] for value in self.gives), len(self.calls)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CallGraph) and self._rows == other._rows

    def __hash__(self) -> int:
        return hash(self._rows)

    def __repr__(self) -> str:
        return f"<{self.name} of {len(self.calls)} calls>"

    def __reduce__(self) -> tuple[Any, ...]:
        name, _, *rest = self._rows
        return _read_back, (name, self.input_types, *rest)

    def over(self, types: Iterable[TensorType], made: Callable[[OneNest], OneNest] = lambda call: call) -> CallGraph:
        """The same calls, changed by `made`, over inputs of other types."""
        now = {value.key: given(type) for value, type in zip(self.inputs, types)}
        inputs = tuple(now.values())
        now = linked(self.calls, now, made)
        calls = tuple(now[value] for value in self.calls)
        return CallGraph(self.name, inputs, tuple(now[value.key] for value in self.gives), calls)


def given(type: TensorType) -> Value:
    """An input of this type."""
    return Value(type, type.name)


def graph_of(spec: OneNest, inputs: tuple[Value, ...]) -> CallGraph:
    """A call of one nest over these inputs, as a graph."""
    gives = (Value.of_nest(spec, inputs),)
    return CallGraph(spec.name, inputs, gives, gives)


def linked(
    calls: Iterable[Value], came: Mapping[object, Value], made: Callable[[OneNest], OneNest] = lambda call: call
) -> dict[object, Value]:
    """These calls, in order, changed by `made` and reading the tensors that `came` has by key: the new value of each
    old one."""
    now = dict(came)
    for value in calls:
        now[value] = Value.of_nest(made(value.spec), tuple(now.get(read.key, read) for read in value.values))
    return now


def joined(inputs: Iterable[dict[object, Value]]) -> dict[object, Value]:
    """All these inputs, each once, in the order of their first appearance. A call mostly has the inputs of the calls
    that it reads and a few more, so whole groups are compared before single inputs."""
    found: dict[object, Value] = {}
    for more in inputs:
        if found.keys().isdisjoint(more):
            found |= more
        elif not more.keys() <= found.keys():
            found |= {key: value for key, value in more.items() if key not in found}
    return found


def _read_back(
    name: str,
    types: tuple[TensorType, ...],
    rows: tuple[tuple[OneNest, tuple[int, ...]], ...],
    results: tuple[int, ...],
    calls: int,
) -> CallGraph:
    tensors = [*map(given, types)]
    for call, reads in rows:
        tensors.append(Value.of_nest(call, tuple(tensors[t] for t in reads)))
    first = len(tensors) - calls
    return CallGraph(name, tuple(tensors[: len(types)]), tuple(tensors[t] for t in results), tuple(tensors[first:]))
