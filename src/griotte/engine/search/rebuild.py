"""From decisions to a Program: top-down from the goal's point, one node per decision; equal Specs share one node.

A table file is data from outside, so each decision is checked before it is used: Damaged where it is none of the
space's choices. (A solver checks a whole family at once: it replays the costs, and an impossible decision has none.)
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from ...lang.nests.family import Family, State
from ...support.errors import NoProgramError
from ..program.nodes import Node
from ..rewrites import Edge, Tile, Tiling, applied, child_state, edge_node
from ..table import NONE, TILE_CODE, TILE_SPAN, UNKNOWN, Damaged, Table
from . import limits
from .graph import FamilyGraph
from .space import Space


class Unsolved(LookupError):
    """The table does not hold a Spec that a program needs."""


class Rebuild:
    """Reads programs out of a table, replaying costs from the checked decisions. `met` are families that were met
    before."""

    def __init__(self, table: Table, met: FamilyGraph | None = None):
        self.table, self.target = table, table.target
        self.space = Space(table.target, table.home, table.ladders, met)
        self._nodes: dict[tuple, Node] = {}

    def best(self, family: Family, sizes: dict[str, int]) -> Node:
        """The program of least cost with all memory free. NoProgramError when the space has none; Unsolved when the
        table does not know."""
        return self.at(family, sizes, limits.free(self.target, self.table.home, family))

    def least(self, family: Family, sizes: dict[str, int]) -> float:
        """What the program of least cost takes with all memory free: inf when the space has none."""
        try:
            return self.best(family, sizes).cost
        except NoProgramError:
            return inf

    def at(self, family: Family, sizes: Mapping[str, int], limit: int) -> Node:
        """The program of least cost under the memory limits of index `limit`."""
        return self._node(family, tuple(sizes[d] for d in family.operation.dims), limit)

    def around(self, edge: Edge, state: State, body: Node) -> Node:
        """The program that begins with an edge of a goal and goes on with `body`; what it copies besides is copied at
        least cost."""
        copies = [
            self.best(part.family, part.size)
            for part in (child_state(child, state) for child in edge.children if not child.carries)
        ]
        return edge_node(edge, state, self.target, (*copies, body))

    def _node(self, family: Family, sizes: tuple[int, ...], limit: int) -> Node:
        key = (family, sizes, limit)
        if key not in self._nodes:
            self._nodes[key] = self._make(State(family, sizes), limit)
        return self._nodes[key]

    def _make(self, state: State, limit: int) -> Node:
        code = NONE
        if self.space.holds(state.family, state.sizes):  # boxes may lie where nothing fits
            code = self.table.decision(
                state.family, state.sizes, limits.axes(self.target, self.table.home, state.family), limit
            )
        if code == UNKNOWN:
            raise Unsolved(str(state))
        if code == NONE:
            raise NoProgramError(
                f"expected a program for {state}, found none in the space of target {self.target.name}; more registers"
                " or kernels are needed"
            )
        try:
            return self._loop(state, limit, code) if code >= TILE_CODE else self._edge(state, limit, code)
        except NoProgramError:
            raise Damaged(f"a decision for {state} that leaves what has no program") from None

    def _loop(self, state: State, limit: int, code: int) -> Node:
        tiling, tile = loop_at(self.space, state, code)
        loop = Tile(tiling.dim, tile)
        return applied(
            loop,
            state,
            self.target,
            tuple(
                self._node(part.family, part.sizes, limit) if part else None for part in loop.leaves(state, self.target)
            ),
        )

    def _edge(self, state: State, limit: int, code: int) -> Node:
        edge, left = edge_at(self.space, state, limit, code)
        return edge_node(
            edge, state, self.target, tuple(self._node(part.family, part.sizes, below) for part, below in left)
        )


def edge_at(space: Space, state: State, limit: int, code: int) -> tuple[Edge, list[tuple[State, int]]]:
    """The edge that a decision names, and what it leaves: the Spec of each child, and its limit index."""
    edge = edge_of(space, state, code)
    if not edge.fit(state.size):
        raise Damaged(f"an edge that does not fit {state}")
    left = [
        (child_state(child, state), limits.below(space.target, space.home, state.family, child, state.size, limit))
        for child in edge.children
    ]
    if not all(below >= 0 and space.holds(part.family, part.sizes) for part, below in left):
        raise Damaged(f"an edge that takes more memory than is left, for {state}")
    return edge, left


def edge_of(space: Space, state: State, code: int) -> Edge:
    """The edge that a decision names, of a family that has it."""
    edges = space.leaving(state.family)[0]
    if not 0 <= code < len(edges):
        raise Damaged(f"decision {code} for {state}, which has {len(edges)} edges")
    return edges[code]


def loop_at(space: Space, state: State, code: int) -> tuple[Tiling, int]:
    """The loop that a decision names, and its tile."""
    d, t = divmod(code - TILE_CODE, TILE_SPAN)
    dim = dict(enumerate(state.family.operation.dims)).get(d)
    tiling = next((tiling for tiling in space.leaving(state.family)[1] if tiling.dim == dim), None)
    tiles = space.ladders[dim].tiles if tiling is not None else ()
    if t >= len(tiles) or tiles[t] >= state.size[dim] or not tiling.allowed(state.size[dim], tiles[t]):
        raise Damaged(f"decision {code} for {state}, a loop that it does not have")
    return tiling, tiles[t]
