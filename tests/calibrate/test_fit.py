"""Coefficients are found again from synthetic times, in spite of noise and outliers; what is not seen stays."""

import numpy as np
import pytest
from griotte.calibrate.fit import fit

TRUE = {"cycles": 1.2, "call": 20.0, "line.L2": 2.5, "line.L3": 6.0, "unseen": 7.0}
BEFORE = {"cycles": 1.0, "call": 8.0, "line.L2": 0.3, "line.L3": 9.0, "unseen": 7.0}


def samples(rng, number=200, noise=0.0):
    """(counts, cycles) whose features span four orders of magnitude; none counts `unseen`."""
    counts = [{name: float(np.exp(rng.uniform(0, 9))) for name in TRUE if name != "unseen" and rng.random() < 0.8} for _ in range(number)]
    counts = [count or {"call": 1.0} for count in counts]
    cycles = [sum(TRUE[n] * x for n, x in count.items()) * np.exp(noise * rng.standard_normal()) for count in counts]
    return counts, cycles


@pytest.mark.parametrize("seed", range(5))
def test_exact_times_give_the_coefficients(seed):
    found = fit(*samples(np.random.default_rng(seed)), BEFORE)
    assert {n: pytest.approx(x, rel=0.02) for n, x in TRUE.items()} == found


@pytest.mark.parametrize("seed", range(5))
def test_noise_and_outliers_move_them_little(seed):
    rng = np.random.default_rng(seed)
    counts, cycles = samples(rng, 400, noise=0.05)
    for i in rng.permutation(400)[:20]:
        cycles[i] *= 10
    found = fit(counts, cycles, BEFORE)
    assert {n: pytest.approx(x, rel=0.15) for n, x in TRUE.items()} == found


def test_a_feature_that_speeds_programs_up_gets_nothing():
    rng = np.random.default_rng(0)
    counts = [{"cycles": 1000.0, "call": float(x)} for x in rng.uniform(0, 100, 50)]
    found = fit(counts, [1000 - 2 * c["call"] for c in counts], {"cycles": 1.0, "call": 8.0})
    assert found["call"] == pytest.approx(0.0, abs=0.05) and 0.8 < found["cycles"] < 1.0


def test_what_is_not_seen_stays():
    counts, cycles = samples(np.random.default_rng(1))
    assert fit(counts, cycles, BEFORE)["unseen"] == pytest.approx(7.0)


def test_without_scipy_the_extra_is_named(monkeypatch):
    import sys

    from griotte.errors import GriotteError

    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(GriotteError, match=r"griotte\[calibrate\]"):
        fit([{"cycles": 1.0}], [1.0], {"cycles": 1.0})


def test_a_slower_level_is_never_cheaper():
    """Though the samples say so: a move from it to a faster one would cost less than nothing."""
    rng = np.random.default_rng(0)
    counts = [{"line.L2": float(x), "line.L3": float(y)} for x, y in rng.uniform(10, 100, (50, 2))]
    found = fit(counts, [5 * c["line.L2"] + c["line.L3"] for c in counts], {"line.L2": 0.3, "line.L3": 9.0})
    assert found["line.L2"] == found["line.L3"] == pytest.approx(3.0, rel=0.2)
