"""What a transpose costs."""

from __future__ import annotations

import numpy as np

from ....lang.nests.family import Family, ceil_div
from ..copies import turned_cycles
from .serve import turned_block


def cycles(kernel, lane: str, family: Family, target, size):
    """Blocks, each vector that they write joined of parts of rows, or square ones."""
    block = turned_block(family, target)
    across, down = ceil_div(size[family.unit_dim(0)], block.columns), ceil_div(size[family.unit_dim(1)], block.rows)
    joined = (np.log2(block.columns) + block.parts - 1) / target.ports.mixed
    return across * block.columns * down * np.maximum(joined, turned_cycles(family, target, block.columns))
