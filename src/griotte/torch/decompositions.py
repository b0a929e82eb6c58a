"""Operators of ATen as others, which torch itself takes whole: the fast ways of attention and of an encoder's layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

aten = torch.ops.aten
MASK_OF_QUERIES, MASK_OF_KEYS = 0, 1


def attention(
    query: Any,
    key: Any,
    value: Any,
    embed_dim: int,
    heads: int,
    qkv_weight: Any,
    qkv_bias: Any,
    proj_weight: Any,
    proj_bias: Any,
    mask: Any = None,
    need_weights: bool = True,
    average_attn_weights: bool = True,
    mask_type: int | None = None,
) -> tuple[Any, Any]:
    """`_native_multi_head_attention`: what it gives, and the shares where they are asked for."""
    weights, biases = qkv_weight.chunk(3), qkv_bias.chunk(3)
    parts = [aten.linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases)]
    q, k, v = (each.unflatten(-1, (heads, embed_dim // heads)).transpose(1, 2) for each in parts)
    if mask is None and not need_weights:
        shares, found = None, aten.scaled_dot_product_attention(q, k, v)
    else:
        scores = torch.matmul(q * (embed_dim // heads) ** -0.5, k.transpose(-2, -1))
        if mask is not None:
            scores = scores.masked_fill(_of_scores(mask.to(torch.bool), mask_type), -torch.inf)
        shares = scores.softmax(-1)
        found = torch.matmul(shares, v)
    found = aten.linear(found.transpose(1, 2).flatten(2), proj_weight, proj_bias)
    if not need_weights or shares is None:
        return found, None
    return found, shares.mean(1) if average_attn_weights else shares


def _of_scores(mask: Any, mask_type: int | None) -> Any:
    """A mask as scores have it: batch, heads, queries, keys."""
    if mask_type == MASK_OF_KEYS:
        return mask[:, None, None, :]
    return mask[None, None] if mask_type == MASK_OF_QUERIES else mask


def encoder_layer(
    src: Any,
    embed_dim: int,
    heads: int,
    qkv_weight: Any,
    qkv_bias: Any,
    proj_weight: Any,
    proj_bias: Any,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: Any,
    norm_bias_1: Any,
    norm_weight_2: Any,
    norm_bias_2: Any,
    ffn_weight_1: Any,
    ffn_bias_1: Any,
    ffn_weight_2: Any,
    ffn_bias_2: Any,
    mask: Any = None,
    mask_type: int | None = None,
) -> Any:
    """`_transformer_encoder_layer_fwd`."""
    first = lambda x: aten.layer_norm(x, [embed_dim], norm_weight_1, norm_bias_1, eps)
    second = lambda x: aten.layer_norm(x, [embed_dim], norm_weight_2, norm_bias_2, eps)
    of_qkv = (embed_dim, heads, qkv_weight, qkv_bias, proj_weight, proj_bias, mask, False, True, mask_type)
    own = first(src) if norm_first else src
    x = src + attention(own, own, own, *of_qkv)[0]
    x = x if norm_first else first(x)
    within = aten.linear(second(x) if norm_first else x, ffn_weight_1, ffn_bias_1)
    within = aten.gelu(within) if use_gelu else aten.relu(within)
    x = x + aten.linear(within, ffn_weight_2, ffn_bias_2)
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
