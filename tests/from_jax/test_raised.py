"""What people write in JAX becomes calls of the language, each the one that is meant."""

from __future__ import annotations

import numpy as np
import pytest
from griotte.models.reference import interpret
from griotte.models.simplify import simplify
from jax_functions import drawn, jax, jnp, lax, read, require_near, results

nn = jax.nn
ROWS = drawn(6, 16)
GAIN, BIAS = drawn(16, seed=1), drawn(16, seed=2)
HEADS = [drawn(2, 6, 4, 8, seed=n) for n in range(3)]
MASK = drawn(2, 1, 6, 6, dtype=bool) | np.eye(6, dtype=bool)


def by_sums(x, gain, bias):
    """A layer norm as flax has it."""
    mean, squares = x.mean(-1), jnp.mean(lax.square(x), -1)
    variance = jnp.maximum(0.0, squares - lax.square(mean))
    scale = lax.rsqrt(jnp.expand_dims(variance, -1) + 1e-6) * gain.reshape(1, -1)
    return (x - jnp.expand_dims(mean, -1)) * scale + bias.reshape(1, -1)


def by_hand(x, gain, bias):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * gain + bias


def in_f32(x, gain):
    wide = x.astype(jnp.float32)
    return gain * (wide * lax.rsqrt(jnp.mean(wide**2, -1, keepdims=True) + 1e-6)).astype(x.dtype)


def heads(q, k, v, mask=None, low=-1e9):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(8.0)
    scores = scores if mask is None else jnp.where(mask, scores, low)
    return jnp.einsum("bhqk,bkhd->bqhd", nn.softmax(scores, -1), v)


NARROW = [each.astype(jnp.bfloat16) for each in (ROWS, GAIN)]
MAPS = {
    "elu": (nn.elu, "elu"),
    "celu": (nn.celu, "elu"),
    "gelu": (lambda x: nn.gelu(x, approximate=False), "gelu"),
    "gelu by tanh": (nn.gelu, "gelu"),
    "hard_swish": (nn.hard_swish, "hard_swish"),
    "leaky_relu": (nn.leaky_relu, "leaky_relu"),
    "log_softmax": (nn.log_softmax, "log_softmax"),
    "relu6": (nn.relu6, "clip"),
    "silu": (nn.silu, "silu"),
    "softmax": (nn.softmax, "softmax"),
    "softplus": (nn.softplus, "softplus"),
    "softplus by hand": (lambda x: jnp.log1p(jnp.exp(x)), "softplus"),
}
NORMS = {
    "layer norm": (by_hand, [ROWS, GAIN, BIAS], "layer_norm"),
    "layer norm by sums": (by_sums, [ROWS, GAIN, BIAS], "layer_norm"),
    "RMS norm": (lambda x, g: x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g, [ROWS, GAIN], "rms_norm"),
    "RMS norm of a scale": (
        lambda x, g: x * (lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g),
        [ROWS, GAIN],
        "rms_norm",
    ),
    "RMS norm in f32": (in_f32, NARROW, "rms_norm"),
}
ATTENTION = {
    "by JAX": (nn.dot_product_attention, HEADS),
    "by JAX, causal": (lambda q, k, v: nn.dot_product_attention(q, k, v, is_causal=True), HEADS),
    "by JAX, with a mask": (lambda q, k, v, mask: nn.dot_product_attention(q, k, v, mask=mask), [*HEADS, MASK]),
    "by JAX, with a bias": (nn.dot_product_attention, [*HEADS, drawn(2, 1, 6, 6)]),
    "by JAX, of 16 bits": (nn.dot_product_attention, [each.astype(jnp.bfloat16) for each in HEADS]),
    "by JAX, of shared keys": (nn.dot_product_attention, [HEADS[0], HEADS[1][:, :, :2], HEADS[2][:, :, :2]]),
    "by hand": (heads, HEADS),
    "by hand, causal": (lambda q, k, v: heads(q, k, v, np.tri(6, dtype=bool), -np.inf), HEADS),
    "by hand, with a mask": (heads, [*HEADS, MASK]),
    "scaled before": (lambda q, k, v, mask: heads(q / jnp.sqrt(8.0), k, v, mask), [*HEADS, MASK]),
}


def raised(function, examples):
    """The calls that a function becomes, which are shown to do what JAX does."""
    simpler = simplify(read(function, *examples))
    wanted = jax.jit(function)(*examples)
    (found,) = interpret(simpler, *map(np.asarray, examples))
    require_near(found, wanted, str(simpler))
    return [value.call for value in simpler.calls]


@pytest.mark.parametrize("name", MAPS)
def test_functions_of_an_array(name):
    function, call = MAPS[name]
    assert raised(function, [ROWS * 4]) == [call]


@pytest.mark.parametrize("name", NORMS)
def test_norms_with_gains_that_are_given(name):
    function, examples, call = NORMS[name]
    assert raised(function, examples) == [call]


@pytest.mark.parametrize("name", ATTENTION)
def test_attention(name):
    calls = raised(*ATTENTION[name])
    assert calls.count("attention") == 1
    assert not {"matmul", "softmax", "exp", "div"} & set(calls)


def test_a_softmax_of_what_counts():
    mask = ROWS > 0
    assert raised(lambda x, p: nn.softmax(x, where=p), [ROWS, mask]).count("softmax") == 1


def test_no_number_stays_none():
    x = np.array([np.nan, np.inf, -np.inf, 0.0], np.float32)
    for function in (nn.softplus, nn.elu):
        (found,) = results(simplify(read(function, x)), [x])
        assert np.array_equal(found, function(x), equal_nan=True)


def test_the_largest_of_other_rows_is_no_softmax():
    def other(x):
        power = jnp.exp(x.transpose(1, 0, 2) - x.max(-1, keepdims=True))
        return power / power.sum(-1, keepdims=True)

    assert "softmax" not in raised(other, [drawn(4, 4, 6)])
