"""Parameters that contradict each other: the dearer is set right, and told."""

from itertools import pairwise

import pytest
from griotte.machine.machine import DEFAULTS, FAR
from griotte.runtime.calibrate.agreement import ALIKE, RISING, agreeing
from hypothesis import given
from hypothesis import strategies as st

GOOD = {"read.L2": 2.0, "read.L3": 4.0, "read.memory": 9.0, "curve.4": 4.0, "curve.256": 9.0, "load": 2.0}


def test_what_agrees_is_left():
    assert agreeing(GOOD) == (GOOD, [])
    assert agreeing({}) == ({}, [])


@pytest.mark.parametrize(
    "name, value, set_right",
    [("read.L2", 6.0, 4.0), ("read.L3", 25.0, 9.0), ("curve.4", 30.0, 9.0), ("read.memory", 27.0, 9.0)],
)
def test_the_dearer_of_two_that_cannot_both_be_is_wrong(name, value, set_right):
    found, (why,) = agreeing(GOOD | {name: value})
    assert found == GOOD | {name: set_right} and f"{name} {value:.4g} is more than" in why and "was taken" in why


def test_a_little_more_is_what_clocks_differ_by():
    assert agreeing(GOOD | {"read.L3": 9.0 * ALIKE})[1] == []


@given(
    st.fixed_dictionaries(
        {}, optional={name: st.floats(0.0, 1000.0) for names in RISING for name in names if name in DEFAULTS}
    )
)
def test_in_the_end_nothing_nearer_is_dearer(given_):
    found, why = agreeing(given_)
    assert set(found) == set(given_) and all(found[name] <= given_[name] for name in found)
    assert (found == given_) == (not why)
    for names in RISING:
        known = [found[name] for name in names if name in found]
        assert all(near <= ALIKE * far * (1 + 1e-12) for near, far in pairwise(known))


def test_every_level_is_looked_at():
    assert {f"read.{level}" for level in FAR} <= {name for names in RISING for name in names}
