"""What a leaf costs: its cycles by the ports, and what its operands' lines cost on their way, as far as its arithmetic
does not hide that. All functions take sizes as ints or arrays."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from ...lang.nests.family import Family, Operand
from ..cost import traffic
from ..footprint import known
from ..vectors import apart
from . import forms
from .forms import form_of


def seen(kernel, family: Family) -> Family:
    """A family as the price of a leaf sees it: of families that differ in what no price depends on, one."""
    has_blocks = form_of(kernel).price.has_blocks
    is_pack = family.nest.combine is None and family.output.layout.panel is not None
    return Family(
        family.operation,
        family.accumulate,
        tuple(_seen(o, is_pack, has_blocks) for o in family.operands),
        family.accumulator,
    )


@lru_cache(1 << 12)
def _seen(operand: Operand, is_pack: bool, has_blocks: bool) -> Operand:
    """The operand as a leaf's price sees it. A register has nothing but its order, and its vector. How rows fold onto
    sets (`traffic.folded`) stays where they come from beyond L1, or blocks of them are taken (`matrix`). Whether it
    rests in memory stays where a pack may be what first reads it (`traffic.kinds`)."""
    layout = operand.layout
    if operand.level == 0:
        return replace(
            operand,
            layout=replace(
                layout, given=False, alias=0, drift=0, far=False, apart=False, split=False, uncached=False, row=0
            ),
        )
    given = layout.given and len(layout.order) > 1
    alias, drift = (layout.alias, layout.drift) if operand.level > 1 or has_blocks else (0, 0)
    return replace(
        operand,
        layout=replace(
            layout,
            given=given,
            alias=alias,
            drift=drift,
            row=layout.row if given else 0,
            uncached=layout.uncached and is_pack,
        ),
    )


def in_ports(kernel, family: Family) -> Family:
    """A family as the ports of a core see it, which do not see where its operands come from: of families that differ in
    that alone, one. The family as it is where cycles depend on that too."""
    return family if form_of(kernel).price.has_blocks else _in_ports(family)


@lru_cache(1 << 12)
def _in_ports(family: Family) -> Family:
    return Family(family.operation, family.accumulate, tuple(map(_near, family.operands)), family.accumulator)


@lru_cache(1 << 12)
def _near(operand: Operand) -> Operand:
    row = operand.layout.row if operand.layout.row <= apart.MOST else 0
    layout = replace(operand.layout, alias=0, drift=0, far=False, apart=False, uncached=False, row=row)
    return replace(operand, level=min(operand.level, 1), layout=layout)


def fits(kernel, lane: str, family: Family, target, size):
    """Where a leaf may be used; of families that the ports see alike worked out once over a mesh."""
    near = in_ports(kernel, family)
    return known(size, ("fits", kernel.name, lane, near), lambda: forms.fits(kernel, lane, near, target, size))


def _cycles(kernel, lane: str, family: Family, target, size):
    near, price = in_ports(kernel, family), form_of(kernel).price
    return known(size, ("cycles", kernel.name, lane, near), lambda: price.cycles(kernel, lane, near, target, size))


def features(kernel, lane: str, family: Family, target, size) -> dict:
    """The port model's cycles, and what crosses between memory and the core. For a reduction of several inputs it
    crosses in full, for `line` and `result` are what its arithmetic leaves of it. For a map, and a reduction of one
    input, it is the part that the cycles do not cover, so that the leaf takes the longer of the two."""
    price, near = form_of(kernel).price, in_ports(kernel, family)
    name, cycles = price.coefficient, _cycles(kernel, lane, family, target, size)
    crossing = traffic.added(*price.crossing(kernel, lane, family, target, size, cycles))
    if traffic.use(family, 0) != "line":
        left = np.maximum(0.0, 1 - target.coefficient[name] * cycles / np.maximum(target.cost(crossing), 1e-9))
        crossing = {feature: left * count for feature, count in crossing.items()}
    else:
        busy = known(size, ("busy", kernel.name, lane, near), lambda: price.busy(kernel, lane, near, target, size))
        cycles = cycles + price.outlasting(family, target, size, cycles, busy, lane)
    return {name: cycles, "call": 1} | crossing
