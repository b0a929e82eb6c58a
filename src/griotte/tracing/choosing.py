"""Functions of elements that are no ufuncs: choices, bounds, rounding; and what a dtype or a shape alone tells."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..operators.kinds import kind
from .declaring import Untraceable, function, refusal
from .library import broadcast
from .traced import Trace, TracedArray


@function("where")
def where(trace: Trace, condition: Any, x: Any = None, y: Any = None, /) -> Any:
    if x is None or y is None:
        raise refusal("nonzero")
    given = [
        each if type(each) in (bool, int, float) or isinstance(each, TracedArray) else np.asarray(each)
        for each in (x, y)
    ]
    to = np.result_type(*(each.dtype if isinstance(each, TracedArray) else each for each in given))
    chosen = trace.array(condition).astype(bool, copy=False).value
    one, other = (trace.operand(each, to) for each in given)
    if not any(trace.is_value(each) for each in (one, other)):
        one = trace.value(np.asarray(given[0]).astype(to))
    return TracedArray(trace, trace.call("where", chosen, one, other))


@function("clip", method="clip")
def clip(trace: Trace, a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> Any:
    x: Any = trace.array(a)
    low, high = a_min if a_min is not None else min, a_max if a_max is not None else max
    x = x if low is None else np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


@function("round", "around", method="round")
def round(trace: Trace, a: Any, decimals: int = 0) -> Any:
    x: Any = trace.array(a)
    if not decimals or x.dtype.kind in "iu":
        if decimals < 0:
            raise Untraceable("expected decimals of 0 or more of integers, found fewer; divide first")
        return np.rint(x) if kind(trace.dtype(x.value)) == "float" else x
    return np.rint(x * 10.0**decimals) / 10.0**decimals


@function("nan_to_num")
def nan_to_num(
    trace: Trace, x: Any, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    a: Any = trace.array(x)
    if a.dtype.kind in "biu":
        return a
    most = np.finfo(a.dtype).max
    a = np.where(np.isnan(a), nan, a)
    a = np.where(a == np.inf, most if posinf is None else posinf, a)
    return np.where(a == -np.inf, -most if neginf is None else neginf, a)


@function("isclose")
def isclose(trace: Trace, a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    x, y = (trace.array(each) for each in (a, b))
    close: Any = np.less_equal(abs(x - y), atol + rtol * abs(y)) & np.isfinite(y) | (x == y)
    return close | (np.isnan(x) & np.isnan(y)) if equal_nan else close


@function("sinc")
def sinc(trace: Trace, x: Any) -> Any:
    a: Any = np.pi * trace.array(x)
    return np.where(a == 0, a.dtype.type(1), np.sin(a) / np.where(a == 0, a.dtype.type(1), a))


def _filled(trace: Trace, like: Any, value: Any, dtype: Any, shape: Any) -> TracedArray:
    """One number everywhere."""
    x = trace.array(value).astype(like.dtype if dtype is None else dtype, copy=False)
    sizes = like.shape if shape is None else (shape,) if isinstance(shape, int) else shape
    return x.new(broadcast(trace, x.value, sizes))


@function("zeros_like", "empty_like")
def zeros_like(trace: Trace, a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Any:
    return _filled(trace, a, 0, dtype, shape)


@function("ones_like")
def ones_like(trace: Trace, a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Any:
    return _filled(trace, a, 1, dtype, shape)


@function("full_like")
def full_like(trace: Trace, a: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Any:
    return _filled(trace, a, fill_value, dtype, shape)


@function("shape")
def shape(trace: Trace, a: Any) -> Any:
    return trace.array(a).shape


@function("ndim")
def ndim(trace: Trace, a: Any) -> Any:
    return trace.array(a).ndim


@function("size")
def size(trace: Trace, a: Any, axis: int | None = None) -> Any:
    x = trace.array(a)
    return x.size if axis is None else x.shape[axis]


@function("result_type")
def result_type(trace: Trace, *arrays_and_dtypes: Any) -> Any:
    return np.result_type(*(each.dtype if isinstance(each, TracedArray) else each for each in arrays_and_dtypes))


@function("iscomplexobj")
def iscomplexobj(trace: Trace, x: Any) -> Any:
    return False


@function("isrealobj")
def isrealobj(trace: Trace, x: Any) -> Any:
    return True
