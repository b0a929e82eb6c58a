"""An output tile in matrix registers; the loop over one reduction dimension inside."""

from __future__ import annotations

from ..conditions import no_border, no_index, to_memory
from ..form import LeafForm, Price, Serving
from ..operands import neighbours
from . import price, serve
from .code import MatrixLeaf
from .requests import MatrixAsking

MATRIX = LeafForm(
    "matrix",
    Serving(neighbours, (no_index, no_border, to_memory), serve.refuses, serve.conditions),
    Price("cycles", price.cycles, price.crossing, has_blocks=True),
    MatrixLeaf,
    MatrixAsking,
)
