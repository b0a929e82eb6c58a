"""XLA:CPU through JAX: a graph as one jitted function, its constants in it or given to it; the quicker counts."""

from __future__ import annotations

import math

import jax
import jaxlib
import ml_dtypes
import numpy as np
from jax import nn
from jax import numpy as jnp

from racing import calls
from racing.contestant import Skip, Way


def ways(problem, a, b, threads):
    raise Skip("graphs alone")


def _layer_norm(x, gain, bias, epsilon=1e-5):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + epsilon) * gain + bias


def _rms_norm(x, gain, epsilon=1e-6):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + epsilon) * gain


def _attention(q, k, v, causal=False, scale=None):
    group = q.shape[-3] // k.shape[-3]
    k, v = (jnp.repeat(x, group, axis=-3) if group > 1 else x for x in (k, v))
    scores = jnp.einsum("...md,...nd->...mn", q, k) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    s, t = scores.shape[-2:]
    weights = nn.softmax(scores, where=jnp.tri(s, t, t - s, dtype=bool)) if causal else nn.softmax(scores)
    return jnp.einsum("...mn,...nd->...md", weights, v)


def _requantize(sums, scale, zero):
    return jnp.clip(jnp.rint(sums.astype(jnp.float32) * scale) + zero.astype(jnp.float32), 0, 255).astype(jnp.uint8)


def _matmul(a, b):
    return jnp.matmul(a.astype(jnp.int32), b.astype(jnp.int32)) if a.dtype == jnp.uint8 else jnp.matmul(a, b)


FORMS = {
    **{
        name: getattr(jnp, name)
        for name in (
            "add",
            "maximum",
            "minimum",
            "abs",
            "exp",
            "log",
            "sqrt",
            "tanh",
            "where",
            "sum",
            "max",
            "min",
            "mean",
        )
    },
    "matmul": _matmul,
    "requantize": _requantize,
    "sub": jnp.subtract,
    "mul": jnp.multiply,
    "div": jnp.divide,
    "neg": jnp.negative,
    "rsqrt": jax.lax.rsqrt,
    "reshape": jnp.reshape,
    "transpose": lambda x, perm: x.transpose(perm),
    "relu": nn.relu,
    "silu": nn.silu,
    "sigmoid": nn.sigmoid,
    "gelu": lambda x, approximate="none": nn.gelu(x, approximate=approximate == "tanh"),
    "softmax": lambda x, axis=-1: nn.softmax(x, axis=axis),
    "layer_norm": _layer_norm,
    "rms_norm": _rms_norm,
    "attention": _attention,
    "conv2d": lambda x, w, stride=1, padding=0, groups=1: jax.lax.conv_general_dilated(
        x, w, (stride,) * 2, [(padding,) * 2] * 2, feature_group_count=groups
    ),
}


def graphs(problem, arrays, threads):
    tensors = [jax.device_put(x.view(ml_dtypes.bfloat16) if x.dtype == np.uint16 else x) for x in arrays]
    function = calls.function(problem.call, FORMS)
    yield _way("constants as arguments" if problem.const else "jit", jax.jit(function), tensors)
    if problem.const:
        is_open = [not x.const for x in problem.inputs]

        def closed(*given):
            rest = iter(given)
            return function(*(next(rest) if free else tensor for tensor, free in zip(tensors, is_open)))

        yield _way("constants in the graph", jax.jit(closed), [t for t, free in zip(tensors, is_open) if free])


def _way(name, compiled, tensors) -> Way:
    kept = {}

    def run():
        kept["it"] = compiled(*tensors).block_until_ready()

    def result():
        found = np.array(kept["it"])
        return found.view(np.uint16) if found.dtype == ml_dtypes.bfloat16 else found

    run()
    return Way(name, run, result, rounds_to_bf16=kept["it"].dtype == jnp.bfloat16, allocates=True)


def versions() -> dict:
    return {"jax": jax.__version__, "jaxlib": jaxlib.__version__}
