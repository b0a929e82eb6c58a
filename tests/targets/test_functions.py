"""Operations of the functions of bodies, by the form of vectors."""

import math

import pytest
from griotte.spec.expr import FUNCTIONS
from griotte.targets import BUILT_IN, resolve


@pytest.mark.parametrize("base", BUILT_IN)
def test_every_function_has_slots_that_are_not_negative(base):
    declared = BUILT_IN[base].FUNCTIONS
    assert set(declared) - {"as"} == set(FUNCTIONS)
    assert all(0 <= slots.multiplying <= slots.all < math.inf for slots in declared.values())


@pytest.mark.parametrize("base", BUILT_IN)
def test_a_target_has_those_of_its_base(base):
    assert resolve(base).function == BUILT_IN[base].FUNCTIONS
