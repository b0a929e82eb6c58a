"""Functions of NumPy, modules of torch and functions of JAX for same.py: each is a door's way to a graph.

A name begins with its door's. Called it gives what the door takes: the function or module, and examples. torch and jax
are imported within, for a tree is compared without them too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def of(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    """An example."""
    return np.random.default_rng(3).standard_normal(shape).astype(dtype)


# ---- NumPy -----------------------------------------------------------------------------------------------------------


def numpy_softmax():
    def f(x):
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    return f, of(8, 30)


def numpy_normalised():
    return lambda x, g: (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5) * g, (
        of(9, 32),
        of(32),
    )


def numpy_distances():
    return lambda a, b: np.sqrt(((a[:, None, :] - b[None]) ** 2).sum(-1)), (of(12, 3), of(10, 3))


def numpy_dense():
    return lambda x, w, b: np.maximum(x @ w + b, 0), (of(6, 20), of(20, 30), of(30))


def numpy_gram():
    return lambda x: np.einsum("bij,bkj->bik", x, x) / 2, of(2, 9, 16)


def numpy_clipped():
    return lambda x, y: np.where(x > y, np.clip(x, -1, 1), np.tanh(y)), (of(40), of(40))


def numpy_angles():
    return lambda x, y: np.hypot(x, y) + np.arctan2(y, x), (of(50), of(50))


def numpy_running():
    return lambda x: np.cumsum(x, axis=0)[1:] - np.diff(x, axis=0), of(12, 7)


def numpy_powers():
    return lambda x: x**3 + np.power(2.0, x) + np.log1p(np.abs(x)), of(33)


def numpy_rearranged():
    return lambda x: np.concatenate([np.flip(x, 0), np.roll(x, 2, axis=1)]).reshape(4, -1)[:, ::2], of(6, 8)


# ---- torch -----------------------------------------------------------------------------------------------------------


def torch_examples(*arrays: np.ndarray):
    import torch

    torch.manual_seed(1)
    return tuple(map(torch.from_numpy, arrays))


def torch_convolved():
    import torch.nn as nn

    examples = torch_examples(of(1, 3, 12, 12))
    layers = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 4, 1)
    return nn.Sequential(*layers).eval(), examples


def torch_dense():
    import torch.nn as nn

    examples = torch_examples(of(5, 20))
    return nn.Sequential(nn.Linear(20, 32), nn.GELU(), nn.Linear(32, 10), nn.Softmax(-1)).eval(), examples


def torch_attending():
    import torch.nn.functional as F

    return module(F.scaled_dot_product_attention), torch_examples(*[of(1, 2, 9, 8)] * 3)


def torch_encoder():
    import torch.nn as nn

    examples = torch_examples(of(1, 7, 16))
    return nn.TransformerEncoderLayer(16, 2, 32, batch_first=True).eval(), examples


def torch_recurrent():
    import torch.nn as nn

    examples = torch_examples(of(4, 1, 8))
    return nn.LSTM(8, 8).eval(), examples


def torch_embedded():
    import torch
    import torch.nn as nn

    torch_examples()
    return nn.Sequential(nn.Embedding(30, 16), nn.LayerNorm(16)).eval(), (torch.arange(6),)


def torch_resized():
    import torch.nn.functional as F

    enlarged = module(lambda x: F.interpolate(x, scale_factor=2, mode="bilinear") + F.avg_pool2d(x, 1).mean())
    return enlarged, torch_examples(of(1, 4, 6, 6))


def torch_norms():
    import torch.nn as nn

    examples = torch_examples(of(2, 8, 5, 5))
    return nn.Sequential(nn.GroupNorm(2, 8), nn.SiLU(), nn.InstanceNorm2d(8)).eval(), examples


def torch_chosen():
    import torch

    best = module(lambda x: (torch.where(x > 0, x, x.exp() - 1), *torch.topk(x, 3)))
    return best, torch_examples(of(4, 20))


def torch_special():
    import torch

    return module(lambda x, y: torch.atan2(x, y) + torch.special.erfc(x) + torch.cumsum(y, 0)), torch_examples(
        of(30), of(30)
    )


def module(function: Callable[..., Any]) -> Any:
    """A module that calls a function."""
    import torch

    made = torch.nn.Module()
    made.forward = function
    return made


# ---- JAX -------------------------------------------------------------------------------------------------------------


def jax_softmax():
    import jax

    return lambda x: jax.nn.softmax(x, axis=-1), of(8, 30)


def jax_dense():
    import jax

    return lambda x, w, b: jax.nn.gelu(x @ w + b), (of(6, 20), of(20, 30), of(30))


def jax_convolved():
    import jax

    return lambda x, w: jax.nn.relu(jax.lax.conv(x, w, (1, 1), "SAME")), (of(1, 3, 10, 10), of(8, 3, 3, 3))


def jax_pooled():
    import jax

    return lambda x: jax.lax.reduce_window(x, -np.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID"), of(1, 4, 8, 8)


def jax_scanned():
    import jax
    import jax.numpy as jnp

    def step(h, x):
        h = jnp.tanh(h + x)
        return h, h * 2

    return lambda h, xs: jax.lax.scan(step, h, xs), (of(16), of(5, 16))


def jax_attending():
    import jax
    import jax.numpy as jnp

    def f(q, k, v):
        scores = jnp.einsum("hqd,hkd->hqk", q, k) / 3.0
        return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores), v)

    return f, (of(2, 9, 8), of(2, 9, 8), of(2, 9, 8))


def jax_picked():
    import jax.numpy as jnp

    return lambda table, i: jnp.take(table, i, axis=0), (of(20, 8), np.arange(5, dtype=np.int32))


def jax_special():
    import jax
    import jax.numpy as jnp

    return lambda x, y: jnp.arctan2(x, y) + jax.scipy.special.erf(x) + jnp.expm1(y), (of(30), of(30))


def jax_sorted():
    import jax

    return lambda x: jax.lax.top_k(x, 4), of(3, 20)


def jax_running():
    import jax.numpy as jnp

    return lambda x: jnp.cumsum(x, axis=1) - jnp.flip(x, 1), of(5, 12)


FUNCTIONS: tuple[Callable[[], tuple[Any, Any]], ...] = (
    numpy_softmax,
    numpy_normalised,
    numpy_distances,
    numpy_dense,
    numpy_gram,
    numpy_clipped,
    numpy_angles,
    numpy_running,
    numpy_powers,
    numpy_rearranged,
    torch_convolved,
    torch_dense,
    torch_attending,
    torch_encoder,
    torch_recurrent,
    torch_embedded,
    torch_resized,
    torch_norms,
    torch_chosen,
    torch_special,
    jax_softmax,
    jax_dense,
    jax_convolved,
    jax_pooled,
    jax_scanned,
    jax_attending,
    jax_picked,
    jax_special,
    jax_sorted,
    jax_running,
)
