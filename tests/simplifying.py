"""Graphs that are simplified, and shown to do the same."""

from __future__ import annotations

import numpy as np
from griotte.lang.types.dtypes import convert, dtype
from griotte.lang.types.tensor import tensor
from griotte.models import GraphBuilder
from griotte.models.reference import interpret
from griotte.models.simplify import simplify


def drawn(type, seed=0):
    """An array of positive numbers of a type: roots and logarithms are of these."""
    rng = np.random.default_rng(seed)
    if type.dtype == "pred":
        return rng.integers(0, 2, type.shape).astype(bool)
    shifted = np.abs(rng.standard_normal(type.shape)) + 0.1
    return convert(np.asarray(shifted if dtype(type.dtype).kind == "float" else np.ceil(shifted * 3)), type.dtype)


NEAR = {"float16": (2e-3, 1e-3), "bfloat16": (1.6e-2, 8e-3)}  # two roundings: relative, and of about 0


def agree(one, other):
    for a, b in zip(one, other, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        rtol, atol = NEAR.get(a.dtype.name, (1e-4, 1e-5))
        np.testing.assert_allclose(np.asarray(a, np.float64), np.asarray(b, np.float64), rtol=rtol, atol=atol)


def same_function(graph):
    """The graph, simplified, of which it is shown that it does the same."""
    arrays = [drawn(value.type, i) for i, value in enumerate(graph.inputs)]
    simpler = simplify(graph)
    agree(interpret(graph, *arrays), interpret(simpler, *arrays))
    return simpler


def calls(graph):
    return [value.call for value in graph.calls]


class Network:
    """A graph that is built call by call, from inputs and from constants that are drawn."""

    def __init__(self):
        self.builder = GraphBuilder()
        self.call = self.builder.call
        self._rng = np.random.default_rng(0)

    def input(self, name: str, *shape: int):
        return self.builder.input(tensor(shape), name)

    def known(self, *shape: int):
        return self.builder.constant(self._rng.uniform(-1, 1, shape).astype(np.float32))

    def simpler(self, y=None, **results):
        """The graph of these results, simplified, of which it is shown that it does the same."""
        return same_function(self.builder.graph(({} if y is None else {"y": y}) | results))
