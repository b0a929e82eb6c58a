"""How far rounding may take each element of a model's results: what a comparison with a reference allows."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from ..lang.meaning.agreement import last_calls, tolerance
from ..lang.meaning.reference import laid_out
from ..lang.types.dtypes import dtype
from .graph import ModelGraph, ModelValue
from .reference import GivenBefore, computed, evaluated
from .sizes import at

RUNS, OF_SHORT = 4, 16  # with errors in them; of a model with floats of 16 bits, which are rounded far
WIDE = 2.0  # errors drawn are so many times as large: half an ulp would be rounded away
SPREAD = 4.0  # times as far as any run came: a kernel may err in a way that none of them did
FILTERED = 1e-5
"""Of the largest result of a convolution that may be filtered by Winograd: its sums cancel over whole tiles."""


def error_bounds(graph: ModelGraph, arrays: list[np.ndarray], seed: int = 0) -> list[np.ndarray]:
    """Of each result of a model of these inputs by how much a right one may differ, element by element.

    Each call may err by what `ir.agreement.tolerance` says of it: for a sum of n terms (d + 8) u sum|terms|, with u the
    unit roundoff of what it is summed in and d at most 256; for a map by the ulps of its functions; for a convolution
    of f32 that may be filtered moreover by 1e-5 of its largest result; and by a rounding to 16 bits where it is of
    those. The model is run as it is written, and 4 or 16 times with such errors drawn for each element of each call: a
    result may lie 4 times as far off as any run came, and by the error of its own call. Infinite where runs are finite
    and infinite.
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
        runs = [np.asarray(computed(value, [each[r] for each in given], made, r)) for r in range(count)]
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
