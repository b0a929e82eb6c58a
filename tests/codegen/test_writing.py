"""How the C of leaves is written is the target's: other numbers give other C, and the same results."""

from dataclasses import replace

import pytest
from checked import within_bounds
from griotte import synthesize
from griotte.machine import Prefetch, Writing
from machines import machine

# nobody asks for rows, so that they are walked down
USUAL = replace(machine("avx2"), prefetch=Prefetch(least_work=1000.0))
OTHER = replace(USUAL, writing=Writing(unrolled=8, walked=1, written=1, row=1, turned=2, block=4))


@pytest.mark.parametrize("text", [
    "matmul(f32[6,70], f32[70,40])",  # steps of a turn
    "matmul(f32[1,300], f32[300,4096])",  # rows that stream in
    "conv2d(f32[1,3,9,30], f32[16,3,3,3])",  # steps along a window
    "relu(f32[24])",  # vectors of a row
    "matmul(f32[3,20], f32[20,24]) -> f32[3,24]{0,1}",  # results that are turned
    "transpose(f32[21,34]) -> bf16[34,21]",  # square blocks
])  # fmt: skip
def test_it_is_written_otherwise_and_right(text):
    usual, other = (synthesize(text, target, table="none") for target in (USUAL, OTHER))
    assert usual.to_c() != other.to_c()
    within_bounds(other, 0)
