"""Lower bounds of the costs of unsolved pieces, from the costs of their atoms that are solved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Protocol

from .atoms import CutAtom
from .crossing import CrossingValues, CutPrices, Stored, stored_in
from .piece import Piece

Groups = list[tuple[int, ...]]  # of atoms


class KnownPieces(Protocol):
    """The pieces of a cut, as their bounds ask for them.

    Attributes:
        atoms: of the cut.
        reads: what each reads of others.
        crossing: the values that may lie otherwise.
        prices: of the values between atoms.
        call: cycles of calling a part.
        kept: the pieces that were looked at, by atoms and layouts.
    """

    atoms: list[CutAtom]
    reads: list[dict[Any, None]]
    crossing: CrossingValues
    prices: CutPrices
    call: float
    kept: dict[tuple[int, Stored], Piece]

    @property
    def singles(self) -> list[Piece]:
        """Each atom alone, with values as they are."""

    def giver(self, value: Any) -> int | None:
        """The atom that gives a value."""

    def readers_of(self, value: Any) -> set[int]:
        """The atoms that read a value."""

    def caution(self, piece: Piece) -> float:
        """The factor on the cost of a piece by the model."""

    def known(self, plain: Piece) -> list[Piece]:
        """The variants of a piece that there are so far."""

    def solved(self, plain: Piece) -> list[Piece]:
        """Those that are solved."""

    def copied(self, n: int, now: int, way: int) -> Piece:
        """The copy of a value from a layout to another."""


class CutBounds:
    """Lower bounds of pieces.

    One atom costs no less than its arithmetic, or its arrays on their way. Its cost in another layout tells nothing: a
    convolution of each channel takes a tenth with channels last, where lanes are channels.

    Several atoms cost no less than those alone, but for what one can save. Values that go in and out lie as the piece
    has them, those between its atoms in one of the layouts that they may have within a part.

    Attributes:
        traffic: cycles that an atom takes at most for a value because that is a whole array, with the atom as it is.
            Where an atom has none for a value, the value is taken to be written and read as a copy would.
    """

    def __init__(self, pieces: KnownPieces):
        self._pieces = pieces
        self.traffic: dict[tuple[int, Any], float] = {}
        self._moving: dict[int, float] = {}  # by atom: what values cost it at least
        self._saved: dict[int, list[tuple[Groups, float]]] = {}
        self._joined: dict[tuple[int, tuple[tuple[int, int], ...] | None], float] = {}
        self._alone: dict[tuple[int, tuple[tuple[int, int], ...]], float] = {}
        self._are_begun = False

    # ---- savings -----------------------------------------------------------------------------------------------------

    def saved(self, groups: Iterable[tuple[int, ...]]) -> float:
        """What groups of atoms can save at most where they are one. Each value that one gives and another reads, and
        each that several read, is read once less. It is not written where no other atom reads it. All calls but one are
        saved."""
        pieces = self._pieces
        place = {i: n for n, atoms in enumerate(groups) for i in atoms}
        readers: dict[Any, list[int]] = {}
        for i in place:
            for value in pieces.reads[i]:
                readers.setdefault(value, []).append(i)
        total = pieces.call * (len(set(place.values())) - 1)
        for value, read in readers.items():
            giver = pieces.giver(value)
            home = place.get(-1 if giver is None else giver)
            others = [i for i in read if place[i] != home]
            times = len({place[i] for i in others}) - (home is None)
            if times > 0:
                ends = others
                if home is not None and giver is not None and pieces.readers_of(value) <= place.keys():
                    ends = [*others, giver]
                total += self._crossing(value, ends, times, home is None)
        return total

    def _crossing(self, value: Any, ends: list[int], times: int, comes_in: bool) -> float:
        """What a value takes so many times at such ends: the atoms alone that read it, and the atom that writes it. One
        that comes in is read once in any case. Where nothing is known of an end no less than a copy takes."""
        cycles = [self.traffic[i, value] for i in ends if (i, value) in self.traffic]
        if len(cycles) < len(ends):
            return max(times * self._pieces.prices.saving(value), sum(cycles))
        return sum(cycles) - (min(cycles) if comes_in else 0.0)

    def splits(self, piece: Piece) -> Iterator[Groups]:
        """Its atoms, and each of them beside the others."""
        yield [(i,) for i in piece.atoms]
        for i in piece.atoms if len(piece.atoms) > 2 else ():
            if (piece.bits & ~(1 << i), ()) in self._pieces.kept:
                yield [tuple(other for other in piece.atoms if other != i), (i,)]

    def _split(self, piece: Piece) -> list[tuple[Groups, float]]:
        """The splits of a piece's atoms, and what each saves."""
        if piece.bits not in self._saved:
            self._saved[piece.bits] = [(split, self.saved(split)) for split in self.splits(piece)]
        return self._saved[piece.bits]

    # ---- bounds ------------------------------------------------------------------------------------------------------

    def renew(self) -> None:
        """Bounds of the unsolved pieces, by those that are solved by now."""
        self._joined, self._alone, self._are_begun = {}, {}, True
        for piece in sorted(self._pieces.kept.values(), key=lambda p: len(p.atoms)):
            if piece.cost is None:
                piece.bound = self.of(piece)

    def met(self, atom: int, most: Mapping[Any, float], least: float) -> None:
        """What it costs a solved atom at most that a value is a whole array, and at least that all are."""
        self.traffic.update({(atom, value): cycles for value, cycles in most.items()})
        self._moving[atom] = least
        self._saved = {}

    def of(self, piece: Piece) -> float:
        """No less than a piece costs that is not solved."""
        caution = self._pieces.caution(piece)
        if len(piece.atoms) == 1:
            return self._floor_alone(piece.atoms[0]) * caution
        return max(self.floor(piece), self._joined_bound(piece, dict(piece.stored))) * caution

    def floor(self, piece: Piece) -> float:
        """What the arithmetic of a piece takes."""
        return sum(self._pieces.singles[i].floor for i in piece.atoms)

    def _floor_alone(self, atom: int) -> float:
        """What an atom takes by itself, whatever its layouts: its arithmetic, and its arrays on their way."""
        return max(self._pieces.singles[atom].floor, self._moving.get(atom, 0.0))

    def _joined_bound(self, piece: Piece, ways: dict[int, int] | None) -> float:
        """No less than several atoms cost as one, by what they cost apart; `ways`: how what crosses lies, None: in
        whatever layouts."""
        if len(piece.atoms) == 1 or not self._are_begun:
            return 0.0
        key = piece.bits, None if ways is None else tuple(sorted(ways.items()))
        if key not in self._joined:
            by_split = (
                sum(self._at_least(atoms, piece, ways) for atoms in split) - saved
                for split, saved in self._split(piece)
            )
            self._joined[key] = max(by_split)
        return self._joined[key]

    def _at_least(self, atoms: tuple[int, ...], whole: Piece, ways: dict[int, int] | None) -> float:
        """What atoms of a piece cost as one, at least. Values that cross its border lie so, and values within as they
        may within a part."""
        own = self._pieces.kept[sum(1 << i for i in atoms), ()]
        may = self._ways(own, whole, ways)
        if all(list(each) == [0] for each in may.values()):
            return own.least
        return self._least_alone(atoms[0], own, may) if len(atoms) == 1 else 0.0

    def _ways(self, own: Piece, whole: Piece, ways: Mapping[int, int] | None) -> dict[int, Sequence[int]]:
        """How each value that atoms of a piece read or give may lie there."""
        crossing = self._pieces.crossing
        values = (*own.takes, *own.gives)
        if ways is None:
            return {n: range(len(crossing.layouts[n])) for n in values}
        border, within = {*whole.takes, *whole.gives}, crossing.within[any(ways.values())]
        return {n: [ways.get(n, 0)] if n in border else within[n] for n in values}

    def _least_alone(self, atom: int, own: Piece, may: Mapping[int, Iterable[int]]) -> float:
        """The least price of an atom in some layouts; within a part no caution counts."""
        key = atom, tuple((n, each) for n, ways in may.items() for each in ways)
        if key not in self._alone:
            found = (self._solved_alone(own, stored_in(zip(may, chosen))) for chosen in product(*may.values()))
            self._alone[key] = min(self._floor_alone(atom) if price is None else price for price in found)
        return self._alone[key]

    def _solved_alone(self, own: Piece, stored: Stored) -> float | None:
        """What an atom costs in some layouts, without caution; None where these are not solved."""
        piece = self._pieces.kept.get((own.bits, stored))
        return None if piece is None or piece.cost is None else piece.cost / self._pieces.caution(piece)

    def rests_on(self, piece: Piece) -> Iterator[tuple[Piece, Stored]]:
        """The atoms of a piece of several, and layouts of each that are not solved, whose floors its bound is made
        of."""
        pieces, ways = self._pieces, dict(piece.stored)
        for i in piece.atoms if len(piece.atoms) > 1 else ():
            own = pieces.singles[i]
            may = self._ways(own, piece, ways)
            for chosen in product(*may.values()):
                lies = dict(zip(may, chosen))
                stored = stored_in(lies.items())
                if self._solved_alone(own, stored) is None and pieces.crossing.may_lie(i, lies):
                    yield own, stored

    def least_of(self, plain: Piece, price: Callable[[Piece], float]) -> float:
        """No more than the least price of a piece's variants: of those that are known, and of one that is not, in
        layouts that count nothing."""
        pieces = self._pieces
        known = pieces.known(plain)
        least = min(map(price, known))
        if len(known) == pieces.crossing.count(plain.atoms[0], (*plain.takes, *plain.gives)):
            return least
        is_one = len(plain.atoms) == 1
        bound = self._floor_alone(plain.atoms[0]) if is_one else self.floor(plain)
        bound = max(bound, self._joined_bound(plain, None))
        return min(least, price(replace(plain, bound=bound, cost=None, moves=True)))

    def may_save(self, piece: Piece) -> float:
        """How much less a piece may cost than its atoms, as far as these are solved: for one atom, than its other
        layouts with copies."""
        pieces = self._pieces
        solved = lambda i: pieces.solved(pieces.singles[i])
        if len(piece.atoms) == 1:
            otherwise = min(each.least + self._between(each, piece) for each in solved(piece.atoms[0]))
            return otherwise - piece.bound
        otherwise = sum(min(each.least for each in solved(i)) for i in piece.atoms)
        return min(otherwise - piece.bound, self._split(piece)[0][1])

    def may_gain(self, piece: Piece) -> float:
        """How much less a piece may cost than its atoms as they are, whatever copies it spares."""
        return sum(self._pieces.singles[i].least for i in piece.atoms) - piece.bound

    def _between(self, one: Piece, other: Piece) -> float:
        """Cycles of copies from the layouts of one piece to those of another of the same atoms."""
        ways, wanted = dict(one.stored), dict(other.stored)
        ends = ((n, wanted.get(n, 0), ways.get(n, 0)) for n in (*one.takes, *one.gives))
        return sum(self._pieces.copied(n, now, way).least for n, now, way in ends if now != way)
