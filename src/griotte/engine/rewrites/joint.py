"""Joint: a large graph is searched as one: where windows slide over a tensor between its nests by blocks of rows alone
(halo.py).

before  a large graph, which is else cut at whole arrays
after   the same graph, together, by blocks of 7 rows or of 28; or as it is

It stands above all else. By hand it says of any graph by what rows it is to be cut, before constants are placed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...lang.nests.family import Family, State
from ...lang.nests.pending import AsOne, BlockRows, ShardCount, WholeExtents
from ..footprint import lines
from ..program.nodes import Node
from .adding import at_sums
from .batch import standing_whole
from .by_hand import OpenHole, Taken, integer
from .edge import GOAL, Child, Edge, Parts, Rewrite, RewriteRule, Word, extents_are, needed, require, same
from .halo import Halo, at_rows, rows_of
from .skip import skips
from .worth import least_each, saved_near

# of the least time of a large graph: what lies between must cost as much for it to be searched as one besides. All of
# it is never saved
GAIN = 1 / 20


@dataclass(frozen=True)
class Joint(Rewrite):
    """By blocks of one of so many `rows`; (0,): all at once."""

    rows: tuple[int, ...]
    outer = True

    def edge(self, family: Family, target) -> Edge:
        graph = family.operation
        if self.rows == (0,) and graph.is_large:
            return self._as_it_is(family, target)
        found = needed(
            rows_of(family),
            f"expected a graph of whole arrays with windows over what one of its nests gives, found {graph.name}",
        )
        least = 1 if graph.is_large else 0
        require(
            all(least <= rows < found.extent for rows in self.rows),
            f"expected blocks of {least}..{found.extent - 1} rows of {found.extent}, found"
            f" {', '.join(map(str, self.rows))}",
        )
        require(
            all(map(found.is_sound, filter(None, self.rows))),
            "expected blocks of rows that each need some of every tensor between, found"
            f" {', '.join(map(str, self.rows))}",
        )
        told = replace(family, operation=graph.annotated(AsOne(True), BlockRows(self.rows)))
        return self._at(found.size, standing_whole(told, found.size, target) if graph.is_large else told)

    def _as_it_is(self, family: Family, target) -> Edge:
        graph = family.operation
        require(
            bool(WholeExtents.of(graph)) and graph.is_covered,
            f"expected a graph of whole arrays that one search covers, found {graph.name}",
        )
        size = dict(zip(graph.dims, WholeExtents.of(graph)))
        told = replace(family, operation=graph.annotated(AsOne(True), BlockRows(()), WholeExtents(())))
        return self._at(size, at_sums(standing_whole(told, size, target), size, target))

    def _at(self, size: Mapping[str, int], child: Family) -> Edge:
        extents = tuple(size.items())
        return Edge(self, lambda size: {}, ("joint", extents), (Child(child, role=GOAL),), extents_are(extents))

    def allow(self, hole) -> None:
        self.edge(hole.family, hole.target)

    def infeasibility(self, family: Family, target, size) -> str:
        return "expected whole arrays; cut into blocks of rows before they are tiled"

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        return same(state, parts, cost, self)

    def verb(self) -> str:
        return f"halo by {' or '.join(map(str, self.rows))}" if any(self.rows) else "together"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word("sequence", self.rows, "together, by blocks of rows" if any(self.rows) else "together", "together")

    def line(self, node: Node, target) -> str:
        return "together, by blocks of rows" if any(self.rows) else "together"


def joint_edges(family: Family, target) -> list[Edge]:
    rows = BlockRows.of(family.operation)
    return [Joint(rows).edge(family, target)] if rows else []


def as_one(family: Family, size: Mapping[str, int], target) -> Family:
    """A family over whole arrays of these sizes that is told by what rows it may be cut into blocks, or, large and
    without windows between its nests, that it may be searched as one."""
    told = at_rows(family, size, target)
    graph = family.operation
    if told is not family or not graph.is_large or ShardCount.of(graph) or skips(family):
        return told
    whole = graph.annotated(WholeExtents(tuple(size[d] for d in graph.dims)), BlockRows((0,)))
    return replace(family, operation=whole) if _pays(family, size, target) else family


def _pays(family: Family, size: Mapping[str, int], target) -> bool:
    """Whether a large graph without blocks may be searched as one too: one search covers its nests, and near lines for
    what lies between may save a share of its time that is worth that search: of its arithmetic or, where that takes
    longer, of reading what comes in."""
    graph, home = family.operation, family.slowest
    saved = saved_near(graph, range(len(graph.nests) - 1), home, target)
    read = (
        sum(lines(access, operand, size) for access, operand in zip(graph.inputs, family.operands))
        * target.coefficient[f"stream.{target.levels[home].name}"]
    )
    return graph.is_covered and saved > GAIN * max(read, sum(least_each(family, graph, size, target)))


def halo(hole: OpenHole, rows: int) -> Taken:
    """Cut a graph in which windows slide over a tensor between its nests into blocks of rows.

    Args:
        rows: of the output in a block, computed together with the rows that its windows meet; 0: not at all, and of
            a large graph that it is searched as one. Before all else at the whole arrays, but for constants.

    Example:
        >>> x, w = "f32[1,4,64,64]", "f32[4,4,3,3]"
        >>> s = gt.schedule(f"conv2d(conv2d({x}, {w}, padding=1), {w}, padding=1)", "portable")
        >>> len(s.halo(16).holes) > 0
        True
    """
    graph, rewrite = hole.family.operation, Halo(integer("a number of rows", rows))
    is_told = rewrite.rows in BlockRows.of(graph) and not graph.is_large and not hole.family.ahead
    if is_told or not hole.is_all:
        return rewrite
    joint = Joint((rewrite.rows,))
    whole = State(replace(hole.family, operation=graph.annotated(WholeExtents(hole.state.sizes))), hole.state.sizes)
    family = replace(hole, state=whole).leave(rewrite.verb(), joint).family
    waits = family.ahead or family.batch or not BlockRows.of(family.operation)
    return (whole, joint) if waits else (whole, joint, rewrite)


JOINT = RewriteRule(
    joint_edges, steps=(halo,), annotates=lambda goal, size, target, threads: as_one(goal, size, target), large=True
)
