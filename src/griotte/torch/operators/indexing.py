"""Operators that read or write at indices."""

from __future__ import annotations

from math import inf, prod

import numpy as np

from ...ir.dtypes import limits
from ...operators import indexing
from ...operators.array import Array, call, data, kind, maximum, where
from ...operators.calls import Unsupported
from ...operators.indexing import joined_places, put_along_axis, put_rows, take_along_axis
from ...operators.kinds import over_u8, placed
from ...operators.moving import picked, within
from ...operators.reducing import cumsum
from ...readers.tables import OperatorTable
from .declaring import is_number

MASK = "a mask: how much it {} depends on the values that it reads"


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return indexing.take(weight, indices)


def index_select(x, dim, index):
    return indexing.take(x, index, placed(dim, x.ndim)) if x.shape else x


def take(x, index):
    return indexing.take(x.ravel(), index)


def gather(node, x, dim, index, sparse_grad=False):
    """Scalars are taken as tensors of one element."""
    x, index = with_an_axis(x), with_an_axis(index)
    return take_along_axis(x, index, placed(dim, x.ndim)).reshape(node.shape)


def with_an_axis(x):
    """x as a tensor with an axis, as one element of a scalar."""
    return x if x.shape else x.reshape((1,))


def index(node, x, indices):
    """Axes that have indices are moved to the front, as one, and are taken there; what was taken goes to where the
    first of them was, if they are next to each other."""
    axes = [axis for axis, each in enumerate(indices) if each is not None]
    chosen = [indices[axis] for axis in axes]
    if any(each.dtype == "pred" for each in chosen):
        raise Unsupported(MASK.format("gives"))
    if len(axes) == 1:
        at = within(chosen[0], x.shape[axes[0]])
        return x.take(at, axes[0]) if isinstance(at, Array) else picked(x, axes[0], at).reshape(node.shape)
    rest = [a for a in range(x.ndim) if a not in axes]
    rows = x.transpose([*axes, *rest]).reshape((prod(x.shape[a] for a in axes), *(x.shape[a] for a in rest)))
    places = joined_places(chosen, [x.shape[a] for a in axes])
    found = rows.take(places, 0) if isinstance(places, Array) else picked(rows, 0, places)
    shape = places.shape
    found = found.reshape((*shape, *rows.shape[1:]))
    if axes != list(range(axes[0], axes[-1] + 1)) or not axes[0]:
        return found
    own, before = list(range(len(shape))), list(range(len(shape), len(shape) + axes[0]))
    return found.transpose([*before, *own, *range(len(shape) + axes[0], found.ndim)])


HOW = {"sum": "add", "mean": "add", "add": "add", "prod": "mul", "multiply": "mul", "amax": "max", "amin": "min"}


@over_u8
def scatter(node, x, dim, index, src, reduce="add", include_self=True):
    sizes = index.shape
    part = src
    if part.shape != sizes:
        part = call("slice", part, starts=(0,) * len(sizes), limits=sizes)
    x, index, part = (with_an_axis(each) for each in (x, index, part))
    how = "set" if node.operator == "scatter.src" else HOW[reduce]
    found = _written(x, dim, index, part, how, include_self, is_mean=reduce == "mean")
    return found.reshape(node.shape)


def _written(x, axis: int, index, part, how: str, with_own: bool = True, is_mean: bool = False):
    """What of x stands at an index along an axis, joined with a part; without its own, or the means of all of it."""
    axis, sizes = placed(axis, x.ndim), index.shape
    every = lambda number, shape: x.of(np.full(shape, number, x.numpy))
    if not with_own:
        x.room(*sizes)
        x = put_along_axis(x, index, every(_none_of(how, x.dtype), sizes), axis)
    found = put_along_axis(x, index, part, axis, how)
    if not is_mean:
        return found
    x.room(*sizes, *x.shape)
    count = put_along_axis(every(int(with_own), x.shape), index, every(1, sizes), axis, "add")
    return found / maximum(count, 1)


def _none_of(how: str, dtype: str):
    """That which joined with anything is that."""
    if how in ("add", "mul"):
        return int(how == "mul")
    if kind(dtype) == "float":
        return -inf if how == "max" else inf
    return limits(dtype)[0 if how == "max" else 1]


@over_u8
def index_reduce(node, x, dim, index, source, reduce, include_self=True):
    """Slices of a source, joined with those of x that an index has along an axis."""
    x, source, index = (with_an_axis(each) for each in (x, source, index))
    sizes = source.shape
    row = [n if a == placed(dim, len(sizes)) else 1 for a, n in enumerate(sizes)]
    if index.is_known:
        index = x.of(np.broadcast_to(np.reshape(index, row), sizes).copy())
    else:
        index = index.reshape(row).broadcast_to(sizes)
    found = _written(x, dim, index, source, HOW[reduce], include_self, is_mean=reduce == "mean")
    return found.reshape(node.shape)


