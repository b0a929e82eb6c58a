"""What vectors take whose lanes are not neighbours in memory: of elements a few apart whole loads, else each element's
own (`vectors.apart`)."""

from __future__ import annotations

from ...lang.nests.family import Family
from ..vectors.apart import may_join


def elements_apart(family: Family, i: int, lane: str) -> int:
    """How many elements on from one lane the next one is in operand i's memory; 0: no family of any size says it. A
    window slides along the lanes by two, say, or they are rows of a given tensor that has short ones."""
    layout, access = family.operands[i].layout, family.access(i)
    if layout.panel is not None or not layout.order:
        return 0
    steps = {0: 1, 1: layout.row}
    return sum(c * steps.get(n, 0) for n, axis in enumerate(layout.order) for d, c in access.axes[axis] if d == lane)


def is_joined(family: Family, i: int, lane: str) -> bool:
    """Whether a step's vectors of input i are joined of whole loads, as far as a family of any size says it."""
    return lane in family.access(i).dims and may_join(elements_apart(family, i, lane), family.output.vector.lanes)


ORDERS = 2
"""Registers that hold the orders of permutations: of a whole vector, and of the last one of a row."""


def work(family: Family, i: int, lane: str, lanes: int, target) -> tuple[float, float, float]:
    """(arithmetic-port slots, loads of vectors, loads of elements) of such a vector of input i. Where whole loads hold
    the elements there is a blend for each of these but one, and a permutation, which is two operations (Agner Fog,
    *Instruction tables*, vpermps on a Zen). Such loads begin anywhere, so that some cross lines."""
    apart, handling = elements_apart(family, i, lane), target.handling
    if may_join(apart, lanes):
        crossing = min(1.0, lanes * family.operands[i].bytes / target.spans.line)
        return apart + 1.0, apart * (1 + (handling.split - 1) * crossing), 0.0
    if target.ports.parted:
        return target.ports.parted * lanes, 0.0, float(lanes)
    return 0.0, 0.0, handling.scattered * lanes
