"""Attention of several heads, and the angles of places."""

from __future__ import annotations

from ...readers.operators.array import bits
from ...readers.operators.attention import (
    NO_PAST,
    Heads,
    Past,
    Scores,
    attention,
    merge_heads,
    rotary,
    rows_at,
    split_heads,
)
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import in_f32
from ...readers.tables import OperatorTable


def attended(node, heads: Heads, mask=None, past: Past = NO_PAST, ends=None):
    """What the language's attention has room for; the rest is by ONNX's body."""
    windows = any(node.attribute(f"{side}_window_size", -1) >= 0 for side in ("left", "right"))
    if ends is not None or windows or node.attribute("softcap", 0.0) or any(node.proto.output[3:]):
        raise Unsupported("ends, windows, bounds of scores, or scores as results")
    if bits(heads.q.dtype) <= 16:
        raise Unsupported("floats of 16 bits, which ONNX rounds at each step")
    rows = heads.q.ndim == 3
    counts = [node.attribute(f"{name}_num_heads") for name in ("q", "kv", "kv")]
    q, k, v = (split_heads(x, n) if rows else x for x, n in zip(heads, counts))
    k, v = past.joined(k, v)
    if mask is not None and mask.shape[-1] != k.shape[2]:
        raise Unsupported("a mask of fewer keys than there are")
    seen, terms = (mask, []) if mask is None or mask.dtype == "pred" else (None, [mask])
    first = past.length if node.attribute("is_causal", 0) else None  # queries see what was before them
    found = attention(q, k, v, Scores(node.attribute("scale") or None, seen, first, terms))
    return [merge_heads(found) if rows else found, k, v]


def rotated(node, x, cos, sin):
    """Rotary embedding of heads, which may stand in rows."""
    is_interleaved = bool(node.attribute("interleaved", 0))
    if x.ndim == 4:
        return rotary(x, cos, sin, is_interleaved)
    return merge_heads(rotary(heads_of(node, x, cos), cos, sin, is_interleaved))


def heads_of(node, x, cos):
    """Heads that stand in rows, as many as are told, or as angles are for."""
    return split_heads(x, node.attribute("num_heads", 0) or x.shape[-1] // (2 * cos.shape[-1]))


@in_f32
def rotary_embedding(node, x, cos, sin, positions=None):
    return rotated(node, x, *(t if positions is None else rows_at(t, positions.astype("s32")) for t in (cos, sin)))


OPERATORS: OperatorTable = (
    ("Attention", attended),
    ("RotaryEmbedding", rotary_embedding),
)
