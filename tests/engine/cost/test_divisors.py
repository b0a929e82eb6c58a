"""What a division by a number costs: no more than one by a tensor, and as much where it is written so."""

import pytest
from griotte.engine.cost.ports import computed, evaluated
from griotte.lang.functions import Slots
from griotte.lang.types.expr import Arg, As, Call, Const
from machines import machine


def divided(divisor: float) -> Call:
    return Call("div", (Arg(0), Const(divisor)))


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
def test_it_is_that_of_what_it_is_written_as(name):
    target = machine(name)
    by_tensor, product = (computed(target, [call], "f32") for call in ("div", "mul"))
    assert evaluated(target, divided(4.0), "f32") == product
    assert evaluated(target, divided(1 / 3), "f32") == by_tensor  # one quotient would be off
    assert evaluated(target, divided(9.0), "s32") == by_tensor
    for dtype in ("f32", "f64"):
        found = evaluated(target, divided(9.0), dtype)
        assert found == (Slots(3.0) if name == "avx512" else by_tensor)
        assert found.all <= by_tensor.all and found.multiplying <= max(by_tensor.all, by_tensor.multiplying)


def test_the_dtype_is_that_in_which_it_is_divided():
    target = machine("avx512")
    within = As("f32", "s32", divided(9.0))
    assert evaluated(target, within, "s32").all < evaluated(target, As("f32", "s32", divided(1 / 3)), "s32").all
