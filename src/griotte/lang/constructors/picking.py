"""Rows of a tensor by number: a nest with dimensions that no loop runs over, for index operands say which they are.

take(tensor((1000, 64)), tensor((2, 7), "s32"))     ->  Spec, of f32[2,7,64]
"""

from __future__ import annotations

from dataclasses import replace
from typing import SupportsIndex

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..nests.operation import Operation
from ..types.dtypes import dtype as dtype_row
from ..types.dtypes import dtype_or
from ..types.expr import Arg
from ..types.tensor import TensorType
from . import operations as op
from .arguments import require_axes, require_tensor, require_type
from .language import DTypeLike, LayoutLike, TensorLike, call, forms_of

ROW = "r"


@call
@op._composes(2)
def take(
    x: TensorLike,
    i: TensorLike,
    axis: SupportsIndex = 0,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """Rows of x by number.

    A number below 0 stands for the first row, one of r or more for the last: nothing beyond x is read.

    Args:
        x: any tensor [r, ...], or with r at `axis`.
        i: integers of 8 bits or more, of any shape.
        axis: the axis of x whose rows are meant, from the last where negative.
        dtype: of the result, which has the shape of x, with that of i in r's place; that of x where left out.

    Example:
        >>> print(gt.take(gt.tensor((1000, 64)), gt.tensor((2, 7), "s32")))
        take(f32[1000,64], s32[2,7]) -> f32[2,7,64]
    """
    x, i = require_tensor("take", x), require_tensor("take", i)
    if not x.rank:
        raise SpecError(f"take expects x [r, ...], found {x}; give it an axis")
    (along,) = require_axes("take", x, axis)
    row = dtype_row(i.dtype)
    if row.kind not in ("signed", "unsigned") or row.bits < 8 or row.name == "u64":
        raise SpecError(
            f"take expects row numbers of an integer dtype of 8 bits and more but u64, found {i}; cast first:"
            f" cast({i}) -> {TensorType('s32', i.shape, op.row_major(i.rank))}"
        )
    rows, kept = op._dims(i.shape), tuple(f"j{a}" for a in range(x.rank))
    outer, inner = kept[:along], kept[along + 1 :]
    accesses = " ".join((*outer, ROW, *inner)), " ".join(rows)
    dims, output = " ".join((*outer, *rows, ROW, *inner)), " ".join((*outer, *rows, *inner))
    nest = replace(Operation.of("take", dims, accesses, output, Arg(0)), keep=(ROW,), picks=((ROW, 1),))
    shape = (*x.shape[:along], *i.shape, *x.shape[along + 1 :])
    sizes = (*x.shape[:along], *i.shape, *x.shape[along:])
    result = op._result(shape, dtype_or(dtype, x.dtype), layout)
    return op._spec(nest, sizes, (x, i), result, "take", f", axis={along}" * (along > 0))


def picked(x: TensorLike, numbers: dict[int, Spec], dtype: DTypeLike | None, layout: LayoutLike | None = None) -> Spec:
    """x with rows by number along some axes, one after the other: first where it becomes smaller, and of equals where
    neighbours in memory are, for the rows after that are taken as they lie."""
    given = require_type("take", x)
    if not numbers:
        return op.copy(x, dtype, layout=layout)
    *first, last = sorted(numbers, key=lambda axis: (numbers[axis].output.shape[0] / given.shape[axis], -axis))
    for axis in first:
        x = take(x, numbers[axis], axis)
    return take(x, numbers[last], last, dtype, layout=layout)


FORMS = forms_of(take)
