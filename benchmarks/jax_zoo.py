"""Networks in plain JAX with random weights: what `griotte.jax.jit` is measured on beside XLA.

Each of `ZOO` makes a function of arrays, whose weights are around it, and what it is called with. Images have their
channels last, as JAX's libraries have them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

Array = Any
Made = tuple[Callable[..., Any], tuple[Array, ...]]


class Drawn:
    """Weights from one seed."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def normal(self, *shape: int, size: float | None = None) -> Array:
        """Normal numbers, by default of a size that products keep."""
        into = int(np.prod(shape[:-1])) if len(shape) > 1 else 1
        spread = into**-0.5 if size is None else size
        return jnp.asarray(self.rng.standard_normal(shape, np.float32) * np.float32(spread))

    def linear(self, given: int, out: int) -> tuple[Array, Array]:
        return self.normal(given, out), self.normal(out, size=0.1)

    def norm(self, width: int) -> tuple[Array, Array]:
        return 1 + self.normal(width, size=0.1), self.normal(width, size=0.1)

    def batch_norm(self, width: int) -> tuple[Array, ...]:
        return *self.norm(width), self.normal(width, size=0.1), 0.5 + jnp.abs(self.normal(width, size=0.5))


def linear(x: Array, weights: tuple[Array, Array]) -> Array:
    return x @ weights[0] + weights[1]


# ---- of images -------------------------------------------------------------------------------------------------------


def conv(x: Array, w: Array, stride: int = 1, padding: Any = "SAME", groups: int = 1) -> Array:
    return lax.conv_general_dilated(
        x,
        w,
        (stride, stride),
        padding,
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
        feature_group_count=groups,
    )


def max_pool(x: Array, window: int, stride: int, padding: str = "VALID") -> Array:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, window, window, 1), (1, stride, stride, 1), padding)


def batch_normed(x: Array, norm: tuple[Array, ...]) -> Array:
    gain, bias, mean, variance = norm
    return (x - mean) * (lax.rsqrt(variance + 1e-5) * gain) + bias


def lenet() -> Made:
    draw = Drawn()
    first, second = draw.normal(5, 5, 1, 6), draw.normal(5, 5, 6, 16)
    layers = [draw.linear(400, 120), draw.linear(120, 84), draw.linear(84, 10)]

    def run(x: Array) -> Array:
        x = max_pool(nn.relu(conv(x, first)), 2, 2)
        x = max_pool(nn.relu(conv(x, second, padding="VALID")), 2, 2).reshape(x.shape[0], -1)
        for layer in layers[:-1]:
            x = nn.relu(linear(x, layer))
        return linear(x, layers[-1])

    return run, (draw.normal(1, 28, 28, 1, size=1),)


def resnet18() -> Made:
    draw = Drawn()
    normed = lambda k, given, out: (draw.normal(k, k, given, out), draw.batch_norm(out))
    sizes = [(64, 64, 1), (64, 64, 1), (64, 128, 2), (128, 128, 1), (128, 256, 2), (256, 256, 1), (256, 512, 2)]
    blocks = [
        (normed(3, a, b), normed(3, b, b), None if a == b else normed(1, a, b), stride)
        for a, b, stride in [*sizes, (512, 512, 1)]
    ]
    first, last = normed(7, 3, 64), draw.linear(512, 1000)
    of = lambda x, layer, stride: batch_normed(conv(x, layer[0], stride), layer[1])

    def run(x: Array) -> Array:
        x = max_pool(nn.relu(of(x, first, 2)), 3, 2, "SAME")
        for one, two, beside, stride in blocks:
            own = of(nn.relu(of(x, one, stride)), two, 1)
            x = nn.relu(own + (x if beside is None else of(x, beside, stride)))
        return linear(x.mean((1, 2)), last)

    return run, (draw.normal(1, 224, 224, 3, size=1),)


