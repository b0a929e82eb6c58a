"""Whole models: a graph of calls, simplified, cut into parts that are each searched as one, and one kernel of all."""

from .door import compile, synthesize
from .graph import GraphBuilder, ModelGraph, ModelValue, Refused
from .text import parse_graph

__all__ = ["GraphBuilder", "ModelGraph", "ModelValue", "Refused", "compile", "parse_graph", "synthesize"]
