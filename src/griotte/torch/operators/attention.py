"""Attention, as torch has it whole."""

from __future__ import annotations

import numpy as np

from ...readers.moving import broadcast, reshaped
from .declaring import Unsupported, operator


@operator("scaled_dot_product_attention")
def attention(node, q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """Query i of a causal one sees keys 0 to i, wherever the last key is."""
    if dropout_p:
        raise Unsupported("what it gives is drawn by chance; call module.eval() first")
    q, k, v = (_of_heads(node, x) for x in (q, k, v))
    q, k, v = _alike(node, q, k, v, enable_gqa)
    queries, keys = q.type.shape[-2], k.type.shape[-2]
    mask = attn_mask
    if is_causal and queries != keys:
        node.room(queries, keys)
        mask, is_causal = np.tri(queries, keys, dtype=bool), False
    if mask is not None and node.dtype(mask) != "pred":
        mask = node.cast(mask, "f32" if q.type.dtype in ("f16", "bf16") else q.type.dtype)
    more = {} if mask is None else {"mask": node.value(mask)}
    size = q.type.shape[-1] ** -0.5 if scale is None else float(scale)
    return reshaped(node, node.call("attention", q, k, v, causal=bool(is_causal), scale=size, **more), node.shape)


def _of_heads(node, x):
    """A tensor of three axes and more."""
    x = node.value(x)
    return x if x.type.rank > 2 else reshaped(node, x, (*[1] * (3 - x.type.rank), *x.type.shape))


def _alike(node, q, k, v, shares: bool):
    """Heads that broadcast, of one size but for those that share a head of k and v."""
    front = np.broadcast_shapes(*(x.type.shape[: -3 if shares else -2] for x in (q, k, v)))
    own = lambda x: (*front, *x.type.shape[-3 if shares else -2 :])
    return [broadcast(node, x, own(x)) for x in (q, k, v)]
