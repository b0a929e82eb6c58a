"""Programs for every size of a dynamic dimension, from one solved table: few trees, each for the sizes that it suits.

A tree that was found for one size also serves another. Only these differ: the trips and leftovers of loops over the
dimension, the length of leaves that sum over it or run along it, and the parts that are of one size. Those are copies
and parts of a graph, which each size chooses for itself (over threads again, where several meet them). Few trees cover
the sizes, so that none costs more than `SLACK` times what it costs alone; tree_costs.py says what a tree costs
elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...lang.nests.family import Family, State
from ...support.errors import NoProgramError
from ..program.nodes import Alias, Block, BySize, KernelCall, Loop, Move, Node, Pipeline, Rounds, RoundSteps, children
from ..rewrites import GOAL, PART, Parallel, Role
from . import limits
from .rebuild import Rebuild
from .tree_costs import TreeCosts, Under, is_even, later_family, may_differ

SLACK = 1.05


@dataclass(frozen=True)
class BestPrograms:
    """The programs of least cost at some sizes alone, ascending: what each `costs`, and each itself when it is asked
    for (`node`)."""

    sizes: np.ndarray
    costs: np.ndarray
    node: Callable[[int], Node]


class SizePrograms:
    """Reads the programs of all sizes of `dim`, by `threads` threads, out of a solved table."""

    def __init__(self, rebuild: Rebuild, dim: str, threads: int = 1):
        self.rebuild, self.target, self.dim, self.threads = rebuild, rebuild.target, dim, threads
        self.costs = TreeCosts(rebuild, dim, threads)
        self.goals, self._free = self.costs.goals, self.costs.free
        self._known: dict[tuple, BySize] = {}

    def goal(self, family: Family, size: dict[str, int], sizes: tuple[int, ...]) -> Node:
        """The programs of a goal at all `sizes`. A constant is packed once for all of them, so that the size which that
        suits least loses least; what it loses counts as part of the slack."""
        best = self._each(family, size, sizes)
        return self._placed(best, family, size, sizes, best.costs)

    def _placed(
        self, best: BestPrograms, family: Family, size: dict[str, int], sizes: tuple[int, ...], least: np.ndarray
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
        edge = min(places, key=lambda edge: (places[edge].costs / least).max())
        body = self._placed(places[edge], edge.body.family, size, sizes, least)
        return self.rebuild.around(edge, self._state(family, size, sizes), body)

    def _each(self, family: Family, size: dict[str, int], sizes: tuple[int, ...]) -> BestPrograms:
        """The program of least cost of a goal at each size alone."""
        of = lambda n: self.goals.of(family, {**size, self.dim: n}, self.threads, self.dim)
        return self._best(of, family, size, sizes, self._free(family, GOAL if self.threads > 1 else PART))

    def _best(
        self, of: Callable[[int], Node], family: Family, size: dict[str, int], sizes: Iterable[int], under: Under
    ) -> BestPrograms:
        """What `of` gives at each size. What one under a memory limit costs is known without it."""
        every = np.array(sorted(sizes), np.int64)
        if under.role != PART:
            with self.rebuild.table.together():
                return BestPrograms(every, np.array([of(n).cost for n in every.tolist()]), of)
        costs = self.costs.along.at(family, size, every, under.limit)
        for n in every[~np.isfinite(costs)].tolist():
            of(n)  # which says why there is none
        return BestPrograms(every, costs, of)

    def by_size(
        self, family: Family, size: dict[str, int], sizes: dict[int, float], under: Under, slack: float
    ) -> BySize:
        """The programs of a family at some sizes; with each size by how much more its tree may cost there."""
        of = lambda n: self.costs.best(family, {**size, self.dim: n}, under)
        best = self._best(of, family, size, sizes, under)
        least = best.costs * [sizes[n] for n in best.sizes.tolist()]
        return self._covered(self._state(family, size, sizes), best, under, slack, least)

    def _by_size(
        self, family: Family, size: dict[str, int], sizes: tuple[int, ...], under: Under, slack: float
    ) -> BySize:
        """The programs of a loop's leftover, or of a part; each is made once."""
        key = (self._state(family, size, sizes), sizes, under, slack)
        if key not in self._known:
            self._known[key] = self.by_size(family, size, dict.fromkeys(sizes, 1.0), under, slack)
        return self._known[key]

    def _state(self, family: Family, size: dict[str, int], sizes) -> State:
        return State(family, tuple(max(sizes) if d == self.dim else size[d] for d in family.operation.dims))

    # ---- the cover ---------------------------------------------------------------------------------------------------

    def _covered(self, state: State, best: BestPrograms, under: Under, slack: float, least: np.ndarray) -> BySize:
        """Half of the slack, over `least` where that is below the best's costs, is for the tree of a size, the other
        half for the leftovers in it."""
        sizes, half = best.sizes, slack**0.5
        most = np.maximum(best.costs, half * least)
        trees, costs = self._candidates(most, best, under)
        served = served_by(costs, costs <= most, sizes)
        cases = sorted(served.items(), key=lambda case: case[1][0])  # in order of the least size
        programs = tuple((group, self._case(trees[i], best, group, half, under.role)) for i, group in cases)
        return BySize(state, self.dim, programs, float(best.costs[-1]))

    def _candidates(self, most: np.ndarray, best: BestPrograms, under: Under) -> tuple[list[Node], np.ndarray]:
        """Trees that together suit all sizes, those of the largest sizes first, and what each costs at each size."""
        sizes = best.sizes
        trees, costs, suited = [], [], np.zeros(len(sizes), bool)
        for i in reversed(range(len(sizes))):
            if not suited[i]:
                tree, found = self._suiting(best.node(int(sizes[i])), sizes, i, most, under)
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
        found, op = self.costs.at(tree, sizes, i, under), tree.state.family.operation
        if len(sizes) == 1 or np.sum(found <= most) > 1 or self.dim in op.parallel and not op.is_map:
            return tree, found
        others = self._otherwise(tree.state, under.limit, most[i])
        ways = [(tree, found), *((way, self.costs.at(way, sizes, i, under)) for way in others)]
        return max(ways, key=lambda way: (np.sum(way[1] <= most), -way[0].cost))

    def _otherwise(self, state: State, limit: int, most: float) -> Iterator[Node]:
        """For each way to begin in series the program that goes on at least cost, if that is at most `most` cycles."""
        left = limits.steps(len(limits.axes(self.target, self.rebuild.table.home, state.family)), limit)
        for choice in self.rebuild.space.choices(state.family, state.sizes, left):
            with suppress(NoProgramError):  # of a part
                parts = tuple(part and self.goals.best(part[1]) for part in choice.parts)
                if choice.cost(parts) <= most:
                    yield choice.node(state, parts)

    # ---- a tree for several sizes ------------------------------------------------------------------------------------

    def _case(self, tree: Node, best: BestPrograms, sizes: tuple[int, ...], slack: float, role: Role) -> Node:
        return best.node(sizes[0]) if len(sizes) == 1 else self._shared(tree, sizes, slack, role)

    def _shared(self, node: Node, sizes: tuple[int, ...], slack: float, role: Role) -> Node:
        """The tree as it serves several sizes: loops and leaves over the dimension open, a BySize for what a loop
        leaves, and for parts of one size."""
        if self.dim not in node.state.family.operation.dims:
            return node
        changes = self._changes(node, sizes, slack, role)
        return replace(node, state=self._state(node.state.family, node.state.size, sizes), cost=None, **changes)

    def _changes(self, node: Node, sizes: tuple[int, ...], slack: float, role: Role) -> dict[str, Any]:
        """What of a node is another for several sizes, by field."""
        roles = self._roles(node, role)

        def part(child: Node | None) -> Node | None:
            if child is None:
                return None
            own = roles[id(child)]
            if may_differ(node, child) and not self.costs.lacking.get((id(child), own), set()).isdisjoint(sizes):
                return self._part_by_size(child, sizes, slack, own)
            return self._shared(child, sizes, slack, own)

        match node:
            case Loop() if is_even(node, self.dim):
                return {**self._even_bodies(node, sizes, slack), "open": self.dim, "even": True}
            case Loop() if self.dim in node.dims:
                return {"bodies": self._open_bodies(node, sizes, slack), "open": self.dim}
            case Loop():
                return {"bodies": tuple(map(part, node.bodies)), "first": part(node.first)}
            case Move():
                return {"body": part(node.body), "copy": part(node.copy)}
            case Block():
                return {"children": tuple(map(part, node.children))}
            case Pipeline():
                return {"producer": part(node.producer), "consumer": part(node.consumer)}
            case Rounds():
                shared = lambda steps: tuple((part(child), sees) for child, sees in steps)
                if not node.again:  # one round, of whatever there is
                    tile = {**node.state.size, self.dim: max(sizes)}[node.dim]
                    return {"tile": tile, "first": shared(node.first), "last": shared(node.last)}
                last = node.last if node.rest else shared(node.last)
                over = {name: self._left_over(node, name, sizes, slack, roles) for name in ("left", "rest")}
                return {**over, "last": last, "open": self.dim}
            case Alias():
                return {"body": part(node.body)}
            case KernelCall():
                return {"open": self.dim}
        raise AssertionError(node)

    def _roles(self, node: Node, role: Role) -> dict[int, Role]:
        """What the parts of a node stand for, by their ids: for goals where the node does, and its edge says so."""
        roles = dict.fromkeys(map(id, children(node)), PART)
        if role == PART or isinstance(node, Loop):
            return roles
        edge = node.rewrite.edge(node.state.family, self.target)
        return roles | {id(part): child.role for part, child in zip(children(node), edge.children)}

    def _part_by_size(self, node: Node, sizes: tuple[int, ...], slack: float, role: Role) -> BySize:
        """A part with a program for each size, under the limits that it was priced under."""
        under = Under(self.costs.limits[id(node)], role)
        return self._by_size(node.state.family, node.state.size, sizes, under, slack)

    def _left_over(
        self, node: Rounds, name: str, sizes: tuple[int, ...], slack: float, roles: dict[int, Role]
    ) -> RoundSteps:
        """The parts of rounds that compute the leftover of whole rounds (`left`), or what comes after it (`rest`)."""
        left = tuple(sorted({n % node.tile for n in sizes} - {0}))
        steps: RoundSteps = getattr(node, name)
        if not left:
            return steps
        is_open = lambda part: self.dim in part.state.family.operation.dims
        by_size = lambda part: self._part_by_size(part, left, slack, roles[id(part)])
        return tuple((by_size(part) if is_open(part) else part, sees) for part, sees in steps)

    def _even_bodies(self, node: Loop, sizes: tuple[int, ...], slack: float) -> dict[str, Any]:
        family, shares = node.state.family, {n: -(-n // node.threads) for n in sizes}
        parts = tuple(sorted({part for n, share in shares.items() for part in (share, n % share)} - {0}))
        shared = self._by_size(family, node.state.size, parts, self._free(family), slack)
        return {"tiles": (max(shares.values()),), "bodies": (shared, shared)}

    def _open_bodies(self, node: Loop, sizes: tuple[int, ...], slack: float) -> tuple[Node | None, ...]:
        """The bodies of a loop over the dimension: those of whole tiles as they are, leftovers by size."""
        at = node.dims.index(self.dim)
        left = tuple(sorted({n % node.tiles[at] for n in sizes} - {0}))
        if not left:
            is_left = lambda mask: mask >> at & 1
            return tuple(None if is_left(mask) else body for mask, body in enumerate(node.bodies))
        if node.threads == 1:
            under = Under(self.costs.limits[id(node)])
            return node.bodies[0], self._by_size(later_family(node), node.state.size, left, under, slack)
        inside = Parallel(node.dims, node.tiles, node.threads).inside(node.state.family)
        bodies = list(node.bodies)
        for mask in range(len(bodies)):
            if mask >> at & 1:
                tiles = {
                    d: node.leftover(i) if mask >> i & 1 else t for i, (d, t) in enumerate(zip(node.dims, node.tiles))
                }
                del tiles[self.dim]
                size = {**node.state.size, **tiles}
                bodies[mask] = (
                    self._by_size(inside, size, left, self._free(inside), slack) if all(tiles.values()) else None
                )
        return tuple(bodies)


def served_by(costs: np.ndarray, suits: np.ndarray, sizes: np.ndarray) -> dict[int, tuple[int, ...]]:
    """By the number of each tree that is kept, the sizes that it serves: of few trees that together suit all sizes the
    cheapest at each. `costs` and `suits` are [trees, sizes]."""
    chosen = cover(suits)
    owner = np.array(chosen)[np.argmin(costs[chosen], axis=0)]
    return {i: tuple(sizes[owner == i].tolist()) for i in sorted(set(owner.tolist()))}


def cover(suits: np.ndarray) -> list[int]:
    """Rows of [trees, sizes] that together suit every size, by taking the one that suits most of those left."""
    chosen, left = [], np.ones(suits.shape[1], bool)
    while left.any():
        chosen.append(int(np.argmax((suits & left).sum(axis=1))))
        left &= ~suits[chosen[-1]]
    return chosen
