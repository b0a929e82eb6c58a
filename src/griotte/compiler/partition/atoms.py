"""The calls of a Spec as atoms, which no cut parts (engine/cutting/atoms.py).

A map of inputs alone that one atom reads is of that one too: the search may compute it where it is read. What is known
before the call, and what moves nothing, are atoms by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ...engine.cutting import CutAtom, CutCall, in_order, joined
from ...lang.calls.calls import CallGraph
from ...lang.nests.graph import is_contraction
from .calls import Steps
from .views import is_view


def is_known(calls: CallGraph, steps: Iterable[int]) -> bool:
    """Whether all that these calls give is known before the call."""
    return all(calls.constants[len(calls.inputs) + s] is not None for s in steps)


def moves_nothing(calls: CallGraph, steps: Steps) -> bool:
    """Whether it is one call that moves nothing, and what it gives is no result."""
    first = calls.calls[steps[0]]
    return 1 == len(steps) < len(calls) and first not in calls.gives and is_view(first.spec)


def atoms_of(calls: CallGraph) -> list[Steps]:
    """The atoms of calls, each after those that it reads."""
    inputs, read = len(calls.inputs), Counter(t for reads in calls.reads for t in reads) + Counter(calls.results)
    plain = [
        CutCall(
            tuple(t - inputs for t in calls.reads[s] if t >= inputs),
            read[inputs + s],
            value.type.bytes,
            value.spec.is_map,
            moves_nothing(calls, (s,)) or is_known(calls, (s,)),
        )
        for s, value in enumerate(calls.calls)
    ]
    return in_order(_with_maps_before(calls, joined(plain), plain), plain)


def _with_maps_before(calls: CallGraph, atoms: list[Steps], plain: list[CutCall]) -> list[Steps]:
    """Atoms, with maps of inputs alone of the one that alone reads them."""
    of = {s: i for i, atom in enumerate(atoms) for s in atom}
    found = [set(atom) for atom in atoms]
    for i, own in enumerate(found):
        is_before = all(plain[s].is_map and not plain[s].is_alone and own.issuperset(plain[s].reads) for s in own)
        readers = {of[r] for s in own for r in calls.readers[len(calls.inputs) + s]} - {i}
        is_result = any(calls.calls[s] in calls.gives for s in own)
        if is_before and not is_result and len(readers) == 1 and not plain[min(found[min(readers)])].is_alone:
            (into,) = readers
            found[into] |= own
            of.update(dict.fromkeys(own, into))
            found[i] = set()
    return [tuple(sorted(each)) for each in found if each]


def cut_atoms(calls: CallGraph, atoms: Iterable[Steps]) -> list[CutAtom]:
    """Atoms as the cut sees them."""
    return [
        CutAtom(
            tuple(calls.calls[s] for s in atom),
            tuple(calls.tensors[t] for s in atom for t in calls.reads[s]),
            len(atom),
            sum(is_contraction(calls.calls[s].spec.operation) for s in atom),
            is_view=(moves := moves_nothing(calls, atom)),
            is_fixed=(is_fixed := moves or is_known(calls, atom)),
            is_alone=is_fixed,
        )
        for atom in atoms
    ]
