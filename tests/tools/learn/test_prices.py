"""Corrected prices: what is found, how far it may go, and the target that has them."""

from dataclasses import replace

import numpy as np
import pytest
from griotte.machine import resolve
from griotte.tools.learn.prices import described, fit_prices, repriced, rising, terms
from timed_programs import NAMES, timed

SAMPLES = timed()


def test_a_price_that_errs_is_found():
    found = fit_prices(SAMPLES, NAMES)
    assert found["line"] == pytest.approx(1.5, abs=0.08) and found.get("call", 1.0) == pytest.approx(1.0, abs=0.08)
    log = repriced(SAMPLES.features, SAMPLES.price, NAMES, {"line": 1.5})
    assert np.allclose(log, np.log(SAMPLES.price * (1 + 0.5 * SAMPLES.features[:, 1])))


def test_factors_stay_within_bounds():
    warm = SAMPLES.price * (1 + 20 * SAMPLES.features[:, 1]) / (1 + 20 * SAMPLES.features[:, 2])
    found = fit_prices(replace(SAMPLES, warm=warm), NAMES)
    assert found["line"] == 4.0 and 0.25 <= found["call"] < 1


def test_prices_that_are_right_stay():
    rng = np.random.default_rng(0)
    found = fit_prices(replace(SAMPLES, warm=SAMPLES.price * np.exp(rng.normal(-8, 0.02, len(SAMPLES)))), NAMES)
    assert all(abs(factor - 1) < 0.05 for factor in found.values())


def test_no_terms_no_factors():
    assert terms((*NAMES, "share_from_L2")) == {"line": 1, "call": 2}
    assert fit_prices(SAMPLES, tuple(f"f{n}" for n in range(len(NAMES)))) == {}


def test_the_target_has_the_factors(tmp_path):
    target = resolve("portable")
    path = tmp_path / "corrected.toml"
    path.write_text(described(target, {"line": 1.5, "call": 0.5, "no such term": 2.0}))
    found = resolve(str(path))
    assert found.coefficient["line.L3"] == target.coefficient["line.L3"] * 1.5
    assert replace(found, coefficients=target.coefficients) == target
    assert {n for n in target.coefficient if found.coefficient[n] != target.coefficient[n]} == {
        *("line.L2", "line.L3", "line.memory", "call")
    }


def test_no_price_falls_from_a_level_to_the_next():
    target = resolve("portable")
    price = target.coefficient
    found = rising(target, {"stream.L2": 4.0, "stream.L3": 0.25})
    assert price["stream.L3"] * found["stream.L3"] >= price["stream.L2"] * 4.0 * 0.999
    assert found["stream.L2"] == 4.0
