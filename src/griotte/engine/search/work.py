"""How much a search is, counted before it is done.

    work = single * FAMILY + graphs * GRAPH + sum over families of cells * (edges + loops)

where `single` families are of one nest, and `graphs` of several. A cell is one cost: of a point at one step of each
memory limit. Each edge and each loop of a family is relaxed over its cells; what Python does for a family takes as long
as so many relaxations, of a graph longer: each of its tensors may be given a place, and each that is a goal is shared
out over threads. No clock is asked: the same Spec is always as much. docs/lab/bounded/ compares it with times.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from . import limits
from .graph import FamilyGraph, FamilyNode, reach
from .ladder import ladder_names
from .problem import Problem

FAMILY, GRAPH = 325_000, 1_250_000  # relaxations of cells that take as long as Python does for one family
COUNTED = 1 / 3, 1 / 2  # of that, what it takes to count them: to find the edges that leave them


@dataclass(frozen=True)
class SearchWork:
    """So many families of single nests, of graphs, and relaxations of their cells."""

    single: int
    graphs: int
    relaxations: int

    def __add__(self, other: SearchWork) -> SearchWork:
        return SearchWork(self.single + other.single, self.graphs + other.graphs, self.relaxations + other.relaxations)

    @property
    def total(self) -> int:
        """In relaxations of cells."""
        return self.single * FAMILY + self.graphs * GRAPH + self.relaxations

    @property
    def counting(self) -> float:
        """What of it has gone into counting."""
        return self.single * FAMILY * COUNTED[0] + self.graphs * GRAPH * COUNTED[1]


class TooMuch(Exception):
    """A search is more than it may be: counting stopped at `work`."""

    def __init__(self, work: SearchWork):
        super().__init__(f"{work.single + work.graphs} families and {work.relaxations} relaxations")
        self.work = work


def work_of(start: Problem, target, most: float, met: FamilyGraph) -> SearchWork:
    """The work of a problem; TooMuch where it is more than `most`. `met` keeps the families for the search itself."""
    lengths = {name: len(ladder) for name, ladder in start.ladders.items()}
    families, relaxations = [0, 0], 0  # of single nests, and of graphs

    def count(node: FamilyNode) -> None:
        nonlocal relaxations
        families[bool(node.family.operation.held)] += 1
        points = prod(lengths[name] for name in ladder_names(node.family.operation))
        cells = points * limits.count(limits.axes(target, start.home, node.family))
        relaxations += cells * (len(node.edges) + len(node.tilings))
        if (work := SearchWork(families[0], families[1], relaxations)).total > most:
            raise TooMuch(work)

    reach(target, *start.goals, met=met, note=count)
    return SearchWork(families[0], families[1], relaxations)
