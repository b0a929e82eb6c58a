"""Attention of several heads, and the angles of places."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...operators.array import bits, call, sliced, tanh, where
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32
from ...operators.moving import joined, picked, stacked
from ...operators.products import multiplied
from ...readers.tables import OperatorTable


def heads_of(x, count: int):
    """[batch, s, heads d] as [batch, heads, s, d]."""
    batch, length, size = x.shape
    return x.reshape((batch, length, count, size // count)).transpose((0, 2, 1, 3))


def side_by_side(y):
    """Heads as they stand in rows: [batch, s, heads d]."""
    batch, count, length, size = y.shape
    return y.transpose((0, 2, 1, 3)).reshape((batch, length, count * size))


def cut(x, axis: int, sizes):
    """Parts of x of these sizes, one after the other."""
    ends = np.cumsum([0, *sizes]).tolist()
    return [sliced(x, {axis: (a, b)}) for a, b in pairwise(ends)]


def attended(node, q, k, v, *, seen=None, causal=False, terms=(), softcap=0.0, sink=None):
    """What heads [batch, h, s, d] attend to: `seen` holds where a key may count, `terms` are added to scores. A sink is
    a score for each head that nothing is behind."""
    scale = node.attribute("scale") or q.shape[-1] ** -0.5
    if causal and (softcap or sink is not None):
        queries, keys = q.shape[-2], k.shape[-2]
        q.room(queries, keys)
        before = q.of(np.tri(queries, keys, keys - queries, dtype=bool))
        seen, causal = before if seen is None else before & seen, False
    mask = _mask(None if seen is None else q.of(seen), terms)
    if not softcap and sink is None:
        more = {} if mask is None else {"mask": mask}
        return call("attention", q, k, v, causal=causal, scale=scale, **more)
    return _by_scores(q, k, v, scale, mask, softcap, None if sink is None else q.of(sink))


def _mask(seen, terms):
    """What is added to scores; or holds where they count."""
    total: Any = None
    for term in terms:
        total = term if total is None else total + term
    if seen is None or total is None:
        return seen if total is None else total
    return where(seen, total, np.float32(-np.inf))


def _by_scores(q, k, v, scale: float, mask, softcap: float, sink):
    """With what the language's attention has no room for."""
    batch, heads, length, size = q.shape
    shared, keys = k.shape[1], k.shape[2]
    rows = q.reshape((batch, shared, heads // shared * length, size))
    scores = multiplied(rows, k.transpose((0, 1, 3, 2))) * scale
    scores = scores.reshape((batch, heads, length, keys))
    if softcap:
        scores = tanh(scores / softcap) * softcap
    if mask is not None and mask.dtype == "pred":
        scores = where(mask, scores, np.float32(-np.inf))
    elif mask is not None:
        scores = scores + mask
    if sink is not None:
        column = sink.reshape((1, heads, 1, 1)).broadcast_to((batch, heads, length, 1))
        shares = call("softmax", call("concat", scores, column, axis=3), axis=3)
        shares = sliced(shares, {3: (0, keys)})
    else:
        shares = call("softmax", scores, axis=3)
    found = multiplied(shares.reshape((batch, shared, heads // shared * length, keys)), v)
    return found.reshape((batch, heads, length, v.shape[-1]))


def rotated(node, x, cos):
    """What is to be turned by angles, as heads."""
    if x.ndim == 4:
        return x
    count, whole = node.attribute("num_heads", 0), x.shape[-1]
    return heads_of(x, count or whole // (2 * cos.shape[-1]))


def rows_at(table, positions):
    """The rows of a table of these numbers, [batch or 1, s, ..]."""
    if positions.known is not None and (positions.known == positions.known[:1]).all():
        return stacked([picked(table, 0, positions.known[0])], 0)
    return table.take(positions, 0)


def turned(node, x, angles, interleaved: bool):
    """Heads [batch, h, s, d], of which the first elements of each are turned by angles, their cosines and their sines
    [batch or 1, s, r / 2]."""
    cos, sin = angles
    length, size = x.shape[2:]
    width = 2 * cos.shape[-1]
    first = sliced(x, {3: (0, width)})
    if cos.size == length * width // 2:
        flat = [row.reshape((length, width // 2)) for row in (cos, sin)]
        found = call("rope", first, *flat, interleaved=interleaved)
    else:
        one, other = (row.reshape((row.shape[0], 1, *row.shape[1:])) for row in (cos, sin))
        found = _by_hand(node, first, one, other, interleaved)
    return joined([found, sliced(x, {3: (width, size)})], 3) if width < size else found


def _by_hand(node, x, cos, sin, interleaved: bool):
    """Where the angles differ from row to row of the batch."""
    *front, size = x.shape
    half = size // 2
    if interleaved:
        pairs = x.reshape((*front, half, 2))
        u, v = (sliced(pairs, {4: (i, i + 1)}).reshape((*front, half)) for i in range(2))
    else:
        u, v = cut(x, 3, [half, half])
    one, other = u * cos - v * sin, u * sin + v * cos
    if interleaved:
        return stacked([one, other], 4).reshape(x.shape)
    return joined([one, other], 3)


def attention(node, q, k, v, mask=None, past_k=None, past_v=None, ends=None):
    """What the language's attention has room for; the rest is by ONNX's body."""
    windows = any(node.attribute(f"{side}_window_size", -1) >= 0 for side in ("left", "right"))
    if ends is not None or windows or node.attribute("softcap", 0.0) or any(node.proto.output[3:]):
        raise Unsupported("ends, windows, bounds of scores, or scores as results")
    if bits(q.dtype) <= 16:
        raise Unsupported("floats of 16 bits, which ONNX rounds at each step")
    rows = q.ndim == 3
    counts = [node.attribute(f"{name}_num_heads") for name in ("q", "kv", "kv")]
    q, k, v = (heads_of(x, n) if rows else x for x, n in zip((q, k, v), counts))
    before = 0
    if past_k is not None:
        before = past_k.shape[2]
        k, v = joined([past_k, k], 2), joined([past_v, v], 2)
    length, keys = q.shape[2], k.shape[2]
    seen, terms, causal = None, [], bool(node.attribute("is_causal", 0))
    if mask is not None and mask.shape[-1] != keys:
        raise Unsupported("a mask of fewer keys than there are")
    if mask is not None and mask.dtype == "pred":
        seen = mask
    elif mask is not None:
        terms = [mask]
    if causal and keys - length != before:  # queries see what was before them, from the first key on
        q.room(length, keys)
        own, causal = np.tri(length, keys, before, dtype=bool), False
        seen = own if seen is None else seen & own
    found = attended(node, q, k, v, seen=seen, causal=causal, terms=terms)
    return [side_by_side(found) if rows else found, k, v]


@in_f32
def rotary(node, x, cos, sin, positions=None):
    heads = rotated(node, x, cos)
    rows = [t if positions is None else rows_at(t, positions.astype("s32")) for t in (cos, sin)]
    found = turned(node, heads, rows, bool(node.attribute("interleaved", 0)))
    return found if x.ndim == 4 else side_by_side(found)


OPERATORS: OperatorTable = (
    ("Attention", attention),
    ("RotaryEmbedding", rotary),
)
