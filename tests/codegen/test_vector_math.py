"""Accuracy and special values of the elementwise functions, for each instruction set that this machine has.

The yardstick is one wider format: f64 for f32, and the 80-bit long double for f64. Errors are in units in the last
place (ulp) of the correct result; below the normal range an ulp is the smallest denormal.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from vector_data import floats
from vector_harness import CONFIGS, HELD, Kernels, built

INF, NAN = math.inf, math.nan
WIDER = {"f32": np.float64, "f64": np.longdouble}


@pytest.fixture(scope="module", params=CONFIGS)
def kernels(request, shared_folder) -> Kernels:
    return built(CONFIGS[request.param], shared_folder)


erf, erfc = (np.vectorize(f, otypes=[np.float64]) for f in (math.erf, math.erfc))


def wide_erf(x: np.ndarray) -> np.ndarray:
    """math.erf is of f64, a fit for f32; for f64 the series of positive terms up to 3, and from there what erfc leaves
    of 1."""
    if x.dtype == np.float64:
        return erf(x)
    near = np.where(np.abs(x) < 3, x, 0)
    term = total = near * 2 / np.sqrt(np.longdouble(math.pi)) * np.exp(-near * near)
    for n in range(1, 90):
        term = term * 2 * near * near / (2 * n + 1)
        total = total + term
    return np.where(np.abs(x) < 3, total, np.sign(x) * (1 - erfc(np.abs(x).astype(np.float64)).astype(np.longdouble)))


def wide_gelu(x: np.ndarray) -> np.ndarray:
    """x erfc(-x / sqrt(2)) / 2, with the rounding of the argument made good: erfc' = -2 exp(-a**2) / sqrt(pi)."""
    argument = -x.astype(np.longdouble) / np.sqrt(np.longdouble(2))
    near = argument.astype(np.float64)
    slope = -2 / np.sqrt(np.longdouble(math.pi)) * np.exp(-(near.astype(np.longdouble) ** 2))
    return x * (erfc(near) + slope * (argument - near)) / 2


def wide_sigmoid(x: np.ndarray) -> np.ndarray:
    z = np.exp(-np.abs(x))
    return np.where(x < 0, z, 1) / (1 + z)


def wide_gelu_tanh(x: np.ndarray) -> np.ndarray:
    return x * wide_sigmoid(
        2 * np.sqrt(2 / np.longdouble(math.pi)) * (x + x**3 * x.dtype.type(np.longdouble("0.044715")))
    )


REFERENCES = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "tanh": np.tanh,
    "erf": wide_erf,
    "sigmoid": wide_sigmoid,
    "silu": lambda x: x * wide_sigmoid(x),
    "gelu": wide_gelu,
    "gelu_tanh": wide_gelu_tanh,
    "neg": np.negative,
    "abs": np.abs,
    "relu": lambda x: np.maximum(x, 0),
}

# Where each is measured, and the bound in ulp for f32 and f64. The tails of gelu are held to bounds further down, and
# all f32 functions to tests/test_vector_math_bounds.py.
BOUNDS = {
    "exp": ((-87.3, 88.7), (-708.0, 709.7), 1.2, 1.2),
    "log": ((0.0, 3e38), (0.0, 1e308), 1, 1),
    "sqrt": ((0.0, 3e38), (0.0, 1e308), 0.5, 0.5),
    "rsqrt": ((0.0, 3e38), (0.0, 1e308), 1.5, 1.5),
    "tanh": ((-12.0, 12.0), (-22.0, 22.0), 1.6, 1.8),
    "erf": ((-5.0, 5.0), (-7.0, 7.0), 1.5, 2),
    "sigmoid": ((-110.0, 100.0), (-750.0, 800.0), 2, 2),
    "silu": ((-110.0, 100.0), (-750.0, 800.0), 3.5, 3.5),
    "gelu": ((-16.0, 20.0), (-37.0, 40.0), 4.1, 6),
    "gelu_tanh": ((-3.0, 20.0), (-3.0, 40.0), 16, 30),
}


