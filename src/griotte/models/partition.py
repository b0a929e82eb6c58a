"""Where a model is cut: the cheapest way to take its atoms as parts, found without solving most parts.

A part is a connected set of atoms, out of which no path leads and back. What it costs is what its search finds, and a
call. Dynamic programming over what is done so far (a set of atoms that holds all that they read) finds the cheapest
sequence of parts:

    best[done + part] = min over parts whose operands are done of best[done] + cost(part)

Solving a part is what takes long. Of one that is not solved a bound is known: it can save no more than what its values
inside take to be written and read as whole arrays, and its calls,

    cost(part) >= sum of cost(piece) - sum of saving(value that pieces share) - calls saved

for any pieces that it is made of and that are solved. So parts are solved one by one, those of the way that is cheapest
by its bounds first, until that way has no bound in it, or the best one that is solved is as good but for `gap`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from math import inf

from .atoms import Atom, contractions, moves_nothing, nests
from .graph import ModelGraph, ModelValue

ATOMS, NESTS, CONTRACTIONS = 4, 8, 2  # of a part of several atoms, at most
STATES = 20_000  # sets of atoms that are looked at, at most; beyond, parts are taken in one order


@dataclass
class Piece:
    """A set of atoms that may be one part."""

    atoms: tuple[int, ...]
    bits: int
    needs: int  # the atoms that must be done before
    bound: float = 0.0  # no less than it costs
    cost: float | None = None  # what it costs, where it is solved

    @property
    def least(self) -> float:
        return self.bound if self.cost is None else self.cost


@dataclass
class Cut:
    """A way to cut: its pieces in order, and what it costs, or at least."""

    pieces: list[Piece]
    cost: float


class Cutter:
    """The pieces that a model may be cut into, and the cheapest way by what is known of them."""

    def __init__(self, graph: ModelGraph, atoms: list[Atom], saving: Callable[[ModelValue], float], call: float):
        self.graph, self.atoms, self._saving, self.call = graph, atoms, saving, call
        self._of = {id(value): i for i, atom in enumerate(atoms) for value in atom}
        self._is_view = [len(atom) == 1 and moves_nothing(graph, atom[0]) for atom in atoms]
        self._reads = [
            {id(r): r for v in atom for r in v.values if self._of.get(id(r)) != i} for i, atom in enumerate(atoms)
        ]
        self._needs = [sum({1 << self._of[k] for k in read if k in self._of}) for read in self._reads]
        self._users: list[set[int]] = [set() for _ in atoms]
        for i, read in enumerate(self._reads):
            for k in read:
                if k in self._of:
                    self._users[self._of[k]].add(i)
        self._nests = [sum(map(nests, atom)) for atom in atoms]
        self._contractions = [sum(map(contractions, atom)) for atom in atoms]
        self.pieces: dict[int, Piece] = {}
        for i in range(len(atoms)):
            self._grow(i)

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def _grow(self, first: int) -> None:
        """All pieces whose first atom is this one: connected, convex, small enough."""
        start = 1 << first
        self._add((first,), start)
        if self._is_view[first]:
            return
        stack, met = [((first,), start)], {start}
        while stack:
            atoms, bits = stack.pop()
            for other in sorted(self._beside(atoms)):
                grown = bits | 1 << other
                if other <= first or grown in met or not self._fits((*atoms, other)):
                    continue
                met.add(grown)
                more = tuple(sorted((*atoms, other)))
                stack.append((more, grown))
                if self._is_convex(more, grown):
                    self._add(more, grown)

    def _beside(self, atoms: tuple[int, ...]) -> set[int]:
        """The atoms that read what these give, or give what they read."""
        found: set[int] = set()
        for i in atoms:
            found |= self._users[i]
            found |= {self._of[k] for k in self._reads[i] if k in self._of}
        return found - set(atoms)

    def _fits(self, atoms: tuple[int, ...]) -> bool:
        return (
            len(atoms) <= ATOMS
            and not any(self._is_view[i] for i in atoms)
            and sum(self._nests[i] for i in atoms) <= NESTS
            and sum(self._contractions[i] for i in atoms) <= CONTRACTIONS
        )

    def _is_convex(self, atoms: tuple[int, ...], bits: int) -> bool:
        """Whether no path leads out of these atoms and back; atoms stand in an order in which each reads those before."""
        outside = 0
        for i in range(atoms[0], atoms[-1] + 1):
            if bits >> i & 1:
                if self._needs[i] & outside:
                    return False
            elif self._needs[i] & (bits | outside):
                outside |= 1 << i
        return True

    def _add(self, atoms: tuple[int, ...], bits: int) -> None:
        needs = 0
        for i in atoms:
            needs |= self._needs[i]
        piece = Piece(atoms, bits, needs & ~bits)
        if self._is_view[atoms[0]]:
            piece.cost = 0.0
        self.pieces[bits] = piece

    @cached_property
    def singles(self) -> list[Piece]:
        """Each atom alone."""
        return [self.pieces[1 << i] for i in range(len(self.atoms))]

    # ---- bounds ------------------------------------------------------------------------------------------------------

    def saved(self, pieces: Iterable[Piece]) -> float:
        """What these can save at most where they are one: each value that one gives and another reads, and each that
        several read, is written and read once less; all but one call."""
        pieces = list(pieces)
        place = {i: n for n, piece in enumerate(pieces) for i in piece.atoms}
        readers: dict[int, tuple[ModelValue, set[int]]] = {}
        for n, piece in enumerate(pieces):
            for i in piece.atoms:
                for k, value in self._reads[i].items():
                    readers.setdefault(k, (value, set()))[1].add(n)
        total = self.call * (len(pieces) - 1)
        for k, (value, read) in readers.items():
            giver = place.get(self._of.get(k, -1))
            times = len(read - {giver}) - (giver is None)
            if times > 0:
                total += times * self._saving(value)
        return total

    def bounded(self) -> None:
        """Bounds of what is not solved, from the cheapest split into one atom and the rest, small pieces first."""
        for piece in sorted(self.pieces.values(), key=lambda p: len(p.atoms)):
            if piece.cost is not None or len(piece.atoms) == 1:
                continue
            piece.bound = max(self._bound_by(piece, split) for split in self.splits(piece))

    def splits(self, piece: Piece) -> Iterable[list[Piece]]:
        """Its atoms, and each of them beside the others."""
        singles = [self.singles[i] for i in piece.atoms]
        yield singles
        for i in piece.atoms if len(piece.atoms) > 2 else ():
            rest = self.pieces.get(piece.bits & ~(1 << i))
            if rest is not None:
                yield [rest, self.singles[i]]

    def _bound_by(self, piece: Piece, split: list[Piece]) -> float:
        return sum(each.least for each in split) - self.saved(split)

    # ---- the cheapest way --------------------------------------------------------------------------------------------

    def cheapest(self, cost: Callable[[Piece], float]) -> Cut:
        """The cheapest way by what each piece costs (inf: it is not taken)."""
        return self._searched(cost, in_order=False) or self._searched(cost, in_order=True) or Cut([], inf)

    @cached_property
    def _by_atom(self) -> list[list[Piece]]:
        """The pieces that each atom is the first of."""
        found: list[list[Piece]] = [[] for _ in self.atoms]
        for piece in self.pieces.values():
            found[piece.atoms[0]].append(piece)
        return found

    def _searched(self, cost: Callable[[Piece], float], in_order: bool) -> Cut | None:
        """Dijkstra's over sets of atoms that are done. `in_order`: the next part has the first atom that is not done."""
        price = {
            piece.bits: (0.0 if self._is_view[piece.atoms[0]] else cost(piece) + self.call)
            for piece in self.pieces.values()
        }
        whole, turn = (1 << len(self.atoms)) - 1, count()
        best: dict[int, float] = {0: 0.0}
        came: dict[int, tuple[int, Piece]] = {}
        heap: list[tuple[float, int, int, int]] = [(0.0, next(turn), 0, 0)]
        settled: set[int] = set()
        while heap:
            so_far, _, done, first = heappop(heap)
            if done == whole:
                return self._traced(came, whole, so_far)
            if done in settled:
                continue
            settled.add(done)
            if not in_order and len(settled) > STATES:
                return None
            while done >> first & 1:
                first += 1
            for piece in self._ready(done, first, in_order):
                after, total = done | piece.bits, so_far + price[piece.bits]
                if total < best.get(after, inf):
                    best[after], came[after] = total, (done, piece)
                    heappush(heap, (total, next(turn), after, first))
        return None

    def _ready(self, done: int, first: int, in_order: bool) -> Iterable[Piece]:
        """The pieces that may come next."""
        if in_order:
            return [p for p in self._by_atom[first] if not p.bits & done and not p.needs & ~done]
        # a view, or an atom that reads what is done alone, has its piece at any time: the first one is as good
        found: list[Piece] = []
        i, blocked = first, 0
        while i < len(self.atoms) and (i - first) < 64:
            if not done >> i & 1 and not self._needs[i] & ~done:
                if self._is_view[i]:
                    return [self.singles[i]]
                found += [p for p in self._by_atom[i] if not p.bits & done and not p.needs & ~done]
            i += 1
        return found

    def _traced(self, came: dict[int, tuple[int, Piece]], at: int, cost: float) -> Cut:
        pieces = []
        while at:
            at, piece = came[at]
            pieces.append(piece)
        return Cut(pieces[::-1], cost)


