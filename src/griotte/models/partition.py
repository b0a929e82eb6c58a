"""Where a model is cut, and in which layouts values cross the cuts: the cheapest way to take its atoms as parts, found
without solving most parts.

A part is a connected set of atoms, out of which no path leads and back, with a layout for each value that goes in or
out. What it costs is what its search finds, and a call. Dynamic programming over what is done so far (a set of atoms
that holds all that they read, and the layouts that the values which are still to be read lie in) finds the cheapest
sequence:

    best[done + part, layouts'] = min over parts whose operands are done of best[done, layouts] + cost(part)

Solving a part is what takes long. Of one that is not solved a bound is known: no less than its arithmetic takes at
best, and, of several atoms, no less than those alone but for what one can save, which is what its values inside take to
be written and read as whole arrays, and its calls:

    cost(part) >= sum of cost(atom) - sum of saving(value that atoms share) - calls saved

So parts are solved one by one, those of the way that is cheapest by its bounds first, until that way has no bound in
it, or the best one that is solved is as good but for `gap`, or no part may save enough to be looked at. Between parts a
value may be copied into another layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count, product
from math import inf, prod

from .atoms import Atom, contractions, nests
from .graph import ModelGraph, ModelValue
from .layouts import AxisOrder, layouts_of
from .views import moves_nothing

ATOMS, NESTS, CONTRACTIONS = 4, 8, 2  # of a part of several atoms, at most
STATES = 20_000  # sets of atoms and layouts that are looked at, at most; beyond, parts are taken in one order
TINY = 1e-6  # cycles: less is rounding
OWN = 1  # of a value that lies as it is, and in no other layout

Stored = tuple[tuple[int, int], ...]  # values, by number, and which of their other layouts they have
DoneState = tuple[int, tuple[tuple[int, int], ...]]  # the atoms that are done; of values the layouts that they lie in


@dataclass(eq=False)
class Piece:
    """A set of atoms that may be one part, with the layouts of what goes in and out.

    Attributes:
        atoms: by number, ascending.
        bits: the same as a set.
        needs: the atoms that must be done before.
        takes: the values with several layouts that it reads.
        gives: the values with several layouts that it gives.
        stored: those of them that have another layout than their own.
        bound: no less than it costs.
        cost: what it costs, where it is solved.
        floor: what its arithmetic takes at best.
        moves: whether something runs for it: for a view, nothing does.
        copies: of no atoms: the value that is copied, and the layouts that it has before and after.
    """

    atoms: tuple[int, ...]
    bits: int = 0
    needs: int = 0
    takes: tuple[int, ...] = ()
    gives: tuple[int, ...] = ()
    stored: Stored = ()
    bound: float = 0.0
    cost: float | None = None
    floor: float = 0.0
    moves: bool = True
    copies: tuple[int, int, int] | None = None

    @property
    def least(self) -> float:
        """No less than it costs."""
        return self.bound if self.cost is None else self.cost


@dataclass
class ModelCut:
    """A way to cut: its pieces in order, and what it costs, or at least; and whether only those ways were looked at
    that take atoms in one order."""

    pieces: list[Piece]
    cost: float
    in_order: bool = False


class ModelCutter:
    """The pieces that a model may be cut into, and the cheapest way by what is known of them.

    Args:
        graph: the model.
        atoms: its atoms, each after those that it reads.
        saving: cycles that a value takes to be written and read as a whole array.
        call: cycles of calling a part.
        copying: cycles of copying a value from a layout to another; None where values keep their own.
        caution: what pieces in other layouts cost, by what they cost by the model.
    """

    def __init__(
        self,
        graph: ModelGraph,
        atoms: list[Atom],
        saving: Callable[[ModelValue], float],
        call: float,
        copying: Callable[[ModelValue, AxisOrder, AxisOrder], float] | None = None,
        caution: float = 1.0,
    ):
        self.graph, self.atoms, self._saving, self.call = graph, atoms, saving, call
        self._of = {id(value): i for i, atom in enumerate(atoms) for value in atom}
        self.is_view = [len(atom) == 1 and moves_nothing(graph, atom[0]) for atom in atoms]
        self._reads = [
            {id(r): r for v in atom for r in v.values if self._of.get(id(r)) != i} for i, atom in enumerate(atoms)
        ]
        self.needs = [sum({1 << self._of[k] for k in read if k in self._of}) for read in self._reads]
        self._users: list[set[int]] = [set() for _ in atoms]
        for i, read in enumerate(self._reads):
            for k in read:
                if k in self._of:
                    self._users[self._of[k]].add(i)
        self._nests = [sum(map(nests, atom)) for atom in atoms]
        self._contractions = [sum(map(contractions, atom)) for atom in atoms]
        self._copying, self.caution = copying, caution
        self._number_layouts()
        self._made_copies: dict[tuple[int, int, int], Piece] = {}
        self._lowest: list[float] = []
        self._alone: list[list[Piece]] = [[] for _ in atoms]
        self.pieces: dict[tuple[int, Stored], Piece] = {}
        for i in range(len(atoms)):
            self._grow(i)

    # ---- layouts -----------------------------------------------------------------------------------------------------

    def _number_layouts(self) -> None:
        """The values that cross between atoms and may lie otherwise: what a view reads or gives lies as it does."""
        fixed = {k for i, read in enumerate(self._reads) if self.is_view[i] for k in read}
        fixed |= {id(atom[0]) for i, atom in enumerate(self.atoms) if self.is_view[i]}
        crossing = {k: value for read in self._reads for k, value in read.items() if k in self._of and k not in fixed}
        self.others: list[tuple[AxisOrder, ...]] = []
        self.flexible: list[ModelValue] = []
        self._number: dict[int, int] = {}
        for k, value in crossing.items() if self._copying else ():
            _, *others = layouts_of(self.graph, value)
            if others:
                self._number[k] = len(self.flexible)
                self.flexible.append(value)
                self.others.append(tuple(others))
        self._givers = [self._of[id(v)] for v in self.flexible]
        self._readers = [sum(1 << i for i, read in enumerate(self._reads) if id(v) in read) for v in self.flexible]

    def stored(self, piece: Piece) -> dict[int, AxisOrder]:
        """By the id of a value, the layout that it has for a piece where that is not its own."""
        return {id(self.flexible[n]): self.others[n][way - 1] for n, way in piece.stored}

    def layout(self, n: int, way: int) -> AxisOrder:
        """A way in which a value may lie."""
        return self.others[n][way - 1] if way else self.flexible[n].type.minor_to_major

    def uniform(self, atom: int) -> list[Piece]:
        """An atom alone with all that goes in and out alike: as it is, or in its first other layout, and so on."""
        plain = self.singles[atom]
        ways = max((len(self.others[n]) for n in (*plain.takes, *plain.gives)), default=0)
        found = [plain]
        for way in range(1, ways + 1):
            found.append(
                self.variant(
                    plain,
                    tuple(sorted((n, way) for n in (*plain.takes, *plain.gives) if way <= len(self.others[n]))),
                )
            )
        return found

    def _copy(self, n: int, now: int, way: int) -> Piece:
        key = n, now, way
        if key not in self._made_copies:
            assert self._copying is not None
            cost = self._copying(self.flexible[n], self.layout(n, now), self.layout(n, way))
            self._made_copies[key] = Piece((), cost=cost, copies=key)
        return self._made_copies[key]

    def variant(self, piece: Piece, stored: Stored) -> Piece:
        """The same atoms with other layouts."""
        key = piece.bits, stored
        if key not in self.pieces:
            found = Piece(piece.atoms, piece.bits, piece.needs, piece.takes, piece.gives, stored, floor=piece.floor)
            found.bound = self._bound(found)
            self._keep(found)
        return self.pieces[key]

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def _grow(self, first: int) -> None:
        """All pieces whose first atom is this one: connected, convex, small enough."""
        start = 1 << first
        self._add((first,), start)
        if self.is_view[first]:
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
            found |= self._users[i]
            found |= {self._of[k] for k in self._reads[i] if k in self._of}
        return found - set(atoms)

    def _fits(self, atoms: tuple[int, ...]) -> bool:
        return (
            len(atoms) <= ATOMS
            and not any(self.is_view[i] for i in atoms)
            and sum(self._nests[i] for i in atoms) <= NESTS
            and sum(self._contractions[i] for i in atoms) <= CONTRACTIONS
        )

    def _is_convex(self, atoms: tuple[int, ...], bits: int) -> bool:
        """Whether no path leads out of these atoms and back; each atom reads earlier ones."""
        outside = 0
        for i in range(atoms[0], atoms[-1] + 1):
            if bits >> i & 1:
                if self.needs[i] & outside:
                    return False
            elif self.needs[i] & (bits | outside):
                outside |= 1 << i
        return True

    def _add(self, atoms: tuple[int, ...], bits: int) -> None:
        needs = 0
        for i in atoms:
            needs |= self.needs[i]
        own = {id(value) for i in atoms for value in self.atoms[i]}
        takes = {self._number[k] for i in atoms for k in self._reads[i] if k in self._number and k not in own}
        gives = {n for k, n in self._number.items() if k in own and self._readers[n] & ~bits}
        piece = Piece(atoms, bits, needs & ~bits, tuple(sorted(takes)), tuple(sorted(gives)))
        if self.is_view[atoms[0]]:
            piece.cost, piece.moves = 0.0, False
        self._keep(piece)

    @cached_property
    def singles(self) -> list[Piece]:
        """Each atom alone, with values as they are."""
        return [self.pieces[1 << i, ()] for i in range(len(self.atoms))]

    @cached_property
    def plain(self) -> list[Piece]:
        """All pieces with values as they are."""
        return [piece for (_, stored), piece in self.pieces.items() if not stored]

    def _keep(self, piece: Piece) -> None:
        self.pieces[piece.bits, piece.stored] = piece
        if len(piece.atoms) == 1:
            self._alone[piece.atoms[0]].append(piece)

    # ---- bounds ------------------------------------------------------------------------------------------------------

    def saved(self, groups: Iterable[tuple[int, ...]]) -> float:
        """What groups of atoms can save at most where they are one: each value that one gives and another reads, and
        each that several read, is written and read once less; all but one call."""
        place = {i: n for n, atoms in enumerate(groups) for i in atoms}
        readers: dict[int, tuple[ModelValue, set[int]]] = {}
        for i, n in place.items():
            for k, value in self._reads[i].items():
                readers.setdefault(k, (value, set()))[1].add(n)
        total = self.call * (len(set(place.values())) - 1)
        for k, (value, read) in readers.items():
            giver = place.get(self._of.get(k, -1))
            times = len(read - {giver}) - (giver is None)
            if times > 0:
                total += times * self._saving(value)
        return total

    def splits(self, piece: Piece) -> Iterator[list[tuple[int, ...]]]:
        """Its atoms, and each of them beside the others."""
        yield [(i,) for i in piece.atoms]
        for i in piece.atoms if len(piece.atoms) > 2 else ():
            if (piece.bits & ~(1 << i), ()) in self.pieces:
                yield [tuple(other for other in piece.atoms if other != i), (i,)]

    def bounded(self) -> None:
        """Bounds of what is not solved, by what is by now."""
        self._lowest = []
        for i, piece in enumerate(self.singles):
            # within a part values lie as its search has them, for which no caution counts
            costs = [each.least / (self.caution if each.stored else 1.0) for each in self._solved(i)]
            self._lowest.append(min(costs) if len(costs) == self._ways(piece) else piece.floor)
        for piece in sorted(self.pieces.values(), key=lambda p: len(p.atoms)):
            if piece.cost is None:
                piece.bound = self._bound(piece)

    def _ways(self, piece: Piece) -> int:
        """In how many layouts what goes in and out of a piece may lie."""
        return prod(1 + len(self.others[n]) for n in (*piece.takes, *piece.gives))

    def _bound(self, piece: Piece) -> float:
        floor = sum(self.singles[i].floor for i in piece.atoms) * (self.caution if piece.stored else 1.0)
        if len(piece.atoms) == 1 or not self._lowest:
            return floor
        by_split = (sum(map(self._at_least, split)) - self.saved(split) for split in self.splits(piece))
        return max(floor, *by_split)

    def _at_least(self, atoms: tuple[int, ...]) -> float:
        """What atoms cost as one, at least, in whatever layouts."""
        if len(atoms) == 1:
            return self._lowest[atoms[0]]
        piece = self.pieces[sum(1 << i for i in atoms), ()]
        return piece.least if self._ways(piece) == 1 else 0.0

    def may_save(self, piece: Piece) -> float:
        """How much less a piece may cost than its atoms by what is solved: one atom in other layouts, with copies; each
        of several as it is best by now."""
        if len(piece.atoms) == 1:
            otherwise = min(each.least + self._between(each, piece) for each in self._solved(piece.atoms[0]))
            return otherwise - piece.bound
        otherwise = sum(min(each.least for each in self._solved(i)) for i in piece.atoms)
        return min(otherwise - piece.bound, self.saved([(i,) for i in piece.atoms]))

    def _solved(self, atom: int) -> list[Piece]:
        return [each for each in self._alone[atom] if each.cost is not None]

    def _between(self, one: Piece, other: Piece) -> float:
        """Cycles of copies from the layouts of one piece to those of another of the same atoms."""
        ways, wanted = dict(one.stored), dict(other.stored)
        ends = ((n, wanted.get(n, 0), ways.get(n, 0)) for n in (*one.takes, *one.gives))
        return sum(self._copy(n, now, way).least for n, now, way in ends if now != way)

    # ---- the cheapest way --------------------------------------------------------------------------------------------

    def cheapest(self, cost: Callable[[Piece], float]) -> ModelCut:
        """The cheapest way by what each piece costs (inf: it is not taken)."""
        return self._searched(cost, in_order=False) or self._searched(cost, in_order=True) or ModelCut([], inf)

    @cached_property
    def _by_atom(self) -> list[list[Piece]]:
        """The pieces that each atom is the first of."""
        found: list[list[Piece]] = [[] for _ in self.atoms]
        for piece in self.plain:
            found[piece.atoms[0]].append(piece)
        return found

    def _searched(self, cost: Callable[[Piece], float], in_order: bool) -> ModelCut | None:
        """Dijkstra's over what is done. `in_order`: the next part has the first atom that is not done."""
        whole, turn = (1 << len(self.atoms)) - 1, count()
        start: DoneState = (0, ())
        best: dict[DoneState, float] = {start: 0.0}
        came: dict[DoneState, tuple[DoneState, list[Piece]]] = {}
        heap: list[tuple[float, int, DoneState, int]] = [(0.0, next(turn), start, 0)]
        settled: set[DoneState] = set()
        while heap:
            so_far, _, state, first = heappop(heap)
            if state[0] == whole:
                return ModelCut(self._traced(came, state), so_far, in_order)
            if state in settled:
                continue
            settled.add(state)
            if not in_order and len(settled) > STATES:
                return None
            while state[0] >> first & 1:
                first += 1
            for pieces, key in self.steps(state, first, in_order):
                total = so_far + sum(cost(piece) + self.call * piece.moves for piece in pieces)
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
            for piece in self._variants(plain):
                ways = dict(piece.stored)
                now, pieces = dict(there), []
                for n in piece.takes:
                    has, way = now.get(n, OWN), ways.get(n, 0)
                    if not has >> way & 1:
                        pieces.append(min((self._copy(n, k, way) for k in _bits(has)), key=lambda c: c.least))
                        now[n] = has | 1 << way
                now |= {n: 1 << ways.get(n, 0) for n in piece.gives}
                alive = ((n, has) for n, has in now.items() if has != OWN and self._readers[n] & ~after)
                yield [*pieces, piece], (after, tuple(sorted(alive)))

    def _variants(self, piece: Piece) -> Iterator[Piece]:
        """A piece with what goes in and out in each layout."""
        crossing = (*piece.takes, *piece.gives)
        for chosen in product(*(range(len(self.others[n]) + 1) for n in crossing)):
            yield self.variant(piece, tuple(sorted((n, way) for n, way in zip(crossing, chosen) if way)))

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
        found: list[list[Piece]] = [[] for _ in self.atoms]
        for piece in self.plain:
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

    cut: ModelCut
    bound: float
    solved: int
    possible: int
    in_order: bool = False

    @property
    def gap(self) -> float:
        """By how much another way could be cheaper, of all."""
        return 1 - self.bound / self.cut.cost if self.cut.cost else 0.0


