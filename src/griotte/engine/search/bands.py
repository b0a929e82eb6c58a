"""Programs for every size that two dimensions have, from one solved table: rows by bands of a few heights, each over
all of the other dimension.

The table has a point for each size of the one dimension and, of the rows, for each height alone. The programs of a band
for all sizes are covered as for any dynamic size (`sizes.py`). Rows left over by bands of one height go to lower ones.
Threads share batch dimensions, or bands, or both.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import accumulate, combinations
from math import prod
from typing import Any

import numpy as np

from ...lang.nests.family import Family, State
from ...lang.types.dynamic import Dynamic
from ...support.errors import NoProgramError
from ..program.nodes import Bands, BySize, Node
from ..rewrites import Batch, Parallel, banded, loop_features, parallel_cost, sees_down, shared_lines
from ..rewrites.batch import off
from .rebuild import Rebuild
from .sizes import SLACK, SizePrograms, served_by

HALF = SLACK**0.5  # half of the slack is for the height of bands, the other half for the programs of a band
LEFT = 1.1  # by how much more a band may cost that is made of what higher ones leave over, a small part of the whole


@dataclass(frozen=True)
class BandPlan:
    """Bands of `height` rows first; threads share `dims`, none in series. If they go `down`, each band is over the
    other dimension up to its own end."""

    height: int
    dims: tuple[str, ...] = ()
    down: bool = False


class BandPrograms:
    """Reads the programs of all sizes of a goal in which two dimensions have that size."""

    def __init__(self, rebuild: Rebuild, dynamic: Dynamic, heights: tuple[int, ...], threads: int):
        assert dynamic.rows is not None
        self.rebuild, self.target, self.threads = rebuild, rebuild.target, threads
        self.dim, self.rows, self.heights = dynamic.dim, dynamic.rows, heights
        self.sizes, self.most = np.array(dynamic.extents), dynamic.bound

    def goal(self, family: Family, size: dict[str, int]) -> BySize:
        """The programs of a goal at all sizes: few plans, none of them above `HALF` times the best at a size that it
        serves."""
        plans = self._plans(
            family, sees_down(family, {**size, self.dim: self.most, self.rows: self.most}, self.rows, self.dim)
        )
        each = {height: self._each(_alone(family), height, size) for height in self.heights}
        costs = np.array([self._cost(plan, family, size, each) for plan in plans])
        least = costs.min(axis=0)
        if not np.isfinite(least).all():
            raise NoProgramError(
                f"expected a program of bands of {self.rows} for every size, found none for"
                f" {self.sizes[np.argmin(np.isfinite(least))]} in the space of target {self.target.name}; more"
                " registers or kernels are needed"
            )
        served = {plans[i]: sizes for i, sizes in served_by(costs, costs <= HALF * least, self.sizes).items()}
        bands = self._bands(_alone(family), size, served)
        cases = [
            (group, self._node(plan, family, size, max(group), bands))
            for plan, sizes in served.items()
            for group in ([sizes] if plan.down else _groups(sizes, bands[plan.height]))
        ]
        return BySize(self._state(family, size, self.most), self.dim, tuple(sorted(cases, key=lambda case: case[0])))

    def _plans(self, family: Family, down: bool) -> list[BandPlan]:
        """Plans in series, and over threads that share batch dimensions, rows, or two of these; bands that go down are
        not shared out."""
        shared = (
            ()
            if self.threads == 1
            else tuple(dims for count in (1, 2) for dims in combinations((*family.batch, self.rows), count))
        )
        plain = [BandPlan(height, dims) for dims in ((), *shared) for height in self.heights]
        return [*plain, *(replace(plan, down=True) for plan in plain if down and self.rows not in plan.dims)]

    def _loop(self, plan: BandPlan) -> Parallel:
        """What threads share."""
        return Parallel(plan.dims, tuple(plan.height if d == self.rows else 1 for d in plan.dims), self.threads)

    def _heights(self, plan: BandPlan) -> list[int]:
        """Those of its bands, the highest first."""
        return [h for h in reversed(self.heights) if h <= plan.height]

    # ---- costs, at all sizes at once ---------------------------------------------------------------------------------

    def _each(self, family: Family, height: int, size: dict[str, int]) -> np.ndarray:
        """What a band costs at each size that has one, inf where it has none: as it was just solved, or by the table's
        decisions."""
        solved = self.rebuild.table.costs.get(family)
        if solved is not None:
            point = lambda n: solved.grid.point({**size, self.dim: n, self.rows: height})
            points = np.array([point(n) for n in self.sizes.tolist()])
            return np.where(self.sizes >= height, solved.cost_at(points, -1), np.inf)
        cost = lambda n: self.rebuild.least(family, {**size, self.dim: n, self.rows: height})
        return np.array([cost(n) if n >= height else np.inf for n in self.sizes.tolist()])

    def _cost(self, plan: BandPlan, family: Family, size: dict[str, int], each: dict[int, np.ndarray]) -> np.ndarray:
        """Cycles of a plan at each size, inf where that has no band of its height."""
        at: dict[str, Any] = {**size, self.dim: self.sizes, self.rows: self.sizes}
        if not plan.dims:
            return self._over_batches(family, at, self._of_rows(plan, _alone(family), at, each))
        loop = self._loop(plan)
        tiles = dict(zip(plan.dims, loop.tiles))
        inside = loop.inside(family)
        part = each[plan.height] if self.rows in plan.dims else self._of_rows(plan, _alone(family), at, each)
        count = prod(-(-at[d] // t) for d, t in tiles.items())
        cost = parallel_cost(
            self.target,
            count,
            self.threads,
            self._over_batches(inside, at, part),
            shared_lines(family, plan.dims, loop.tiles, at),
        )
        return np.where(count > 1, cost, np.inf)

    def _over_batches(self, family: Family, size: dict[str, Any], cost: np.ndarray) -> np.ndarray:
        """The cost of loops over the batch dimensions of a family around what costs so much."""
        for dim in reversed(family.batch):
            features, (times,) = Batch(dim).edge(family, self.target).terms(size)
            cost = self.target.cost(features) + times * cost
        return cost

    def _of_rows(self, plan: BandPlan, family: Family, size: dict[str, Any], each: dict[int, np.ndarray]) -> np.ndarray:
        """What bands of a plan's height cost, and the lower ones that the leftover rows take."""
        if plan.down:
            return np.array(
                [
                    self._down(banded(self._heights(plan), n), each) if n >= plan.height else np.inf
                    for n in self.sizes.tolist()
                ]
            )
        total, left = np.where(self.sizes >= plan.height, 0.0, np.inf), self.sizes
        for h in self._heights(plan):
            trips = left // h
            around = self.target.cost(
                loop_features(family, self.rows, h, self.target, {**size, self.rows: np.maximum(left, 1)})
            )
            total = (
                total
                + np.where(trips > 0, trips * np.where(trips > 0, each[h], 0.0), 0.0)
                + np.where(left > h, around, 0.0) * (trips > 0)
            )
            left = left % h
        return total

    def _down(self, heights: tuple[int, ...], each: dict[int, np.ndarray]) -> float:
        """Bands of these heights, each at its own end."""
        around = self.target.cost({"loop": len(heights)}) if len(heights) > 1 else 0.0
        return around + sum(each[h][end - 1] for h, end in zip(heights, accumulate(heights)))

    # ---- programs ----------------------------------------------------------------------------------------------------

    def _bands(
        self, family: Family, size: dict[str, int], served: dict[BandPlan, tuple[int, ...]]
    ) -> dict[int, BySize]:
        """By height the programs of a band at all sizes that have one."""
        asked: dict[int, dict[int, float]] = defaultdict(dict)
        for plan, sizes in served.items():
            for n in sizes:
                heights = banded(self._heights(plan), n)
                for h, end in zip(heights, accumulate(heights)):
                    at = end if plan.down else n
                    asked[h][at] = 1.0 if h == plan.height else asked[h].get(at, LEFT)
        found = SizePrograms(self.rebuild, self.dim)
        under = found.costs.free(family)
        return {
            h: found.by_size(family, {**size, self.rows: h}, dict(sorted(sizes.items())), under, HALF)
            for h, sizes in asked.items()
        }

    def _state(self, family: Family, size: dict[str, int], n: int, rows: int | None = None) -> State:
        size = {**size, self.dim: n, self.rows: n if rows is None else rows}
        return State(family, tuple(size[d] for d in family.operation.dims))

    def _node(self, plan: BandPlan, family: Family, size: dict[str, int], n: int, bands: dict[int, BySize]) -> Node:
        """The program of a plan for sizes up to n."""
        state = self._state(family, size, n)
        if not plan.dims:
            return self._in_batches(state, self._of_bands(plan, self._heights(plan), family, size, n, bands))
        loop = self._loop(plan)
        inside = State(loop.inside(family), tuple(state.size[d] for d in loop.inside(family).operation.dims))
        if self.rows not in plan.dims:
            body = self._in_batches(inside, self._of_bands(plan, self._heights(plan), family, size, n, bands))
            return loop.node(state, (body, *[None] * ((1 << len(plan.dims)) - 1)), None)
        lower = [h for h in self._heights(plan)[1:] if h in bands]
        whole = self._in_batches(self._state(inside.family, size, n, plan.height), bands[plan.height])
        left = self._in_batches(inside, self._of_bands(plan, lower, family, size, n, bands)) if lower else None
        mask = 1 << plan.dims.index(self.rows)
        bodies = (whole if not i else left if i == mask else None for i in range(1 << len(plan.dims)))
        return replace(loop.node(state, tuple(bodies), None), open=self.rows)

    def _of_bands(
        self, plan: BandPlan, heights: list[int], family: Family, size: dict[str, int], n: int, bands: dict[int, BySize]
    ) -> Bands:
        there = tuple(h for h in heights if h in bands)
        return Bands(self._state(_alone(family), size, n), self.rows, there, tuple(bands[h] for h in there), plan.down)

    def _in_batches(self, state: State, body: Node) -> Node:
        """Loops over the batch dimensions of a family around a program for one index of each."""
        if not state.family.batch:
            return body
        loop = Batch(state.family.batch[0])
        inside = off(state.family, loop.dim)
        return loop.node(
            state, (self._in_batches(State(inside, tuple(state.size[d] for d in inside.operation.dims)), body),), None
        )


def _alone(family: Family) -> Family:
    """A family at one index of each of its batch dimensions."""
    for dim in family.batch:
        family = off(family, dim)
    return family


def _groups(sizes: tuple[int, ...], band: BySize) -> list[tuple[int, ...]]:
    """Those of the sizes that share the program of a band, together."""
    groups = (tuple(n for n in group if n in sizes) for group, _ in band.cases)
    return [group for group in groups if group]
