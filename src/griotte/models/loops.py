"""Loops of a model: of a known number of turns, with a body that is a model of its own.

    loop = LoopBuilder(builder, trips=10)
    h, x = loop.carried(h0), loop.each(xs)  # within a turn: what the turn before gave, and its own part of xs
    then = builder.call("tanh", builder.call("add", builder.call("matmul", h, weights), x))
    last, ys = loop.scan([then], [(then, False)])

Values that are the same in all turns (all that read neither) stay outside of the body, and are computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..lang.meaning.reference import empty
from ..lang.types.tensor import TensorType, row_major
from ..lang.types.walk import children_first
from ..support.errors import SpecError
from .graph import GraphBuilder, ModelGraph, ModelValue
from .value import SCAN, OpaqueOp


@dataclass(frozen=True, eq=False)
class ModelLoop(OpaqueOp):
    """A loop whose body is a model.

    The body takes the values carried from turn to turn. Then it takes of each of `slices` the part along the first axis
    that is this turn's; then the values that are the same in all turns. It gives the values carried to the next turn,
    then a row for each of `rows`. The loop gives the values carried out of its last turn, then the rows of all turns
    along a new first axis.

    Attributes:
        body: with row-major inputs, but for those that are the same in all turns, and row-major outputs.
        trips: how many turns.
        carried: how many values are carried.
        slices: of each, whether the first turn takes the last part.
        rows: of each, whether the first turn gives the last row.
    """

    body: ModelGraph
    trips: int
    carried: int
    slices: tuple[bool, ...] = ()
    rows: tuple[bool, ...] = ()

    call = SCAN

    def __post_init__(self) -> None:
        inputs, given = len(self.body.inputs), len(self.body.results)
        if self.trips < 1:
            raise SpecError(f"expected a loop of 1 turn or more, found {self.trips}; leave it out")
        if inputs < self.own or given != self.carried + len(self.rows):
            raise SpecError(
                f"expected a body of {self.carried} values that are carried, {len(self.slices)} parts and"
                f" {len(self.rows)} rows, found {inputs} inputs and {given} outputs; give it those"
            )
        for first, (_, then) in zip(self.body.inputs[: self.carried], self.body.results):
            if _bare(first.type) != _bare(then.type):
                raise SpecError(
                    f"expected {_bare(first.type)} to be carried on as {first.name!r}, found {then.type}; cast or copy"
                    " it"
                )
        for value in (*self.body.inputs[: self.own], *(v for _, v in self.body.results)):
            _require_dense(value)

    @property
    def own(self) -> int:
        """How many of the body's inputs are other values at each turn."""
        return self.carried + len(self.slices)

    @property
    def flops(self) -> int:
        """Those of all turns."""
        return self.trips * self.body.flops

    @cached_property
    def types(self) -> tuple[TensorType, ...]:
        """What it gives."""
        types = [_bare(value.type) for _, value in self.body.results]
        return (*types[: self.carried], *(_along(self.trips, type) for type in types[self.carried :]))

    @cached_property
    def takes(self) -> tuple[TensorType, ...]:
        """What it takes."""
        types = [_bare(value.type) for value in self.body.inputs]
        parts = (_along(self.trips, type) for type in types[self.carried : self.own])
        return (*types[: self.carried], *parts, *types[self.own :])

    @property
    def words(self) -> tuple[str, ...]:
        """How often it runs what."""
        return (f"{self.trips} turns of {len(self.body.calls)} calls",)

    def run(self, interpret: Callable[..., tuple[np.ndarray, ...]], *arrays: Any) -> tuple[np.ndarray, ...]:
        """What it gives, one turn after the other."""
        carried, wholes = arrays[: self.carried], arrays[self.carried : self.own]
        rows = [empty(type) for type in self.types[self.carried :]]
        place = lambda turn, backward: self.trips - 1 - turn if backward else turn
        for turn in range(self.trips):
            parts = [whole[place(turn, backward)] for whole, backward in zip(wholes, self.slices)]
            found = interpret(self.body, *carried, *parts, *arrays[self.own :])
            carried = found[: self.carried]
            for row, backward, now in zip(rows, self.rows, found[self.carried :]):
                row[place(turn, backward)] = now
        return (*carried, *rows)

    def picks(self, of: Callable[[Any], dict[Any, int]]) -> dict[int, int]:
        """Those of its body's inputs."""
        rows = of(self.body)
        return {place: rows[own] for place, own in enumerate(self.body.inputs) if own in rows}

    def __repr__(self) -> str:
        return f"loop({self.trips}, {self.carried}, {self.slices}, {self.rows}, {self.body.digest})"


