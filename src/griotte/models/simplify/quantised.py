"""Products of integers that stand for floats, which exporters write between dequantize and quantize."""

from __future__ import annotations

import numpy as np

from ...ir.dtypes import limits
from .pattern import Match, law
from .rule import Rule


def _at_the_end(m: Match) -> bool:
    """Whether 0 is the least number that there is, so that what is less becomes it anyway."""
    zero = m.array("Z")
    return bool(np.all(np.asarray(zero, np.int64) == limits(m.site.value.type.dtype)[0]))


RULES: tuple[Rule, ...] = (
    law(
        "quantise what is below 0 as 0",
        "quantize(relu(x), s, Z) = quantize(x, s, Z)",
        {"x": "f32[2,3]", "s": "f32[]", "Z": np.zeros((), np.uint8)},
        when=_at_the_end,
        of_floats=False,
    ),
)
