"""Kernels that tests of frameworks' doors call."""

from __future__ import annotations

from typing import Any

import griotte as gt
import numpy as np
from griotte.models import GraphBuilder

PLAIN = {"target": "portable", "table": "none"}


def exp_kernel() -> Any:
    """exp of f32[3,4]."""
    return gt.compile("exp(f32[3,4])", **PLAIN)


def several_kernel() -> Any:
    """A model with a constant and two outputs, of f32[2,3]: x + (0, 1, 2), and the largest of its rows."""
    builder = GraphBuilder()
    x = builder.input(gt.tensor((2, 3)), "x")
    sum_ = builder.call("add", x, builder.constant(np.arange(3, dtype=np.float32)))
    graph = builder.graph({"y": sum_, "z": builder.call("max", sum_, axis=1)})
    return gt.compile(graph, effort=1, **PLAIN)
