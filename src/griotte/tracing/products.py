"""Products of matrices, and what is made of them: einsum, tensordot, dot. An einsum is cut into products of two."""

from __future__ import annotations

from math import prod
from string import ascii_letters
from typing import Any

import numpy as np

from ..models.graph import ModelValue
from ..operators.kinds import bits, kind
from . import library as numbers
from .calls import CallBuilder
from .declaring import Untraceable, applied, function, ufunc
from .library import broadcast, permuted, reshaped
from .reducing import axes_of
from .traced import Trace, TracedArray


@ufunc("matmul")
def matmul(calls: CallBuilder, x: Any, y: Any) -> ModelValue:
    """Vectors are matrices of one row or column."""
    x, y = calls.value(x), calls.value(y)
    if not x.type.rank or not y.type.rank:
        raise ValueError("matmul: operands do not have enough dimensions")
    row, column = x.type.rank == 1, y.type.rank == 1
    x = reshaped(calls, x, (1, *x.type.shape)) if row else x
    y = reshaped(calls, y, (*y.type.shape, 1)) if column else y
    if x.type.shape[-1] != y.type.shape[-2]:
        raise ValueError(
            f"matmul: {x.type.shape} by {y.type.shape}: size {y.type.shape[-2]} is different from {x.type.shape[-1]}"
        )
    found = multiplied(calls, x, y)
    shape = found.type.shape
    kept = [
        n for axis, n in enumerate(shape) if not (row and axis == len(shape) - 2 or column and axis == len(shape) - 1)
    ]
    return reshaped(calls, found, kept)


def multiplied(calls: CallBuilder, x: ModelValue, y: ModelValue) -> ModelValue:
    """Matrices of one dtype by each other; integers wrap."""
    dtype = x.type.dtype
    if dtype == "pred":
        return calls.call("not_equal", calls.call("matmul", calls.cast(x, "s32"), calls.cast(y, "s32")), 0)
    if kind(dtype) == "float" or bits(dtype) >= 32:
        return calls.call("matmul", x, y)
    return numbers.wrapped(calls, calls.call("matmul", x, y, dtype="s32"), dtype)


def _alike(trace: Trace, *arrays: Any) -> list[TracedArray]:
    found = [trace.array(each) for each in arrays]
    to = np.result_type(*(each.dtype for each in found))
    return [each.astype(to, copy=False) for each in found]


def contracted(trace: Trace, arrays: list[TracedArray], terms: list[str], wanted: str) -> TracedArray:
    """An einsum of terms of one letter an axis, from the left on."""
    arrays, terms = list(arrays), list(terms)
    while len(arrays) > 1:
        x, y, *rest = arrays
        later = set("".join(terms[2:]) + wanted)
        kept = "".join(dict.fromkeys(c for c in terms[0] + terms[1] if c in later))
        arrays, terms = [_pair(trace, x, terms[0], y, terms[1], kept), *rest], [kept, *terms[2:]]
    return _laid(trace, arrays[0], terms[0], wanted)


def _laid(trace: Trace, x: TracedArray, term: str, wanted: str) -> TracedArray:
    """One term: what is not wanted is summed, and the rest put in order."""
    x, term = _summed(trace, x, term, set(wanted))
    return x.new(permuted(trace, x.value, [term.index(c) for c in wanted]))


def _summed(trace: Trace, x: TracedArray, term: str, kept: set[str]) -> tuple[TracedArray, str]:
    axes = tuple(n for n, c in enumerate(term) if c not in kept)
    if axes:
        x = np.sum(x, axis=axes, dtype=x.dtype)
    return x, "".join(c for c in term if c in kept)


