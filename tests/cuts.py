"""Small models that are drawn, and the pieces that they may be cut into."""

from __future__ import annotations

import griotte as gt
import numpy as np
from griotte.engine.cutting import CutPieces, CutPrices, atoms_of, cut_atoms
from griotte.models.atoms import cut_calls
from griotte.models.graph import GraphBuilder, ModelGraph
from griotte.models.layouts import layouts_of
from griotte.models.solving import closed

CALL = 3.0


def drawn(rng: np.random.Generator, calls: int, size: int = 4) -> ModelGraph:
    """A model of random calls over matrices, of which what nothing reads is an output."""
    builder = GraphBuilder()
    values = [builder.input(gt.tensor((size, size)), f"x{i}") for i in range(2)]
    for n in range(calls):
        x, y = (values[int(i)] for i in rng.integers(max(0, len(values) - 4), len(values), 2))
        kind = rng.integers(5)
        if kind == 0:
            found = builder.call("matmul", x, y)
        elif kind == 1:
            found = builder.call("add", x, y)
        elif kind == 2:
            found = builder.call("softmax", x, axis=1)
        elif kind == 3:
            found = builder.call("sub", x, builder.call("max", x, axis=1, keepdims=True))
        else:
            found = builder.call("exp" if n % 2 else "relu", x)
        values.append(found)
    graph = builder.graph({"y": values[-1]})
    read = {r for v in graph.calls for r in v.values}
    loose = [v for v in values[2:] if v not in read]
    return closed(builder.graph({f"y{i}": v for i, v in enumerate(loose)}))


def pieces_of(graph: ModelGraph, saving=lambda value: 0.25 * value.type.bytes, copying=None) -> CutPieces:
    layouts = lambda value: layouts_of(graph, value)
    calls = cut_calls(graph)
    return CutPieces(cut_atoms(calls, atoms_of(calls)), CutPrices(saving, CALL, copying, layouts))
