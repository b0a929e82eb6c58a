"""Elementwise calls that are written with several functions in one body, or with one that is not a usual one: parts of
numbers, powers, remainders, angles, and logarithms near 1."""

from __future__ import annotations

from . import operations as op
from .dtypes import is_number
from .expr import Arg, Call, Const, Expr
from .language import DTypeLike, LayoutLike, TensorLike, TensorOrNumber, call
from .spec import Spec

_X, _Y = Arg(0), Arg(1)
ZERO, ONE = Const(0), Const(1)


def _of_floats(
    name: str, body: Expr, args: tuple[TensorOrNumber, ...], dtype: DTypeLike | None, layout: LayoutLike | None
) -> Spec:
    for x in args:
        op.require_float(name, x)
    return op._map(name, body, args, dtype, layout)


def _floored(x: Expr) -> Expr:
    """The nearest whole number, and one less where that is above x."""
    near = Call("round", (x,))
    return Call("sub", (near, Call("lt", (x, near))))


@call
def floor(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The largest whole number that is not above each element.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.floor(gt.tensor((8, 4))))
        floor(f32[8,4]) -> f32[8,4]
    """
    return _of_floats("floor", _floored(_X), (x,), dtype, layout)


@call
def ceil(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The smallest whole number that is not below each element.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.ceil(gt.tensor((8, 4))))
        ceil(f32[8,4]) -> f32[8,4]
    """
    return _of_floats("ceil", Call("neg", (_floored(Call("neg", (_X,))),)), (x,), dtype, layout)


@call
def sign(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """-1 of what is below 0, 1 of what is above it, 0 of 0 and NaN of NaN, element by element.

    Args:
        x: numbers, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.sign(gt.tensor((8, 4))))
        sign(f32[8,4]) -> f32[8,4]
    """
    sides = Call("sub", (Call("lt", (ZERO, _X)), Call("lt", (_X, ZERO))))
    return op._map("sign", Call("where", (Call("eq", (_X, _X)), sides, _X)), (x,), dtype, layout)


@call
def reciprocal(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """1 / x, element by element.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.reciprocal(gt.tensor((8, 4))))
        reciprocal(f32[8,4]) -> f32[8,4]
    """
    return _of_floats("reciprocal", Call("div", (ONE, _X)), (x,), dtype, layout)


@call
def sin(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The sine of each element, in radians.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.sin(gt.tensor((8, 4))))
        sin(f32[8,4]) -> f32[8,4]
    """
    return _of_floats("sin", Call("sin", (_X,)), (x,), dtype, layout)


@call
def cos(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The cosine of each element, in radians.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.cos(gt.tensor((8, 4))))
        cos(f32[8,4]) -> f32[8,4]
    """
    return _of_floats("cos", Call("cos", (_X,)), (x,), dtype, layout)


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


@call
def log1p(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """log(1 + x), element by element, right to its last digits near 0 as well; NaN below -1, -inf at -1.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.log1p(gt.tensor((8, 4))))
        log1p(f32[8,4]) -> f32[8,4]
    """
    return _of_floats("log1p", log1p_of(_X), (x,), dtype, layout)


@call
def expm1(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """exp(x) - 1, element by element, right to its last digits near 0 as well.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.expm1(gt.tensor((8, 4))))
        expm1(f32[8,4]) -> f32[8,4]
    """
    return _of_floats("expm1", expm1_of(_X), (x,), dtype, layout)


_SQUARE = Call("mul", (_X, _X))
_POWERS: dict[float, Expr] = {
    1: _X,
    2: _SQUARE,
    3: Call("mul", (_SQUARE, _X)),
    4: Call("mul", (_SQUARE, _SQUARE)),
    0.5: Call("sqrt", (_X,)),
    -0.5: Call("rsqrt", (_X,)),
    -1: Call("div", (ONE, _X)),
    -2: Call("div", (ONE, _SQUARE)),
}
"""Powers that are made of other functions."""


@call
def power(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x to the power y, element by element; the operands broadcast as in NumPy.

    IEEE 754 says what is at zeros and infinities; below 0 it is NaN but where y is whole. Where y is the number 1, 2, 3
    or 4 it is products, also of integers; for -1 and -2 a quotient, for 0.5 and -0.5 `sqrt` and `rsqrt`: NaN at -inf.

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
            op.require_float("power", x)
        return op._map("power", _POWERS[y], (x,), dtype, layout, attributes=f", {y}")
    return _of_floats("power", Call("power", (_X, _Y)), (x, y), dtype, layout)


@call
def fmod(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """What is left of x by whole multiples of y, with the sign of x, as C's fmod; the operands broadcast as in NumPy.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.fmod(gt.tensor((8, 4)), gt.tensor((4,))))
        fmod(f32[8,4], f32[4]) -> f32[8,4]
    """
    return op._map("fmod", Call("fmod", (_X, _Y)), (x, y), dtype, layout)


@call
def mod(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """What is left of x by whole multiples of y, with the sign of y, as Python's %; the operands broadcast as in NumPy.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.mod(gt.tensor((8, 4)), gt.tensor((4,))))
        mod(f32[8,4], f32[4]) -> f32[8,4]
    """
    rest = Call("fmod", (_X, _Y))
    moved = Call("add", (rest, _Y))
    is_below, is_above = Call("lt", (rest, ZERO)), Call("lt", (ZERO, rest))
    of_below = Call("where", (Call("lt", (ZERO, _Y)), moved, rest))
    of_above = Call("where", (Call("lt", (_Y, ZERO)), moved, rest))
    body = Call("where", (is_below, of_below, Call("where", (is_above, of_above, rest))))
    return op._map("mod", body, (x, y), dtype, layout)


FORMS: dict[str, op.Form] = {
    **{f.__name__: op.Form(f, 1) for f in (floor, ceil, sign, reciprocal, sin, cos, log1p, expm1)},
    **{f.__name__: op.Form(f, 2, reals=(0, 1)) for f in (power, fmod, mod)},
}
