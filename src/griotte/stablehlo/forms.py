"""What is seen of a region of StableHLO without reading it: which of its operations matter, and what forms it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .module import Region, StableHloOperation
from .naming import told

MOVED = ("stablehlo.select", "stablehlo.constant", "stablehlo.convert", "stablehlo.compare")
"""Operations by which a comparator may bring numbers to a form before it compares them."""


@dataclass(frozen=True)
class Body:
    """A region, and what there is around it."""

    region: Region
    scope: Mapping[str, Any]

    def giver(self, name: str) -> StableHloOperation | None:
        """The operation of the region that gives a value."""
        return next((op for op in self.region.operations if name in op.results), None)

    @property
    def inputs(self) -> list[str]:
        """Names of what it takes."""
        return [name for name, _ in self.region.inputs]

    def number(self, name: str) -> Any:
        """A known number; None of what is not known."""
        giver = self.giver(name)
        found = giver.attributes.get("value") if giver is not None else self.scope.get(name)
        return found if isinstance(found, np.ndarray) and found.shape == () else None


class Forms:
    """What declarations ask of regions."""

    def one_operation(self, body: Body | str) -> str:
        """The operation that a region of two operands is, or that is told by its name."""
        if isinstance(body, str):
            return told(StableHloOperation(body, (), ("", ""), {}, (), (), (), (), 0))[0]
        operations = body.region.operations
        if len(operations) != 1 or operations[0].results != body.region.results:
            return ""
        return told(operations[0])[0] if set(operations[0].operands) == set(body.inputs) else ""

    def joins(self, body: Body | str) -> list[str]:
        """Of a region of pairs, or one that is told by its name, the operation that each is joined by;
        "" of one that is not joined by one operation."""
        if isinstance(body, str):
            return [self.one_operation(body)]
        found, count = [], len(body.region.results)
        for into, other, name in zip(body.inputs, body.inputs[count:], body.region.results):
            giver = body.giver(name)
            found.append(told(giver)[0] if giver is not None and set(giver.operands) == {into, other} else "")
        return found

    def counters(self, body: Body, pairs: Sequence[tuple[int, int]]) -> dict[int, Any]:
        """Of pairs of an input and an output, by the place of the pair, the known step from the one to the other."""
        found: dict[int, Any] = {}
        for number, (place, result) in enumerate(pairs):
            into, out = body.inputs[place], body.region.results[result]
            giver = body.giver(out)
            if into == out:
                found[number] = 0
            elif giver is not None and giver.name == "stablehlo.add" and into in giver.operands:
                (other,) = [name for name in giver.operands if name != into] or [into]
                step = body.number(other)
                if step is not None and step.dtype.kind in "iu":
                    found[number] = step
        return found

    def comparison(self, body: Body) -> tuple[str, tuple[str, Any], tuple[str, Any]] | None:
        """The comparison that a condition is, and its sides: ("input", place) or ("number", number)."""
        giver = body.giver(body.region.results[0]) if len(body.region.results) == 1 else None
        if giver is None or giver.name != "stablehlo.compare":
            return None
        sides: list[tuple[str, Any]] = []
        for name in giver.operands:
            known = body.number(name)
            if name in body.inputs:
                sides.append(("input", body.inputs.index(name)))
            elif known is not None:
                sides.append(("number", known))
        return (told(giver)[0], sides[0], sides[1]) if len(sides) == 2 else None

    def is_descending(self, body: Body) -> bool | None:
        """Whether a comparator of pairs is for the largest first; None where it is no order by the first pair."""
        giver = body.giver(body.region.results[0]) if len(body.region.results) == 1 else None
        if giver is None or giver.name != "stablehlo.compare" or len(body.inputs) < 2:
            return None
        reached = [_reached(body, name) for name in giver.operands]
        how, first, second = told(giver)[0].removesuffix("_to"), {body.inputs[0]}, {body.inputs[1]}
        if how not in ("lt", "gt", "le", "ge") or sorted(map(sorted, reached)) != sorted(map(sorted, (first, second))):
            return None
        return (how[0] == "g") == (reached[0] == first)

    def chooses_extreme(self, body: Body) -> str:
        """ "argmax" or "argmin" where a region of two pairs keeps the larger or the smaller with its place; else ""."""
        if len(body.region.results) != 2 or len(body.inputs) != 4:
            return ""
        choices = [body.giver(name) for name in body.region.results]
        value, _, other, _ = body.inputs
        if any(each is None or each.name != "stablehlo.select" for each in choices):
            return ""
        assert choices[0] is not None and choices[1] is not None
        if choices[0].operands[1:] != (value, other) or choices[1].operands[1:] != (body.inputs[1], body.inputs[3]):
            return ""
        orders = [
            op for op in body.region.operations if op.name == "stablehlo.compare" and op.operands == (value, other)
        ]
        words = {told(op)[0] for op in orders} - {"eq", "ne"}
        return (
            {"gt": "argmax", "ge": "argmax", "lt": "argmin", "le": "argmin"}.get(words.pop(), "")
            if len(words) == 1
            else ""
        )


def _reached(body: Body, name: str) -> set[str]:
    """The inputs of a region that a value follows from; more than there are where it is computed otherwise."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        giver = body.giver(name)
        if name in body.inputs:
            found.add(name)
        elif giver is not None and giver.name not in MOVED:
            found.add("")
        elif giver is not None:
            waiting += giver.operands
    return found


def lives(region: Region) -> list[StableHloOperation]:
    """The operations whose results are read, in order; what their regions take from around them is read."""
    read, found = set(region.results), []
    for op in reversed(region.operations):
        if not op.results or not read.isdisjoint(op.results):
            found.append(op)
            read.update(op.operands)
            for inner in op.regions:
                read.update(_names(inner))
    return found[::-1]


def _names(region: Region) -> set[str]:
    found: set[str] = set()
    waiting = [region]
    while waiting:
        region = waiting.pop()
        found.update(region.results)
        for op in region.operations:
            found.update(op.operands)
            waiting += op.regions
    return found
