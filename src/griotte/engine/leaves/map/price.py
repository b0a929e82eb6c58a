"""The price of leaves that map: a row, vector by vector."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....lang.nests.family import Family, ceil_div, product
from ...cost import traffic
from ...cost.ports import bound, conversion, evaluated
from .. import spaced
from ..conditions import unit_step
from .serve import computed, map_rows


def cycles(kernel, lane: str, family: Family, target, size):
    """A row, a vector at a time; elements that are not neighbours go one by one, or in loads of several."""
    length = product([size[lane]] if lane else [1])
    expr, own = computed(kernel, family)
    width, slots = target.lanes(own), evaluated(target, expr, own)
    body = slots.all + target.handling.looped
    loads = stores = 0.0
    across = map_rows(family, lane)
    for i, operand in enumerate(family.operands):
        if i in family.nest.indices:
            continue
        carries, is_output = lane in family.access(i).dims, i == len(family.operands) - 1
        is_whole = unit_step(family, i, lane) or is_output and across is not None
        work = (1.0 if is_whole else target.handling.scattered * width) if carries else 0.0
        if carries and not is_whole and not is_output:
            joined, whole, single = spaced.work(family, i, lane, width, target)
            work, body = whole + single, body + joined
        body += conversion(target, *((own, operand.dtype) if is_output else (operand.dtype, own)))
        if is_output:
            stores += work
        else:
            loads += work
    at_once, at_each = _picked_loads(family, lane, target, width, size)
    panel = family.output.layout.panel
    # of the loop over panels
    starts = ceil_div(length, panel[1]) if panel and unit_step(family, len(family.operands) - 1, lane) else 0.0
    vector = np.maximum(bound(target, body, loads + at_each, stores, multiplying=slots.multiplying), 1.0)
    return (
        at_once
        + starts
        + ceil_div(length, width)
        * (vector if across is None else vector * size[across[0]] + _turning(family, across[1], width))
    )


def _turning(family: Family, rows: int, width: int) -> float:
    """Cycles to turn a vector of each of so many rows: a group's are interleaved, others turned in squares."""
    return float(rows) if family.output.layout.group else width * np.log2(max(2, width)) * -(-rows // width)


def _picked_loads(family: Family, lane: str, target, width: int, size):
    """(cycles of the leaf, loads of a vector) for finding the elements that are read at an index. An index is looked up
    once, or once for each row side by side that has its own. Where it changes along the lanes, it is element by
    element."""
    op, across = family.nest, map_rows(family, lane)
    along = [i for i in op.indices if lane in op.inputs[i].dims]
    gathered = sum(any(dim in access.dims and i in along for dim, i in op.picks) for access in op.inputs)
    rows = [size[across[0]] if across and across[0] in op.inputs[i].dims else 1.0 for i in op.indices if i not in along]
    return target.handling.picked * sum(rows), width * (1.0 * len(along) + target.handling.scattered * gathered)


def crossing(kernel, lane: str, family: Family, target, size, cycles) -> Iterator[dict]:
    """What operands count on their way; the output's may be past the caches."""
    last = len(family.operands) - 1
    for i, operand in enumerate(family.operands):
        if kernel.nontemporal and i == last:
            yield traffic.nontemporal(family, target, size)
        elif operand.level > 0:
            yield traffic.features(family, i, target, size)
