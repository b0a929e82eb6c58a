"""Covers are exact and disjoint; every way to read them, and runs, agrees with the block."""

import griotte as gt
import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.problem import problem
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.engine.table.boxes import Boxes, cover
from griotte.engine.table.codes import FREE
from griotte.engine.table.patch import Patch
from griotte.engine.table.runs import LONGEST, PALETTE, Runs
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


@given(
    st.lists(st.integers(1, 5), max_size=3),
    st.integers(0, 2),
    st.sampled_from([0.0, 0.4, 1.0]),
    st.integers(0, 2**32 - 1),
)
def test_runs_agree_with_the_block_however_they_are_read(sizes, limit_axes, free, seed):
    rng, shape = np.random.default_rng(seed), (*sizes, *(6,) * limit_axes)
    points, limits = int(np.prod(sizes, dtype=int)), 6**limit_axes
    rows = np.flatnonzero(rng.random(points) >= free)
    slot = np.full(points, -1, np.int32)
    slot[rows] = np.arange(len(rows))
    decision = rng.choice(np.array([-1, 0, 7, 4096 + 300], np.int16), (len(rows), limits))
    block = np.full((points, limits), FREE, np.int16)
    block[rows] = decision
    block = block.reshape(shape)
    found = Runs.of(slot, decision, shape)
    assert np.array_equal(found.dense(), block)
    assert all(found.at(cell) == block[cell] for cell in np.ndindex(*shape))
    index = [np.flatnonzero(rng.random(n) < 0.6) for n in shape]
    assert np.array_equal(found.gather(index), block[np.ix_(*index)] if index else block)
    asked = block != FREE
    assert np.array_equal(found.covered.dense()[asked], block[asked])


def test_rows_that_another_patch_holds_are_left_out():
    decision = np.array([[1], [2], [2], [3]], np.int16)
    found = Runs.of(np.array([0, -1, 2, 3], np.int32), decision, (4,))
    assert found.dense().tolist() == [1, FREE, 2, 3] and found.covered.at((2,)) == 2


@pytest.mark.parametrize("rows", [0, 1])
def test_blocks_of_no_row_or_one(rows):
    found = Runs.of(np.array([rows - 1], np.int32), np.full((rows, 6), 4, np.int16), (1, 6))
    assert found.dense().tolist() == [[4 if rows else FREE] * 6] and len(found.chosen) == rows


def test_a_limit_that_was_not_met_is_free():
    found = Runs.of(np.array([0], np.int32), np.array([[1, 2]], np.int16), (1, 2))
    assert [found.at((0, step)) for step in range(4)] == [1, 2, FREE, FREE]
    met, whole = (
        Patch(((7,),), ((1,),), (1,), 6, 6, boxes)
        for boxes in (found, Runs.of(np.array([0], np.int32), np.full((1, 6), 3, np.int16), (1, 6)))
    )
    assert met.gather([np.array([0])]).tolist() == [[1, 2, FREE, FREE, FREE, FREE]]
    assert whole.covers(met) and not met.covers(whole)


@pytest.mark.parametrize("decisions", [PALETTE - 1, PALETTE, PALETTE + 1, 3 * PALETTE])
@pytest.mark.parametrize("each", [1, LONGEST, LONGEST + 1, 2 * LONGEST])
def test_as_many_decisions_as_a_byte_tells_apart_and_more(decisions, each):
    """And as many cells of each as a run may have, and more; a byte for each run as far as that tells."""
    decision = np.repeat(np.arange(-1, decisions - 1, dtype=np.int16), each)[:, None]
    found = Runs.of(np.arange(len(decision), dtype=np.int32), decision, decision.shape)
    assert np.array_equal(found.decision(), decision) and np.array_equal(found.dense(), decision)
    assert [found.at((cell, 0)) for cell in (0, each - 1, each, len(decision) - 1)] == [-1, -1, 0, decisions - 2]
    assert found.chosen.itemsize == (1 if decisions <= PALETTE else 2)
    assert len(found) == decisions * -(-each // LONGEST)