@dataclass
class Found:
    """The cut that was chosen, and what proves it.

    Attributes:
        cut: its pieces, in order.
        bound: no way costs less.
        solved: pieces of several atoms that were solved, of `possible`.
    """

    cut: Cut
    bound: float
    solved: int
    possible: int
    rounds: int = field(default=0)

    @property
    def gap(self) -> float:
        """By how much another way could be cheaper, of all."""
        return 1 - self.bound / self.cut.cost if self.cut.cost else 0.0


def choose(cutter: Cutter, solve: Callable[[list[Piece]], None], gap: float, at_once: int) -> Found:
    """The cheapest cut but for `gap` of its cost. `solve` gives pieces their costs; every atom alone has its own."""
    rounds, tried = 0, 0
    while True:
        cutter.bounded()
        best = cutter.cheapest(lambda p: inf if p.cost is None else p.cost)
        least = cutter.cheapest(lambda p: p.least)
        open_pieces = [p for p in least.pieces if p.cost is None]
        possible = sum(len(p.atoms) > 1 for p in cutter.pieces.values())
        if not open_pieces or best.cost * (1 - gap) <= least.cost:
            return Found(best, least.cost if open_pieces else best.cost, tried, possible, rounds)
        alone = lambda p: sum(cutter.singles[i].least for i in p.atoms)
        open_pieces.sort(key=lambda p: p.bound - alone(p))
        solve(open_pieces[:at_once])
        tried += len(open_pieces[:at_once])
        rounds += 1
