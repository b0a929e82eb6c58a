"""A copy into panels, of any size."""

from __future__ import annotations

from ..conditions import a_map, no_border, no_index, to_memory
from ..form import LeafForm, Price, Serving
from ..operands import first_dim
from . import price, serve
from .code import PackLeaf

PACK = LeafForm(
    "pack",
    Serving(first_dim, (no_index, no_border, to_memory, a_map), serve.refuses, opens=serve.opens),
    Price("pack", price.cycles),
    PackLeaf,
)
