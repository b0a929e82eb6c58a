"""Attention of several heads, its projections and what it keeps of the past."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....readers.operators.array import sliced, where
from ....readers.operators.attention import NO_PAST, Heads, Past, Scores, merge_heads, split_heads
from ....readers.operators.attention import attention as heads_attended
from ....readers.operators.calls import Unsupported
from ....readers.operators.kinds import in_f32
from ....readers.operators.moving import joined, split, stacked
from ....readers.operators.products import multiplied
from ....readers.operators.quantised import dequantized_sums, integer_product
from ....readers.tables import OperatorTable


class AttentionRows(NamedTuple):
    """Rows of queries, keys and values; what is left out stands side by side in the one before."""

    q: Any
    k: Any = None
    v: Any = None


class Projection(NamedTuple):
    """Rows, and what makes queries, keys and values of them."""

    x: Any
    weights: Any
    bias: Any = None


class ProjectionScales(NamedTuple):
    x_scale: Any
    w_scale: Any


class ProjectionZeros(NamedTuple):
    x_zero: Any = None
    w_zero: Any = None


class ScoreTerms(NamedTuple):
    """A mask, which tells what of keys is padding, and what is added to scores."""

    mask: Any = None
    more: Any = None


class PastBuffers(NamedTuple):
    """How much of a past that is written where it lies is filled, and the beams that it is of."""

    length: Any = None
    beams: Any = None


NO_TERMS, NO_ZEROS, NO_BUFFERS = ScoreTerms(), ProjectionZeros(), PastBuffers()


def with_padding(node, heads: Heads, given: ScoreTerms, past: int):
    """Attention of heads whose scores have a mask and terms."""
    (q, k, v), (mask, bias) = heads, given
    terms = [] if mask is None else [_padding(node, mask, q.shape[0], q.shape[2], k.shape[2], past)]
    terms += [] if bias is None else [bias]
    before = past if node.attribute("unidirectional", 0) else None  # from the first key on
    return heads_attended(q, k, v, Scores(node.attribute("scale") or None, before=before, terms=terms))


def _padding(node, mask, batch: int, length: int, keys: int, past: int):
    """What is added to scores of padding: a number below all that counts, as a mask in one of its forms tells."""
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
def attention(node, given: Projection, mask=None, past=None, more=None, length=None):
    """Of one x, projected."""
    _not_shared(node, length)
    found = multiplied(given.x, given.weights)
    return _of_projected(node, found if given.bias is None else found + given.bias, ScoreTerms(mask, more), past)


@in_f32
def of_integers(
    node, given: Projection, scales: ProjectionScales, mask=None, zeros: ProjectionZeros = NO_ZEROS, past=None
):
    """Of one x of integers, projected in floats."""
    _not_shared(node, None)
    sums = integer_product(given.x, given.weights, *zeros)
    return _of_projected(node, dequantized_sums(sums, *scales, given.bias), ScoreTerms(mask), past)


def _of_projected(node, projected, terms: ScoreTerms, past):
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
    found = merge_heads(with_padding(node, Heads(q, k, v), terms, before))
    return [found, stacked([k, v], 0)] if node.outputs > 1 else found


def _one(past, place: int):
    return sliced(past, {0: (place, place + 1)}).reshape(past.shape[1:])


@in_f32
def multi_head(
    node,
    rows: AttentionRows,
    bias=None,
    terms: ScoreTerms = NO_TERMS,
    past: Past = NO_PAST,
    buffers: PastBuffers = NO_BUFFERS,
):
    """Of q, k and v, which may stand side by side in one."""
    _not_shared(node, buffers.length)
    if buffers.beams is not None or len(node.proto.output) > 3 and node.proto.output[3]:
        raise Unsupported("the past of several beams" if buffers.beams is not None else "scores are asked for")
    count = node.attribute("num_heads")
    q, k, v = _apart(rows, bias, count)
    k, v = past.joined(k, v)
    return [merge_heads(with_padding(node, Heads(q, k, v), terms, past.length)), k, v]


def _apart(rows: AttentionRows, bias, count: int):
    """q, k and v as heads, each with its part of the bias."""
    q, k, v = rows
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
    ("com.microsoft.Attention", attention),
    ("com.microsoft.QAttention", of_integers),
    ("com.microsoft.MultiHeadAttention", multi_head),
)
