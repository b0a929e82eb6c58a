"""The atoms of a model (engine/cutting/atoms.py). What a custom kernel computes alone, such as a concat copied by rows,
is one by itself: that is quicker than to be one with what is before or behind it. All that a loop gives is an atom.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from ..engine.cutting import CutAtom, CutCall, joined
from ..lang.nests.graph import is_contraction
from .custom.kernels import continues, is_alone
from .graph import ModelGraph, ModelValue
from .views import moves_nothing

Atom = tuple[ModelValue, ...]


def is_map(value: ModelValue) -> bool:
    """Whether a call computes each element by itself."""
    return not value.is_made and value.spec.is_map


def stands_alone(graph: ModelGraph, value: ModelValue) -> bool:
    """Whether a call is in no part with others: a loop, and what moves nothing."""
    return value.is_made or moves_nothing(graph, value)


def nests(value: ModelValue) -> tuple[Any, ...]:
    """The loop nests of a call."""
    return () if value.is_made else tuple(each.spec.operation for each in value.spec.graph.calls)


def atoms_of(graph: ModelGraph) -> list[Atom]:
    """The atoms of a graph, each after those that it reads; views are atoms of their own."""
    number = {id(value): n for n, value in enumerate(graph.calls)}
    first = {id(value): number[id(each[0])] for each in graph.made for value in each}
    calls = []
    for value in graph.calls:
        by_itself = stands_alone(graph, value)
        if not by_itself and is_alone(value):
            before = (r for r in value.values if id(r) in number and graph.readers[id(r)] == 1 and continues(value, r))
            first |= {id(value): number[id(read)] for read in islice(before, 1)}
        reads = tuple(number[id(r)] for r in value.values if id(r) in number)
        alone = by_itself or is_alone(value)
        uses, first_of = graph.readers[id(value)], first.get(id(value))
        calls.append(CutCall(reads, uses, value.type.bytes, is_map(value), alone, first_of))
    return [tuple(graph.calls[n] for n in atom) for atom in joined(calls)]


def cut_atoms(graph: ModelGraph, atoms: Iterable[Atom]) -> list[CutAtom]:
    """Atoms as the cut sees them."""
    return [
        CutAtom(
            atom,
            tuple(read for value in atom for read in value.values),
            len(operations := [op for value in atom for op in nests(value)]),
            sum(map(is_contraction, operations)),
            is_view=len(atom) == 1 and moves_nothing(graph, atom[0]),
            is_fixed=(is_fixed := stands_alone(graph, atom[0])),
            is_alone=is_fixed or is_alone(atom[0]),
        )
        for atom in atoms
    ]
