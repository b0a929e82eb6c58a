"""Where calls are cut at whole arrays, and in which layouts values cross the cuts: the cheapest way to take atoms as
parts, found without solving most parts. What calls are, and how parts are solved, others know: Specs that are more than
one search (compiler/partition/) and whole models (models/) are cut alike.

A part is a connected set of atoms that no path leaves and enters again, with a layout for each value that goes in or
out. It costs what its search finds, and a call. Dynamic programming over states finds the cheapest sequence. A state is
a set of done atoms that holds all that they read, and the layouts of the values that are still to be read:

    best[done + part, layouts'] = min over parts whose operands are done of best[done, layouts] + cost(part)

Solving a part is what takes long. A part that is not solved has a bound: no less than its arithmetic takes at best. A
part of several atoms also costs no less than those alone, but for what the part can save. It can save its calls, and
the time to write and read its intermediates as whole arrays:

    cost(part) >= sum of cost(atom) - sum of saving(value that atoms share) - calls saved

where atoms count in the layouts that the part has at its border, and may have between them (`bounds.py`).

So parts are solved one by one, those of the way that is cheapest by its bounds first. This ends when that way has no
bound in it, when the best solved way is as good but for `gap`, or when no part may save enough to be looked at. Between
parts a value may be copied into another layout. Last, parts are solved that would spare copies which cost much.
"""

from __future__ import annotations

from .atoms import CutAtom, CutCall, atoms_of, cut_atoms, cut_calls
from .choosing import ChosenCut, Tolerance, choose, each_alone
from .crossing import CutPrices, Stored
from .piece import Piece
from .pieces import ATOMS, CONTRACTIONS, NESTS, CutPieces
from .search import CutSearch, FoundCut

__all__ = [
    "ATOMS",
    "CONTRACTIONS",
    "NESTS",
    "ChosenCut",
    "CutAtom",
    "CutCall",
    "CutPieces",
    "CutPrices",
    "CutSearch",
    "FoundCut",
    "Piece",
    "Stored",
    "Tolerance",
    "atoms_of",
    "choose",
    "cut_atoms",
    "cut_calls",
    "each_alone",
]
