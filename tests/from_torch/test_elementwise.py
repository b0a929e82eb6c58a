"""Operators of single elements beside torch, by the language's reference: many of them in one module, exported once."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from named import named
from torch_models import Of, agree_all, drawn, read, torch

F = torch.nn.functional


FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]

UNARY = {
    "acos": lambda x: torch.acos(x.clamp(-0.9, 0.9)),
    "acosh": lambda x: torch.acosh(x.abs() + 1.5),
    "asin": lambda x: torch.asin(x.clamp(-0.9, 0.9)),
    **named(torch, "asinh atan cos cosh erf exp exp2 expm1 sigmoid sin sinh tan tanh"),
    "atanh": lambda x: torch.atanh(x.clamp(-0.9, 0.9)),
    **named(F, "elu gelu hardsigmoid hardswish hardtanh mish relu6 selu silu softplus softsign tanhshrink"),
    "gelu of tanh": lambda x: F.gelu(x, approximate="tanh"),
    "leaky_relu": lambda x: F.leaky_relu(x, 0.2),
    "log": lambda x: x.abs().log(),
    "log10": lambda x: (x.abs() + 1).log10(),
    "log1p": lambda x: x.abs().log1p(),
    "log2": lambda x: (x.abs() + 1).log2(),
    "log_sigmoid": F.logsigmoid,
    "reciprocal": lambda x: 1 / (x.abs() + 1),
    "rsqrt": lambda x: (x.abs() + 1).rsqrt(),
    "celu": lambda x: F.celu(x, 0.5),
    "softplus of 2": lambda x: F.softplus(x, 2.0, 3.0),
    "sqrt": lambda x: x.abs().sqrt(),
    "threshold": lambda x: F.threshold(x, 0.1, 20.0),
}


@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_of_one_element(dtype):
    agree_all(UNARY, drawn(3, 5, dtype=dtype))


SPECIAL = {
    "digamma": torch.digamma,
    "erfinv": lambda x: torch.erfinv(x / 4),
    "i0": torch.i0,
    "i0 afar": lambda x: torch.i0(x * 20),
    "i0e": lambda x: torch.special.i0e(x * 9),
    "i1": torch.special.i1,
    "i1e": lambda x: torch.special.i1e(x * 9),
    "lgamma": lambda x: torch.lgamma(x * 3),
    "mvlgamma": lambda x: torch.mvlgamma(x.abs() + 2, 2),
    "polygamma of 0": lambda x: torch.polygamma(0, x),
    "polygamma of 1": lambda x: torch.polygamma(1, x),
    "polygamma of 2": lambda x: torch.polygamma(2, x.abs() + 0.1),
    "polygamma of 3": lambda x: torch.polygamma(3, x * 2),
    "polygamma at a pole": lambda x: torch.polygamma(2, x.round().clamp(max=0)),
}


def test_special_functions():
    agree_all(SPECIAL, drawn(4, 5))


ROUNDED = {
    **named(torch, "abs ceil floor frac neg round sign trunc isnan"),
    "round at": lambda x: torch.round(x, decimals=1),
    "isinf": lambda x: torch.isinf(1 / x.trunc()),
    "isfinite": lambda x: torch.isfinite(1 / x.trunc()),
    "nan_to_num": lambda x: torch.nan_to_num(1 / x.trunc(), nan=2.0, posinf=3.0, neginf=4.0),
    "logical_not": lambda x: torch.logical_not(x.trunc()),
    "to int": lambda x: x.to(torch.int32),
    "to bool": lambda x: x.trunc().to(torch.bool),
    "to u8": lambda x: x.abs().to(torch.uint8),
    "to half": lambda x: x.to(torch.float16),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_parts_of_numbers(dtype):
    agree_all(ROUNDED, drawn(4, 5, dtype=dtype) * 3)


BINARY = {
    "add": lambda x, y: x + y,
    "add of a part": lambda x, y: torch.add(x, y, alpha=3),
    "sub": lambda x, y: x - y,
    "rsub": lambda x, y: 2 - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / (y.abs() + 1),
    "div by number": lambda x, y: x / 3,
    "floor": lambda x, y: x // (y.abs() + 1),
    "floor of a negative": lambda x, y: x // -(y.abs() + 1),
    "trunc": lambda x, y: torch.div(x, y.abs() + 1, rounding_mode="trunc"),
    "remainder": lambda x, y: x % -(y.abs() + 1),
    "fmod": lambda x, y: torch.fmod(x, y.abs() + 1),
    **named(torch, "maximum minimum logical_and logical_or logical_xor"),
    "clamp": lambda x, y: x.clamp(-1, 2),
    "clamp by tensors": lambda x, y: torch.clamp(x, y - 1, y + 1),
    "clamp from below": lambda x, y: x.clamp(min=0),
    "square": lambda x, y: x**2,
    "cube": lambda x, y: x**3,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= 1,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "where": lambda x, y: torch.where(x < y, x, y),
    "where of a number": lambda x, y: torch.where(x < y, x, 1),
    "masked_fill": lambda x, y: x.masked_fill(y > 0, 3),
    "mixed": lambda x, y: x * (y > 0),
    "to double": lambda x, y: x.double() + y,
}


@pytest.mark.parametrize("dtype", [*FLOATS, torch.int64, torch.int32, torch.int8])
def test_two_operands(dtype):
    """The second broadcasts. Floats of 16 bits are whole numbers here: elsewhere quotients are rounded otherwise."""
    x, y = drawn(4, 5, dtype=torch.int32), drawn(5, dtype=torch.int32, seed=1)
    agree_all(BINARY, x.to(dtype), y.to(dtype))


OF_FLOATS = {
    "pow": lambda x, y: torch.pow(x.abs() + 0.1, y),
    "pow by number": lambda x, y: (x.abs() + 0.1) ** 1.5,
    "root": lambda x, y: x.abs() ** 0.5,
    "number by tensor": lambda x, y: 2.0**y,
    **named(torch, "atan2 fmax hypot"),
    "lerp": lambda x, y: torch.lerp(x, y, 0.3),
    "addcmul": lambda x, y: torch.addcmul(x, y, x, value=2.0),
    "addcdiv": lambda x, y: torch.addcdiv(x, y, x.abs() + 1),
    "hypot of what has no end": lambda x, y: torch.hypot(x / (x > 0), y / 0),
    "true_divide": lambda x, y: x / y,
    "half": lambda x, y: x.half() * 2 + y,
    "prelu": lambda x, y: F.prelu(x, y[:1]),
}


def test_two_operands_of_floats():
    agree_all(OF_FLOATS, drawn(4, 5), drawn(5, seed=1))


BITS = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | 5,
    "xor": lambda x, y: x ^ y,
    "not": lambda x, y: ~x,
    "left": lambda x, y: x << 2,
    "right": lambda x, y: x >> 1,
    "power": lambda x, y: x**5,
    "sum": lambda x, y: x.sum(),
    "mean": lambda x, y: x.float().mean(0),
    "quotient": lambda x, y: x / 4,
}


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8])
def test_bits_of_integers(dtype):
    agree_all(BITS, drawn(4, 5, dtype=torch.int32).abs().to(dtype), drawn(5, dtype=torch.int32, seed=1).abs().to(dtype))


BOOLS = {
    "and": lambda p, q: p & q,
    "or": lambda p, q: p | q,
    "xor": lambda p, q: p ^ q,
    "not": lambda p, q: ~p,
    "add": lambda p, q: p + q,
    "mul": lambda p, q: p * q,
    "eq": lambda p, q: p == q,
    "lt": lambda p, q: p < q,
    "sum": lambda p, q: p.sum(1),
    "any": lambda p, q: p.any(),
    "all": lambda p, q: p.all(1),
    "cat": lambda p, q: torch.cat([p, q]),
    "where": lambda p, q: torch.where(p, q, ~q),
    "pad": lambda p, q: F.pad(p, (1, 2), value=True),
    "float": lambda p, q: p.float() * 2,
    "flip": lambda p, q: p.flip(1),
}


def test_conditions():
    agree_all(BOOLS, drawn(4, 5) > 0, drawn(4, 5, seed=1) > 0)


ENDS = [float("-inf"), -3e38, -1e30, -4.0, -1.0, -0.0, 0.0, 0.5, 1.0, 4.0, 1e4, 3e38, float("inf"), float("nan")]


def test_roots_by_powers_are_torchs():
    x, powers = torch.tensor(ENDS), (0.5, -0.5, 1.5, 0.25)
    module = Of(*(lambda x, power=power: x**power for power in powers))
    for found, wanted in zip(gt.compile(read(module, x))(x.numpy()), module(x), strict=True):
        right = wanted.numpy()
        np.testing.assert_allclose(found, right, rtol=1e-6)
        assert (np.signbit(found) == np.signbit(right))[~np.isnan(right)].all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_acosh_below_one_is_nan(dtype):
    with np.errstate(all="ignore"):
        x = np.array(ENDS, dtype)
        right = np.arccosh(x)
        found = gt.jit(np.arccosh)(x)
    np.testing.assert_allclose(found, right, rtol=2e-3 if dtype is np.float16 else 1e-6)
    found = gt.compile(read(Of(torch.acosh), torch.from_numpy(x)))(x)
    np.testing.assert_allclose(found, right, rtol=2e-3 if dtype is np.float16 else 1e-6)
