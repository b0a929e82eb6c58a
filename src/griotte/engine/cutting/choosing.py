"""The cheapest cut: pieces are solved, one after the other, until it is known. A search over the done atoms finds the
cheapest sequence for the costs, and the bounds, of the moment."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from .crossing import stored_in
from .piece import Piece
from .pieces import CutPieces
from .search import CutSearch, FoundCut

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
    note: Callable[[list[Piece], float], None] | None = None,
) -> ChosenCut:
    """The cheapest cut within a tolerance.

    `solve` gives pieces their costs; every atom alone has its own. Pieces with equal `searched` take one search; up to
    `at_once` such searches are asked for together. Before each `solve`, `note` gets all that may make a cut cheaper,
    and by how much of all it costs. That is as much as is known of the pieces that will be asked for.
    """
    tried, search = 0, CutSearch(pieces)
    while True:
        pieces.bounded()
        best = search.cheapest(lambda p: inf if p.cost is None else p.cost)
        lowest = search.cheapest(lambda p: p.least, best.cost)
        enough = max(tolerance.worth, tolerance.least * best.cost)
        at_most = best.cost * (1 - tolerance.gap)
        chosen, found = list[Piece](), lowest
        while found.cost < at_most and (more := _promising(pieces, found, chosen, enough)):
            for piece in more:
                if len({searched(each) for each in (*chosen, piece)}) <= at_once:
                    chosen.append(piece)
            if len({searched(each) for each in chosen}) == at_once:
                break
            taken = set(map(id, chosen))  # and if they save nothing, which are solved next
            found = search.cheapest(lambda p: inf if id(p) in taken else p.least, best.cost, lowest.tries)
        if not chosen and lowest.cost < at_most:
            chosen = _sparing_copies(pieces, best, enough)
        if not chosen:
            is_known = lowest.bound >= lowest.cost and all(piece.cost is not None for piece in lowest.pieces)
            bound = best.cost if is_known else min(best.cost, lowest.bound)
            return ChosenCut(best, bound, tried, len(pieces.kept) - len(pieces.atoms), lowest.tries > 0)
        if note is not None:
            note(_open(pieces, search.open(at_most, lowest.tries), enough), (at_most - lowest.cost) / best.cost)
        solve(chosen)
        tried += len(chosen)


def each_alone(pieces: CutPieces) -> ChosenCut:
    """The cut whose pieces are the atoms, each alone, where nothing is asked of others."""
    cost = sum(piece.least + pieces.call * piece.moves for piece in pieces.singles)
    return ChosenCut(FoundCut([*pieces.singles], cost, cost), cost, 0, 0)


def _open(pieces: CutPieces, plain: list[Piece], least: float) -> list[Piece]:
    """The pieces by which a cut may be cheaper that are not solved, and may save `least` cycles or more."""
    found = (each for one in plain for each in pieces.known(one) if each.cost is None)
    return [each for each in found if pieces.bounds.may_save(each) >= max(least, TINY)]


def _sparing_copies(pieces: CutPieces, cut: FoundCut, least: float) -> list[Piece]:
    """The pieces that may spare a copy of a cut, where the copy costs `least` cycles or more. These are the pieces that
    give the value in the layout that it is copied to, and those that read it in the layout that it has."""
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
                if not pieces.crossing.may_lie(piece.atoms[0], ways):
                    continue
                other = pieces.variant(piece, stored_in(ways.items()))
                if other.cost is None and other.bound < piece.least + copy.least:
                    found[id(other)] = other
    return [*found.values()]


def _promising(pieces: CutPieces, cut: FoundCut, chosen: list[Piece], least: float) -> list[Piece]:
    """The pieces of a cut that may save `least` cycles or more, without those that are chosen. First comes what may
    save most for its arithmetic, for much arithmetic makes a search long. A piece of several atoms comes after those
    that its bound rests upon. A piece that may cost less than its atoms as they are comes before the pieces that are
    there for the sake of such. Most of those are never asked for, because their neighbours gain nothing."""
    may_save, enough = pieces.bounds.may_save, max(least, TINY)
    found: dict[int, Piece] = {}
    for piece in cut.pieces:
        if piece.cost is None:
            alone = [pieces.variant(own, stored) for own, stored in pieces.bounds.rests_on(piece)]
            alone = [each for each in alone if may_save(each) >= enough]
            found |= {id(each): each for each in alone or [piece]}
    for piece in chosen:
        found.pop(id(piece), None)
    saves = {id(piece): saved for piece in found.values() if (saved := may_save(piece)) >= enough}
    gains = {key: min(saved, pieces.bounds.may_gain(found[key])) for key, saved in saves.items()}
    gains = {key: gained for key, gained in gains.items() if gained >= enough} or saves
    return sorted((found[key] for key in gains), key=lambda piece: -gains[id(piece)] / (1 + pieces.bounds.floor(piece)))
