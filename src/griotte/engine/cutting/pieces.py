"""The pieces of a cut: all sets of atoms that may be one part, in such layouts as were looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import inf
from typing import Any
from weakref import proxy

from .atoms import CutAtom
from .bounds import CutBounds
from .crossing import CrossingValues, CutPrices, Stored, stored_in
from .piece import Piece

ATOMS, NESTS, CONTRACTIONS = 4, 8, 2  # of a part of several atoms, at most


class CutPieces:
    """The pieces that atoms may be cut into, and lower bounds of their costs.

    Args:
        atoms: each after those that it reads.
        prices: of the values between them.
        nests: of a piece of several atoms, at most.
    """

    def __init__(self, atoms: list[CutAtom], prices: CutPrices, nests: int = NESTS):
        self.atoms, self.prices, self.call, self._most = atoms, prices, prices.call, nests
        self._of = {value: i for i, atom in enumerate(atoms) for value in atom.gives}
        self.reads = [dict.fromkeys(r for r in atom.reads if self._of.get(r) != i) for i, atom in enumerate(atoms)]
        self.needs = [sum({1 << self._of[k] for k in read if k in self._of}) for read in self.reads]
        self._readers: dict[Any, set[int]] = {}
        for i, read in enumerate(self.reads):
            for k in read:
                self._readers.setdefault(k, set()).add(i)
        self.crossing = CrossingValues(atoms, self.reads, prices)
        self.flexible, self.readers = self.crossing.values, self.crossing.readers
        self._made_copies: dict[tuple[int, int, int], Piece] = {}
        self._open: dict[tuple[int, tuple[int, ...]], list[Piece]] = {}
        self.kept: dict[tuple[int, Stored], Piece] = {}
        self.bounds = CutBounds(proxy(self))  # else all that was solved stays until the collector of cycles comes by
        self._variants: dict[int, list[Piece]] = {}  # by atoms, those in other layouts
        self._refused: list[int] = []  # atoms that are no one part
        for i in range(len(atoms)):
            self._grow(i)

    def giver(self, value: Any) -> int | None:
        """The atom that gives a value."""
        return self._of.get(value)

    def readers_of(self, value: Any) -> set[int]:
        """The atoms that read a value of another."""
        return self._readers.get(value, set())

    def bounded(self) -> None:
        """Bounds of the unsolved pieces, by those that are solved by now."""
        self._open = {}
        self.bounds.renew()

    # ---- layouts -----------------------------------------------------------------------------------------------------

    def stored(self, piece: Piece) -> dict[Any, Any]:
        """The layout that each value has for a piece where that is not its own."""
        return {self.flexible[n]: self.layout(n, way) for n, way in piece.stored}

    def layout(self, n: int, way: int) -> Any:
        """A way in which a value may lie."""
        return self.crossing.layouts[n][way]

    def caution(self, piece: Piece) -> float:
        """The factor on the model's cost of a piece: the most of the other layouts that it has."""
        return max((self.crossing.counts(n, way) for n, way in piece.stored), default=1.0)

    def copied(self, n: int, now: int, way: int) -> Piece:
        key = n, now, way
        if key not in self._made_copies:
            assert self.prices.copying is not None
            cost = self.prices.copying(self.flexible[n], self.layout(n, now), self.layout(n, way))
            self._made_copies[key] = Piece((), cost=cost, copies=key)
        return self._made_copies[key]

    def variant(self, piece: Piece, stored: Stored) -> Piece:
        """The same atoms with other layouts."""
        key = piece.bits, stored
        if key not in self.kept:
            self._keep(self._lying(piece, stored))
        return self.kept[key]

    def _lying(self, piece: Piece, stored: Stored) -> Piece:
        found = replace(piece, stored=stored, bound=0.0, cost=self._unless_refused(piece.bits), moves=True)
        found.bound = self.bounds.of(found)
        return found

    def open_beside(self, piece: Piece) -> list[Piece]:
        """The pieces of the same atoms in all other layouts that are not solved: those first that may save most. They
        are not looked at yet by any cut, so they are not kept."""
        ways = self.crossing.together(piece.atoms[0], (*piece.takes, *piece.gives))
        every = (self.kept.get((piece.bits, way)) or self._lying(piece, way) for way in ways if way != piece.stored)
        found = [each for each in every if each.cost is None and self.bounds.may_save(each) > 0]
        return sorted(found, key=self.bounds.may_save, reverse=True)

    def refuse(self, piece: Piece) -> None:
        """Atoms are more than one search may be: so are all pieces that have them, however their values lie, for that
        changes little of how many families a search has (docs/lab/cuts)."""
        self._refused.append(piece.bits)
        for each in self.kept.values():
            if each.cost is None:
                each.cost = self._unless_refused(each.bits)

    def _unless_refused(self, bits: int) -> float | None:
        """What atoms cost before they are solved: inf where they are refused."""
        return inf if any(bits & each == each for each in self._refused) else None

    def variants(self, piece: Piece) -> Iterator[Piece]:
        """A piece with the values that go in and out in each layout that they may have there."""
        for stored in self.crossing.together(piece.atoms[0], (*piece.takes, *piece.gives)):
            yield self.variant(piece, stored)

    def known(self, plain: Piece) -> list[Piece]:
        """The variants of a piece that there are so far."""
        return [plain, *self._variants.get(plain.bits, ())]

    def solved(self, plain: Piece) -> list[Piece]:
        """Those that are solved."""
        return [piece for piece in self.known(plain) if piece.cost is not None]

    def open_variants(self, plain: Piece, held: tuple[int, ...]) -> list[Piece]:
        """Variants that are not solved, where each operand lies in the layouts that the bits of `held` say. A variant
        is left out where another one has a bound no higher, gives the same and needs only some of its copies."""
        key = plain.bits, held
        if key not in self._open and self.crossing.are_alike(plain.atoms[0]):
            self._open[key] = [piece for piece in self.variants(plain) if piece.cost is None]
        elif key not in self._open:
            ways = [[self.crossing.counts(n, way) for way in range(len(self.crossing.layouts[n]))] for n in plain.takes]
            found: dict[int, Piece] = {}
            for gives in product(*(range(len(self.crossing.layouts[n])) for n in plain.gives)):
                for caution in sorted({each for own in ways for each in own} or {1.0}):
                    allowed = [[w for w, each in enumerate(own) if each <= caution] for own in ways]
                    found |= {id(piece): piece for piece in self._least_copied(plain, held, allowed, gives)}
            self._open[key] = [*found.values()]
        return self._open[key]

    def _least_copied(
        self, plain: Piece, held: tuple[int, ...], allowed: list[list[int]], gives: tuple[int, ...]
    ) -> Iterator[Piece]:
        """The unsolved variants that give values so. Each needs no copy but where it must, or all variants with fewer
        copies are solved."""
        there = [[w for w in own if bits >> w & 1] for bits, own in zip(held, allowed)]
        stack = list(product(*(now or own for now, own in zip(there, allowed))))
        met = {*stack}
        while stack:
            takes = stack.pop()
            ways = zip((*plain.takes, *plain.gives), (*takes, *gives))
            piece = self.variant(plain, stored_in(ways))
            if piece.cost is None:
                yield piece
                continue
            more = {
                (*takes[:i], way, *takes[i + 1 :])
                for i, own in enumerate(allowed)
                if held[i] >> takes[i] & 1
                for way in own
                if not held[i] >> way & 1
            }
            stack += more - met
            met |= more

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def _grow(self, first: int) -> None:
        """All pieces whose first atom is this one: connected, convex, small enough."""
        start = 1 << first
        self._add((first,), start)
        if self.atoms[first].is_alone:
            return
        stack: list[tuple[tuple[int, ...], int]] = [((first,), start)]
        met = {start}
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
            found = found.union(*map(self.readers_of, self.atoms[i].gives))
            found |= {self._of[k] for k in self.reads[i] if k in self._of}
        return found - set(atoms)

    def _fits(self, atoms: tuple[int, ...]) -> bool:
        return (
            len(atoms) <= ATOMS
            and not any(self.atoms[i].is_alone for i in atoms)
            and sum(self.atoms[i].nests for i in atoms) <= self._most
            and sum(self.atoms[i].contractions for i in atoms) <= CONTRACTIONS
        )

    def _is_convex(self, atoms: tuple[int, ...], bits: int) -> bool:
        """Whether no path leads out of these atoms and back (each atom reads earlier ones)."""
        outside = 0
        for i in range(atoms[0], atoms[-1] + 1):
            if bits >> i & 1:
                if self.needs[i] & outside:
                    return False
            elif self.needs[i] & (bits | outside):
                outside |= 1 << i
        return True

    def _add(self, atoms: tuple[int, ...], bits: int) -> None:
        needs, number = 0, self.crossing.number
        for i in atoms:
            needs |= self.needs[i]
        own = {value for i in atoms for value in self.atoms[i].gives}
        takes = {number[k] for i in atoms for k in self.reads[i] if k in number and k not in own}
        gives = {n for k, n in number.items() if k in own and self.readers[n] & ~bits}
        piece = Piece(atoms, bits, needs & ~bits, tuple(sorted(takes)), tuple(sorted(gives)))
        if self.atoms[atoms[0]].is_view:
            piece.cost, piece.moves = 0.0, False
        self._keep(piece)

    @cached_property
    def singles(self) -> list[Piece]:
        """Each atom alone, with values as they are."""
        return [self.kept[1 << i, ()] for i in range(len(self.atoms))]

    @cached_property
    def plain(self) -> list[Piece]:
        """All pieces with values as they are."""
        return [piece for (_, stored), piece in self.kept.items() if not stored]

    def _keep(self, piece: Piece) -> None:
        self.kept[piece.bits, piece.stored] = piece
        if piece.stored:
            self._variants.setdefault(piece.bits, []).append(piece)
