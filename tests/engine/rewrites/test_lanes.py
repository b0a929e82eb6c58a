"""Along which dimensions the lanes of accumulators may go."""

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites.lanes import lane_dims
from griotte.engine.search.problem import problem
from machines import machine

CASES = {
    "matmul(f32[8,9], f32[9,7])": ["n", "k"],
    "matmul(f32[8,9], f32[9,7]{0,1})": ["n", "k"],
    "matmul(f32[8,9]{0,1}, f32[9,7])": ["n"],  # no input has neighbours along k together
    "matmul(f32[8,9]{0,1}, f32[9,7]{0,1})": ["n", "m", "k"],  # interleaved
    "sum(f32[8,9], axis=0)": ["i1"],
    "sum(f32[8,9], axis=1)": ["i0", "i1"],
    "sum(f32[9])": ["i0"],
    "sum(f32[8,9,10], axis=1)": ["i2"],
    "conv2d(f32[1,8,12,12], f32[8,8,3,3])": ["i2", "i5"],  # neighbours of a window's row
}


@pytest.mark.parametrize("text, dims", CASES.items(), ids=CASES)
def test_lanes_go_along_what_lies_together(text, dims):
    assert lane_dims(problem(canonical_form(gt.parse(text)), machine("avx2")).goal) == dims
