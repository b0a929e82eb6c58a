"""The declared space (docs/explanation/space.md), one point at a time, with plain ints: in what ways a program may
begin there.

It reads the same `edges` and `tilings` as the solver, and knows no block, no array and no Numba. Limits are in steps of
`limits.SHARES`, with an axis for a level only where it can bind. Tiles come from the ladders, operands fit their level,
and copies and fills find all caches free. Brute force (oracle.py) and the k best (kbest.py) walk it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

from ...lang.nests.access import Mesh
from ...lang.nests.family import Family, State
from ..program.nodes import Node
from ..rewrites import (
    PART,
    PARTS,
    SHARED,
    Parallel,
    Rewrite,
    Role,
    Tile,
    loop_features,
    share_edges,
    shared_grids,
    shared_tiles,
)
from ..rewrites.edge import Child, Edge, Tiling
from . import limits
from .graph import FamilyGraph

Extents = tuple[int, ...]
Limits = tuple[int, ...]  # a step of limits.SHARES for each level of limits.axes(target, home, family)
Point = tuple[Family, Extents, Limits]


class ParallelGoal(NamedTuple):
    """A Spec that several threads meet: in series, over them, or taken apart into goals again; if `shared`, over them
    alone. All memory is free. `along` is the dynamic dimension, if there is one."""

    family: Family
    sizes: Extents
    threads: int
    shared: bool = False
    along: str | None = None

    @property
    def state(self) -> State:
        return State(self.family, self.sizes)


SearchPlace = Point | ParallelGoal  # where a program begins
_Spec = tuple[Family, Extents]  # a point at any limits
_Tiled = tuple[int, _Spec]  # how often a loop runs a part


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to begin a program: `own` + the sum of times * cost over `parts`, each (times, the place it must meet).

    An edge has a part for each of its children. A loop has its body, its tail and its first iteration, or None. A loop
    over threads has its bodies by the mask of dimensions at their leftover; a leftover runs 0 times, because it is
    priced as a whole tile. The join of the parts of a shared reduction comes after the bodies. What packs a constant
    ahead of the call also runs 0 times. A part that runs 0 times has its best program, and is not varied.
    """

    rewrite: Rewrite
    own: float
    parts: tuple[tuple[int, SearchPlace] | None, ...]

    @property
    def priced(self) -> list[tuple[int, SearchPlace]]:
        """The parts that there are."""
        return [part for part in self.parts if part is not None]

    def cost(self, programs: tuple[Node | None, ...]) -> float:
        """With these programs of its parts, in cycles."""
        return self.own + sum(part[0] * program.cost for part, program in zip(self.parts, programs) if part is not None)

    def node(self, state: State, programs: tuple[Node | None, ...]) -> Node:
        """The program that begins so at `state`."""
        return self.rewrite.node(state, programs, self.cost(programs))


@dataclass(frozen=True, slots=True)
class _Left:
    """A child of an edge, at any limits: how often it runs, its Spec, and its number of limits. Then its limit index by
    that of the family (-1 where too little is left), and its role."""

    times: int
    family: Family
    sizes: Extents
    rank: int
    by_limit: list[int]
    role: Role

    def at(self, limit: int, threads: int) -> tuple[int, SearchPlace]:
        if threads > 1 and self.role != PART:
            return self.times, ParallelGoal(self.family, self.sizes, threads, self.role == SHARED)
        return self.times, (self.family, self.sizes, limits.steps(self.rank, self.by_limit[limit]))


class _Edged(NamedTuple):
    """An edge at sizes."""

    edge: Edge
    own: float
    parts: list[_Left]


class _Looped(NamedTuple):
    """A loop at sizes."""

    rewrite: Tile
    own: float
    parts: tuple[_Tiled | None, ...]


