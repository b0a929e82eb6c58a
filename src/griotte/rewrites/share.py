"""Share: an input is packed once a call, for all threads, and not by each of them for its own tiles.

before  matmul(a, b)
after   copy b -> b' in panels of 64, over threads ; matmul(a, b'), over threads

The copy lies where the arrays of the call are; it is a goal of its own, and may run over threads as well. Whoever writes a line of it takes
it from the caches of the threads that read it in the last call: a `handover`, by the level that a thread's part of it rests at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..program import nodes
from ..spec.family import Family, Operand, State, lines
from .ahead import places
from .edge import Edge
from .move import Move


@dataclass(frozen=True)
class Share:
    """Pack `operand` as `to`, at the level it is at, before a loop over `threads`."""

    operand: int
    to: Operand
    threads: int

    def edge(self, family: Family, target) -> Edge:
        access = family.access(self.operand)

        def features(size):
            part = float(lines(access, self.to, size)) / self.threads
            return {"call": 1, f"handover.{target.levels[target.home(part)].name}": part}

        return replace(self._move.edge(family, target), rewrite=self, features=features, key=("share", access, self.to, self.threads))

    def misfit(self, family: Family, target, size) -> str:
        return self._move.misfit(family, target, size)

    def node(self, state: State, parts: tuple[nodes.Node, ...], cost: float | None) -> nodes.Node:
        return self._move.node(state, parts, cost)

    @property
    def _move(self) -> Move:
        return Move(self.operand, self.to)


def share_edges(family: Family, target, threads: int) -> list[Edge]:
    """What may precede a loop over threads around a goal: none before constants are placed and batch dimensions taken off."""
    if family.ahead or family.batch:
        return []
    return [Share(i, to, threads).edge(family, target) for i in range(len(family.operands) - 1) for to in places(family, i, target)]
