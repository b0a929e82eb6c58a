"""Online: the maximum and the sums of a softmax by one pass, block by block: what was summed is made smaller where a
later block has a larger maximum.

before  s = q k' ; high = max_n s ; e = exp(s - high) ; total = sum_n e ; o = sum_n e v ; y = o / total
after   rounds of n by 256 { s, high', e, r = exp(high - high'), total' = total r + sum e, o' = o r + sum e v } ; y = o
        / total

        rounds of n by 256 { high_i, e in y, r, total' } ; rounds of n by 256 { w = exp(high_i - high), y = e w / total
          }

All that lives from round to round, and what a round makes, lies at one level: scores are never whole; what a round has
read or written before is read there again. Each part is a Spec like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...lang.functions.combiners import RUN
from ...lang.nests.family import Family, State
from ..cost.traffic import added
from ..idioms.online import Chain, chain
from ..program.nodes import Node, Rounds, round_parts
from .by_hand import OpenHole, integer
from .edge import Child, Edge, Parts, Rewrite, RewriteRule, Word, needed, require
from .rounds import Plan, may_go_round
from .steps import cuts

TILES = (64, 256, 1024)
PLACES = 2  # the nearest levels that rounds may have their buffers at


@dataclass(frozen=True)
class _RoundSizes:
    """The sizes of a part of a round: `left`, for the leftover of the last one."""

    dim: str
    tile: int
    left: bool

    def __call__(self, size: Mapping[str, Any]) -> dict[str, Any]:
        left = size[self.dim] % self.tile
        return {**size, self.dim: left + (left == 0) * self.tile if self.left else self.tile + 0 * left}


def asked_by_rounds(operation, dim: str, size: int) -> set[int]:
    """The sizes that rounds over a dimension leave, in a graph in which a maximum is taken along one dimension: its
    parts rename theirs."""
    may_be = any(op.is_maximum and len(op.reduction) == 1 for op in operation.operations)
    return {n for tile in TILES if may_be and tile < size for n in (tile, size % tile)}


@dataclass(frozen=True)
class Online(Rewrite):
    """Rounds of `tile` columns, with buffers at `level`. Exponentials may be `kept` where the output goes, each round's
    less the maximum so far. Rounds then also turn those into the values that the output asks for."""

    tile: int
    level: int
    kept: bool = False

    def edge(self, family: Family, target) -> Edge:
        found = needed(
            softmax_of(family),
            "expected a maximum, exponentials less it and sums of these along one dimension, found"
            f" {family.operation.name}",
        )
        require(
            not self.kept or may_keep(found, family),
            "expected exponentials that may lie where the output goes, element by element, found others",
        )
        plan, dim, tile = self._plan(found, family), found.dim, self.tile
        require(
            not cuts(family, dim, tile),
            f"expected rounds that begin where panels of a packed operand do, found {tile} of {dim}",
        )

        def features(size):
            return added({"loop": (1 + self.kept) * (size[dim] // tile)}, plan.brought_near(target, size))

        return Edge(
            self,
            features,
            ("rounds", tile, self.level, self.kept, family),
            tuple(self._children(plan, target)),
            lambda size: (size[dim] > tile) & (size[dim] <= RUN * tile),
        )

    def _children(self, plan: Plan, target) -> list[Child]:
        dim, tile, uses = plan.chain.dim, self.tile, plan.uses(self.tile, target)
        first, again, last = list(plan.steps(False)), list(plan.steps(True)), list(plan.last)
        each = lambda steps, times, left: [
            Child(family(target), times=times, uses=uses, sizes=_RoundSizes(dim, tile, left)) for family, _ in steps
        ]
        whole, is_left = (lambda size: size[dim] // tile), lambda size: (size[dim] % tile > 0) * 1
        found = [
            *each(first, None, False),
            *each(again, lambda size: size[dim] // tile - 1, False),
            *each(again, is_left, True),
        ]
        return (
            [*found, *each(last, is_left, True), *each(last, whole, False)]
            if self.kept
            else [*found, *(Child(family(target), uses=uses) for family, _ in last)]
        )

    def _plan(self, found: Chain, family: Family) -> Plan:
        return Plan(found, family, self.level, self.kept)

    def infeasibility(self, family: Family, target, size) -> str:
        found = softmax_of(family)
        expected = f"expected more than {self.tile} and at most {RUN * self.tile}"
        return f"{expected} of {found.dim}, found {size[found.dim]}" if found else ""

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        found = softmax_of(state.family)
        plan = self._plan(found, state.family)
        first, again, last = (
            tuple(sees for _, sees in steps) for steps in (plan.steps(False), plan.steps(True), plan.last)
        )
        sees = first, again, again, last if self.kept else (), last
        return Rounds(state, found.dim, self.tile, plan.rooms, *round_parts(parts, sees), cost, self)

    def verb(self) -> str:
        return f"online by {self.tile}" + ", kept" * self.kept

    def words(self, target) -> str:
        return f"online by {self.tile} at {target.levels[self.level].name}" + ", kept" * self.kept

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word(
            "sequence",
            (self.tile, self.level, self.kept),
            f"rounds of {self.tile} in {levels[self.level]}" + ", kept in y" * self.kept,
            f"rounds {self.tile}" + " kept" * self.kept,
        )

    def line(self, node: Node, target) -> str:
        assert isinstance(node, Rounds)
        return (
            f"rounds of {node.dim} by {self.tile}, buffers in {target.levels[self.level].name}"
            + ", exponentials in y" * self.kept
        )


def softmax_of(family: Family) -> Chain | None:
    """The softmax of a graph whose source is computed, or an array in its given place: one that was moved near is read
    again at little cost."""
    graph = family.operation
    found = chain(graph) if may_go_round(family) else None
    is_near = (
        found is not None and graph.comes_in(found.source) and family.operands[found.source].level < family.slowest
    )
    return None if is_near else found


def may_keep(found: Chain, family: Family) -> bool:
    """Whether the exponentials of a family may lie in the memory of its output."""
    held, output = found.graph.held[found.power], family.output
    return (
        found.kept is not None and held.dtype == output.dtype and not output.layout.panel and not output.layout.beyond
    )


def keeps(family: Family) -> tuple[bool, ...]:
    found = softmax_of(family)
    return () if found is None else (False, True) if may_keep(found, family) else (False,)


def online_edges(family: Family, target) -> list[Edge]:
    found, near = softmax_of(family), target.places(family.slowest)
    tiles = [] if found is None else [tile for tile in TILES if not cuts(family, found.dim, tile)]
    return [
        Online(tile, level, kept).edge(family, target)
        for kept in keeps(family)
        for level in near[: 1 if kept else PLACES]
        for tile in tiles
    ]


def online(hole: OpenHole, tile: int, level: str, kept: bool = False) -> Rewrite:
    """Do the maximum and the sums of a softmax, and the product with it, in rounds of columns.

    Args:
        tile: columns of a round.
        level: of the target, for all that a round makes or hands on.
        kept: whether exponentials are kept where the output goes, and made the output by rounds too: those of
            softmax alone.

    Examples:
        >>> s = gt.schedule("softmax(f32[70,310])", "portable").tile("i0", 8)
        >>> len(s.online(64, "L1").holes) > len(s.holes)
        True
    """
    at = hole.level(f"online at {level}", level)
    return Online(integer("a number of columns", tile), at, bool(kept))


ONLINE = RewriteRule(online_edges, steps=(online,), asked=asked_by_rounds, several=True)
