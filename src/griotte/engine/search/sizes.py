"""Programs for every size of a dynamic dimension, from one solved table: few trees, each for the sizes that it suits.

A tree found for one size serves another where it differs in the trips and leftovers of loops over the dimension alone,
in the length of leaves that sum over it or run along it, and in copies and parts of a graph that are of one size: of
those each size has a choice of its own, where several threads meet them over these again. The sizes are covered with
few trees, so that none costs more than `SLACK` times what it costs alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...lang.nests.family import Family, State
from ...support.errors import NoProgramError
from ..leaves.forms import opens
from ..program.nodes import Alias, Block, BySize, KernelCall, Loop, Move, Node, Pipeline, Rounds, Seen, children
from ..rewrites import (
    GOAL,
    PART,
    SHARED,
    Child,
    Parallel,
    accumulating,
    loop_features,
    parallel_cost,
    shared_lines,
    tilings,
)
from . import limits
from .goals import Goals
from .rebuild import Rebuild
from .space import ParallelGoal, in_order

SLACK = 1.05


class Under(NamedTuple):
    """What the program of a size is the best of: of those under a memory limit, or of a goal's over threads."""

    limit: int
    role: str = PART  # see `rewrites.edge`


class SizePrograms:
    """Reads the programs of all sizes of `dim` by so many threads out of a solved table."""

    def __init__(self, rebuild: Rebuild, dim: str, threads: int = 1):
        self.rebuild, self.dim, self.threads, self.goals = rebuild, dim, threads, Goals(rebuild)
        self.target, self.home = rebuild.target, rebuild.table.home
        # that a loop over `dim`, or a part, finds, by its id: the rebuild keeps its nodes alive
        self._limits: dict[int, int] = {}
        # the sizes at which a part's tree is of no use, by its id and what it stands for
        self._lacking: dict[tuple[int, str], set[int]] = {}
        self._known: dict[tuple, BySize] = {}

    def goal(self, family: Family, size: dict[str, int], sizes: tuple[int, ...]) -> Node:
        """The programs of a goal at all `sizes`. A constant is packed once for all of them, so that the size which that
        suits least loses least; what it loses counts as part of the slack."""
        best = self._each(family, size, sizes)
        return self._placed(best, family, size, sizes, {n: node.cost for n, node in best.items()})

    def _placed(
        self,
        best: dict[int, Node],
        family: Family,
        size: dict[str, int],
        sizes: tuple[int, ...],
        least: dict[int, float],
    ) -> Node:
        """The programs of a goal whose best are known; `least` is what each size costs with its constants packed as
        suits it alone."""
        if not family.ahead:
            under = self._free(family, GOAL if self.threads > 1 else PART)
            return self._covered(self._state(family, size, sizes), best, under, SLACK, least)
        places = {}
        for edge in self.rebuild.space.leaving(family)[0]:
            if edge.fit(size):
                with suppress(NoProgramError):  # of this place; a constant may always stay as it is given
                    places[edge] = self._each(edge.body.family, size, sizes)
        if not places:
            raise NoProgramError(
                f"expected a place of x{family.ahead[0]} with a program at every size, found none in the space of"
                f" target {self.target.name}"
            )
        edge = min(places, key=lambda edge: max(node.cost / least[n] for n, node in places[edge].items()))
        body = self._placed(places[edge], edge.body.family, size, sizes, least)
        return self.rebuild.around(edge, self._state(family, size, sizes), body)

    def _each(self, family: Family, size: dict[str, int], sizes: tuple[int, ...]) -> dict[int, Node]:
        """The program of least cost of a goal at each size alone."""
        return {n: self.goals.of(family, {**size, self.dim: n}, self.threads, self.dim) for n in sizes}

    def _best(self, family: Family, size: dict[str, int], under: Under) -> Node:
        if under.role == PART:
            return self.rebuild.at(family, size, under.limit)
        return self.goals.best(ParallelGoal(family, in_order(family, size), self.threads, under.role == SHARED))

    def _free(self, family: Family, role: str = PART) -> Under:
        """All memory free."""
        return Under(limits.free(self.target, self.home, family), role)

    def _by_size(
        self, family: Family, size: dict[str, int], sizes: tuple[int, ...], under: Under, slack: float
    ) -> BySize:
        """The programs of what a loop leaves over, or of a part."""
        key = (self._state(family, size, sizes), sizes, under, slack)
        if key not in self._known:
            self._known[key] = self.by_size(family, size, dict.fromkeys(sizes, 1.0), under, slack)
        return self._known[key]

    def by_size(
        self, family: Family, size: dict[str, int], sizes: dict[int, float], under: Under, slack: float
    ) -> BySize:
        """The programs of a family at some sizes; with each size by how much more its tree may cost there."""
        best = {n: self._best(family, {**size, self.dim: n}, under) for n in sizes}
        return self._covered(
            self._state(family, size, sizes), best, under, slack, {n: more * best[n].cost for n, more in sizes.items()}
        )

    def _state(self, family: Family, size: dict[str, int], sizes) -> State:
        return State(family, tuple(max(sizes) if d == self.dim else size[d] for d in family.operation.dims))

    # ---- the cover ---------------------------------------------------------------------------------------------------

    def _covered(
        self, state: State, best: dict[int, Node], under: Under, slack: float, least: dict[int, float] | None = None
    ) -> BySize:
        """Half of the slack, over `least` where that is below the best's costs, is for the tree of a size, the other
        half for the leftovers in it."""
        sizes, half = np.array(sorted(best)), slack**0.5
        lowest = {n: best[n].cost for n in sorted(best)}
        most = np.array([max(cost, half * (least or lowest)[n]) for n, cost in lowest.items()])
        trees, costs = self._candidates(sizes, most, best, under)
        chosen = cover(costs <= most)
        owner = np.array(chosen)[np.argmin(costs[chosen], axis=0)]
        served = {
            i: tuple(map(int, sizes[owner == i]))
            for i in sorted(set(owner.tolist()), key=lambda i: int(np.argmax(owner == i)))
        }
        cases = tuple((group, self._case(trees[i], best, group, half, under.role)) for i, group in served.items())
        return BySize(state, self.dim, cases, best[max(best)].cost)

    def _candidates(self, sizes, most, best: dict[int, Node], under: Under) -> tuple[list[Node], np.ndarray]:
        """Trees that together suit all sizes, those of the largest sizes first, and what each costs at each size."""
        trees, costs, suited = [], [], np.zeros(len(sizes), bool)
        for i in reversed(range(len(sizes))):
            if not suited[i]:
                tree, found = self._suiting(best[int(sizes[i])], sizes, i, most, under)
                trees.append(tree)
                costs.append(found)
                suited |= found <= most
        return trees, np.array(costs)

    def _suiting(
        self, tree: Node, sizes: np.ndarray, i: int, most: np.ndarray, under: Under
    ) -> tuple[Node, np.ndarray]:
        """The best program of size i, or where that suits no other the one of nearly its cost that suits most; and what
        it costs at each size. What has tiles along the dimension is left as it is: a few of its sizes have C of their
        own."""
        found, op = self._at_sizes(tree, sizes, i, under), tree.state.family.operation
        is_map = not (op.held or op.nest.combine)
        if len(sizes) == 1 or np.sum(found <= most) > 1 or self.dim in op.parallel and not is_map:
            return tree, found
        ways = [
            (tree, found),
            *((way, self._at_sizes(way, sizes, i, under)) for way in self._otherwise(tree.state, under.limit, most[i])),
        ]
        return max(ways, key=lambda way: (np.sum(way[1] <= most), -way[0].cost))

    def _otherwise(self, state: State, limit: int, most: float) -> Iterator[Node]:
        """The programs in series that begin in each way there is and go on at least cost, of at most so many cycles."""
        left = limits.steps(len(limits.axes(self.target, self.home, state.family)), limit)
        for choice in self.rebuild.space.choices(state.family, state.sizes, left):
            with suppress(NoProgramError):  # of a part
                parts = tuple(part and self.goals.best(part[1]) for part in choice.parts)
                if choice.cost(parts) <= most:
                    yield choice.node(state, parts)

    def _at_sizes(self, tree: Node, sizes: np.ndarray, i: int, under: Under) -> np.ndarray:
        """What a tree of size i costs at each."""
        found = self._costs(tree, np.append(sizes, sizes[i]), np.full(len(sizes) + 1, under.limit), under.role)[:-1]
        found[i] = tree.cost
        return found

    def _case(self, tree: Node, best: dict[int, Node], sizes: tuple[int, ...], slack: float, role: str) -> Node:
        return best[sizes[0]] if len(sizes) == 1 else self._shared(tree, sizes, slack, role)

    def _shared(self, node: Node, sizes: tuple[int, ...], slack: float, role: str) -> Node:
        """The tree as it serves several sizes: loops and leaves over the dimension open, a BySize for what a loop
        leaves, and for parts of one size."""
        if self.dim not in node.state.family.operation.dims:
            return node
        state = self._state(node.state.family, node.state.size, sizes)
        roles = self._roles(node, role)
        part = lambda child: child and self._shared(child, sizes, slack, roles[id(child)])
        apart = lambda child: child and self._shared_part(child, sizes, slack, roles[id(child)])
        match node:
            case Loop() if self._is_even(node):
                return replace(
                    node, state=state, **self._even_bodies(node, sizes, slack), open=self.dim, even=True, cost=None
                )
            case Loop() if self.dim in node.dims:
                return replace(
                    node, state=state, bodies=self._open_bodies(node, sizes, slack), open=self.dim, cost=None
                )
            case Loop():
                return replace(
                    node, state=state, bodies=tuple(map(part, node.bodies)), first=part(node.first), cost=None
                )
            case Move():
                return replace(node, state=state, body=part(node.body), copy=apart(node.copy), cost=None)
            case Block():
                return replace(node, state=state, children=tuple(map(part, node.children)), cost=None)
            case Pipeline():
                return replace(
                    node, state=state, producer=apart(node.producer), consumer=apart(node.consumer), cost=None
                )
            case Rounds() if not node.again:  # one round, of whatever there is
                first, last = (
                    tuple((apart(child), sees) for child, sees in steps) for steps in (node.first, node.last)
                )
                return replace(node, state=state, tile=state.size[node.dim], first=first, last=last, cost=None)
            case Rounds():
                return replace(
                    node, state=state, **self._open_rounds(node, sizes, slack, roles), open=self.dim, cost=None
                )
            case Alias():
                return replace(node, state=state, body=part(node.body), cost=None)
            case KernelCall():
                return replace(node, state=state, open=self.dim, cost=None)
        raise AssertionError(node)

    def _roles(self, node: Node, role: str) -> dict[int, str]:
        """What the parts of a node stand for, by their ids: for goals where the node does, and its edge says so."""
        roles = dict.fromkeys(map(id, children(node)), PART)
        if role == PART or isinstance(node, Loop):
            return roles
        edge = node.rewrite.edge(node.state.family, self.target)
        return roles | {id(part): child.role for part, child in zip(children(node), edge.children)}

    def _shared_part(self, node: Node, sizes: tuple[int, ...], slack: float, role: str) -> Node:
        """A copy, or a part of a graph: its tree, or a BySize where that is of no use at some of the sizes."""
        if self._lacking.get((id(node), role), set()).isdisjoint(sizes):
            return self._shared(node, sizes, slack, role)
        return self._by_size(node.state.family, node.state.size, sizes, Under(self._limits[id(node)], role), slack)

    def _is_even(self, node: Loop) -> bool:
        """Over threads, each with an equal share of the dimension."""
        return (
            node.threads > 1
            and node.dims == (self.dim,)
            and self.dim not in node.state.family.batch
            and node.tiles[0] == -(-node.state.size[self.dim] // node.threads)
        )

    def _even_bodies(self, node: Loop, sizes: tuple[int, ...], slack: float) -> dict:
        family, shares = node.state.family, {n: -(-n // node.threads) for n in sizes}
        parts = tuple(sorted({part for n, share in shares.items() for part in (share, n % share)} - {0}))
        shared = self._by_size(family, node.state.size, parts, self._free(family), slack)
        return {"tiles": (max(shares.values()),), "bodies": (shared, shared)}

    def _open_bodies(self, node: Loop, sizes: tuple[int, ...], slack: float) -> tuple[Node | None, ...]:
        at = node.dims.index(self.dim)
        left = tuple(sorted({n % node.tiles[at] for n in sizes} - {0}))
        if node.threads == 1:
            under = Under(self._limits[id(node)])
            return node.bodies[0], (
                self._by_size(self._later(node), node.state.size, left, under, slack) if left else None
            )
        inside = Parallel(node.dims, node.tiles, node.threads).inside(node.state.family)
        bodies = list(node.bodies)
        for mask in range(len(bodies)):
            if mask >> at & 1:
                size = {
                    **node.state.size,
                    **{
                        d: node.leftover(i) if mask >> i & 1 else t
                        for i, (d, t) in enumerate(zip(node.dims, node.tiles))
                        if i != at
                    },
                }
                real = left and all(size[d] for d in node.dims if d != self.dim)
                bodies[mask] = self._by_size(inside, size, left, self._free(inside), slack) if real else None
        return tuple(bodies)

    def _open_rounds(self, node: Rounds, sizes: tuple[int, ...], slack: float, roles: dict[int, str]) -> dict:
        """The parts of rounds that are not of a whole round: those of what the last one leaves over, and what comes
        after them."""
        left = tuple(sorted({n % node.tile for n in sizes} - {0}))

        def over(steps: tuple[tuple[Node, Seen], ...]) -> tuple[tuple[Node, Seen], ...]:
            open_ = {
                id(part): self._by_size(
                    part.state.family, part.state.size, left, Under(self._limits[id(part)], roles[id(part)]), slack
                )
                for part, _ in steps
                if left and self.dim in part.state.family.operation.dims
            }
            return tuple((open_.get(id(part), part), sees) for part, sees in steps)

        last = (
            node.last
            if node.rest
            else tuple((self._shared_part(part, sizes, slack, roles[id(part)]), sees) for part, sees in node.last)
        )
        return {"left": over(node.left), "rest": over(node.rest), "last": last}

    @staticmethod
    def _later(node: Loop) -> Family:
        """The family of all but the first iteration."""
        return node.state.family if node.first is None else accumulating(node.state.family)

    # ---- what a tree costs at other sizes ----------------------------------------------------------------------------

    def _costs(self, node: Node, sizes: np.ndarray, limit: np.ndarray, role: str = PART) -> np.ndarray:
        """Cycles of the tree at each of `sizes` under the limit index beside it (-1: none is left), inf where it does
        not fit. The last of them is the size that the tree was found for. What stands for a goal has a `role`."""
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
        """What is written out for one size: a leaf, but one whose length along the dimension may be open; and what is
        made of other sizes."""
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

    def _edge_costs(self, node: Node, sizes: np.ndarray, limit: np.ndarray, role: str) -> np.ndarray:
        edge, size = node.rewrite.edge(node.state.family, self.target), {**node.state.size, self.dim: sizes}
        total = np.zeros(len(sizes)) + self.target.cost(edge.features(size))
        for part, child in zip(children(node), edge.children):
            own = PART if role == PART else child.role
            is_apart = isinstance(node, (Pipeline, Rounds)) or isinstance(node, Move) and part is node.copy
            way = (
                partial(self._costs_of_round, child, size)
                if child.sizes is not None
                else self._costs_of_part
                if is_apart
                else self._costs
            )
            total += way(part, sizes, self._below(node, child, size, limit, own), own)
        return total if edge.fits is None else np.where(edge.fits(size), total, np.inf)

    def _below(self, node: Node, child: Child, size: dict[str, Any], limit: np.ndarray, role: str) -> np.ndarray:
        """The limit index that a child finds: a goal finds all memory free."""
        if role != PART:
            return np.full(len(limit), limits.free(self.target, self.home, child.family))
        family = node.state.family
        return np.array(limits.below_each(self.target, self.home, family, child, size, limit.tolist()))

    def _costs_of_part(self, node: Node, sizes: np.ndarray, limit: np.ndarray, role: str) -> np.ndarray:
        """`_costs` of a copy, or of a part of a graph: of what is of no use at a size, there the best that is, where as
        much memory is left."""
        found, family, own = self._costs(node, sizes, limit, role), node.state.family, int(limit[-1])
        lacking = ~np.isfinite(found) & (limit >= 0) & self._has_room(family, limit, own)
        if not lacking.any():
            return found
        self._limits[id(node)] = own
        self._lacking.setdefault((id(node), role), set()).update(sizes[lacking].tolist())
        found[lacking] = [
            self._cost_at(family, {**node.state.size, self.dim: n}, Under(own, role)) for n in sizes[lacking].tolist()
        ]
        return found

    def _costs_of_round(
        self, child: Child, size: dict[str, Any], node: Node, sizes: np.ndarray, limit: np.ndarray, role: str
    ) -> np.ndarray:
        """What a part of rounds costs in all, which is of a whole round, or of what the last one leaves over: the best
        for each such size."""
        family, under, at = child.family, Under(int(limit[-1]), role), child.at(size)
        self._limits[id(node)] = under.limit
        extents, times = (
            np.broadcast_to(n, sizes.shape) for n in (at[self.dim], 1 if child.times is None else child.times(size))
        )
        cost = {n: self._cost_at(family, {**at, self.dim: n}, under) for n in set(extents[times > 0].tolist())}
        found = np.array([count * cost[n] if count > 0 else 0.0 for count, n in zip(times.tolist(), extents.tolist())])
        return np.where((limit >= 0) & self._has_room(family, limit, under.limit), found, np.inf)

    def _loop_costs(self, node: Loop, sizes: np.ndarray, limit: np.ndarray) -> np.ndarray:
        family, tile = node.state.family, node.tiles[0]
        overhead = self.target.cost(
            loop_features(family, node.dims[0], tile, self.target, {**node.state.size, self.dim: sizes})
        )
        if node.dims[0] != self.dim:
            total = np.zeros(len(sizes)) + overhead
            for times, part in zip((node.trips() - (node.first is not None), 1, 1), (*node.bodies, node.first)):
                total += times * self._costs(part, sizes, limit) if part is not None else 0.0
            return total
        own = int(limit[-1])
        self._limits[id(node)] = own
        trips, left = np.divmod(sizes, tile)
        tail = {
            0: 0.0,
            **{
                n: self._cost_at(self._later(node), {**node.state.size, self.dim: n}, Under(own))
                for n in set(left.tolist()) - {0}
            },
        }
        found = overhead + self._whole_tiles(node, trips) + np.array([tail[n] for n in left.tolist()])
        return np.where(
            (trips > 0) & self._has_room(family, limit, own) & self._may_loop(family, sizes, tile), found, np.inf
        )

    @staticmethod
    def _whole_tiles(node: Loop, trips: np.ndarray) -> np.ndarray:
        """What so many iterations cost, the first of which may be another."""
        first, body = (np.inf if part is None else part.cost for part in (node.first, node.bodies[0]))
        if node.first is None:
            return trips * body
        return first + np.where(trips > 1, body, 0.0) * (trips - 1)

    def _cost_at(self, family: Family, size: dict[str, int], under: Under) -> float:
        try:
            return self._best(family, size, under).cost
        except NoProgramError:
            return np.inf

    def _has_room(self, family: Family, limit: np.ndarray, own: int) -> np.ndarray:
        """Where at least as much of each level is left as at limit index `own`."""
        shape = (len(limits.SHARES),) * len(limits.axes(self.target, self.home, family))
        if not shape:
            return limit >= 0
        return np.all(
            np.array(np.unravel_index(np.maximum(limit, 0), shape)) >= np.array(np.unravel_index(own, shape))[:, None],
            axis=0,
        )

    def _may_loop(self, family: Family, sizes: np.ndarray, tile: int) -> np.ndarray:
        allowed = next((t.allowed for t in tilings(family) if t.dim == self.dim), lambda extent, tile: True)
        return np.array([n == tile or allowed(n, tile) for n in sizes.tolist()])

    def _parallel_costs(self, node: Loop, sizes: np.ndarray) -> np.ndarray:
        inside = Parallel(node.dims, node.tiles, node.threads).inside(node.state.family)
        size = {**node.state.size, self.dim: sizes}
        tiles: tuple[Any, ...] = node.tiles
        fits: Any = sizes > 0
        whole = node.bodies[0].cost
        if self._is_even(node):
            tiles = (-(-sizes // node.threads),)
            cost = {
                n: self._cost_at(inside, {**node.state.size, self.dim: n}, self._free(inside))
                for n in set(tiles[0].tolist())
            }
            whole = np.array([cost[n] for n in tiles[0].tolist()])
        elif self.dim in node.dims:
            fits = sizes >= node.tiles[node.dims.index(self.dim)]
        else:
            bodies = [
                self._costs(body, sizes, np.full(len(sizes), limits.free(self.target, self.home, inside)))
                for body in node.bodies
                if body is not None
            ]
            whole, fits = bodies[0], np.isfinite(bodies).all(axis=0)
        count = np.prod([-(-(np.zeros_like(sizes) + size[d]) // t) for d, t in zip(node.dims, tiles)], axis=0)
        cost = parallel_cost(
            self.target,
            count,
            node.threads,
            whole,
            shared_lines(node.state.family, node.dims, tiles, size),
        )
        return np.where(fits & (count > 1), cost, np.inf)


def cover(suits: np.ndarray) -> list[int]:
    """Rows of [trees, sizes] that together suit every size, by taking the one that suits most of what is left."""
    chosen, left = [], np.ones(suits.shape[1], bool)
    while left.any():
        chosen.append(int(np.argmax((suits & left).sum(axis=1))))
        left &= ~suits[chosen[-1]]
    return chosen
