"""Incomplete beta and gamma functions, beside XLA and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from jax_functions import agree, jnp, lax, read, results

scipy = pytest.importorskip("scipy.special", reason="values to compare with are scipy's, which jax brings")
ENDS = np.array([0, 0.25, 1, 2, np.inf, -1, np.nan], np.float32)


def orders(low: float, high: float, seed: int, count: int = 200) -> np.ndarray:
    return (10 ** np.random.default_rng(seed).uniform(low, high, count)).astype(np.float32)


def with_ends(*arrays: np.ndarray) -> list[np.ndarray]:
    """Arguments, and behind them the ends of where a function is defined, each with each."""
    ends = np.meshgrid(*[ENDS] * len(arrays))
    return [np.concatenate([x, each.reshape(-1)]) for x, each in zip(arrays, ends)]


def test_incomplete_beta():
    x = np.random.default_rng(2).uniform(0, 1, 200).astype(np.float32)
    agree(lax.betainc, *with_ends(orders(-2, 1, 0), orders(-2, 1, 1), x))


def test_incomplete_beta_of_larger_orders():
    a, b = orders(1, 2.5, 0), orders(1, 2.5, 1)
    x = (a / (a + b) + np.random.default_rng(2).normal(0, 0.05, 200)).clip(0, 1).astype(np.float32)
    (found,) = results(read(lax.betainc, a, b, x), (a, b, x))
    np.testing.assert_allclose(found, scipy.betainc(*(t.astype(float) for t in (a, b, x))), atol=3e-4)


@pytest.mark.parametrize("function", ["igamma", "igammac"])
def test_incomplete_gamma(function: str):
    agree(getattr(lax, function), *with_ends(orders(-2, 1, 0), orders(-2, 1, 1)))


def test_narrow_floats():
    agree(lax.igamma, *(orders(-2, 1, seed).astype(jnp.bfloat16) for seed in range(2)))


@pytest.mark.parametrize("function", ["igamma", "igammac"])
def test_incomplete_gamma_of_larger_orders(function: str):
    """Where XLA's own result is off by more."""
    f, a = getattr(lax, function), orders(1, 4, 0)
    x = (a + np.random.default_rng(1).normal(0, 2, 200) * np.sqrt(a)).clip(0.1).astype(np.float32)
    (found,) = results(read(f, a, x), (a, x))
    of = {"igamma": scipy.gammainc, "igammac": scipy.gammaincc}[function]
    np.testing.assert_allclose(found, of(a.astype(float), x.astype(float)), rtol=1e-4, atol=1e-5)
