"""How much work a search is, counted before it is done; and what it then did.

    work = single * FAMILY + graphs * GRAPH + sum over families of cells * (edges + loops)

`single` families are of one nest, `graphs` of several. A cell is one cost: of a point at one step of each memory limit.
Each edge and each loop of a family is relaxed over its cells. Python's share of a family takes as long as FAMILY
relaxations. For a graph it is GRAPH: each of its tensors may be given a place, and each graph that is a goal is shared
out over threads. The count reads no clock, so the same Spec is always as much work. docs/lab/bounded/ compares it with
times.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from . import limits
from .graph import FamilyGraph, FamilyNode, reach
from .grid import ladder_names
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
        """The part of it that counting has taken."""
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
        families[not node.family.operation.is_lone] += 1
        points = prod(lengths[name] for name in ladder_names(node.family.operation))
        cells = points * limits.count(limits.axes(target, start.home, node.family))
        relaxations += cells * (len(node.edges) + len(node.tilings))
        if (work := SearchWork(families[0], families[1], relaxations)).total > most:
            raise TooMuch(work)

    reach(target, start.goal, met=met, note=count)
    return SearchWork(families[0], families[1], relaxations)


@dataclass
class Statistics:
    """What a solve did: Specs are (point, limits) pairs of all families, those that the table knew not counted as
    solved; memory is the process's peak in MiB."""

    specs_solved: int = 0
    specs_known: int = 0
    families: int = 0
    edges: int = 0
    synthesis_s: float = 0.0
    peak_rss_mb: float = 0.0

    @classmethod
    def of_all(cls, parts: Iterable[Statistics]) -> Statistics:
        """Those of several solves, one after the other."""
        found = list(parts)
        total = {
            name: sum(getattr(one, name) for one in found)
            for name in ("specs_solved", "specs_known", "families", "edges", "synthesis_s")
        }
        return cls(**total, peak_rss_mb=max(one.peak_rss_mb for one in found))


def peak_rss_mb(status: str = "/proc/self/status") -> float:
    """The most memory this process has held, in MiB. Where Linux has it, in `status`, it is of this program alone
    (getrusage counts what the process held before it became this program, its parent's memory)."""
    try:
        with open(status) as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:")) / 1024
    except (OSError, StopIteration):
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return held / 1024 / (1024 if sys.platform == "darwin" else 1)  # macOS counts bytes
