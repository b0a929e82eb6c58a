"""The calls of a model as a cut sees them (engine/cutting/atoms.py). A call with a custom kernel, such as a concat
copied by rows, is an atom (fusion group) by itself. That is quicker than to fuse it with calls before or behind it.
All results of a loop are one atom.

Calls that move nothing are atoms too: what they give lies in memory as, or within, what they read; or what they read is
written where it lies in what they give. A reshape is what it reads. A slice that is one stretch of memory is a part of
it. Tensors that are joined end to end along their slowest axis are written at their places in the whole, where each has
no other place to be.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from math import prod
from typing import Any

from ..compiler.partition.calls import is_view
from ..engine import cutting
from ..engine.cutting import CutCall
from ..lang.calls.spec import Spec
from ..lang.types.tensor import TensorType
from .custom.kernels import alike, continues, is_alone
from .graph import ModelGraph, ModelValue, applied
from .value import sized


def cut_calls(graph: ModelGraph) -> list[CutCall]:
    """The calls, in order; views are atoms of their own."""
    number = {value: n for n, value in enumerate(graph.calls)}
    first = {value: number[each[0]] for each in graph.made for value in each}
    is_fixed = lambda value: value.is_made or moves_nothing(graph, value)
    for value in graph.calls:
        if is_alone(value) and not is_fixed(value):
            alone = (r for r in value.values if r in number and len(graph.readers[r]) == 1 and continues(value, r))
            first.update((value, number[read]) for read in islice(alone, 1))

    def marks(value: ModelValue) -> tuple[Any, ...]:
        held = is_fixed(value)
        return moves_nothing(graph, value), held, held or is_alone(value), () if held else alike(value)

    return cutting.cut_calls(graph, marks, first)


Lying = tuple[ModelValue, ModelValue, int]  # what lies, in what, at which byte


def places_of(graph: ModelGraph) -> dict[ModelValue, tuple[Lying, ...]]:
    """Of each call that moves nothing, what lies where for it."""
    found: dict[ModelValue, tuple[Lying, ...]] | None = graph.__dict__.get("_places")
    if found is None:
        found = graph.__dict__["_places"] = _found(graph)
    return found


def moves_nothing(graph: ModelGraph, value: ModelValue) -> bool:
    """Whether nothing runs for a call."""
    return value in places_of(graph)


def _found(graph: ModelGraph) -> dict[ModelValue, tuple[Lying, ...]]:
    results = {value for _, value in graph.results}
    found: dict[ModelValue, tuple[Lying, ...]] = {}
    within: set[ModelValue] = set()  # what lies in another tensor already
    for value in graph.calls:
        if value in results or value.is_made:
            continue
        if is_view(_in_memory(value)):
            places: tuple[Lying, ...] | None = ((value, value.values[0], 0),)
        elif value.call == "slice":
            places = _part(value)
        elif value.call == "concat":
            places = _joined(value, results | within)
        else:
            continue
        if places is not None:
            found[value] = places
            within |= {lying for lying, _, _ in places}
    return found


def _in_memory(value: ModelValue) -> Spec:
    """A call as it lies in memory: of a dynamic size as of the bound; and of a composition of one nest that."""
    spec, type = value.spec, value.type
    if type.dynamic is not None:
        fixed = lambda r: replace(r.type, name="", dynamic=None, tied=None) if isinstance(r, ModelValue) else r
        given = sized(value, type.shape[type.dynamic])
        spec = applied(value.call, tuple(map(fixed, value.reads)), tuple(given.items()))
    return spec.graph.calls[0].spec if len(spec.graph.calls) == 1 else spec


def _part(value: ModelValue) -> tuple[Lying, ...] | None:
    """A slice that is one stretch of what it reads."""
    (x,), given = value.values, dict(value.attributes)
    starts = given.get("starts")
    if given.get("steps") or not isinstance(starts, tuple) or not _is_plain(value.type, x.type):
        return None
    cut = [a for a, (n, m) in enumerate(zip(value.type.shape, x.type.shape)) if n != m]
    if any(n != 1 for n in value.type.shape[: cut[-1] if cut else 0]):
        return None
    strides = x.type.strides()
    at = sum(int(start) * stride for start, stride in zip(starts, strides))
    return ((value, x, at * (x.type.bytes // x.type.elements)),) if _has_whole_bytes(x.type) else None


def _joined(value: ModelValue, taken: set[ModelValue]) -> tuple[Lying, ...] | None:
    """Tensors that are written end to end."""
    axis = dict(value.attributes).get("axis", 1)
    operands = value.values
    if not isinstance(axis, int) or prod(value.type.shape[: axis % value.type.rank]) != 1:
        return None
    free = len(set(operands)) == len(value.reads) and not taken & set(operands) and all(x.call for x in operands)
    if not free or not all(_is_plain(value.type, x.type) for x in operands) or not _has_whole_bytes(value.type):
        return None
    found, at = [], 0
    for x in operands:
        found.append((x, value, at))
        at += x.type.bytes
    return tuple(found)


def _is_plain(one: TensorType, other: TensorType) -> bool:
    return one.dtype == other.dtype and one.is_row_major and other.is_row_major


def _has_whole_bytes(type: TensorType) -> bool:
    return type.bytes % type.elements == 0
