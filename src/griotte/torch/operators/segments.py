"""Rows joined in segments that follow one another: bags of embeddings, reductions of segments, repeated places."""

from __future__ import annotations

from math import inf, nan, prod

import numpy as np

from ...readers.moving import broadcast, flat, reshaped, sliced
from .declaring import BY_VALUES, Unsupported, in_f32, operator

HOW = {"sum": "add", "mean": "add", "prod": "mul", "max": "max", "min": "min"}
NONE_OF = {"add": 0.0, "mul": 1.0, "max": -inf, "min": inf}
"""What joined with anything is that."""


def before(node, ends, size: int):
    """Of so many rows in each line of `ends` how many segments have ended: [.., segments] to [.., rows]."""
    rows = np.arange(size, dtype=np.int32)
    if not node.is_value(ends):
        node.room(*ends.shape, size)
        return (np.asarray(ends)[..., None, :] <= rows[:, None]).sum(-1).astype(np.int32)
    ends = node.cast(ends, "s32")
    wide = reshaped(node, ends, (*ends.type.shape[:-1], 1, ends.type.shape[-1]))
    has_ended = node.call("less_equal", wide, rows[:, None])
    return node.call("sum", node.cast(has_ended, "s32"), axis=has_ended.type.rank - 1)


def in_segments(node, rows, segment, count: int, how: str, first: float):
    """[rows, inner] to [count, inner]: the rows of each segment, joined with a number."""
    rows = node.value(rows)
    inner = rows.type.shape[1:]
    node.room(count, *inner)
    into = np.full((count, *inner), first, node.numpy(rows.type.dtype))
    at = reshaped(node, segment, (rows.type.shape[0], 1))
    return node.as_onnx("ScatterND", into, at if at.array is None else at.array, rows, reduction=how)


@operator("_embedding_bag_forward_only", "_embedding_bag")
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
    counted = node.call("not_equal", indices, padding_idx) if padding_idx >= 0 else None
    return [in_f32(_bags)(node, weight, per_sample_weights, indices, offsets, ("sum", "mean", "max")[mode], counted)]


def _bags(node, weight, shares, indices, offsets, how: str, counted):
    """The rows of each bag, but for those that do not count; a bag without rows is 0."""
    rows = node.as_onnx("Gather", weight, indices, axis=0)
    size, count = rows.type.shape[0], node.shape[0]
    if shares is not None:
        rows = node.call("mul", rows, reshaped(node, shares, (size, 1)))
    none = NONE_OF[HOW[how]]
    if counted is not None:
        counted = reshaped(node, counted, (size, 1))
        rows = node.call("where", counted, rows, node.number(none, rows))
    join = _joiner(node, offsets, size, count)
    found = join(rows, HOW[how])
    if how == "sum":
        return found
    ones = np.ones((size, 1), node.numpy(rows.type.dtype))
    terms = join(ones if counted is None else node.cast(counted, rows.type.dtype), "add")
    if how == "mean":
        return node.call("div", found, node.call("maximum", terms, 1))
    return node.call("where", node.call("equal", terms, 0), node.number(0, found), found)


def _joiner(node, offsets, size: int, count: int):
    """What joins rows in bags: bags of one length are an axis."""
    known = None if node.is_value(offsets) else np.asarray(offsets)[:count]
    if known is not None and size % count == 0 and np.array_equal(known, np.arange(count) * (size // count)):
        calls = {"add": "sum", "max": "max"}
        return lambda rows, how: node.call(
            calls[how], reshaped(node, rows, (count, size // count, *node.sizes(rows)[1:])), axis=1
        )
    starts = known[1:] if known is not None else count > 1 and sliced(node, offsets, {0: (1, count)})
    segment = before(node, starts, size) if count > 1 else np.zeros(size, np.int32)
    return lambda rows, how: in_segments(node, rows, segment, count, how, NONE_OF[how])


@operator("segment_reduce")
def segment_reduce(node, data, reduce, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    """What lies in no segment is put into one more, which is cut off; the mean of none is what it begins with, or no
    number."""
    if lengths is None and offsets is None:
        raise Unsupported("segments by indices")
    return in_f32(_reduced)(node, data, reduce, lengths, offsets, axis, initial)


def _reduced(node, data, reduce: str, lengths, offsets, axis: int, initial):
    data = node.value(data)
    front, size, inner = data.type.shape[:axis], data.type.shape[axis], data.type.shape[axis + 1 :]
    count, lines = node.shape[axis], prod(front)
    if lengths is not None:
        length = node.value(lengths)
        ends = node.as_onnx("CumSum", node.cast(length, "s32"), np.array(axis))
    else:
        first, ends = (sliced(node, offsets, {axis: part}) for part in ((0, count), (1, count + 1)))
        length = node.call("sub", ends, first)
    ended = before(node, ends if node.is_value(ends) else ends.array, size)
    if lengths is None:  # what lies before the first segment
        begun = node.call("less_equal", sliced(node, first, {axis: (0, 1)}), np.arange(size, dtype=np.int64))
        ended = node.call("where", begun, ended, count)
    line = np.arange(lines, dtype=np.int32).reshape(*front, 1) * np.int32(count + 1)
    segment = node.call("add", node.value(broadcast(node, ended, (*front, size))), line)
    how = HOW[reduce]
    first_of = NONE_OF[how] if initial is None else float(initial)
    rows = reshaped(node, data, (lines * size, *inner))
    found = in_segments(node, rows, flat(node, segment), lines * (count + 1), how, first_of)
    found = sliced(node, reshaped(node, found, (*front, count + 1, *inner)), {axis: (0, count)})
    if reduce != "mean":
        return found
    length = reshaped(node, node.cast(length, data.type.dtype), (*front, count, *[1] * len(inner)))
    mean = node.call("div", found, node.call("maximum", length, 1))
    return (
        mean if initial is not None else node.call("where", node.call("equal", length, 0), node.number(nan, mean), mean)
    )


@operator("repeat_interleave.Tensor")
def repeated_places(node, repeats, output_size=None):
    """Each place so often as told, of a number in all that is told as well."""
    if output_size is None:
        raise Unsupported(f"{BY_VALUES}; tell output_size")
    return before(node, node.as_onnx("CumSum", node.cast(repeats, "s32"), np.array(0)), node.shape[0])
