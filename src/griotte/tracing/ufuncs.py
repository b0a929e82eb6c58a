"""Ufuncs: each one declaration, of operands that have the dtypes of NumPy's loop."""

from __future__ import annotations

from functools import partial
from math import inf, log, pi
from typing import Any

from ..models.graph import ModelValue
from ..operators.array import atan, exp, log1p, maximum, minimum, where
from ..operators.kinds import bits, in_f32, kind
from ..operators.numbers import hypot
from . import library as numbers
from .calls import CallBuilder
from .declaring import UFUNCS, Untraceable, ufunc
from .library import on_values

SAME = {
    "exp": "exp",
    "log": "log",
    "sqrt": "sqrt",
    "tanh": "tanh",
    "sin": "sin",
    "cos": "cos",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "expm1": "expm1",
    "log1p": "log1p",
    "reciprocal": "reciprocal",
    "logical_not": "logical_not",
    "logical_and": "logical_and",
    "logical_or": "logical_or",
    "logical_xor": "logical_xor",
    "divide": "div",
    "expit": "sigmoid",
    "erf": "erf",
}
"""Ufuncs that are calls of the language, by name; those of scipy.special among them."""
OF_ONNX = {
    "tan": numbers.tan,
    "cosh": numbers.cosh,
    "sinh": numbers.sinh,
    "arcsinh": numbers.asinh,
    "arccosh": numbers.acosh,
    "arctanh": numbers.atanh,
}
WRAPPING = {"add": "add", "subtract": "sub", "multiply": "mul"}
COMPARED = {
    "equal": "equal",
    "not_equal": "not_equal",
    "less": "less",
    "less_equal": "less_equal",
    "greater": "greater",
    "greater_equal": "greater_equal",
}
LEFT = {"fmod": "fmod", "remainder": "mod"}
CHOSEN = {"maximum": "maximum", "minimum": "minimum"}
BITS = {"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor"}
OF_BOOL = {"add": "logical_or", "multiply": "logical_and", "maximum": "logical_or", "minimum": "logical_and"}
WHOLE = {"floor": "floor", "ceil": "ceil", "rint": "round"}


def _call(call: str, calls: CallBuilder, *operands: Any) -> ModelValue:
    return calls.call(call, *operands)


def _dtype(*operands: Any) -> str:
    return next(each.type.dtype for each in operands if isinstance(each, ModelValue))


def _float(*operands: Any) -> bool:
    return kind(_dtype(*operands)) == "float"


def _conditions(calls: CallBuilder, *operands: Any) -> list[ModelValue]:
    return [each if isinstance(each, ModelValue) else calls.number(each, _like(operands)) for each in operands]


def _like(operands: Any) -> ModelValue:
    return next(each for each in operands if isinstance(each, ModelValue))


def _arithmetic(name: str, calls: CallBuilder, *operands: Any) -> ModelValue:
    """Integers wrap; conditions are joined."""
    if _dtype(*operands) == "pred":
        return calls.call(OF_BOOL[name], *_conditions(calls, *operands))
    if _float(*operands) or name in CHOSEN:
        return calls.call(WRAPPING.get(name) or CHOSEN[name], *operands)
    dtype, call = _dtype(*operands), WRAPPING[name]
    if bits(dtype) >= 32:
        return calls.call(call, *operands)
    return numbers.wrapped(calls, calls.call(call, *operands, dtype="s32"), dtype)


def _compared(call: str, calls: CallBuilder, *operands: Any) -> ModelValue:
    if _dtype(*operands) == "pred":
        operands = tuple(calls.cast(each, "u8") if isinstance(each, ModelValue) else int(each) for each in operands)
    return calls.call(call, *operands)


def _bits(name: str, calls: CallBuilder, *operands: Any) -> ModelValue:
    if _dtype(*operands) == "pred":
        return calls.call(f"logical_{name}", *_conditions(calls, *operands))
    return calls.call(f"bitwise_{name}", *operands)


def _logic(call: str, calls: CallBuilder, *operands: Any) -> ModelValue:
    """Of what is not a condition, whether it is not 0."""
    values = [each if isinstance(each, ModelValue) else calls.value(bool(each)) for each in operands]
    return calls.call(call, *(v if v.type.dtype == "pred" else calls.call("not_equal", v, 0) for v in values))


def _whole(call: str, calls: CallBuilder, x: Any) -> ModelValue:
    return calls.call(call, x) if _float(x) else x


UFUNCS |= {name: partial(_call, call) for name, call in SAME.items()}
UFUNCS |= OF_ONNX
UFUNCS |= {name: partial(_arithmetic, name) for name in (*WRAPPING, *CHOSEN)}
UFUNCS |= {name: partial(_compared, call) for name, call in COMPARED.items()}
UFUNCS |= {name: partial(_bits, each) for name, each in BITS.items()}
UFUNCS |= {name: partial(_logic, name) for name in SAME if name.startswith("logical")}
UFUNCS |= {name: partial(_whole, call) for name, call in WHOLE.items()}


@ufunc("positive", "conjugate")
def positive(calls: CallBuilder, x: Any) -> ModelValue:
    return x


def _signed(call: str, calls: CallBuilder, x: Any) -> ModelValue:
    """Of integers, which wrap."""
    dtype = _dtype(x)
    if call == "abs" and kind(dtype) in ("unsigned", "pred"):
        return x
    if _float(x):
        return calls.call(call, x)
    if kind(dtype) == "unsigned":
        return _arithmetic("subtract", calls, 0, x)
    return numbers.wrapping(calls, call, x)


UFUNCS |= {name: partial(_signed, call) for name, call in dict(negative="neg", absolute="abs", fabs="abs").items()}


