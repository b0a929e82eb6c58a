"""Relaxing the edges of a family over its rows, whole or a slab at a time, gives what each row gives by itself: costs
and decisions, ties among them."""

from itertools import pairwise

import numpy as np
import pytest
from griotte.engine.search import limits
from griotte.engine.search.edges import AHEAD, ALONE, CARRIES, address
from griotte.engine.search.kernels import STRETCH, relax
from griotte.engine.table import NONE

F32, INF = np.float32, np.float32(np.inf)
LEVELS = (1, 2)
# what moves leave of a level: nothing is taken, a step, two, more than there is of the first four
DOWNS = np.array([range(6), (-1, *range(5)), (-1, -1, *range(4)), (-1, -1, -1, -1, 0, 1)], np.int8)


class Child:
    """A child at random of a parent of so many points: costs that never rise with a limit, flat in half of its rows;
    some of its own points have no row."""

    def __init__(self, rng, points: int, steps: tuple[int, int], counts: int, is_mapped: bool):
        self.counts, own, count = counts, points + 5 if is_mapped else points, int(np.prod(steps))
        self.slot = np.full(own, -1, np.int32)
        held = np.flatnonzero(rng.random(own) < 0.9)
        self.slot[held] = np.arange(len(held))
        drawn = rng.integers(1, 30, (len(held), *steps)) * F32(0.7)
        drawn[rng.random(drawn.shape) < 0.1] = INF
        drawn[rng.random(len(held)) < 0.5] = F32(2.1)
        for axis in LEVELS:
            drawn = np.flip(np.maximum.accumulate(np.flip(drawn, axis), axis), axis)
        self.cost = np.ascontiguousarray(drawn.reshape(len(held), count), F32)
        self.point = rng.integers(0, own, points) if is_mapped else np.arange(points)
        self.times = rng.integers(1, 4, points).astype(F32)
        self.kind = rng.integers(0, len(DOWNS), points).astype(np.int32)
        level = int(rng.integers(1, 3))
        met = limits.transition(LEVELS, LEVELS, level, DOWNS, (steps, steps))
        self.to = np.ascontiguousarray(met, np.int32)
        self.is_mapped = is_mapped

    @property
    def columns(self) -> tuple[int, ...]:
        seen = address(self.cost), self.cost.shape[1], address(self.slot), address(self.point) * self.is_mapped
        return *seen, address(self.times), address(self.kind), address(self.to), self.counts

    def under(self, point: int) -> np.ndarray | None:
        """What it costs under each limit of the parent's, at a point of the parent's; None without a row."""
        row = self.slot[self.point[point]]
        if row < 0:
            return None
        free = self.cost[row, -1]
        if self.counts != CARRIES:
            return np.full(self.cost.shape[1], free if self.counts == ALONE or free == INF else 0, F32)
        to = self.to[self.kind[point]]
        return np.where(to >= 0, self.times[point] * self.cost[row, np.maximum(to, 0)], INF)


