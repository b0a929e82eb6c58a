"""What the tree of a program costs at other sizes of a dynamic dimension.

The trips and leftovers of loops over the dimension change, and so does the length of leaves that sum over it or run
along it. Copies, parts of a graph and the leftovers of loops may be other programs at each size.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...lang.nests.family import Family
from ...support.errors import NoProgramError
from ..leaves.forms import opens
from ..program.nodes import KernelCall, Loop, Move, Node, Pipeline, Rounds, children
from ..rewrites import (
    PART,
    SHARED,
    Child,
    Parallel,
    Role,
    accumulating,
    loop_features,
    parallel_cost,
    shared_lines,
    tilings,
)
from . import limits
from .along import CostsAlong
from .goals import Goals
from .rebuild import Rebuild
from .space import ParallelGoal, in_order


class Under(NamedTuple):
    """Which programs of a size compete: those under a memory limit, or those of a goal over threads."""

    limit: int
    role: Role = PART


class TreeCosts:
    """Prices trees at all sizes of `dim`, by so many threads, from a solved table.

    Attributes:
        along: what the best program of each size costs, under a memory limit.
        limits: the limit index that a loop over `dim`, or a part, was priced under, by its id: the rebuild keeps its
            nodes alive.
        lacking: the sizes at which a part's tree is of no use, by its id and role.
    """

    def __init__(self, rebuild: Rebuild, dim: str, threads: int):
        self.rebuild, self.dim, self.threads, self.goals = rebuild, dim, threads, Goals(rebuild)
        self.along = CostsAlong(rebuild, dim)
        self.target, self.home = rebuild.target, rebuild.table.home
        self.limits: dict[int, int] = {}
        self.lacking: dict[tuple[int, Role], set[int]] = {}

    def at(self, tree: Node, sizes: np.ndarray, i: int, under: Under) -> np.ndarray:
        """What a tree of size i costs at each size, inf where it is of no use."""
        found = self._costs(tree, np.append(sizes, sizes[i]), np.full(len(sizes) + 1, under.limit), under.role)[:-1]
        found[i] = tree.cost
        return found

    def best(self, family: Family, size: Mapping[str, int], under: Under) -> Node:
        """The program of least cost of a family at one size."""
        if under.role == PART:
            return self.rebuild.at(family, size, under.limit)
        return self.goals.best(ParallelGoal(family, in_order(family, size), self.threads, under.role == SHARED))

    def free(self, family: Family, role: Role = PART) -> Under:
        """All memory free."""
        return Under(limits.free(self.target, self.home, family), role)

    def _least(self, family: Family, size: Mapping[str, Any], extents: np.ndarray, under: Under) -> np.ndarray:
        """What the best program of each extent of the dimension costs: inf where there is none, nothing at 0."""
        if under.role == PART:
            found = np.zeros(len(extents))
            found[extents > 0] = self.along.at(family, size, extents[extents > 0], under.limit)
            return found
        cost = {0: 0.0}
        for n in set(extents.tolist()) - {0}:
            try:
                cost[n] = self.best(family, {**size, self.dim: n}, under).cost
            except NoProgramError:
                cost[n] = np.inf
        return np.array([cost[n] for n in extents.tolist()])

    def _costs(self, node: Node, sizes: np.ndarray, limit: np.ndarray, role: Role = PART) -> np.ndarray:
        """Cycles of the tree at each of `sizes` under the limit index beside it (-1: none is left), inf where it does
        not fit. The last of them is the size that the tree was found for."""
        if self.dim not in node.state.family.operation.dims:
            return np.where(limit >= 0, node.cost, np.inf)
        if self._is_fixed(node):
            return np.where(sizes == sizes[-1], node.cost, np.inf)
        if not isinstance(node, Loop):
            found = self._edge_costs(node, sizes, limit, role)
        elif node.threads > 1:
            found = self._parallel_costs(node, sizes)
        else:
            found = self._loop_costs(node, sizes, limit)
        return np.where(limit >= 0, found, np.inf)

    def _is_fixed(self, node: Node) -> bool:
        """Whether a node is written out for one size: leaves, unless their length along the dimension may be open; and
        nodes over other sizes."""
        match node:
            case KernelCall():
                kernel = next(k for k in self.target.kernels if k.name == node.kernel)
                return not opens(kernel, node.lane, node.state.family, self.dim)
            case Move(to=to, body=body) if to.level == 0:
                return self._is_fixed(body)
            case Loop():
                return False
            case Rounds(dim=dim) if dim == self.dim:
                return False
        return any(child.sizes is not None for child in node.rewrite.edge(node.state.family, self.target).children)

    # ---- edges -------------------------------------------------------------------------------------------------------

    def _edge_costs(self, node: Node, sizes: np.ndarray, limit: np.ndarray, role: Role) -> np.ndarray:
        edge, size = node.rewrite.edge(node.state.family, self.target), {**node.state.size, self.dim: sizes}
        total = np.zeros(len(sizes)) + self.target.cost(edge.features(size))
        for part, child in zip(children(node), edge.children):
            own = PART if role == PART else child.role
            if child.sizes is not None:
                costs_of: Any = partial(self._costs_of_round, child, size)
            else:
                costs_of = self._costs_of_part if may_differ(node, part) else self._costs
            total += costs_of(part, sizes, self._below(node, child, size, limit, own), own)
        return total if edge.fits is None else np.where(edge.fits(size), total, np.inf)

    def _below(self, node: Node, child: Child, size: dict[str, Any], limit: np.ndarray, role: Role) -> np.ndarray:
        """The limit index that a child finds: a goal finds all memory free."""
        if role != PART:
            return np.full(len(limit), self.free(child.family).limit)
        family = node.state.family
        return np.array(limits.below_each(self.target, self.home, family, child, size, limit.tolist()))

    def _costs_of_part(self, node: Node, sizes: np.ndarray, limit: np.ndarray, role: Role) -> np.ndarray:
        """`_costs` of a part that may differ: where its tree is of no use at a size, those of the best there, if as
        much memory is left."""
        found, family, own = self._costs(node, sizes, limit, role), node.state.family, int(limit[-1])
        lacking = ~np.isfinite(found) & (limit >= 0) & self._has_room(family, limit, own)
        if lacking.any():
            self.limits[id(node)] = own
            self.lacking.setdefault((id(node), role), set()).update(sizes[lacking].tolist())
            found[lacking] = self._least(family, node.state.size, sizes[lacking], Under(own, role))
        return found

    def _costs_of_round(
        self, child: Child, size: dict[str, Any], node: Node, sizes: np.ndarray, limit: np.ndarray, role: Role
    ) -> np.ndarray:
        """What a part of rounds costs in all, as the best program for each size that a round has."""
        family, at, own = child.family, child.at(size), int(limit[-1])
        self.limits[id(node)] = own
        times = np.broadcast_to(1 if child.times is None else child.times(size), sizes.shape)
        cost = self._least(family, at, np.where(times > 0, at[self.dim], 0), Under(own, role))
        found = np.array([count * each if count > 0 else 0.0 for count, each in zip(times.tolist(), cost.tolist())])
        return np.where((limit >= 0) & self._has_room(family, limit, own), found, np.inf)

    def _has_room(self, family: Family, limit: np.ndarray, own: int) -> np.ndarray:
        """Where at least as much of each level is left as at limit index `own`."""
        shape = limits.whole(limits.axes(self.target, self.home, family))
        if not shape:
            return limit >= 0
        here, needed = (np.array(np.unravel_index(index, shape)) for index in (np.maximum(limit, 0), own))
        return np.all(here >= needed[:, None], axis=0)

    # ---- loops -------------------------------------------------------------------------------------------------------

    def _loop_costs(self, node: Loop, sizes: np.ndarray, limit: np.ndarray) -> np.ndarray:
        family, dim, tile = node.state.family, node.dims[0], node.tiles[0]
        size = {**node.state.size, self.dim: sizes}
        overhead = self.target.cost(loop_features(family, dim, tile, self.target, size))
        if dim != self.dim:
            total = np.zeros(len(sizes)) + overhead
            for times, part in zip((node.trips() - (node.first is not None), 1, 1), (*node.bodies, node.first)):
                total += times * self._costs(part, sizes, limit) if part is not None else 0.0
            return total
        own = self.limits[id(node)] = int(limit[-1])
        trips, left = np.divmod(sizes, tile)
        tail = self._least(later_family(node), node.state.size, left, Under(own))
        found = overhead + self._whole_tiles(node, trips) + tail
        fits = (trips > 0) & self._has_room(family, limit, own) & self._may_loop(family, sizes, tile)
        return np.where(fits, found, np.inf)

    @staticmethod
    def _whole_tiles(node: Loop, trips: np.ndarray) -> np.ndarray:
        """What so many iterations cost; the first may be another program."""
        first, body = (np.inf if part is None else part.cost for part in (node.first, node.bodies[0]))
        if node.first is None:
            return trips * body
        return first + np.where(trips > 1, body, 0.0) * (trips - 1)

    def _may_loop(self, family: Family, sizes: np.ndarray, tile: int) -> np.ndarray:
        allowed = next((t.allowed for t in tilings(family) if t.dim == self.dim), lambda extent, tile: True)
        return np.array([n == tile or allowed(n, tile) for n in sizes.tolist()])

    def _parallel_costs(self, node: Loop, sizes: np.ndarray) -> np.ndarray:
        family, size = node.state.family, {**node.state.size, self.dim: sizes}
        inside = Parallel(node.dims, node.tiles, node.threads).inside(family)
        tiles: tuple[Any, ...] = node.tiles
        fits: Any = sizes > 0
        whole: Any = node.bodies[0].cost
        if is_even(node, self.dim):
            tiles = (-(-sizes // node.threads),)
            whole = self._least(inside, node.state.size, tiles[0], self.free(inside))
        elif self.dim in node.dims:
            fits = sizes >= node.tiles[node.dims.index(self.dim)]
        else:
            limit = np.full(len(sizes), self.free(inside).limit)
            bodies = [self._costs(body, sizes, limit) for body in node.bodies if body is not None]
            whole, fits = bodies[0], np.isfinite(bodies).all(axis=0)
        count = np.prod([-(-(np.zeros_like(sizes) + size[d]) // t) for d, t in zip(node.dims, tiles)], axis=0)
        lines = shared_lines(family, node.dims, tiles, size)
        cost = parallel_cost(self.target, count, node.threads, whole, lines)
        return np.where(fits & (count > 1), cost, np.inf)


def may_differ(node: Node, part: Node) -> bool:
    """Whether a part of a node may be another program at each size: a copy, or a part of a graph."""
    return isinstance(node, (Pipeline, Rounds)) or isinstance(node, Move) and part is node.copy


def is_even(node: Loop, dim: str) -> bool:
    """Whether a loop is over threads, each with an equal share of the dimension."""
    share = -(-node.state.size[dim] // node.threads)
    return node.threads > 1 and node.dims == (dim,) and dim not in node.state.family.batch and node.tiles[0] == share


def later_family(node: Loop) -> Family:
    """The family of all iterations of a loop but the first."""
    return node.state.family if node.first is None else accumulating(node.state.family)
