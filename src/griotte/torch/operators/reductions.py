"""Reductions, and running sums and products."""

from __future__ import annotations

from math import inf, prod

import numpy as np

from ...readers.moving import flat, moved, picked, reshaped
from ...readers.numbers import over_s32, wrapped
from .comparisons import holds
from .declaring import Unsupported, bits, in_f32, kind, operator, placed
from .making import converted

CALLS = {"sum": "sum", "mean": "mean", "prod": "prod", "amax": "max", "amin": "min"}


def axes_of(node, x, dim) -> tuple[int, ...]:
    """The axes that are meant, all where none is said; none of a scalar."""
    rank = node.value(x).type.rank
    given = [] if not rank else [dim] if isinstance(dim, int) else list(dim or ())
    return tuple(sorted(placed(a, rank) for a in given)) or tuple(range(rank))


def along(node, call: str, x, axes, keepdim: bool):
    """A reduction; of a scalar it is itself. Sums and products of narrow integers wrap."""
    if not axes:
        return node.value(x)
    if call in ("sum", "prod"):
        return over_s32(node, call, x, axis=axes, keepdims=bool(keepdim))
    return node.call(call, x, axis=axes, keepdims=bool(keepdim))


@operator("sum", "sum.dim_IntList", "mean", "mean.dim", "amax", "amin")
def reduce(node, x, dim=None, keepdim=False, dtype=None):
    call = CALLS[node.operator.split(".")[0]]
    axes = axes_of(node, x, dim)
    if node.dtype_given == "pred":
        found = along(node, call, node.cast(x, "u8"), axes, keepdim)
        return node.call("not_equal", found, 0)
    if dtype is not None or kind(node.dtype(x)) != "float":
        x = converted(node, x, node.dtype_given)
    return along(node, call, x, axes, keepdim)


@operator("prod", "prod.dim_int")
def product(node, x, dim=None, keepdim=False, dtype=None):
    return along(node, "prod", converted(node, x, node.dtype_given), axes_of(node, x, dim), keepdim)


@operator("any", "any.dim", "any.dims", "all", "all.dim", "all.dims")
def holding(node, x, dim=None, keepdim=False):
    call = "max" if node.operator.startswith("any") else "min"
    found = along(node, call, node.cast(holds(node, x), "u8"), axes_of(node, x, dim), keepdim)
    return node.call("not_equal", found, 0)


@operator("max", "min")
def extreme(node, x):
    call = node.operator.split(".")[0]
    return along(node, call, x, axes_of(node, x, None), False)


@operator("max.dim", "min.dim")
def extreme_along(node, x, dim, keepdim=False):
    """The largest, or smallest, and where the first of them is."""
    call, axes = node.operator.split(".")[0], axes_of(node, x, dim)
    found = along(node, call, x, axes, keepdim) if 0 in node.asked else node.value(np.zeros(node.shape))
    if 1 not in node.asked:
        return [found]
    if not axes:
        return [found, np.int64(0)]
    return [found, arg_along(node, "ArgMax" if call == "max" else "ArgMin", x, axes[0], keepdim)]


@operator("argmax", "argmin")
def arg(node, x, dim=None, keepdim=False):
    x = node.value(x)
    name = "ArgMax" if node.operator.startswith("argmax") else "ArgMin"
    if dim is None:
        found = arg_along(node, name, reshaped(node, x, (x.type.elements,)), 0, False)
        return reshaped(node, found, node.shape)
    return arg_along(node, name, x, dim, keepdim)


def arg_along(node, name: str, x, axis: int, keepdim: bool):
    """The place of the first of the largest or smallest along an axis."""
    x = node.value(x)
    return node.as_onnx(name, x, axis=placed(axis, x.type.rank), keepdims=int(bool(keepdim)))


@operator("var.correction", "var_mean.correction")
def var(node, x, dim=None, *, correction=None, keepdim=False):
    return in_f32(_variance)(node, x, axes_of(node, x, dim), 1 if correction is None else correction, keepdim)


def _variance(node, x, axes, off: float, keepdim: bool):
    x = node.value(x)
    count = prod(x.type.shape[a] for a in axes)
    mean = node.call("mean", x, axis=axes, keepdims=True)
    apart = node.call("sub", x, mean)
    total = node.call("sum", node.call("mul", apart, apart), axis=axes, keepdims=bool(keepdim))
    if count - off <= 0:
        raise Unsupported(f"the variance of {count} elements, less {off}")
    found = node.call("mul", total, 1 / (count - off))
    if not node.operator.startswith("var_mean"):
        return found
    return [found, mean if keepdim else reshaped(node, mean, found.type.shape)]


@operator("linalg_vector_norm")
@in_f32
def vector_norm(node, x, ord=2, dim=None, keepdim=False, dtype=None):
    return norm_along(node, node.cast(x, node.dtype_within), ord, axes_of(node, x, dim), keepdim)