def choose(
    cutter: ModelCutter,
    solve: Callable[[list[Piece]], None],
    gap: float,
    at_once: int,
    least: float = 0.0,
    worth: float = 0.0,
) -> ChosenCut:
    """The cheapest cut but for `gap` of its cost, of pieces each of which may save `least` of all, and `worth` cycles.

    `solve` gives pieces their costs; every atom alone has its own.
    """
    tried = 0
    while True:
        cutter.bounded()
        best = cutter.cheapest(lambda p: inf if p.cost is None else p.cost)
        lowest = cutter.cheapest(lambda p: p.least)
        asked = [piece for piece in lowest.pieces if piece.cost is None]
        chosen = _promising(cutter, asked, max(worth, least * best.cost))[:at_once]
        if not chosen or best.cost * (1 - gap) <= lowest.cost:
            bound = lowest.cost if asked else best.cost
            return ChosenCut(best, bound, tried, len(cutter.pieces) - len(cutter.atoms), lowest.in_order)
        solve(chosen)
        tried += len(chosen)


def _promising(cutter: ModelCutter, asked: list[Piece], least: float) -> list[Piece]:
    """What may save `least` cycles or more, the most first. Before several atoms as one comes each of them in one
    layout."""
    found: dict[int, Piece] = {}
    for piece in asked:
        alone = [each for i in piece.atoms for each in cutter.uniform(i) if each.cost is None]
        for each in (*alone, piece) if len(piece.atoms) > 1 else (piece,):
            found[id(each)] = each
    saves = {key: cutter.may_save(piece) for key, piece in found.items()}
    chosen = sorted((key for key in found if saves[key] >= max(least, TINY)), key=lambda key: -saves[key])
    return [found[key] for key in chosen]