def _bare(type: TensorType) -> TensorType:
    return replace(type, name="", constant=False)


def _along(trips: int, type: TensorType) -> TensorType:
    """So many of a type along a new first axis."""
    return replace(type, shape=(trips, *type.shape), minor_to_major=row_major(type.rank + 1))


def _require_dense(value: ModelValue) -> None:
    type = value.type
    if not type.is_row_major or type.dynamic is not None or type.bytes % type.elements:
        raise SpecError(
            f"expected row-major tensors of fixed sizes and of whole bytes where turns of a loop meet, found {type};"
            " copy or cast it"
        )


@dataclass(eq=False)
class LoopBuilder:
    """Makes a loop from calls that a graph's builder makes over its values.

    Attributes:
        builder: of the graph around it.
        trips: how many turns.
    """

    builder: GraphBuilder
    trips: int
    _firsts: list[ModelValue] = field(default_factory=list)
    _carried: list[ModelValue] = field(default_factory=list)
    _wholes: list[ModelValue] = field(default_factory=list)
    _parts: list[ModelValue] = field(default_factory=list)
    _backward: list[bool] = field(default_factory=list)

    def carried(self, first: ModelValue) -> ModelValue:
        """What the turn before gave; in the first turn this value."""
        self._firsts.append(first)
        self._carried.append(_fresh(first.type.dtype, first.type.shape, f"c{len(self._carried)}"))
        return self._carried[-1]

    def each(self, whole: ModelValue, backward: bool = False) -> ModelValue:
        """The part of a value along its first axis that is a turn's own: the first turn takes the first, or the
        last."""
        self._wholes.append(whole)
        self._backward.append(backward)
        self._parts.append(_fresh(whole.type.dtype, whole.type.shape[1:], f"s{len(self._parts)}"))
        return self._parts[-1]

    def scan(
        self, then: Sequence[ModelValue], rows: Iterable[tuple[ModelValue, bool]] = (), name: str = "", origin: str = ""
    ) -> tuple[ModelValue, ...]:
        """What the loop gives.

        Args:
            then: the values carried on, in the order in which `carried` was asked.
            rows: what each turn gives, and whether the first turn gives the last row.
            name: of the results.
            origin: the node that it is of.
        """
        rows = list(rows)
        results = [*then, *(value for value, _ in rows)]
        body, same = self._body(results)
        loop = ModelLoop(body, self.trips, len(self._carried), tuple(self._backward), tuple(b for _, b in rows))
        names = [name] * len(results)
        return self.builder.make(loop, *self._firsts, *self._wholes, *same, names=names, origin=origin)

    def _body(self, results: list[ModelValue]) -> tuple[ModelGraph, list[ModelValue]]:
        """The graph of a turn, and what it takes that is the same in all."""
        inner, same = GraphBuilder(), list[ModelValue]()
        own = {value: inner.input(value.type, value.name) for value in (*self._carried, *self._parts)}

        def within(read: Any) -> Any:
            if not isinstance(read, ModelValue):
                return read
            if read not in own and read.array is not None:
                own[read] = inner.known(read)
            elif read not in own:
                own[read] = inner.input(_bare(read.type), f"g{len(same)}")
                same.append(read)
            return own[read]

        turning = set(own)
        for value in children_first(results, lambda value: value.values):
            if value not in turning and any(read in turning for read in value.values):
                turning.add(value)
                own[value] = inner.rebuilt(value, tuple(map(within, value.reads)))
        names = [f"then{n}" for n in range(len(self._carried))]
        names += [f"row{n}" for n in range(len(results) - len(names))]
        return inner.graph({name: within(value) for name, value in zip(names, results)}), same


def _fresh(dtype: str, shape: tuple[int, ...], name: str) -> ModelValue:
    return ModelValue(TensorType(dtype, shape, row_major(len(shape))), name)
