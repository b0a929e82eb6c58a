"""The calls of a Spec as a cut sees them (engine/cutting/atoms.py): what is known before the call, and what moves
nothing, are atoms by themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ...engine.cutting import CutAtom, CutCall
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


def cut_calls(calls: CallGraph) -> list[CutCall]:
    """The calls, in order."""
    inputs, uses = len(calls.inputs), Counter(t for reads in calls.reads for t in reads) + Counter(calls.results)
    found = []
    for s, value in enumerate(calls.calls):
        is_fixed = (moves := moves_nothing(calls, (s,))) or is_known(calls, (s,))
        reads = tuple(calls.tensors[t] for t in calls.reads[s])
        own = CutAtom((value,), reads, 1, int(is_contraction(value.spec.operation)), moves, is_fixed, is_fixed)
        before = tuple(t - inputs for t in calls.reads[s] if t >= inputs)
        found.append(CutCall(own, before, uses[inputs + s], value.type.bytes, value.spec.is_map))
    return found
