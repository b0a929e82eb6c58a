"""Calls that no cut parts: what joins elements, with the maps behind it.

A map whose operands come of one atom, and of what is there before, is computed as that atom's result is stored, which
never costs more than an array in between: it is of the atom where it alone reads what that gives. So atoms are what
parts are made of. What a recipe computes alone, such as a concat that is copied by rows, is an atom by itself: that is
quicker than to be one with what is before or behind it. All that a loop gives is an atom.
"""

from __future__ import annotations

from ..ir.graph import is_contraction
from .graph import ModelGraph, ModelValue
from .recipes import continues, is_alone
from .views import moves_nothing

Atom = tuple[ModelValue, ...]


def is_map(value: ModelValue) -> bool:
    """Whether a call computes each element by itself."""
    if value.is_made:
        return False
    spec = value.spec
    return not spec.is_composed and spec.operation.combine is None and not spec.operation.picks


def stands_alone(graph: ModelGraph, value: ModelValue) -> bool:
    """Whether a call is in no part with others: a loop, and what moves nothing."""
    return value.is_made or moves_nothing(graph, value)


def nests(value: ModelValue) -> int:
    """The loop nests of a call."""
    if value.is_made:
        return 0
    spec = value.spec
    return len(spec.operation.steps) if spec.is_composed else 1


def contractions(value: ModelValue) -> int:
    """The products of a call."""
    if value.is_made:
        return 0
    spec = value.spec
    steps = [step.spec for step in spec.operation.steps] if spec.is_composed else [spec]
    return sum(is_contraction(step.operation) for step in steps)


def atoms_of(graph: ModelGraph) -> list[Atom]:
    """The atoms of a graph, each after those that it reads; views are atoms of their own."""
    atom: dict[int, int] = {}  # of a call, by id
    found: list[list[ModelValue]] = []
    alone: set[int] = set()
    first = {id(value): each[0] for each in graph.made for value in each}
    for value in graph.calls:
        into = None if stands_alone(graph, value) else _joined(graph, value, atom, found, alone)
        if value.is_made:
            into = atom.get(id(first[id(value)]))
        if into is None:
            found.append([])
            into = len(found) - 1
        found[into].append(value)
        atom[id(first.get(id(value), value))] = atom[id(value)] = into
        if stands_alone(graph, value):
            alone.add(into)
    return _in_order([tuple(each) for each in found], atom)


def _joined(graph, value: ModelValue, atom: dict[int, int], found: list, alone: set[int]) -> int | None:
    """The atom that a call joins: of those that it reads, and alone reads what they give, that which gives the most, so
    that this is not stored; the last of several."""
    if is_alone(value):
        before = (read for read in value.values if id(read) in atom and graph.readers[id(read)] == 1)
        return next((atom[id(read)] for read in before if continues(value, read)), None)
    if not is_map(value):
        return None
    able = []
    for candidate in {atom[id(r)] for r in value.values if id(r) in atom} - alone:
        last = found[candidate][-1]
        uses = sum(r is last for r in value.values)
        if uses and graph.readers[id(last)] == uses and not is_alone(last):
            able.append((last.type.bytes, candidate))
    return max(able)[1] if able else None


def _in_order(atoms: list[Atom], atom: dict[int, int]) -> list[Atom]:
    """Atoms, each after those that it reads."""
    needs = [{atom[id(r)] for v in each for r in v.values if id(r) in atom} - {i} for i, each in enumerate(atoms)]
    placed: list[int] = []
    done: set[int] = set()
    for root in range(len(atoms)):
        stack = [root]
        while stack:
            at = stack[-1]
            waiting = needs[at] - done
            if at in done or not waiting:
                stack.pop()
                if at not in done:
                    done.add(at)
                    placed.append(at)
            else:
                stack += sorted(waiting, reverse=True)
    return [atoms[i] for i in placed]
