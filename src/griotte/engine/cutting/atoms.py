"""Atoms: the calls that no cut parts, which are what joins elements, with the maps behind it.

A map that reads one atom, besides inputs, and alone reads its result is computed as that result is stored. That never
costs more than an array in between, so the map belongs to that atom. Parts are made of atoms (fusion groups).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...lang.calls.calls import CallGraph
from ...lang.nests.operation import is_contraction


@dataclass(frozen=True, eq=False)
class CutAtom:
    """An atom, as a cut sees it. Values are compared by identity.

    Attributes:
        gives: the values that its calls give.
        reads: the values of others that they read.
        nests: the number of its loop nests.
        contractions: the number of its products.
        is_view: whether nothing runs for it.
        is_fixed: whether its operands and results keep their layouts.
        is_alone: whether no piece has it with others.
        one_layout: the values it reads and gives that must lie alike: it has no program where they do not.
    """

    gives: tuple[Any, ...]
    reads: tuple[Any, ...]
    nests: int
    contractions: int
    is_view: bool = False
    is_fixed: bool = False
    is_alone: bool = False
    one_layout: tuple[Any, ...] = ()


@dataclass(frozen=True)
class CutCall:
    """A call, with all that decides which atom it belongs to.

    Attributes:
        own: the call as an atom. One that is alone is an atom by itself, or with `first`.
        before: the numbers of the calls whose results it reads, each as often as it reads them.
        uses: how often its result is read; being a result of the whole counts.
        bytes: of its result.
        is_map: whether it computes each element by itself.
        first: the call that it shares an atom with in any case.
    """

    own: CutAtom
    before: tuple[int, ...]
    uses: int
    bytes: int
    is_map: bool
    first: int | None = None


def cut_calls(graph: CallGraph, marks: Callable[[Any], tuple], first: Mapping) -> list[CutCall]:
    """The calls of a graph, in order. `marks` of a call gives the fields of its `CutAtom` that follow `contractions`.
    `first` has the number of the call that some share an atom with in any case."""
    number, found = {value: n for n, value in enumerate(graph.calls)}, []
    for value in graph.calls:
        reads, operations = tuple(graph.reads(value)), [operation for operation, *_ in value.spec.nests]
        own = CutAtom((value,), reads, len(operations), sum(map(is_contraction, operations)), *marks(value))
        before, uses = tuple(number[read] for read in reads if read in number), len(graph.readers[value])
        found.append(CutCall(own, before, uses, value.type.bytes, value.spec.is_map, first.get(value)))
    return found


def atoms_of(calls: Sequence[CutCall], with_maps: bool = False) -> list[tuple[int, ...]]:
    """The atoms of calls, by number, each after those that it reads. `with_maps`: maps of inputs alone belong to the
    one atom that reads them, because a search may compute them where they are read."""
    atom: dict[int, int] = {}  # of a call
    found: list[list[int]] = []
    for n, call in enumerate(calls):
        into = None if call.own.is_alone else _joins(calls, call, atom, found)
        if call.first is not None:
            into = atom.get(call.first)
        if into is None:
            found.append([])
            into = len(found) - 1
        found[into].append(n)
        atom[n] = into
        if call.first is not None:
            atom[call.first] = into
    return _in_order(_with_maps(found, calls) if with_maps else [tuple(each) for each in found], calls)


def _joins(calls: Sequence[CutCall], call: CutCall, atom: dict[int, int], found: list) -> int | None:
    """The atom that a call joins: among those whose results it alone reads, the one with the largest result, which then
    is not stored; of equal ones the last."""
    if not call.is_map:
        return None
    able = []
    for candidate in {atom[r] for r in call.before}:
        last = found[candidate][-1]
        uses = call.before.count(last)
        if uses and calls[last].uses == uses and not calls[last].own.is_alone:
            able.append((calls[last].bytes, candidate))
    return max(able)[1] if able else None


def _with_maps(atoms: Sequence[list[int]], calls: Sequence[CutCall]) -> list[tuple[int, ...]]:
    """Atoms, with maps of inputs alone of the one that alone reads them."""
    of = {n: i for i, atom in enumerate(atoms) for n in atom}
    found, readers = [set(atom) for atom in atoms], [list[int]() for _ in calls]
    for n, call in enumerate(calls):
        for before in call.before:
            readers[before].append(n)
    for i, own in enumerate(found):
        is_before = all(calls[n].is_map and not calls[n].own.is_alone and own.issuperset(calls[n].before) for n in own)
        others = {of[r] for n in own for r in readers[n]} - {i}
        is_result = any(calls[n].uses > len(readers[n]) for n in own)
        if is_before and not is_result and len(others) == 1 and not calls[min(found[min(others)])].own.is_alone:
            (into,) = others
            found[into] |= own
            of.update(dict.fromkeys(own, into))
            found[i] = set()
    return [tuple(sorted(each)) for each in found if each]


def _in_order(atoms: Sequence[tuple[int, ...]], calls: Sequence[CutCall]) -> list[tuple[int, ...]]:
    """Atoms, each after those that it reads."""
    atom = {n: i for i, each in enumerate(atoms) for n in each}
    needs = [{atom[r] for n in each for r in calls[n].before} - {i} for i, each in enumerate(atoms)]
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


def cut_atoms(calls: Sequence[CutCall], atoms: Iterable[tuple[int, ...]]) -> list[CutAtom]:
    """Atoms as the cut sees them."""
    return [_atom([calls[n] for n in atom]) for atom in atoms]


def _atom(calls: list[CutCall]) -> CutAtom:
    first, *others = (call.own for call in calls)
    if not others:
        return first
    gives = tuple(value for each in (first, *others) for value in each.gives)
    reads = tuple(value for each in (first, *others) for value in each.reads)
    within = {*gives} & {*reads}
    alike = dict.fromkeys(value for each in (first, *others) for value in each.one_layout if value not in within)
    return replace(
        first,
        gives=gives,
        reads=reads,
        nests=sum(each.nests for each in (first, *others)),
        contractions=sum(each.contractions for each in (first, *others)),
        is_view=False,
        one_layout=tuple(alike),
    )
