"""What a model means, computed in NumPy: one call after the other, each by its own reference; and arrays to run it on.
And how far rounding may take each element of its results: a comparison with the reference allows so much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from ..lang.meaning import reference
from ..lang.meaning.agreement import last_calls, tolerance
from ..lang.meaning.reference import empty, laid_out
from ..lang.meaning.samples import DataUses, picked_from
from ..lang.types.dtypes import convert, dtype, limits
from ..lang.types.dynamic import size_of
from ..lang.types.tensor import among
from ..support.errors import SpecError
from .graph import ModelGraph, ModelValue
from .sizes import at, part

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
    """The results, call by call, where inputs are the `known` values; values that nothing reads any more are let go."""
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


KINDS = ("random", "whole-number")  # that results are compared on; "timed": to time calls on
SMALL = 3  # a whole number, at most


def arrays_of(graph: ModelGraph, kind: str, rng: np.random.Generator, size: int | None = None) -> list[np.ndarray]:
    """One array for each input; of a dynamic size, that of the bound or of `size` a part of it.

    Random: floats are normal, 8-bit integers any; whole numbers: small ones of either sign; timed: as random, but that
    floats, and what follows from them, are neither small nor large (lang/meaning/samples.py). Of other integers those
    that say which row is read are rows that there are, and the rest are 0 or 1, as masks are.
    """
    rows, uses = _rows(graph), _uses(graph) if kind == "timed" else None
    found = [_array(value, kind, rows.get(value), rng, uses) for value in graph.inputs]
    return found if size is None else [part(array, value.type, size) for array, value in zip(found, graph.inputs)]


def _array(
    value: ModelValue, kind: str, rows: int | None, rng: np.random.Generator, uses: DataUses | None
) -> np.ndarray:
    type, out = value.type, empty(value.type)
    of = dtype(type.dtype)
    found: np.ndarray
    if rows is not None:
        found = rng.integers(0, rows, type.shape)
    elif of.kind == "float" and kind == "random":
        found = rng.standard_normal(type.shape)
    elif of.kind == "float" and uses is not None:
        found = uses.numbers(value, type, rng)
    elif of.kind == "float":
        found = rng.integers(-SMALL, SMALL, type.shape, endpoint=True)
    elif 1 < of.bits <= 8 and kind != "whole-number":
        found = rng.integers(*limits(type.dtype), type.shape, endpoint=True)
    else:
        found = rng.integers(0, 2, type.shape)
    out[...] = convert(np.asarray(found), type.dtype)
    return out


def _uses(graph: ModelGraph) -> DataUses:
    """What the floats among the inputs are used for."""
    found = DataUses()
    found.drawn(value for value in graph.inputs if dtype(value.type.dtype).kind == "float")
    found.known(graph.constants)
    for value in graph.calls:
        if not value.is_made:
            found.see_all(value.spec, [*value.values], value)
    return found


def _rows(graph: ModelGraph) -> dict[ModelValue, int]:
    """How many rows there are to be read by the numbers of an input."""
    found: dict[ModelValue, int] = {}
    for value in graph.calls:
        for place, rows in (value.opaque.picks(_rows) if value.is_made else picked_from(value.spec)).items():
            for given in _givers(value.values[place]):
                found[given] = min(rows, found.get(given, rows))
    return found


def _givers(value: ModelValue) -> list[ModelValue]:
    """The inputs that whole numbers follow from, through whole numbers alone."""
    met, waiting, found = set(), [value], []
    while waiting:
        at = waiting.pop()
        if at in met or dtype(at.type.dtype).kind == "float":
            continue
        met.add(at)
        waiting += at.values
        if not at.call and at.array is None:
            found.append(at)
    return found


RUNS, OF_SHORT = 4, 16  # with errors in them; of a model with floats of 16 bits, which are rounded far
WIDE = 2.0  # errors drawn are so many times as large: half an ulp would be rounded away
SPREAD = 4.0  # times as far as any run came: a kernel may err in a way that none of them did
FILTERED = 1e-5
"""Of the largest result of a convolution that may be filtered by Winograd: its sums cancel over whole tiles."""


def error_bounds(graph: ModelGraph, arrays: list[np.ndarray], seed: int = 0) -> list[np.ndarray]:
    """Of each result of a model of these inputs by how much a right one may differ, element by element.

    Each call may err by its `lang.meaning.agreement.tolerance`:
    - a sum of n terms by (d + 8) u sum|terms|, with u the unit roundoff of the dtype that it is summed in and d at most
      256;
    - a map by the ulps of its functions;
    - a convolution of f32 that may be filtered moreover by 1e-5 of its largest result;
    - a result of 16 bits by the rounding to these.
    The model is run as it is written, and 4 or 16 times with such errors drawn for each element of each call. A result
    may lie 4 times as far off as any run came, and by the error of its own call. Infinite where runs are
    finite and infinite.
    """
    if graph.bound is not None:
        graph = at(graph, next(np.shape(a)[i] for v, a in zip(graph.inputs, arrays) for i in v.type.dynamic_axes))
    rng, short = np.random.default_rng(seed), {"f16", "bf16"}
    count = 1 + (OF_SHORT if any(value.type.dtype in short for value in graph.values) else RUNS)
    known: dict[ModelValue, list[np.ndarray]] = {v: [np.asarray(a)] * count for v, a in zip(graph.inputs, arrays)}
    own: dict[ModelValue, np.ndarray] = {}
    made: GivenBefore = {}
    results = {value for _, value in graph.results}

    def runs_of(value: ModelValue, given: list[list[np.ndarray]]) -> list[np.ndarray]:
        first = np.asarray(computed(value, [each[0] for each in given], made))
        known = lambda r: not value.is_made and all(each[r] is each[0] for each in given)
        others = (
            first if known(r) else np.asarray(computed(value, [each[r] for each in given], made, r))
            for r in range(1, count)
        )
        runs = [first, *others]
        if not value.is_made and dtype(value.type.dtype).kind == "float":
            error = _error(value, [each[0] for each in given], runs[0])
            runs[1:] = [_moved(run, error * rng.uniform(-WIDE, WIDE, run.shape)) for run in runs[1:]]
            if value in results:
                own[value] = error
        return runs

    with np.errstate(all="ignore"):
        found = evaluated(graph, known, lambda array: [array] * count, runs_of)
        return [_allowed(runs, own.get(v, np.zeros(()))) for runs, (_, v) in zip(found, graph.results)]


def _error(value: ModelValue, reads: list[np.ndarray], found: np.ndarray) -> np.ndarray:
    """How far a call may err of what it reads: each element of its result."""
    bounds = tolerance(value.spec, reads)
    wide = found.astype(np.float64)
    ends = [_as_result(value, end).astype(np.float64) for end in (bounds.low, bounds.high)]
    error = np.maximum(*(np.abs(end - wide) for end in ends))
    error = np.where(np.isfinite(error), error, 0.0)
    sizes = np.where(np.isfinite(wide), np.abs(wide), 0.0)
    if dtype(value.type.dtype).bits <= 16:
        error = error + sizes * 2.0 ** -(ml_dtypes.finfo(dtype(value.type.dtype).numpy).nmant + 1)
    if value.call == "conv2d" and value.type.dtype == "f32" and max(value.values[1].type.shape[2:]) > 1:
        error = error + FILTERED * sizes.max(initial=0.0)
    return error


def _as_result(value: ModelValue, over_dimensions: np.ndarray) -> np.ndarray:
    return np.asarray(laid_out(last_calls(value.spec)[0], over_dimensions)).reshape(value.type.shape)


def _moved(run: np.ndarray, by: np.ndarray) -> np.ndarray:
    return (run.astype(np.float64) + by).astype(run.dtype)


def _allowed(runs: list[np.ndarray], own: np.ndarray) -> np.ndarray:
    exact, *others = (run.astype(np.float64) for run in runs)
    alike = np.all([np.isfinite(other) == np.isfinite(exact) for other in others], axis=0)
    apart = np.max([np.abs(np.where(np.isfinite(exact), other - exact, 0.0)) for other in others], axis=0)
    return np.where(alike, SPREAD * apart + own, np.inf)
