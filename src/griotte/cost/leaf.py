"""What a leaf costs: its cycles by the ports, and what its operands' lines cost on their way, as far as its arithmetic
does not hide that. All functions take sizes as ints or arrays."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from ..ir.family import Family, Operand
from . import copies, map, matrix, pairs, tiles, traffic

FORMS = {
    "reduce": ("cycles", tiles.cycles),
    "map": ("map", map.cycles),
    "pack": ("pack", copies.pack_cycles),
    "window": ("map", copies.window_cycles),
    "transpose": ("pack", copies.transpose_cycles),
    "matrix": ("cycles", matrix.cycles),
    "pairs": ("map", pairs.cycles),
}
"""By form (leaves.serving): the coefficient of its cycles, and how many the port model counts of (kernel, lane, family,
target, size)."""


def seen(kernel, family: Family) -> Family:
    """A family as the price of a leaf sees it: of families that differ in what no price depends on, one."""
    is_pack = family.operation.combine is None and family.output.layout.panel is not None
    return Family(
        family.operation,
        family.accumulate,
        tuple(_seen(o, is_pack, kernel.form == "matrix") for o in family.operands),
        family.accumulator,
    )


@lru_cache(1 << 12)
def _seen(operand: Operand, is_pack: bool, has_blocks: bool) -> Operand:
    """Of a register nothing but its order, and its vector; how rows fold onto sets (`traffic.folded`) where they come
    from beyond L1, or blocks of them are taken (`matrix`); whether it rests in memory where a pack may be what first
    reads it (`traffic.kinds`)."""
    layout = operand.layout
    if operand.level == 0:
        return replace(
            operand,
            layout=replace(layout, given=False, alias=0, far=False, apart=False, split=False, uncached=False, row=0),
        )
    given = layout.given and len(layout.order) > 1
    alias = layout.alias if operand.level > 1 or has_blocks else 0
    return replace(
        operand,
        layout=replace(
            layout, given=given, alias=alias, row=layout.row if given else 0, uncached=layout.uncached and is_pack
        ),
    )


def features(kernel, lane: str, family: Family, target, size) -> dict:
    """The port model's cycles, and what crosses between memory and the core: in full for a reduction of several inputs,
    for `line` and `result` are what its arithmetic leaves of it; of a map, and of a reduction of one input, what its
    cycles do not cover, so that it takes the longer of the two."""
    name, counted = FORMS[kernel.form]
    cycles = counted(kernel, lane, family, target, size)
    crossing = traffic.added(*_crossing(kernel, lane, family, target, size, cycles))
    if traffic.use(family, 0) != "line":
        left = np.maximum(0.0, 1 - target.coefficient[name] * cycles / np.maximum(target.cost(crossing), 1e-9))
        crossing = {feature: left * count for feature, count in crossing.items()}
    elif kernel.form == "reduce":
        cycles = cycles + traffic.outlasting(family, target, size, cycles, lane)
    return {name: cycles, "call": 1} | crossing


def _crossing(kernel, lane: str, family: Family, target, size, cycles):
    last = len(family.operands) - 1
    for i, operand in enumerate(family.operands):
        if kernel.nontemporal and i == last:
            yield traffic.nontemporal(family, target, size)
        elif operand.level > 0:
            yield traffic.features(family, i, target, size)
            if kernel.form == "matrix" and i == last:
                yield traffic.exposed(family, target, size, matrix.exposed(kernel, lane, family, size))
            if kernel.form == "reduce" and i < last:
                yield traffic.overlapped(family, i, target, size, cycles)
                yield traffic.folded(family, i, target, size, lane)
            if kernel.form == "reduce":
                yield {"pages": traffic.met_anew(family, i, target, size)}
