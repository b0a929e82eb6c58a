"""The cheapest way to take pieces one after the other, by what each costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from math import inf

from .pieces import CutPieces, Piece

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
    """Dijkstra's algorithm over what is done, of pieces."""

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
        """Dijkstra's over what is done. `in_order`: the next part has the first atom that is not done."""
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
        """What may come next: a part, after copies of what it reads in other layouts; and what is done, and lies how,
        then."""
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
