"""Skip: what a causal mask hides is not computed: blocks of rows, each over the columns that its last row sees.

before  attention, causal, m=512 n=512
after   m 0..127 over n 0..127 ; m 128..255 over n 0..255 ; m 256..383 over n 0..383 ; m 384..511 over n 0..511

It stands above all but threads and batches, at the whole arrays: only there is a row's number known. Each block is a
goal again, which threads may share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...lang.nests.family import Family, State
from ..idioms.causal import CausalStructure, causal_structure, in_part
from ..program.nodes import Block, Node
from .by_hand import OpenHole, integer
from .edge import GOAL, Child, Edge, require
from .rewrite import Parts, Rewrite, RewriteRule, Word, same
from .steps import cuts

BLOCKS, UNIT = (2, 4, 8), 16  # into how many blocks rows are cut, each a multiple of so many
ENOUGH = 32  # rows of each of more than two blocks: fewer were not tried, and each block is a search of its own


@dataclass(frozen=True)
class _Step:
    """The sizes of one block of rows."""

    causal: CausalStructure
    rows: int
    i: int

    def __call__(self, size: Mapping[str, Any]) -> dict[str, Any]:
        return {**size, **self.causal.size(self.rows, self.i)}


@dataclass(frozen=True)
class Skip(Rewrite):
    """So many rows at a time; 0: all at once, and nothing is skipped."""

    rows: int
    outer = True

    def edge(self, family: Family, target) -> Edge:
        found = causal_structure(family.operation)
        require(
            found is not None, f"expected a graph of whole arrays with a causal mask, found {family.operation.name}"
        )
        assert found is not None
        may_be = (0, *_blocks(family, found))
        require(self.rows in may_be, f"expected {' or '.join(map(str, may_be))} rows at a time, found {self.rows}")
        inside = replace(family, operation=in_part(family.operation))
        if not self.rows:
            return Edge(self, lambda size: {}, ("free",), (Child(inside, role=GOAL),))
        count = found.blocks(self.rows)
        children = tuple(Child(inside, role=GOAL, sizes=_Step(found, self.rows, i)) for i in range(count))
        return Edge(
            self,
            lambda size: {"loop": count},
            ("skip", found, self.rows),
            children,
            lambda size: (size[found.rows] == found.extents[0]) & (size[found.columns] == found.extents[1]),
        )

    def infeasibility(self, family: Family, target, size) -> str:
        return "expected all rows and columns of the arrays; skip before they are tiled"

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        if not self.rows:
            return same(state, parts, cost, self)
        found, every = causal_structure(state.family.operation), tuple(range(len(state.family.operands)))
        assert found is not None
        return Block(
            state, parts, (every,) * len(parts), cost, self, tuple(found.start(self.rows, i) for i in range(len(parts)))
        )

    def verb(self) -> str:
        return f"skip by {self.rows}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        what = f"skip what is hidden of {self.rows} rows at a time" if self.rows else "skip nothing"
        return Word("sequence", (self.rows,), what, f"skip {self.rows}")

    def line(self, node: Node, target) -> str:
        if not self.rows:
            return "every row over all columns"
        found = causal_structure(node.state.family.operation)
        assert found is not None
        return f"{found.rows} by {self.rows}, each over the {found.columns} that its last sees"


def skips(family: Family) -> bool:
    """Whether it is still to be said what is skipped."""
    return causal_structure(family.operation) is not None


def part_sizes(family: Family) -> Iterator[tuple[str, int]]:
    """The sizes of dimensions that blocks of rows have."""
    found = causal_structure(family.operation)
    for rows in blocks(found) if found is not None else ():
        yield from (size for i in range(found.blocks(rows)) for size in found.size(rows, i).items())


def blocks(found: CausalStructure) -> list[int]:
    """The rows of a block that there may be, most first."""
    extent = found.extents[0]
    most = max(count for count in BLOCKS if count * ENOUGH <= extent or count == min(BLOCKS))
    least = -(-extent // (most * UNIT)) * UNIT
    return [rows for count in BLOCKS if count <= most and (rows := least * most // count) < extent]


def _blocks(family: Family, found: CausalStructure) -> list[int]:
    """Those of the blocks that begin where panels of a packed operand do."""
    return [rows for rows in blocks(found) if not cuts(family, found.rows, rows)]


def skip_edges(family: Family, target) -> list[Edge]:
    found = causal_structure(family.operation)
    return [Skip(rows).edge(family, target) for rows in (0, *_blocks(family, found))] if found is not None else []


def skip(hole: OpenHole, rows: int) -> Rewrite:
    """Cut the rows of a graph with a causal mask into blocks, each over the columns that its last row sees.

    Args:
        rows: of a block; 0: not at all. Before all else at the whole arrays.

    Example:
        >>> s = gt.schedule("attention(f32[1,256,16], f32[1,256,16], f32[1,256,16], causal=true)", "portable")
        >>> len(s.skip(64).holes)
        4
    """
    return Skip(integer("a number of rows", rows))


SKIP = RewriteRule(skip_edges, steps=(skip,))
