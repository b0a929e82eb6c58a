"""How the operands of a leaf lie beside its lanes: in steps of one, in groups, in rows that it interleaves; whether
they reach beyond their tensors."""

from __future__ import annotations

from ...lang.nests.family import Family, unit_dim

INTERLEAVED = (2, 4)
"""Results of a lane that lie side by side, of which accumulators are interleaved and stored whole."""


LEAST_SUMS = 4
"""Rows of a result side by side, from which on the lanes of their accumulators are joined together."""


def reaches_beyond(family: Family) -> bool:
    """Whether tiles of some operand may lie in part beyond what is in memory."""
    return any(operand.layout.beyond for operand in family.operands)


def unit_step(family: Family, i: int, dim: str) -> bool:
    """A step of one along `dim` is a step of one element in operand i's memory."""
    layout, access = family.operands[i].layout, family.access(i)
    if layout.panel is not None:
        return unit_dim(access, layout) == dim
    return bool(layout.order) and (dim, 1) in access.axes[layout.order[0]]


def grouped_dim(family: Family, lane: str) -> str | None:
    """The reduction dimension whose neighbours are interleaved in the operands that carry the lanes."""
    for i, operand in enumerate(family.operands[: family.nest.streamed]):
        if operand.layout.group and lane in family.access(i).dims:
            return family.access(i).axes[operand.layout.group[0]][0][0]
    return None


def paired_dim(kernel, family: Family, lane: str) -> str | None:
    """The reduction dimension of whose neighbours a step eats a group, where its lanes are not along the reduction:
    those are interleaved in memory, or rows that the leaf interleaves in registers, or what a window meets that slides
    along the lanes, and then neighbours in the other inputs."""
    found = grouped_dim(family, lane)
    if found or kernel.group == 1 or lane in family.operation.reduction:
        return found
    inputs = range(family.nest.streamed)
    carry, others = ([i for i in inputs if (lane in family.access(i).dims) is carries] for carries in (True, False))
    slid = {slid_dim(kernel, family, i, lane) for i in carry if not interleaves(kernel, family, i, lane)}
    paired = (
        d
        for d in reversed(family.nest.summed)
        if slid <= {d}
        and all(d in family.access(i).dims for i in carry)
        and all(unit_step(family, i, d) for i in others)
    )
    return next(paired, None)


def interleaves(kernel, family: Family, i: int, lane: str) -> bool:
    """Whether the leaf interleaves in registers the rows of input i, which carries its lanes."""
    layout = family.operands[i].layout
    return (
        kernel.interleave is not None
        and lane in family.operation.parallel
        and layout.group is None
        and layout.panel is None
        and unit_step(family, i, lane)
    )


def slid_dim(kernel, family: Family, i: int, lane: str) -> str | None:
    """The reduction along which a window slides over input i beside the lanes that it carries, where the leaf lays
    neighbours along it side by side in registers."""
    layout, access = family.operands[i].layout, family.access(i)
    if (
        kernel.slide is None
        or lane not in family.operation.parallel
        or layout.group
        or layout.panel
        or not unit_step(family, i, lane)
    ):
        return None
    return next((d for d in family.operation.reduction if (d, 1) in access.axes[layout.order[0]]), None)


def skips_one(access, layout, lane: str) -> bool:
    """Whether lanes take every other element of a tensor's rows: a window slides along them by two."""
    return layout.panel is None and bool(layout.order) and (lane, 2) in access.axes[layout.order[0]]


def first_dim(kernel, family: Family) -> list[str]:
    """The lanes of a leaf whose C walks in whatever way is best."""
    return list(family.operation.dims[:1])


def neighbours(kernel, family: Family) -> list[str]:
    """Lanes along the output's neighbours in memory."""
    unit = family.unit_dim(len(family.operands) - 1)
    return [unit] if unit else []
