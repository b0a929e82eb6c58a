"""A row of which the maximum and the sum of exponentials less it are found at once."""

from __future__ import annotations

from ..conditions import no_border, no_index, to_memory
from ..form import LeafForm, Price, Serving
from . import price, serve
from .code import PairsLeaf

PAIRS = LeafForm(
    "pairs",
    Serving(
        serve.lanes,
        (no_index, no_border, to_memory),
        serve.refuses,
        serve.conditions,
        serve.opens,
        serve.computes,
    ),
    Price("map", price.cycles),
    PairsLeaf,
)
