"""The elementwise calls: functions of one tensor, of two, and a choice between two. A call over others is one map with
them, where nothing between them is rounded."""

from __future__ import annotations

from functools import cache

from ..errors import SpecError
from ..functions import Function
from . import operations as op
from .expr import Arg, Call
from .language import DTypeLike, LayoutLike, TensorLike, TensorOrNumber, call
from .spec import Spec


def _unary(name: str, x: TensorLike, dtype: DTypeLike | None, layout: LayoutLike | None) -> Spec:
    return op._map(name, Call(name, (Arg(0),)), (x,), dtype, layout)


def _binary(
    name: str, x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None, layout: LayoutLike | None
) -> Spec:
    return op._map(name, Call(name, (Arg(0), Arg(1))), (x, y), dtype, layout)


@call
def neg(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """-x, element by element.

    Args:
        x: numbers, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.neg(gt.tensor((8, 4))))
        neg(f32[8,4]) -> f32[8,4]
    """
    return _unary("neg", x, dtype, layout)


@call
def abs(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The absolute value of each element.

    Args:
        x: numbers, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.abs(gt.tensor((8, 4))))
        abs(f32[8,4]) -> f32[8,4]
    """
    return _unary("abs", x, dtype, layout)


@call
def round(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The nearest whole number, of two equally near the even one.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.round(gt.tensor((8, 4))))
        round(f32[8,4]) -> f32[8,4]
    """
    return _unary("round", x, dtype, layout)


@call
def exp(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """e to the power of each element.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.exp(gt.tensor((8, 4))))
        exp(f32[8,4]) -> f32[8,4]
    """
    return _unary("exp", x, dtype, layout)


@call
def log(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The natural logarithm of each element; NaN below 0, -inf at 0.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.log(gt.tensor((8, 4))))
        log(f32[8,4]) -> f32[8,4]
    """
    return _unary("log", x, dtype, layout)


@call
def sqrt(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The square root of each element; NaN below 0.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.sqrt(gt.tensor((8, 4))))
        sqrt(f32[8,4]) -> f32[8,4]
    """
    return _unary("sqrt", x, dtype, layout)


@call
def rsqrt(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """1 / sqrt(x), element by element.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.rsqrt(gt.tensor((8, 4))))
        rsqrt(f32[8,4]) -> f32[8,4]
    """
    return _unary("rsqrt", x, dtype, layout)


@call
def tanh(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The hyperbolic tangent of each element.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.tanh(gt.tensor((8, 4))))
        tanh(f32[8,4]) -> f32[8,4]
    """
    return _unary("tanh", x, dtype, layout)


@call
def erf(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The error function of each element.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.erf(gt.tensor((8, 4))))
        erf(f32[8,4]) -> f32[8,4]
    """
    return _unary("erf", x, dtype, layout)


@call
def sigmoid(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """1 / (1 + exp(-x)), element by element.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.sigmoid(gt.tensor((8, 4))))
        sigmoid(f32[8,4]) -> f32[8,4]
    """
    return _unary("sigmoid", x, dtype, layout)


@call
def relu(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """max(x, 0), element by element.

    Args:
        x: numbers, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.relu(gt.tensor((8, 4))))
        relu(f32[8,4]) -> f32[8,4]
    """
    return _unary("relu", x, dtype, layout)


@call
def silu(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """x * sigmoid(x), element by element.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.silu(gt.tensor((8, 4))))
        silu(f32[8,4]) -> f32[8,4]
    """
    return _unary("silu", x, dtype, layout)


@call
def add(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x + y, element by element; the operands broadcast as in NumPy.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.add(gt.tensor((8, 4)), gt.tensor((4,))))
        add(f32[8,4], f32[4]) -> f32[8,4]
    """
    return _binary("add", x, y, dtype, layout)


@call
def sub(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x - y, element by element; the operands broadcast as in NumPy.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.sub(gt.tensor((8, 4)), gt.tensor((4,))))
        sub(f32[8,4], f32[4]) -> f32[8,4]
    """
    return _binary("sub", x, y, dtype, layout)


@call
def mul(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x * y, element by element; the operands broadcast as in NumPy.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.mul(gt.tensor((8, 4)), gt.tensor((4,))))
        mul(f32[8,4], f32[4]) -> f32[8,4]
    """
    return _binary("mul", x, y, dtype, layout)


@call
def div(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x / y, element by element; of integers the quotient is cut off towards 0. The operands broadcast as in NumPy.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.div(gt.tensor((8, 4)), gt.tensor((4,))))
        div(f32[8,4], f32[4]) -> f32[8,4]
    """
    return _binary("div", x, y, dtype, layout)


@call
def maximum(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """The larger of two elements, NaN where one is NaN; the operands broadcast as in NumPy.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.maximum(gt.tensor((8, 4)), gt.tensor((4,))))
        maximum(f32[8,4], f32[4]) -> f32[8,4]
    """
    return _binary("maximum", x, y, dtype, layout)


@call
def minimum(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """The smaller of two elements, NaN where one is NaN; the operands broadcast as in NumPy.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; the wider of the operands' where left out.

    Example:
        >>> print(gt.minimum(gt.tensor((8, 4)), gt.tensor((4,))))
        minimum(f32[8,4], f32[4]) -> f32[8,4]
    """
    return _binary("minimum", x, y, dtype, layout)


@call
def gelu(
    x: TensorLike, approximate: str = "none", dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x * Phi(x), element by element, with Phi the normal distribution; exactly, or by tanh.

    Args:
        x: floats, of any shape.
        approximate: "none", or "tanh" for x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.gelu(gt.tensor((8, 4)), approximate="tanh"))
        gelu(f32[8,4], approximate=tanh) -> f32[8,4]
    """
    if approximate not in ("none", "tanh"):
        raise SpecError(f"gelu expects approximate to be none or tanh, found {approximate}")
    name, attributes = ("gelu_tanh", ", approximate=tanh") if approximate == "tanh" else ("gelu", "")
    return op._map(name, Call(name, (Arg(0),)), (x,), dtype, layout, verb="gelu", attributes=attributes)


@call
def where(
    p: TensorLike,
    x: TensorOrNumber,
    y: TensorOrNumber,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """x where p holds, else y, element by element; the three broadcast as in NumPy.

    Args:
        p: conditions, of dtype pred.
        x: what is taken where p holds; or one number of Python.
        y: what is taken elsewhere; or one number of Python.
        dtype: of the result; the wider of those of x and y where left out, f32 where both are numbers.

    Example:
        >>> print(gt.where(gt.tensor((8, 4), "pred"), gt.tensor((8, 4)), gt.tensor((4,))))
        where(pred[8,4], f32[8,4], f32[4]) -> f32[8,4]
    """
    condition = op._type("where", p)
    if condition.dtype != "pred":
        raise SpecError(
            f"where expects pred as its first operand, found {condition}; cast it first: cast({condition}) ->"
            f" pred{list(condition.shape)}"
        )
    return op._map("where", Call("where", (Arg(0), Arg(1), Arg(2))), (p, x, y), dtype, layout)


@cache
def declared(function: Function) -> op.Form:
    """The call of a declared function for which none is written here."""

    @call
    def constructor(*operands: TensorLike, dtype: DTypeLike | None = None, layout: LayoutLike | None = None) -> Spec:
        count = len(function.arguments)
        if len(operands) != count:
            raise SpecError(f"{function.name} expects operands {', '.join(function.arguments)}, found {len(operands)}")
        body = Call(function.name, tuple(map(Arg, range(count))))
        return op._map(function.name, body, operands, dtype, layout)

    constructor.__name__ = constructor.__qualname__ = function.name
    return op.Form(constructor, len(function.arguments))


FORMS: dict[str, op.Form] = {
    **{f.__name__: op.Form(f, 1) for f in (neg, abs, round, exp, log, sqrt, rsqrt, tanh, erf, sigmoid, relu)},
    "gelu": op.Form(gelu, 1, ("approximate",)),
    "silu": op.Form(silu, 1),
    **{f.__name__: op.Form(f, 2, reals=(0, 1)) for f in (add, sub, mul, div, maximum, minimum)},
    "where": op.Form(where, 3, reals=(1, 2)),
}
