"""Which numbers are divided by as products: what is said to be the nearest number is, and what is refused is not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from griotte.lang.functions import divisors, reciprocal


def nearest(x: Fraction, bits: int) -> Fraction:
    return divisors._rounded(x, bits)


def by_products(x: int, d: int, bits: int) -> Fraction:
    high, low = divisors._parts(Fraction(d), bits)
    return nearest(x * high + nearest(x * low, bits), bits)


@pytest.mark.parametrize("bits", [5, 6, 7])
def test_of_few_bits_the_answer_is_what_trying_all_says(bits):
    found = {}
    for d in range(1 << bits - 1, 1 << bits):
        every = range(1 << bits - 1, 1 << bits)
        found[d] = all(by_products(x, d, bits) == nearest(Fraction(x, d), bits) for x in every)
        assert divisors._is_nearest(Fraction(d), bits) == found[d]
    assert {True, False} == set(found.values())


def test_rounding_is_that_of_floats():
    rng = np.random.default_rng(0)
    for x in map(float, rng.standard_normal(200) * 2.0 ** rng.integers(-40, 40, 200)):
        assert nearest(Fraction(x), 24) == Fraction(float(np.float32(x)))
    assert nearest(Fraction(2**24 + 1), 24) == 2**24 and nearest(Fraction(2**25 - 1), 24) == 2**25
    assert divisors._rounded(Fraction(-(2**25) + 1), 24, toward_zero=True) == -(2**25) + 2


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_whole_numbers_all_have_products(dtype):
    for d in range(1, 300):
        found = reciprocal(float(d), dtype)
        high, low = found.high, found.low
        unit = np.spacing(np.float32(high) if dtype == "f32" else high)
        assert (low == 0) == (d & (d - 1) == 0) and 0 <= low < unit
        assert reciprocal(-float(d), dtype) == divisors.Reciprocal(-high, -low, found.large)


@pytest.mark.parametrize("divisor", [3.0, 49.0, 0.1, 1e9])
def test_where_x_is_large_what_is_left_of_it_is_a_normal_number(divisor):
    found = reciprocal(divisor, "f32")
    x = 2.0 ** np.arange(-126, 100)
    is_large = (x.astype(np.float32).view(np.uint32) & found.large) != 0
    assert (x[is_large] * found.low >= 2.0**-126).all() and is_large[x >= 2.0**-63].all() and not is_large[0]


def test_some_have_none():
    """A third in f32 has one x whose quotient would be off."""
    assert reciprocal(1 / 3, "f32") is None and reciprocal(1 / 3, "f64").low == 1.5 * 2.0**-53
    assert all(reciprocal(d, "f32") is None for d in (0.0, float("inf"), float("nan"), 1e39, 1e30, 1e-30))
    assert reciprocal(9.0, "s32") is None
    drawn = np.random.default_rng(0).uniform(1, 2, 300)
    assert 200 < sum(reciprocal(float(d), "f32") is not None for d in drawn) < 300
