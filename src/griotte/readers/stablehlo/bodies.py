"""Facts about a program within a program, found without reading it: which operation it is, and which forms it has."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..operators.array import COMPARED

MOVED = ("select", "constant", "convert_element_type", *COMPARED, *(f"{name}_to" for name in COMPARED))
"""Operations by which a comparator may bring numbers to a form before it compares them."""
ComparedSides = tuple[str, tuple[str, Any], tuple[str, Any]]
"""Its name, and its sides: ("input", place) or ("number", number)."""


@dataclass(frozen=True)
class BodyStep:
    """An operation, by the primitive's name, and what it reads and gives."""

    name: str
    reads: tuple[Hashable, ...]
    gives: tuple[Hashable, ...]


@dataclass(frozen=True)
class RegionBody:
    """A program within a program.

    Attributes:
        inputs: its arguments.
        steps: its operations, in order.
        results: its results.
        held: the known array or number of another value; None of a value that is not known.
    """

    inputs: tuple[Hashable, ...]
    steps: tuple[BodyStep, ...]
    results: tuple[Hashable, ...]
    held: Callable[[Hashable], Any] = lambda name: None

    def producer(self, name: Hashable) -> BodyStep | None:
        """The operation that gives a value."""
        return next((step for step in self.steps if name in step.gives), None)

    def number(self, name: Hashable) -> Any:
        """A known number; None of a value that is not known."""
        value = self.held(name)
        return np.asarray(value) if value is not None and np.shape(value) == () else None

    def one_operation(self) -> str:
        """The operation that a body of two operands is; "" where it is more than one."""
        if len(self.steps) != 1 or self.steps[0].gives != self.results:
            return ""
        return self.steps[0].name if set(self.steps[0].reads) == set(self.inputs) else ""

    def is_in_order(self) -> bool:
        """Whether it is one operation of what it takes, in that order."""
        return [step.reads for step in self.steps] == [self.inputs]

    def joins(self) -> list[str]:
        """Of a body of pairs the operation that each is joined by; "" of one that is not joined by one operation."""
        joins = []
        for into, other, result in zip(self.inputs, self.inputs[len(self.results) :], self.results):
            producer = self.producer(result)
            joins.append(producer.name if producer is not None and set(producer.reads) == {into, other} else "")
        return joins

    def counters(self, pairs: Sequence[tuple[int, int]]) -> dict[int, Any]:
        """Of pairs of an input and a result, by the place of the pair, the known step from the one to the other."""
        steps: dict[int, Any] = {}
        for number, (place, result) in enumerate(pairs):
            into, out = self.inputs[place], self.results[result]
            producer = self.producer(out)
            if into == out:
                steps[number] = 0
            elif producer is not None and producer.name == "add" and into in producer.reads:
                step = self.number(next((name for name in producer.reads if name != into), into))
                if step is not None and step.dtype.kind in "iu":
                    steps[number] = step
        return steps

    def comparison(self) -> ComparedSides | None:
        """The comparison that a condition is, of inputs and of known numbers."""
        producer = self.producer(self.results[0]) if len(self.results) == 1 else None
        if producer is None or len(producer.reads) != 2:
            return None
        sides: list[tuple[str, Any]] = []
        for name in producer.reads:
            if name in self.inputs:
                sides.append(("input", self.inputs.index(name)))
            elif (known := self.number(name)) is not None:
                sides.append(("number", known))
        return (producer.name, *sides) if len(sides) == 2 else None  # type: ignore[return-value]

    def is_descending(self) -> bool | None:
        """Whether a comparator of pairs is for the largest first; None where it is no order by the first pair."""
        producer = self.producer(self.results[0]) if len(self.results) == 1 else None
        how = producer.name.removesuffix("_to") if producer is not None else ""
        if producer is None or how not in ("lt", "gt", "le", "ge") or len(self.inputs) < 2:
            return None
        reached, first, second = [self._reached(name) for name in producer.reads], {self.inputs[0]}, {self.inputs[1]}
        if reached not in ([first, second], [second, first]):
            return None
        return (how[0] == "g") == (reached[0] == first)

    def chooses_extreme(self) -> str:
        """ "argmax" or "argmin" where a body of two pairs keeps the larger or the smaller with its place; else ""."""
        if len(self.results) != 2 or len(self.inputs) != 4:
            return ""
        value, place, other, beside = self.inputs
        for result, pair in zip(self.results, ((value, other), (place, beside))):
            producer = self.producer(result)
            if producer is None or producer.name != "select" or producer.reads[1:] != pair:
                return ""
        orders = {step.name for step in self.steps if step.name in COMPARED and step.reads == (value, other)}
        ways = {"gt": "argmax", "ge": "argmax", "lt": "argmin", "le": "argmin"}
        words = orders - {"eq", "ne"}
        return ways[words.pop()] if len(words) == 1 else ""

    def _reached(self, name: Hashable) -> set[Hashable]:
        """The inputs that a value follows from; more than there are where it is computed otherwise."""
        inputs: set[Hashable] = set()
        seen: set[Hashable] = set()
        waiting = [name]
        while waiting:
            name = waiting.pop()
            producer = self.producer(name)
            if name in self.inputs:
                inputs.add(name)
            elif producer is not None and producer.name not in MOVED:
                inputs.add("")
            elif producer is not None and name not in seen:
                seen.add(name)
                waiting += producer.reads
        return inputs


def of_one(name: str) -> RegionBody:
    """The body of two operands that is one operation."""
    return RegionBody(("x", "y"), (BodyStep(name, ("x", "y"), ("z",)),), ("z",))
