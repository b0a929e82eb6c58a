"""Sums that run along an axis: of each element and those before it."""

from __future__ import annotations

from typing import SupportsIndex

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..nests.operation import Operation
from ..types.dtypes import compute_dtype, dtype_or
from ..types.expr import Arg, Call, Const
from . import operations as op
from .arguments import require_axes, require_flag
from .language import DTypeLike, LayoutLike, TensorLike, call, forms_of
from .nesting import nest, said, told, type_of


@call
def cumsum(
    x: TensorLike,
    axis: SupportsIndex = -1,
    exclusive: bool = False,
    reverse: bool = False,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The sum of each element along `axis` and those before it; each is a sum by itself, so long axes take long.

    Args:
        x: numbers, of any shape but a scalar's.
        axis: an axis, from the last where negative.
        exclusive: whether each element itself is left out.
        reverse: whether it is those after it.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.cumsum(gt.tensor((8, 4)), axis=0))
        cumsum(f32[8,4], axis=0) -> f32[8,4]
    """
    given = type_of(x)
    for key, flag in (("exclusive", exclusive), ("reverse", reverse)):
        require_flag("cumsum", key, flag)
    if not given.rank:
        raise SpecError(f"cumsum expects an axis, found none of {given}; give it one of size 1")
    (along,) = require_axes("cumsum", given, axis)
    if along in given.dynamic_axes:
        raise SpecError(f"cumsum expects a fixed size along axis {along} of {given}; write the bound as the size")
    rest = f", axis={along}" + ", exclusive=true" * exclusive + ", reverse=true" * reverse
    text, result = said("cumsum", x, rest=rest), dtype_or(dtype, given.dtype)
    size, compute, dims = given.shape[along], compute_dtype(given.dtype, result), op._dims(given.shape)
    read, every = " ".join((*dims[:along], "j", *dims[along + 1 :])), " ".join(dims)
    counts = op.iota((size,), compute), op.iota((size,), compute)
    own, other = (Arg(2), Arg(1)) if reverse else (Arg(1), Arg(2))
    counted = Call("where", (Call("lt" if exclusive else "le", (other, own)), Arg(0), Const(0)))
    sizes = {**dict(zip(dims, given.shape)), "j": size}
    inputs = read, dims[along], "j"
    return told(
        nest(Operation.of("cumsum", f"{every} j", inputs, every, counted, "add"), sizes, (x, *counts), result, layout),
        text,
    )


FORMS = forms_of(cumsum)
