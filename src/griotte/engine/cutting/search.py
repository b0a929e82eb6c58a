"""The cheapest sequence of pieces for given costs: a shortest path over states, each the atoms that are done and the
layouts of the values that are still read.

A* finds it. The cost that it expects to come after a state is exact but for layouts. It is that of the cheapest
sequence from the done atoms where each piece costs what it does in its best layouts and no value is copied. Such
sequences are paths over the sets of done atoms alone. These are few and the same for all costs, so they are listed
once, as arrays, and each search prices them from the end to the start. A state whose expected cost exceeds the cheapest
sequence is never looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush
from math import inf

import numpy as np

from .piece import Piece
from .pieces import CutPieces

STATES = 1_000  # states that are looked at, at most; beyond, parts are taken in one order
WIDTH = 10  # beyond that again, states with as many done atoms that are looked at, those first that may cost least
SETS = 10_000  # sets of done atoms, at most; beyond, parts are taken in one order
ROUNDING = 1e-9  # of sums of cycles in another order
OWN = 1  # of a value that lies as it is, and in no other layout

UNSOLVED = Piece(())

Pricing = Callable[[Piece], float]  # cycles of a piece; inf: it is not taken
DoneState = tuple[int, tuple[tuple[int, int], ...]]  # the atoms that are done; of values the layouts that they lie in


@dataclass
class FoundCut:
    """A way to cut.

    Attributes:
        pieces: in order.
        cost: cycles.
        bound: no way costs less, of those that were looked for.
        tries: searches that met too many states before: after one, only ways that take atoms in one order were looked
            for; after two, and few of these.
    """

    pieces: list[Piece]
    cost: float
    bound: float
    tries: int = 0


class DoneSets:
    """The sets of done atoms, from none to all, and the pieces, without layouts, that lead from one to another.

    Args:
        pieces: those that may be taken.
        in_order: the next piece has the first atom that is not done.
    """

    def __init__(self, pieces: CutPieces, in_order: bool):
        self._in_order = in_order
        self._by_atom: list[list[int]] = [[] for _ in pieces.atoms]  # the pieces that an atom is the first of
        self._of_atom: list[list[int]] = [[] for _ in pieces.atoms]  # those that it is of
        self.plain = pieces.plain
        for number, piece in enumerate(self.plain):
            self._by_atom[piece.atoms[0]].append(number)
            for i in piece.atoms:
                self._of_atom[i].append(number)
        self.whole = (1 << len(pieces.atoms)) - 1
        self.next: dict[int, list[int]] = {}
        """By set the pieces that may come next, by number."""
        self.are_too_many = not self._list()

    def _list(self) -> bool:
        """List all sets; False where they are too many."""
        stack = [0]
        while stack:
            done = stack.pop()
            if done in self.next:
                continue
            if len(self.next) >= SETS and not self._in_order:
                return False
            self.next[done] = [] if done == self.whole else self._ready(done)
            after = (done | self.plain[n].bits for n in self.next[done])
            stack += (each for each in after if each not in self.next)
        return True

    def _ready(self, done: int) -> list[int]:
        """The pieces that may come next.

        The first atom that is not done reads only done values. A piece that has it either may come next, and then
        may as well come at once, or waits for atoms that others of the piece read. Other pieces come before it only
        where they are among those, or among the pieces that wait for some of those.
        """
        first = (~done & done + 1).bit_length() - 1
        plain = self.plain
        mine = [n for n in self._by_atom[first] if not plain[n].bits & done]
        found = [n for n in mine if not plain[n].needs & ~done]
        if self._in_order:
            return found
        waited, waiting = 0, [plain[n].needs & ~done for n in mine if plain[n].needs & ~done]
        while waiting:
            for i in bits_of(waiting.pop() & ~waited):
                if not waited >> i & 1:
                    waited |= 1 << i
                    waiting += [
                        plain[n].needs & ~done
                        for n in self._of_atom[i]
                        if not plain[n].bits & done and plain[n].needs & ~done
                    ]
        others = dict.fromkeys(n for i in bits_of(waited) for n in self._of_atom[i] if plain[n].atoms[0] != first)
        return [*found, *(n for n in others if not plain[n].bits & done and not plain[n].needs & ~done)]

    @cached_property
    def _levels(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """From the last sets to the first, by how many atoms are done. Each level has the sets, where the edges of each
        begin, and of each edge its piece and the set that it leads to."""
        sets = sorted(self.next, key=int.bit_count, reverse=True)
        number = {done: n for n, done in enumerate(sets)}
        levels: dict[int, list[int]] = {}
        for done in sets:
            if self.next[done]:
                levels.setdefault(done.bit_count(), []).append(done)
        found = []
        for level in levels.values():
            pieces = [n for done in level for n in self.next[done]]
            after = [number[done | self.plain[n].bits] for done in level for n in self.next[done]]
            counts = np.array([len(self.next[done]) for done in level])
            begins = np.concatenate(([0], np.cumsum(counts)[:-1]))
            found.append((np.array([number[d] for d in level]), begins, np.array(pieces), np.array(after)))
        self._number = number
        return found

    def to_go(self, prices: np.ndarray) -> dict[int, float]:
        """By set of done atoms the price of the cheapest sequence to the end, by prices of the pieces."""
        left = self._left(prices)
        return dict(zip(self._number, left.tolist()))

    def _left(self, prices: np.ndarray) -> np.ndarray:
        """The same, by the numbers of the sets."""
        levels = self._levels
        left = np.full(len(self.next), inf)
        left[self._number[self.whole]] = 0.0
        for sets, begins, pieces, after in levels:
            left[sets] = np.minimum.reduceat(prices[pieces] + left[after], begins)
        return left

    def through(self, prices: np.ndarray) -> np.ndarray:
        """By piece the price of the cheapest sequence that has it."""
        left, so_far, found = self._left(prices), np.full(len(self.next), inf), np.full(len(self.plain), inf)
        so_far[self._number[0]] = 0.0
        for sets, begins, pieces, after in reversed(self._levels):
            until = np.repeat(so_far[sets], np.diff((*begins, len(pieces)))) + prices[pieces]
            np.minimum.at(so_far, after, until)
            np.minimum.at(found, pieces, until + left[after])
        return found


class CutSearch:
    """Searches over the pieces of a model."""

    def __init__(self, pieces: CutPieces):
        self._pieces = pieces
        self._sets: dict[bool, DoneSets] = {}

    def cheapest(self, cost: Pricing, at_most: float = inf, tries: int = 0) -> FoundCut:
        """The cheapest way by what each piece costs; no pieces, and inf, where none is up to `at_most` cycles. As many
        searches as `tries` are known to meet too many states."""
        at_most += at_most * ROUNDING
        least = 0.0
        for number in range(tries, 2):
            found = self._searched(cost, number, at_most)
            if isinstance(found, FoundCut):
                return found
            least = found
        narrow = self._searched(cost, 2, at_most)
        assert isinstance(narrow, FoundCut)
        return replace(narrow, bound=min(least, narrow.cost))

    def open(self, at_most: float, tries: int) -> list[Piece]:
        """The pieces, without layouts, by which a way may cost less than so much, as far as bounds tell."""
        sets = self._done_sets(in_order=tries > 0)
        priced = lambda piece: piece.least + self._pieces.call * piece.moves
        found = sets.through(np.array([self._pieces.bounds.least_of(plain, priced) for plain in sets.plain]))
        return [sets.plain[n] for n in np.flatnonzero(found < at_most)]

    def _done_sets(self, in_order: bool) -> DoneSets:
        if in_order not in self._sets:
            self._sets[in_order] = DoneSets(self._pieces, in_order)
        return self._sets[in_order]

    def _searched(self, cost: Pricing, tries: int, at_most: float) -> FoundCut | float:
        """The cheapest way; after too many states no less than it costs."""
        sets, is_narrow = self._done_sets(in_order=tries > 0), tries > 1
        if sets.are_too_many:
            return 0.0
        priced = lambda piece: cost(piece) + self._pieces.call * piece.moves
        to_go = sets.to_go(np.array([self._pieces.bounds.least_of(plain, priced) for plain in sets.plain]))
        variants = self._variants(cost)
        start: DoneState = (0, ())
        best: dict[DoneState, float] = {start: 0.0}
        came: dict[DoneState, tuple[DoneState, list[Piece]]] = {}
        heap: list[tuple[float, int, int, DoneState]] = [(to_go[0], 0, 0, start)]
        settled: set[DoneState] = set()
        wide = Counter[int]()  # settled states, by how many atoms are done
        while heap:
            least, _, _, state = heappop(heap)
            done, lies = state
            if done == sets.whole:
                return FoundCut(_traced(came, state), best[state], best[state], tries)
            if state in settled or is_narrow and wide[done.bit_count()] == WIDTH:
                continue
            settled.add(state)
            wide[done.bit_count()] += 1
            if len(settled) > STATES and not is_narrow:
                return least
            so_far, there = best[state], dict(lies)
            for number in sets.next[done]:
                plain = sets.plain[number]
                after = done | plain.bits
                for piece in variants(plain, there):
                    expected = so_far + priced(piece) + to_go[after]
                    if expected > at_most or expected == inf:
                        continue
                    copies, key = self._taken(piece, there, after)
                    expected += sum(map(priced, copies))
                    total = expected - to_go[after]
                    if expected <= at_most and total < best.get(key, inf):
                        best[key], came[key] = total, (state, [*copies, piece])
                        heappush(heap, (expected, -after.bit_count(), len(heap), key))
        return FoundCut([], inf, inf, tries)

    def _variants(self, cost: Pricing) -> Callable[[Piece, dict[int, int]], Iterable[Piece]]:
        """The function to the variants of a piece that may be taken where values lie so."""
        solved = {plain.bits: self._pieces.solved(plain) for plain in self._pieces.plain}
        if cost(UNSOLVED) == inf:  # unsolved pieces are not taken
            return lambda plain, there: solved[plain.bits]
        held = lambda plain, there: tuple(there.get(n, OWN) for n in plain.takes)
        return lambda plain, there: (*solved[plain.bits], *self._pieces.open_variants(plain, held(plain, there)))

    def _taken(self, piece: Piece, there: dict[int, int], after: int) -> tuple[list[Piece], DoneState]:
        """The copies of its operands that a piece needs where values lie so, and the state after it."""
        ways, now, copies = dict(piece.stored), dict(there), list[Piece]()
        for n in piece.takes:
            has, way = now.get(n, OWN), ways.get(n, 0)
            if not has >> way & 1:
                copies.append(min((self._pieces.copied(n, k, way) for k in bits_of(has)), key=lambda c: c.least))
                now[n] = has | 1 << way
        now |= {n: 1 << ways.get(n, 0) for n in piece.gives}
        alive = ((n, has) for n, has in now.items() if has != OWN and self._pieces.readers[n] & ~after)
        return copies, (after, tuple(sorted(alive)))


def _traced(came: dict[DoneState, tuple[DoneState, list[Piece]]], at: DoneState) -> list[Piece]:
    pieces: list[Piece] = []
    while at in came:
        at, steps = came[at]
        pieces += reversed(steps)
    return pieces[::-1]


def bits_of(number: int) -> Iterator[int]:
    """The places of a number's ones."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1
