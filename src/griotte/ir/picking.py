"""Rows of a tensor by number: a nest with a dimension that no loop runs over, for an index operand says which it is.

take(tensor((1000, 64)), tensor((2, 7), "s32"))     ->  Spec, of f32[2,7,64]
"""

from __future__ import annotations

from ..errors import SpecError
from . import operations as op
from .dtypes import dtype as dtype_row
from .dtypes import dtype_or
from .expr import Arg
from .language import DTypeLike, LayoutLike, TensorLike, call
from .operation import Operation
from .spec import Spec
from .tensor import TensorType

ROW = "r"


@call
@op._composes(2)
def take(x: TensorLike, i: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """Rows of x by number.

    A number below 0 stands for the first row, one of r or more for the last: nothing beyond x is read.

    Args:
        x: any tensor [r, ...].
        i: integers of 8 bits or more, of any shape.
        dtype: of the result, which has the shape of i, then x's without r; that of x where left out.

    Example:
        >>> print(gt.take(gt.tensor((1000, 64)), gt.tensor((2, 7), "s32")))
        take(f32[1000,64], s32[2,7]) -> f32[2,7,64]
    """
    x, i = op._tensor("take", x), op._tensor("take", i)
    if not x.rank:
        raise SpecError(f"take expects x [r, ...], found {x}; give it an axis")
    if dtype_row(i.dtype).kind not in ("signed", "unsigned") or i.dtype == "s4":
        raise SpecError(
            f"take expects row numbers of an integer dtype of 8 bits and more, found {i}; cast first: cast({i}) ->"
            f" {TensorType('s32', i.shape, op.row_major(i.rank))}"
        )
    rows, inner = op._dims(i.shape), tuple(f"j{axis}" for axis in range(1, x.rank))
    accesses = " ".join((ROW, *inner)), " ".join(rows)
    nest = Operation.of(
        "take", " ".join((*rows, ROW, *inner)), accesses, " ".join((*rows, *inner)), Arg(0), keep=ROW, picks=((ROW, 1),)
    )
    shape = (*i.shape, *x.shape[1:])
    result = op._result(shape, dtype_or(dtype, x.dtype), layout)
    return op._spec(nest, (*i.shape, *x.shape), (x, i), result, "take")


FORMS: dict[str, op.Form] = {"take": op.Form(take, 2)}