def ulps(found: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Errors in units in the last place of the exact value, at the precision of what was found."""
    return np.abs(found.astype(exact.dtype) - exact) / np.spacing(np.abs(exact).astype(found.dtype)).astype(exact.dtype)


@functools.cache
def exact(name: str, dtype: str, inputs: str) -> np.ndarray:
    """The wide reference on `INPUTS[inputs](name, dtype)`: the same for every instruction set."""
    with np.errstate(all="ignore"):
        return REFERENCES[name](INPUTS[inputs](name, dtype).astype(WIDER[dtype]))


def measured(kernels, name: str, dtype: str, inputs: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(inputs, what the helper gives, the wide reference)"""
    array = INPUTS[inputs](name, dtype)
    return array, kernels.over(f"{name}_{dtype}", [array], dtype), exact(name, dtype, inputs)


@functools.cache
def in_range(name: str, dtype: str) -> np.ndarray:
    single, double, *_ = BOUNDS[name]
    return samples(*(single, double)[dtype == "f64"], dtype, 200_000 if dtype == "f32" else 40_000)


@functools.cache
def to_the_left(name: str, dtype: str) -> np.ndarray:
    """From well below the last nonzero result up to 0."""
    low = {"f32": -16.0, "f64": -42.0} if name.startswith("gelu") else {"f32": -110.0, "f64": -760.0}
    return np.linspace(low[dtype], 0, 60_001).astype(HELD[dtype])


@functools.cache
def finite(name: str, dtype: str) -> np.ndarray:
    array = np.concatenate([np.linspace(-20, 20, 200_001).astype(HELD[dtype]), floats(dtype)])
    return array[np.isfinite(array)]


INPUTS = {
    "in range": in_range,
    "to the left": to_the_left,
    "finite": finite,
    "hostile": lambda name, dtype: floats(dtype),
}


def samples(low: float, high: float, dtype: str, count: int) -> np.ndarray:
    """Evenly spread, and evenly over the exponents down to the denormals."""
    random = np.random.default_rng(5)
    even = random.uniform(low, high, count)
    info = np.finfo(HELD[dtype])
    small = np.exp2(random.uniform(info.minexp - info.nmant, min(math.log2(high), info.maxexp), count))
    array = np.concatenate([even, small, -small if low < 0 else small, np.linspace(0.5, 1.5, count // 4)])
    array = array[(array >= low) & (array <= high) & (array != 0)]
    return array.astype(HELD[dtype])


@pytest.mark.parametrize("dtype", WIDER)
@pytest.mark.parametrize("name", BOUNDS)
def test_error_in_ulps(kernels, name, dtype):
    array, found, wide = measured(kernels, name, dtype, "in range")
    errors = ulps(found, wide)
    worst = int(np.argmax(errors))
    print(f"{kernels.config.name} {name} {dtype}: {float(errors[worst]):.2f} ulp at {array[worst]!r}")
    assert errors[worst] <= BOUNDS[name][2 + (dtype == "f64")], (array[worst], found[worst], wide[worst])


# relative, for f32; 1e-8 of it for f64
TAILS = {"exp": 4e-7, "sigmoid": 6e-7, "silu": 8e-7, "gelu": 2e-6, "gelu_tanh": 1e-4}


@pytest.mark.parametrize("dtype", WIDER)
@pytest.mark.parametrize("name", TAILS)
def test_tails_go_gradually_to_zero(kernels, name, dtype):
    """Where results run out of the normal range: a small relative error, and in the end some of the smallest
    denormals."""
    array, found, wide = measured(kernels, name, dtype, "to the left")
    error = np.abs(found - wide)
    # a factor |x| may come after the rounding
    lost = np.maximum(1, np.abs(array)) * np.finfo(HELD[dtype]).smallest_subnormal
    assert (error <= TAILS[name] * (1 if dtype == "f32" else 1e-8) * np.abs(wide) + lost).all()


def test_gelu_absolute_error(kernels):
    array, found, wide = measured(kernels, "gelu", "f32", "finite")
    assert (np.abs(found - wide) <= 1e-7 * np.maximum(1, np.abs(array.astype(np.float64)))).all()


SPECIAL = {  # input -> output; both zeros' signs are checked
    "exp": ((0.0, 1), (-0.0, 1), (INF, INF), (-INF, 0), (-1e30, 0), (1e30, INF), (-89.0, math.exp(-89))),
    "log": ((0.0, -INF), (-0.0, -INF), (1.0, 0), (INF, INF), (-INF, NAN), (-1.0, NAN), (-1e-40, NAN)),
    "sqrt": ((0.0, 0), (-0.0, -0.0), (INF, INF), (-1.0, NAN), (4.0, 2)),
    "rsqrt": ((0.0, INF), (-0.0, -INF), (INF, 0), (-1.0, NAN), (4.0, 0.5)),
    "tanh": ((0.0, 0), (-0.0, -0.0), (INF, 1), (-INF, -1), (50.0, 1), (-1e30, -1)),
    "erf": ((0.0, 0), (-0.0, -0.0), (INF, 1), (-INF, -1), (50.0, 1), (-1e30, -1)),
    "sigmoid": ((0.0, 0.5), (-0.0, 0.5), (INF, 1), (-INF, 0), (-1e30, 0), (1e30, 1)),
    "silu": ((0.0, 0), (-0.0, -0.0), (INF, INF), (-INF, -0.0), (-1e30, -0.0), (1e30, 1e30)),
    "gelu": ((0.0, 0), (-0.0, -0.0), (INF, INF), (-INF, -0.0), (-1e30, -0.0), (1e30, 1e30)),
    "gelu_tanh": ((0.0, 0), (-0.0, -0.0), (INF, INF), (-INF, -0.0), (-1e30, -0.0), (1e30, 1e30)),
    "neg": ((0.0, -0.0), (-0.0, 0.0), (INF, -INF)),
    "abs": ((-0.0, 0.0), (-INF, INF), (-1e-40, 1e-40)),
    "relu": ((INF, INF), (-INF, 0), (-1e-40, 0), (1e-40, 1e-40)),
}


@pytest.mark.parametrize("dtype", WIDER)
@pytest.mark.parametrize("name", SPECIAL)
def test_special_values(kernels, name, dtype):
    array, expected = np.array([*SPECIAL[name], (NAN, NAN), (-NAN, NAN)], HELD[dtype]).T
    found = kernels.over(f"{name}_{dtype}", [array], dtype)
    assert np.allclose(found, expected, rtol=3e-7, atol=0, equal_nan=True), (array, found)
    zeros = (expected == 0) & (found == 0)
    assert (np.signbit(found) == np.signbit(expected))[zeros].all(), (array, found)


@pytest.mark.parametrize("dtype", WIDER)
@pytest.mark.parametrize("name", REFERENCES)
def test_nan_only_where_the_function_has_none(kernels, name, dtype):
    array, found, wide = measured(kernels, name, dtype, "hostile")
    limit = np.isinf(array)  # x * sigmoid(x) at -inf: the reference's product is NaN, the limit is 0
    assert np.array_equal(np.isnan(found)[~limit], np.isnan(wide)[~limit])
    if name in ("neg", "abs", "relu"):
        assert np.array_equal(found, wide.astype(HELD[dtype]), equal_nan=True)


def test_softmax_of_masked_rows(kernels):
    """exp of large negative differences is 0, not garbage: fifteen -100 and one 0; -inf entries; all equal."""
    rows = np.full((3, 16), [[-100.0], [-INF], [0.0]], np.float32)
    rows[:2, 7] = 0
    powers = kernels.over("exp_f32", [rows.ravel()], "f32").reshape(3, 16)
    assert np.allclose(powers / powers.sum(axis=1, keepdims=True), [np.eye(16)[7], np.eye(16)[7], np.full(16, 1 / 16)])


@pytest.mark.parametrize("dtype", WIDER)
@pytest.mark.parametrize("name", ["exp", "sigmoid", "silu", "gelu", "gelu_tanh"])
def test_a_result_does_not_depend_on_its_neighbours(kernels, name, dtype):
    """Where lanes far out are computed apart, they take those beside them along."""
    alone = np.linspace(-20, 20, 4096).astype(HELD[dtype])
    beside = np.stack([alone, np.full_like(alone, 1e9)], axis=1).ravel()
    assert (
        kernels.over(f"{name}_{dtype}", [beside], dtype)[::2] == kernels.over(f"{name}_{dtype}", [alone], dtype)
    ).all()
