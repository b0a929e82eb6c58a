"""NumPy's ufuncs as functions of arrays of the graph, of the dtypes of NumPy's loop, or of numbers beside them. Other
functions of elements: choices, bounds, rounding. And functions that follow from a dtype or a shape alone."""

from __future__ import annotations

from functools import partial
from math import inf, log, pi
from typing import Any

import numpy as np

from ..operators import array, numbers
from ..operators.array import Array, call, ceil, dtype_among, floor, kind, maximum, minimum, where, wrapping
from ..operators.numbers import powered
from ..operators.products import product
from .array import PLAIN, TracedArray, arrays_of, operand, traced
from .trace import Untraceable, refusal


def _like(*given):
    return next(x for x in given if isinstance(x, Array))


def _float(*given) -> bool:
    return kind(dtype_among(*given)) == "float"


def _arrays(function):
    """A function to which numbers come as arrays of rank 0."""
    return lambda *given: function(*(x if isinstance(x, Array) else _like(*given).number(x) for x in given))


def _or_of_conditions(function, called: str):
    """A function of numbers, and the call that it is of conditions."""
    return lambda *x: (_arrays(partial(call, called)) if dtype_among(*x) == "pred" else function)(*x)


def _compared(name):
    """Conditions are 0 and 1."""
    numbers = lambda *given: call(name, *(x.astype("u8") if isinstance(x, Array) else int(x) for x in given))
    return lambda *x: numbers(*x) if dtype_among(*x) == "pred" else call(name, *x)


def _logic(name):
    """A logical call; operands that are no conditions are compared with 0."""

    def of(*given):
        like = _like(*given)
        conditions = (x if isinstance(x, Array) else like.of(bool(x)).with_elements() for x in given)
        return call(name, *(x if x.dtype == "pred" else call("not_equal", x, 0) for x in conditions))

    return of


def _whole(name):
    return lambda x: call(name, x) if _float(x) else x


def _scaled(factor: float, function=lambda x: x):
    return lambda x: call("mul", function(x), factor)


def power(x, y):
    """Of integers by products, which wrap."""
    if _float(x, y):
        return call("power", x, y)
    if isinstance(y, Array) or y not in range(1, 65):
        told = y.value if isinstance(y, Array) else y
        raise Untraceable(
            f"expected a power of integers by a number from 1 to 64, found {told!r}; cast to floats first"
        )
    return powered(x, int(y))


def _unless_by_0(y, found):
    """The result of a division of integers; 0 where the divisor is 0."""
    if not isinstance(y, Array):
        return found if y else call("sub", found, found)
    return where(y == 0, 0, found)


def _left(name):
    """What a division leaves."""
    return lambda x, y: call(name, x, y) if _float(x, y) else _unless_by_0(y, call(name, x, y))


def floor_divide(x, y):
    """A whole quotient: of x less the remainder."""
    if not _float(x, y):
        return _unless_by_0(y, numbers.floor_quotient(x, y))
    found = call("div", call("sub", x, call("mod", x, y)), y)
    is_none = (y if isinstance(y, Array) else x.number(y)) == 0.0
    return where(is_none, call("div", x, y), array.round_(found))


def heaviside(x, y):
    side = where(x < 0.0, x.number(0), x.number(1))
    return where(x == 0.0, y, where(call("not_equal", x, x), x, side))


def _require_axes(name: str, *operands) -> None:
    """ValueError, as NumPy's, where an operand has fewer axes than it must have."""
    if any(x.ndim < least for x, least in operands):
        raise ValueError(f"{name}: operands do not have enough dimensions")


def matmul(x, y):
    """Vectors are matrices of one row or column."""
    _require_axes("matmul", (x, 1), (y, 1))
    of_x, of_y = x.shape[-1], y.shape[-1 if y.ndim == 1 else -2]
    if of_x != of_y:
        row, column = (1, *x.shape) if x.ndim == 1 else x.shape, (*y.shape, 1) if y.ndim == 1 else y.shape
        raise ValueError(f"matmul: {row} by {column}: size {of_y} is different from {of_x}")
    return product(x, y)


