"""Graphs that are simplified, and shown to do the same."""

from __future__ import annotations

import numpy as np
from griotte.lang.types.dtypes import convert, dtype
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