@ufunc("trunc")
def trunc(calls: CallBuilder, x: Any) -> ModelValue:
    if not _float(x):
        return x
    return calls.call("where", calls.call("less", x, 0.0), calls.call("ceil", x), calls.call("floor", x))


@ufunc("sign")
def sign(calls: CallBuilder, x: Any) -> ModelValue:
    return numbers.sign(calls, x)


@ufunc("square")
def square(calls: CallBuilder, x: Any) -> ModelValue:
    return _arithmetic("multiply", calls, x, x)


@ufunc("power", "float_power")
def power(calls: CallBuilder, x: Any, y: Any) -> ModelValue:
    """Of integers by products, which wrap."""
    if _float(x, y):
        return calls.call("power", x, y)
    if isinstance(y, ModelValue) or y not in range(1, 65):
        raise Untraceable(f"expected a power of integers by a number from 1 to 64, found {y!r}; cast to floats first")
    found, base, left = None, x, int(y)
    while left:
        if left & 1:
            found = base if found is None else _arithmetic("multiply", calls, found, base)
        left >>= 1
        base = square(calls, base) if left else base
    assert found is not None
    return found


def _left(call: str, calls: CallBuilder, x: Any, y: Any) -> ModelValue:
    """What a division leaves."""
    found = calls.call(call, x, y)
    return found if _float(x, y) else _unless_by_0(calls, y, found)


def _unless_by_0(calls: CallBuilder, y: Any, found: ModelValue) -> ModelValue:
    """What a division of integers gives, which is 0 where the divisor is."""
    if not isinstance(y, ModelValue):
        return found if y else calls.call("sub", found, found)
    return calls.call("where", calls.call("equal", y, 0), 0, found)


UFUNCS |= {name: partial(_left, call) for name, call in LEFT.items()}


@ufunc("floor_divide")
def floor_divide(calls: CallBuilder, x: Any, y: Any) -> ModelValue:
    """A whole quotient of what is left without the remainder."""
    dtype = _dtype(x, y)
    if not _float(x, y):
        wide = {"dtype": "s32"} if bits(dtype) < 32 else {}
        found = numbers.floor_quotient(calls, x, y, **wide)
        return _unless_by_0(calls, y, numbers.wrapped(calls, found, dtype) if wide else found)
    found = calls.call("div", calls.call("sub", x, calls.call("mod", x, y)), y)
    is_none = calls.call("equal", y if isinstance(y, ModelValue) else calls.number(y, x), 0.0)
    return calls.call("where", is_none, calls.call("div", x, y), calls.call("round", found))


@ufunc("isnan")
def isnan(calls: CallBuilder, x: Any) -> ModelValue:
    return calls.call("not_equal", x, x)


@ufunc("isinf")
def isinf(calls: CallBuilder, x: Any) -> ModelValue:
    return calls.call("equal", calls.call("abs", x), inf)


@ufunc("isfinite")
def isfinite(calls: CallBuilder, x: Any) -> ModelValue:
    return calls.call("less", calls.call("abs", x), inf)


@ufunc("invert")
def invert(calls: CallBuilder, x: Any) -> ModelValue:
    return calls.call("logical_not", x) if _dtype(x) == "pred" else numbers.bitwise_not(calls, x)


def _scaled(call: str, factor: float, calls: CallBuilder, x: Any) -> ModelValue:
    found = x if not call else calls.call(call, x)
    return calls.call("mul", found, factor)


UFUNCS |= {
    "log2": partial(_scaled, "log", 1 / log(2)),
    "log10": partial(_scaled, "log", 1 / log(10)),
    "deg2rad": partial(_scaled, "", pi / 180),
    "radians": partial(_scaled, "", pi / 180),
    "rad2deg": partial(_scaled, "", 180 / pi),
    "degrees": partial(_scaled, "", 180 / pi),
}


@ufunc("exp2")
def exp2(calls: CallBuilder, x: Any) -> ModelValue:
    return calls.call("power", 2.0, x)


@on_values
@in_f32
def _arctan2(y: Any, x: Any) -> Any:
    """By the quotient that is at most 1, and the half and the quarter that it is in."""
    high, wide = abs(y), abs(x)
    most, least = maximum(high, wide), minimum(high, wide)
    share = where(high == wide, x.number(1), least / most)
    angle = atan(where(most == 0.0, x.number(0), share))
    angle = where(high > wide, pi / 2 - angle, angle)
    angle = where(x < 0.0, pi - angle, angle)
    return where(y < 0.0, -angle, angle)


@on_values
@in_f32
def _logaddexp(x: Any, y: Any) -> Any:
    """By the larger, which is taken out of the sum."""
    most = maximum(x, y)
    return where(abs(most) < inf, most + log1p(exp(-abs(x - y))), most)


OF_TWO = {"hypot": on_values(hypot), "arctan2": _arctan2, "logaddexp": _logaddexp}


def _of_two(name: str, calls: CallBuilder, *operands: Any) -> ModelValue:
    return OF_TWO[name](calls, *_conditions(calls, *operands))


UFUNCS |= {name: partial(_of_two, name) for name in OF_TWO}


@ufunc("heaviside")
def heaviside(calls: CallBuilder, x: Any, y: Any) -> ModelValue:
    x = x if isinstance(x, ModelValue) else calls.number(x, y)
    side = calls.call("where", calls.call("less", x, 0.0), calls.number(0, x), calls.number(1, x))
    at = y if isinstance(y, ModelValue) else calls.number(y, x)
    return calls.call("where", calls.call("equal", x, 0.0), at, calls.call("where", isnan(calls, x), x, side))
