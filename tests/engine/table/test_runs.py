"""Runs say of every cell what the block says, as boxes do."""

import numpy as np
import pytest
from griotte.engine.table.codes import FREE
from griotte.engine.table.patch import Patch
from griotte.engine.table.runs import Runs
from hypothesis import given
from hypothesis import strategies as st


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
