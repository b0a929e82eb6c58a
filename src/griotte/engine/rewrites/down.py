"""Down: blocks of rows under a causal mask, one after the other, each over the columns up to its own end: a Skip by
blocks of several heights.

before  attention, causal, m=100 n=100
after   m 0..63 over n 0..63 ; m 64..95 over n 0..95 ; m 96..99 over n 0..99

No search has it: the sizes of two dimensions that are one dynamic size have programs that are made so
(engine/search/bands.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from ...lang.nests.family import Family, State
from ...lang.nests.pending import WholeExtents
from ..idioms.causal import causal_structure
from ..program.nodes import Block, Node
from .edge import GOAL, Child, Edge
from .rewrite import Parts, Rewrite, Word


@dataclass(frozen=True)
class _Until:
    """The sizes of a block of so many rows that ends there."""

    rows: str
    columns: str
    height: int
    end: int

    def __call__(self, size: Mapping[str, Any]) -> dict[str, Any]:
        return {**size, self.rows: self.height, self.columns: self.end}


@dataclass(frozen=True)
class Down(Rewrite):
    """Blocks of `heights` rows, each over the columns that its last row sees."""

    rows: str
    columns: str
    heights: tuple[int, ...]
    outer = True

    def edge(self, family: Family, target) -> Edge:
        ends = accumulate(self.heights)
        children = tuple(
            Child(family, role=GOAL, sizes=_Until(self.rows, self.columns, height, end))
            for height, end in zip(self.heights, ends)
        )
        return Edge(self, lambda size: {"loop": len(children)}, ("down", self), children)

    def node(self, state: State, parts: Parts, cost: float | None) -> Block:
        starts = tuple({self.rows: end - height} for height, end in zip(self.heights, accumulate(self.heights)))
        return Block(state, parts, (tuple(range(len(state.family.operands))),) * len(parts), cost, self, starts)

    def verb(self) -> str:
        return f"down {self.rows}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word(
            "sequence",
            self.heights,
            f"blocks of {self.rows}, each over the {self.columns} up to its end",
            f"down {self.rows}",
        )

    def line(self, node: Node, target) -> str:
        return (
            f"{self.rows} by {', '.join(map(str, dict.fromkeys(self.heights)))}, each over the {self.columns} that its"
            " last sees"
        )


def sees_down(family: Family, size: Mapping[str, int], rows: str, columns: str) -> bool:
    """Whether in arrays of equally many rows and columns each row sees the columns up to its own number alone."""
    graph = family.operation
    found = causal_structure(graph.annotated(WholeExtents(tuple(size[d] for d in graph.dims))))
    return found is not None and (found.rows, found.columns, found.offset) == (rows, columns, 0)
