"""Programs of goals for a team of threads: in series, or shared out by loops over one or two dimensions, which nothing
is around but constants that are placed and copies that are made for all threads; several of these, one after the
other.

The table holds no block for a loop over threads. Every grid is priced at once from the costs of the goal's family, and
the table remembers the choice.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from ...lang.nests.family import Family, State
from ...lang.nests.pending import ShardCount
from ...support.errors import NoProgramError
from ..program.nodes import Node
from ..rewrites import (
    Edge,
    Parallel,
    applied,
    child_state,
    edge_node,
    join_state,
    parallel_cost,
    share_edges,
    shared_grids,
    shared_lines,
    shared_tiles,
)
from ..table import Damaged, digest
from .decisions import placed_at, shared_at, split_at
from .graph import is_placed, is_split
from .rebuild import Rebuild, Unsolved

# to share out a goal: loops (of no dimensions where there are none), or the number of a copy that comes first
Sharing = Parallel | int


@dataclass(frozen=True)
class Team:
    """So many threads, and the table that their programs are read from."""

    rebuild: Rebuild
    threads: int
    known: dict[State, Node] = field(default_factory=dict)

    def best(self, family: Family, sizes: dict[str, int]) -> Node:
        """The goal's program of least cost, in series or over threads; constants are placed ahead of that."""
        if self.threads == 1:
            return self.rebuild.best(family, sizes)
        if not is_placed(family):
            return self._placed(family, sizes)
        series, others = self.rebuild.best(family, sizes), (self.shared(family, sizes), self._split(family, sizes))
        return min((series, *(node for node in others if node is not None)), key=lambda node: node.cost)

    # ---- over threads ------------------------------------------------------------------------------------------------

    def shared(self, family: Family, sizes: dict[str, int]) -> Node | None:
        """The goal's program of least cost that is shared out over threads, None where there is none: every grid of one
        or two dimensions, priced as the largest share of a thread in whole tiles and, where a reduction is among them,
        the join of its parts; and any of them after a copy that is made for all threads. The table remembers which."""
        state, table = _state(family, sizes), self.rebuild.table
        key = self._key("shared", state)
        text = table.choice(key)
        if text is None:
            way, node = self._cheapest_way(state)
            table.choose(key, json.dumps(way if isinstance(way, int) else [way.dims, way.tiles]))
            return node
        way = shared_at(self.rebuild.space, family, state.size, self.threads, text)
        try:
            node = self.along(state, way)
        except NoProgramError:
            node = None
        if node is None and way != self._loops((), ()):
            raise Damaged("a choice of loops over threads that have no program")
        return node

    # ---- graphs, by parts that are goals again -----------------------------------------------------------------------

    def _split(self, family: Family, sizes: dict[str, int]) -> Node | None:
        """The program of least cost of a graph whose nests are made one, or that is cut at a whole array: each part in
        series or over threads. The table remembers which."""
        if family.operation.is_lone or family.batch and not ShardCount.of(family.operation):
            return None
        state, table, options = _state(family, sizes), self.rebuild.table, self.rebuild.space.leaving(family)[0]
        key = self._key("split", state)
        ways = [code for code, edge in enumerate(options) if is_split(edge)]
        known = table.choice(key)
        if known is not None:
            way = split_at(ways, known)
            return None if way is None else self._parts(options[way], state)
        found = [(node.cost, code, node) for code in ways if (node := self._parts(options[code], state)) is not None]
        best = min(found, key=lambda way: way[:2], default=None)
        table.choose(key, "none" if best is None else str(best[1]))
        return None if best is None else best[2]

    def _parts(self, edge: Edge, state: State) -> Node | None:
        """The program that begins with an edge of a goal whose children are goals; None where there is none."""
        if not edge.fit(state.size):
            return None
        with suppress(NoProgramError):
            parts = tuple(
                self._best(part.family, part.size) for part in (child_state(child, state) for child in edge.children)
            )
            return edge_node(edge, state, self.rebuild.target, parts)
        return None

    def _best(self, family: Family, sizes: dict[str, int]) -> Node:
        """`best`, which is worked out once."""
        key = _state(family, sizes)
        if key not in self.known:
            self.known[key] = self.best(family, sizes)
        return self.known[key]

    # ---- constants ahead of all else ---------------------------------------------------------------------------------

    def _placed(self, family: Family, sizes: dict[str, int]) -> Node:
        """The first constant's place, chosen with the loops over threads that suit it best."""
        state, table, options = _state(family, sizes), self.rebuild.table, self.rebuild.space.leaving(family)[0]
        key = self._key("ahead", state)
        known = table.choice(key)
        found = self._places(state, options, range(len(options)) if known is None else [placed_at(options, known)])
        if not found and known is not None:
            raise Damaged("a choice of a constant's place that has no program")
        if not found:
            return self.rebuild.best(family, sizes)  # which says what is missing
        code = min(found, key=lambda code: found[code].cost)
        if known is None:
            table.choose(key, str(code))
        return found[code]

    def _places(self, state: State, options: tuple[Edge, ...], codes) -> dict[int, Node]:
        """The programs of some of the places of a constant, by number, where there are any."""
        found = {}
        for code in codes:
            edge = options[code]
            if edge.fit(state.size):
                with suppress(NoProgramError):  # of this place; the constant may always stay as it is given
                    body = child_state(edge.body, state)
                    found[code] = self.rebuild.around(edge, state, self.best(body.family, body.size))
        return found

    # ---- ways to share out a goal ------------------------------------------------------------------------------------

    def along(self, state: State, way: Sharing) -> Node | None:
        """The program of a way to share out a goal; None where its loops have no dimension, or its copy does not
        fit."""
        if not isinstance(way, int):
            return self._loop(state, way) if way.dims else None
        edge = share_edges(state.family, self.rebuild.target, self.threads)[way]
        if not edge.fit(state.size):
            return None
        copy, body = edge.children
        after = self.shared(body.family, state.size)
        return after and edge_node(edge, state, self.rebuild.target, (self.best(copy.family, state.size), after))

    def _copies(self, state: State) -> range:
        """The copies for all threads that may come first, by number."""
        return range(
            len(share_edges(state.family, self.rebuild.target, self.threads)) if self.rebuild.space.joins else 0
        )

    def _cheapest_way(self, state: State) -> tuple[Sharing, Node | None]:
        """The way of least cost, and its program."""
        best: Sharing = self._loops((), ())
        node = None
        for way in (self.grid(state), *self._copies(state)):
            with suppress(NoProgramError):  # of a copy; the loops may always take the input as it is given
                found = self.along(state, way)
                if found is not None and (node is None or found.cost < node.cost):
                    best, node = way, found
        return best, node

    def grid(self, state: State) -> Parallel:
        """The parallel loops of least cost; of no dimensions where there are none."""
        least, best = np.inf, self._loops((), ())
        for dims in shared_grids(state.family, state.size, self.rebuild.space.joins):
            found = self._cheapest_tiles(state, dims)
            if found is not None and found[0] < least:
                least, best = found[0], self._loops(dims, found[1])
        return best

    def _cheapest_tiles(self, state: State, dims: tuple[str, ...]) -> tuple[float, tuple[int, ...]] | None:
        """(cost, tile sizes) of the cheapest grid over `dims`; None when there is no tile of it to share."""
        family, sizes, table = state.family, state.size, self.rebuild.table
        if family not in table.costs:
            raise Unsolved(f"costs of {family.operation.name}")
        options = [
            np.array(shared_tiles(family, d, sizes[d], table.ladders[d].tiles, self.threads), np.int64) for d in dims
        ]
        if not all(map(len, options)):
            return None
        tiles = dict(zip(dims, (m.reshape(-1) for m in np.meshgrid(*options, indexing="ij"))))
        count = np.prod([-(-sizes[d] // t) for d, t in tiles.items()], axis=0)
        cost = parallel_cost(
            self.rebuild.target,
            count,
            self.threads,
            self._whole_tiles(state, tiles),
            shared_lines(family, dims, tuple(tiles.values()), sizes),
        )
        value = np.where(count > 1, cost, np.inf) + self._join_costs(state, tiles)
        k = int(np.argmin(value))
        return float(value[k]), tuple(int(t[k]) for t in tiles.values())

    def _whole_tiles(self, state: State, tiles: dict[str, np.ndarray]) -> np.ndarray:
        """What a whole tile costs, for each choice of tiles."""
        block = self.rebuild.table.costs[self._loops(tuple(tiles), ()).inside(state.family)]
        points = np.zeros(len(next(iter(tiles.values()))), np.int64)
        for d, stride, ladder in zip(block.grid.dims, block.grid.strides, block.grid.ladders):
            points += int(stride) * (
                np.searchsorted(ladder.sizes, tiles[d]) if d in tiles else ladder.index[state.size[d]]
            )
        return block.cost_at(points, -1)

    def _join_costs(self, state: State, tiles: dict[str, np.ndarray]) -> np.ndarray | float:
        """What it costs to join the parts of a reduction that is shared out, for each choice of tiles."""
        dim = self._loops(tuple(tiles), ()).split(state.family.operation)
        if dim is None:
            return 0.0
        parts, which = np.unique(-(-state.size[dim] // tiles[dim]), return_inverse=True)
        joins = [join_state(state, int(n)) for n in parts]
        return np.array([self.rebuild.best(join.family, join.size).cost for join in joins])[which]

    def _loop(self, state: State, loops: Parallel) -> Node:
        bodies = tuple(self.rebuild.best(part.family, part.size) if part else None for part in loops.leaves(state))
        return applied(loops, state, self.rebuild.target, bodies)

    def _loops(self, dims: tuple[str, ...], tiles: tuple[int, ...]) -> Parallel:
        return Parallel(dims, tiles, self.threads)

    def _key(self, what: str, state: State) -> str:
        """Of a choice in the table."""
        return digest(
            f"{what} {self.rebuild.table.key(state.family)} {state.sizes} {self.threads} {self._tiles(state.family)}"
        )

    def _tiles(self, family: Family) -> list[list[int]]:
        """The tiles that there are of each dimension: a choice holds for these alone."""
        return [self.rebuild.table.ladders[d].tiles for d in family.operation.dims]


def _state(family: Family, sizes: dict[str, int]) -> State:
    return State(family, tuple(sizes[d] for d in family.operation.dims))
