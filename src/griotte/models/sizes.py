"""Models one of whose sizes is known only up to a bound.

The graph of such a size is made of graphs of numbers in its place, a few of them. Values that are alike in all but for
that number are so for any. So readers of files, and each rule that makes a graph simpler, know of numbers alone. Each
call is then made anew over the bound. A call that the language does not have for a dynamic size is refused, by the
node that it is of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..lang.types.dynamic import resized
from ..lang.types.tensor import TensorType, stated
from ..lang.types.walk import children_first
from ..support.errors import SpecError
from ..support.printable import printable
from .graph import GraphBuilder, ModelGraph, ModelValue, Refused
from .value import MEND, SIZED, same_data, sized

Alike = tuple[ModelValue, ...]  # one value of each graph


def at(graph: ModelGraph, size: int) -> ModelGraph:
    """The graph of a number in place of its dynamic size; one without is itself."""
    if graph.bound is None:
        return graph
    builder = GraphBuilder()
    now = {v: builder.input(resized(v.type, v.type.dynamic_axes, size), v.name) for v in graph.inputs}
    for value in graph.values:
        if value not in now:
            now[value] = _call_at(builder, value, now, size) if value.call else _known_at(builder, value, size)
    return builder.graph({name: now[value] for name, value in graph.results}, graph.refused, graph.empty)


def _known_at(builder: GraphBuilder, value: ModelValue, size: int) -> ModelValue:
    if value.type.dynamic is None:
        return builder.known(value)
    assert value.array is not None
    return builder.constant(part(value.array, value.type, size), value.name)


def _call_at(builder: GraphBuilder, value: ModelValue, now: Mapping[ModelValue, ModelValue], size: int) -> ModelValue:
    reads = value.reads_in(now)
    if value.is_made:
        return _made_over(builder, value, reads)
    return builder.call(value.call, *reads, name=value.name, origin=value.origin, **sized(value, size))


def _made_over(builder: GraphBuilder, value: ModelValue, reads: tuple[Any, ...]) -> ModelValue:
    """What an OpaqueOp gives, of values of other sizes; SpecError where it has sizes within."""
    takes = tuple(replace(type, **_sizes(read.type)) for type, read in zip(value.opaque.takes, reads))
    if takes == value.opaque.takes:
        return builder.rebuilt(value, reads)
    return builder.result(value.opaque.over(takes), value.number, reads, value.name, value.origin)


def _sizes(type: TensorType) -> dict[str, Any]:
    return {"shape": type.shape, "dynamic": type.dynamic, "tied": type.tied}


def part(array: np.ndarray, type: TensorType, size: int) -> np.ndarray:
    """Of an array of the bound that of a size."""
    return array[tuple(slice(size if axis in type.dynamic_axes else None) for axis in range(type.rank))]


def numbers_for(graph: ModelGraph, bound: int, least: int = 2) -> tuple[int, ...]:
    """The bound, and two numbers that are no sizes of anything else in the graph of it, so that none is taken for
    another. They are the least, of `least` and more, and the largest that there are below, or the next above."""
    taken = {n for value in graph.values for n in value.type.shape} | {1}
    below = [n for n in range(max(2, least), bound) if n not in taken]
    above = [n for n in range(bound + 1, bound + len(taken) + 3) if n not in taken]
    low, high = (below[0], below[-1]) if len(below) > 1 else (*below, *above)[:2]
    return bound, high, low


def for_any_size(graph: ModelGraph, make: Callable[[ModelGraph], ModelGraph]) -> ModelGraph:
    """The graph that `make` makes of a graph; it knows numbers alone. The graph itself where the result is another
    thing at another size."""
    if graph.bound is None:
        return make(graph)
    numbers = numbers_for(graph, graph.bound, graph.least)
    found = of_any_size([make(at(graph, n)) for n in numbers], numbers)
    return graph if found.refused else found


def of_any_size(
    graphs: Sequence[ModelGraph], numbers: Sequence[int], operators: Mapping[str, str] | None = None
) -> ModelGraph:
    """The graph of a dynamic size, from these graphs of some numbers in its place, the first the bound.

    What cannot have the size is among its `refused`, by the node that it is of; `operators` are those of nodes, by
    name.
    """
    return _Joining(graphs, numbers, operators or {}).graph()


class _Joining:
    """Makes one graph of several that are alike but for a number."""

    def __init__(self, graphs: Sequence[ModelGraph], numbers: Sequence[int], operators: Mapping[str, str]):
        self.graphs, self.numbers, self.operators = graphs, tuple(numbers), operators
        self.builder = GraphBuilder()
        self.refused: dict[str, Refused] = {each.name: replace(each, step=None) for each in graphs[0].refused}
        for graph, number in zip(graphs[1:], numbers[1:]):
            for each in graph.refused:
                self._refuse(each.name, each.operator, f"{each.why}, at {number}; {MEND}")
        self.made: dict[Alike, ModelValue] = {}
        self.why: dict[Alike, str] = {}  # of what is known, but not of any size
        self._met: dict[Alike, Alike] = {}

    def graph(self) -> ModelGraph:
        for values in zip(*(graph.inputs for graph in self.graphs)):
            type = self._type([value.type for value in values])
            if type is None:
                raise SpecError(
                    f"expected one size that is known only up to a bound, along two axes at most, for"
                    f" {printable(values[0].name)!r}, found {_told([v.type for v in values], self.numbers)}; {MEND}"
                )
            self.made[values] = self.builder.input(type, values[0].name)
        given = [dict(graph.results) for graph in self.graphs]
        names = [name for name in given[0] if all(name in each for each in given)]
        ends = {name: self._alike(each[name] for each in given) for name in names}
        for values in children_first(ends.values(), self._children):
            if values not in self.made:
                self._make(values)
        for name, values in ends.items():
            if (why := self.why.get(values)) is not None:
                self._refuse(name, "output", why)
        results = {name: self.made[values] for name, values in ends.items() if values in self.made}
        empty = self.graphs[0].empty
        if any(graph.empty != empty for graph in self.graphs):
            for each in empty:
                self._refuse(each.name, "output", "it has no elements, and another shape at another size")
        return self.builder.graph(results, self.refused.values(), empty)

    # ---- alike values ------------------------------------------------------------------------------------------------

    def _alike(self, values: Iterable[ModelValue]) -> Alike:
        found = tuple(values)
        return self._met.setdefault(found, found)

    def _children(self, values: Alike) -> list[Alike]:
        return [self._alike(reads) for reads in self._reads(values) if isinstance(reads[0], ModelValue)]

    @staticmethod
    def _reads(values: Alike) -> list[tuple[Any, ...]]:
        """What they read, place by place; nothing where they are not the same call of as many, of the same kinds."""
        if len({(value.call, len(value.reads)) for value in values}) > 1:
            return []
        found = list(zip(*(value.reads for value in values)))
        return found if all(len({isinstance(r, ModelValue) for r in reads}) == 1 for reads in found) else []

    def _type(self, types: Sequence[TensorType]) -> TensorType | None:
        """The type of the bound, with its dynamic axes; None where the sizes of an axis are neither one nor those."""
        first = types[0]
        if len({(type.dtype, type.minor_to_major) for type in types}) > 1:
            return None
        sizes = list(zip(*(type.shape for type in types)))
        axes = [axis for axis, of in enumerate(sizes) if len(set(of)) > 1]
        if len(axes) > 2 or any(sizes[axis] != self.numbers for axis in axes):
            return None
        dynamic, tied = [*axes, None, None][:2]
        return replace(first, dynamic=dynamic, tied=tied)

    # ---- the graph of any size ---------------------------------------------------------------------------------------

    def _make(self, values: Alike) -> None:
        """Make a value, or note why there is none; what reads one that is refused is not made."""
        first = values[0]
        if not first.call:
            if first.array is not None:  # else it is of a node that is refused
                self._know(values)
            return
        children = self._children(values)
        why = next((self.why[key] for key in children if key in self.why), None)
        if why is None and any(key not in self.made for key in children):
            return
        found = why or self._called(values)
        if isinstance(found, str):
            self._refuse(first.origin or first.name or first.call, first.call, found)
        else:
            self.made[values] = found

    def _know(self, values: Alike) -> None:
        """Constants: the same at all sizes, or at each a part of that of the bound."""
        first, type = values[0], self._type([value.type for value in values])
        is_part = type is not None and all(
            first.array is not None and same_data(part(first.array, type, number), value.array)
            for value, number in zip(values, self.numbers)
        )
        if not is_part or type is None:
            self.why[values] = f"numbers that it reads follow from the size; {MEND}"
            return
        self.made[values] = self.builder.known(first if type.dynamic is None else replace(first, type=type))

    def _called(self, values: Alike) -> ModelValue | str:
        """A call over the bound, or why there is none."""
        first, reads = values[0], self._reads(values)
        if len(reads) != len(first.reads):
            return f"what it computes is another thing at another size; {MEND}"
        operands: list[Any] = []
        for each in reads:
            is_value = isinstance(each[0], ModelValue)
            if not is_value and len(set(map(repr, each))) > 1:
                return f"it computes with {_told(each, self.numbers)}; {MEND}"
            operands.append(self.made[each] if is_value else each[0])
        if first.is_made:
            return self._made_alike(values, tuple(operands))
        for key in {key: None for value in values for key, _ in value.attributes}:
            given = [dict(value.attributes).get(key) for value in values]
            if not self._is_one(first.call, key, given):
                return f"its {key} would be {_told(given, self.numbers)}; {MEND}"
        type = self._type([value.type for value in values])
        if type is None:
            return f"it gives {_told([value.type for value in values], self.numbers)}, no axis of one size; {MEND}"
        attributes = dict(first.attributes)
        if "shape" in attributes:
            attributes["shape"] = stated(type)
        try:
            found = self.builder.call(first.call, *operands, name=first.name, origin=first.origin, **attributes)
        except SpecError as error:
            return f"{error} ({MEND})"
        if found.type != type:
            return f"it gives {found.type}, which would have to be {type}; {MEND}"
        return found

    def _made_alike(self, values: Alike, operands: tuple[ModelValue, ...]) -> ModelValue | str:
        """What an OpaqueOp gives, over the bound, or why there is nothing."""
        try:
            found = [_made_over(self.builder, value, operands) for value in values]
        except SpecError as error:
            return str(error)
        if any(each is not found[0] for each in found) or found[0].type != self._type([v.type for v in values]):
            return f"what it computes is another thing at another size; {MEND}"
        return found[0]

    def _is_one(self, call: str, key: str, given: list[Any]) -> bool:
        """Whether an attribute is the same at all sizes, or has the size itself where it says sizes."""
        if len(set(map(repr, given))) == 1:
            return True
        if SIZED.get(call) != key or len(set(map(len, given))) > 1:
            return False
        return all(len(set(sizes)) == 1 or sizes == self.numbers for sizes in zip(*given))

    def _refuse(self, name: str, operator: str, why: str) -> None:
        told = printable(name)
        self.refused.setdefault(told, Refused(told, self.operators.get(name, operator), why))


def _told(found: Iterable[Any], numbers: Iterable[int]) -> str:
    """`6 at 2, 24 at 8`"""
    by_size = sorted(zip(numbers, found), key=lambda pair: pair[0])
    return ", ".join(f"{_plain(each)} at {number}" for number, each in by_size)


def _plain(value: Any) -> str:
    return f"({','.join(map(str, value))})" if isinstance(value, tuple) else str(value)
