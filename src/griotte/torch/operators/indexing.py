"""Operators that read or write at indices."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...readers.operators.array import maximum, sliced, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.indexing import put_along_axis, put_at, put_rows, take, take_along_axis, take_at
from ...readers.operators.kinds import least_of, most_of, over_u8, placed
from ...readers.operators.moving import within
from ...readers.operators.reducing import cumsum
from ...readers.tables import OperatorTable
from .declaring import is_number

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


HOW = {"sum": "add", "mean": "add", "add": "add", "prod": "mul", "multiply": "mul", "amax": "max", "amin": "min"}
NOTHING = {"add": lambda dtype: 0, "mul": lambda dtype: 1, "max": least_of, "min": most_of}
"""That which joined with anything is that, by dtype."""


@over_u8
def scatter(x, dim, index, src, reduce="set", include_self=True):
    """What of x stands at an index along an axis, joined with a part; without its own, or the means of all of it."""
    shape, how = x.shape, HOW.get(reduce, reduce)
    x, index = with_an_axis(x), with_an_axis(index)
    axis, sizes = placed(dim, x.ndim), index.shape
    every = lambda number, shape: x.of(np.full(shape, number, x.numpy))
    if is_number(src):
        x.room(*sizes)
        src = every(src, sizes)
    part = sliced(with_an_axis(src), {a: (0, n) for a, n in enumerate(sizes)})
    if not include_self:
        x.room(*sizes)
        x = put_along_axis(x, index, every(NOTHING[how](x.dtype), sizes), axis)
    found = put_along_axis(x, index, part, axis, how)
    if reduce == "mean":
        x.room(*sizes, *x.shape)
        count = put_along_axis(every(int(include_self), x.shape), index, every(1, sizes), axis, "add")
        found = found / maximum(count, 1)
    return found.reshape(shape)


def index_reduce(x, dim, index, source, reduce, include_self=True):
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
def put(x, index, source, accumulate=False):
    """Elements of x at places among all of them; of no places it is x."""
    if 0 in index.shape:
        return x
    at = x.of(within(index, x.size).reshape((-1 if index.is_known else index.size, 1)))
    return put_rows(x.ravel(), at, source.ravel(), "add" if accumulate else "set").reshape(x.shape)


def index_put(x, indices, values, accumulate=False):
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
)
