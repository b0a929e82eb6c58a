"""Programs for every size of a dynamic dimension, from one solved table: few trees, each for the sizes that it suits.

A tree found for one size serves another where it differs in the trips and leftovers of loops over the dimension alone. The
sizes are covered with few trees, so that none costs more than `SLACK` times what it costs alone.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import NoProgramError
from ..program.nodes import Alias, Block, BySize, KernelCall, Loop, Move, Node, Pipeline, children
from ..rewrites import Parallel, applied, loop_features, parallel_cost, shared_lines, tilings
from ..spec.family import Family, State
from . import limits
from .parallel import Team
from .rebuild import Rebuild

SLACK = 1.05


class Sizes:
    """Reads the programs of all sizes of `dim` out of a solved table."""

    def __init__(self, rebuild: Rebuild, dim: str):
        self.rebuild, self.dim = rebuild, dim
        self.target, self.home = rebuild.target, rebuild.table.home
        self._limits: dict[int, int] = {}  # that a loop over `dim` finds, by its id: the rebuild keeps its nodes alive
        self._known: dict[tuple, BySize] = {}

    def goal(self, family: Family, size: dict[str, int], sizes: tuple[int, ...], threads: int = 1) -> Node:
        """The programs of a goal at all `sizes`. A constant is packed once for all of them, so that the size which that suits least loses
        least; what it loses counts as part of the slack."""
        best = {n: self.alone(family, {**size, self.dim: n}, threads) for n in sizes}
        return self._placed(best, family, size, sizes, threads, {n: node.cost for n, node in best.items()})

    def _placed(self, best: dict[int, Node], family: Family, size: dict[str, int], sizes: tuple[int, ...], threads: int, least: dict[int, float]) -> Node:
        """The programs of a goal whose best are known; `least` is what each size costs with its constants packed as suits it alone."""
        if not family.ahead:
            return self._covered(self._state(family, size, sizes), best, limits.free(self.target, self.home, family), SLACK, least)
        places = {}
        for edge in self.rebuild.space.leaving(family)[0]:
            if edge.fit(size):
                with suppress(NoProgramError):  # of this place; a constant may always stay as it is given
                    places[edge] = {n: self.alone(edge.body.family, {**size, self.dim: n}, threads) for n in sizes}
        if not places:
            raise NoProgramError(f"expected a place of x{family.ahead[0]} with a program at every size, found none in the space of target {self.target.name}")
        edge = min(places, key=lambda edge: max(node.cost / least[n] for n, node in places[edge].items()))
        body = self._placed(places[edge], edge.body.family, size, sizes, threads, least)
        return self.rebuild.around(edge, self._state(family, size, sizes), body)

    def alone(self, family: Family, size: dict[str, int], threads: int = 1) -> Node:
        """The program of least cost of a goal at one size. Over threads, the ladder of a dynamic dimension lacks the tiles
        that give each an equal share: such a loop is tried besides."""
        found, share = Team(self.rebuild, threads).best(family, size), -(-size[self.dim] // threads)
        if threads == 1 or family.ahead or self.dim in family.batch or share == size[self.dim]:
            return found
        state = State(family, tuple(size[d] for d in family.operation.dims))
        loop = Parallel((self.dim,), (share,), threads)
        even = applied(loop, state, self.target, tuple(self.rebuild.best(part.family, part.size) if part else None for part in loop.leaves(state)))
        return min(found, even, key=lambda node: node.cost)

    def _by_size(self, family: Family, size: dict[str, int], sizes: tuple[int, ...], limit: int, slack: float) -> BySize:
        """The programs of what a loop leaves over, under its memory limits."""
        state = self._state(family, size, sizes)
        key = (state, sizes, limit, slack)
        if key not in self._known:
            best = {n: self.rebuild.at(family, {**size, self.dim: n}, limit) for n in sizes}
            self._known[key] = self._covered(state, best, limit, slack)
        return self._known[key]

    def _state(self, family: Family, size: dict[str, int], sizes) -> State:
        return State(family, tuple(max(sizes) if d == self.dim else size[d] for d in family.operation.dims))

    # ---- the cover --------------------------------------------------------------------------------------------------

    def _covered(self, state: State, best: dict[int, Node], limit: int, slack: float, least: dict[int, float] | None = None) -> BySize:
        """Half of the slack, over `least` where that is below the best's costs, is for the tree of a size, the other half for the leftovers in it."""
        sizes, half = np.array(sorted(best)), slack**0.5
        lowest = {n: best[n].cost for n in sorted(best)}
        most = np.array([max(cost, half * (least or lowest)[n]) for n, cost in lowest.items()])
        trees, costs = self._candidates(sizes, most, best, limit)
        chosen = _cover(costs <= most)
        owner = np.array(chosen)[np.argmin(costs[chosen], axis=0)]
        served = {i: tuple(map(int, sizes[owner == i])) for i in sorted(set(owner.tolist()), key=lambda i: int(np.argmax(owner == i)))}
        cases = tuple((group, self._case(trees[i], best, group, half)) for i, group in served.items())
        return BySize(state, self.dim, cases, best[max(best)].cost)

    def _candidates(self, sizes, most, best: dict[int, Node], limit: int) -> tuple[list[Node], np.ndarray]:
        """Trees that together suit all sizes, those of the largest sizes first, and what each costs at each size."""
        trees, costs, suited = [], [], np.zeros(len(sizes), bool)
        for i in reversed(range(len(sizes))):
            if not suited[i]:
                trees.append(best[int(sizes[i])])
                costs.append(self._costs(trees[-1], np.append(sizes, sizes[i]), np.full(len(sizes) + 1, limit))[:-1])
                costs[-1][i] = trees[-1].cost
                suited |= costs[-1] <= most
        return trees, np.array(costs)

    def _case(self, tree: Node, best: dict[int, Node], sizes: tuple[int, ...], slack: float) -> Node:
        return best[sizes[0]] if len(sizes) == 1 else self._shared(tree, sizes, slack)

    def _shared(self, node: Node, sizes: tuple[int, ...], slack: float) -> Node:
        """The tree as it serves several sizes: loops and leaves over the dimension open, a BySize for what a loop leaves."""
        if self.dim not in node.state.family.operation.dims:
            return node
        state = self._state(node.state.family, node.state.size, sizes)
        part = lambda child: child and self._shared(child, sizes, slack)  # noqa: E731
        match node:
            case Loop() if self._is_even(node):
                return replace(node, state=state, **self._even_bodies(node, sizes, slack), open=self.dim, even=True, cost=None)
            case Loop() if self.dim in node.dims:
                return replace(node, state=state, bodies=self._open_bodies(node, sizes, slack), open=self.dim, cost=None)
            case Loop():
                return replace(node, state=state, bodies=tuple(map(part, node.bodies)), first=part(node.first), cost=None)
            case Move():
                return replace(node, state=state, body=part(node.body), copy=part(node.copy), cost=None)
            case Block():
                return replace(node, state=state, children=tuple(map(part, node.children)), cost=None)
            case Pipeline():
                return replace(node, state=state, producer=part(node.producer), consumer=part(node.consumer), cost=None)
            case Alias():
                return replace(node, state=state, body=part(node.body), cost=None)
            case KernelCall():
                return replace(node, state=state, open=self.dim, cost=None)
        raise AssertionError(node)

    def _is_even(self, node: Loop) -> bool:
        """Over threads, each with an equal share of the dimension."""
        return node.threads > 1 and node.dims == (self.dim,) and self.dim not in node.state.family.batch and node.tiles[0] == -(-node.state.size[self.dim] // node.threads)

    def _even_bodies(self, node: Loop, sizes: tuple[int, ...], slack: float) -> dict:
        family, shares = node.state.family, {n: -(-n // node.threads) for n in sizes}
        parts = tuple(sorted({part for n, share in shares.items() for part in (share, n % share)} - {0}))
        shared = self._by_size(family, node.state.size, parts, limits.free(self.target, self.home, family), slack)
        return {"tiles": (max(shares.values()),), "bodies": (shared, shared)}

    def _open_bodies(self, node: Loop, sizes: tuple[int, ...], slack: float) -> tuple[Node | None, ...]:
        at = node.dims.index(self.dim)
        left = tuple(sorted({n % node.tiles[at] for n in sizes} - {0}))
        if node.threads == 1:
            limit = self._limits[id(node)]
            return node.bodies[0], self._by_size(node.state.family, node.state.size, left, limit, slack) if left else None
        inside = Parallel(node.dims, node.tiles, node.threads).inside(node.state.family)
        bodies = list(node.bodies)
        for mask in range(len(bodies)):
            if mask >> at & 1:
                size = {**node.state.size, **{d: node.leftover(i) if mask >> i & 1 else t for i, (d, t) in enumerate(zip(node.dims, node.tiles)) if i != at}}
                real = left and all(size[d] for d in node.dims if d != self.dim)
                bodies[mask] = self._by_size(inside, size, left, limits.free(self.target, self.home, inside), slack) if real else None
        return tuple(bodies)

    # ---- what a tree costs at other sizes ---------------------------------------------------------------------------

    def _costs(self, node: Node, sizes: np.ndarray, limit: np.ndarray) -> np.ndarray:
        """Cycles of the tree at each of `sizes` under the limit index beside it (-1: none is left), inf where it does not
        fit. The last of them is the size that the tree was found for."""
        if self.dim not in node.state.family.operation.dims:
            return np.where(limit >= 0, node.cost, np.inf)
        if self._is_fixed(node):
            return np.where(sizes == sizes[-1], node.cost, np.inf)
        if not isinstance(node, Loop):
            found = self._edge_costs(node, sizes, limit)
        elif node.threads > 1:
            found = self._parallel_costs(node, sizes)
        else:
            found = self._loop_costs(node, sizes, limit)
        return np.where(limit >= 0, found, np.inf)

    def _is_fixed(self, node: Node) -> bool:
        """What is written out for one size: a leaf, but a row along the dimension that is no panels' own; a copy or a buffer whose pitch depends on the size,
        because its panels each hold all of the dimension."""
        match node:
            case KernelCall(kernel=kernel, lane=lane):
                in_panels = node.state.family.output.layout.panel is not None
                return lane != self.dim or in_panels or next(k for k in self.target.kernels if k.name == kernel).form != "map"
            case Pipeline(to=to) if to.layout.panel:
                return node.access.axis_of(self.dim) not in (-1, to.layout.panel[0])
            case Move(operand=i, to=to, copy=copy):
                axis, panel = node.state.family.access(i).axis_of(self.dim), to.layout.panel
                return to.level == 0 or copy is not None and panel is not None and axis not in (-1, panel[0])
        return False

    def _edge_costs(self, node: Node, sizes: np.ndarray, limit: np.ndarray) -> np.ndarray:
        edge, size = node.rewrite.edge(node.state.family, self.target), {**node.state.size, self.dim: sizes}
        if any(child.sizes is not None for child in edge.children):
            return np.where(sizes == sizes[-1], node.cost, np.inf)  # what is made of other sizes is written out for one
        total = np.zeros(len(sizes)) + self.target.cost(edge.features(size))
        for part, child in zip(children(node), edge.children):
            below = limits.below_each(self.target, self.home, node.state.family, child, size, limit.tolist())
            total += self._costs(part, sizes, np.array(below))
        return total if edge.fits is None else np.where(edge.fits(size), total, np.inf)

    def _loop_costs(self, node: Loop, sizes: np.ndarray, limit: np.ndarray) -> np.ndarray:
        family, tile = node.state.family, node.tiles[0]
        overhead = self.target.cost(loop_features(family, node.dims[0], tile, self.target, {**node.state.size, self.dim: sizes}))
        if node.dims[0] != self.dim:
            total = np.zeros(len(sizes)) + overhead
            for times, part in zip((node.trips() - (node.first is not None), 1, 1), (*node.bodies, node.first)):
                total += times * self._costs(part, sizes, limit) if part is not None else 0.0
            return total
        own = int(limit[-1])
        self._limits[id(node)] = own
        trips, left = np.divmod(sizes, tile)
        tail = {0: 0.0, **{n: self._cost_at(family, {**node.state.size, self.dim: n}, own) for n in set(left.tolist()) - {0}}}
        found = overhead + trips * node.bodies[0].cost + np.array([tail[n] for n in left.tolist()])
        return np.where((trips > 0) & self._has_room(family, limit, own) & self._may_loop(family, sizes, tile), found, np.inf)

    def _cost_at(self, family: Family, size: dict[str, int], limit: int) -> float:
        try:
            return self.rebuild.at(family, size, limit).cost
        except NoProgramError:
            return np.inf

    def _has_room(self, family: Family, limit: np.ndarray, own: int) -> np.ndarray:
        """Where at least as much of each level is left as at limit index `own`."""
        shape = (len(limits.SHARES),) * len(limits.axes(self.target, self.home, family))
        if not shape:
            return limit >= 0
        return np.all(np.array(np.unravel_index(np.maximum(limit, 0), shape)) >= np.array(np.unravel_index(own, shape))[:, None], axis=0)

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
            cost = {n: self._cost_at(inside, {**node.state.size, self.dim: n}, limits.free(self.target, self.home, inside)) for n in set(tiles[0].tolist())}
            whole = np.array([cost[n] for n in tiles[0].tolist()])
        elif self.dim in node.dims:
            fits = sizes >= node.tiles[node.dims.index(self.dim)]
        else:
            bodies = [self._costs(body, sizes, np.full(len(sizes), limits.free(self.target, self.home, inside))) for body in node.bodies if body is not None]
            whole, fits = bodies[0], np.isfinite(bodies).all(axis=0)
        count = np.prod([-(-(np.zeros_like(sizes) + size[d]) // t) for d, t in zip(node.dims, tiles)], axis=0)
        cost = parallel_cost(self.target, count, node.threads, whole, shared_lines(node.state.family, node.dims, tiles, size), node.rewrite.barriers(node.state.family.operation))
        return np.where(fits & (count > 1), cost, np.inf)


def _cover(suits: np.ndarray) -> list[int]:
    """Rows of [trees, sizes] that together suit every size, by taking the one that suits most of what is left."""
    chosen, left = [], np.ones(suits.shape[1], bool)
    while left.any():
        chosen.append(int(np.argmax((suits & left).sum(axis=1))))
        left &= ~suits[chosen[-1]]
    return chosen
