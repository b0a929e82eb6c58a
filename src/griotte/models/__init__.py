"""Whole models: a graph of calls, simplified, cut into parts that are each searched as one, and one kernel of all."""

from .door import compile, synthesize
from .graph import GraphBuilder, ModelGraph, ModelValue, Refused

__all__ = ["GraphBuilder", "ModelGraph", "ModelValue", "Refused", "compile", "synthesize"]
