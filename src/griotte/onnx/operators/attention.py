"""Attention of several heads, with its projections and what it keeps of the past; the angles of places."""

from __future__ import annotations

import numpy as np

from ...readers.operators.array import bits, sliced, where
from ...readers.operators.attention import (
    Scores,
    attention,
    length_of,
    merge_heads,
    rotary,
    rows_at,
    split_heads,
    with_past,
)
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import in_f32
from ...readers.operators.moving import joined, split, stacked
from ...readers.operators.products import multiplied
from ...readers.operators.quantised import dequantized_sums, integer_product
from ...readers.tables import OperatorTable, inputs


def attended(node, q, k, v, mask=None, *others):
    """What the language's attention has room for; the rest is by ONNX's body."""
    past_k, past_v, ends = inputs(others, 0, 3)
    windows = any(node.attribute(f"{side}_window_size", -1) >= 0 for side in ("left", "right"))
    if ends is not None or windows or node.attribute("softcap", 0.0) or any(node.proto.output[3:]):
        raise Unsupported("ends, windows, bounds of scores, or scores as results")
    if bits(q.dtype) <= 16:
        raise Unsupported("floats of 16 bits, which ONNX rounds at each step")
    rows = q.ndim == 3
    counts = [node.attribute(f"{name}_num_heads") for name in ("q", "kv", "kv")]
    q, k, v = (split_heads(x, n) if rows else x for x, n in zip((q, k, v), counts))
    k, v = with_past(past_k, past_v, k, v)
    if mask is not None and mask.shape[-1] != k.shape[2]:
        raise Unsupported("a mask of fewer keys than there are")
    seen, terms = (mask, []) if mask is None or mask.dtype == "pred" else (None, [mask])
    first = length_of(past_k) if node.attribute("is_causal", 0) else None  # queries see what was before them
    found = attention(q, k, v, Scores(node.attribute("scale") or None, seen, first, terms))
    return [merge_heads(found) if rows else found, k, v]


def rotated(node, x, cos, sin):
    """Rotary embedding of heads, which may stand in rows."""
    is_interleaved = bool(node.attribute("interleaved", 0))
    if x.ndim == 4:
        return rotary(x, cos, sin, is_interleaved)
    return merge_heads(rotary(heads_of(node, x, cos), cos, sin, is_interleaved))


