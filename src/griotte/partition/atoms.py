"""The calls of a Spec as atoms, which no cut parts (cutting/atoms.py).

A map of inputs alone that one atom reads is of that one too: the search may compute it where it is read. What is known
before the call, and what moves nothing, are atoms by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ..cutting import CutAtom, CutCall, in_order, joined
from ..ir.graph import is_contraction
from ..ir.tensor import TensorType
from .calls import CallList, Steps, is_reduction


@dataclass(frozen=True, eq=False)
class CallTensor:
    """A tensor of a CallList."""

    number: int
    type: TensorType


def is_known(calls: CallList, steps: Iterable[int]) -> bool:
    """Whether all that these calls give is known before the call."""
    return all(calls.constants[calls.inputs + s] is not None for s in steps)


def atoms_of(calls: CallList) -> list[Steps]:
    """The atoms of calls, each after those that it reads."""
    read = Counter(t for step in calls.steps for t in step.reads) + Counter(calls.results)
    plain = [
        CutCall(
            tuple(t - calls.inputs for t in step.reads if t >= calls.inputs),
            read[calls.inputs + s],
            calls.types[calls.inputs + s].bytes,
            not is_reduction(step.spec.operation) and not step.spec.operation.picks,
            calls.is_view((s,)) or is_known(calls, (s,)),
        )
        for s, step in enumerate(calls.steps)
    ]
    return in_order(_with_maps_before(calls, joined(plain), plain), plain)


def _with_maps_before(calls: CallList, atoms: list[Steps], plain: list[CutCall]) -> list[Steps]:
    """Atoms, with maps of inputs alone of the one that alone reads them."""
    of = {s: i for i, atom in enumerate(atoms) for s in atom}
    found = [set(atom) for atom in atoms]
    for i, own in enumerate(found):
        is_before = all(plain[s].is_map and not plain[s].is_alone and own.issuperset(plain[s].reads) for s in own)
        readers = {of[r] for s in own for r in calls.readers[calls.inputs + s]} - {i}
        is_result = any(calls.inputs + s in calls.results for s in own)
        if is_before and not is_result and len(readers) == 1 and not plain[min(found[min(readers)])].is_alone:
            (into,) = readers
            found[into] |= own
            of.update(dict.fromkeys(own, into))
            found[i] = set()
    return [tuple(sorted(each)) for each in found if each]


def cut_atoms(calls: CallList, atoms: Iterable[Steps]) -> list[CutAtom]:
    """Atoms as the cut sees them."""
    tensors = [CallTensor(t, type) for t, type in enumerate(calls.types)]
    return [
        CutAtom(
            tuple(tensors[calls.inputs + s] for s in atom),
            tuple(tensors[t] for s in atom for t in calls.steps[s].reads if t >= 0),
            len(atom),
            calls.count(atom, is_contraction),
            is_view=(is_view := calls.is_view(atom)),
            is_fixed=(is_fixed := is_view or is_known(calls, atom)),
            is_alone=is_fixed,
        )
        for atom in atoms
    ]
