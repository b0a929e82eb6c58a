"""Conditions that several forms of leaves share. They ask of a kernel's declaration, of a family at any size and of
sizes. They also ask how operands lie beside the lanes (in steps of one, in groups, in rows that are interleaved)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from ...lang.nests.family import Family, unit_dim
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Operation
from ...lang.nests.pending import OneLeaf
from ...lang.types.expr import Expr

Condition = tuple[object, str]
"""Whether a size, or each of an array of them, will do; the condition in words."""


@lru_cache(1 << 10)
def _written(body: Expr) -> str:
    return str(body)


def declares(kernel, op: Operation, accumulator: str, body: Expr | None = None) -> bool:
    """Whether the kernel's declaration matches an operation of one nest, computed as `body` where that is another."""
    if op.combine not in kernel.combine or kernel.compute is not None and accumulator not in kernel.compute:
        return False
    return kernel.body is None or kernel.body == _written(op.body if body is None else body)


def computes(kernel, op: Graph, accumulator: str) -> bool:
    """Whether the kernel's declaration matches an operation that is not folded and not computed with others."""
    return not OneLeaf.of(op) and not op.nest.fold and declares(kernel, op.nest, accumulator)


# ---- of a family at any size: why the kernel cannot serve it, empty when it can ------------------------------------


def no_index(kernel, family: Family) -> str:
    return f"{kernel.name} expects no input that is read at an index" if family.nest.picks else ""


def no_border(kernel, family: Family) -> str:
    return f"{kernel.name} expects tensors that are in memory, border and all" if reaches_beyond(family) else ""


def apart(kernel, family: Family) -> str:
    """That tiles of an output in memory do not overlap."""
    access = family.access(len(family.operands) - 1)
    overlaps = family.output.level > 0 and not all(access.is_apart(d) for d in family.operation.dims)
    return f"{kernel.name} expects tiles of its output that do not overlap" if overlaps else ""


def to_memory(kernel, family: Family) -> str:
    return f"{kernel.name} expects its output in memory" if family.output.level == 0 else ""


def to_registers(kernel, family: Family) -> str:
    return f"{kernel.name} expects its output in registers; move it there first" if family.output.level > 0 else ""


def a_map(kernel, family: Family) -> str:
    return f"{kernel.name} expects a map" if family.nest.combine else ""


# ---- of sizes ------------------------------------------------------------------------------------------------------


def of_one(dims: Iterable[str], size, why: str) -> list[Condition]:
    """That each of these dimensions is 1."""
    return [(np.asarray(size[d]) == 1, f"{d} = 1, for {why}; tile {d} by 1") for d in dims]


def within_panel(family: Family, i: int, size) -> Condition:
    """That the tile of operand i, which lies in panels, is of one of them."""
    axis, width = family.operands[i].layout.panel or (0, 1)
    return (
        np.asarray(family.access(i).extent(axis, size)) <= width,
        f"operand {i} within one panel; tile by {width} or less",
    )


INTERLEAVED = (2, 4)
"""How many results of a lane may lie side by side for accumulators to be interleaved and stored whole."""


LEAST_SUMS = 4
"""Rows of a result side by side, from which on the lanes of their accumulators are joined together."""


def reaches_beyond(family: Family) -> bool:
    """Whether tiles of some operand may lie in part beyond its memory."""
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
    """The reduction dimension along which a step eats a group of neighbours, where its lanes are not along the
    reduction. The neighbours are interleaved in memory, or they are rows that the leaf interleaves in registers. Or a
    window that slides along the lanes meets them. In the last two cases they are neighbours in the other inputs too."""
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


def by_lane_dim(kernel, family: Family, i: int, lane: str) -> str | None:
    """The dimension whose neighbours a vector of input i holds, where the input lacks the lanes and the kernel takes an
    element of the vector by its lane. It is the innermost reduction, or else one of the results. A kernel that eats
    groups has the dimension of a group's neighbours."""
    op, access = family.nest, family.access(i)
    if not kernel.by_lane or lane in op.reduction or lane in access.dims:
        return None
    candidates = (*op.summed[-1:], *op.results) if kernel.group == 1 else (paired_dim(kernel, family, lane),)
    return next((d for d in candidates if d in access.dims and unit_step(family, i, d)), None)


def first_dim(kernel, family: Family) -> list[str]:
    """The lanes of a leaf whose C walks in whatever way is best."""
    return list(family.operation.dims[:1])


def neighbours(kernel, family: Family) -> list[str]:
    """Lanes along the output's neighbours in memory."""
    unit = family.unit_dim(len(family.operands) - 1)
    return [unit] if unit else []
