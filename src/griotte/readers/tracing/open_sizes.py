"""Classes of arguments that differ in one size, such as the length of a text. After the first of them, a kernel of any
size up to a bound runs the next ones, and no more is searched for or compiled.

A function may compute another thing at another size. So it is traced at each size that it is called with, which takes
milliseconds, and only where its graph is that of any size the kernel runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from ...lang.types.tensor import TensorType
from ...models.graph import ModelGraph
from ...models.sizes import numbers_for, of_any_size
from ...support.errors import GriotteError, SpecError
from ...support.unforeseen import is_own, reported, warned
from .arguments import TracedResult, type_of

ALONE = 2  # classes that differ in one size, each with a kernel of its own, before there is one of any size
LEAST_BOUND, MOST_BOUND = 128, 1 << 20
AS_NUMPY = (IndexError, ValueError, TypeError, AttributeError)
"""What traced arrays raise as NumPy's do."""

TracedFunction = tuple[ModelGraph, TracedResult]
TraceAt = Callable[[Sequence[TensorType]], TracedFunction]
TraceAtSize = Callable[[int], TracedFunction]
SizeAxes = tuple[tuple[int, int], ...]  # an array, by place, and an axis of it


@dataclass(frozen=True)
class SizeLine:
    """Classes that differ in one size.

    Attributes:
        form: all else of the arguments.
        axes: where the size stands.
        others: the sizes that all have, by array; 0 where the size stands.
    """

    form: Hashable
    axes: SizeAxes
    others: tuple[tuple[int, ...], ...]


@dataclass
class OpenKernel:
    """The kernel of a line.

    Attributes:
        bound: the largest size that it runs; 0: there is none yet.
        kernel: itself.
        largest: what the function is at the bound.
        text: its graph, of any size.
        is_closed: whether there is none, for the function is another one at other sizes.
    """

    bound: int = 0
    kernel: Any = None
    largest: TracedFunction | None = None
    text: str = ""
    is_closed: bool = False


@dataclass
class OpenSizes:
    """The lines of one function. `compile` makes a kernel of a graph."""

    compile: Callable[[ModelGraph], Any]
    _met: dict[Hashable, list[tuple[tuple[int, ...], ...]]] = field(default_factory=dict)
    _lines: dict[SizeLine, OpenKernel] = field(default_factory=dict)

    def kernel(self, key: Hashable, leaves: Sequence[Any], trace: TraceAt) -> tuple[Any, TracedResult] | None:
        """The kernel of any size that runs a new class, and the form of its results; None where the class has one of
        its own.

        Args:
            key: the class.
            leaves: its arrays.
            trace: traces the function for arrays of these types.
        """
        types = [type_of(leaf) for leaf in leaves]
        shapes = tuple(type.shape for type in types)
        form = _form(key)
        met = self._met.setdefault(form, [])
        line, sizes = _line(form, shapes, met)
        if shapes not in met:
            met.append(shapes)
        if line is None or len(sizes) <= ALONE:
            return None
        array, axis = line.axes[0]
        return self._of_line(line, shapes[array][axis], sizes, lambda size: trace(_resized(types, line.axes, size)))

    def _of_line(self, line: SizeLine, size: int, sizes: set[int], trace: TraceAtSize) -> Any:
        found = self._lines.setdefault(line, OpenKernel())
        try:
            with reported(lambda: "a kernel of any size"):
                if size > found.bound and not found.is_closed:
                    self._grow(found, size, min(sizes), trace)
                if found.is_closed or found.largest is None:
                    return None
                own = _traced_at(trace, size)
                return (found.kernel, own[1]) if _is_one(found, own, size) else None
        except GriotteError as error:
            warned(error, "a kernel of each size")
            found.is_closed = True
            return None

    def _grow(self, found: OpenKernel, size: int, least: int, trace: TraceAtSize) -> None:
        """Make a kernel up to a bound that holds a size."""
        bound = max(LEAST_BOUND, 2 << (size - 1).bit_length())
        if bound > MOST_BOUND:
            found.is_closed = True
            return
        largest = _traced_at(trace, bound)
        numbers = numbers_for(largest[0], bound, least)
        every = [largest, *(_traced_at(trace, number) for number in numbers[1:])]
        graph = of_any_size([graph for graph, _ in every], numbers)
        if graph.refused or not _is_by_rows(graph) or not all(a[1].is_like(b[1]) for a, b in pairwise(every)):
            found.is_closed = True
            return
        kernel = self.compile(graph)
        kernel.open_door()
        found.bound, found.kernel, found.largest, found.text = bound, kernel, largest, str(graph)


def _traced_at(trace: TraceAtSize, size: int) -> TracedFunction:
    """The function at a size; SpecError where it fails there, which is reported at the call with that size. A fault of
    griotte's own passes."""
    try:
        return trace(size)
    except Exception as error:
        if is_own(error) and not isinstance(error, (GriotteError, *AS_NUMPY)):
            raise
        raise SpecError(f"expected a function that can be traced at {size}, found {error}") from error


def _is_one(found: OpenKernel, own: TracedFunction, size: int) -> bool:
    """Whether the function at a size is what the kernel of any size computes."""
    assert found.largest is not None
    graph, result = found.largest
    if not result.is_like(own[1]):
        return False
    if size == found.bound:
        return str(own[0]) == str(graph)
    joined = of_any_size([graph, own[0]], (found.bound, size))
    return not joined.refused and str(joined) == found.text


def _is_by_rows(graph: ModelGraph) -> bool:
    """Whether the size is along the slowest axis of all arrays, but for those of size 1. Along another one they would
    lie with gaps, as parts of arrays of the bound do."""
    ends = [value.type for value in (*graph.inputs, *(value for _, value in graph.results))]
    return graph.bound is not None and all(type.dynamic is None or _is_slowest(type) for type in ends)


def _is_slowest(type: TensorType) -> bool:
    assert type.dynamic is not None
    slower = type.minor_to_major[type.minor_to_major.index(type.dynamic) + 1 :]
    return type.tied is None and all(type.shape[axis] == 1 for axis in slower)


def _form(key: Any) -> Hashable:
    """A class without the sizes of its arrays."""
    if isinstance(key, TensorType):
        return "array", key.dtype, key.minor_to_major
    return tuple(map(_form, key)) if isinstance(key, tuple) else key


def _line(form: Hashable, shapes: tuple[tuple[int, ...], ...], met: Sequence[Any]) -> tuple[SizeLine | None, set[int]]:
    """The line of a class on which most were met, and their sizes, its own among them."""
    lines: dict[SizeLine, set[int]] = {}
    for other in met:
        axes = tuple(
            (array, axis)
            for array, (one, two) in enumerate(zip(shapes, other))
            for axis, (n, m) in enumerate(zip(one, two))
            if n != m
        )
        here, there = ({of[array][axis] for array, axis in axes} for of in (shapes, other))
        if len(here) == 1 and len(there) == 1:
            others = tuple(
                tuple(0 if (array, axis) in axes else n for axis, n in enumerate(shape))
                for array, shape in enumerate(shapes)
            )
            lines.setdefault(SizeLine(form, axes, others), {*here}).update(there)
    return max(lines.items(), key=lambda item: len(item[1]), default=(None, set()))


def _resized(types: Sequence[TensorType], axes: SizeAxes, size: int) -> list[TensorType]:
    return [
        replace(type, shape=tuple(size if (array, axis) in axes else n for axis, n in enumerate(type.shape)))
        for array, type in enumerate(types)
    ]
