"""Rows of a tensor by number: a nest with a dimension that no loop runs over, for an index operand says which it is.

take(tensor((1000, 64)), tensor((2, 7), "s32"))     ->  Spec, of f32[2,7,64]
"""

from __future__ import annotations

from ..errors import SpecError
from . import operations as op
from .dtypes import dtype as dtype_row
from .expr import Arg
from .operation import Operation
from .spec import Spec
from .tensor import TensorType

ROW = "r"


@op._composes(2)
def take(x: TensorType, i: TensorType, dtype: str | None = None, *, layout=None) -> Spec:
    """Rows of x [r, ...] by integers i of any shape: the result is of i's shape, then x's without r. A number below 0
    stands for the first row, one of r and more for the last: nothing beyond x is read."""
    op._require_tensor("take", x)
    op._require_tensor("take", i)
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
    return op._spec(nest, (*i.shape, *x.shape), (x, i), op._result(shape, dtype or x.dtype, layout), f"take({x}, {i})")


FORMS: dict[str, op.Form] = {"take": op.Form(take, 2)}
