"""Calls are timed in turns; what takes longer is told to."""

import time

import numpy as np
import pytest
from griotte.tools.learn import clock
from griotte.tools.learn.elsewhere import turns
from griotte.tools.learn.elsewhere.turns import Pace

PACE = Pace(2e-4, 6, 3)


def work(size):
    return np.ones(size).sum


def test_the_longer_call_takes_longer():
    short, long = clock.warm([work(10_000), work(200_000)], 1, PACE)
    assert 2 < long.low / short.low < 200
    assert short.low <= short.median and short.spread >= 0


def test_two_threads_are_timed_by_the_wall():
    (times,) = clock.warm([lambda: time.sleep(2e-3)], 2, PACE)
    assert times.low > 1500


def test_calls_with_operands_in_memory_are_timed_one_by_one():
    array, calls = np.ones(1 << 15), []
    found = clock.cold([lambda: calls.append(array.sum())], 1, PACE, [array])
    assert len(calls) in (0, PACE.cold)
    (low, median) = found[0]
    assert np.isnan(low) or 0 < low <= median


def test_halves_that_differ_are_run_anew(monkeypatch):
    given = iter([turns.Times(1.0, 1.0, 0.5), turns.Times(2.0, 2.0, 0.0), turns.Times(1.2, 1.2, 0.01)])
    asked = []

    def in_turns(runs, pace):
        asked.append(len(runs))
        return [next(given) for _ in runs]

    monkeypatch.setattr(turns, "in_turns", in_turns)
    first, second = clock.warm([work(1), work(1)], 1, PACE)
    assert asked == [2, 1] and first.spread == 0.01 and second.low == 2.0


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("count", [1, 2, 5, 24])
def test_quantiles_are_those_of_numpy(count, share):
    values = np.random.default_rng(count).random(count).tolist()
    assert turns.quantile(values, share) == pytest.approx(np.quantile(values, share), rel=1e-12)
