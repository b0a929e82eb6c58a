"""Where calls are cut at whole arrays, and in which layouts values cross the cuts: the cheapest way to take atoms as
parts, found without solving most parts. What calls are, and how parts are solved, others know: Specs that are more than
one search (compiler/partition/) and whole models (models/) are cut alike.

A part is a connected set of atoms, out of which no path leads and back, with a layout for each value that goes in or
out. What it costs is what its search finds, and a call. Dynamic programming over what is done so far (a set of atoms
that holds all that they read, and the layouts that the values which are still to be read lie in) finds the cheapest
sequence:

    best[done + part, layouts'] = min over parts whose operands are done of best[done, layouts] + cost(part)

Solving a part is what takes long. Of one that is not solved a bound is known: no less than its arithmetic takes at
best, and, of several atoms, no less than those alone but for what one can save, which is what its values inside take to
be written and read as whole arrays, and its calls:

    cost(part) >= sum of cost(atom) - sum of saving(value that atoms share) - calls saved

where atoms count in the layouts that the part has at its border, and may have between them (`bounds.py`).

So parts are solved one by one, those of the way that is cheapest by its bounds first, until that way has no bound in
it, or the best one that is solved is as good but for `gap`, or no part may save enough to be looked at. Between parts a
value may be copied into another layout; last, parts are solved that would spare copies which cost much.
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