def _pair(trace: Trace, x: TracedArray, one: str, y: TracedArray, other: str, kept: str) -> TracedArray:
    x, one = _summed(trace, x, one, set(other) | set(kept))
    y, other = _summed(trace, y, other, set(one) | set(kept))
    both = [c for c in one if c in other]
    batch, inner = [c for c in both if c in kept], [c for c in both if c not in kept]
    rows, columns = [c for c in one if c not in both], [c for c in other if c not in both]
    size = dict(zip(other, y.shape)) | {c: n for c, n in zip(one, x.shape) if n != 1 or c not in other}
    shape = lambda letters: [size[c] for c in letters]
    x, y = (x.new(broadcast(trace, a.value, shape(t))) for a, t in ((x, one), (y, other)))
    if not inner:
        left = _axes(trace, x, one, [*batch, *rows, *columns])
        right = _axes(trace, y, other, [*batch, *rows, *columns])
        found = left * right
    else:
        a = permuted(trace, x.value, [one.index(c) for c in [*batch, *rows, *inner]])
        b = permuted(trace, y.value, [other.index(c) for c in [*batch, *inner, *columns]])
        m, k, n = (prod(shape(letters)) for letters in (rows, inner, columns))
        a, b = reshaped(trace, a, [*shape(batch), m, k]), reshaped(trace, b, [*shape(batch), k, n])
        found = x.new(reshaped(trace, multiplied(trace, a, b), shape([*batch, *rows, *columns])))
    order = [*batch, *rows, *columns]
    return found.new(permuted(trace, found.value, [order.index(c) for c in kept]))


def _axes(trace: Trace, x: TracedArray, term: str, order: list[str]) -> TracedArray:
    """AxisLike in an order, with those of size 1 that it lacks."""
    own = [c for c in order if c in term]
    value = permuted(trace, x.value, [term.index(c) for c in own])
    size = dict(zip(own, value.type.shape))
    return x.new(reshaped(trace, value, [size.get(c, 1) for c in order]))


@function("einsum")
def einsum(trace: Trace, *operands: Any, optimize: Any = False) -> Any:
    subscripts, *arrays = operands
    if not isinstance(subscripts, str):
        raise Untraceable("expected an einsum written as text, found lists of axes; write 'ij,jk->ik'")
    given = _alike(trace, *arrays)
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(given):
        raise ValueError(f"einsum: {len(terms)} terms, {len(given)} operands")
    spare = [c for c in ascii_letters if c not in left]
    most = max(x.ndim - len(t.replace("...", "")) for t, x in zip(terms, given)) if "..." in left else 0
    dots = "".join(spare[:most])
    terms = [t.replace("...", dots[most - (x.ndim - len(t) + 3) :]) if "..." in t else t for t, x in zip(terms, given)]
    if not arrow:
        once = sorted(c for c in set("".join(terms)) - set(dots) if "".join(terms).count(c) == 1)
        right = ("..." if "..." in left else "") + "".join(once)
    right = right.replace("...", dots)
    pairs = [_without_twins(trace, x, t) for x, t in zip(given, terms)]
    return contracted(trace, [x for x, _ in pairs], [t for _, t in pairs], right)


def _without_twins(trace: Trace, x: TracedArray, term: str) -> tuple[TracedArray, str]:
    """A term whose letters stand once: axes of one letter are their diagonal."""
    if len(term) != x.ndim:
        raise ValueError(f"einsum: {term!r} does not fit shape {x.shape}")
    while twin := next((c for c in term if term.count(c) > 1), None):
        one = term.index(twin)
        other = term.index(twin, one + 1)
        x = applied("diagonal", trace, (x, 0, one, other), {})
        term = "".join(c for n, c in enumerate(term) if n not in (one, other)) + twin
    return x, term


@function("tensordot", "linalg.tensordot")
def tensordot(trace: Trace, a: Any, b: Any, axes: Any = 2) -> Any:
    x, y = _alike(trace, a, b)
    if isinstance(axes, int):
        own, others = tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    else:
        own, others = (axes_of(each, axis) for each, axis in zip((x, y), axes))
    letters = iter(ascii_letters)
    one = [next(letters) for _ in x.shape]
    other = [one[own[others.index(n)]] if n in others else next(letters) for n in range(y.ndim)]
    right = [c for c in one if c not in other] + [c for c in other if c not in one]
    return contracted(trace, [x, y], ["".join(one), "".join(other)], "".join(right))


