"""The names by which measured leaves are kept."""

from dataclasses import replace

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.leaves.reduce.tiles import form_of
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import Operand, Vector
from machines import machine
from products import leaf_of

TARGET = machine("avx2")


@pytest.mark.parametrize("text, lane, panel, lies", [
    ("matmul(f32[40,50], f32[50,16])", "n", 16, "panel"),
    ("matmul(f32[40,50], f32[50,16])", "n", 0, "rows"),
    ("matmul(f32[40,50], f32[50,17])", "n", 0, "split"),
    ("matmul(f32[40,50], f32[50,16]{0,1})", "n", 0, ""),  # its elements are apart
    ("matmul(f32[40,50], f32[50,16])", "k", 0, ""),
    ("matmul(f32[40,50], f32[50,16])", "m", 0, ""),
])  # fmt: skip
def test_which_form_a_leaf_has(text, lane, panel, lies):
    kernel, family = leaf_of(text, TARGET, lane, panel)
    assert form_of(kernel, lane, family) == (f"multiply_add f32 f32 f32 {lies}" if lies else "")


def test_a_window_that_slides_has_none():
    kernel, family = (
        next(k for k in TARGET.kernels if k.name == "multiply_add"),
        problem(canonical_form(gt.parse("conv2d(f32[1,4,9,20], f32[8,4,3,3])")), TARGET).goal,
    )
    for lane in family.operation.parallel:
        assert (
            form_of(
                kernel,
                lane,
                replace(family, ahead=()).with_operand(2, Operand("f32", 0, family.output.layout, Vector(lane, 8))),
            )
            == ""
        )
