"""Annotations of a goal that make its search larger: that a large graph is searched as one, and that loops may add to
an output.

Joint: a large graph is searched as one: where windows slide over a tensor between its nests by blocks of rows alone
(halo.py).

before  a large graph, which is else cut at whole arrays
after   the same graph, together, by blocks of 7 rows or of 28; or as it is

It stands above all else. By hand it says of any graph by what rows it is to be cut, before constants are placed.

Adding: a loop along a dimension that the last nest of a graph sums over adds to the output, so that a tile of each
intermediate is enough.

before  s = matmul(q, k) ; y = max_n s
after   the same graph, which may go on with: loop n by 1024 { s = matmul(q, k) ; y = max(y, max_n s) }

Such loops are as many Specs again, so the search has them only where they can gain (`at_sums`). That is where whole
rows of intermediates fit no near level, or where the output has too few elements for threads to share. By hand any
graph may have them, and says so here: an alias, which costs nothing and has no code of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, prod

from ...lang.nests.family import Family, State
from ...lang.nests.graph import Graph
from ...lang.nests.pending import Adds, AsOne, BlockRows, ShardCount, WholeExtents
from ..footprint import lines
from ..program.nodes import Node
from .batch import standing_whole
from .by_hand import OpenHole, Taken, integer
from .edge import GOAL, Child, Edge, Parts, Rewrite, RewriteRule, Word, annotating, extents_are, needed, require, same
from .halo import Halo, at_rows, rows_of, slides
from .parallel import tile
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
        if not family.operation.is_large:
            return self._at(*self._by_rows(family, 0))
        if self.rows == (0,):
            return self._as_it_is(family, target)
        size, told = self._by_rows(family, 1)
        return self._at(size, standing_whole(told, size, target))

    def _by_rows(self, family: Family, least: int) -> tuple[Mapping[str, int], Family]:
        """The sizes, and the family told by what rows, at least so many, it is cut into blocks."""
        graph = family.operation
        found = needed(
            rows_of(family),
            f"expected a graph of whole arrays with windows over what one of its nests gives, found {graph.name}",
        )
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
        return found.size, replace(family, operation=graph.annotated(AsOne(True), BlockRows(self.rows)))

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
    """A goal over whole arrays of these sizes, annotated with the rows by which it may be cut into blocks. A large goal
    without windows between its nests is annotated with being searched as one."""
    told = at_rows(family, size, target)
    graph = family.operation
    if told is not family or not graph.is_large or ShardCount.of(graph) or skips(family):
        return told
    whole = graph.annotated(WholeExtents(tuple(size[d] for d in graph.dims)), BlockRows((0,)))
    return replace(family, operation=whole) if _pays(family, size, target) else family


def _pays(family: Family, size: Mapping[str, int], target) -> bool:
    """Whether a large graph without blocks may be searched as one too. One search must cover its nests, and near lines
    for intermediates must be able to save a share of its time that is worth that search. The time is its arithmetic's
    or, where that takes longer, that of reading what comes in."""
    graph, home = family.operation, family.slowest
    saved = saved_near(graph, range(len(graph.nests) - 1), home, target)
    read = (
        sum(lines(access, operand, size, target.spans.line) for access, operand in zip(graph.inputs, family.operands))
        * target.coefficient[f"stream.{target.levels[home].name}"]
    )
    return graph.is_covered and saved > GAIN * max(read, sum(least_each(family, graph, size, target)))


def halo(hole: OpenHole, rows: int) -> Taken:
    """Cut a graph in which windows slide over a tensor between its nests into blocks of rows.

    Args:
        rows: of the output in a block, computed together with the rows that its windows meet; 0: not at all, and of
            a large graph that it is searched as one. Before all else at the whole arrays, but for constants.

    Examples:
        >>> x, w = "f32[1,4,64,64]", "f32[4,4,3,3]"
        >>> s = gt.schedule(f"conv2d(conv2d({x}, {w}, padding=1), {w}, padding=1)", "portable")
        >>> len(s.halo(16).holes) > 0
        True
    """
    graph, rewrite = hole.family.operation, Halo(integer("a number of rows", rows))
    is_told = slides(hole.family) and rewrite.rows in BlockRows.of(graph) and not hole.family.ahead
    if is_told or not hole.is_all:
        return rewrite
    joint = Joint((rewrite.rows,))
    whole = State(replace(hole.family, operation=graph.annotated(WholeExtents(hole.state.sizes))), hole.state.sizes)
    family = replace(hole, state=whole).leave(rewrite.verb(), joint).family
    waits = family.ahead or family.batch or not BlockRows.of(family.operation)
    return (whole, joint) if waits else (whole, joint, rewrite)


JOINT = RewriteRule(
    joint_edges,
    steps=(halo,),
    annotates=lambda goal, size, target, threads: as_one(goal, size, target),
    large=True,
    undecided=True,
)


# with as many a product has its other input from a cache at little cost; so many are counted of what lies between
ROWS = 16


@dataclass(frozen=True)
class Adding(Rewrite):
    """Loops along `dims` may add to the output."""

    dims: tuple[str, ...]

    def edge(self, family: Family, target) -> Edge:
        graph = family.operation
        require(not graph.is_lone, f"expected a graph of nests, found {graph.name}")
        require(
            not graph.is_large, "expected a graph that one search covers, found one that is cut at whole arrays first"
        )
        require(
            set(self.dims) <= set(graph.addable),
            f"expected what the last nest alone sums over ({' '.join(graph.addable) or 'there is none'}), found"
            f" {' '.join(self.dims)}",
        )
        return annotating(self, replace(family, operation=graph.annotated(Adds(self.dims))))

    def allow(self, hole) -> None:
        self.edge(hole.family, hole.target)

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        return same(state, parts, cost, self)

    def emits(self, family: Family) -> bool:
        return False

    def verb(self) -> str:
        return f"adding along {' '.join(self.dims)}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word("sequence", (), self.verb(), "adding")

    def line(self, node: Node, target) -> str:
        return f"tiles of {' '.join(self.dims)} may be added"


def at_sums(family: Family, size: Mapping[str, int], target, threads: int = 1) -> Family:
    """A goal over whole arrays of these sizes, annotated with the dimensions along which loops may add to its output,
    where that may gain."""
    graph = family.operation
    if graph.is_large or not graph.unplaced or not graph.addable:
        return family
    few = prod(size[d] for d in graph.output.dims) < threads
    room = max(
        (target.capacity_lines(level) * target.spans.line for level in target.places(family.slowest)), default=inf
    )
    found = tuple(d for d in graph.addable if few or _beside(graph, d, size) > room)
    return replace(family, operation=graph.annotated(Adds(found))) if found else family


def _beside(graph: Graph, dim: str, size: Mapping[str, int]) -> float:
    """Bytes of the largest intermediate along a dimension, of as many rows as a product needs."""
    between = (t for t in graph.unplaced if dim in graph.access(t).dims)
    rows = lambda t: prod(size[d] for d in graph.access(t).dims if d in graph.parallel)
    return max((graph.bytes[t] * min(1.0, ROWS / rows(t)) for t in between), default=0.0)


def split(hole: OpenHole, dim: str, size: int) -> Taken:
    """`tile` of a reduction: the first iteration writes the output, later ones add to it.

    Args:
        dim: a reduction; in a graph, one that its last nest sums over.
        size: elements of a tile along it.

    Examples:
        >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable").split("k", 16)
        >>> len(s.holes)
        2
    """
    operation, what = hole.family.operation, f"split of {dim}"
    reduction = operation.addable
    if dim not in reduction:
        hole.refuse(
            what,
            f"expected a reduction ({' '.join(reduction) or 'there is none'}), found {dim!r}; tile loops over the"
            " others",
        )
    if dim in operation.splits:
        return tile(hole, dim, size)
    adding = Adding(reduction)
    told = replace(hole, state=hole.leave(what, adding))
    return adding, tile(told, dim, size)
