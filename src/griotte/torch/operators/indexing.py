"""Operators that read or write at indices, and that join rows in segments: bags of embeddings, reductions of segments,
repeated places."""

from __future__ import annotations

from functools import partial
from math import nan, prod
from typing import Any

import numpy as np

from ...readers.operators.array import call, maximum, sliced, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.indexing import put_along_axis, put_at, put_rows, take, take_along_axis, take_at
from ...readers.operators.kinds import NEUTRAL, in_f32, over_u8, placed
from ...readers.operators.moving import within
from ...readers.operators.reducing import cumsum, in_segments, segments_ended
from ...readers.tables import OperatorTable
from .declaring import BY_VALUES, is_number

MASK = "a mask: how much it {} depends on the values that it reads"


def with_an_axis(x):
    """x as a tensor with an axis, as one element of a scalar: scalars are read and written so."""
    return x if x.shape else x.reshape((1,))


def gather(node, x, dim, index):
    x, index = with_an_axis(x), with_an_axis(index)
    return take_along_axis(x, index, placed(dim, x.ndim)).reshape(node.shape)


def index(x, indices):
    if any(each is not None and each.dtype == "pred" for each in indices):
        raise Unsupported(MASK.format("gives"))
    return take_at(x, indices)


JOINS = {"sum": "add", "mean": "add", "prod": "mul", "multiply": "mul", "amax": "max", "amin": "min"}
"""How elements are joined, where torch has another word for it than the language."""


def join_of(reduce: str) -> str:
    return JOINS.get(reduce, reduce)


@over_u8
def scatter(x, dim, index, src, reduce="set", include_self=True):
    """What of x stands at an index along an axis, joined with a part; without its own, or the means of all of it."""
    shape, how = x.shape, join_of(reduce)
    x, index = with_an_axis(x), with_an_axis(index)
    axis, sizes = placed(dim, x.ndim), index.shape
    every = lambda number, shape: x.of(np.full(shape, number, x.numpy))
    if is_number(src):
        x.reserve(*sizes)
        src = every(src, sizes)
    part = sliced(with_an_axis(src), {a: (0, n) for a, n in enumerate(sizes)})
    if not include_self:
        x.reserve(*sizes)
        x = put_along_axis(x, index, every(NEUTRAL[how](x.dtype), sizes), axis)
    result = put_along_axis(x, index, part, axis, how)
    if reduce == "mean":
        x.reserve(*sizes, *x.shape)
        count = put_along_axis(every(int(include_self), x.shape), index, every(1, sizes), axis, "add")
        result = result / maximum(count, 1)
    return result.reshape(shape)


def index_reduce(x, dim, index, source, reduce, include_self):
    """Slices of a source, joined with those of x that an index has along an axis."""
    index, source = with_an_axis(index), with_an_axis(source)
    sizes = source.shape
    row = [n if a == placed(dim, len(sizes)) else 1 for a, n in enumerate(sizes)]
    if index.is_known:
        index = x.of(np.broadcast_to(np.reshape(index, row), sizes).copy())
    else:
        index = index.reshape(row).broadcast_to(sizes)
    return scatter(x, dim, index, source, reduce, include_self)


@over_u8
def put(x, index, source, accumulate):
    """Elements of x at places among all of them; of no places it is x."""
    if 0 in index.shape:
        return x
    at = x.of(within(index, x.size).reshape((-1 if index.is_known else index.size, 1)))
    return put_rows(x.ravel(), at, source.ravel(), "add" if accumulate else "set").reshape(x.shape)


def index_put(x, indices, values, accumulate):
    if not any(each is not None and each.dtype == "pred" for each in indices):
        return put_at(x, indices, values, "add" if accumulate else "set")
    chosen = [each for each in indices if each is not None]
    if len(chosen) > 1 or values.size > 1:
        raise Unsupported(MASK.format("writes"))
    mask = chosen[0].reshape((*chosen[0].shape, *[1] * (x.ndim - chosen[0].ndim)))
    return over_u8(lambda value, into: where(mask, value, into))(values.reshape(()), x)


def put_along(x, dim, index, source, alpha=1, accumulate=False):
    """Slices of a source, or a number, at those of x that an index has along an axis."""
    shape, x, index = x.shape, with_an_axis(x), with_an_axis(index)
    source = x.number(source) if is_number(source) else source.astype(x.dtype)
    source = source * alpha if alpha != 1 else source
    return index_put(x, [*[None] * placed(dim, x.ndim), index], source, accumulate).reshape(shape)


def masked_scatter(node, x, mask, source):
    """Where a mask holds the elements of a source, one after the other."""
    mask = mask.broadcast_to(node.shape)
    at = maximum(cumsum(mask.ravel().astype("s32"), 0) - 1, 0)
    within_mask = lambda given, into: where(mask, given.ravel().take(at, 0).reshape(node.shape), into)
    return over_u8(within_mask)(source, x)


@in_f32
def embedding_bag(node, weight, indices, offsets, *weights, mode, padding_idx):
    """The rows of each bag, but for those that do not count; a bag without rows is 0."""
    node.only(0)
    (per_sample_weights,), how = weights, ("sum", "mean", "max")[mode]
    counted = indices != padding_idx if padding_idx >= 0 else None
    rows = take(weight, indices)
    size, count = rows.shape[0], node.shape[0]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape((size, 1))
    if counted is not None:
        counted = counted.reshape((size, 1))
        rows = where(counted, rows, rows.number(NEUTRAL[join_of(how)](rows.dtype)))
    join = _joiner(offsets, size, count)
    result = join(rows, join_of(how))
    if how == "sum":
        return result
    ones = rows.of(np.ones((size, 1), rows.numpy))
    terms = join(ones if counted is None else counted.astype(rows.dtype), "add")
    if how == "mean":
        return result / maximum(terms, 1)
    return where(terms == 0, result.number(0), result)


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
def segment_reduce(node, data, reduce, *segments, axis, initial):
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
    result = in_segments(rows, segment, lines * (count + 1), join_of(reduce), first_of)
    result = sliced(result.reshape((*front, count + 1, *inner)), {axis: (0, count)})
    if reduce != "mean":
        return result
    lengths = lengths.astype(data.dtype).reshape((*front, count, *[1] * len(inner)))
    mean = result / maximum(lengths, 1)
    return mean if initial is not None else where(lengths == 0, mean.number(nan), mean)


def repeated_places(node, repeats, output_size):
    """Each place as often as `repeats` says; `output_size` is how many there are in all."""
    if output_size is None:
        raise Unsupported(f"{BY_VALUES}; tell output_size")
    return segments_ended(cumsum(repeats.astype("s32"), 0), node.shape[0])


OPERATORS: OperatorTable = (
    ("gather", gather),
    ("masked_scatter", masked_scatter),
    ("embedding", take),
    ("index_select", lambda x, dim, index: take(x, index, placed(dim, x.ndim)) if x.shape else x),
    ("index.Tensor", index),
    ("scatter.src scatter.value scatter.reduce scatter.value_reduce scatter_reduce.two", scatter),
    ("scatter_add", partial(scatter, reduce="add")),
    ("index_reduce", index_reduce),
    ("index_put", index_put),
    ("index_add", partial(put_along, accumulate=True)),
    ("index_copy index_fill.int_Scalar index_fill.int_Tensor", put_along),
    ("put", put),
    ("_embedding_bag_forward_only _embedding_bag", embedding_bag),
    ("segment_reduce", segment_reduce),
    ("repeat_interleave.Tensor", repeated_places),
)
