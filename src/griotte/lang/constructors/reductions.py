"""The calls that join elements along axes: sum, max, min and prod. (Of several nests: `composites`.)"""

from __future__ import annotations

from functools import cache
from math import frexp
from typing import Protocol

from ..calls.spec import Spec
from ..functions import Combiner
from ..nests.operation import Operation
from ..types.dtypes import dtype_or
from ..types.dynamic import of_count
from ..types.expr import Arg, Call, Const, Expr
from ..types.tensor import TensorType
from . import operations as op
from .arguments import require_axes, require_flag, require_tensor, tuple_text
from .language import Axes, DTypeLike, Form, LayoutLike, TensorLike, call, forms_of
from .maps import named

HELP = """{does}

Args:
    x: numbers, of any shape.
    axis: an axis, from the last where negative, or a tuple of them; None: all.
    keepdims: whether each of these axes stays, with size 1.
    dtype: of the result; that of x where left out.

Example:
    >>> print(gt.{name}(gt.tensor({sizes}), {given}))
    {name}({shows}
"""


class Reduction(Protocol):
    """A call that joins elements along axes."""

    __name__: str

    def __call__(
        self,
        x: TensorLike,
        axis: Axes | None = None,
        keepdims: bool = False,
        dtype: DTypeLike | None = None,
        *,
        layout: LayoutLike | None = None,
    ) -> Spec: ...


def _along(name: str, combine: str, does: str = "", *example: str) -> Reduction:
    """The call of a reduction, with its help: what it does, and of an example sizes, axes and what it prints."""
    sizes, given, shows = example or ("", "", "")
    text = HELP.format(name=name, does=does, sizes=sizes, given=given, shows=shows) if does else ""

    def make(
        x: TensorLike,
        axis: Axes | None = None,
        keepdims: bool = False,
        dtype: DTypeLike | None = None,
        *,
        layout: LayoutLike | None = None,
    ) -> Spec:
        return _reduced(name, combine, x, axis, keepdims, op.ResultType(dtype, layout))

    return call(op._composes(1)(named(make, name, text)))


@op._composes(1)
def dividend(
    x: TensorLike,
    axis: Axes | None = None,
    keepdims: bool = False,
    dtype: str | None = None,
    layout: LayoutLike | None = None,
) -> Spec:
    """What a mean divides, which is told as that mean."""
    return _reduced("mean", "add", x, axis, keepdims, op.ResultType(dtype, layout))


def quotient(total: Expr, x: TensorType, axes: tuple[int, ...]) -> Expr:
    """What a sum over some axes of x is on average."""
    return divided(total, of_count(x, axes))


def divided(total: Expr, count: Expr) -> Expr:
    """A sum by the number of its terms, or, where that is as exact, times the reciprocal."""
    if isinstance(count, Const) and frexp(count.value)[0] == 0.5:
        return total if count.value == 1 else Call("mul", (total, Const(1 / count.value)))
    return Call("div", (total, count))


def _reduced(name: str, combine: str, x: TensorLike, axis: Axes | None, keepdims: bool, result: op.ResultType) -> Spec:
    """A reduction of x."""
    x = require_tensor(name, x)
    require_flag(name, "keepdims", keepdims)
    axes, dims = require_axes(name, x, axis), op._dims(x.shape)
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
    attributes = "" if axis is None else f", axis={axes[0] if len(axes) == 1 else tuple_text(axes)}"
    output = op._result(shape, dtype_or(result.dtype, x.dtype), result.layout)
    return op._spec(nest, x.shape, (x,), output, name, attributes + (", keepdims=true" if keepdims else ""))


_WIDE = "of the elements along `axis`, taken in f32 at least, of integers in s32 or wider."
_NAN = "of the elements along `axis`; NaN where one is NaN."

sum = _along("sum", "add", f"The sum {_WIDE}", "(8, 4)", "axis=-1", "f32[8,4], axis=1) -> f32[8]")
max = _along(
    "max",
    "maximum",
    f"The largest {_NAN}",
    "(8, 4)",
    "axis=0, keepdims=True",
    "f32[8,4], axis=0, keepdims=true) -> f32[1,4]",
)
min = _along("min", "minimum", f"The smallest {_NAN}", "(8, 4, 2)", "axis=(0, 2)", "f32[8,4,2], axis=(0,2)) -> f32[4]")
prod = _along("prod", "mul", f"The product {_WIDE}", "(8, 4)", "axis=0", "f32[8,4], axis=0) -> f32[4]")


@cache
def declared(combiner: Combiner) -> Form:
    """The call of a reduction by a declared combiner for which none is written here."""
    return Form.of(_along(combiner.call, combiner.name))


FORMS = forms_of(sum, max, min, prod)
