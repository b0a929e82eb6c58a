"""Elementwise calls that are written with several functions in one body, or with one that is not a usual one: parts of
numbers, powers, remainders, angles, and logarithms near 1."""

from __future__ import annotations

import math
from functools import partial

from ..calls.spec import Spec
from ..types.dtypes import is_number
from ..types.expr import Call, Const, Expr
from . import operations as op
from .arguments import require_float
from .language import DTypeLike, LayoutLike, TensorOrNumber, call, forms_of
from .maps import BROADCAST, INTEGERS, NUMBERS, X, Y, of_one, of_two

ZERO, ONE = Const(0), Const(1)


def _floored(x: Expr) -> Expr:
    """The nearest whole number, and one less where that is above x."""
    near = Call("round", (x,))
    return Call("sub", (near, Call("lt", (x, near))))


def _sign(x: Expr) -> Expr:
    sides = Call("sub", (Call("lt", (ZERO, x)), Call("lt", (x, ZERO))))
    return Call("where", (Call("eq", (x, x)), sides, x))


def _modulo(x: Expr, y: Expr) -> Expr:
    """What C's fmod leaves, and y more where it has the other sign."""
    rest = Call("fmod", (x, y))
    moved = Call("add", (rest, y))
    is_below, is_above = Call("lt", (rest, ZERO)), Call("lt", (ZERO, rest))
    of_below = Call("where", (Call("lt", (ZERO, y)), moved, rest))
    of_above = Call("where", (Call("lt", (y, ZERO)), moved, rest))
    return Call("where", (is_below, of_below, Call("where", (is_above, of_above, rest))))


def log1p_of(x: Expr) -> Expr:
    """log(1 + x) right to its last digits near 0: what the sum u loses is in log(u) and in u - 1 alike (Kahan)."""
    whole = Call("add", (ONE, x))
    quotient = Call("div", (x, Call("sub", (whole, ONE))))
    near = Call("mul", (Call("log", (whole,)), quotient))
    is_far = Call("eq", (Call("add", (whole, whole)), whole))
    return Call("where", (Call("eq", (whole, ONE)), x, Call("where", (is_far, Call("log", (whole,)), near))))


def expm1_of(x: Expr) -> Expr:
    """exp(x) - 1 right to its last digits near 0, where it is 2 t / (1 - t), t = tanh(x / 2)."""
    half = Call("tanh", (Call("mul", (x, Const(0.5))),))
    near = Call("div", (Call("add", (half, half)), Call("sub", (ONE, half))))
    is_near = Call("lt", (Call("abs", (x,)), Const(0.5)))
    return Call("where", (is_near, near, Call("sub", (Call("exp", (x,)), ONE))))


of_floats = partial(of_one, check=require_float)

floor = of_floats("floor", "The largest whole number that is not above each element.", _floored(X))
ceil = of_floats(
    "ceil",
    "The smallest whole number that is not below each element.",
    Call("neg", (_floored(Call("neg", (X,))),)),
)
sign = of_one(
    "sign",
    "-1 of what is below 0, 1 of what is above it, 0 of 0 and NaN of NaN, element by element.",
    _sign(X),
    NUMBERS,
)
reciprocal = of_floats("reciprocal", "1 / x, element by element.", Call("div", (ONE, X)))
sin = of_floats("sin", "The sine of each element, in radians.")
cos = of_floats("cos", "The cosine of each element, in radians.")
asin = of_floats("asin", "The angle, in radians, whose sine each element is; NaN beyond -1 and 1.")
acos = of_floats("acos", "The angle, in radians, whose cosine each element is; NaN beyond -1 and 1.")
atan = of_floats("atan", "The angle, in radians, whose tangent each element is.")
log1p = of_floats(
    "log1p",
    "log(1 + x), element by element, right to its last digits near 0 as well; NaN below -1, -inf at -1.",
    log1p_of(X),
)
expm1 = of_floats("expm1", "exp(x) - 1, element by element, right to its last digits near 0 as well.", expm1_of(X))

_LEFT = "What is left of x by whole multiples of y"
fmod = of_two("fmod", f"{_LEFT}, with the sign of x, as C's fmod; {BROADCAST}.")
mod = of_two("mod", f"{_LEFT}, with the sign of y, as Python's %; {BROADCAST}.", _modulo(X, Y))

of_bits = partial(of_two, of=INTEGERS)
bitwise_and = of_bits("bitwise_and", f"The bits that two elements both have; {BROADCAST}.")
bitwise_or = of_bits("bitwise_or", f"The bits that one of two elements has, or both; {BROADCAST}.")
bitwise_xor = of_bits("bitwise_xor", f"The bits that one of two elements has, and not both; {BROADCAST}.")

_SQUARE, _INVERSE = Call("mul", (X, X)), Call("div", (ONE, X))
_IS_LOWEST, _UNSIGNED = Call("eq", (X, Const(-math.inf))), Call("add", (X, ZERO))  # of -0 a power is as of 0
_POWERS: dict[float, Expr] = {
    1: X,
    2: _SQUARE,
    3: Call("mul", (_SQUARE, X)),
    4: Call("mul", (_SQUARE, _SQUARE)),
    0.5: Call("where", (_IS_LOWEST, Const(math.inf), Call("sqrt", (_UNSIGNED,)))),
    -0.5: Call("where", (_IS_LOWEST, ZERO, Call("rsqrt", (_UNSIGNED,)))),
    -1: _INVERSE,
    -2: Call("mul", (_INVERSE, _INVERSE)),
}
"""Powers that are made of other functions."""


@call
def power(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x to the power y, element by element; the operands broadcast as in NumPy.

    IEEE 754 says what is at zeros and infinities; below 0 it is NaN but where y is whole. Where y is the number 1, 2, 3
    or 4 it is products, also of integers; for -1 and -2 a quotient and its square, for 0.5 and -0.5 a root.

    Args:
        x: floats, of any shape; or one of Python.
        y: floats, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.power(gt.tensor((8, 4)), gt.tensor((4,))))
        power(f32[8,4], f32[4]) -> f32[8,4]
    """
    if is_number(y) and y in _POWERS and not is_number(x):
        if y not in (1, 2, 3, 4):
            require_float("power", x)
        return op._map("power", _POWERS[y], (x,), op.ResultType(dtype, layout), attributes=f", {y}")
    for each in (x, y):
        require_float("power", each)
    return op._map("power", Call("power", (X, Y)), (x, y), op.ResultType(dtype, layout))


FORMS = forms_of(
    floor,
    ceil,
    sign,
    reciprocal,
    sin,
    cos,
    asin,
    acos,
    atan,
    log1p,
    expm1,
    power,
    fmod,
    mod,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
)