def heads_of(node, x, cos):
    """Heads that stand in rows: as many as the node says, or as the angles fit."""
    return split_heads(x, node.attribute("num_heads", 0) or x.shape[-1] // (2 * cos.shape[-1]))


@in_f32
def rotary_embedding(node, x, cos, sin, positions=None):
    return rotated(node, x, *(t if positions is None else rows_at(t, positions.astype("s32")) for t in (cos, sin)))


def _with_padding(node, heads, mask, bias, past: int):
    """Attention of heads (q, k, v), with a mask of the keys that are padding, and a bias of the scores."""
    q, k, v = heads
    terms = [] if mask is None else [_padding(node, mask, q.shape[0], q.shape[2], k.shape[2], past)]
    terms += [] if bias is None else [bias]
    before = past if node.attribute("unidirectional", 0) else None  # from the first key on
    return attention(q, k, v, Scores(node.attribute("scale") or None, before=before, terms=terms))


def _padding(node, mask, batch: int, length: int, keys: int, past: int):
    """The terms added to scores of padding: a number below all that counts, as a mask in one of its forms tells."""
    places = np.arange(keys, dtype=np.int32)
    if mask.ndim == 1 and mask.size in (batch, 2 * batch):
        ends = sliced(mask, {0: (0, batch)}).reshape((batch, 1, 1, 1))
        counts = places < ends
        if mask.size > batch:
            starts = sliced(mask, {0: (batch, 2 * batch)}).reshape((batch, 1, 1, 1))
            counts = counts & (places >= starts)
    elif mask.ndim in (2, 3, 4) and mask.shape[0] == batch:
        if mask.ndim == 4:
            mask = sliced(mask, {2: (past, past + length), 3: (0, keys)})
        rows = {2: (batch, 1, 1, -1), 3: (batch, 1, length, -1), 4: (batch, 1, length, -1)}[mask.ndim]
        counts = mask.reshape((*rows[:3], mask.shape[-1])) > 0
    else:
        raise Unsupported(f"a mask {list(mask.type.shape)}")
    low = node.attribute("mask_filter_value", -10000.0)
    return where(counts, np.float32(0), np.float32(low))


def _not_shared(node, length) -> None:
    if length is not None or node.attribute("past_present_share_buffer", 0):
        raise Unsupported("a past that is written where it lies")


@in_f32
def attention_of_one(node, x, weights, *others):
    """Of one x, projected."""
    bias, mask, past, more, length = inputs(others, 0, 5)
    _not_shared(node, length)
    found = multiplied(x, weights)
    return _of_projected(node, found if bias is None else found + bias, mask, more, past)


@in_f32
def attention_of_integers(node, x, weights, bias, *others):
    """Of one x of integers, projected in floats."""
    x_scale, w_scale, mask, x_zero, w_zero, past = inputs(others, 2, 6)
    _not_shared(node, None)
    sums = integer_product(x, weights, x_zero, w_zero)
    return _of_projected(node, dequantized_sums(sums, x_scale, w_scale, bias), mask, None, past)


def _of_projected(node, projected, mask, more, past):
    """Attention of q, k and v that stand side by side."""
    if node.attribute("do_rotary", 0):
        raise Unsupported("angles within it")
    count, whole = node.attribute("num_heads"), projected.shape[-1]
    sizes = node.attribute("qkv_hidden_sizes") or [whole // 3] * 3
    q, k, v = (split_heads(part, count) for part in split(projected, sizes, 2))
    before = 0
    if past is not None:
        before = past.shape[3]
        k, v = (joined([_one(past, i), new], 2) for i, new in enumerate((k, v)))
    found = merge_heads(_with_padding(node, (q, k, v), mask, more, before))
    return [found, stacked([k, v], 0)] if node.outputs > 1 else found


def _one(past, place: int):
    return sliced(past, {0: (place, place + 1)}).reshape(past.shape[1:])


@in_f32
def multi_head(node, q, *others):
    """Of q, k and v, which may stand side by side in one."""
    k, v, bias, mask, more, past_k, past_v, length, beams = inputs(others, 0, 9)
    _not_shared(node, length)
    if beams is not None or any(node.proto.output[3:4]):
        raise Unsupported("the past of several beams" if beams is not None else "scores are asked for")
    q, k, v = _apart(q, k, v, bias, node.attribute("num_heads"))
    k, v = with_past(past_k, past_v, k, v)
    return [merge_heads(_with_padding(node, (q, k, v), mask, more, length_of(past_k))), k, v]


def _apart(q, k, v, bias, count: int):
    """q, k and v as heads, each with its part of the bias."""
    if k is None:  # [batch, s, heads, 3, d]
        q, k, v = (_row(q, i) for i in range(3))
    elif v is None:  # [batch, t, heads, 2, d]
        k, v = (_row(k, i) for i in range(2))
    given = [q, k, v]
    if bias is not None:
        sizes = [x.shape[-1] if x.ndim == 3 else x.shape[1] * x.shape[3] for x in given]
        own = split(bias, sizes, 0)  # what is kept from before has its bias
        given = [x + b if x.ndim == 3 else x for x, b in zip(given, own)]
    return [split_heads(x, count) if x.ndim == 3 else x for x in given]


def _row(x, place: int):
    batch, length, count, _, size = x.shape
    return sliced(x, {3: (place, place + 1)}).reshape((batch, length, count * size))


OPERATORS: OperatorTable = (
    ("Attention", attended),
    ("RotaryEmbedding", rotary_embedding),
    ("com.microsoft.Attention", attention_of_one),
    ("com.microsoft.QAttention", attention_of_integers),
    ("com.microsoft.MultiHeadAttention", multi_head),
)
