"""One row along the lane dimension; every other dimension is 1."""

from __future__ import annotations

from ..conditions import a_map, apart, no_border, to_memory
from ..form import LeafForm, Price, Serving
from . import price, serve
from .code import map_leaf

MAP = LeafForm(
    "map",
    Serving(serve.lanes, (no_border, apart, to_memory, a_map), serve.refuses, serve.conditions, serve.opens),
    Price("map", price.cycles, price.crossing),
    map_leaf,
)
