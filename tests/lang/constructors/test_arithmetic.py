"""Parts of numbers, powers, remainders, angles, logarithms near 1: NumPy's, at zeros, infinities and NaN as well."""

import griotte as gt
import numpy as np
import pytest
from checked import check
from griotte.support.errors import SpecError

ENDS = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 1e30, -1e30, np.inf, -np.inf, np.nan, 2.5])


@pytest.mark.parametrize("name", ["floor", "ceil", "sign", "reciprocal"])
def test_parts_of_numbers_are_numpys(name):
    meaning = (lambda x: 1 / x) if name == "reciprocal" else getattr(np, name)
    check(f"{name}(f32[5,33])", meaning, rtol=1e-7)
    check(f"{name}(bf16[33])", meaning, rtol=1e-2)
    x = np.array([-0.0, 0.0, -0.3, 0.3, -0.7, 2.5, -2.5, 8388607.5, -1e20, np.inf, -np.inf], np.float32)
    with np.errstate(divide="ignore"):
        assert gt.compile(f"{name}(f32[11])", table="none")(x).tobytes() == meaning(x).tobytes()


def test_the_sign_of_integers():
    check("sign(s8[33])", np.sign)
    check("sign(u32[33])", np.sign)


@pytest.mark.parametrize("name, rtol", [("sin", 1e-6), ("cos", 1e-6), ("log1p", 1e-6), ("expm1", 1e-6)])
def test_functions_are_numpys(name, rtol):
    check(f"{name}(f32[5,33])", getattr(np, name), rtol)
    check(f"{name}(f64[33])", getattr(np, name), 1e-9)


@pytest.mark.parametrize("name", ["log1p", "expm1"])
def test_what_is_near_nothing_keeps_its_digits(name):
    x = np.concatenate([sign * np.logspace(-30, 1.5, 200) for sign in (1, -1)]).astype(np.float32)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x.astype(np.float64))
    for base in ("portable", "native"):
        found = gt.compile(f"{name}(f32[400])", base, table="none")(x)
        np.testing.assert_allclose(found, expected.astype(np.float32), rtol=6e-7)


@pytest.mark.parametrize("of", ["f32", "f64"])
def test_powers_at_the_ends_are_numpys(of):
    x, y = np.repeat(ENDS, len(ENDS)).astype(gt.tensor((1,), of).dtype.replace("f", "float")), np.tile(ENDS, len(ENDS))
    y = y.astype(x.dtype)
    with np.errstate(all="ignore"):
        expected = np.power(x, y)
    for base in ("portable", "native"):
        found = gt.compile(f"power({of}[{len(x)}], {of}[{len(x)}])", base, table="none")(x, y)
        np.testing.assert_allclose(found, expected, rtol=3e-7)
        numbers = ~np.isnan(expected)
        assert np.array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))


def test_powers_are_numpys():
    check("power(f32[5,33], f32[33])", np.power, 1e-6)
    check("power(abs(f64[33]), -1.7)", lambda x: np.power(np.abs(x), -1.7), 1e-12)
    check("power(2, f16[33])", lambda y: np.power(2.0, y), 2e-3)


@pytest.mark.parametrize("y", [1, 2, 3, 4, 0.5, -0.5, -1, -2])
def test_powers_that_other_functions_make(y):
    with np.errstate(all="ignore"):
        roots = {0.5: np.sqrt, -0.5: lambda x: 1 / np.sqrt(x)}
        spec = check(f"power(f32[33], {y})", roots.get(y, lambda x: np.power(x, float(y))), 1e-6, kinds=(False,))
    assert "power" not in str(spec.operation.body)
    assert str(gt.power(gt.tensor((33,)), y)) == str(spec)


def test_a_square_of_integers():
    check("power(s32[33], 2)", lambda x: x * x, kinds=(False,))


@pytest.mark.parametrize("name", ["mod", "fmod"])
@pytest.mark.parametrize("of", ["f32", "f64", "s32", "s8"])
def test_remainders_are_numpys(name, of):
    nothing_by_0 = lambda x, y: np.where(y == 0, x, getattr(np, name)(x, np.where(y == 0, 1, y)))
    check(f"{name}({of}[5,33], {of}[33])", getattr(np, name) if of[0] == "f" else nothing_by_0)
    check(f"{name}({of}[33], 3)", lambda x: getattr(np, name)(x, 3))


@pytest.mark.parametrize(
    "text, message",
    [
        ("floor(s32[4])", "floor expects floats, found s32"),
        ("power(s32[4], 0.5)", "power expects floats, found s32"),
        ("power(s32[4], s32[4])", "power expects floats, found s32"),
        ("sin(u8[4])", "sin expects floats, found u8"),
    ],
)
def test_what_does_not_go_together_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)


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
    np.testing.assert_allclose(found, np.logaddexp(0, x.astype(np.float64)), rtol=1e-6, atol=1.2e-38)


@pytest.mark.parametrize(
    "text, message",
    [
        ("clip(s8[4], low=0.5)", "expected a number that s8 holds, found 0.5, for low of clip"),
        ("clip(f32[4], low=no)", "clip expects low to be a number, found no"),
        ("elu(s8[4])", "elu expects floats, found s8"),
    ],
)
def test_what_no_activation_takes_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)