def norm_along(node, x, ord: float, axes, keepdim: bool = False):
    """The norm of vectors along axes; of order 0 how many of their elements are not 0."""
    size = node.call("abs", x)
    if ord in (float("inf"), float("-inf")):
        return along(node, "max" if ord > 0 else "min", size, axes, keepdim)
    if ord == 0:
        size = node.cast(node.call("not_equal", size, 0), node.dtype(size))
    if ord in (0, 1):
        return along(node, "sum", size, axes, keepdim)
    if not axes:
        return size
    if ord == 2:
        return node.call("sqrt", along(node, "sum", node.call("mul", size, size), axes, keepdim))
    return node.call("power", along(node, "sum", node.call("power", size, float(ord)), axes, keepdim), 1 / ord)


@operator("dist")
@in_f32
def dist(node, x, y, p=2):
    x, y = (node.cast(each, node.dtype_within) for each in (x, y))
    return norm_along(node, node.call("sub", x, y), p, axes_of(node, node.call("sub", x, y), None))


@operator("logsumexp")
@in_f32
def logsumexp(node, x, dim, keepdim=False):
    return node.as_onnx("ReduceLogSumExp", x, np.array(axes_of(node, x, dim)), keepdims=int(keepdim))


@operator("_softmax", "_log_softmax", "softmax.int", "log_softmax.int", "_safe_softmax")
def softmax(node, x, dim, half_to_float=False, dtype=None):
    x = node.cast(x, node.dtype_given)
    is_safe = node.operator.startswith("_safe")  # of -inf alone it gives 0
    if not x.type.rank:
        one = node.number(0 if "log" in node.operator else 1, x)
        return node.call("where", node.call("equal", x, -inf), node.number(0, x), one) if is_safe else one
    axis = placed(dim, x.type.rank)
    found = node.call("log_softmax" if "log" in node.operator else "softmax", x, axis=axis)
    if not is_safe:
        return found
    is_none = node.call("equal", node.call("max", x, axis=axis, keepdims=True), -inf)
    return node.call("where", is_none, node.number(0, found), found)


@operator("cumsum", "cumprod")
def running(node, x, dim, dtype=None):
    x = converted(node, x, node.dtype_given)
    if not x.type.rank:
        return x
    name, dtype = "CumSum" if node.operator.startswith("cumsum") else "CumProd", x.type.dtype
    is_narrow = kind(dtype) != "float" and bits(dtype) < 32
    found = node.as_onnx(name, node.cast(x, "s32") if is_narrow else x, np.array(placed(dim, x.type.rank)))
    return wrapped(node, found, dtype) if is_narrow else found


@operator("logcumsumexp")
@in_f32
def running_log(node, x, dim):
    """Logarithms of running sums of exponentials, in rounds, of which each doubles how many terms are joined."""
    x = node.value(x)
    if not x.type.rank:
        return x
    axis, by = placed(dim, x.type.rank), 1
    while by < x.type.shape[axis]:
        x, by = _log_of_both(node, x, moved(node, x, axis, by, -inf)), 2 * by
    return x


def _log_of_both(node, x, y):
    """log(e^x + e^y), by the larger; of equals, which may have no end, they are not subtracted."""
    most, least = node.call("maximum", x, y), node.call("minimum", x, y)
    apart = node.call("where", node.call("equal", x, y), node.number(0, x), node.call("sub", least, most))
    found = node.call("add", most, node.call("log1p", node.call("exp", apart)))
    return node.call("where", node.call("equal", most, -inf), most, found)


@operator("histc")
@in_f32
def histc(node, x, bins=100, min=0, max=0):
    """How many elements lie in each of equal parts of a range, to which both its ends belong; that of the elements
    where it has no length."""
    x = flat(node, x)
    if min != max:
        low, high = node.number(min, x), node.number(max, x)
    else:
        low, high = (node.call(call, x, axis=0) for call in ("min", "max"))
        is_point = node.call("equal", low, high)
        low, high = (
            node.call("where", is_point, node.call(call, each, 1), each) for call, each in (("sub", low), ("add", high))
        )
    is_within = node.call("logical_and", node.call("less_equal", low, x), node.call("less_equal", x, high))
    part = node.call("div", node.call("mul", node.call("sub", x, low), bins), node.call("sub", high, low))
    part = node.call("where", is_within, part, node.number(0, part))
    at = node.call("minimum", node.cast(node.call("floor", part), "s32"), bins - 1)
    node.room(bins)
    nothing = np.zeros(bins, node.numpy(x.type.dtype))
    return node.as_onnx("ScatterElements", nothing, at, node.cast(is_within, x.type.dtype), axis=0, reduction="add")


@operator("_pdist_forward")
@in_f32
def pdist(node, x, p=2.0):
    """Of all pairs of rows, in order."""
    x = node.value(x)
    node.room(x.type.shape[0], x.type.shape[0])
    both = (picked(node, x, 0, each) for each in np.triu_indices(x.type.shape[0], 1))
    return norm_along(node, node.call("sub", *both), p, (1,))


@operator("cdist_forward", "_cdist_forward")
@in_f32
def cdist(node, x, y, p=2.0, compute_mode=None):
    x, y = node.value(x), node.value(y)
    one = reshaped(node, x, (*x.type.shape[:-1], 1, x.type.shape[-1]))
    other = reshaped(node, y, (*y.type.shape[:-2], 1, *y.type.shape[-2:]))
    apart = node.call("sub", one, other)
    return norm_along(node, apart, p, (apart.type.rank - 1,))
