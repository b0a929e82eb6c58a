"""Region: what a goal's parts share out over threads, one after the other, in one parallel region, with barriers in
place of forks and joins.

before  exp(x) -> t, over 2 threads ; matmul(t, w) -> y, over 2 threads       each wakes a team and joins it
after   region of 2 threads { exp(x) -> t, shared out ; barrier ; matmul(t, w) -> y, shared out ; barrier }

Within a region each loop over threads ends in a barrier (`Parallel.joined`), and what one thread does alone, for which
the others wait, is a Single. The last one needs none: the region's join is there. Nothing but the places of constants
is around a region, parts that are cut from a graph before it, and what they are cut from; regions do not nest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..ir.family import Family, State
from ..program.nodes import Node
from .edge import PART, REGION, Child, Edge
from .rewrite import Parts, Rewrite, same


@dataclass(frozen=True)
class _Within(Rewrite):
    """The same Spec, by so many `threads` of a region."""

    threads: int
    own: ClassVar[dict[str, int]] = {}
    role = PART
    outer = True

    def edge(self, family: Family, target) -> Edge:
        return Edge(self, lambda size: self.own, tuple(self.own.items()), (Child(family, role=self.role),))

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        return same(state, parts, cost, self, self.threads)

    def emits(self, family: Family) -> bool:
        return True


@dataclass(frozen=True)
class Region(_Within):
    """A team of so many `threads` is woken, and joined when all that is below has run."""

    own: ClassVar = {"fork": 1, "barrier": -1}
    role = REGION

    def line(self, node: Node, target) -> str:
        return f"one region of {self.threads} threads"


@dataclass(frozen=True)
class Single(_Within):
    """One of the threads of a region does it alone."""

    threads: int = 1
    own: ClassVar = {"barrier": 1}

    def line(self, node: Node, target) -> str:
        return "by one thread"
