"""Elementwise calls whose body has several functions, or one that is not a usual one. They are parts of numbers,
powers, remainders, angles, logarithms near 1, and activations with numbers of their own."""

from __future__ import annotations

import math
from functools import partial

from ..calls.spec import Spec
from ..calls.value import number_text
from ..types.dtypes import as_scalar, exact, is_number
from ..types.expr import Expr, apply
from .elementwise import BROADCAST, INTEGERS, NUMBERS, X, Y, of_one, of_two
from .language import (
    DTypeLike,
    LayoutLike,
    TensorLike,
    TensorOrNumber,
    attributes_text,
    call,
    require_finite,
    require_float,
    require_number,
    require_type,
)
from .nesting import ResultType, mapped


def _floored(x: Expr) -> Expr:
    """The nearest whole number, and one less where that is above x."""
    near = apply("round", x)
    return near - (x < near)


def _sign(x: Expr) -> Expr:
    return apply("where", apply("eq", x, x), (x > 0) - (x < 0), x)


def _modulo(x: Expr, y: Expr) -> Expr:
    """What C's fmod leaves, and y more where it has the other sign."""
    rest = apply("fmod", x, y)
    moved = rest + y
    of_below = apply("where", y > 0, moved, rest)
    of_above = apply("where", y < 0, moved, rest)
    return apply("where", rest < 0, of_below, apply("where", rest > 0, of_above, rest))


def _log1p(x: Expr) -> Expr:
    """log(1 + x) right to its last digits near 0: what the sum u loses is in log(u) and in u - 1 alike (Kahan)."""
    whole = 1 + x
    near = apply("log", whole) * (x / (whole - 1))
    is_far = apply("eq", whole + whole, whole)
    return apply("where", apply("eq", whole, 1), x, apply("where", is_far, apply("log", whole), near))


def _expm1(x: Expr, power: Expr | None = None) -> Expr:
    """exp(x) - 1 right to its last digits near 0, where it is 2 t / (1 - t), t = tanh(x / 2)."""
    half = apply("tanh", x * 0.5)
    far = (apply("exp", x) if power is None else power) - 1
    return apply("where", apply("abs", x) < 0.5, (half + half) / (1 - half), far)


_SMALL = apply("decay", -apply("abs", X))
"""exp(-|x|): a number below the normal range is nothing beside one that is not small."""


of_floats = partial(of_one, check=require_float)

floor = of_floats("floor", "The largest whole number that is not above each element.", _floored(X))
ceil = of_floats(
    "ceil",
    "The smallest whole number that is not below each element.",
    -_floored(-X),
)
sign = of_one(
    "sign",
    "-1 of what is below 0, 1 of what is above it, 0 of 0 and NaN of NaN, element by element.",
    _sign(X),
    NUMBERS,
)
reciprocal = of_floats("reciprocal", "1 / x, element by element.", 1 / X)
sin = of_floats("sin", "The sine of each element, in radians.")
cos = of_floats("cos", "The cosine of each element, in radians.")
asin = of_floats("asin", "The angle, in radians, whose sine each element is; NaN beyond -1 and 1.")
acos = of_floats("acos", "The angle, in radians, whose cosine each element is; NaN beyond -1 and 1.")
atan = of_floats("atan", "The angle, in radians, whose tangent each element is.")
log1p = of_floats(
    "log1p",
    "log(1 + x), element by element, right to its last digits near 0 as well; NaN below -1, -inf at -1.",
    _log1p(X),
)
expm1 = of_floats("expm1", "exp(x) - 1, element by element, right to its last digits near 0 as well.", _expm1(X))

_LEFT = "What is left of x by whole multiples of y"
fmod = of_two("fmod", f"{_LEFT}, with the sign of x, as C's fmod; {BROADCAST}.")
mod = of_two("mod", f"{_LEFT}, with the sign of y, as Python's %; {BROADCAST}.", _modulo(X, Y))

of_bits = partial(of_two, of=INTEGERS)
bitwise_and = of_bits("bitwise_and", f"The bits that two elements both have; {BROADCAST}.")
bitwise_or = of_bits("bitwise_or", f"The bits that one of two elements has, or both; {BROADCAST}.")
bitwise_xor = of_bits("bitwise_xor", f"The bits that one of two elements has, and not both; {BROADCAST}.")

_SQUARE, _INVERSE = X * X, 1 / X
_IS_LOWEST, _UNSIGNED = apply("eq", X, -math.inf), X + 0  # of -0 a power is as of 0
_POWERS: dict[float, Expr] = {
    1: X,
    2: _SQUARE,
    3: _SQUARE * X,
    4: _SQUARE * _SQUARE,
    0.5: apply("where", _IS_LOWEST, math.inf, apply("sqrt", _UNSIGNED)),
    -0.5: apply("where", _IS_LOWEST, 0, apply("rsqrt", _UNSIGNED)),
    -1: _INVERSE,
    -2: _INVERSE * _INVERSE,
}
"""Powers that are made of other functions."""