@function("dot", method="dot")
def dot(trace: Trace, a: Any, b: Any) -> Any:
    x, y = _alike(trace, a, b)
    if not x.ndim or not y.ndim:
        return x * y
    return tensordot(trace, x, y, (-1, -2 if y.ndim > 1 else -1))


@function("inner")
def inner(trace: Trace, a: Any, b: Any) -> Any:
    x, y = _alike(trace, a, b)
    return tensordot(trace, x, y, (-1, -1)) if x.ndim and y.ndim else x * y


@function("vdot")
def vdot(trace: Trace, a: Any, b: Any) -> Any:
    return dot(trace, np.ravel(trace.array(a)), np.ravel(trace.array(b)))


@function("outer", "linalg.outer")
def outer(trace: Trace, a: Any, b: Any) -> Any:
    x, y = (np.ravel(trace.array(each)) for each in (a, b))
    return x[:, None] * y[None, :]


@ufunc("vecdot")
def vecdot(calls: Any, x: Any, y: Any) -> ModelValue:
    return calls.call("sum", calls.call("mul", x, y), axis=-1)


@ufunc("matvec")
def matvec(calls: CallBuilder, x: ModelValue, y: ModelValue) -> ModelValue:
    found = multiplied(calls, x, reshaped(calls, y, (*y.type.shape, 1)))
    return reshaped(calls, found, found.type.shape[:-1])


@ufunc("vecmat")
def vecmat(calls: CallBuilder, x: ModelValue, y: ModelValue) -> ModelValue:
    found = multiplied(calls, reshaped(calls, x, (*x.type.shape[:-1], 1, x.type.shape[-1])), y)
    return reshaped(calls, found, (*found.type.shape[:-2], found.type.shape[-1]))


@function("linalg.matmul")
def linalg_matmul(trace: Trace, x1: Any, x2: Any, /) -> Any:
    return np.matmul(trace.array(x1), trace.array(x2))


@function("trace", "linalg.trace", method="trace")
def trace_of(trace: Trace, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    return np.sum(np.diagonal(trace.array(a), offset, axis1, axis2), axis=-1, dtype=dtype)


@function("linalg.multi_dot")
def multi_dot(trace: Trace, arrays: Any) -> Any:
    found, *rest = (trace.array(each) for each in arrays)
    for each in rest:
        found = found @ each
    return found


@function("cross", "linalg.cross")
def cross(trace: Trace, a: Any, b: Any, axis: int = -1) -> Any:
    x, y = (np.moveaxis(trace.array(each), axis, -1) for each in (a, b))
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise Untraceable("expected vectors of 3 elements, found others; write the product out")
    of = lambda i, j: x[..., i] * y[..., j] - x[..., j] * y[..., i]
    return np.stack([of(1, 2), of(2, 0), of(0, 1)], axis=axis)


@function("convolve")
def convolve(trace: Trace, a: Any, v: Any, mode: str = "full") -> Any:
    """A convolution of one row; weights run backward."""
    x, w = _alike(trace, a, v)
    x, w = (x, w) if x.size >= w.size else (w, x)
    if kind(trace.dtype(x.value)) != "float":
        raise Untraceable(f"expected floats to be convolved, found {x.dtype}; cast them first")
    least = {"full": w.size - 1, "same": w.size // 2, "valid": 0}[mode]
    most = {"full": w.size - 1, "same": (w.size - 1) // 2, "valid": 0}[mode]
    row, weights = (reshaped(trace, each, (1, 1, 1, each.type.elements)) for each in (x.value, w[::-1].value))
    found = trace.call("conv2d", row, weights, padding=((0, 0), (least, most)))
    return x.new(reshaped(trace, found, found.type.shape[3:]))


@function("correlate")
def correlate(trace: Trace, a: Any, v: Any, mode: str = "valid") -> Any:
    x, w = _alike(trace, a, v)
    if x.size < w.size:
        raise Untraceable("expected the longer array first, found the shorter; flip the result of the other order")
    return convolve(trace, x, w[::-1], mode)
