"""The matrices of minimal filtering give sums of products, exactly; so do the sums that they are taken apart into."""

from __future__ import annotations

from fractions import Fraction

import pytest
from griotte.models.custom.winograd.program import OUTPUTS
from griotte.models.custom.winograd.transforms import SharedSums, filtering, steps_of
from hypothesis import given
from hypothesis import strategies as st

SIZES = [(m, r) for r, sides in OUTPUTS.items() for m in sides]


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def run(steps: SharedSums, vector):
    found = list(vector)
    for each in steps.sums:
        found.append(sum(factor * found[place] for factor, place in each.terms))
    return [found[place] for place in steps.results]


@pytest.mark.parametrize(("m", "r"), SIZES)
@given(data=st.data())
def test_filtering_gives_sums_of_products(m: int, r: int, data) -> None:
    number = st.integers(-9, 9).map(Fraction)
    f = filtering(m, r)
    d = data.draw(st.lists(number, min_size=f.n, max_size=f.n))
    g = data.draw(st.lists(number, min_size=r, max_size=r))
    products = [a * b for a, b in zip(times(f.weights, g), times(f.inputs, d))]
    assert times(f.outputs, products) == [sum(g[k] * d[i + k] for k in range(r)) for i in range(m)]


@pytest.mark.parametrize(("m", "r"), SIZES)
@given(data=st.data())
def test_steps_multiply_by_their_matrix(m: int, r: int, data) -> None:
    for matrix in (filtering(m, r).inputs, filtering(m, r).outputs):
        width = len(matrix[0])
        vector = data.draw(st.lists(st.integers(-9, 9).map(Fraction), min_size=width, max_size=width))
        assert run(steps_of(matrix), vector) == times(matrix, vector)


@pytest.mark.parametrize(("m", "r"), SIZES)
def test_sums_are_shared(m: int, r: int) -> None:
    for matrix in (filtering(m, r).inputs, filtering(m, r).outputs):
        plain = sum(sum(x != 0 for x in row) - 1 + sum(abs(x) not in (0, 1) for x in row) for row in matrix)
        assert steps_of(matrix).operations <= plain - 3 * (m + r > 5)


def test_factors_are_exact_in_f32() -> None:
    for m, r in SIZES:
        f = filtering(m, r)
        for matrix in (f.inputs, f.outputs):
            assert all((x.numerator.bit_length() <= 24) and (x.denominator & (x.denominator - 1)) == 0
                       for row in matrix for x in row)  # fmt: skip