@over_u8
def put(x, index, source, accumulate=False):
    """Elements of x at places among all of them; of no places it is x."""
    if 0 in index.shape:
        return x
    at = x.of(within(index, x.size).reshape((-1 if index.is_known else index.size, 1)))
    return put_rows(x.ravel(), at, source.ravel(), "add" if accumulate else "set").reshape(x.shape)


@over_u8
def scatter_value(node, x, dim, index, value, reduce=""):
    x, index = (with_an_axis(each) for each in (x, index))
    sizes = index.shape
    x.room(*sizes)
    part = x.of(np.full(sizes, value, x.numpy))
    return _written(x, dim, index, part, HOW[reduce] if reduce else "set").reshape(node.shape)


def index_put(node, x, indices, values, accumulate=False):
    """Rows of the axes that have indices, which are moved to the front, as one, and back."""
    axes = [axis for axis, each in enumerate(indices) if each is not None]
    chosen = [indices[axis] for axis in axes]
    if any(each.dtype == "pred" for each in chosen):
        return _masked(x, chosen, values)
    order = [*axes, *(a for a in range(x.ndim) if a not in axes)]
    moved = x.transpose(order)
    depth, inner = len(axes), moved.shape[len(axes) :]
    places = joined_places(chosen, moved.shape[:depth])
    shape = places.shape
    if axes[0] and axes == list(range(axes[0], axes[-1] + 1)):  # there the rows stand where the axes were
        before = x.shape[: axes[0]]
        whole = values.broadcast_to((*before, *shape, *inner[len(before) :]))
        one, other = len(before), len(before) + len(shape)
        values = whole.transpose([*range(one, other), *range(one), *range(other, whole.ndim)])
    rows = values.broadcast_to((*shape, *inner))
    found = over_u8(_put)(moved.reshape((prod(moved.shape[:depth]), *inner)), rows, places, accumulate)
    return found.reshape(moved.shape).transpose(np.argsort(order))


def put_along(node, x, dim, index, source, alpha=1):
    """Slices of a source at those of x that an index has along an axis."""
    x, source, index = (with_an_axis(each) for each in (x, source, index))
    if alpha != 1:
        source = source.astype(x.dtype) * alpha
    axes = [None] * placed(dim, x.ndim)
    found = index_put(node, x, [*axes, index], source, node.operator.startswith("index_add"))
    return found.reshape(node.shape)


def filled_along(node, x, dim, index, value):
    """One number at those slices that an index has along an axis."""
    x, index = (with_an_axis(each) for each in (x, index))
    value = x.number(value) if is_number(value) else value.astype(x.dtype).reshape(())
    axes = [None] * placed(dim, x.ndim)
    return index_put(node, x, [*axes, index], value).reshape(node.shape)


def masked_scatter(node, x, mask, source):
    """Where a mask holds the elements of a source, one after the other."""
    mask = mask.broadcast_to(node.shape)
    count = cumsum(mask.ravel().astype("s32"), 0)
    at = maximum(count - 1, 0)
    within_mask = lambda given, into: where(mask, given.ravel().take(at, 0).reshape(node.shape), into)
    return over_u8(within_mask)(source, x)


def _put(x, rows, places, accumulate: bool):
    count = prod(places.shape)
    at = x.of(data(x.of(places).reshape((count, 1))))
    return put_rows(x, at, rows.reshape((count, *x.shape[1:])), "add" if accumulate else "set")


def _masked(x, chosen, values):
    """One number where a mask holds."""
    if len(chosen) > 1 or values.size > 1:
        raise Unsupported(MASK.format("writes"))
    mask = chosen[0]
    mask = mask.reshape((*mask.shape, *[1] * (x.ndim - mask.ndim)))
    return over_u8(lambda value, into: where(mask, value, into))(values.reshape(()), x)


OPERATORS: OperatorTable = (
    ("gather", gather),
    ("index.Tensor _unsafe_index.Tensor", index),
    ("scatter.src scatter_add scatter_reduce.two scatter.reduce", scatter),
    ("index_reduce", index_reduce),
    ("scatter.value scatter.value_reduce", scatter_value),
    ("index_put _unsafe_index_put", index_put),
    ("index_add index_copy", put_along),
    ("index_fill.int_Scalar index_fill.int_Tensor", filled_along),
    ("masked_scatter", masked_scatter),
)

FUNCTIONS: OperatorTable = (
    ("embedding", embedding),
    ("index_select", index_select),
    ("take", take),
    ("put", put),
)
