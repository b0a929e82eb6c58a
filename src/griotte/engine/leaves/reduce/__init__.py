"""Accumulators in named registers; loops over the reduction dimensions inside."""

from __future__ import annotations

from ...cost import traffic
from ..conditions import no_border, no_index, to_registers
from ..form import LeafForm, Price, Serving
from . import measured, price, serve
from .code import ReduceLeaf
from .requests import ReduceAsking

REDUCE = LeafForm(
    "reduce",
    Serving(
        serve.lanes, (no_index, no_border, to_registers), serve.refuses, serve.conditions, serve.opens, serve.computes
    ),
    Price("cycles", measured.cycles, price.crossing, price.busy, traffic.outlasting),
    ReduceLeaf,
    ReduceAsking,
)
