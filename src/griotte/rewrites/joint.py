"""Joint: a large graph is searched as one: where windows slide over a tensor between its nests by blocks of rows alone (halo.py).

before  a large graph, which is else cut at whole arrays
after   the same graph, together, by blocks of 7 rows or of 28; or as it is

It stands above all else. By hand it says of any graph by what rows it is to be cut, before constants are placed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..program.nodes import Alias, Node
from ..spec.family import Family, State
from .adding import at_sums
from .batch import standing_whole
from .edge import GOAL, Child, Edge, require
from .halo import all_of, rows_of
from .rewrite import Parts, Rewrite, Word


@dataclass(frozen=True)
class Joint(Rewrite):
    """By blocks of one of so many `rows`; (0,): all at once."""

    rows: tuple[int, ...]
    outer = True

    def edge(self, family: Family, target) -> Edge:
        graph = family.operation
        if self.rows == (0,) and graph.is_large:
            return self._as_it_is(family, target)
        found = rows_of(family)
        require(found is not None, f"expected a graph of whole arrays with windows over what one of its nests gives, found {graph.name}")
        assert found is not None
        least = 1 if graph.is_large else 0
        require(all(least <= rows < found.extent for rows in self.rows), f"expected blocks of {least}..{found.extent - 1} rows of {found.extent}, found {', '.join(map(str, self.rows))}")
        require(all(map(found.is_sound, filter(None, self.rows))), f"expected blocks of rows that each need some of every tensor between, found {', '.join(map(str, self.rows))}")
        told = replace(family, operation=replace(graph, joint=True, blocks=self.rows))
        child = standing_whole(told, found.size, target) if graph.is_large else told
        extents = tuple(found.size.items())
        return Edge(self, lambda size: {}, ("joint", extents), (Child(child, role=GOAL),), lambda size: all_of(size[d] == extent for d, extent in extents))

    def _as_it_is(self, family: Family, target) -> Edge:
        graph = family.operation
        require(bool(graph.extents) and graph.is_covered, f"expected a graph of whole arrays that one search covers, found {graph.name}")
        size = dict(zip(graph.dims, graph.extents))
        child = at_sums(standing_whole(replace(family, operation=replace(graph, joint=True, blocks=(), extents=())), size, target), size, target)
        return Edge(self, lambda size: {}, ("joint", tuple(size.items())), (Child(child, role=GOAL),), lambda at: all_of(at[d] == extent for d, extent in size.items()))

    def misfit(self, family: Family, target, size) -> str:
        return "expected whole arrays; cut into blocks of rows before they are tiled"

    def node(self, state: State, parts: Parts, cost: float | None) -> Node:
        return Alias(state, parts[0], tuple(range(len(state.family.operands))), cost, self)

    @property
    def about(self) -> object:
        return self.rows

    def verb(self) -> str:
        return f"halo by {' or '.join(map(str, self.rows))}" if any(self.rows) else "together"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word("sequence", self.rows, "together, by blocks of rows" if any(self.rows) else "together", "together")

    def line(self, node: Node, target) -> str:
        return "together, by blocks of rows" if any(self.rows) else "together"


def joint_edges(family: Family, target) -> list[Edge]:
    graph = family.operation
    return [Joint(graph.blocks).edge(family, target)] if graph.is_large and graph.blocks else []
