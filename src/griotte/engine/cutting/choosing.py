"""The cheapest cut: pieces are solved, one after the other, until it is known. Dijkstra's algorithm over the done atoms
finds the cheapest sequence for the costs, and the bounds, of the moment."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import NamedTuple

from .pieces import CutPieces, Piece

TINY = 1e-6  # cycles: less is rounding


@dataclass
class ChosenCut:
    """The cut that was chosen, and what proves it.

    Attributes:
        cut: its pieces, in order.
        bound: no way costs less; where there are too many, none that takes atoms in one order.
        in_order: whether there were too many.
        solved: pieces that were solved beyond each atom alone.
        possible: pieces that there are beyond those, in the layouts that were looked at.
    """

    cut: FoundCut
    bound: float
    solved: int
    possible: int
    in_order: bool = False

    @property
    def gap(self) -> float:
        """By how much another way could be cheaper, of all."""
        return 1 - self.bound / self.cut.cost if self.cut.cost else 0.0


class Tolerance(NamedTuple):
    """When no more is solved. `gap`: how much cheaper another cut may be, of all; `least`: what a piece must be able to
    save, of all, so that it is solved; `worth`: the same in cycles."""

    gap: float = 0.0
    least: float = 0.0
    worth: float = 0.0


def choose(
    pieces: CutPieces,
    solve: Callable[[list[Piece]], None],
    tolerance: Tolerance,
    at_once: int,
    searched: Callable[[Piece], Hashable] = id,
) -> ChosenCut:
    """The cheapest cut within a tolerance.

    `solve` gives pieces their costs; every atom alone has its own. Pieces with equal `searched` take one search; up to
    `at_once` such searches are asked for together.
    """
    tried, search = 0, CutSearch(pieces)
    while True:
        pieces.bounded()
        best = search.cheapest(lambda p: inf if p.cost is None else p.cost)
        lowest = search.cheapest(lambda p: p.least)
        enough = max(tolerance.worth, tolerance.least * best.cost)
        at_most = best.cost * (1 - tolerance.gap)
        chosen, found = list[Piece](), lowest
        while found.cost < at_most and (more := _promising(pieces, found, chosen, enough)):
            for piece in more:
                if len({searched(each) for each in (*chosen, piece)}) <= at_once:
                    chosen.append(piece)
            if len({searched(each) for each in chosen}) == at_once:
                break
            taken = set(map(id, chosen))  # and should they save nothing, what is to be solved next?
            found = search.cheapest(lambda p: inf if id(p) in taken else p.least)
        if not chosen and lowest.cost < at_most:
            chosen = _sparing_copies(pieces, best, enough)
        if not chosen:
            bound = best.cost if all(piece.cost is not None for piece in lowest.pieces) else lowest.cost
            return ChosenCut(best, bound, tried, len(pieces.kept) - len(pieces.atoms), lowest.in_order)
        solve(chosen)
        tried += len(chosen)


def _sparing_copies(pieces: CutPieces, cut: FoundCut, least: float) -> list[Piece]:
    """What may spare a copy of a cut that costs `least` cycles or more: what gives the value, in the layout that it is
    copied to, and what reads it, in the one that it has."""
    found: dict[int, Piece] = {}
    for copy in cut.pieces:
        if copy.copies is None or copy.least < max(least, TINY):
            continue
        n, now, then = copy.copies
        for piece in cut.pieces:
            ways = dict(piece.stored)
            way = ways.get(n, 0)
            if n in piece.gives and way == now or n in piece.takes and way == then:
                ways[n] = then if n in piece.gives else now
                other = pieces.variant(piece, tuple(sorted((m, w) for m, w in ways.items() if w)))
                if other.cost is None and other.bound < piece.least + copy.least:
                    found[id(other)] = other
    return [*found.values()]


def _promising(pieces: CutPieces, cut: FoundCut, chosen: list[Piece], least: float) -> list[Piece]:
    """The pieces of a cut that may save `least` cycles or more, the most first, without those that are chosen. A piece
    of several atoms comes after each of these in one layout."""
    found: dict[int, Piece] = {}
    for piece in cut.pieces:
        if piece.cost is None:
            alone = [each for i in piece.atoms for each in pieces.uniform(i) if each.cost is None]
            found |= {id(each): each for each in ((*alone, piece) if len(piece.atoms) > 1 else (piece,))}
    for piece in chosen:
        found.pop(id(piece), None)
    saves = {id(piece): pieces.may_save(piece) for piece in found.values()}
    promising = [piece for piece in found.values() if saves[id(piece)] >= max(least, TINY)]
    return sorted(promising, key=lambda piece: -saves[id(piece)])


STATES = 20_000  # sets of atoms and layouts that are looked at, at most; beyond, parts are taken in one order
OWN = 1  # of a value that lies as it is, and in no other layout

DoneState = tuple[int, tuple[tuple[int, int], ...]]  # the atoms that are done; of values the layouts that they lie in


@dataclass
class FoundCut:
    """A way to cut: its pieces in order, and what it costs, or at least; and whether only those ways were looked at
    that take atoms in one order."""

    pieces: list[Piece]
    cost: float
    in_order: bool = False


class CutSearch:
    """Dijkstra's algorithm over sets of done atoms and the layouts of what they leave."""

    def __init__(self, pieces: CutPieces):
        self._pieces = pieces

    def cheapest(self, cost: Callable[[Piece], float]) -> FoundCut:
        """The cheapest way by what each piece costs (inf: it is not taken)."""
        return self._searched(cost, in_order=False) or self._searched(cost, in_order=True) or FoundCut([], inf)

    @cached_property
    def _by_atom(self) -> list[list[Piece]]:
        """The pieces that each atom is the first of."""
        found: list[list[Piece]] = [[] for _ in self._pieces.atoms]
        for piece in self._pieces.plain:
            found[piece.atoms[0]].append(piece)
        return found

    def _searched(self, cost: Callable[[Piece], float], in_order: bool) -> FoundCut | None:
        """The cheapest way; None after too many states. `in_order`: the next part has the first atom that is not
        done."""
        whole, turn = (1 << len(self._pieces.atoms)) - 1, count()
        start: DoneState = (0, ())
        best: dict[DoneState, float] = {start: 0.0}
        came: dict[DoneState, tuple[DoneState, list[Piece]]] = {}
        heap: list[tuple[float, int, DoneState, int]] = [(0.0, next(turn), start, 0)]
        settled: set[DoneState] = set()
        while heap:
            so_far, _, state, first = heappop(heap)
            if state[0] == whole:
                return FoundCut(self._traced(came, state), so_far, in_order)
            if state in settled:
                continue
            settled.add(state)
            if not in_order and len(settled) > STATES:
                return None
            while state[0] >> first & 1:
                first += 1
            for pieces, key in self.steps(state, first, in_order):
                total = so_far + sum(cost(piece) + self._pieces.call * piece.moves for piece in pieces)
                if total < best.get(key, inf):
                    best[key], came[key] = total, (state, pieces)
                    heappush(heap, (total, next(turn), key, first))
        return None

    def steps(self, state: DoneState, first: int, in_order: bool = False) -> Iterator[tuple[list[Piece], DoneState]]:
        """(pieces, state after them) of each next step: a part, after copies of its operands into other layouts."""
        done, lies = state
        there = dict(lies)
        for plain in self._ready(done, first, in_order):
            after = done | plain.bits
            for piece in self._pieces.variants(plain):
                ways = dict(piece.stored)
                now, pieces = dict(there), []
                for n in piece.takes:
                    has, way = now.get(n, OWN), ways.get(n, 0)
                    if not has >> way & 1:
                        pieces.append(min((self._pieces.copied(n, k, way) for k in _bits(has)), key=lambda c: c.least))
                        now[n] = has | 1 << way
                now |= {n: 1 << ways.get(n, 0) for n in piece.gives}
                alive = ((n, has) for n, has in now.items() if has != OWN and self._pieces.readers[n] & ~after)
                yield [*pieces, piece], (after, tuple(sorted(alive)))

    def _ready(self, done: int, first: int, in_order: bool) -> Iterable[Piece]:
        """The pieces, with values as they are, that may come next.

        The first atom that is not done reads what is done, so a piece that it is of either may come next, and then may
        as well come at once; or it waits for atoms that others of it read. Others come before it only where they are
        among those, or among what the pieces wait for that have some of those.
        """
        mine = [p for p in self._by_atom[first] if not p.bits & done]
        found = [p for p in mine if not p.needs & ~done]
        if in_order:
            return found
        waited, waiting = 0, [p.needs & ~done for p in mine if p.needs & ~done]
        while waiting:
            more = waiting.pop() & ~waited
            while more:
                i = (more & -more).bit_length() - 1
                more &= more - 1
                if waited >> i & 1:
                    continue
                waited |= 1 << i
                waiting += [p.needs & ~done for p in self._of_atom[i] if not p.bits & done and p.needs & ~done]
        others = {id(p): p for i in _bits(waited) for p in self._of_atom[i] if p.atoms[0] != first}
        return [*found, *(p for p in others.values() if not p.bits & done and not p.needs & ~done)]

    @cached_property
    def _of_atom(self) -> list[list[Piece]]:
        """The pieces, with values as they are, that each atom is of."""
        found: list[list[Piece]] = [[] for _ in self._pieces.atoms]
        for piece in self._pieces.plain:
            for i in piece.atoms:
                found[i].append(piece)
        return found

    def _traced(self, came: dict[DoneState, tuple[DoneState, list[Piece]]], at: DoneState) -> list[Piece]:
        pieces: list[Piece] = []
        while at in came:
            at, steps = came[at]
            pieces += reversed(steps)
        return pieces[::-1]


def _bits(number: int) -> Iterator[int]:
    """The places of a number's ones."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1
