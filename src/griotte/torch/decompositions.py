"""Operators of ATen as others, which torch itself takes whole: the fast ways of attention and of an encoder's layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

aten = torch.ops.aten
MASK_OF_QUERIES, MASK_OF_KEYS = 0, 1


def attention(query: Any, key: Any, value: Any, embed_dim: int, heads: int, *given: Any) -> tuple[Any, Any]:
    """`_native_multi_head_attention`: what it gives, and the shares where they are asked for. Given are weights and
    biases, of q, k and v, then of what comes out; the mask; whether shares are asked for, and their means; the kind of
    mask."""
    qkv_weight, qkv_bias, *out = given[:4]
    mask, need_weights, average, kind = _filled(given[4:], None, True, True, None)
    weights, biases = qkv_weight.chunk(3), qkv_bias.chunk(3)
    parts = [aten.linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases)]
    q, k, v = (each.unflatten(-1, (heads, embed_dim // heads)).transpose(1, 2) for each in parts)
    if mask is None and not need_weights:
        shares, found = None, aten.scaled_dot_product_attention(q, k, v)
    else:
        scores = torch.matmul(q * (embed_dim // heads) ** -0.5, k.transpose(-2, -1))
        if mask is not None:
            scores = scores.masked_fill(_of_scores(mask.to(torch.bool), kind), -torch.inf)
        shares = scores.softmax(-1)
        found = torch.matmul(shares, v)
    found = aten.linear(found.transpose(1, 2).flatten(2), *out)
    if not need_weights or shares is None:
        return found, None
    return found, shares.mean(1) if average else shares


def _filled(given: Sequence[Any], *defaults: Any) -> list[Any]:
    """What is given, and defaults of what is not."""
    return [*given, *defaults[len(given) :]]


def _of_scores(mask: Any, mask_type: int | None) -> Any:
    """A mask as scores have it: batch, heads, queries, keys."""
    if mask_type == MASK_OF_KEYS:
        return mask[:, None, None, :]
    return mask[None, None] if mask_type == MASK_OF_QUERIES else mask


def encoder_layer(src: Any, embed_dim: int, heads: int, *given: Any) -> Any:
    """`_transformer_encoder_layer_fwd`. Given are weights and biases of attention; whether to use GELU, to norm first,
    and epsilon; weights and biases of both norms and of both products; the mask and its kind."""
    use_gelu, norm_first, eps = given[4:7]
    norms, products = (given[7:9], given[9:11]), (given[11:13], given[13:15])
    mask, kind = _filled(given[15:], None, None)
    first, second = (lambda x, own=own: aten.layer_norm(x, [embed_dim], *own, eps) for own in norms)
    own = first(src) if norm_first else src
    x = src + attention(own, own, own, embed_dim, heads, *given[:4], mask, False, True, kind)[0]
    x = x if norm_first else first(x)
    within = aten.linear(second(x) if norm_first else x, *products[0])
    within = aten.gelu(within) if use_gelu else aten.relu(within)
    x = x + aten.linear(within, *products[1])
    return x if norm_first else second(x)


def randomized_relu(
    x: Any, noise: Any, lower: float = 0.125, upper: float = 1 / 3, training: bool = False, generator: Any = None
) -> Any:
    """`rrelu_with_noise_functional` where nothing is drawn."""
    if training:
        return NotImplemented
    return aten.leaky_relu(x, (lower + upper) / 2), noise.clone()


DECOMPOSITIONS: dict[Any, Callable[..., Any]] = {
    aten._native_multi_head_attention.default: attention,
    aten._transformer_encoder_layer_fwd.default: encoder_layer,
    aten.rrelu_with_noise_functional.default: randomized_relu,
}
"""By operator what it is made of."""
