"""A window copies, row by row, what no row of a map does: a tile of any size that overlaps others, or reaches beyond
its tensor."""

from __future__ import annotations

from ....lang.nests.family import Family
from ..copies import turns


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot copy the tile at any size; empty when it can."""
    op = family.nest
    if len(family.operands) != 2 or op.combine or op.inputs[0] != op.output:
        return f"{kernel.name} expects a copy"
    source, to = family.operands
    if (
        to.layout.panel
        or source.layout.panel
        or to.layout.beyond
        or not op.output.axes
        or to.layout.order[0] in source.layout.beyond
        and turns(family)
    ):
        return (
            f"{kernel.name} expects layouts without panels, and a fastest axis that is all in memory where it is"
            " another than before"
        )
    skips = turns(family) and family.unit_dim(0) is None
    return (
        ""
        if source.layout.beyond or skips or not all(op.output.is_apart(d) for d in op.dims)
        else f"{kernel.name} expects tiles that overlap, or reach beyond the tensor"
    )
