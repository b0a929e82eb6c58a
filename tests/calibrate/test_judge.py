"""Tau and regret on orders worked out by hand, and against SciPy."""

import numpy as np
import pytest
from griotte.calibrate.judge import judge, regret, tau, told_apart
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau


def a(*values):
    return np.array(values, float)


@pytest.mark.parametrize(
    "prices, times, expected",
    [
        (a(1, 2, 3), a(10, 20, 30), 1.0),
        (a(1, 2, 3), a(30, 20, 10), -1.0),
        (a(1, 2, 3), a(10, 30, 20), 1 / 3),
        (a(1, 1, 2), a(10, 20, 30), 2 / 6**0.5),  # two of three pairs, one tied in price: 2 / sqrt(2 * 3)
        (a(1, 1), a(10, 20), 0.0),
    ],
)
def test_tau_by_hand(prices, times, expected):
    assert tau(prices, times) == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=2, max_size=30))
def test_tau_is_scipys(pairs):
    prices, times = np.array(pairs, float).T
    expected = kendalltau(prices, times).statistic
    assert tau(prices, times) == pytest.approx(0.0 if np.isnan(expected) else expected)


def test_pairs_that_the_clock_tells_apart():
    halves = np.array([(100, 100), (104, 120), (110, 130), (120, 90)], float)
    # pairs 01 (4 % in one half), 02, 03 (other order), 12, 13 (other order), 23 (other order)
    assert told_apart(halves).tolist() == [False, True, False, True, False, False]
    assert tau(a(2, 1, 3, 9), a(100, 104, 110, 105), told_apart(halves)) == 1.0


def test_regret_by_hand():
    prices, times = a(1, 2, 3, 4, 5, 6), a(12, 15, 11, 14, 13, 10)
    assert [regret(prices, times, k) for k in (1, 2, 3, 5, 6)] == pytest.approx([0.2, 0.2, 0.1, 0.1, 0.0])


def test_means_are_over_specs():
    halves = [(1.0, 1.0), (2.0, 2.0)], [(4.0, 2.0), (2.0, 4.0)], [(1.0, 1.0)]
    found = judge([(a(1, 2), a(1, 2), halves[0]), (a(1, 2), a(4, 2), halves[1]), (a(1), a(1), halves[2])])
    assert (found.specs, found.programs, found.tau, found.regret_1, found.regret_5) == (2, 4, 0.0, 0.5, 0.0)
    assert (found.apart, found.repeated) == (1.0, 0.0)  # the second Spec's pair is not told apart
    assert found.pooled == pytest.approx(tau(a(1, 2, 1, 2), a(1, 2, 4, 2)))
    assert found.error == pytest.approx(np.median([0, 0, 0.75, 0]))


def test_no_specs():
    assert judge([]).specs == 0 and np.isnan(judge([]).tau)
