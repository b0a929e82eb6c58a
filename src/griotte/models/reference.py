"""What a model means, computed in NumPy: one call after the other, each by its own reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..lang.meaning import reference
from ..lang.types.dynamic import size_of
from ..lang.types.nothing import among
from ..support.errors import SpecError
from .graph import ModelGraph
from .sizes import at


def interpret(graph: ModelGraph, *arrays: Any) -> tuple[np.ndarray, ...]:
    """The outputs of a model of these inputs, in its order. A dynamic size is that of the arrays."""
    if graph.bound is not None:
        inputs, outputs = ([value.type for value in values] for values in (graph.inputs, graph.outputs))
        size = size_of(inputs, outputs, graph.bound, map(np.shape, arrays), repr(graph))
        if 1 < graph.least > size:
            raise SpecError(
                f"expected a dynamic size of at least {graph.least}, as many as it puts in order, found {size}, for"
                f" {graph!r}; pass more"
            )
        return interpret(at(graph, size), *arrays) if size else tuple(reference.part(type, 0) for type in outputs)
    known: dict[int, Any] = {id(value): np.asarray(array) for value, array in zip(graph.inputs, arrays, strict=True)}
    left = dict(graph.readers)
    made: dict[tuple[int, ...], tuple[np.ndarray, ...]] = {}
    for value in graph.values:
        if value.array is not None:
            known[id(value)] = value.array
        if not value.call:
            continue
        given = [known[id(read)] for read in value.values]
        if value.is_made:
            key = id(value.opaque), *map(id, value.values)
            if key not in made:
                made[key] = value.opaque.run(interpret, *given)
            known[id(value)] = made[key][value.number]
        else:
            known[id(value)] = reference.interpret(value.spec, *given)
        for read in value.values:
            left[id(read)] -= 1
            if not left[id(read)]:
                known.pop(id(read), None)
    return among((np.asarray(known[id(value)]) for _, value in graph.results), graph.empty)
