"""Arrays to run a model on."""

from __future__ import annotations

import numpy as np

from ..lang.meaning.reference import empty
from ..lang.meaning.samples import picked_from
from ..lang.meaning.timed import DataUses
from ..lang.types.dtypes import convert, dtype, limits
from .graph import ModelGraph, ModelValue
from .sizes import part

KINDS = ("random", "whole-number")  # that results are compared on; "timed": to time calls on
SMALL = 3  # a whole number, at most


def arrays_of(graph: ModelGraph, kind: str, rng: np.random.Generator, size: int | None = None) -> list[np.ndarray]:
    """One array for each input; of a dynamic size, that of the bound or of `size` a part of it.

    Random: floats are normal, 8-bit integers any; whole numbers: small ones of either sign; timed: as random, but that
    floats, and what follows from them, are neither small nor large (lang/meaning/timed.py). Of other integers those
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
