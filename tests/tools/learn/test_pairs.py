"""Pairs that the clock tells apart: their gradient and curvature are those of finite differences, and what is told."""

import numpy as np
import pytest
from griotte.tools.learn.pairs import APART, EVEN, TimedPairs


def drawn(seed=0, groups=3, of=6):
    rng = np.random.default_rng(seed)
    group = rng.permutation(np.repeat(np.arange(groups), of))
    log, weight = rng.normal(0, 0.2, len(group)), rng.random(len(group)) + 0.5
    return TimedPairs.of(log, weight, group), log, weight, group, rng


def test_gradient_and_curvature_are_those_of_finite_differences():
    pairs, log, *_, rng = drawn()
    said = log + rng.normal(0, 0.1, len(log))
    found, step = pairs.lost(said), 1e-5
    for row in range(len(log)):
        moved = np.eye(len(log))[row] * step
        more, less = pairs.lost(said + moved), pairs.lost(said - moved)
        assert found.gradient[row] == pytest.approx((more.sum - less.sum) / (2 * step), rel=1e-5, abs=1e-6)
        slope = (more.gradient[row] - less.gradient[row]) / (2 * step)
        assert found.curvature[row] == pytest.approx(slope, rel=1e-4, abs=1e-6)


def test_pairs_are_of_one_group_and_of_times_apart():
    pairs, log, weight, group, _ = drawn()
    wanted = {
        (a, b) for a in range(len(log)) for b in range(len(log)) if group[a] == group[b] and log[a] - log[b] > APART
    }
    assert set(zip(pairs.slow.tolist(), pairs.fast.tolist())) == wanted
    for number in range(3):
        here = group[pairs.fast] == number
        assert pairs.weight[here].sum() == pytest.approx(6 * weight[pairs.fast[here]].mean())
    alone = TimedPairs.of(log, weight, np.arange(len(log))).lost(log)
    assert alone.sum == 0 and not alone.gradient.any() and not alone.curvature.any()


def test_the_right_order_loses_least():
    pairs, log, *_ = drawn()
    lost = [pairs.lost(scale * log).sum for scale in (-1, 0, 1, 100 * EVEN)]
    assert lost == sorted(lost, reverse=True)
    assert np.isfinite(pairs.lost(1e6 * log).gradient).all() and np.isfinite(pairs.lost(-1e6 * log).sum)
