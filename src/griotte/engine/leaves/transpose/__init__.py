"""A copy between layouts whose fastest axes differ; those two dimensions of any size, every other is 1."""

from __future__ import annotations

from ..conditions import a_map, apart, no_border, no_index, to_memory
from ..form import LeafForm, Price, Serving
from ..operands import neighbours
from . import price, serve
from .code import TransposeLeaf

TRANSPOSE = LeafForm(
    "transpose",
    Serving(neighbours, (no_index, no_border, apart, to_memory, a_map), serve.refuses, serve.conditions, serve.opens),
    Price("pack", price.cycles),
    TransposeLeaf,
)
