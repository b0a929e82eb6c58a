"""Predictions beside the clock: which programs, and Kendall's tau."""

from dataclasses import replace

import numpy as np
import pytest
from griotte.lang.text.text import parse
from griotte.machine import named
from griotte.tools import check
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    "prices, times, expected",
    [
        ((1, 2, 3), (10, 20, 30), 1.0),
        ((1, 2, 3), (30, 20, 10), -1.0),
        ((1, 2, 3), (10, 30, 20), 1 / 3),
        ((1, 1, 2), (10, 20, 30), 2 / 6**0.5),  # two of three pairs, one tied in price: 2 / sqrt(2 * 3)
        ((1, 1), (10, 20), 0.0),
    ],
)
def test_tau_by_hand(prices, times, expected):
    assert check.tau(prices, times) == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=2, max_size=30))
def test_tau_is_scipys(pairs):
    from scipy.stats import kendalltau  # a second to load, in each process that collects this file

    prices, times = np.array(pairs, float).T
    expected = kendalltau(prices, times).statistic
    assert check.tau(prices, times) == pytest.approx(0.0 if np.isnan(expected) else expected)


def test_twelve_programs_two_of_them_threaded():
    assert len({parse(text) for text, _ in check.SPECS}) == 12 and sum(threads == 2 for _, threads in check.SPECS) == 2


def test_each_is_predicted_and_timed(monkeypatch):
    monkeypatch.setattr(check, "SPECS", (("exp(f32[40])", 1), ("sum(f32[30,20], axis=1)", 1), ("exp(f32[40])", 2)))
    found = check.check(named("portable"), threads=1)
    assert [c.spec for c in found] == ["exp(f32[40])", "sum(f32[30,20], axis=1)"]
    assert all(c.predicted > 0 and c.measured > 0 and c.ratio == c.predicted / c.measured for c in found)


def test_the_machine_is_measured_anew_in_turns_with_the_programs(monkeypatch):
    """Programs stay those of the first prices, and are predicted by those of the time when they were timed."""
    monkeypatch.setattr(check, "SPECS", (("exp(f32[40])", 1), ("transpose(f32[30,20])", 1)))
    target, taken = named("portable"), []
    twice = replace(target, coefficients=tuple((name, 2 * cycles) for name, cycles in target.coefficients))
    found = check.check(target, 1, lambda: taken.append(1), lambda: twice if len(taken) == check.ROUNDS else target)
    for each, program in zip(found, check.chosen(target, 1)):
        assert each.predicted == program.priced(twice) > program.priced(target) == program.root.cost


def test_what_was_never_undisturbed_has_no_place_in_the_order():
    found = [
        check.Comparison("a", 1, 1.0, 1.0),
        check.Comparison("b", 1, 2.0, float("nan")),
        check.Comparison("c", 1, 3.0, 0.5),
        check.Comparison("d", 1, 4.0, 2.0),
    ]
    assert check.order(found) == pytest.approx(1 / 3)
