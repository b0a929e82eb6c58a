"""Functions of arrays of a graph, held against NumPy's: what they give by the reference of the graph that they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from griotte.lang.types.dtypes import dtype_name
from griotte.lang.types.tensor import tensor
from griotte.models.reference import interpret
from griotte.readers.node import Reading, ReadNode
from griotte.readers.operators.array import Array


class OnArrays(ReadNode):
    """What adds calls to a graph of its own."""

    name, title, labels = "function", "a function", []

    def __init__(self) -> None:
        self.reader: Any = Reading(0)
        self.reader.refused = []


def of_inputs(function: Callable[..., Any], *given: Any, **how: Any) -> Any:
    """What a function gives of arrays, each an input of a graph, and of other operands as they are."""
    calls = OnArrays()
    inputs, arrays = [], []
    for each in given:
        if isinstance(each, np.ndarray):
            name = f"x{len(arrays)}"
            arrays.append(each)
            each = Array(calls, calls.reader.builder.input(tensor(each.shape, dtype_name(each.dtype), name=name), name))
        inputs.append(each)
    found = function(*inputs, **how)
    several = found if isinstance(found, (list, tuple)) else [found]
    results = {f"y{n}": each.with_elements().value for n, each in enumerate(several)}
    results = {name: value if value.call else calls.call("copy", value) for name, value in results.items()}
    out = interpret(calls.reader.builder.graph(results), *arrays)
    return list(out) if isinstance(found, (list, tuple)) else out[0]


def agree(found: Any, expected: Any, rtol: float = 2e-5, atol: float = 2e-5) -> None:
    """Floats to a few last places, anything else exactly, and shapes."""
    several = expected if isinstance(expected, (list, tuple)) else [expected]
    for one, other in zip(found if isinstance(found, list) else [found], several, strict=True):
        assert one.shape == np.shape(other)
        one, other = (np.asarray(x, np.float64 if one.dtype.kind in "fV" else None) for x in (one, other))
        np.testing.assert_allclose(one, other, rtol=rtol, atol=atol, equal_nan=True)


def floats(*shape: int, seed: int = 0) -> np.ndarray:
    """Floats drawn around 0."""
    return np.random.default_rng((seed, *shape)).standard_normal(shape).astype(np.float32)
