"""Comparisons of two tensors, and logic of their results: maps that give pred."""

from __future__ import annotations

from ..errors import SpecError
from . import operations as op
from .dtypes import dtype_or
from .expr import Arg, Call, Const, Expr
from .language import DTypeLike, LayoutLike, TensorLike, TensorOrNumber, call
from .spec import Spec

_X, _Y = Arg(0), Arg(1)


def _compared(
    name: str, holds: Expr, x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None, layout: LayoutLike | None
) -> Spec:
    return op._map(name, holds, (x, y), dtype_or(dtype, "pred"), layout)


def _joined(
    name: str, holds: Expr, args: tuple[TensorLike, ...], dtype: DTypeLike | None, layout: LayoutLike | None
) -> Spec:
    """Logic of conditions."""
    for x in args:
        if (found := op._type(name, x)).dtype != "pred":
            raise SpecError(f"{name} expects pred, found {found}; compare it first: not_equal({found}, 0)")
    return op._map(name, holds, args, dtype, layout)


@call
def equal(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """Where x == y, element by element; the operands broadcast as in NumPy. NaN is equal to nothing.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; pred where left out.

    Example:
        >>> print(gt.equal(gt.tensor((8, 4)), gt.tensor((4,))))
        equal(f32[8,4], f32[4]) -> pred[8,4]
    """
    return _compared("equal", Call("eq", (_X, _Y)), x, y, dtype, layout)


@call
def not_equal(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """Where x != y, element by element; the operands broadcast as in NumPy. NaN is equal to nothing.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; pred where left out.

    Example:
        >>> print(gt.not_equal(gt.tensor((8, 4)), gt.tensor((4,))))
        not_equal(f32[8,4], f32[4]) -> pred[8,4]
    """
    return _compared("not_equal", Call("sub", (Const(1), Call("eq", (_X, _Y)))), x, y, dtype, layout)


@call
def less(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """Where x < y, element by element; the operands broadcast as in NumPy. Of NaN nothing holds.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; pred where left out.

    Example:
        >>> print(gt.less(gt.tensor((8, 4)), gt.tensor((4,))))
        less(f32[8,4], f32[4]) -> pred[8,4]
    """
    return _compared("less", Call("lt", (_X, _Y)), x, y, dtype, layout)


@call
def less_equal(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """Where x <= y, element by element; the operands broadcast as in NumPy. Of NaN nothing holds.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; pred where left out.

    Example:
        >>> print(gt.less_equal(gt.tensor((8, 4)), gt.tensor((4,))))
        less_equal(f32[8,4], f32[4]) -> pred[8,4]
    """
    return _compared("less_equal", Call("le", (_X, _Y)), x, y, dtype, layout)


@call
def greater(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """Where x > y, element by element; the operands broadcast as in NumPy. Of NaN nothing holds.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; pred where left out.

    Example:
        >>> print(gt.greater(gt.tensor((8, 4)), gt.tensor((4,))))
        greater(f32[8,4], f32[4]) -> pred[8,4]
    """
    return _compared("greater", Call("lt", (_Y, _X)), x, y, dtype, layout)


@call
def greater_equal(
    x: TensorOrNumber, y: TensorOrNumber, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """Where x >= y, element by element; the operands broadcast as in NumPy. Of NaN nothing holds.

    Args:
        x: numbers, of any shape; or one of Python.
        y: numbers, of a shape that broadcasts with that of x; or one of Python.
        dtype: of the result; pred where left out.

    Example:
        >>> print(gt.greater_equal(gt.tensor((8, 4)), gt.tensor((4,))))
        greater_equal(f32[8,4], f32[4]) -> pred[8,4]
    """
    return _compared("greater_equal", Call("le", (_Y, _X)), x, y, dtype, layout)


@call
def logical_and(
    x: TensorLike, y: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """Where both x and y hold, element by element; the operands broadcast as in NumPy.

    Args:
        x: conditions, of dtype pred.
        y: conditions, of a shape that broadcasts with that of x.
        dtype: of the result; pred where left out.

    Example:
        >>> print(gt.logical_and(gt.tensor((8, 4), "pred"), gt.tensor((4,), "pred")))
        logical_and(pred[8,4], pred[4]) -> pred[8,4]
    """
    return _joined("logical_and", Call("minimum", (_X, _Y)), (x, y), dtype, layout)


@call
def logical_or(
    x: TensorLike, y: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """Where x or y holds, or both, element by element; the operands broadcast as in NumPy.

    Args:
        x: conditions, of dtype pred.
        y: conditions, of a shape that broadcasts with that of x.
        dtype: of the result; pred where left out.

    Example:
        >>> print(gt.logical_or(gt.tensor((8, 4), "pred"), gt.tensor((4,), "pred")))
        logical_or(pred[8,4], pred[4]) -> pred[8,4]
    """
    return _joined("logical_or", Call("maximum", (_X, _Y)), (x, y), dtype, layout)


@call
def logical_xor(
    x: TensorLike, y: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """Where one of x and y holds, element by element; the operands broadcast as in NumPy.

    Args:
        x: conditions, of dtype pred.
        y: conditions, of a shape that broadcasts with that of x.
        dtype: of the result; pred where left out.

    Example:
        >>> print(gt.logical_xor(gt.tensor((8, 4), "pred"), gt.tensor((4,), "pred")))
        logical_xor(pred[8,4], pred[4]) -> pred[8,4]
    """
    return _joined("logical_xor", Call("sub", (Const(1), Call("eq", (_X, _Y)))), (x, y), dtype, layout)


@call
def logical_not(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """Where x does not hold, element by element.

    Args:
        x: conditions, of dtype pred.
        dtype: of the result; pred where left out.

    Example:
        >>> print(gt.logical_not(gt.tensor((8, 4), "pred")))
        logical_not(pred[8,4]) -> pred[8,4]
    """
    return _joined("logical_not", Call("eq", (_X, Const(0))), (x,), dtype, layout)


_COMPARISONS = equal, not_equal, less, less_equal, greater, greater_equal
FORMS: dict[str, op.Form] = {
    **{f.__name__: op.Form(f, 2, reals=(0, 1)) for f in _COMPARISONS},
    **{f.__name__: op.Form(f, 2) for f in (logical_and, logical_or, logical_xor)},
    "logical_not": op.Form(logical_not, 1),
}
