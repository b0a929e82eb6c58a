"""Activations that are a few functions in one body, with numbers of their own."""

from __future__ import annotations

from ..calls.spec import Spec, number_text
from ..types.dtypes import as_scalar, exact
from ..types.expr import Arg, Call, Const, Expr
from . import operations as op
from .arguments import attribute_text, require_finite, require_float, require_number, require_type
from .arithmetic import ONE, ZERO, expm1_of
from .language import DTypeLike, LayoutLike, TensorLike, call, forms_of

_X = Arg(0)


def _activation(
    name: str, body: Expr, x: TensorLike, dtype: DTypeLike | None, layout: LayoutLike | None, **numbers: float
) -> Spec:
    """A map of floats, told with the numbers that it has."""
    require_float(name, x)
    attributes = "".join(f", {key}={attribute_text(value)}" for key, value in numbers.items())
    return op._map(name, body, (x,), op.ResultType(dtype, layout), attributes=attributes)


def _bounded(x: Expr, low: Expr, high: Expr) -> Expr:
    return Call("minimum", (Call("maximum", (x, low)), high))


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
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.clip(gt.tensor((8, 4)), low=0, high=6))
        clip(f32[8,4], low=0, high=6) -> f32[8,4]
    """
    body: Expr = _X
    attributes = ""
    for key, function, bound in (("low", "maximum", low), ("high", "minimum", high)):
        if bound is not None:
            require_number("clip", key, bound)
            held = as_scalar(bound, require_type("clip", x).dtype, f"{key} of clip")
            body = Call(function, (body, Const(exact(held))))
            attributes += f", {key}={number_text(bound)}"
    return op._map("clip", body, (x,), op.ResultType(dtype, layout), attributes=attributes)


@call
def leaky_relu(
    x: TensorLike, alpha: float = 0.01, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x, and alpha * x below 0, element by element.

    Args:
        x: floats, of any shape.
        alpha: the slope below 0.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.leaky_relu(gt.tensor((8, 4)), alpha=0.2))
        leaky_relu(f32[8,4], alpha=0.2) -> f32[8,4]
    """
    alpha = require_finite("leaky_relu", "alpha", alpha)
    body = Call("where", (Call("lt", (_X, ZERO)), Call("mul", (_X, Const(alpha))), _X))
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

    Example:
        >>> print(gt.prelu(gt.tensor((1, 3, 8, 8)), gt.tensor((3, 1, 1))))
        prelu(f32[1,3,8,8], f32[3,1,1]) -> f32[1,3,8,8]
    """
    require_float("prelu", x)
    body = Call("where", (Call("lt", (_X, ZERO)), Call("mul", (_X, Arg(1))), _X))
    return op._map("prelu", body, (x, slope), op.ResultType(dtype, layout))


@call
def elu(x: TensorLike, alpha: float = 1.0, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """x, and alpha * (exp(x) - 1) below 0, element by element.

    Args:
        x: floats, of any shape.
        alpha: what the result goes down to is -alpha.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.elu(gt.tensor((8, 4))))
        elu(f32[8,4], alpha=1) -> f32[8,4]
    """
    alpha = require_finite("elu", "alpha", alpha)
    below = expm1_of(_X) if alpha == 1 else Call("mul", (expm1_of(_X), Const(alpha)))
    return _activation("elu", Call("where", (Call("lt", (_X, ZERO)), below, _X)), x, dtype, layout, alpha=alpha)


@call
def softplus(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """log(1 + exp(x)), element by element, right to its last digits where it is small as well.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.softplus(gt.tensor((8, 4))))
        softplus(f32[8,4]) -> f32[8,4]
    """
    small = Call("exp", (Call("neg", (Call("abs", (_X,)),)),))
    whole = Call("add", (ONE, small))
    lost = Call("sub", (Call("sub", (whole, ONE)), small))
    rest = Call("sub", (Call("log", (whole,)), Call("div", (lost, whole))))
    return _activation("softplus", Call("add", (Call("relu", (_X,)), rest)), x, dtype, layout)


def _gate(alpha: float, beta: float) -> Expr:
    return _bounded(Call("add", (Call("mul", (_X, Const(alpha))), Const(beta))), ZERO, ONE)


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
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.hard_sigmoid(gt.tensor((8, 4))))
        hard_sigmoid(f32[8,4], alpha=0.2, beta=0.5) -> f32[8,4]
    """
    alpha, beta = require_finite("hard_sigmoid", "alpha", alpha), require_finite("hard_sigmoid", "beta", beta)
    return _activation("hard_sigmoid", _gate(alpha, beta), x, dtype, layout, alpha=alpha, beta=beta)


@call
def hard_swish(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """x times x + 3 from 0 to 6, over 6, element by element.

    It is `x * hard_sigmoid(x, 1/6, 1/2)`, right to its last digits near -3 as well.

    Args:
        x: floats, of any shape.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.hard_swish(gt.tensor((8, 4))))
        hard_swish(f32[8,4]) -> f32[8,4]
    """
    share = Call("mul", (_bounded(Call("add", (_X, Const(3.0))), ZERO, Const(6.0)), Const(1 / 6)))
    return _activation("hard_swish", Call("mul", (_X, share)), x, dtype, layout)


FORMS = forms_of(clip, leaky_relu, prelu, elu, softplus, hard_sigmoid, hard_swish)
