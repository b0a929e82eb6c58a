"""Closing a block a line at a time gives what each row gives by itself: costs and decisions, ties among them."""

from itertools import pairwise

import numpy as np
import pytest
from griotte.engine.search.closing import BlockAddresses, close
from griotte.engine.search.edges import address
from griotte.engine.table import NONE, TILE_CODE, TILE_SPAN

F32, F64 = np.float32, np.float64
LOOP = F32(0.1)
SIZES = np.array([1, 2, 3, 4, 6, 8, 11])


class Drawn:
    """A block at random: rows with holes where `holes`, costs that tie and never rise with a limit."""

    def __init__(self, seed: int, shape: tuple[int, ...], limits: int, holes: float, known: float):
        rng = np.random.default_rng(seed)
        self.shape, self.limits, rank, points = shape, limits, len(shape), int(np.prod(shape))
        self.strides = np.array([int(np.prod(shape[i + 1 :])) for i in range(rank)], np.int64)
        self.coordinates = np.stack(np.unravel_index(np.arange(points), shape), axis=1).astype(np.int32)
        self.rows = np.flatnonzero(rng.random(points) >= holes)
        self.slot = np.full(points, -1, np.int32)
        self.slot[self.rows] = np.arange(len(self.rows))
        self.cost, self.rest = (self._costs(rng) for _ in range(2))
        self.decision = np.where(self.cost < np.inf, 1, NONE).astype(np.int16)
        self.known = rng.random(len(self.rows)) < known
        tiles, span = 4, max(shape)
        self.tile_at = np.tile(np.array([0, 1, 3, span], np.int32)[:tiles], (rank, 1))
        self.quotient, self.remainder = (np.zeros((rank, span, tiles), F32), np.full((rank, span, tiles), -1, np.int32))
        for i in range(span):
            for t, at in enumerate((0, 1, 3)):
                if at < i and (left := SIZES[i] % SIZES[at]) in (0, *SIZES):
                    self.quotient[:, i, t] = SIZES[i] // SIZES[at]
                    self.remainder[:, i, t] = np.flatnonzero(SIZES == left)[0] if left else -1
        self.dims = np.flatnonzero(np.array(shape) > 1)
        self.has_rest = rng.random(rank) < 0.4
        self.cut = rng.integers(0, 3, (rank, points)).astype(F32) / F32(3)
        self.cut[:, rng.random(points) < 0.7] = 0

    def _costs(self, rng) -> np.ndarray:
        drawn = rng.integers(1, 9, (len(self.rows), self.limits)) * F32(0.7)
        drawn[rng.random(drawn.shape) < 0.2] = np.inf
        return np.maximum.accumulate(drawn[:, ::-1], axis=1)[:, ::-1].astype(F32)

    def closed(self, cut: np.ndarray, parts: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """By the loops of the search, a share of the rows at a time."""
        cost, decision = self.cost.copy(), self.decision.copy()
        tables = self.tile_at, self.quotient, self.remainder
        cuts = np.array([address(along) * along.any() for along in cut], np.int64)
        block = BlockAddresses.of((cost, decision, self.rest), self.slot, tables, cuts, LOOP)
        ends = np.linspace(0, len(self.rows), parts + 1).astype(int).tolist()
        for part in pairwise(ends):
            place, loops = (self.coordinates, self.strides), (self.dims, self.has_rest)
            close(block, (self.rows, self.known), part, place, loops)
        return cost, decision

    def plainly(self, cut: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Row by row, loop by loop, limit by limit."""
        cost, decision = self.cost.copy(), self.decision.copy()
        for r, point in enumerate(self.rows):
            given = decision[r].copy()
            for d in self.dims:
                for t in range(self.tile_at.shape[1]):
                    for l in range(self.limits):
                        value = self._value(cost, point, d, t, l, cut)
                        code = TILE_CODE + d * TILE_SPAN + t
                        if given[l] == code if self.known[r] else value < cost[r, l]:
                            cost[r, l], decision[r, l] = value, code
        return cost, decision

    def _value(self, cost, point: int, d: int, t: int, l: int, cut: np.ndarray) -> float:
        i = self.coordinates[point, d]
        q, tail = self.quotient[d, i, t], self.remainder[d, i, t]
        if not q:
            return np.inf
        base = point - i * self.strides[d]
        first = self.slot[base + self.tile_at[d, t] * self.strides[d]]
        last = self.slot[base + tail * self.strides[d]] if tail >= 0 else 0
        if first < 0 or last < 0:
            return np.inf
        own = F64(q * LOOP)
        if cut[d].any():
            own += (F64(q) - 1 + (tail >= 0)) * F64(cut[d, point])
        if not self.has_rest[d]:
            whole = q * cost[first, l]
            return F64(whole + cost[last, l] if tail >= 0 else whole) + own
        value = F64(cost[first, l]) + own
        if q > 1:
            value += (F64(q) - 1) * F64(self.rest[first, l])
        return value + F64(self.rest[last, l]) if tail >= 0 else value


@pytest.mark.parametrize("shape", [(7,), (3, 7), (5, 4, 6), (7, 5, 1), (1, 6, 1, 1), (2, 3, 4, 5)])
@pytest.mark.parametrize("limits, holes", [(1, 0), (1, 0.2), (5, 0), (5, 0.2), (25, 0.05)])
def test_lines_are_closed_as_their_rows_are(shape, limits, holes):
    for known in (0, 0.1):
        block = Drawn(len(shape) * limits + shape[-1], shape, limits, holes, known)
        block.decision[block.known] = TILE_CODE + int(block.dims[-1]) * TILE_SPAN + 1
        block.cost[block.known] = np.inf
        for cut in (np.zeros((len(shape), 1), F32), block.cut):
            expected = block.plainly(cut)
            for parts in (1, 3):
                cost, decision = block.closed(cut, parts)
                assert np.array_equal(cost, expected[0]) and np.array_equal(decision, expected[1])


def test_a_known_decision_that_is_no_loop_of_the_row_has_no_cost():
    block = Drawn(0, (3, 4), 5, 0, 0)
    block.known[:], block.cost[:] = True, np.inf
    for code in (TILE_CODE + 9 * TILE_SPAN, TILE_CODE + 200, TILE_CODE + 3, TILE_CODE + TILE_SPAN + 3):
        block.decision[:] = code
        assert np.isinf(block.closed(block.cut)[0]).all()
