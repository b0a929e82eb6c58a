"""From decisions to a Program: top-down from the goal's point, one node per decision; equal Specs share one node."""

from __future__ import annotations

import json
from contextlib import suppress

import numpy as np

from ..errors import NoProgramError
from ..program.nodes import Loop, Node
from ..rewrites import (
    PARTS,
    Child,
    DoesNotApply,
    Edge,
    Parallel,
    child_state,
    edge_node,
    join_state,
    loop_node,
    parallel_cost,
    parallel_node,
    share_edges,
    shared_grids,
    shared_lines,
    shared_tiles,
)  # fmt: skip
from ..spec.family import Family, State
from ..table import NONE, TILE_CODE, TILE_SPAN, UNKNOWN, Table, digest
from . import limits
from .space import Space


class Unsolved(LookupError):
    """The table does not hold a Spec that a program needs."""


class Rebuild:
    """Reads programs out of a table, replaying costs from the decisions."""

    def __init__(self, table: Table):
        self.table, self.target = table, table.target
        self.space = Space(table.target, table.home, table.ladders)
        self._nodes: dict[tuple, Node] = {}

    def best(self, family: Family, sizes: dict[str, int]) -> Node:
        """The program of least cost with all memory free. NoProgramError when the space has none; Unsolved when the table
        does not know."""
        return self.at(family, sizes, limits.count(limits.axes(self.target, self.table.home, family)) - 1)

    def at(self, family: Family, sizes: dict[str, int], limit: int) -> Node:
        """The program of least cost under the memory limits of index `limit`."""
        return self._node(family, tuple(sizes[d] for d in family.operation.dims), limit)

    def around(self, edge: Edge, state: State, body: Node) -> Node:
        """The program that begins with an edge of a goal and goes on with `body`; what it copies besides is copied at least cost."""
        copies = [self.best(child.family, state.size) for child in edge.children if not child.carries]
        return edge_node(edge, state, self.target, (*copies, body))

    def _node(self, family: Family, sizes: tuple[int, ...], limit: int) -> Node:
        key = (family, sizes, limit)
        if key not in self._nodes:
            self._nodes[key] = self._make(State(family, sizes), limit)
        return self._nodes[key]

    def _make(self, state: State, limit: int) -> Node:
        code = self.table.decision(state.family, state.sizes, limit) if self.space.holds(state.family, state.sizes) else NONE  # boxes may lie where nothing fits
        if code == UNKNOWN:
            raise Unsolved(str(state))
        if code == NONE:
            raise NoProgramError(f"expected a program for {state}, found none in the space of target {self.target.name}; more registers or kernels are needed")
        if code >= TILE_CODE:
            return self._loop(state, limit, *divmod(code - TILE_CODE, TILE_SPAN))
        return self._edge(state, self.space.leaving(state.family)[0][code], limit)

    def _loop(self, state: State, limit: int, d: int, t: int) -> Node:
        dim = state.family.operation.dims[d]
        tile, extent = self.table.ladders[dim].tiles[t], state.size[dim]
        at = lambda family, size: self._node(family, (*state.sizes[:d], size, *state.sizes[d + 1 :]), limit)  # noqa: E731
        tiling = next(x for x in self.space.leaving(state.family)[1] if x.dim == dim)
        trips, left = divmod(extent, tile)
        family = tiling.rest or state.family
        first = at(state.family, tile) if tiling.rest else None
        body = at(family, tile) if trips > 1 or first is None else None
        tail = at(family, left) if left else None
        return loop_node(state, self.target, dim, tile, body, tail, first)

    def _edge(self, state: State, edge: Edge, limit: int) -> Node:
        return edge_node(edge, state, self.target, tuple(self._child(state, edge, child, limit) for child in edge.children))

    def _child(self, state: State, edge: Edge, child: Child, limit: int) -> Node:
        below = limits.below(self.target, self.table.home, state.family, edge, child, state.size, limit)
        return self._node(child.family, child_state(child, state).sizes, below)


def parallel_best(rebuild: Rebuild, family: Family, sizes: dict[str, int], threads: int) -> Node:
    """The goal's program of least cost, in series or over threads; constants are placed ahead of that."""
    if family.ahead:
        return _best_ahead(rebuild, family, sizes, threads)
    series, shared = rebuild.best(family, sizes), shared_best(rebuild, family, sizes, threads)
    return shared if shared is not None and shared.cost < series.cost else series


def shared_best(rebuild: Rebuild, family: Family, sizes: dict[str, int], threads: int) -> Node | None:
    """The goal's program of least cost that is shared out over threads, None where there is none: every grid of one or two dimensions,
    priced as the largest share of a thread in whole tiles and, where a reduction is among them, the join of its parts; and any
    of them after a copy that is made for all threads. The table remembers which."""
    table, dims = rebuild.table, family.operation.dims
    key = digest(f"{table.key(family)} {[sizes[d] for d in dims]} {threads} {[table.ladders[d].tiles for d in dims]}")
    known = _remembered(table.choice(key), rebuild, family, sizes, threads)
    if known is None:
        known, node = _cheapest_way(rebuild, family, sizes, threads)
        table.choose(key, json.dumps(known if isinstance(known, int) else [known.dims, known.tiles]))
        return node
    return _way(rebuild, family, sizes, threads, known)


def _way(rebuild: Rebuild, family: Family, sizes: dict[str, int], threads: int, way: Parallel | int) -> Node | None:
    """The program of a way to share out a goal: loops (None where they have no dimension), or the number of a copy that comes first."""
    if not isinstance(way, int):
        return _parallel_loop(rebuild, family, sizes, way) if way.dims else None
    edge = share_edges(family, rebuild.target, threads)[way]
    copy, body = edge.children
    after = shared_best(rebuild, body.family, sizes, threads)
    state = State(family, tuple(sizes[d] for d in family.operation.dims))
    return after and edge_node(edge, state, rebuild.target, (parallel_best(rebuild, copy.family, sizes, threads), after))


