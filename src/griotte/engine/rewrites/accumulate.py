"""to_accumulator: a reduction that writes its output becomes a fill with the identity and one that adds to it.

before  matmul(a, b) -> c
after   fill(identity) -> c ; matmul(a, b) += c
"""

from __future__ import annotations

from dataclasses import dataclass

from ...lang.functions import COMBINERS
from ...lang.nests.family import Family, State
from ...lang.nests.graph import family_of
from ...lang.nests.operation import Operation
from ...lang.types.dtypes import dtype
from ...lang.types.expr import Const
from ..leaves.conditions import reaches_beyond
from ..program.nodes import Block, Node
from .by_hand import OpenHole
from .edge import Child, Edge, Rewrite, RewriteRule, Word, require
from .tile import accumulating, can_accumulate


@dataclass(frozen=True)
class ToAccumulator(Rewrite):
    def edge(self, family: Family, target) -> Edge:
        require(bool(family.nest.combine), f"expected a reduction, found {family.operation.name}")
        require(not family.accumulate, "expected a Spec that overwrites its output; this one already accumulates")
        require(
            can_accumulate(family) and family.output.level > 0,
            f"expected an output in memory of dtype {family.accumulator}",
        )
        return Edge(
            self, lambda size: {}, ("free",), (Child(fill_family(family), carries=False), Child(accumulating(family)))
        )

    def node(self, state: State, parts: tuple[Node, ...], cost: float | None) -> Node:
        last = len(state.family.operands) - 1
        return Block(state, parts, ((last,), tuple(range(last + 1))), cost, self)

    def verb(self) -> str:
        return "to_accumulator"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word("sequence", (), "in sequence: fill y, then add to it", "fill, add")


def fill_family(family: Family) -> Family:
    """The fill that puts the combiner's identity into the output of `family`."""
    op = family.operation
    # an int stays one: the largest s64 is no float
    identity = COMBINERS[op.joins].identity(dtype(family.accumulator).numpy).item()
    dims = tuple(d for d in op.dims if d in op.output.dims)
    fill = Operation("fill", dims, (), op.output, Const(identity))
    return family_of(fill, (family.output,), family.accumulator)


def to_accumulator_edges(family: Family, target) -> list[Edge]:
    op = family.operation
    if not op.nest.combine or family.accumulate or not op.output.dims or reaches_beyond(family):
        return []
    if family.output.level == 0 or not can_accumulate(family):
        return []
    return [ToAccumulator().edge(family, target)]


def to_accumulator(hole: OpenHole) -> Rewrite:
    """A reduction as a fill of its output with the identity, then one that adds to it.

    Examples:
        >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable").to_accumulator()
        >>> len(s.holes)
        2
    """
    return ToAccumulator()


TO_ACCUMULATOR = RewriteRule(to_accumulator_edges, steps=(to_accumulator,))
