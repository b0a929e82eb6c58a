"""Attention of several heads [batch, h, s, d], and the angles of places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from .array import Array, call, sliced, tanh, where
from .kinds import in_f32
from .moving import joined, picked, split, stacked
from .products import multiplied


@dataclass(frozen=True)
class Scores:
    """What becomes of products of queries and keys before they are shares.

    Attributes:
        scale: they are times this; where left out times 1 / sqrt(d).
        seen: where a key may count for a query.
        before: keys before the first query, which sees these and itself; all see all where left out.
        terms: numbers that are added.
        softcap: a bound, which tanh keeps.
        sink: a score for each head that nothing is behind.
    """

    scale: float | None = None
    seen: Any = None
    before: int | None = None
    terms: Sequence[Any] = ()
    softcap: float = 0.0
    sink: Array | None = None


def length_of(past: Array | None) -> int:
    """How many keys [batch, heads, t, d] there are of earlier steps."""
    return 0 if past is None else past.shape[2]


def with_past(past_k: Array | None, past_v: Any, k: Array, v: Array) -> tuple[Array, Array]:
    """Keys and values behind those of earlier steps."""
    return (k, v) if past_k is None else (joined([past_k, k], 2), joined([past_v, v], 2))


def split_heads(x: Array, count: int) -> Array:
    """[batch, s, heads d] as [batch, heads, s, d]."""
    batch, length, size = x.shape
    return x.reshape((batch, length, count, size // count)).transpose((0, 2, 1, 3))


def merge_heads(y: Array) -> Array:
    """Heads as they stand in rows: [batch, s, heads d]."""
    batch, count, length, size = y.shape
    return y.transpose((0, 2, 1, 3)).reshape((batch, length, count * size))


def attention(q: Array, k: Array, v: Array, how: Scores) -> Array:
    """Means of v by shares of softmax. Heads of q share those of k and v, where there are fewer."""
    queries, keys, seen = q.shape[-2], k.shape[-2], how.seen
    is_plain = not how.softcap and how.sink is None
    is_causal = is_plain and how.before == keys - queries
    if how.before is not None and not is_causal:
        q.reserve(queries, keys)
        own = q.of(np.tri(queries, keys, how.before, dtype=bool))
        seen = own if seen is None else seen & own
    mask = _mask(None if seen is None else q.of(seen), how.terms)
    scale = q.shape[-1] ** -0.5 if how.scale is None else how.scale
    if is_plain:
        more = {} if mask is None else {"mask": mask}
        return call("attention", q, k, v, causal=is_causal, scale=scale, **more)
    return _by_scores(q, k, v, scale, mask, how)


def _mask(seen: Array | None, terms: Sequence[Any]) -> Any:
    """The terms added to scores; or a condition that holds where they count."""
    if not terms:
        return seen
    total = reduce(add, terms)
    return total if seen is None else where(seen, total, np.float32(-np.inf))


def _by_scores(q: Array, k: Array, v: Array, scale: float, mask: Any, how: Scores) -> Array:
    """With what the language's attention has no room for."""
    batch, heads, length, size = q.shape
    shared, keys = k.shape[1], k.shape[2]
    rows = q.reshape((batch, shared, heads // shared * length, size))
    scores = multiplied(rows, k.transpose((0, 1, 3, 2))) * scale
    scores = scores.reshape((batch, heads, length, keys))
    if how.softcap:
        scores = tanh(scores / how.softcap) * how.softcap
    if mask is not None and mask.dtype == "pred":
        scores = where(mask, scores, np.float32(-np.inf))
    elif mask is not None:
        scores = scores + mask
    if how.sink is not None:
        column = how.sink.reshape((1, heads, 1, 1)).broadcast_to((batch, heads, length, 1))
        shares = call("softmax", call("concat", scores, column, axis=3), axis=3)
        shares = sliced(shares, {3: (0, keys)})
    else:
        shares = call("softmax", scores, axis=3)
    found = multiplied(shares.reshape((batch, shared, heads // shared * length, keys)), v)
    return found.reshape((batch, heads, length, v.shape[-1]))


def rows_at(table: Array, positions: Array) -> Array:
    """The rows of a table of these numbers, [batch or 1, s, ..]."""
    if positions.known is not None and (positions.known == positions.known[:1]).all():
        return stacked([picked(table, 0, positions.known[0])], 0)
    return table.take(positions, 0)


@in_f32
def rotary(x: Array, cos: Array, sin: Array, interleaved: bool = False) -> Array:
    """Heads whose first r elements are rotated by angles, given as cosines and sines [batch or 1, s, r / 2]."""
    length, size = x.shape[2:]
    width = 2 * cos.shape[-1]
    first = sliced(x, {3: (0, width)})
    if cos.size == length * width // 2:
        flat = [row.reshape((length, width // 2)) for row in (cos, sin)]
        found = call("rope", first, *flat, interleaved=interleaved)
    else:
        one, other = (row.reshape((row.shape[0], 1, *row.shape[1:])) for row in (cos, sin))
        found = _rotated(first, one, other, interleaved)
    return joined([found, sliced(x, {3: (width, size)})], 3) if width < size else found


def _rotated(x: Array, cos: Array, sin: Array, interleaved: bool) -> Array:
    """Where the angles differ from row to row of the batch."""
    *front, size = x.shape
    half = size // 2
    if interleaved:
        pairs = x.reshape((*front, half, 2))
        u, v = (sliced(pairs, {4: (i, i + 1)}).reshape((*front, half)) for i in range(2))
    else:
        u, v = split(x, [half, half], 3)
    one, other = u * cos - v * sin, u * sin + v * cos
    return stacked([one, other], 4).reshape(x.shape) if interleaved else joined([one, other], 3)
