"""Tiles of registers that were measured (targets.leaves), in place of what the ports say of them.

What is measured is a product's leaf whose inputs are in L1: what its lines take from farther is counted as ever
(cost.traffic).
"""

from __future__ import annotations

import numpy as np

from ....lang.nests.family import Family
from . import price
from .accumulators import moves
from .serve import accumulator_vectors, chains, operand_vectors, steps
from .tiles import form_of, is_product


def cycles(kernel, lane: str, family: Family, target, size):
    """Cycles of a reduce leaf: of a product as measured, where its tile was, else by the ports, times what they are
    wrong by in the median of its kernel's tiles; of all else by the ports. Parts of groups are besides: what was
    measured has none."""
    return _of_whole_groups(kernel, lane, family, target, size) + price.in_parts(kernel, lane, family, target, size)


def _of_whole_groups(kernel, lane: str, family: Family, target, size):
    modelled = price.cycles(kernel, lane, family, target, size)
    if target.leaves is None or not is_product(family.nest):
        return modelled
    scaled, form = (
        modelled * target.leaves.ratios.get(kernel.name, 1.0),
        target.leaves.by_name.get(form_of(kernel, lane, family)),
    )
    if form is None:
        return scaled
    rows, vectors = (operand_vectors(family, i, lane, size) for i in (0, 1))
    intercept, slope = form.grid[
        :, np.minimum(rows, form.grid.shape[1] - 1), np.minimum(vectors, form.grid.shape[2] - 1)
    ]
    accumulators = accumulator_vectors(family.nest, family.output.vector, size)
    # what was measured is as wide as its panel: a narrower tile may wait longer, of fewer chains
    waiting = kernel.latency / chains(kernel, family, target, lane, size) * steps(kernel, family, lane, size)
    found = np.maximum(0.0, intercept - counted(target, accumulators)) + slope * steps(kernel, family, lane, size)
    return np.where(np.isnan(found) | (accumulators != rows * vectors), scaled, np.maximum(found, waiting))


def counted(target, accumulators):
    """Of what is measured of a leaf, the cycles that the target counts besides: its call, a turn of the loop around it,
    and its accumulators."""
    return target.cost({"call": 1.0, "loop": 1.0, "registers": moves(target.handling, 1) * accumulators})
