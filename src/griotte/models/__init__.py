"""Whole models: a graph of calls, simplified, cut into parts that are each searched as one, and one kernel of all."""

from typing import TYPE_CHECKING

from ..support.later import later

if TYPE_CHECKING:
    from .entry import compile, synthesize
    from .graph import GraphBuilder, ModelGraph, ModelValue, Refused
    from .text import parse_graph

__all__ = ["GraphBuilder", "ModelGraph", "ModelValue", "Refused", "compile", "parse_graph", "synthesize"]

if not TYPE_CHECKING:
    __getattr__ = later(
        __name__,
        {
            "entry": "compile synthesize",
            "graph": "GraphBuilder ModelGraph ModelValue Refused",
            "text": "parse_graph",
        },
    )
