"""Activations with numbers of their own, against NumPy."""

import griotte as gt
import numpy as np
import pytest
from checked import check
from griotte.support.errors import SpecError


def hard_sigmoid(x, alpha=0.2, beta=0.5):
    return np.clip(alpha * x + beta, 0, 1)


def elu(x, alpha=1.0):
    return np.where(x < 0, alpha * np.expm1(np.minimum(x, 0)), x)


MEANINGS = {
    "clip(f32[5,33], low=-0.5, high=1)": lambda x: np.clip(x, -0.5, 1),
    "clip(f32[33], low=0)": lambda x: np.maximum(x, 0),
    "clip(bf16[33], high=0.25)": lambda x: np.minimum(x, 0.25),
    "clip(s8[33], low=-5, high=7)": lambda x: np.clip(x, -5, 7),
    "leaky_relu(f32[5,33], alpha=0.25)": lambda x: np.where(x < 0, 0.25 * x, x),
    "leaky_relu(f64[33])": lambda x: np.where(x < 0, 0.01 * x, x),
    "prelu(f32[2,3,7], f32[3,1])": lambda x, a: np.where(x < 0, a * x, x),
    "elu(f32[5,33])": elu,
    "elu(f64[33], alpha=0.5)": lambda x: elu(x, 0.5),
    "softplus(f32[5,33])": lambda x: np.logaddexp(0, x),
    "softplus(f64[33])": lambda x: np.logaddexp(0, x),
    "hard_swish(f64[33])": lambda x: x * hard_sigmoid(x, 1 / 6),
    "hard_sigmoid(f64[33], alpha=0.25)": lambda x: hard_sigmoid(x, 0.25),
}


@pytest.mark.parametrize("text", MEANINGS)
def test_it_is_numpys(text):
    check(text, MEANINGS[text], 2e-2 if "bf16" in text else 1e-6)


@pytest.mark.parametrize(
    "text", ["hard_swish(f32[5,33])", "hard_sigmoid(bf16[33])", "mul(f32[9], clip(f32[9], low=0))"]
)
def test_it_compiles(text):
    check(text)


def test_small_results_keep_their_digits():
    x = np.linspace(-100, 20, 400).astype(np.float32)
    found = gt.compile("softplus(f32[400])", table="none")(x)
    np.testing.assert_allclose(found, np.logaddexp(0, x.astype(np.float64)), rtol=1e-6, atol=1e-38)


@pytest.mark.parametrize(
    "text, message",
    [
        ("clip(s8[4], low=0.5)", "expected a number that s8 holds, found 0.5, for low of clip"),
        ("clip(f32[4], low=no)", "clip expects low to be a number, found no"),
        ("elu(s8[4])", "elu expects floats, found s8"),
    ],
)
def test_what_does_not_go_together_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)
