"""Reductions, and running sums and products."""

from __future__ import annotations

from math import prod

import numpy as np

from ...readers.moving import reshaped
from .comparisons import holds
from .declaring import Unsupported, in_f32, kind, operator, placed

CALLS = {"sum": "sum", "mean": "mean", "prod": "prod", "amax": "max", "amin": "min"}


def axes_of(node, x, dim) -> tuple[int, ...]:
    """The axes that are meant, all where none is said; none of a scalar."""
    rank = node.value(x).type.rank
    given = [] if not rank else [dim] if isinstance(dim, int) else list(dim or ())
    return tuple(sorted(placed(a, rank) for a in given)) or tuple(range(rank))


def along(node, call: str, x, axes, keepdim: bool):
    """A reduction; of a scalar it is itself."""
    return node.call(call, x, axis=axes, keepdims=bool(keepdim)) if axes else node.value(x)


@operator("sum", "sum.dim_IntList", "mean", "mean.dim", "amax", "amin")
def reduce(node, x, dim=None, keepdim=False, dtype=None):
    call = CALLS[node.operator.split(".")[0]]
    axes = axes_of(node, x, dim)
    if node.dtype_given == "pred":
        found = along(node, call, node.cast(x, "u8"), axes, keepdim)
        return node.call("not_equal", found, 0)
    if dtype is not None or kind(node.dtype(x)) != "float":
        x = node.cast(x, node.dtype_given)
    return along(node, call, x, axes, keepdim)


@operator("prod", "prod.dim_int")
def product(node, x, dim=None, keepdim=False, dtype=None):
    return along(node, "prod", node.cast(x, node.dtype_given), axes_of(node, x, dim), keepdim)


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
    if node.operator.startswith("_safe"):
        raise Unsupported("rows of -inf alone, which give 0")
    if not x.type.rank:
        return node.number(0 if "log" in node.operator else 1, x)
    call = "log_softmax" if "log" in node.operator else "softmax"
    return node.call(call, x, axis=placed(dim, x.type.rank))


@operator("cumsum", "cumprod")
def running(node, x, dim, dtype=None):
    x = node.cast(x, node.dtype_given)
    name = "CumSum" if node.operator.startswith("cumsum") else "CumProd"
    return node.as_onnx(name, x, np.array(placed(dim, x.type.rank))) if x.type.rank else x


@operator("cdist_forward", "_cdist_forward")
@in_f32
def cdist(node, x, y, p=2.0, compute_mode=None):
    x, y = node.value(x), node.value(y)
    one = reshaped(node, x, (*x.type.shape[:-1], 1, x.type.shape[-1]))
    other = reshaped(node, y, (*y.type.shape[:-2], 1, *y.type.shape[-2:]))
    apart = node.call("sub", one, other)
    return norm_along(node, apart, p, (apart.type.rank - 1,))
