"""Operators that read or write at indices."""

from __future__ import annotations

from math import inf, prod

import numpy as np

from ...ir.dtypes import limits
from ...readers.moving import broadcast, flat, permuted, picked, place_steps, reshaped, taken, within
from .declaring import Unsupported, is_number, kind, operator, over_u8, placed


@operator("embedding")
def embedding(node, weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return node.as_onnx("Gather", weight, indices, axis=0)


@operator("index_select")
def index_select(node, x, dim, index):
    if not node.sizes(x):
        return x
    return node.as_onnx("Gather", x, index, axis=placed(dim, node.value(x).type.rank))


@operator("take")
def take(node, x, index):
    return node.as_onnx("Gather", flat(node, x), index, axis=0)


@operator("gather")
def gather(node, x, dim, index, sparse_grad=False):
    """Scalars are taken as tensors of one element."""
    as_row = lambda each: reshaped(node, each, (1,)) if node.is_value(each) else np.reshape(each, (1,))
    x, index = (each if node.sizes(each) else as_row(each) for each in (x, index))
    return reshaped(node, node.as_onnx("GatherElements", x, index, axis=dim), node.shape)


@operator("index.Tensor", "_unsafe_index.Tensor")
def index(node, x, indices):
    """Axes that have indices are moved to the front, as one, and are taken there; what was taken goes to where the
    first of them was, if they are next to each other."""
    x = node.value(x)
    axes = [axis for axis, each in enumerate(indices) if each is not None]
    chosen = [indices[axis] for axis in axes]
    if any(node.dtype(each) == "pred" for each in chosen):
        raise Unsupported("a mask: how much it gives depends on the values that it reads")
    if len(axes) == 1 and not node.is_value(chosen[0]):
        at = within(node, chosen[0], x.type.shape[axes[0]])
        return reshaped(node, picked(node, x, axes[0], at), node.shape)
    if len(axes) == 1:
        return taken(node, x, axes[0], within(node, chosen[0], x.type.shape[axes[0]]))
    rest = [a for a in range(x.type.rank) if a not in axes]
    front = permuted(node, x, [*axes, *rest])
    rows = reshaped(node, front, (prod(x.type.shape[a] for a in axes), *(x.type.shape[a] for a in rest)))
    places = joined_places(node, chosen, [x.type.shape[a] for a in axes])
    found = picked(node, rows, 0, places) if not node.is_value(places) else taken(node, rows, 0, places)
    shape = node.sizes(places)
    found = reshaped(node, found, (*shape, *rows.type.shape[1:]))
    if axes != list(range(axes[0], axes[-1] + 1)) or not axes[0]:
        return found
    own, before = list(range(len(shape))), list(range(len(shape), len(shape) + axes[0]))
    return permuted(node, found, [*before, *own, *range(len(shape) + axes[0], found.type.rank)])


def joined_places(node, indices, sizes):
    """The rows of several axes as one, of indices of each."""
    total = None
    for each, size, step in zip(indices, sizes, place_steps(sizes)):
        own = within(node, each, size)
        if node.is_value(own):
            own = node.call("mul", node.cast(own, "s32"), step)
        else:
            own = own * np.int32(step)
        if total is None:
            total = own
        elif isinstance(total, np.ndarray) and isinstance(own, np.ndarray):
            total = total + own
        else:
            total = node.call("add", total, own)
    return total


HOW = {"sum": "add", "mean": "add", "add": "add", "prod": "mul", "multiply": "mul", "amax": "max", "amin": "min"}


@operator("scatter.src", "scatter_add", "scatter_reduce.two", "scatter.reduce")
@over_u8
def scatter(node, x, dim, index, src, reduce="add", include_self=True):
    sizes = node.sizes(index)
    part = node.value(src)
    if part.type.shape != sizes:
        part = node.call("slice", part, starts=(0,) * len(sizes), limits=sizes)
    x, index, part = (_of_axes(node, each) for each in (x, index, part))
    how = "none" if node.operator == "scatter.src" else HOW[reduce]
    found = _written(node, x, dim, index, part, how, include_self, is_mean=reduce == "mean")
    return reshaped(node, found, node.shape)


def _of_axes(node, x):
    """x as a tensor with an axis, as one element of a scalar."""
    if node.sizes(x):
        return x
    return reshaped(node, x, (1,)) if node.is_value(x) else np.reshape(x, (1,))


def _written(node, x, axis: int, index, part, how: str, with_own: bool = True, is_mean: bool = False):
    """What of x stands at an index along an axis, joined with a part; without its own, or the means of all of it."""
    x = node.value(x)
    write = lambda into, what, how: node.as_onnx("ScatterElements", into, index, what, axis=axis, reduction=how)
    every = lambda number, sizes: np.full(sizes, number, node.numpy(x.type.dtype))
    sizes = node.sizes(index)
    if not with_own:
        node.room(*sizes)
        x = write(x, every(_none_of(how, x.type.dtype), sizes), "none")
    found = write(x, part, how)
    if not is_mean:
        return found
    node.room(*sizes, *x.type.shape)
    count = write(every(int(with_own), x.type.shape), every(1, sizes), "add")
    return node.call("div", found, node.call("maximum", count, 1))


def _none_of(how: str, dtype: str):
    """That which joined with anything is that."""
    if how in ("add", "mul"):
        return int(how == "mul")
    if kind(dtype) == "float":
        return -inf if how == "max" else inf
    return limits(dtype)[0 if how == "max" else 1]


@operator("index_reduce")
@over_u8
def index_reduce(node, x, dim, index, source, reduce, include_self=True):
    """Slices of a source, joined with those of x that an index has along an axis."""
    x, source, index = (_of_axes(node, each) for each in (x, source, index))
    sizes = node.sizes(source)
    row = [n if a == placed(dim, len(sizes)) else 1 for a, n in enumerate(sizes)]
    if node.is_value(index):
        index = broadcast(node, reshaped(node, index, row), sizes)
    else:
        index = np.broadcast_to(np.reshape(index, row), sizes).copy()
    found = _written(node, x, dim, index, source, HOW[reduce], include_self, is_mean=reduce == "mean")
    return reshaped(node, found, node.shape)


@operator("put")
@over_u8
def put(node, x, index, source, accumulate=False):
    """Elements of x at places among all of them; of no places it is x."""
    x = node.value(x)
    if 0 in node.sizes(index):
        return x
    at = within(node, index, x.type.elements)
    count = prod(node.sizes(at))
    at = reshaped(node, at, (count, 1)) if node.is_value(at) else np.reshape(at, (count, 1))
    how = "add" if accumulate else "none"
    found = node.as_onnx("ScatterND", flat(node, x), at, flat(node, source), reduction=how)
    return reshaped(node, found, x.type.shape)


@operator("scatter.value", "scatter.value_reduce")
@over_u8
def scatter_value(node, x, dim, index, value, reduce=""):
    x, index = (_of_axes(node, each) for each in (x, index))
    sizes = node.sizes(index)
    node.room(*sizes)
    part = np.full(sizes, value, node.numpy(node.dtype(x)))
    return reshaped(node, _written(node, x, dim, index, part, HOW[reduce] if reduce else "none"), node.shape)


@operator("index_put", "_unsafe_index_put")
def index_put(node, x, indices, values, accumulate=False):
    """Rows of the axes that have indices, which are moved to the front, as one, and back."""
    x = node.value(x)
    axes = [axis for axis, each in enumerate(indices) if each is not None]
    chosen = [indices[axis] for axis in axes]
    if any(node.dtype(each) == "pred" for each in chosen):
        return _masked(node, x, chosen, values)
    order = [*axes, *(a for a in range(x.type.rank) if a not in axes)]
    moved = permuted(node, x, order)
    depth, inner = len(axes), moved.type.shape[len(axes) :]
    places = joined_places(node, chosen, moved.type.shape[:depth])
    shape = node.sizes(places)
    values = node.value(values)
    if axes[0] and axes == list(range(axes[0], axes[-1] + 1)):  # there the rows stand where the axes were
        before = x.type.shape[: axes[0]]
        whole = broadcast(node, values, (*before, *shape, *inner[len(before) :]))
        one, other = len(before), len(before) + len(shape)
        values = permuted(node, whole, [*range(one, other), *range(one), *range(other, whole.type.rank)])
    rows = broadcast(node, values, (*shape, *inner))
    found = over_u8(_put)(
        node, reshaped(node, moved, (prod(moved.type.shape[:depth]), *inner)), rows, places, accumulate
    )
    return permuted(node, reshaped(node, found, moved.type.shape), np.argsort(order))


@operator("index_add", "index_copy")
def put_along(node, x, dim, index, source, alpha=1):
    """Slices of a source at those of x that an index has along an axis."""
    x, source, index = (_of_axes(node, each) for each in (x, source, index))
    if alpha != 1:
        source = node.call("mul", node.cast(source, node.dtype(x)), alpha)
    axes = [None] * placed(dim, node.value(x).type.rank)
    found = index_put(node, x, [*axes, index], source, node.operator.startswith("index_add"))
    return reshaped(node, found, node.shape)


@operator("index_fill.int_Scalar", "index_fill.int_Tensor")
def filled_along(node, x, dim, index, value):
    """One number at those slices that an index has along an axis."""
    x, index = (_of_axes(node, each) for each in (x, index))
    value = (
        node.number(value, x) if is_number(value) else reshaped(node, node.cast(node.value(value), node.dtype(x)), ())
    )
    axes = [None] * placed(dim, node.value(x).type.rank)
    return reshaped(node, index_put(node, x, [*axes, index], value), node.shape)


@operator("masked_scatter")
def masked_scatter(node, x, mask, source):
    """Where a mask holds the elements of a source, one after the other."""
    mask = broadcast(node, mask, node.shape)
    count = node.as_onnx("CumSum", node.cast(flat(node, mask), "s32"), np.array(0))
    at = node.call("maximum", node.call("sub", count, 1), 0)
    within_mask = lambda own, given, into: own.call(
        "where", mask, reshaped(own, taken(own, flat(own, given), 0, at), own.shape), into
    )
    return over_u8(within_mask)(node, source, x)


def _put(node, x, rows, places, accumulate: bool):
    count, inner = prod(node.sizes(places)), x.type.shape[1:]
    at = reshaped(node, places, (count, 1))
    how = "add" if accumulate else "none"
    return node.as_onnx(
        "ScatterND", x, at if at.array is None else at.array, reshaped(node, rows, (count, *inner)), reduction=how
    )


def _masked(node, x, chosen, values):
    """One number where a mask holds."""
    if len(chosen) > 1 or node.value(values).type.elements > 1:
        raise Unsupported("a mask: how much it writes depends on the values that it reads")
    mask = node.value(chosen[0])
    mask = reshaped(node, mask, (*mask.type.shape, *[1] * (x.type.rank - mask.type.rank)))
    return over_u8(lambda own, value, into: own.call("where", mask, value, into))(node, reshaped(node, values, ()), x)
