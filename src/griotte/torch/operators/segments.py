"""Rows joined in segments that follow one another: bags of embeddings, reductions of segments, repeated places."""

from __future__ import annotations

from math import inf, nan, prod

import numpy as np

from ...operators.array import call, data, maximum, sliced, where
from ...operators.calls import Unsupported
from ...operators.indexing import put_rows, take
from ...operators.kinds import in_f32
from ...operators.reducing import cumsum
from ...readers.tables import OperatorTable
from .declaring import BY_VALUES

HOW = {"sum": "add", "mean": "add", "prod": "mul", "max": "max", "min": "min"}
NONE_OF = {"add": 0.0, "mul": 1.0, "max": -inf, "min": inf}
"""What joined with anything is that."""


def before(node, ends, size: int):
    """Of so many rows in each line of `ends` how many segments have ended: [.., segments] to [.., rows]."""
    rows = np.arange(size, dtype=np.int32)
    if ends.is_known:
        node.room(*ends.shape, size)
        return ends.of((np.asarray(ends)[..., None, :] <= rows[:, None]).sum(-1).astype(np.int32))
    ends = ends.astype("s32")
    wide = ends.reshape((*ends.shape[:-1], 1, ends.shape[-1]))
    has_ended = wide <= rows[:, None]
    return has_ended.astype("s32").sum(axis=has_ended.ndim - 1)


def in_segments(node, rows, segment, count: int, how: str, first: float):
    """[rows, inner] to [count, inner]: the rows of each segment, joined with a number."""
    inner = rows.shape[1:]
    rows.room(count, *inner)
    into = np.full((count, *inner), first, rows.numpy)
    at = rows.of(data(rows.of(segment).reshape((rows.shape[0], 1))))
    return put_rows(rows.of(into), at, rows, how)


def embedding_bag(
    node,
    weight,
    indices,
    offsets,
    scale_grad_by_freq=False,
    mode=0,
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=-1,
):
    node.only(0)
    counted = indices != padding_idx if padding_idx >= 0 else None
    return [in_f32(_bags)(node, weight, per_sample_weights, indices, offsets, ("sum", "mean", "max")[mode], counted)]


def _bags(node, weight, shares, indices, offsets, how: str, counted):
    """The rows of each bag, but for those that do not count; a bag without rows is 0."""
    rows = take(weight, indices)
    size, count = rows.shape[0], node.shape[0]
    if shares is not None:
        rows = rows * shares.reshape((size, 1))
    none = NONE_OF[HOW[how]]
    if counted is not None:
        counted = counted.reshape((size, 1))
        rows = where(counted, rows, rows.number(none))
    join = _joiner(node, offsets, size, count)
    found = join(rows, HOW[how])
    if how == "sum":
        return found
    ones = rows.of(np.ones((size, 1), rows.numpy))
    terms = join(ones if counted is None else counted.astype(rows.dtype), "add")
    if how == "mean":
        return found / maximum(terms, 1)
    return where(terms == 0, found.number(0), found)


def _joiner(node, offsets, size: int, count: int):
    """What joins rows in bags: bags of one length are an axis."""
    known = None if not offsets.is_known else np.asarray(offsets)[:count]
    if known is not None and size % count == 0 and np.array_equal(known, np.arange(count) * (size // count)):
        calls = {"add": "sum", "max": "max"}
        return lambda rows, how: call(calls[how], rows.reshape((count, size // count, *rows.shape[1:])), axis=1)
    starts = offsets.of(known[1:]) if known is not None else count > 1 and sliced(offsets, {0: (1, count)})
    segment = before(node, starts, size) if count > 1 else np.zeros(size, np.int32)
    return lambda rows, how: in_segments(node, rows, segment, count, how, NONE_OF[how])


def segment_reduce(node, data, reduce, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    """What lies in no segment is put into one more, which is cut off; the mean of none is what it begins with, or no
    number."""
    if lengths is None and offsets is None:
        raise Unsupported("segments by indices")
    return in_f32(_reduced)(node, data, reduce, lengths, offsets, axis, initial)


def _reduced(node, data, reduce: str, lengths, offsets, axis: int, initial):
    front, size, inner = data.shape[:axis], data.shape[axis], data.shape[axis + 1 :]
    count, lines = node.shape[axis], prod(front)
    if lengths is not None:
        length = lengths
        ends = cumsum(length.astype("s32"), axis)
    else:
        first, ends = (sliced(offsets, {axis: part}) for part in ((0, count), (1, count + 1)))
        length = ends - first
    ended = before(node, ends, size)
    if lengths is None:  # what lies before the first segment
        begun = sliced(first, {axis: (0, 1)}) <= np.arange(size, dtype=np.int64)
        ended = where(begun, ended, count)
    line = np.arange(lines, dtype=np.int32).reshape(*front, 1) * np.int32(count + 1)
    segment = ended.broadcast_to((*front, size)) + line
    how = HOW[reduce]
    first_of = NONE_OF[how] if initial is None else float(initial)
    rows = data.reshape((lines * size, *inner))
    found = in_segments(node, rows, segment.ravel(), lines * (count + 1), how, first_of)
    found = sliced(found.reshape((*front, count + 1, *inner)), {axis: (0, count)})
    if reduce != "mean":
        return found
    length = length.astype(data.dtype).reshape((*front, count, *[1] * len(inner)))
    mean = found / maximum(length, 1)
    return mean if initial is not None else where(length == 0, mean.number(nan), mean)


def repeated_places(node, repeats, output_size=None):
    """Each place so often as told, of a number in all that is told as well."""
    if output_size is None:
        raise Unsupported(f"{BY_VALUES}; tell output_size")
    return before(node, cumsum(repeats.astype("s32"), 0), node.shape[0])


OPERATORS: OperatorTable = (
    ("_embedding_bag_forward_only _embedding_bag", embedding_bag),
    ("segment_reduce", segment_reduce),
    ("repeat_interleave.Tensor", repeated_places),
)
