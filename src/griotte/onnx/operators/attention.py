"""Attention of several heads, and the angles of places."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ...readers.kinds import bits, in_f32
from ...readers.moving import broadcast, joined, permuted, picked, reshaped, sliced, stacked, taken
from ...readers.node import Unsupported
from ...readers.products import multiplied
from .declaring import operator


def heads_of(node, x, count: int):
    """[batch, s, heads d] as [batch, heads, s, d]."""
    x = node.value(x)
    batch, length, size = x.type.shape
    return permuted(node, reshaped(node, x, (batch, length, count, size // count)), (0, 2, 1, 3))


def side_by_side(node, y):
    """Heads as they stand in rows: [batch, s, heads d]."""
    batch, count, length, size = y.type.shape
    return reshaped(node, permuted(node, y, (0, 2, 1, 3)), (batch, length, count * size))


def cut(node, x, axis: int, sizes):
    """Parts of x of these sizes, one after the other."""
    ends = np.cumsum([0, *sizes]).tolist()
    return [sliced(node, x, {axis: (a, b)}) for a, b in pairwise(ends)]


def attended(node, q, k, v, *, seen=None, causal=False, terms=(), softcap=0.0, sink=None):
    """What heads [batch, h, s, d] attend to: `seen` holds where a key may count, `terms` are added to scores. A sink is
    a score for each head that nothing is behind."""
    scale = node.attribute("scale") or q.type.shape[-1] ** -0.5
    if causal and (softcap or sink is not None):
        queries, keys = q.type.shape[-2], k.type.shape[-2]
        node.room(queries, keys)
        before = np.tri(queries, keys, keys - queries, dtype=bool)
        seen, causal = before if seen is None else node.call("logical_and", seen, before), False
    mask = _mask(node, seen, terms)
    if not softcap and sink is None:
        more = {} if mask is None else {"mask": node.value(mask)}
        return node.call("attention", q, k, v, causal=causal, scale=scale, **more)
    return _by_scores(node, q, k, v, scale, mask, softcap, sink)


def _mask(node, seen, terms):
    """What is added to scores; or holds where they count."""
    total: Any = None
    for term in terms:
        total = term if total is None else node.call("add", total, term)
    if seen is None or total is None:
        return seen if total is None else total
    return node.call("where", seen, total, np.float32(-np.inf))


def _by_scores(node, q, k, v, scale: float, mask, softcap: float, sink):
    """With what the language's attention has no room for."""
    batch, heads, length, size = q.type.shape
    shared, keys = k.type.shape[1], k.type.shape[2]
    rows = reshaped(node, q, (batch, shared, heads // shared * length, size))
    scores = node.call("mul", multiplied(node, rows, permuted(node, k, (0, 1, 3, 2))), scale)
    scores = reshaped(node, scores, (batch, heads, length, keys))
    if softcap:
        scores = node.call("mul", node.call("tanh", node.call("div", scores, softcap)), softcap)
    if mask is not None and node.dtype(mask) == "pred":
        scores = node.call("where", mask, scores, np.float32(-np.inf))
    elif mask is not None:
        scores = node.call("add", scores, mask)
    if sink is not None:
        column = broadcast(
            node,
            reshaped(node, sink, (1, heads, 1, 1)),
            (batch, heads, length, 1),
        )
        shares = node.call("softmax", node.call("concat", scores, column, axis=3), axis=3)
        shares = sliced(node, shares, {3: (0, keys)})
    else:
        shares = node.call("softmax", scores, axis=3)
    found = multiplied(node, reshaped(node, shares, (batch, shared, heads // shared * length, keys)), v)
    return reshaped(node, found, (batch, heads, length, v.type.shape[-1]))


def rotated(node, x, cos):
    """What is to be turned by angles, as heads."""
    x = node.value(x)
    if x.type.rank == 4:
        return x
    count, whole = node.attribute("num_heads", 0), x.type.shape[-1]
    return heads_of(node, x, count or whole // (2 * node.value(cos).type.shape[-1]))


def rows_at(node, table, positions):
    """The rows of a table of these numbers, [batch or 1, s, ..]."""
    positions = node.value(positions)
    if positions.array is not None and (positions.array == positions.array[:1]).all():
        return stacked(node, [picked(node, table, 0, positions.array[0])], 0)
    return taken(node, table, 0, positions)


def turned(node, x, angles, interleaved: bool):
    """Heads [batch, h, s, d], of which the first elements of each are turned by angles, their cosines and their sines
    [batch or 1, s, r / 2]."""
    cos, sin = angles
    length, size = x.type.shape[2:]
    width = 2 * cos.type.shape[-1]
    first = sliced(node, x, {3: (0, width)})
    if cos.type.elements == length * width // 2:
        flat = [reshaped(node, row, (length, width // 2)) for row in (cos, sin)]
        found = node.call("rope", first, *flat, interleaved=interleaved)
    else:
        one, other = (reshaped(node, row, (row.type.shape[0], 1, *row.type.shape[1:])) for row in (cos, sin))
        found = _by_hand(node, first, one, other, interleaved)
    return joined(node, [found, sliced(node, x, {3: (width, size)})], 3) if width < size else found


def _by_hand(node, x, cos, sin, interleaved: bool):
    """Where the angles differ from row to row of the batch."""
    *front, size = x.type.shape
    half = size // 2
    if interleaved:
        pairs = reshaped(node, x, (*front, half, 2))
        u, v = (reshaped(node, sliced(node, pairs, {4: (i, i + 1)}), (*front, half)) for i in range(2))
    else:
        u, v = cut(node, x, 3, [half, half])
    mul = partial(node.call, "mul")
    one, other = node.call("sub", mul(u, cos), mul(v, sin)), node.call("add", mul(u, sin), mul(v, cos))
    if interleaved:
        return reshaped(node, stacked(node, [one, other], 4), x.type.shape)
    return joined(node, [one, other], 3)


@operator("Attention")
def attention(node, q, k, v, mask=None, past_k=None, past_v=None, ends=None):
    """What the language's attention has room for; the rest is by ONNX's body."""
    windows = any(node.attribute(f"{side}_window_size", -1) >= 0 for side in ("left", "right"))
    if ends is not None or windows or node.attribute("softcap", 0.0) or any(node.proto.output[3:]):
        raise Unsupported("ends, windows, bounds of scores, or scores as results")
    if bits(node.value(q).type.dtype) <= 16:
        raise Unsupported("floats of 16 bits, which ONNX rounds at each step")
    rows = node.value(q).type.rank == 3
    counts = [node.attribute(f"{name}_num_heads") for name in ("q", "kv", "kv")]
    q, k, v = (heads_of(node, x, n) if rows else node.value(x) for x, n in zip((q, k, v), counts))
    before = 0
    if past_k is not None:
        before = node.value(past_k).type.shape[2]
        k, v = joined(node, [past_k, k], 2), joined(node, [past_v, v], 2)
    length, keys = q.type.shape[2], k.type.shape[2]
    seen, terms, causal = None, [], bool(node.attribute("is_causal", 0))
    if mask is not None and node.value(mask).type.shape[-1] != keys:
        raise Unsupported("a mask of fewer keys than there are")
    if mask is not None and node.dtype(mask) == "pred":
        seen = node.value(mask)
    elif mask is not None:
        terms = [mask]
    if causal and keys - length != before:  # queries see what was before them, from the first key on
        node.room(length, keys)
        own, causal = np.tri(length, keys, before, dtype=bool), False
        seen = own if seen is None else node.call("logical_and", seen, own)
    found = attended(node, q, k, v, seen=seen, causal=causal, terms=terms)
    return [side_by_side(node, found) if rows else found, k, v]


@operator("RotaryEmbedding")
@in_f32
def rotary(node, x, cos, sin, positions=None):
    heads = rotated(node, x, cos)
    rows = [node.value(t) if positions is None else rows_at(node, t, node.cast(positions, "s32")) for t in (cos, sin)]
    found = turned(node, heads, rows, bool(node.attribute("interleaved", 0)))
    return found if node.value(x).type.rank == 4 else side_by_side(node, found)
