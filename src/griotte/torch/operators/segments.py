"""Rows joined in segments that follow one another: bags of embeddings, reductions of segments, repeated places."""

from __future__ import annotations

from math import nan, prod
from typing import Any, NamedTuple

import numpy as np

from ...readers.operators.array import call, maximum, sliced, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.indexing import take
from ...readers.operators.kinds import in_f32
from ...readers.operators.reducing import cumsum
from ...readers.operators.segments import NONE_OF, in_segments, segments_ended
from ...readers.tables import OperatorTable
from .declaring import BY_VALUES

HOW = {"sum": "add", "mean": "add", "prod": "mul", "max": "max", "min": "min"}


class BagRows(NamedTuple):
    """Rows, and where each bag of them begins."""

    indices: Any
    offsets: Any


class SegmentsTold(NamedTuple):
    """Segments by their lengths, by the segment of each element, or by where they begin and end."""

    lengths: Any
    indices: Any
    offsets: Any


@in_f32
def embedding_bag(node, weight, bags: BagRows, mode, per_sample_weights, padding_idx):
    """The rows of each bag, but for those that do not count; a bag without rows is 0."""
    node.only(0)
    indices, offsets = bags
    how, counted = ("sum", "mean", "max")[mode], indices != padding_idx if padding_idx >= 0 else None
    rows = take(weight, indices)
    size, count = rows.shape[0], node.shape[0]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape((size, 1))
    if counted is not None:
        counted = counted.reshape((size, 1))
        rows = where(counted, rows, rows.number(NONE_OF[HOW[how]]))
    join = _joiner(offsets, size, count)
    found = join(rows, HOW[how])
    if how == "sum":
        return found
    ones = rows.of(np.ones((size, 1), rows.numpy))
    terms = join(ones if counted is None else counted.astype(rows.dtype), "add")
    if how == "mean":
        return found / maximum(terms, 1)
    return where(terms == 0, found.number(0), found)


def _joiner(offsets, size: int, count: int):
    """What joins rows in bags: bags of one length are an axis."""
    known = None if not offsets.is_known else np.asarray(offsets)[:count]
    if known is not None and size % count == 0 and np.array_equal(known, np.arange(count) * (size // count)):
        calls = {"add": "sum", "max": "max"}
        return lambda rows, how: call(calls[how], rows.reshape((count, size // count, *rows.shape[1:])), axis=1)
    segment: Any = np.zeros(size, np.int32)
    if count > 1:
        starts = offsets.of(known[1:]) if known is not None else sliced(offsets, {0: (1, count)})
        segment = segments_ended(starts, size)
    return lambda rows, how: in_segments(rows, segment, count, how)


@in_f32
def segment_reduce(node, data, reduce, segments: SegmentsTold, axis, initial):
    """What lies in no segment is put into one more, which is cut off; the mean of none is what it begins with, or no
    number."""
    lengths, _, offsets = segments
    if lengths is None and offsets is None:
        raise Unsupported("segments by indices")
    front, size, inner = data.shape[:axis], data.shape[axis], data.shape[axis + 1 :]
    count, lines = node.shape[axis], prod(front)
    if lengths is not None:
        segment = segments_ended(cumsum(lengths.astype("s32"), axis), size)
    else:
        first, ends = (sliced(offsets, {axis: part}) for part in ((0, count), (1, count + 1)))
        lengths, segment = ends - first, segments_ended(ends, size)
        has_begun = sliced(first, {axis: (0, 1)}) <= np.arange(size, dtype=np.int64)
        segment = where(has_begun, segment, count)
    line = np.arange(lines, dtype=np.int32).reshape(*front, 1) * np.int32(count + 1)
    segment = (segment.broadcast_to((*front, size)) + line).ravel()
    rows, first_of = data.reshape((lines * size, *inner)), None if initial is None else float(initial)
    found = in_segments(rows, segment, lines * (count + 1), HOW[reduce], first_of)
    found = sliced(found.reshape((*front, count + 1, *inner)), {axis: (0, count)})
    if reduce != "mean":
        return found
    lengths = lengths.astype(data.dtype).reshape((*front, count, *[1] * len(inner)))
    mean = found / maximum(lengths, 1)
    return mean if initial is not None else where(lengths == 0, mean.number(nan), mean)


def repeated_places(node, repeats, output_size=None):
    """Each place so often as told, of a number in all that is told as well."""
    if output_size is None:
        raise Unsupported(f"{BY_VALUES}; tell output_size")
    return segments_ended(cumsum(repeats.astype("s32"), 0), node.shape[0])


OPERATORS: OperatorTable = (
    ("_embedding_bag_forward_only _embedding_bag", embedding_bag),
    ("segment_reduce", segment_reduce),
    ("repeat_interleave.Tensor", repeated_places),
)
