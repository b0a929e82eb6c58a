"""Functions of elements that are no ufuncs: choices, bounds, rounding; and what a dtype or a shape alone tells."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..operators.array import kind
from ..operators.array import where as chosen
from .array import PLAIN, TracedArray, arrays_of, operand, traced
from .trace import Untraceable, refusal


def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    if x is None or y is None:
        raise refusal("nonzero")
    (condition, *_) = arrays_of(condition, *(each for each in (x, y) if isinstance(each, TracedArray)))
    given = [each if type(each) in PLAIN or isinstance(each, TracedArray) else np.asarray(each) for each in (x, y)]
    to = np.result_type(*(each.dtype if isinstance(each, TracedArray) else each for each in given))
    test = condition.astype(bool, copy=False).array
    return condition.new(chosen(test, *_operands(condition.calls, given, to)))


def _operands(calls: Any, given: Any, to: Any) -> list[Any]:
    """What is chosen of, in one dtype: an array, and another or a number."""
    found = [operand(calls, each, to) for each in given]
    if any(calls.is_value(getattr(each, "item", None)) for each in found):
        return found
    return [traced(calls, np.asarray(given[0]).astype(to)).array, found[1]]


def clip(a, a_min=None, a_max=None, *, min=None, max=None):
    low, high = a_min if a_min is not None else min, a_max if a_max is not None else max
    x = a if low is None else np.maximum(a, low)
    return x if high is None else np.minimum(x, high)


def round(a, decimals=0):
    if not decimals or a.dtype.kind in "iu":
        if decimals < 0:
            raise Untraceable("expected decimals of 0 or more of integers, found fewer; divide first")
        return np.rint(a) if kind(a.array.dtype) == "float" else a
    return np.rint(a * 10.0**decimals) / 10.0**decimals


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if x.dtype.kind in "biu":
        return x
    most = np.finfo(x.dtype).max
    x = np.where(np.isnan(x), nan, x)
    x = np.where(x == np.inf, most if posinf is None else posinf, x)
    return np.where(x == -np.inf, -most if neginf is None else neginf, x)


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    x, y = arrays_of(a, b)
    close = np.less_equal(abs(x - y), atol + rtol * abs(y)) & np.isfinite(y) | (x == y)
    return close | (np.isnan(x) & np.isnan(y)) if equal_nan else close


def sinc(x):
    a = np.pi * x
    return np.where(a == 0, a.dtype.type(1), np.sin(a) / np.where(a == 0, a.dtype.type(1), a))


def _filled(like, value, dtype, shape):
    """One number everywhere."""
    x = traced(like.calls, value).astype(like.dtype if dtype is None else dtype, copy=False)
    return x.new(x.array.broadcast_to(like.shape if shape is None else (shape,) if isinstance(shape, int) else shape))


def result_type(*arrays_and_dtypes):
    return np.result_type(*(each.dtype if isinstance(each, TracedArray) else each for each in arrays_and_dtypes))


FUNCTIONS = (
    ("where", where),
    ("clip", clip),
    ("round around", round),
    ("nan_to_num", nan_to_num),
    ("isclose", isclose),
    ("sinc", sinc),
    ("zeros_like empty_like", lambda a, dtype=None, order="K", subok=True, shape=None: _filled(a, 0, dtype, shape)),
    ("ones_like", lambda a, dtype=None, order="K", subok=True, shape=None: _filled(a, 1, dtype, shape)),
    ("full_like", lambda a, fill_value, dtype=None, shape=None: _filled(a, fill_value, dtype, shape)),
    ("shape", lambda a: a.shape),
    ("ndim", lambda a: a.ndim),
    ("size", lambda a, axis=None: a.size if axis is None else a.shape[axis]),
    ("result_type", result_type),
    ("iscomplexobj", lambda x: False),
    ("isrealobj", lambda x: True),
)
