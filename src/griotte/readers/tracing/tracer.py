"""The way in: a function of arrays as a ModelGraph."""

from __future__ import annotations

import inspect
import linecache
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from ...lang.text.text import parse
from ...lang.types.tensor import TensorType
from ...models.graph import ModelGraph
from ...support.errors import GriotteError, SpecError
from ..operators.array import Array
from . import moving, reducing, ufuncs
from .arguments import TracedResult, as_array, found_in, result_of, type_of, with_leaves
from .array import SharedMemory, TracedArray
from .trace import Trace
from .ufuncs import UFUNCS

FILES = (reducing, moving, ufuncs)
FUNCTIONS = {name: function for file in FILES for names, function in file.FUNCTIONS for name in names.split()}
"""NumPy's, by name from `numpy.` on."""
LIBRARIES = tuple(f"{folder}{os.sep}" for folder in (Path(np.__file__).parent, Path(__file__).parents[2]))
TYPE = re.compile(r"\w+\[[\d,<= ]*\](\{[\d,]*\})?")


def graph(function: Callable[..., Any], /, *specs: Any, **named: Any) -> ModelGraph:
    """The graph of what a function of NumPy's arrays computes, which is called once, on arrays without elements.

    Args:
        function: takes arrays, and gives an array, or a tuple, list or dict of them. It uses functions and methods of
            NumPy, those of the array API, and griotte's calls.
        *specs: what it takes: types (`gt.tensor`, or text such as "f32[8,4]"), or arrays of such types; tuples, lists
            and dicts of them; anything else is passed on as it is.
        **named: the same by name.

    Raises:
        SpecError: it does what depends on elements, or what griotte lacks; the message names the line.

    Examples:
        >>> print(gt.graph(lambda x, w: np.maximum(x @ w, 0), "f32[8,4]", "f32[4,2]"))
        model(
          %x: f32[8,4],
          %w: f32[4,2],
        ) {
          %v0 = matmul(%x, %w) -> f32[8,2]
          %v1 = maximum(%v0, 0.0) -> f32[8,2]
          return y=%v1
        }
    """
    return traced(function, specs, named, _spec, every=True)[0]


def _spec(item: Any) -> TensorType | None:
    """The type that an item of `graph` stands for."""
    if isinstance(item, str) and TYPE.fullmatch(item):
        item = parse(f"copy({item})").inputs[0]
    if isinstance(item, TensorType):
        if item.dynamic is not None:
            raise SpecError(f"expected fixed sizes, found {item}; trace the function once for each size")
        return replace(item, constant=False)
    array = as_array(item)
    return None if array is None else type_of(array)


def traced(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    named: dict[str, Any],
    leaf: Callable[[Any], Any],
    every: bool = False,
) -> tuple[ModelGraph, TracedResult]:
    """The graph of a function of these arguments, and what it makes of the graph's outputs: of each array that it gives
    one or, `every`, one each time that it gives it."""
    trace = Trace(FUNCTIONS, UFUNCS)
    found = [found_in(item, name, leaf) for name, item in [*zip(names_of(function, len(args)), args), *named.items()]]
    leaves = [item for each in found for item in each.leaves]
    types = [type_of(item) if isinstance(item, np.ndarray) else item for item in leaves]
    names = apart([re.sub(r"\W", "_", name) for each in found for name in each.names])
    inputs = [Array(trace, trace.builder.input(t, n)) for t, n in zip(types, names)]
    given = iter([TracedArray(x, SharedMemory(True)) for x in inputs])
    passed = [with_leaves(item, leaf, given) for item in (*args, *named.values())]
    answer = _called(function, passed[: len(args)], dict(zip(named, passed[len(args) :])))
    result = result_of(trace, answer)
    values = list(result.values)
    if every:
        values = []
        for place in result.order:
            value = result.values[place]
            while any(value is other for other in values):
                value = trace.call("copy", value)
            values.append(value)
    return trace.builder.graph({"y" if len(values) == 1 else f"y{n}": v for n, v in enumerate(values)}), result


def parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a function; none where it does not say."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def names_of(function: Callable[..., Any], count: int) -> list[str]:
    """Names of so many arguments by order."""
    names = [p.name for p in parameters_of(function) if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [*names, *(f"x{n}" for n in range(len(names), count))][:count]


def apart(names: list[str]) -> list[str]:
    """Names, each another."""
    found: list[str] = []
    for name in names:
        while name in found:
            name += "_"
        found.append(name)
    return found


def _called(function: Callable[..., Any], args: list[Any], named: dict[str, Any]) -> Any:
    """What the function gives; an error of griotte names the line of the function that met it."""
    try:
        return function(*args, **named)
    except Exception as error:
        own = error if isinstance(error, GriotteError) else error.__cause__  # NumPy raises its own of what is written
        place = _line(error.__traceback__)
        if not place or not isinstance(own, GriotteError):
            raise
        raise SpecError(f"{own}, {place}") from error


def _line(trace: TracebackType | None) -> str:
    """The innermost line that is the user's own: file, number and text."""
    found = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith(LIBRARIES):
            text = linecache.getline(file, trace.tb_lineno).strip()
            found = f"in {file}:{trace.tb_lineno}" + (f": {text}" if text else "")
        trace = trace.tb_next
    return found
