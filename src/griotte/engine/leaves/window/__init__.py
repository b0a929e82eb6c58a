"""A copy of a tile of any size along an axis that several dimensions move along, or beyond its tensor, row by row."""

from __future__ import annotations

from ..conditions import no_index, to_memory
from ..form import LeafForm, Price, Serving
from ..operands import first_dim
from . import price, serve
from .code import WindowLeaf

WINDOW = LeafForm(
    "window", Serving(first_dim, (no_index, to_memory), serve.refuses), Price("map", price.cycles), WindowLeaf
)
