"""Comparisons and logic: NumPy's, of floats and integers, NaN among them; within other maps they stay tests."""

import griotte as gt
import numpy as np
import pytest
from checked import check
from griotte.support.errors import SpecError

COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
LOGIC = ("logical_and", "logical_or", "logical_xor")


@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.parametrize("of", ["f32", "s8"])
def test_a_comparison_is_numpys(name, of):
    spec = check(f"{name}({of}[3,17], {of}[17])", getattr(np, name))
    assert spec.output.dtype == "pred"


@pytest.mark.parametrize("name", COMPARISONS)
def test_what_is_compared_with_a_number(name):
    check(f"{name}(bf16[33], 0.5)", lambda x: getattr(np, name)(x, 0.5))
    check(f"{name}(2, s32[5])", lambda x: getattr(np, name)(2, x))


@pytest.mark.parametrize("name", LOGIC)
def test_logic_is_numpys(name):
    check(f"{name}(pred[3,17], pred[17])", getattr(np, name))


def test_what_does_not_hold():
    check("logical_not(pred[3,17])", np.logical_not)


def test_a_choice_by_a_comparison_is_one_map():
    spec = check("where(less(f32[5,9], f32[9]), f32[5,9], 0)", lambda x, y, z: np.where(x < y, z, 0))
    assert str(spec.operation.body) == "where(lt(x0, x1), x2, 0)"
    check(
        "where(logical_or(less(%x: f32[33], 0), greater(%x, 1)), f32[33], %x)",
        lambda x, y: np.where((x < 0) | (x > 1), y, x),
    )
    check("logical_not(logical_and(less(f64[9], f64[9]), pred[9]))", lambda x, y, p: ~((x < y) & p))
    check("sum(cast(greater(f32[7,40], 0)) -> s32[7,40], axis=1)", lambda x: (x > 0).sum(1))


@pytest.mark.parametrize(
    "text, message",
    [
        ("logical_and(f32[4], pred[4])", r"logical_and expects pred, found f32\[4\]; compare it first: not_equal"),
        ("less(1, 2)", "less expects a tensor among its operands, found numbers alone"),
        ("less(s32[4], 0.5)", "expected a number that s32 holds, found 0.5, for an operand of less"),
    ],
)
def test_what_does_not_go_together_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)
