"""The calls that join elements along axes: sum, max, min and prod. (Of several nests: `composites`.)"""

from __future__ import annotations

from functools import cache
from math import frexp

from ..functions import Combiner
from . import operations as op
from .dtypes import dtype_or
from .dynamic import of_count
from .expr import Arg, Call, Const, Expr
from .language import Axes, DTypeLike, LayoutLike, TensorLike, call
from .operation import Operation
from .spec import Spec
from .tensor import TensorType


@call
@op._composes(1)
def sum(
    x: TensorLike,
    axis: Axes | None = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The sum of the elements along `axis`, taken in f32 at least, of integers in s32 or wider.

    Args:
        x: numbers, of any shape.
        axis: an axis, from the last where negative, or a tuple of them; None: all.
        keepdims: whether each of these axes stays, with size 1.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.sum(gt.tensor((8, 4)), axis=-1))
        sum(f32[8,4], axis=1) -> f32[8]
    """
    return _reduced("sum", "add", x, axis, keepdims, dtype, layout)


@call
@op._composes(1)
def max(
    x: TensorLike,
    axis: Axes | None = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The largest of the elements along `axis`; NaN where one is NaN.

    Args:
        x: numbers, of any shape.
        axis: an axis, from the last where negative, or a tuple of them; None: all.
        keepdims: whether each of these axes stays, with size 1.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.max(gt.tensor((8, 4)), axis=0, keepdims=True))
        max(f32[8,4], axis=0, keepdims=true) -> f32[1,4]
    """
    return _reduced("max", "maximum", x, axis, keepdims, dtype, layout)


@call
@op._composes(1)
def min(
    x: TensorLike,
    axis: Axes | None = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The smallest of the elements along `axis`; NaN where one is NaN.

    Args:
        x: numbers, of any shape.
        axis: an axis, from the last where negative, or a tuple of them; None: all.
        keepdims: whether each of these axes stays, with size 1.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.min(gt.tensor((8, 4, 2)), axis=(0, 2)))
        min(f32[8,4,2], axis=(0,2)) -> f32[4]
    """
    return _reduced("min", "minimum", x, axis, keepdims, dtype, layout)


@call
@op._composes(1)
def prod(
    x: TensorLike,
    axis: Axes | None = None,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The product of the elements along `axis`, taken in f32 at least, of integers in s32 or wider.

    Args:
        x: numbers, of any shape.
        axis: an axis, from the last where negative, or a tuple of them; None: all.
        keepdims: whether each of these axes stays, with size 1.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.prod(gt.tensor((8, 4)), axis=0))
        prod(f32[8,4], axis=0) -> f32[4]
    """
    return _reduced("prod", "mul", x, axis, keepdims, dtype, layout)


@op._composes(1)
def dividend(
    x: TensorLike,
    axis: Axes | None = None,
    keepdims: bool = False,
    dtype: str | None = None,
    layout: LayoutLike | None = None,
) -> Spec:
    """What a mean divides, which is told as that mean."""
    return _reduced("mean", "add", x, axis, keepdims, dtype, layout)


def quotient(total: Expr, x: TensorType, axes: tuple[int, ...]) -> Expr:
    """What a sum over some axes of x is on average."""
    return divided(total, of_count(x, axes))


def divided(total: Expr, count: Expr) -> Expr:
    """A sum by the number of its terms, or, where that is as exact, times the reciprocal."""
    if isinstance(count, Const) and frexp(count.value)[0] == 0.5:
        return total if count.value == 1 else Call("mul", (total, Const(1 / count.value)))
    return Call("div", (total, count))


def _reduced(
    name: str,
    combine: str,
    x: TensorLike,
    axis: Axes | None,
    keepdims: bool,
    dtype: DTypeLike | None,
    layout: LayoutLike | None,
) -> Spec:
    """A reduction of x."""
    x = op._tensor(name, x)
    op._flag(name, "keepdims", keepdims)
    axes, dims = op._axes(name, x, axis), op._dims(x.shape)
    kept = [j for j in range(x.rank) if j not in axes]
    shape = tuple(1 if j in axes else x.shape[j] for j in range(x.rank) if keepdims or j in kept)
    index = " ".join("1" if j in axes else dims[j] for j in range(x.rank) if keepdims or j in kept)
    nest = Operation.of(
        name,
        " ".join(dims),
        (" ".join(dims),),
        index,
        Arg(0),
        combine,
    )
    attributes = "" if axis is None else f", axis={axes[0] if len(axes) == 1 else op._tuple_text(axes)}"
    result = op._result(shape, dtype_or(dtype, x.dtype), layout)
    return op._spec(nest, x.shape, (x,), result, name, attributes + (", keepdims=true" if keepdims else ""))


@cache
def declared(combiner: Combiner) -> op.Form:
    """The call of a reduction by a declared combiner for which none is written here."""

    @call
    @op._composes(1)
    def constructor(
        x: TensorLike,
        axis: Axes | None = None,
        keepdims: bool = False,
        dtype: DTypeLike | None = None,
        *,
        layout: LayoutLike | None = None,
    ) -> Spec:
        return _reduced(combiner.call, combiner.name, x, axis, keepdims, dtype, layout)

    constructor.__name__ = constructor.__qualname__ = combiner.call
    return op.Form(constructor, 1, ("axis", "keepdims"))


FORMS: dict[str, op.Form] = {f.__name__: op.Form(f, 1, ("axis", "keepdims")) for f in (sum, max, min, prod)}
