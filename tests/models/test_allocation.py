"""Where the next trial goes, by numbers alone: a clock that is made up tells what trials cost and gain."""

from __future__ import annotations

import pytest
from griotte.models.allocation import LEAST, PRIOR, Prospect, equal, expected, next_part


def test_the_next_trial_is_where_a_call_gains_the_most():
    large, small = Prospect(1000.0, PRIOR), Prospect(10.0, PRIOR)
    assert next_part([small, large]) == 1
    assert next_part([small, Prospect(1000.0, 1e-6)]) == 0  # a hundredth of the call, at 4 %
    assert next_part([Prospect(1000.0, 0.02), Prospect(900.0, 0.04)]) == 1


def test_a_trial_that_takes_longer_has_to_gain_more():
    assert next_part([Prospect(100.0, 0.04, 8.0), Prospect(100.0, 0.02, 2.0)]) == 1
    assert next_part([Prospect(100.0, 0.04, 3.0), Prospect(100.0, 0.02, 2.0)]) == 0


def test_what_is_left_bounds_a_trial():
    prospects = [Prospect(100.0, 0.04, 3.0), Prospect(10.0, 0.04, 1.0)]
    assert [next_part(prospects, left) for left in (3.0, 2.9, 1.0, 0.9)] == [0, 1, 1, None]
    assert [equal(prospects, left) for left in (3.0, 2.9, 0.9)] == [0, 1, None]


def test_where_nothing_is_to_be_gained_nothing_is_timed():
    assert next_part([]) is None and equal([]) is None
    assert next_part([Prospect(1000.0, 0.0), Prospect(0.0, 0.5)]) is None
    assert next_part([Prospect(1e6, 1e-5), Prospect(100.0, PRIOR)]) is None  # a small part of a call is not worth it
    assert next_part([Prospect(1.0, LEAST)]) == 0


def test_equal_effort_goes_round():
    parts = [Prospect(1.0, 0.1), Prospect(1000.0, 0.1)]
    order = []
    for _ in range(4):
        order.append(equal(parts))
        parts[order[-1]] = parts[order[-1]]._replace(trials=parts[order[-1]].trials + 1)
    assert order == [0, 1, 0, 1]


def test_a_doubt_follows_what_others_gained():
    assert expected(0.0, 0) == PRIOR
    assert expected(0.0, 8) < PRIOR / 4 and expected(1.6, 8) > 4 * PRIOR
    assert expected(0.2 * 1000, 1000) == pytest.approx(0.2, rel=0.01)


def spent(pick, parts, seconds):
    """Microseconds of a call after trials that a made-up clock counts: `parts` are (share, gain of each trial, seconds
    of one); a trial of a part gains half of the one before."""
    state = [[us, gain, cost, 0] for us, gain, cost in parts]
    left = seconds
    while (place := pick([Prospect(*each) for each in state], left)) is not None:
        us, gain, cost, trials = state[place]
        left -= cost
        state[place] = [us * (1 - gain), gain / 2, cost, trials + 1]
    assert 0 <= left <= seconds
    return sum(each[0] for each in state)


@pytest.mark.parametrize("seconds", (10.0, 30.0, 60.0, 120.0))
def test_it_gains_no_less_than_equal_effort(seconds):
    parts = [(900.0, 0.1, 4.0), (400.0, 0.2, 2.0), *((20.0, 0.1, 2.0),) * 20]
    assert spent(next_part, parts, seconds) < spent(equal, parts, seconds)
