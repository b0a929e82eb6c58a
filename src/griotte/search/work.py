"""How much a search is, counted before it is done.

    work = families * FAMILY + sum over families of cells * (edges + loops)

A cell is one cost: of a point at one step of each memory limit. Each edge and each loop of a family is relaxed over its
cells; what Python does for a family takes as long as so many relaxations. No clock is asked: the same Spec is always as
much. docs/lab/bounded/ compares it with times.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from . import limits
from .graph import FamilyGraph, FamilyNode, reach
from .ladder import ladder_names
from .problem import Problem

FAMILY = 450_000  # relaxations of cells that take as long as Python does for one family


@dataclass(frozen=True)
class SearchWork:
    """So many families, and relaxations of their cells."""

    families: int
    relaxations: int

    @property
    def total(self) -> int:
        """In relaxations of cells."""
        return self.families * FAMILY + self.relaxations


class TooMuch(Exception):
    """A search is more than it may be: counting stopped at `work`."""

    def __init__(self, work: SearchWork):
        super().__init__(f"{work.families} families and {work.relaxations} relaxations")
        self.work = work


def work_of(start: Problem, target, most: float, met: FamilyGraph) -> SearchWork:
    """The work of a problem; TooMuch where it is more than `most`. `met` keeps the families for the search itself."""
    lengths = {name: len(ladder) for name, ladder in start.ladders.items()}
    families = relaxations = 0

    def count(node: FamilyNode) -> None:
        nonlocal families, relaxations
        families += 1
        points = prod(lengths[name] for name in ladder_names(node.family.operation))
        cells = points * limits.count(limits.axes(target, start.home, node.family))
        relaxations += cells * (len(node.edges) + len(node.tilings))
        if families * FAMILY + relaxations > most:
            raise TooMuch(SearchWork(families, relaxations))

    reach(target, *start.goals, met=met, note=count)
    return SearchWork(families, relaxations)