@call
def power(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x to the power y, element by element; the operands broadcast as in NumPy.

    IEEE 754 defines the results at zeros and infinities; below 0 it is NaN but where y is whole. Where y is the number
    1, 2, 3 or 4 it is products, also of integers; for -1 and -2 a quotient and its square, for 0.5 and -0.5 a root.

    Args:
        x: floats, of any shape; or one of Python.
        y: floats, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; the wider of the operands' where left out.

    Examples:
        >>> print(gt.power(gt.tensor((8, 4)), gt.tensor((4,))))
        power(f32[8,4], f32[4]) -> f32[8,4]
    """
    if is_number(y) and y in _POWERS and not is_number(x):
        if y not in (1, 2, 3, 4):
            require_float("power", x)
        return mapped("power", _POWERS[y], (x,), ResultType(dtype, layout))
    for each in (x, y):
        require_float("power", each)
    return mapped("power", apply("power", X, Y), (x, y), ResultType(dtype, layout))


def _activation(
    name: str, body: Expr, x: TensorLike, dtype: DTypeLike | None, layout: LayoutLike | None, **numbers: float
) -> Spec:
    """A map of floats, written with the numbers that it has."""
    require_float(name, x)
    return mapped(name, body, (x,), ResultType(dtype, layout), text=attributes_text(**numbers))


def _bounded(x: Expr, low: float, high: float) -> Expr:
    return apply("minimum", apply("maximum", x, low), high)


@call
def clip(
    x: TensorLike,
    low: float | None = None,
    high: float | None = None,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """x where it lies from `low` to `high`, else the nearer of the two; NaN stays, and `high` wins over a larger `low`.

    Args:
        x: numbers, of any shape.
        low: the least result, which x's dtype holds; None: there is none.
        high: the largest one, likewise.

    Examples:
        >>> print(gt.clip(gt.tensor((8, 4)), low=0, high=6))
        clip(f32[8,4], low=0, high=6) -> f32[8,4]
    """
    body: Expr = X
    bounds: dict[str, str] = {}
    for key, function, bound in (("low", "maximum", low), ("high", "minimum", high)):
        if bound is not None:
            require_number("clip", key, bound)
            held = as_scalar(bound, require_type("clip", x).dtype, f"{key} of clip")
            body, bounds[key] = apply(function, body, exact(held)), number_text(bound)
    return mapped("clip", body, (x,), ResultType(dtype, layout), text=attributes_text(**bounds))


@call
def leaky_relu(
    x: TensorLike, alpha: float = 0.01, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x, and alpha * x below 0, element by element.

    Args:
        x: floats, of any shape.
        alpha: the slope below 0.

    Examples:
        >>> print(gt.leaky_relu(gt.tensor((8, 4)), alpha=0.2))
        leaky_relu(f32[8,4], alpha=0.2) -> f32[8,4]
    """
    alpha = require_finite("leaky_relu", "alpha", alpha)
    body = apply("where", X < 0, X * alpha, X)
    return _activation("leaky_relu", body, x, dtype, layout, alpha=alpha)


@call
def prelu(
    x: TensorLike, slope: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x, and slope * x below 0, element by element; the operands broadcast as in NumPy.

    Args:
        x: floats, of any shape.
        slope: floats, of a shape that broadcasts with that of x, such as [c, 1, 1] for channels of an image.
        dtype: of the result; the wider of the operands' where left out.

    Examples:
        >>> print(gt.prelu(gt.tensor((1, 3, 8, 8)), gt.tensor((3, 1, 1))))
        prelu(f32[1,3,8,8], f32[3,1,1]) -> f32[1,3,8,8]
    """
    require_float("prelu", x)
    return mapped("prelu", apply("where", X < 0, X * Y, X), (x, slope), ResultType(dtype, layout))


@call
def elu(x: TensorLike, alpha: float = 1.0, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """x, and alpha * (exp(x) - 1) below 0, element by element.

    Args:
        x: floats, of any shape.
        alpha: what the result goes down to is -alpha.

    Examples:
        >>> print(gt.elu(gt.tensor((8, 4))))
        elu(f32[8,4], alpha=1) -> f32[8,4]
    """
    alpha = require_finite("elu", "alpha", alpha)
    below = _expm1(X, _SMALL) if alpha == 1 else _expm1(X, _SMALL) * alpha
    return _activation("elu", apply("where", X < 0, below, X), x, dtype, layout, alpha=alpha)


@call
def softplus(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """log(1 + exp(x)), element by element, right to its last digits where it is small as well.

    It is 0 where it would be less than the normal range.

    Args:
        x: floats, of any shape.

    Examples:
        >>> print(gt.softplus(gt.tensor((8, 4))))
        softplus(f32[8,4]) -> f32[8,4]
    """
    whole = 1 + _SMALL
    lost = whole - 1 - _SMALL
    return _activation("softplus", apply("relu", X) + (apply("log", whole) - lost / whole), x, dtype, layout)


@call
def hard_sigmoid(
    x: TensorLike,
    alpha: float = 0.2,
    beta: float = 0.5,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """alpha * x + beta, from 0 to 1, element by element.

    Args:
        x: floats, of any shape.
        alpha: the slope.
        beta: what it is at 0.

    Examples:
        >>> print(gt.hard_sigmoid(gt.tensor((8, 4))))
        hard_sigmoid(f32[8,4], alpha=0.2, beta=0.5) -> f32[8,4]
    """
    alpha, beta = require_finite("hard_sigmoid", "alpha", alpha), require_finite("hard_sigmoid", "beta", beta)
    return _activation("hard_sigmoid", _bounded(X * alpha + beta, 0, 1), x, dtype, layout, alpha=alpha, beta=beta)


@call
def hard_swish(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """x times x + 3 from 0 to 6, over 6, element by element.

    It is `x * hard_sigmoid(x, 1/6, 1/2)`, right to its last digits near -3 as well.

    Args:
        x: floats, of any shape.

    Examples:
        >>> print(gt.hard_swish(gt.tensor((8, 4))))
        hard_swish(f32[8,4]) -> f32[8,4]
    """
    return _activation("hard_swish", X * (_bounded(X + 3.0, 0, 6.0) * (1 / 6)), x, dtype, layout)
