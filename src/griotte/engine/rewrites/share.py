"""Share: an input is packed once a call, for all threads, and not by each of them for its own tiles.

before  matmul(a, b)
after   copy b -> b' in panels of 64, over threads ; matmul(a, b'), over threads

The copy lies where the arrays of the call are or, where that is memory and the last cache can rest it, in that cache;
it is a goal of its own, and may run over threads as well. Whoever writes a line of it takes it from the caches of the
threads that read it in the last call: a `handover`, by the level that a thread's part of it rests at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...lang.nests.family import Family, Operand, State
from ..footprint import lines
from ..program import nodes
from .edge import GOAL, SHARED, Edge, Parts, Rewrite
from .move import Move
from .places import input_copies, places


@dataclass(frozen=True)
class Share(Rewrite):
    """Pack `operand` as `to`, at the level it is at or in the cache that rests it, before a loop over `threads`."""

    operand: int
    to: Operand
    threads: int
    outer = True

    def edge(self, family: Family, target) -> Edge:
        access = family.access(self.operand)

        def features(size):
            part = float(lines(access, self.to, size)) / self.threads
            return {"call": 1, f"handover.{target.levels[target.home(part)].name}": part}

        copy, body = self._move.edge(family, target).children
        room = target.capacity_lines(self.to.level)
        key = "share", access, self.to, self.threads
        return Edge(
            self,
            features,
            key,
            (replace(copy, role=GOAL), replace(body, role=SHARED)),
            lambda size: lines(access, self.to, size) <= room,
        )

    def infeasibility(self, family: Family, target, size) -> str:
        return self._move.infeasibility(family, target, size)

    def node(self, state: State, parts: tuple[nodes.Node, ...], cost: float | None) -> nodes.Move:
        return replace(self._move.node(state, parts, cost), rewrite=self)

    def words(self, target) -> str:
        return self._move.words(target)

    @property
    def _move(self) -> Move:
        return Move(self.operand, self.to)


def around(rewrite: Rewrite, parts: Parts) -> Rewrite:
    """The rewrite once its parts are these: a copy before a loop over threads is made once, for all of them, any other
    by whoever needs it."""
    move = Move(rewrite.operand, rewrite.to) if isinstance(rewrite, Share) else rewrite
    if not isinstance(move, Move) or len(parts) < 2:
        return move
    body = parts[-1]
    if body is None or not nodes.over_threads(body):
        return move
    return Share(move.operand, move.to, nodes.team(body))


def share_edges(family: Family, target, threads: int) -> list[Edge]:
    """What may precede a loop over threads around a goal: none before constants are placed, batch dimensions taken off
    and graphs taken apart. What reaches beyond its tensor comes first."""
    if family.ahead or family.batch or not family.nest.combine:
        return []
    beyond = [i for i, operand in enumerate(family.operands) if operand.layout.beyond]
    copies = (
        [(i, to) for i in beyond for to in input_copies(family, i, target)]
        if beyond
        else [(i, to) for i in range(len(family.operands) - 1) for to in places(family, i, target)]
    )
    return [
        Share(i, to.at(level), threads).edge(family, target)
        for i, to in copies
        for level in target.rooms(to.level)[-1:]
    ]
