"""Covers are exact and disjoint, and every way to read them agrees with the block."""

import griotte as gt
import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.problem import problem
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.engine.table.boxes import Boxes, cover
from griotte.engine.table.codes import FREE
from griotte.machine import resolve
from hypothesis import given, settings
from hypothesis import strategies as st


def covered(block: np.ndarray, limit_axes: int) -> Boxes:
    """The cover of a dense block whose points are FREE under all limits or none."""
    table = block.reshape(-1, 6**limit_axes)
    rows = np.flatnonzero(table[:, 0] != FREE).astype(np.int64)
    slot = np.full(len(table), -1, np.int32)
    slot[rows] = np.arange(len(rows))
    return cover(rows, slot, table[rows], block.shape)


def held(boxes: Boxes) -> np.ndarray:
    """How many boxes hold each cell, counted without the code under test."""
    count = np.zeros(boxes.shape, np.int64)
    for low, high in zip(boxes.low.tolist(), boxes.high.tolist()):
        count[tuple(map(slice, low, high))] += 1
    return count


def check(boxes: Boxes, block: np.ndarray) -> None:
    dense, asked = boxes.dense(), block != FREE
    assert dense.shape == block.shape and dense.dtype == np.int16
    assert np.array_equal(dense[asked], block[asked])
    assert np.all(boxes.low < boxes.high) and np.all(boxes.high <= np.array(block.shape, np.int64))
    count = held(boxes)
    assert count.max(initial=0) <= 1 and np.array_equal(count > 0, dense != FREE)


@st.composite
def blocks(draw) -> tuple[np.ndarray, int]:
    """(block, limit axes): noise, or blocks of up to 4 equal coordinates; few decisions; points FREE at random or
    beyond a staircase."""
    limit_axes = draw(st.integers(0, 2))
    sizes = draw(st.lists(st.integers(1, 5), max_size=4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = (*sizes, *(6,) * limit_axes)
    grain = draw(st.integers(1, 4))
    noise = rng.choice(np.array([-1, 0, 7, 4096 + 300], np.int16), shape)
    block = np.array(noise[np.ix_(*(np.arange(n) // grain for n in shape))])
    match draw(st.sampled_from(["none", "noise", "stairs", "all"])):
        case "noise":
            block[rng.random(sizes) < 0.4] = FREE
        case "stairs":
            block[np.indices(sizes).sum(axis=0) > sum(sizes) / 3] = FREE
        case "all":
            block[...] = FREE
    return block, limit_axes


@settings(deadline=None)  # the first call loads or compiles the loops
@given(blocks())
def test_covers_are_exact_and_disjoint(drawn):
    check(covered(*drawn), drawn[0])


@settings(deadline=None)  # the first call loads or compiles the loops
@given(blocks(), st.data())
def test_one_cell_and_a_gathered_part_are_as_the_dense_block(drawn, data):
    boxes = covered(*drawn)
    dense = boxes.dense()
    cell = tuple(data.draw(st.integers(0, n - 1)) for n in dense.shape)
    assert boxes.at(cell) == dense[cell]
    index = [np.array(data.draw(st.sets(st.integers(0, n - 1), max_size=6).map(sorted)), np.int64) for n in dense.shape]
    expected = dense[np.ix_(*index)] if index else dense
    found = boxes.gather(index)
    assert found.dtype == np.int16 and np.array_equal(found, expected)


def test_outside_of_the_grid_there_is_no_box():
    boxes = covered(np.zeros((3, 4), np.int16), 0)
    assert [boxes.at(c) for c in ((0, 0), (2, 3), (-1, 0), (3, 0), (0, 4))] == [0, 0, FREE, FREE, FREE]


def test_free_cells_let_one_box_cover_a_staircase():
    block = np.full((8, 8, 6), 5, np.int16)
    block[np.add.outer(np.arange(8), np.arange(8)) > 7] = FREE
    boxes = covered(block, 1)
    assert len(boxes.value) == 1 and boxes.high.tolist() == [[8, 8, 6]]


@pytest.mark.parametrize(
    "shape, limit_axes, boxes", [((), 0, 1), ((1,), 0, 1), ((1, 1, 6), 1, 1), ((0,), 0, 0), ((3, 0, 6), 1, 0)]
)
def test_families_of_one_cell_and_of_none(shape, limit_axes, boxes):
    block = np.full(shape, 3, np.int16)
    found = covered(block, limit_axes)
    assert len(found.value) == boxes and np.array_equal(found.dense(), block)
    assert np.array_equal(found.gather([np.arange(n) for n in shape]), block)


def test_a_long_axis_and_more_boxes_than_there_was_room_for():
    rng = np.random.default_rng(0)
    block = rng.integers(0, 3, (600, 3, 2, 6), np.int16)
    block[:, :, 1, 2:] = 4096
    boxes = covered(block, 1)
    assert len(boxes.value) > 1000
    check(boxes, block)


def test_a_shape_that_does_not_match_is_refused():
    with pytest.raises(ValueError, match="a shape of 12 cells, .*, found "):
        cover(np.arange(2), np.arange(2, dtype=np.int32), np.zeros((2, 6), np.int16), (3, 6))


class Watched(Solver):
    """A solver that holds each family's boxes against the block that they were made of."""

    def _keep(self, block):
        wanted = np.where((block.slot >= 0)[:, None], block.decision[np.maximum(block.slot, 0)], FREE)
        super()._keep(block)
        dense = self.table.patches(block.node.family)[0].boxes.dense().reshape(wanted.shape)
        assert np.array_equal(dense[block.rows], wanted[block.rows])
        self.watched = getattr(self, "watched", 0) + len(block.rows)


def test_every_family_of_a_solved_problem():
    target = resolve("native")
    start = problem(canonical_form(gt.parse("matmul(bf16[50,100], bf16[100,60]{0,1}) -> f32[50,60]")), target)
    solver = Watched(Table(target, start.home, start.ladders), workers=1)
    solver.solve(start.goal)
    assert solver.watched > 10_000