def matvec(x, y):
    _require_axes("matvec", (x, 2), (y, 1))
    found = product(x, y.reshape((*y.shape, 1)))
    return found.reshape(found.shape[:-1])


def vecmat(x, y):
    _require_axes("vecmat", (x, 1), (y, 2))
    found = product(x.reshape((*x.shape[:-1], 1, x.shape[-1])), y)
    return found.reshape((*found.shape[:-2], found.shape[-1]))


SAME = {name: name for name in "exp log sqrt tanh sin cos expm1 log1p reciprocal erf".split()}
SAME |= {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "divide": "div", "expit": "sigmoid"}
"""Ufuncs that are calls of the language; those of scipy.special among them."""
UFUNCS = {
    **{name: partial(call, of) for name, of in SAME.items()},
    **{name: _logic(name) for name in ("logical_not", "logical_and", "logical_or", "logical_xor")},
    **{name: _compared(name) for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")},
    "tan": numbers.tan,
    "cosh": numbers.cosh,
    "sinh": numbers.sinh,
    "arcsinh": numbers.asinh,
    "arccosh": numbers.acosh,
    "arctanh": numbers.atanh,
    "add": _or_of_conditions(partial(wrapping, "add"), "logical_or"),
    "subtract": partial(wrapping, "sub"),
    "multiply": _or_of_conditions(partial(wrapping, "mul"), "logical_and"),
    "maximum": _or_of_conditions(maximum, "logical_or"),
    "minimum": _or_of_conditions(minimum, "logical_and"),
    "bitwise_and": _or_of_conditions(partial(call, "bitwise_and"), "logical_and"),
    "bitwise_or": _or_of_conditions(partial(call, "bitwise_or"), "logical_or"),
    "bitwise_xor": _or_of_conditions(partial(call, "bitwise_xor"), "logical_xor"),
    "floor": _whole("floor"),
    "ceil": _whole("ceil"),
    "rint": _whole("round"),
    "trunc": lambda x: where(x < 0.0, ceil(x), floor(x)) if _float(x) else x,
    "positive": lambda x: x,
    "conjugate": lambda x: x,
    "negative": lambda x: -x,
    "absolute": abs,
    "fabs": abs,
    "sign": numbers.sign,
    "square": lambda x: x * x,
    "invert": lambda x: ~x,
    "power": power,
    "float_power": power,
    "fmod": _left("fmod"),
    "remainder": _left("mod"),
    "floor_divide": floor_divide,
    "isnan": lambda x: call("not_equal", x, x),
    "isinf": lambda x: call("equal", call("abs", x), inf),
    "isfinite": lambda x: call("less", call("abs", x), inf),
    "log2": _scaled(1 / log(2), array.log),
    "log10": _scaled(1 / log(10), array.log),
    "deg2rad": _scaled(pi / 180),
    "radians": _scaled(pi / 180),
    "rad2deg": _scaled(180 / pi),
    "degrees": _scaled(180 / pi),
    "exp2": _arrays(numbers.exp2),
    "hypot": _arrays(numbers.hypot),
    "arctan2": _arrays(numbers.atan2),
    "logaddexp": _arrays(numbers.logaddexp),
    "heaviside": _arrays(heaviside),
    "matmul": _arrays(matmul),
    "vecdot": lambda x, y: call("sum", call("mul", x, y), axis=-1),
    "matvec": _arrays(matvec),
    "vecmat": _arrays(vecmat),
}


def choose(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    if x is None or y is None:
        raise refusal("nonzero")
    (condition, *_) = arrays_of(condition, *(each for each in (x, y) if isinstance(each, TracedArray)))
    given = [each if type(each) in PLAIN or isinstance(each, TracedArray) else np.asarray(each) for each in (x, y)]
    to = np.result_type(*(each.dtype if isinstance(each, TracedArray) else each for each in given))
    test = condition.astype(bool, copy=False).array
    return condition.new(where(test, *_operands(condition.calls, given, to)))


def _operands(calls: Any, given: Any, to: Any) -> list[Any]:
    """The operands of a choice, in one dtype: an array, and another or a number."""
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
    ("where", choose),
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
