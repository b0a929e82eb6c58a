"""Dimensions that the lanes of accumulators in registers may go along."""

from __future__ import annotations

from ...lang.nests.family import Family
from .places import turned_dims


def lane_dims(family: Family) -> list[str]:
    """Dimensions whose neighbours may share a register. They are the output's unit dimension, the one beside it where
    results are interleaved, and those in its place that some input has in panels. And the reductions that lie together
    in some input (all of them when nothing else is left). Folded results have the first alone: no lanes are folded."""
    op, last = family.nest, len(family.operands) - 1
    unit = family.unit_dim(last)
    if op.fold:
        return [unit] if unit else []
    reductions = [
        r
        for r in op.reduction
        if any(family.unit_dim(i) == r and not family.operands[i].layout.panel for i in range(last))
    ]
    turned = [
        d
        for d in turned_dims(family)
        if any(family.unit_dim(i) == d and family.operands[i].layout.panel for i in range(last))
    ]
    found = ([unit] if unit else []) + [d for d in _beside_unit(family) if d not in turned] + turned + reductions
    return found or list(op.reduction[-1:])


def _beside_unit(family: Family) -> list[str]:
    """The dimension of the output whose neighbours are next to those of its unit dimension, where inputs have its
    neighbours together and none has those of the unit dimension. A lane's results along the unit dimension are then
    interleaved with its neighbours'."""
    op, last = family.nest, len(family.operands) - 1
    unit, order = family.unit_dim(last), family.output.layout.order
    if unit is None or unit not in op.parallel or len(order) < 2 or not family.output.layout.given:
        return []
    units = {family.unit_dim(i) for i in range(op.streamed)}
    beside = op.output.axes[order[1]]
    found = [d for d, step in beside if len(beside) == 1 and step == 1 and d in op.parallel and d in units]
    return [] if unit in units else found
