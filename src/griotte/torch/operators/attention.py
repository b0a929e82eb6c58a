"""Attention, as torch has it whole."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...readers.operators.attention import Heads, Scores
from ...readers.operators.attention import attention as attended
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import dtype_within
from ...readers.tables import OperatorTable


class AttentionOptions(NamedTuple):
    """As torch's scaled_dot_product_attention has them."""

    attn_mask: Any = None
    dropout_p: float = 0.0
    is_causal: bool = False
    scale: Any = None
    enable_gqa: bool = False


def attention(node, heads: Heads, options: AttentionOptions):
    """Query i of a causal one sees keys 0 to i, wherever the last key is."""
    mask, scale = options.attn_mask, options.scale
    if options.dropout_p:
        raise Unsupported("what it gives is drawn by chance; call module.eval() first")
    q, k, v = (_of_heads(x) for x in heads)
    q, k, v = _alike(q, k, v, options.enable_gqa)
    seen, terms = (mask, []) if mask is None or mask.dtype == "pred" else (None, [mask])
    terms = [each.astype(dtype_within(q)) for each in terms]
    how = Scores(scale if scale is None else float(scale), seen, 0 if options.is_causal else None, terms)
    return attended(q, k, v, how).reshape(node.shape)


def _of_heads(x):
    """A tensor of three axes and more."""
    return x if x.ndim > 2 else x.reshape((*[1] * (3 - x.ndim), *x.shape))


def _alike(q, k, v, shares: bool):
    """Heads that broadcast, of one size but for those that share a head of k and v."""
    front = np.broadcast_shapes(*(x.shape[: -3 if shares else -2] for x in (q, k, v)))
    own = lambda x: (*front, *x.shape[-3 if shares else -2 :])
    return [x.broadcast_to(own(x)) for x in (q, k, v)]


OPERATORS: OperatorTable = (("scaled_dot_product_attention", attention),)
