"""Brute force over the same space, one Spec at a time: what the solver is checked against.

It reads the same `edges` and `tilings` with plain ints, and knows no block, no array and no Numba. The space it walks is
the one that docs/space.md declares: limits in steps of `limits.SHARES`, an axis for a level only where it can bind, tiles
from the ladders, operands that fit their level, copies and fills that find all caches free.

    Oracle(target, home, ladders).cost(family, sizes)      the least cost, by recursion with a memo
    Oracle(target, home, ladders).count(family, sizes)     how many programs there are, exactly
    enumerate_costs(target, home, ladders, family, sizes)  the cost of every program there is; tiny spaces only
"""

from __future__ import annotations

from itertools import product
from math import inf, prod

from ..rewrites import edges, tilings
from ..rewrites.edge import Edge
from ..spec.family import Family, resident
from . import limits

Sizes = tuple[int, ...]
Left = tuple[int, ...]  # a step of limits.SHARES for each level of limits.axes(family, home)


class Oracle:
    """The least cost of a point of the space, in cycles as float64 (inf where there is no program), and how many
    programs it has."""

    def __init__(self, target, home: int, ladders: dict):
        self.target, self.home, self.ladders = target, home, ladders
        self._costs: dict[tuple[Family, Sizes, Left], float] = {}
        self._counts: dict[tuple[Family, Sizes, Left], int] = {}
        self._edges: dict[Family, tuple] = {}
        self._prices: dict[tuple[Family, Sizes], list[tuple[Edge, float]]] = {}

    def cost(self, family: Family, sizes: dict[str, int]) -> float:
        """The least cost with all memory free."""
        return self.at(family, _in_order(family, sizes), self.free(family))

    def at(self, family: Family, sizes: Sizes, left: Left) -> float:
        key = family, sizes, left
        if key not in self._costs:
            self._costs[key] = self._least(family, sizes, left)
        return self._costs[key]

    def _least(self, family: Family, sizes: Sizes, left: Left) -> float:
        if not self.holds(family, sizes):
            return inf
        best = inf
        for own, children in self.choices(family, sizes, left):
            best = min(best, own + sum(times * self.at(*child) for times, child in children))
        return best

    def count(self, family: Family, sizes: dict[str, int]) -> int:
        """The number of programs with all memory free. Two programs differ where any choice differs; what a loop runs
        several times is chosen once."""
        return self._count(family, _in_order(family, sizes), self.free(family))

    def _count(self, family: Family, sizes: Sizes, left: Left) -> int:
        key = family, sizes, left
        if key not in self._counts:
            found = self.choices(family, sizes, left) if self.holds(family, sizes) else ()
            self._counts[key] = sum(prod(self._count(*child) for _, child in children) for _, children in found)
        return self._counts[key]

    # ---- the space ----------------------------------------------------------------------------------------------

    def choices(self, family: Family, sizes: Sizes, left: Left):
        """Each way to begin a program: (own cost, [(times run, (family, sizes, limits left))])."""
        size = dict(zip(family.operation.dims, sizes))
        for edge, own in self._priced(family, sizes, size):
            children = []
            for child in edge.children:
                after = self._after(family, edge, child, size, left)
                if after is None:
                    break
                times = 1 if child.times is None else int(child.times(size))
                children.append((times, (child.family, _in_order(child.family, size), after)))
            else:
                yield own, children
        yield from self._loops(family, sizes, size, left)

    def _loops(self, family: Family, sizes: Sizes, size: dict[str, int], left: Left):
        iteration = self.target.coefficient["loop"]
        for tiling in self._leaving(family)[1]:
            extent = size[tiling.dim]
            for tile in self.ladders[tiling.dim].tiles:
                if tile >= extent or not tiling.allowed(extent, tile):
                    continue
                trips, rest = divmod(extent, tile)
                later = tiling.rest or family
                at = lambda f, n: (f, _in_order(f, {**size, tiling.dim: n}), left)  # noqa: E731
                children = [(1, at(family, tile))]
                if tiling.rest is None:
                    children = [(trips, at(family, tile))]
                elif trips > 1:
                    children.append((trips - 1, at(later, tile)))
                if rest:
                    children.append((1, at(later, rest)))
                yield trips * iteration, children

    def _leaving(self, family: Family) -> tuple:
        if family not in self._edges:
            self._edges[family] = edges(family, self.target), tilings(family)
        return self._edges[family]

    def _priced(self, family: Family, sizes: Sizes, size: dict[str, int]) -> list[tuple[Edge, float]]:
        """The edges that fit at these sizes, each with its own cost."""
        key = family, sizes
        if key not in self._prices:
            fitting = [e for e in self._leaving(family)[0] if e.fits is None or bool(e.fits(size))]
            self._prices[key] = [(e, float(self.target.cost(e.features(size)))) for e in fitting]
        return self._prices[key]

    def holds(self, family: Family, sizes: Sizes) -> bool:
        """Every operand fits the level it is at."""
        size = dict(zip(family.operation.dims, sizes))
        return all(
            float(resident(family.access(i), operand, size)) <= self.target.capacity_lines(operand.level)
            for i, operand in enumerate(family.operands)
            if 0 < operand.level < self.home
        )

    def free(self, family: Family) -> Left:
        """All memory free."""
        return (len(limits.SHARES) - 1,) * len(limits.axes(family, self.home))

    def _after(self, family: Family, edge: Edge, child, size: dict[str, int], left: Left) -> Left | None:
        """The limits that a child of `edge` sees; None where what the edge uses is not left."""
        if not child.carries:
            return self.free(child.family)
        full = len(limits.SHARES) - 1
        before = dict(zip(limits.axes(family, self.home), left))
        after = {level: before.get(level, full) for level in limits.axes(child.family, self.home)}
        if edge.uses is not None and edge.uses[0] < self.home:
            level, used, _ = edge.uses
            step = self._step_down(level, before.get(level, full), float(used(size)))
            if step is None:
                return None
            if level in after:
                after[level] = step
        return tuple(after.values())

    def _step_down(self, level: int, step: int, used: float) -> int | None:
        """The largest step that is left when `used` lines are taken at `step`."""
        capacity = self.target.capacity_lines(level)
        remains = limits.SHARES[step] * capacity - used
        return max((s for s, share in enumerate(limits.SHARES) if share * capacity <= remains), default=None)


def enumerate_costs(target, home: int, ladders: dict, family: Family, sizes: dict[str, int]) -> list[float]:
    """The cost of every program of the space, one entry each, without a memo: every choice at every place, tried out."""
    space = Oracle(target, home, ladders)

    def programs(family: Family, sizes: Sizes, left: Left) -> list[float]:
        if not space.holds(family, sizes):
            return []
        found = []
        for own, children in space.choices(family, sizes, left):
            parts = [[times * cost for cost in programs(*child)] for times, child in children]
            found += [own + sum(part) for part in product(*parts)]
        return found

    return programs(family, _in_order(family, sizes), space.free(family))


def _in_order(family: Family, size: dict[str, int]) -> Sizes:
    return tuple(size[d] for d in family.operation.dims)
