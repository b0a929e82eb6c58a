"""Models whose shapes are given with a bound, "<=32": read at a few sizes, then of any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..lang.types.tensor import tensor
from ..models.graph import ModelGraph
from ..models.sizes import numbers_for, of_any_size
from ..support.errors import SpecError
from ..support.printable import printable
from .loading import DataFolders
from .reader import Reader

LEAST = 1  # the size at which a model may be another one, for exporters drop axes of size 1


def graph_of(
    proto: Any, folder: DataFolders | None, shapes: Mapping[str, Any], constants: Mapping[str, Any]
) -> ModelGraph:
    """The graph of a model, of numbers or of one size that is known only up to a bound."""
    bound = _bound(proto, shapes)
    if bound is None:
        return Reader(proto, folder, shapes, constants).graph()
    operators: dict[str, str] = {}
    least = 1

    def of(size: int) -> ModelGraph:
        nonlocal least
        given = {name: [size if isinstance(n, str) else n for n in sizes] for name, sizes in shapes.items()}
        reader = Reader(proto, folder, given, constants, is_open=True)
        found, least = reader.graph(), max(least, reader.least)
        operators.update(reader.operators)
        return found

    largest = of(bound)
    numbers = numbers_for(largest, bound)
    graphs = [largest, *map(of, numbers[1:])]
    if 1 < least <= bound:  # of fewer elements some operator gives nothing
        numbers = numbers_for(largest, bound, least)
        graphs = [largest, *map(of, numbers[1:])]
    found = of_any_size(graphs, numbers, operators)
    if len(found.refused) > len(largest.refused):
        from ..models.simplify import STAGES_APART, simplify  # slow to load, and few models need it here

        simpler = of_any_size([simplify(graph, STAGES_APART) for graph in graphs], numbers, operators)
        found = min(found, simpler, key=lambda graph: len(graph.refused))
    _check_least(found, of)
    return found


def _bound(proto: Any, shapes: Mapping[str, Any]) -> int | None:
    """The bound that shapes are given with; SpecError where there are two, or two sizes of one."""
    found: dict[tuple[int, str], str] = {}
    stated = {each.name: each.type.tensor_type.shape.dim for each in proto.graph.input}
    for name, sizes in shapes.items():
        for axis, size in enumerate(sizes):
            if not isinstance(size, str):
                continue
            dims = stated.get(name, ())
            own = dims[axis] if axis < len(dims) else None
            if own is not None and own.HasField("dim_value") and own.dim_value > 0:
                raise SpecError(
                    f"expected {own.dim_value} at axis {axis} of {printable(name)!r}, as the model says, found"
                    f" {size!r}; give a bound where the model leaves the size open"
                )
            word = own.dim_param if own is not None else ""
            type = tensor((size,))  # which says what a bound is
            (bound,) = type.shape
            if bound < 2 or type.dynamic is None:
                raise SpecError(
                    f"expected a number, or a bound of 2 or more like '<=8', found {size!r}, for {printable(name)!r};"
                    " give one"
                )
            found.setdefault((bound, word), f"{size!r} at axis {axis} of {printable(name)!r} ({printable(word)})")
    named = [key for key in found if key[1]]
    if len({bound for bound, _ in found}) > 1 or len(named) > 1:
        raise SpecError(
            f"expected one size that is known only up to a bound, found {' and '.join(found.values())}; give numbers as"
            " the others"
        )
    return next((bound for bound, _ in found), None)


def _check_least(graph: ModelGraph, of: Any) -> None:
    """That of one row the model gives what the graph does."""
    if graph.refused:
        return
    try:
        least = of(LEAST)
    except SpecError:
        return  # of one row there is no such model
    given = {name: value.type.shape for name, value in least.results}
    for name, value in graph.results:
        type = value.type
        expected = tuple(LEAST if axis in type.dynamic_axes else n for axis, n in enumerate(type.shape))
        if not least.refused and given[name] != expected:
            raise SpecError(
                f"expected {printable(name)!r} of shape {list(expected)} where the size is {LEAST}, found"
                f" {list(given[name])}: the model is another one there; give a number as the size"
            )
