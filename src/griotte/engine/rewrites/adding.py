"""Adding: a loop along what the last nest of a graph sums over adds to the output, so that of what lies between the
nests a tile is enough.

before  s = matmul(q, k) ; y = max_n s
after   the same graph, which may go on with: loop n by 1024 { s = matmul(q, k) ; y = max(y, max_n s) }

Such loops are as many Specs again, so the search has them where they can gain (`at_sums`): where whole rows of what
lies between fit no near level, or where the output has too few elements for threads to share. By hand any graph may
have them, and says so here: an alias, which costs nothing and has no code of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, prod

from ...lang.nests.family import LINE, Family, State
from ...lang.nests.graph import Graph
from ...lang.nests.pending import Adds
from ..program.nodes import Node
from .by_hand import OpenHole, Taken
from .edge import Edge, Parts, Rewrite, Word, annotating, require, same
from .parallel import tile

# with as many a product has its other input from a cache at little cost; so many are counted of what lies between
ROWS = 16


@dataclass(frozen=True)
class Adding(Rewrite):
    """Loops along `dims` may add to the output."""

    dims: tuple[str, ...]

    def edge(self, family: Family, target) -> Edge:
        graph = family.operation
        require(graph.held, f"expected a graph of nests, found {graph.name}")
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
    """A family over whole arrays of these sizes that is told along which dimensions loops may add to its output, where
    such may gain."""
    graph = family.operation
    if graph.is_large or not graph.unplaced or not graph.addable:
        return family
    few = prod(size[d] for d in graph.output.dims) < threads
    room = max((target.capacity_lines(level) * LINE for level in target.places(family.slowest)), default=inf)
    found = tuple(d for d in graph.addable if few or _beside(graph, d, size) > room)
    return replace(family, operation=graph.annotated(Adds(found))) if found else family


def _beside(graph: Graph, dim: str, size: Mapping[str, int]) -> float:
    """Bytes of the largest tensor between along a dimension, of as many rows as a product needs."""
    between = (t for t in graph.unplaced if dim in graph.access(t).dims)
    rows = lambda t: prod(size[d] for d in graph.access(t).dims if d in graph.parallel)
    return max((graph.bytes[t] * min(1.0, ROWS / rows(t)) for t in between), default=0.0)


def split(hole: OpenHole, dim: str, size: int) -> Taken:
    """`tile` of a reduction: the first iteration writes the output, later ones add to it.

    Args:
        dim: a reduction; of a graph, of what its last nest sums over.
        size: elements of a tile along it.

    Example:
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
