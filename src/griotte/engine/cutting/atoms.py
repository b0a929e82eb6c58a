"""Calls that no cut parts: what joins elements, with the maps behind it.

A map whose operands come of one atom, and of what is there before, is computed as that atom's result is stored, which
never costs more than an array in between: it is of the atom where it alone reads what that gives. So atoms are what
parts are made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, eq=False)
class CutAtom:
    """An atom, as a cut sees it. Values are told apart by identity.

    Attributes:
        gives: the values that its calls give.
        reads: those that they read of others.
        nests: its loop nests.
        contractions: its products.
        is_view: whether nothing runs for it.
        is_fixed: whether what it reads and gives lies as it does.
        is_alone: whether it is in no piece with others.
    """

    gives: tuple[Any, ...]
    reads: tuple[Any, ...]
    nests: int
    contractions: int
    is_view: bool = False
    is_fixed: bool = False
    is_alone: bool = False


@dataclass(frozen=True)
class CutCall:
    """A call, as far as it tells which atom it is of.

    Attributes:
        own: it as an atom; one that is in no piece with others is an atom by itself, or with `first` alone.
        before: the calls before it that give what it reads, by number, each as often as it does.
        uses: how often what it gives is read; being a result is reading.
        bytes: of what it gives.
        is_map: whether it computes each element by itself.
        first: the call that it is of one atom with, whatever they are.
    """

    own: CutAtom
    before: tuple[int, ...]
    uses: int
    bytes: int
    is_map: bool
    first: int | None = None


def atoms_of(calls: Sequence[CutCall], with_maps: bool = False) -> list[tuple[int, ...]]:
    """The atoms of calls, by number, each after those that it reads; `with_maps` of inputs alone that one atom reads,
    which are of that one too: a search may compute them where they are read."""
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
    """The atom that a call joins: of those that it reads, and alone reads what they give, that which gives the most, so
    that this is not stored; the last of several."""
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
    return replace(
        first,
        gives=tuple(value for each in (first, *others) for value in each.gives),
        reads=tuple(value for each in (first, *others) for value in each.reads),
        nests=sum(each.nests for each in (first, *others)),
        contractions=sum(each.contractions for each in (first, *others)),
        is_view=False,
    )
