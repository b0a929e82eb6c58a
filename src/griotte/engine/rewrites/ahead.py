"""Operands that are packed once: constants before any call, others once a call for all threads.

Ahead: a constant operand is packed before any call, or left as it is given.

before  matmul(a, const b)
after   ahead of the call: copy b -> b' in panels of 64 ; in the call: matmul(a, b')

The copy runs 0 times in the call, so it costs nothing there; it takes its best program. All constants are decided
before all else, batch dimensions and threads too, for whoever calls must know what to pack.

Share: an input is packed once a call, and not by each thread for its own tiles.

before  matmul(a, b)
after   copy b -> b' in panels of 64, over threads ; matmul(a, b'), over threads

The copy lies where the arrays of the call are. Where that is memory and the last cache can rest it, it lies in that
cache. It is a goal of its own, and may run over threads as well. Whoever writes a line of it takes the line from the
caches of the threads that read it in the last call. That is a `handover`, by the level that a thread's part of it rests
at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...lang.nests.family import Family, Operand, State
from ..footprint import lines
from ..program import nodes
from .by_hand import OpenHole, given
from .edge import GOAL, SHARED, Child, Edge, Parts, Rewrite, RewriteRule, Word, annotating, require
from .move import Move, copy_family
from .places import input_copies, places


@dataclass(frozen=True)
class Ahead(Rewrite):
    """The constant `operand` reaches the call as `to`: in another layout at the level it is at, or as it is given."""

    operand: int
    to: Operand
    outer = True

    def edge(self, family: Family, target) -> Edge:
        names = " ".join(f"x{i}" for i in family.ahead) or "there is none"
        require(
            family.ahead[:1] == (self.operand,),
            f"expected the first constant still to be placed ahead of the call ({names}), found x{self.operand}",
        )
        old = family.operands[self.operand]
        require(
            self.to == old or self.to in places(family, self.operand, target, ahead=True),
            f"expected x{self.operand} as given or in panels of its own level, found {self.to.layout}",
        )
        packed = replace(family.with_operand(self.operand, self.to), ahead=family.ahead[1:])
        if self.to == old:
            return annotating(self, packed)
        copy = Child(copy_family(family.access(self.operand), old, self.to), carries=False, ahead=True)
        return Edge(
            self,
            lambda size: {},
            ("ahead", packed.operation, packed.operands),
            (copy, Child(packed, role=GOAL)),
            fits=lambda size: target.rests(old.level, _held(packed, size, target.spans.line)),
        )

    def infeasibility(self, family: Family, target, size) -> str:
        """What one Spec of the family lacks for the packed operand to fit; empty when it fits."""
        level = target.levels[self.to.level].name
        packed = family.with_operand(self.operand, self.to)
        return (
            ""
            if target.rests(self.to.level, _held(packed, size, target.spans.line))
            else f"expected all operands within {level} once x{self.operand} is packed; take narrower panels"
        )

    def node(self, state: State, parts: tuple[nodes.Node, ...], cost: float | None) -> nodes.Node:
        copy, body = parts if len(parts) == 2 else (None, parts[0])
        return nodes.Move(state, self.operand, self.to, body, copy, cost, self)

    def verb(self) -> str:
        return f"ahead {self.operand}"

    def words(self, target) -> str:
        return f"ahead of {self.operand}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        form = "as given" if self.to == family.operands[self.operand] else f"{self.to.layout} {self.to.dtype}"
        width = self.to.layout.panel[1] if self.to.layout.panel else 0
        what = f"ahead {family.operation.operand_name(self.operand)}"
        return Word("copy", (self.operand, width, 0), f"{what}, {form}", what)


def _held(family: Family, size, line: int):
    """Lines that all operands take up together, those as given without their rows' ends."""
    dense = (replace(o, layout=replace(o.layout, given=False)) for o in family.operands)
    return sum(lines(access, operand, size, line) for access, operand in zip(family.operation.accesses, dense))


def ahead_edges(family: Family, target) -> list[Edge]:
    return [
        Ahead(i, to).edge(family, target)
        for i in family.ahead[:1]
        for to in (family.operands[i], *places(family, i, target, ahead=True))
    ]


def ahead(
    hole: OpenHole, operand: int | str, panel: int | None = None, group: int | None = None, dtype: str | None = None
) -> Rewrite:
    """Say how a constant reaches the call, before all else.

    Args:
        operand: its number, or its printed name.
        panel: packs it once, before any call, into panels of that width; without any it stays as it is given.
        group: as of `move`.
        dtype: as of `move`.

    Examples:
        >>> s = gt.schedule("matmul(f32[64,48], const f32[48,32])", "portable")
        >>> len(s.ahead(1, panel=16).holes)  # the packing, and the call
        2
    """
    what = f"ahead of {operand}"
    i = hole.operand(what, operand)
    offered = [e.rewrite for e in hole.edges if isinstance(e.rewrite, Ahead) and e.rewrite.operand == i]
    if not offered:
        return Ahead(i, hole.family.operands[i])  # whose edge says why
    return hole.of_form(what, offered, given(panel=panel, group=group, dtype=dtype), "no layout (as given)")


AHEAD = RewriteRule(
    ahead_edges, steps=(ahead,), large=False, undecided=True
)  # the parts of a large graph place their own


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
            part = float(lines(access, self.to, size, target.spans.line)) / self.threads
            return {"call": 1, f"handover.{target.levels[target.home(part)].name}": part}

        copy, body = self._move.edge(family, target).children
        room = target.capacity_lines(self.to.level)
        key = "share", access, self.to, self.threads
        return Edge(
            self,
            features,
            key,
            (replace(copy, role=GOAL), replace(body, role=SHARED)),
            lambda size: lines(access, self.to, size, target.spans.line) <= room,
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
