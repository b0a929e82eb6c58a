"""Near: the levels at which an operand of a graph, or a tensor between its nests, may be worth a place."""

from __future__ import annotations

from ...lang.nests.family import LINE, Family
from ...lang.nests.parts import operands_for


def near_levels(family: Family, i: int, target) -> list[int]:
    """The levels that operand i of a graph may be viewed at: none where no two nests, and no two tiles of a loop, read
    it, and none of a buffer, which was placed where it is wanted; the last output where it may be added to tile by
    tile, or hold another tensor before."""
    graph, operand = family.operation, family.operands[i]
    if i == graph.operand(graph.last):
        holds = bool(graph.reduction) or any(i in outputs_for(family, t) for t in graph.unplaced)
        return worthwhile(graph.bytes[-1], operand.level, target) if holds and operand.level == family.slowest else []
    if (
        i in graph.written
        or operand.level < family.slowest
        or len(graph.readers(i)) < 2
        and all(d in family.access(i).dims for d in graph.cut)
    ):
        return []
    return worthwhile(graph.bytes[i], operand.level, target) if family.access(i).dims else []


def outputs_for(family: Family, tensor: int) -> list[int]:
    """The outputs of a graph that may hold a tensor that one of its nests writes: none that holds what is to be added
    to."""
    if family.accumulate:
        return []
    held = family.operation.between(tensor)
    return [
        i
        for i in operands_for(family.operation, tensor)
        if family.operands[i].dtype == held.dtype and not family.operands[i].layout.panel
    ]


def worthwhile(size: int, home: int, target) -> list[int]:
    """The levels nearer than `home` where a tile of a tensor of so many bytes may be worth a place: up to the fastest
    that holds all of it."""
    near = target.places(home)
    enough = next((level for level in near if size / LINE <= target.capacity_lines(level)), home)
    return [level for level in near if level <= enough]