def _cheapest_way(rebuild: Rebuild, family: Family, sizes: dict[str, int], threads: int) -> tuple[Parallel | int, Node | None]:
    """The way of least cost, and its program."""
    ways = [_cheapest_grid(rebuild, family, sizes, threads)]
    if PARTS in rebuild.table.ladders:
        ways += range(len(share_edges(family, rebuild.target, threads)))
    best, node = ways[0], None
    for way in ways:
        with suppress(NoProgramError):  # of a copy; the loops may always take the input as it is given
            found = _way(rebuild, family, sizes, threads, way)
            if found is not None and (node is None or found.cost < node.cost):
                best, node = way, found
    return best, node


def _best_ahead(rebuild: Rebuild, family: Family, sizes: dict[str, int], threads: int) -> Node:
    """The first constant's place, chosen with the loops over threads that suit it best."""
    state, table, options = State(family, tuple(sizes[d] for d in family.operation.dims)), rebuild.table, rebuild.space.leaving(family)[0]
    key = digest(f"ahead {table.key(family)} {state.sizes} {threads} {[table.ladders[d].tiles for d in family.operation.dims]}")
    known = table.choice(key) or ""
    found: dict[int, Node] = {}
    for code in [int(known)] if known.isdecimal() and int(known) < len(options) else range(len(options)):
        edge = options[code]
        if edge.fit(sizes):
            with suppress(NoProgramError):  # of this place; the constant may always stay as it is given
                found[code] = rebuild.around(edge, state, parallel_best(rebuild, edge.body.family, sizes, threads))
    if not found:
        return rebuild.best(family, sizes)  # which says what is missing
    code = min(found, key=lambda code: found[code].cost)
    table.choose(key, str(code))
    return found[code]


def _remembered(value: str | None, rebuild: Rebuild, family: Family, sizes: dict[str, int], threads: int) -> Parallel | int | None:
    """The way to share out a goal that a table's text names; None where it names none that there is."""
    try:
        named = json.loads(value or "")
        if isinstance(named, int):
            return named if 0 <= named < len(share_edges(family, rebuild.target, threads)) else None
        dims, tiles = map(tuple, named)
        found = Parallel(dims, tiles, threads)
        if dims:
            found.check(family, sizes)
        return found
    except (ValueError, TypeError, DoesNotApply):
        return None


def _cheapest_grid(rebuild: Rebuild, family: Family, sizes: dict[str, int], threads: int) -> Parallel:
    """The parallel loops of least cost; of no dimensions where there are none."""
    least, best = np.inf, Parallel((), (), threads)
    for grid in shared_grids(family, sizes, PARTS in rebuild.table.ladders):
        tiles = _cheapest_tiles(rebuild, family, sizes, grid, threads)
        if tiles is not None and tiles[0] < least:
            least, best = tiles[0], Parallel(grid, tiles[1], threads)
    return best


def _cheapest_tiles(rebuild: Rebuild, family: Family, sizes, dims, threads: int) -> tuple[float, tuple[int, ...]] | None:
    """(cost, tile sizes) of the cheapest grid over `dims`; None when no tile of it was solved."""
    if family not in rebuild.table.costs:
        raise Unsolved(f"costs of {family.operation.name}")
    block = rebuild.table.costs.get(Parallel(dims, (), threads).inside(family))
    if block is None:
        return None
    grid, target = block.grid, rebuild.target
    options = [np.array(shared_tiles(family, d, sizes[d], rebuild.table.ladders[d].tiles, threads), np.int64) for d in dims]
    if not all(map(len, options)):
        return None
    mesh = [m.reshape(-1) for m in np.meshgrid(*options, indexing="ij")]
    points = np.zeros(len(mesh[0]), np.int64)
    for d, stride, ladder in zip(grid.dims, grid.strides, grid.ladders):
        points += int(stride) * (np.searchsorted(ladder.sizes, mesh[dims.index(d)]) if d in dims else ladder.index[sizes[d]])
    count = np.prod([-(-sizes[d] // t) for d, t in zip(dims, mesh)], axis=0)
    cost = block.cost_at(points, -1)
    shared = shared_lines(family, dims, mesh, sizes)
    value = np.where(count > 1, parallel_cost(target, count, threads, cost, shared), np.inf) + _join_costs(rebuild, family, sizes, dims, mesh)
    k = int(np.argmin(value))
    return float(value[k]), tuple(int(t[k]) for t in mesh)


def _join_costs(rebuild: Rebuild, family: Family, sizes, dims, mesh) -> np.ndarray | float:
    """What it costs to join the parts of a reduction among `dims`, for each choice of tiles."""
    dim = Parallel(dims, (), 0).split(family.operation)
    if dim is None:
        return 0.0
    state = State(family, tuple(sizes[d] for d in family.operation.dims))
    parts, which = np.unique(-(-sizes[dim] // mesh[dims.index(dim)]), return_inverse=True)
    joins = [join_state(state, int(n)) for n in parts]
    return np.array([rebuild.best(join.family, join.size).cost for join in joins])[which]


def _parallel_loop(rebuild: Rebuild, family: Family, sizes, loops: Parallel) -> Loop:
    state = State(family, tuple(sizes[d] for d in family.operation.dims))
    bodies = tuple(part and rebuild.best(part.family, part.size) for part in loops.parts(state))
    return parallel_node(state, rebuild.target, loops.dims, loops.tiles, loops.threads, bodies)
