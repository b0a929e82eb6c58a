"""Operators that read or write at indices."""

from __future__ import annotations

from math import inf, prod

import numpy as np

from ...ir.dtypes import limits
from ...operators.array import call, kind, maximum, where
from ...operators.calls import Unsupported
from ...operators.kinds import over_u8, placed
from ...operators.moving import picked, place_steps, within
from ...readers.tables import Table
from .declaring import is_number


def embedding(node, weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return node.as_onnx("Gather", weight, indices, axis=0)


def index_select(node, x, dim, index):
    if not x.shape:
        return x
    return node.as_onnx("Gather", x, index, axis=placed(dim, x.ndim))


def take(node, x, index):
    return node.as_onnx("Gather", x.ravel(), index, axis=0)


def gather(node, x, dim, index, sparse_grad=False):
    """Scalars are taken as tensors of one element."""
    as_row = lambda each: each.reshape((1,)) if not each.is_known else np.reshape(each, (1,))
    x, index = (each if each.shape else as_row(each) for each in (x, index))
    return node.as_onnx("GatherElements", x, index, axis=dim).reshape(node.shape)


def index(node, x, indices):
    """Axes that have indices are moved to the front, as one, and are taken there; what was taken goes to where the
    first of them was, if they are next to each other."""
    axes = [axis for axis, each in enumerate(indices) if each is not None]
    chosen = [indices[axis] for axis in axes]
    if any(each.dtype == "pred" for each in chosen):
        raise Unsupported("a mask: how much it gives depends on the values that it reads")
    if len(axes) == 1 and chosen[0].is_known:
        at = within(chosen[0], x.shape[axes[0]])
        return picked(x, axes[0], at).reshape(node.shape)
    if len(axes) == 1:
        return x.take(within(chosen[0], x.shape[axes[0]]), axes[0])
    rest = [a for a in range(x.ndim) if a not in axes]
    front = x.transpose([*axes, *rest])
    rows = front.reshape((prod(x.shape[a] for a in axes), *(x.shape[a] for a in rest)))
    places = joined_places(node, chosen, [x.shape[a] for a in axes])
    found = picked(rows, 0, places) if places.is_known else rows.take(places, 0)
    shape = places.shape
    found = found.reshape((*shape, *rows.shape[1:]))
    if axes != list(range(axes[0], axes[-1] + 1)) or not axes[0]:
        return found
    own, before = list(range(len(shape))), list(range(len(shape), len(shape) + axes[0]))
    return found.transpose([*before, *own, *range(len(shape) + axes[0], found.ndim)])


def joined_places(node, indices, sizes):
    """The rows of several axes as one, of indices of each."""
    total = None
    for each, size, step in zip(indices, sizes, place_steps(sizes)):
        own = within(each, size)
        if not own.is_known:
            own = own.astype("s32") * step
        else:
            own = own * np.int32(step)
        if total is None:
            total = own
        elif isinstance(total, np.ndarray) and isinstance(own, np.ndarray):
            total = total + own
        else:
            total = total + own
    return total


HOW = {"sum": "add", "mean": "add", "add": "add", "prod": "mul", "multiply": "mul", "amax": "max", "amin": "min"}


@over_u8
def scatter(node, x, dim, index, src, reduce="add", include_self=True):
    sizes = index.shape
    part = src
    if part.shape != sizes:
        part = call("slice", part, starts=(0,) * len(sizes), limits=sizes)
    x, index, part = (_of_axes(each) for each in (x, index, part))
    how = "none" if node.operator == "scatter.src" else HOW[reduce]
    found = _written(node, x, dim, index, part, how, include_self, is_mean=reduce == "mean")
    return found.reshape(node.shape)


def _of_axes(x):
    """x as a tensor with an axis, as one element of a scalar."""
    if x.shape:
        return x
    return x.reshape((1,)) if not x.is_known else np.reshape(x, (1,))


def _written(node, x, axis: int, index, part, how: str, with_own: bool = True, is_mean: bool = False):
    """What of x stands at an index along an axis, joined with a part; without its own, or the means of all of it."""
    write = lambda into, what, how: node.as_onnx("ScatterElements", into, index, what, axis=axis, reduction=how)
    every = lambda number, sizes: np.full(sizes, number, x.numpy)
    sizes = index.shape
    if not with_own:
        x.room(*sizes)
        x = write(x, every(_none_of(how, x.dtype), sizes), "none")
    found = write(x, part, how)
    if not is_mean:
        return found
    x.room(*sizes, *x.shape)
    count = write(every(int(with_own), x.shape), every(1, sizes), "add")
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
    x, source, index = (_of_axes(each) for each in (x, source, index))
    sizes = source.shape
    row = [n if a == placed(dim, len(sizes)) else 1 for a, n in enumerate(sizes)]
    if not index.is_known:
        index = index.reshape(row).broadcast_to(sizes)
    else:
        index = np.broadcast_to(np.reshape(index, row), sizes).copy()
    found = _written(node, x, dim, index, source, HOW[reduce], include_self, is_mean=reduce == "mean")
    return found.reshape(node.shape)


@over_u8
def put(node, x, index, source, accumulate=False):
    """Elements of x at places among all of them; of no places it is x."""
    if 0 in index.shape:
        return x
    at = within(index, x.size)
    count = prod(at.shape)
    at = at.reshape((count, 1)) if not at.is_known else np.reshape(at, (count, 1))
    how = "add" if accumulate else "none"
    found = node.as_onnx("ScatterND", x.ravel(), at, source.ravel(), reduction=how)
    return found.reshape(x.shape)


@over_u8
def scatter_value(node, x, dim, index, value, reduce=""):
    x, index = (_of_axes(each) for each in (x, index))
    sizes = index.shape
    x.room(*sizes)
    part = np.full(sizes, value, x.numpy)
    return _written(node, x, dim, index, part, HOW[reduce] if reduce else "none").reshape(node.shape)


def index_put(node, x, indices, values, accumulate=False):
    """Rows of the axes that have indices, which are moved to the front, as one, and back."""
    axes = [axis for axis, each in enumerate(indices) if each is not None]
    chosen = [indices[axis] for axis in axes]
    if any(each.dtype == "pred" for each in chosen):
        return _masked(node, x, chosen, values)
    order = [*axes, *(a for a in range(x.ndim) if a not in axes)]
    moved = x.transpose(order)
    depth, inner = len(axes), moved.shape[len(axes) :]
    places = joined_places(node, chosen, moved.shape[:depth])
    shape = places.shape
    if axes[0] and axes == list(range(axes[0], axes[-1] + 1)):  # there the rows stand where the axes were
        before = x.shape[: axes[0]]
        whole = values.broadcast_to((*before, *shape, *inner[len(before) :]))
        one, other = len(before), len(before) + len(shape)
        values = whole.transpose([*range(one, other), *range(one), *range(other, whole.ndim)])
    rows = values.broadcast_to((*shape, *inner))
    found = over_u8(_put)(node, moved.reshape((prod(moved.shape[:depth]), *inner)), rows, places, accumulate)
    return found.reshape(moved.shape).transpose(np.argsort(order))


def put_along(node, x, dim, index, source, alpha=1):
    """Slices of a source at those of x that an index has along an axis."""
    x, source, index = (_of_axes(each) for each in (x, source, index))
    if alpha != 1:
        source = source.astype(x.dtype) * alpha
    axes = [None] * placed(dim, x.ndim)
    found = index_put(node, x, [*axes, index], source, node.operator.startswith("index_add"))
    return found.reshape(node.shape)


def filled_along(node, x, dim, index, value):
    """One number at those slices that an index has along an axis."""
    x, index = (_of_axes(each) for each in (x, index))
    value = x.number(value) if is_number(value) else value.astype(x.dtype).reshape(())
    axes = [None] * placed(dim, x.ndim)
    return index_put(node, x, [*axes, index], value).reshape(node.shape)


def masked_scatter(node, x, mask, source):
    """Where a mask holds the elements of a source, one after the other."""
    mask = mask.broadcast_to(node.shape)
    count = node.as_onnx("CumSum", mask.ravel().astype("s32"), np.array(0))
    at = maximum(count - 1, 0)
    within_mask = lambda given, into: where(mask, given.ravel().take(at, 0).reshape(node.shape), into)
    return over_u8(within_mask)(source, x)


def _put(node, x, rows, places, accumulate: bool):
    count, inner = prod(places.shape), x.shape[1:]
    at = places.reshape((count, 1))
    how = "add" if accumulate else "none"
    return node.as_onnx(
        "ScatterND", x, at if at.array is None else at.array, rows.reshape((count, *inner)), reduction=how
    )


def _masked(node, x, chosen, values):
    """One number where a mask holds."""
    if len(chosen) > 1 or values.size > 1:
        raise Unsupported("a mask: how much it writes depends on the values that it reads")
    mask = chosen[0]
    mask = mask.reshape((*mask.shape, *[1] * (x.ndim - mask.ndim)))
    return over_u8(lambda value, into: where(mask, value, into))(values.reshape(()), x)


OPERATORS: Table = (
    ("embedding", embedding),
    ("index_select", index_select),
    ("take", take),
    ("gather", gather),
    ("index.Tensor _unsafe_index.Tensor", index),
    ("scatter.src scatter_add scatter_reduce.two scatter.reduce", scatter),
    ("index_reduce", index_reduce),
    ("put", put),
    ("scatter.value scatter.value_reduce", scatter_value),
    ("index_put _unsafe_index_put", index_put),
    ("index_add index_copy", put_along),
    ("index_fill.int_Scalar index_fill.int_Tensor", filled_along),
    ("masked_scatter", masked_scatter),
)