ROWS = (
    *((3, 16, 16, 0, 0, 1), (3, 64, 24, 0, 0, 2), (3, 72, 24, 0, 0, 1), (5, 72, 40, 1, 0, 2)),
    *((5, 120, 40, 1, 0, 1), (5, 120, 40, 1, 0, 1), (3, 240, 80, 0, 1, 2), (3, 200, 80, 0, 1, 1)),
    *((3, 184, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1), (3, 480, 112, 1, 1, 1), (3, 672, 112, 1, 1, 1)),
    *((5, 672, 160, 1, 1, 2), (5, 960, 160, 1, 1, 1), (5, 960, 160, 1, 1, 1)),
)
"""Of the large MobileNetV3's blocks: window, channels within and behind, whether it has a gate, whether it is of
hard_swish, and the stride."""


def mobilenet_v3() -> Made:
    draw = Drawn()
    normed = lambda k, given, out, of=None: (draw.normal(k, k, of or given, out), draw.batch_norm(out))
    blocks, given = [], 16
    for window, within, out, gated, hard, stride in ROWS:
        less = max(8, (within // 4 + 4) // 8 * 8)
        gate = (draw.linear(within, less), draw.linear(less, within)) if gated else None
        wider = normed(1, given, within) if within != given else None
        blocks.append((wider, normed(window, within, within, 1), gate, normed(1, within, out), hard, stride))
        given = out
    first, last = normed(3, 3, 16), normed(1, 160, 960)
    head = draw.linear(960, 1280), draw.linear(1280, 1000)
    of = lambda x, layer, stride=1, groups=1: batch_normed(conv(x, layer[0], stride, groups=groups), layer[1])

    def run(x: Array) -> Array:
        x = nn.hard_swish(of(x, first, 2))
        for wider, along, gate, out, hard, stride in blocks:
            act = nn.hard_swish if hard else nn.relu
            own = x if wider is None else act(of(x, wider))
            own = act(of(own, along, stride, own.shape[-1]))
            if gate is not None:
                own = own * nn.hard_sigmoid(linear(nn.relu(linear(own.mean((1, 2), keepdims=True), gate[0])), gate[1]))
            own = of(own, out)
            x = x + own if own.shape == x.shape else own
        x = nn.hard_swish(of(x, last)).mean((1, 2))
        return linear(nn.hard_swish(linear(x, head[0])), head[1])

    return run, (draw.normal(1, 224, 224, 3, size=1),)


# ---- of tokens -------------------------------------------------------------------------------------------------------


def mlp() -> Made:
    draw = Drawn()
    layers = [draw.linear(784, 512), draw.linear(512, 256), draw.linear(256, 10)]

    def run(x: Array) -> Array:
        for layer in layers[:-1]:
            x = nn.relu(linear(x, layer))
        return linear(x, layers[-1])

    return run, (draw.normal(1, 784, size=1),)


def layer_normed(x: Array, norm: tuple[Array, Array], epsilon: float = 1e-5) -> Array:
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(x.var(-1, keepdims=True) + epsilon) * norm[0] + norm[1]


def rms_normed(x: Array, gain: Array) -> Array:
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * gain


def apart(x: Array, heads: int) -> Array:
    return x.reshape(*x.shape[:-1], heads, -1)


def joined(x: Array) -> Array:
    return x.reshape(*x.shape[:-2], -1)


def bert_layer(width: int = 768, heads: int = 12, tokens: int = 128) -> Made:
    draw = Drawn()
    q, k, v, out = (draw.linear(width, width) for _ in range(4))
    norms = draw.norm(width), draw.norm(width)
    more, less = draw.linear(width, 4 * width), draw.linear(4 * width, width)

    def run(x: Array, seen: Array) -> Array:
        given = (apart(linear(x, each), heads) for each in (q, k, v))
        own = joined(nn.dot_product_attention(*given, mask=seen[:, None, None, :]))
        x = layer_normed(x + linear(own, out), norms[0], 1e-12)
        own = linear(nn.gelu(linear(x, more), approximate=False), less)
        return layer_normed(x + own, norms[1], 1e-12)

    return run, (draw.normal(1, tokens, width, size=1), jnp.arange(tokens)[None] < 100)


def gpt2_step(layers: int = 2, width: int = 768, heads: int = 12, room: int = 256, words: int = 50257) -> Made:
    """A token, behind those that caches [1, room, heads, depth] have, which get its own keys and values."""
    draw = Drawn()
    table, places, last = draw.normal(words, width, size=0.02), draw.normal(1024, width, size=0.02), draw.norm(width)
    blocks = [
        (
            *(draw.norm(width), draw.norm(width), draw.linear(width, 3 * width), draw.linear(width, width)),
            *(draw.linear(width, 4 * width), draw.linear(4 * width, width)),
        )
        for _ in range(layers)
    ]

    def run(token: Array, place: Array, caches: Any) -> Any:
        x, given = table[token] + places[place], []
        seen = jnp.arange(room) <= place
        for (before, within, qkv, out, more, less), (keys, values) in zip(blocks, caches):
            q, k, v = (apart(each, heads) for each in jnp.split(linear(layer_normed(x, before), qkv), 3, -1))
            keys = lax.dynamic_update_slice(keys, k, (0, place, 0, 0))
            values = lax.dynamic_update_slice(values, v, (0, place, 0, 0))
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, keys) / jnp.sqrt(q.shape[-1])
            weights = nn.softmax(jnp.where(seen, scores, jnp.finfo(x.dtype).min), -1)
            x = x + linear(joined(jnp.einsum("bhqk,bkhd->bqhd", weights, values)), out)
            x = x + linear(nn.gelu(linear(layer_normed(x, within), more)), less)
            given.append((keys, values))
        return layer_normed(x, last) @ table.T, given

    shape = (1, room, heads, width // heads)
    caches = [(draw.normal(*shape, size=1), draw.normal(*shape, size=1)) for _ in range(layers)]
    return run, (jnp.array([[17]]), jnp.int32(100), caches)


def turned(x: Array, cos: Array, sin: Array) -> Array:
    first, second = jnp.split(x, 2, -1)
    return x * cos + jnp.concatenate([-second, first], -1) * sin


def llama_block(width: int = 1024, heads: int = 16, shared: int = 4, within: int = 2816, tokens: int = 64) -> Made:
    draw = Drawn()
    q, out = draw.normal(width, width), draw.normal(width, width)
    k, v = (draw.normal(width, width // shared) for _ in range(2))
    gains = draw.norm(width)[0], draw.norm(width)[0]
    gate, more, less = draw.normal(width, within), draw.normal(width, within), draw.normal(within, width)
    half = jnp.arange(0, width // heads, 2) / (width // heads)

    def run(x: Array, places: Array) -> Array:
        angles = places[..., None] * 10000.0**-half
        angles = jnp.concatenate([angles, angles], -1)[:, :, None]
        given = rms_normed(x, gains[0])
        queries = turned(apart(given @ q, heads), jnp.cos(angles), jnp.sin(angles))
        keys = turned(apart(given @ k, heads // shared), jnp.cos(angles), jnp.sin(angles))
        own = nn.dot_product_attention(queries, keys, apart(given @ v, heads // shared), is_causal=True)
        x = x + joined(own) @ out
        given = rms_normed(x, gains[1])
        return x + (nn.silu(given @ gate) * (given @ more)) @ less

    return run, (draw.normal(1, tokens, width, size=1), jnp.arange(tokens)[None])


ZOO: dict[str, Callable[[], Made]] = {
    "mlp": mlp,
    "lenet": lenet,
    "bert_layer": bert_layer,
    "gpt2_step": gpt2_step,
    "llama_block": llama_block,
    "resnet18": resnet18,
    "mobilenet_v3": mobilenet_v3,
}


def results(found: Any) -> list[np.ndarray]:
    """The arrays of what a function gives."""
    return [np.asarray(each) for each in jax.tree_util.tree_leaves(found)]
