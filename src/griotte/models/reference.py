"""What a model means, computed in NumPy: one call after the other, each by its own reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..lang.meaning import reference
from ..lang.types.dynamic import size_of
from ..lang.types.nothing import among
from ..support.errors import SpecError
from .graph import ModelGraph, ModelValue
from .sizes import at

GivenBefore = dict[tuple[Any, ...], tuple[np.ndarray, ...]]  # what OpaqueOps gave, by what they read


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
    known: dict[ModelValue, Any] = {value: np.asarray(array) for value, array in zip(graph.inputs, arrays, strict=True)}
    made: GivenBefore = {}
    found = evaluated(graph, known, lambda array: array, lambda value, given: computed(value, given, made))
    return among(map(np.asarray, found), graph.empty)


def evaluated(
    graph: ModelGraph,
    known: dict[ModelValue, Any],
    constant: Callable[[np.ndarray], Any],
    compute: Callable[[ModelValue, list[Any]], Any],
) -> list[Any]:
    """What the results are, call by call, where inputs are what is `known` of them; what nothing reads any more
    is let go."""
    left = {value: len(readers) for value, readers in graph.readers.items()}
    for value in graph.values:
        if value.array is not None:
            known[value] = constant(value.array)
        if value.call:
            known[value] = compute(value, [known[read] for read in value.values])
        for read in value.values:
            left[read] -= 1
            if not left[read]:
                known.pop(read, None)
    return [known[value] for _, value in graph.results]


def computed(value: ModelValue, given: list[np.ndarray], made: GivenBefore, run: int = 0) -> Any:
    """What a call gives of these arrays; `made` has all that an OpaqueOp gives, in a run."""
    if not value.is_made:
        return reference.interpret(value.spec, *given)
    key = run, id(value.opaque), *value.values
    if key not in made:
        made[key] = value.opaque.run(interpret, *given)
    return made[key][value.number]