class Drawn:
    """A block and its edges at random: at all points and at some, of no child that carries, of one, and of two."""

    def __init__(self, seed: int, points: int, steps: tuple[int, int]):
        rng = np.random.default_rng(seed)
        self.limits = int(np.prod(steps))
        self.rows = np.flatnonzero(rng.random(points) < 0.8)
        self.slot = np.full(points, -1, np.int32)
        self.slot[self.rows] = np.arange(len(self.rows))
        self.edges: list[tuple[np.ndarray, np.ndarray, bool, list[Child]]] = []
        for counts in ((), (CARRIES,), (ALONE,), (ALONE, CARRIES), (CARRIES, AHEAD), (CARRIES, CARRIES)) * 2:
            is_part = bool(rng.integers(0, 2))
            places = np.flatnonzero(rng.random(points) < 0.3) if is_part else np.arange(points)
            own = (rng.integers(1, 20, len(places)) * F32(0.7)).astype(F32)
            own[rng.random(len(own)) < 0.2] = INF
            children = [Child(rng, points, steps, c, bool(rng.integers(0, 2))) for c in counts]
            self.edges.append((places, own, is_part, children))
        self.known = np.zeros(len(self.rows), bool)
        self.given = np.full((len(self.rows), self.limits), NONE, np.int16)

    def relaxed(self, ends: list[int], singly: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """By the loops of the search, the rows from one end to the next at a time; `singly` an edge at a time."""
        cost, decision = np.full(self.given.shape, INF, F32), self.given.copy()
        children = np.array([c.columns for *_, some in self.edges for c in some], np.int64).reshape(-1, 8)
        edges, begin = [], 0
        for places, own, is_part, some in self.edges:
            edges.append((address(own), address(places) * is_part, len(own), begin, begin + len(some)))
            begin += len(some)
        table, block = np.array(edges, np.int64), (cost, decision, self.known, self.rows, self.slot)
        for which in pairwise(range(len(edges) + 1)) if singly else [(0, len(edges))]:
            for part in pairwise(ends):
                assert relax(block, part, table, which, children) == -1
        return cost, decision

    def plainly(self) -> tuple[np.ndarray, np.ndarray]:
        """Row by row, edge by edge."""
        cost, decision = np.full(self.given.shape, INF, F32), self.given.copy()
        for e, (places, own, _, children) in enumerate(self.edges):
            for point, price in zip(places, own):
                r, under = self.slot[point], [child.under(point) for child in children]
                if r < 0 or any(one is None for one in under):
                    continue
                carried = np.zeros(self.limits, F32)
                for child, one in zip(children, under):
                    price, carried = (price, carried + one) if child.counts == CARRIES else (price + one, carried)
                value = price + carried
                takes = decision[r] == e if self.known[r] else value < cost[r]
                cost[r], decision[r] = np.where(takes, value, cost[r]), np.where(takes, e, decision[r])
        return cost, decision


def same(found: tuple[np.ndarray, np.ndarray], expected: tuple[np.ndarray, np.ndarray]) -> None:
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(one, other)


def slabs(count: int) -> list[int]:
    """Ends of slabs: of one row, of a stretch and one row more or less, of what is left, and of none."""
    return [0, 1, 1, STRETCH - 1, 2 * STRETCH, 2 * STRETCH + 1, count - 1, count]


@pytest.mark.parametrize("steps", [(1, 1), (1, 4), (2, 3), (5, 5), (6, 6)])
@pytest.mark.parametrize("seed", range(3))
def test_rows_cost_what_each_costs_by_itself_whole_or_in_slabs(seed, steps):
    drawn = Drawn(seed, 3 * STRETCH + 77, steps)
    expected, count = drawn.plainly(), len(drawn.rows)
    assert len(np.unique(expected[1])) > 5, "few edges win: the block is too plain"
    same(drawn.relaxed([0, count]), expected)
    same(drawn.relaxed(slabs(count)), expected)
    same(drawn.relaxed(slabs(count), singly=True), expected)


def test_known_rows_cost_what_their_decisions_did():
    drawn = Drawn(7, 2 * STRETCH + 9, (2, 3))
    solved, count = drawn.plainly(), len(drawn.rows)
    drawn.known, drawn.given = np.arange(count) % 3 > 0, solved[1].copy()
    drawn.given[~drawn.known] = NONE
    for found in (drawn.relaxed([0, count]), drawn.relaxed([0, 5, STRETCH + 3, count])):
        same(found, solved)


def test_a_block_of_no_rows_is_relaxed():
    drawn = Drawn(1, 40, (2, 3))
    drawn.rows, drawn.slot = drawn.rows[:0], np.full(40, -1, np.int32)
    drawn.given, drawn.known = drawn.given[:0], drawn.known[:0]
    assert drawn.relaxed([0, 0])[0].shape == (0, 6)


def test_the_edge_is_named_whose_child_is_not_on_its_ladders():
    drawn = Drawn(3, 50, (2, 3))
    child = drawn.edges[1][3][0]
    child.is_mapped, child.point = True, np.full(50, -1)
    with pytest.raises(AssertionError, match="1 == -1"):
        drawn.relaxed([0, len(drawn.rows)])
