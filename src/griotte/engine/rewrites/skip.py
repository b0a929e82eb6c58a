"""Skip: what a causal mask hides is not computed: blocks of rows, each over the columns that its last row sees.

before  attention, causal, m=512 n=512
after   m 0..127 over n 0..127 ; m 128..255 over n 0..255 ; m 256..383 over n 0..383 ; m 384..511 over n 0..511

It stands above all but threads and batches, at the whole arrays: only there is a row's number known. Each block is a
goal again, which threads may share.

Down: the same by blocks of several heights. No search has it: the sizes of two dimensions that are one dynamic size
have programs that are made so (engine/search/bands.py).

before  attention, causal, m=100 n=100
after   m 0..63 over n 0..63 ; m 64..95 over n 0..95 ; m 96..99 over n 0..99
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate

from ...lang.nests.family import Family, State
from ...lang.nests.pending import WholeExtents
from ..idioms.causal import CausalStructure, at_whole, causal_structure, in_part
from ..program.nodes import Block, Node
from .by_hand import OpenHole, integer
from .edge import (
    GOAL,
    Child,
    Edge,
    Parts,
    Rewrite,
    RewriteRule,
    Word,
    annotating,
    extents_are,
    needed,
    require,
    resized,
    same,
)
from .steps import cuts

BLOCKS, UNIT = (2, 4, 8), 16  # into how many blocks rows are cut, each a multiple of so many
ENOUGH = 32  # rows of each of more than two blocks: fewer were not tried, and each block is a search of its own


@dataclass(frozen=True)
class Skip(Rewrite):
    """So many rows at a time; 0: all at once, and nothing is skipped."""

    rows: int
    outer = True

    def edge(self, family: Family, target) -> Edge:
        found = needed(
            causal_structure(family.operation),
            f"expected a graph of whole arrays with a causal mask, found {family.operation.name}",
        )
        may_be = (0, *_blocks(family, found))
        require(self.rows in may_be, f"expected {' or '.join(map(str, may_be))} rows at a time, found {self.rows}")
        inside = replace(family, operation=in_part(family.operation))
        if not self.rows:
            return annotating(self, inside)
        sizes = [found.size(self.rows, i) for i in range(found.blocks(self.rows))]
        children = tuple(Child(inside, role=GOAL, sizes=resized(each)) for each in sizes)
        fits = extents_are(zip((found.rows, found.columns), found.extents))
        return Edge(self, lambda size: {"loop": len(sizes)}, ("skip", found, self.rows), children, fits)

    def infeasibility(self, family: Family, target, size) -> str:
        return "expected all rows and columns of the arrays; skip before they are tiled"

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        if not self.rows:
            return same(state, parts, cost, self)
        found, every = causal_structure(state.family.operation), tuple(range(len(state.family.operands)))
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
        return f"{found.rows} by {self.rows}, each over the {found.columns} that its last sees"


def skips(family: Family) -> bool:
    """Whether it is still to be decided which parts are skipped."""
    return causal_structure(family.operation) is not None


def _sizes(family: Family) -> Iterator[tuple[str, int]]:
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

    Examples:
        >>> s = gt.schedule("attention(f32[1,256,16], f32[1,256,16], f32[1,256,16], causal=true)", "portable")
        >>> len(s.skip(64).holes)
        4
    """
    return Skip(integer("a number of rows", rows))


def _annotated(goal: Family, size: Mapping[str, int], target, threads: int) -> Family:
    return replace(goal, operation=at_whole(goal.operation, size))


SKIP = RewriteRule(skip_edges, steps=(skip,), sizes=_sizes, annotates=_annotated, undecided=True)


@dataclass(frozen=True)
class Down(Rewrite):
    """Blocks of `heights` rows, each over the columns that its last row sees."""

    rows: str
    columns: str
    heights: tuple[int, ...]
    outer = True

    def edge(self, family: Family, target) -> Edge:
        children = tuple(
            Child(family, role=GOAL, sizes=resized({self.rows: height, self.columns: end}))
            for height, end in zip(self.heights, accumulate(self.heights))
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
