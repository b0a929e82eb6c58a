"""Attention of heads that share keys, to a past of known size; angles of places."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ....readers.kinds import in_f32
from ....readers.moving import joined, padded, reshaped, sliced
from ....readers.node import Unsupported
from ..attention import attended, cut, heads_of, rotated, rows_at, side_by_side, turned
from ..declaring import MICROSOFT, operator
from ..indexing import laid

microsoft = partial(operator, domain=MICROSOFT)
LACKING = {
    "sliding_window_cache": "a past that forgets",
    "qk_output": "scores are asked for",
    "kv_cache_bit_width": "a past of few bits",
}


@microsoft("RotaryEmbedding")
@in_f32
def rotary(node, x, positions, cos, sin):
    if node.attribute("is_packed_batching", 0) or node.attribute("scale", 1.0) != 1:
        raise Unsupported("rows of several lengths, or a scale")
    heads = rotated(node, x, cos)
    at = node.cast(positions, "s32")
    if at.type.elements == 1:  # of the first row
        at = node.call("add", reshaped(node, at, (1, 1)), np.arange(heads.type.shape[2], dtype=np.int32)[None])
    rows = [rows_at(node, table, at) for table in (cos, sin)]
    found = turned(node, heads, rows, bool(node.attribute("interleaved", 0)))
    return found if node.value(x).type.rank == 4 else side_by_side(node, found)


class Cache:
    """How many keys there were before, of each row of the batch: one number, where the lengths of all are known to be
    what there is, or there were none; else the lengths tell."""

    def __init__(self, node, q, past, lengths, total):
        self.node, self.batch, self.new = node, q.type.shape[0], q.type.shape[2]
        self.total = int(np.asarray(node.known(total, "how many keys there are")).reshape(()))
        self.room = 0 if past is None else node.value(past).type.shape[2]
        if not self.new <= self.total <= self.new + self.room:
            raise Unsupported(f"{self.total} keys of which at most {self.room} are kept and {self.new} new")
        is_whole = not node.is_value(lengths) and bool(np.all(np.asarray(lengths) == self.total - 1))
        is_one = is_whole or self.total == self.new
        self.last: Any = None if is_whole else reshaped(node, node.cast(lengths, "s32"), (self.batch,))
        self.known = self.total - self.new if is_one else None  # of all rows; of a prompt it is 0
        self.before: Any = None if is_one else node.call("sub", self.last, self.new - 1)

    def positions(self):
        """Where the new rows stand: [batch or 1, s]."""
        steps = np.arange(self.new, dtype=np.int32)[None]
        if self.known is not None:
            return steps + np.int32(self.known)
        return self.node.call("add", reshaped(self.node, self.before, (self.batch, 1)), steps)

    def joined(self, past, new):
        """All rows that there are, and what is kept of them: as much as there was room for, or more where more is; 0
        beyond the end of a row of the batch."""
        node = self.node
        if past is None:
            return new, new
        if self.known is None:
            more = max(0, self.total - self.room)
            full = padded(node, past, (0,) * 4, (0, 0, more, 0))
            places = np.arange(self.room + more, dtype=np.int32)[:, None]
            is_kept = node.call("less_equal", places, reshaped(node, self.last, (self.batch, 1, 1, 1)))
            kept = node.call("where", is_kept, laid(node, full, new, self.before, 2), node.number(0, full))
            return sliced(node, kept, {2: (0, self.total)}), kept
        rows = joined(node, [sliced(node, past, {2: (0, self.known)}), new], 2)
        return rows, padded(node, rows, (0,) * 4, (0, 0, max(0, self.room - self.total), 0))

    def seen(self, causal: bool, window: int):
        """Where a query sees a key, and whether that is all that was before it."""
        node = self.node
        if window < 0 and self.known is not None and (causal or self.last is None):
            return None, causal
        node.room(self.new, self.total)
        keys = np.arange(self.total, dtype=np.int32)
        own = self.positions()
        own = reshaped(node, own, (*node.value(own).type.shape[:1], 1, self.new, 1))
        last = np.int32(self.total - 1) if self.last is None else reshaped(node, self.last, (self.batch, 1, 1, 1))
        ends = own if causal else last
        found = node.call("less_equal", keys, ends)
        if window >= 0:
            found = node.call("logical_and", found, node.call("greater", keys, node.call("sub", own, window)))
        return found, False


@microsoft("GroupQueryAttention")
@in_f32
def grouped(
    node,
    q,
    k=None,
    v=None,
    past_k=None,
    past_v=None,
    lengths=None,
    total=None,
    cos=None,
    sin=None,
    positions=None,
    more=None,
    sink=None,
    k_scale=None,
    v_scale=None,
    q_gain=None,
    k_gain=None,
    chunks=None,
):
    """Of heads of q that share heads of k and v, with what is kept of the past."""
    for name, why in LACKING.items():
        if node.attribute(name, 0):
            raise Unsupported(why)
    if k_scale is not None or v_scale is not None or chunks is not None:
        raise Unsupported("a past of few bits" if chunks is None else "rows of several lengths")
    count, shared = node.attribute("num_heads"), node.attribute("kv_num_heads")
    if k is None:
        size = node.value(q).type.shape[-1] // (count + 2 * shared)
        q, k, v = cut(node, node.value(q), 2, [count * size, shared * size, shared * size])
    q, k, v = heads_of(node, q, count), heads_of(node, k, shared), heads_of(node, v, shared)
    if q_gain is not None:
        epsilon = node.attribute("qk_norm_epsilon", 1e-6)
        q = node.call("rms_norm", q, q_gain, epsilon=node.attribute("q_norm_epsilon", epsilon))
        k = node.call("rms_norm", k, k_gain, epsilon=node.attribute("k_norm_epsilon", epsilon))
    cache = Cache(node, q, past_k, lengths, total)
    if node.attribute("do_rotary", 0):
        at = cache.positions() if positions is None else node.cast(positions, "s32")
        angles = [rows_at(node, table, at) for table in (cos, sin)]
        q, k = (turned(node, x, angles, bool(node.attribute("rotary_interleaved", 0))) for x in (q, k))
    (k, kept_k), (v, kept_v) = cache.joined(past_k, k), cache.joined(past_v, v)
    seen, causal = cache.seen(bool(node.attribute("causal", 1)), node.attribute("local_window_size", -1))
    if node.attribute("smooth_softmax", -1) == 1 and sink is None:
        sink = np.zeros(count, np.float32)
    found = attended(
        node,
        q,
        k,
        v,
        seen=seen,
        causal=causal,
        terms=[] if more is None else [more],
        softcap=node.attribute("softcap", 0.0),
        sink=sink,
    )
    return [side_by_side(node, found), kept_k, kept_v]