class Space:
    """The choices at each point, for one target, home level and set of ladders."""

    def __init__(self, target, home: int, ladders: dict, met: FamilyGraph | None = None):
        self.target, self.home, self.ladders = target, home, ladders
        self._families = met or FamilyGraph()
        self._at_edges: dict[_Spec, list[_Edged]] = {}
        self._at_loops: dict[_Spec, list[_Looped]] = {}
        self._holds: dict[_Spec, bool] = {}
        self._tiles: dict[tuple, bool] = {}
        self._sizes: dict[tuple[tuple[str, ...], Extents], Mesh] = {}

    @property
    def joins(self) -> bool:
        """Whether threads may share a reduction, and a copy: there is a ladder for its parts."""
        return PARTS in self.ladders

    def goal(self, family: Family, size: Mapping[str, int], threads: int, along: str | None = None) -> SearchPlace:
        """Where the programs of a goal begin: with one thread at a point, all memory free."""
        if threads == 1:
            return self.point(family, size)
        return ParallelGoal(family, in_order(family, size), threads, along=along)

    def point(self, family: Family, size: Mapping[str, int]) -> Point:
        """A family at these sizes, all memory free."""
        return family, in_order(family, size), self.free(family)

    def options(self, place: SearchPlace) -> Iterator[Choice]:
        """Each way to begin a program of a goal, or at a point."""
        if not isinstance(place, ParallelGoal):
            yield from self.choices(*place)
            return
        family, sizes, threads, shared, _ = place
        if not shared:
            yield from self.choices(family, sizes, self.free(family), threads)
        if shared or not family.ahead:
            yield from self.parallel(place.state, threads)
            yield from self.copies(place.state, threads)
            if even := even_share(place):
                yield self.over(place.state, even)

    def choices(self, family: Family, sizes: Extents, left: Limits, threads: int = 1) -> Iterator[Choice]:
        """Each way to begin a program in series at a point, or at a goal of several threads; none where an operand does
        not fit its level."""
        if not self.holds(family, sizes):
            return
        limit = limits.index(left)
        yield from filter(None, (_step(priced, limit, threads) for priced in self._edges(family, sizes)))
        yield from self.loops(family, sizes, left)

    def step(self, family: Family, edge: Edge, sizes: Extents, left: Limits, threads: int = 1) -> Choice | None:
        """The choice that an edge of the family is at a point, or at a goal of several threads, with no other one
        priced; None where it does not fit."""
        size = self._size(family.operation.dims, sizes)
        if not self.holds(family, sizes) or not edge.fit(size):
            return None
        return _step(self._priced(family, edge, size), limits.index(left), threads)

    def copies(self, state: State, threads: int) -> Iterator[Choice]:
        """A copy that is made for all threads, before what they share out. It is a goal again."""
        free = self.free(state.family)
        for edge in share_edges(state.family, self.target, threads) if self.joins else ():
            if choice := self.step(state.family, edge, state.sizes, free, threads):
                yield choice

    def loops(self, family: Family, sizes: Extents, left: Limits) -> Iterator[Choice]:
        """The choices that are loops."""
        for tiled in self._tilings(family, sizes):
            yield _loop(tiled, left)

    def loop(self, family: Family, dim: str, tile: int, sizes: Extents, left: Limits) -> Choice | None:
        """The choice of one loop at a point; None where the space has no such loop there."""
        size = self._size(family.operation.dims, sizes)
        found = [each for each in self.leaving(family)[1] if each.dim == dim]
        if not found or not self.holds(family, sizes) or tile not in self.ladders[dim].tiles:
            return None
        if tile >= size[dim] or not found[0].allowed(size[dim], tile):
            return None
        return _loop(self._tiled(family, found[0], tile, size), left)

    def parallel(self, state: State, threads: int) -> Iterator[Choice]:
        """Every parallel loop around a goal: two tiles or more. Where a reduction is shared out, the join of its parts
        comes last."""
        family, size = state.family, state.size
        for grid in shared_grids(family, size, self.joins):
            for tiles in product(*(shared_tiles(family, d, size[d], self.ladders[d].tiles, threads) for d in grid)):
                count = prod(-(-size[d] // t) for d, t in zip(grid, tiles))
                if count > 1:
                    yield self.over(state, Parallel(grid, tiles, threads))

    def over(self, state: State, loops: Parallel) -> Choice:
        """The choice that loops over threads are."""
        features, times = loops.terms(state, self.target)
        parts = (
            (n, (s.family, s.sizes, self.free(s.family))) if s else None
            for n, s in zip(times, loops.leaves(state, self.target))
        )
        return Choice(loops, float(self.target.cost(features)), tuple(parts))

    def may_share(self, family: Family, size: dict[str, int], loops: Parallel) -> bool:
        """Whether these loops are among those of `parallel`."""
        dims, tiles = loops.dims, loops.tiles
        if dims not in shared_grids(family, size, self.joins) or len(tiles) != len(dims):
            return False
        there = (
            type(t) is int and t in shared_tiles(family, d, size[d], self.ladders[d].tiles, loops.threads)
            for d, t in zip(dims, tiles)
        )
        return all(there) and any(t < size[d] for d, t in zip(dims, tiles))

    def leaving(self, family: Family) -> tuple[tuple[Edge, ...], tuple[Tiling, ...]]:
        """All edges and loops of a family."""
        node = self._families.node(family, self.target)
        return node.edges, node.tilings

    def _edges(self, family: Family, sizes: Extents) -> list[_Edged]:
        """The edges that fit at these sizes, each with its own cost and its parts."""
        key = family, sizes
        if key not in self._at_edges:
            size = self._size(family.operation.dims, sizes)
            self._at_edges[key] = [self._priced(family, e, size) for e in self.leaving(family)[0] if e.fit(size)]
        return self._at_edges[key]

    def _priced(self, family: Family, edge: Edge, size: dict[str, int]) -> _Edged:
        own = float(self.target.cost(edge.features(size)))
        return _Edged(edge, own, [self._part(family, child, size) for child in edge.children])

    def _part(self, family: Family, child: Child, size: dict[str, int]) -> _Left:
        below = limits.by_limit(self.target, self.home, family, child, size)
        rank = len(limits.axes(self.target, self.home, child.family))
        return _Left(child.runs(size), child.family, in_order(child.family, child.at(size)), rank, below, child.role)

    def _tilings(self, family: Family, sizes: Extents) -> list[_Looped]:
        """The loops there are at these sizes, each with its own cost and its parts: their limits are its own."""
        key = family, sizes
        if key not in self._at_loops:
            size = self._size(family.operation.dims, sizes)
            self._at_loops[key] = [
                self._tiled(family, tiling, tile, size)
                for tiling in self.leaving(family)[1]
                for tile in self.ladders[tiling.dim].tiles
                if tile < size[tiling.dim] and tiling.allowed(size[tiling.dim], tile)
            ]
        return self._at_loops[key]

    def _tiled(self, family: Family, tiling: Tiling, tile: int, size: dict[str, int]) -> _Looped:
        at = lambda f, n: (f, in_order(f, {**size, tiling.dim: n}))
        splits, later = tiling.rest is not None, tiling.rest or family
        trips, rest = divmod(size[tiling.dim], tile)
        body = (trips - splits, at(later, tile)) if trips > splits else None
        tail = (1, at(later, rest)) if rest else None
        first = (1, at(family, tile)) if splits else None
        own = float(self.target.cost(loop_features(family, tiling.dim, tile, self.target, size)))
        return _Looped(Tile(tiling.dim, tile), own, (body, tail, first))

    def holds(self, family: Family, sizes: Extents) -> bool:
        """Every operand fits the level it is at."""
        key = family, sizes
        if key not in self._holds:
            self._holds[key] = all(
                self._fits((family.operation.dims, sizes, *need)) for need in limits.needs(self.home, family)
            )
        return self._holds[key]

    def _fits(self, key: tuple) -> bool:
        """Whether a tile of an operand fits the level it is at. Many families share it."""
        if key not in self._tiles:
            dims, sizes, *need = key
            self._tiles[key] = bool(limits.fits(self.target, tuple(need), self._size(dims, sizes)))
        return self._tiles[key]

    def _size(self, dims: tuple[str, ...], sizes: Extents) -> Mesh:
        """Sizes by dimension, one object for all families that meet them: counts of an operand are kept there."""
        key = dims, sizes
        if key not in self._sizes:
            self._sizes[key] = Mesh(zip(dims, sizes))
        return self._sizes[key]

    def free(self, family: Family) -> Limits:
        """All memory free."""
        return (len(limits.SHARES) - 1,) * len(limits.axes(self.target, self.home, family))


def _step(priced: _Edged, limit: int, threads: int) -> Choice | None:
    """The choice that an edge is, of a goal with several threads; None where a child has too little memory left."""
    edge, own, parts = priced
    if any(part.by_limit[limit] < 0 for part in parts):
        return None
    return Choice(edge.rewrite, own, tuple(part.at(limit, threads) for part in parts))


def _loop(tiled: _Looped, left: Limits) -> Choice:
    rewrite, own, parts = tiled
    return Choice(rewrite, own, tuple(part and (part[0], (*part[1], left)) for part in parts))


def even_share(goal: ParallelGoal) -> Parallel | None:
    """The loop that gives each thread an equal share of a dynamic size: its ladder lacks such tiles."""
    family, dim = goal.family, goal.along
    if dim is None or family.ahead or dim in family.batch or dim not in family.operation.parallel:
        return None
    extent = goal.state.size[dim]
    share = -(-extent // goal.threads)
    return Parallel((dim,), (share,), goal.threads) if share < extent else None


def in_order(family: Family, size: Mapping[str, int]) -> Extents:
    """The sizes of a family's dimensions, in their order."""
    return tuple(size[d] for d in family.operation.dims)
