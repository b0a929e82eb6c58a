"""Attention of heads that share keys, to a past of known size; angles of places."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...readers.operators.array import call, integer, sliced, where
from ...readers.operators.attention import Scores, attention, merge_heads, rotary, rows_at, split_heads
from ...readers.operators.calls import Unsupported
from ...readers.operators.indexing import overwritten_at
from ...readers.operators.kinds import in_f32
from ...readers.operators.moving import joined, padded, split
from ...readers.tables import OperatorTable, inputs
from .attention import rotated

LACKING = {
    "sliding_window_cache": "a past that forgets",
    "qk_output": "scores are asked for",
    "kv_cache_bit_width": "a past of few bits",
}


@in_f32
def rotary_embedding(node, x, positions, cos, sin):
    if node.attribute("is_packed_batching", 0) or node.attribute("scale", 1.0) != 1:
        raise Unsupported("rows of several lengths, or a scale")
    at = positions.astype("s32")
    if at.size == 1:  # of the first row
        at = at.reshape((1, 1)) + np.arange(x.shape[-2], dtype=np.int32)[None]
    return rotated(node, x, *(rows_at(table, at) for table in (cos, sin)))


class Cache:
    """How many keys there were before, of each row of the batch. It is one number where the lengths of all are known to
    be `total`, or there were no keys before; else the lengths tell."""

    def __init__(self, node, q, past, lengths, total):
        self.node, self.batch, self.new = node, q.shape[0], q.shape[2]
        self.total = integer(total, "how many keys there are")
        self.capacity = 0 if past is None else past.shape[2]
        if not self.new <= self.total <= self.new + self.capacity:
            raise Unsupported(f"{self.total} keys of which at most {self.capacity} are kept and {self.new} new")
        is_whole = lengths.is_known and bool(np.all(np.asarray(lengths) == self.total - 1))
        is_one = is_whole or self.total == self.new
        self.last: Any = None if is_whole else lengths.astype("s32").reshape((self.batch,))
        self.known = self.total - self.new if is_one else None  # of all rows; of a prompt it is 0
        self.before: Any = None if is_one else self.last - (self.new - 1)

    def positions(self):
        """Where the new rows stand: [batch or 1, s]."""
        steps = np.arange(self.new, dtype=np.int32)[None]
        if self.known is not None:
            return steps + np.int32(self.known)
        return self.before.reshape((self.batch, 1)) + steps

    def joined(self, past, new):
        """All rows that there are, and the rows of the new cache. These are as many as the old cache had room for,
        or all rows where they are more; 0 beyond the end of a row of the batch."""
        if past is None:
            return new, new
        if self.known is None:
            more = max(0, self.total - self.capacity)
            full = padded(past, (0,) * 4, (0, 0, more, 0))
            places = np.arange(self.capacity + more, dtype=np.int32)[:, None]
            is_kept = places <= self.last.reshape((self.batch, 1, 1, 1))
            kept = where(is_kept, overwritten_at(full, new, self.before, 2), full.number(0))
            return sliced(kept, {2: (0, self.total)}), kept
        rows = joined([sliced(past, {2: (0, self.known)}), new], 2)
        return rows, padded(rows, (0,) * 4, (0, 0, max(0, self.capacity - self.total), 0))

    def seen(self, causal: bool, window: int):
        """Where a query sees a key, and whether that is all that was before it."""
        if window < 0 and self.known is not None and (causal or self.last is None):
            return None, causal
        self.node.reserve(self.new, self.total)
        keys = np.arange(self.total, dtype=np.int32)
        own = self.positions()
        own = own.reshape((*own.shape[:1], 1, self.new, 1))
        last = np.int32(self.total - 1) if self.last is None else self.last.reshape((self.batch, 1, 1, 1))
        ends = own if causal else last
        found = keys <= ends
        if window >= 0:
            found = found & (keys > own - window)
        return found, False


@in_f32
def grouped(node, q, *others):
    """Grouped-query attention: heads of q share heads of k and v; past keys and values are cached."""
    k, v, past_k, past_v, lengths, total, *rest = inputs(others, 0, 16)
    cos, sin, positions, more, sink, k_scale, v_scale, q_gain, k_gain, chunks = rest
    for name, why in LACKING.items():
        if node.attribute(name, 0):
            raise Unsupported(why)
    if any(each is not None for each in (k_scale, v_scale, chunks)):
        raise Unsupported("a past of few bits" if chunks is None else "rows of several lengths")
    count, shared = node.attribute("num_heads"), node.attribute("kv_num_heads")
    if k is None:
        size = q.shape[-1] // (count + 2 * shared)
        q, k, v = split(q, [count * size, shared * size, shared * size], 2)
    q, k, v = split_heads(q, count), split_heads(k, shared), split_heads(v, shared)
    if q_gain is not None:
        epsilon = node.attribute("qk_norm_epsilon", 1e-6)
        q = call("rms_norm", q, q_gain, epsilon=node.attribute("q_norm_epsilon", epsilon))
        k = call("rms_norm", k, k_gain, epsilon=node.attribute("k_norm_epsilon", epsilon))
    cache = Cache(node, q, past_k, lengths, total)
    if node.attribute("do_rotary", 0):
        at = q.of(cache.positions()) if positions is None else positions.astype("s32")
        cos, sin = (rows_at(table, at) for table in (cos, sin))
        q, k = (rotary(x, cos, sin, bool(node.attribute("rotary_interleaved", 0))) for x in (q, k))
    (k, kept_k), (v, kept_v) = cache.joined(past_k, k), cache.joined(past_v, v)
    seen, causal = cache.seen(bool(node.attribute("causal", 1)), node.attribute("local_window_size", -1))
    if node.attribute("smooth_softmax", -1) == 1 and sink is None:
        sink = q.of(np.zeros(count, np.float32))
    before = k.shape[2] - q.shape[2] if causal else None
    terms, softcap = [] if more is None else [more], node.attribute("softcap", 0.0)
    found = attention(q, k, v, Scores(node.attribute("scale") or None, seen, before, terms, softcap, sink))
    return [merge_heads(found), kept_k, kept_v]


OPERATORS: OperatorTable = (
    ("com.microsoft.RotaryEmbedding", rotary_embedding),
    ("com.microsoft.GroupQueryAttention", grouped),
)
