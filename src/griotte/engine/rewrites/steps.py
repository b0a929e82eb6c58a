"""What tiles of a dimension are multiples of, so that none begins within a panel or a group of a packed operand."""

from __future__ import annotations

from ...lang.nests.family import Family


def steps(family: Family, i: int, dim: str) -> list[tuple[int, int]]:
    """(free, step): tiles of `dim` are multiples of `step` wherever the size is above `free`, for operand i. A tile may
    be a part of one panel where the operand is read, and where a reduction stores it; a map writes whole panels, a copy
    their padding as well."""
    layout = family.operands[i].layout
    if not layout.panel and not layout.group:
        return []
    access = family.access(i)
    is_output = i == len(family.operands) - 1 and not family.nest.combine
    found = []
    if layout.panel and access.axis_of(dim) == layout.panel[0]:
        found.append((0 if is_output else layout.panel[1], layout.panel[1]))
    if layout.group and access.axis_of(dim) == layout.group[0]:
        found.append((0, layout.group[1]))
    return found


def step_of(family: Family, dim: str, extent: int) -> int:
    """What tiles of `dim` are multiples of."""
    found = [step for i in range(len(family.operands)) for free, step in steps(family, i, dim) if extent > free]
    return max(found, default=1)


def cuts(family: Family, dim: str, tile: int) -> bool:
    """Whether tiles of `dim`, one after the other, would begin within a panel or a group of some operand."""
    return any(tile % step for i in range(len(family.operands)) for _, step in steps(family, i, dim))
