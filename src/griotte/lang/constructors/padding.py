"""Tensors with more around them: of one value, of what is at their ends, of what is seen in a mirror there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..nests.border import Border
from ..nests.operation import Access, Operation
from ..types.dtypes import as_scalar, dtype_or, exact
from ..types.expr import Arg, Call, Const, Expr
from ..types.tensor import TensorType, whole
from . import operations as op
from . import picking
from .arguments import attribute_text, require_type, tuple_text
from .language import DTypeLike, LayoutLike, TensorLike, call, forms_of
from .nesting import of, said, told

MODES = ("constant", "edge", "reflect", "wrap")
Ends = tuple[int, int]


@call
def pad(
    x: TensorLike,
    before: SupportsIndex | Sequence[SupportsIndex],
    after: SupportsIndex | Sequence[SupportsIndex],
    value: float = 0,
    mode: str = "constant",
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """x with elements before and after it along each axis.

    Args:
        x: any tensor but a scalar.
        before: how many before the first along each axis; below 0 so many of x are left out.
        after: how many after the last, likewise.
        value: what they are in the mode constant.
        mode: "constant"; "edge": what is at the end of x; "reflect": what is as far from it on the other side; "wrap":
            x again.
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.pad(gt.tensor((8, 4)), before=(1, 0), after=(1, 2)))
        pad(f32[8,4], before=(1,0), after=(1,2)) -> f32[10,6]
    """
    given = require_type("pad", x)
    if mode not in MODES:
        raise SpecError(f"pad expects a mode of {' '.join(MODES)}, found {mode}")
    sides = _ends(given, before, after)
    rest = f", before={tuple_text(a for a, _ in sides)}, after={tuple_text(b for _, b in sides)}"
    if mode == "constant":
        held = as_scalar(value, given.dtype, "value of pad")
        fill = attribute_text(held.item())
        text = said("pad", x, rest=rest + f", value={fill}" * (fill != "0"))
        return told(_around(x, sides, exact(held), dtype, layout), text)
    least = 1 if mode == "reflect" else 0
    if any(max(ends) > size - least for ends, size in zip(sides, given.shape)) and mode != "edge":
        raise SpecError(f"pad expects no more than x has of elements in the mode {mode}, found {sides} for {given}")
    numbers = {axis: _met(size, ends, mode) for axis, (size, ends) in enumerate(zip(given.shape, sides)) if any(ends)}
    text = said("pad", x, rest=f"{rest}, mode={mode}")
    return told(picking.picked(x, numbers, dtype, layout), text)


def _ends(
    x: TensorType, before: SupportsIndex | Sequence[SupportsIndex], after: SupportsIndex | Sequence[SupportsIndex]
) -> tuple[Ends, ...]:
    firsts, lasts = (tuple(each) if isinstance(each, (tuple, list)) else (each,) for each in (before, after))
    if not len(firsts) == len(lasts) == x.rank > 0 or any(whole(n) is None for n in (*firsts, *lasts)):
        raise SpecError(
            f"pad expects numbers before and after each axis of {x}, found {tuple_text(firsts)} and {tuple_text(lasts)}"
        )
    sides = tuple((int(a), int(b)) for a, b in zip(firsts, lasts))
    if any(n + min(a, 0) + min(b, 0) < 1 for n, (a, b) in zip(x.shape, sides)):
        raise SpecError(f"pad expects to leave an element of {x} along each axis, found {sides}")
    if changed := [axis for axis in x.dynamic_axes if any(sides[axis])]:
        raise SpecError(f"pad expects a fixed size along axis {changed[0]} of {x}; write the bound as the size")
    return sides


def _around(
    x: TensorLike, sides: tuple[Ends, ...], fill: float, dtype: DTypeLike | None, layout: LayoutLike | None
) -> Spec:
    """x in a border of one value."""

    def of_type(x: TensorType) -> Spec:
        dims = " ".join(op._dims(x.shape))
        shape = tuple(n + a + b for n, (a, b) in zip(x.shape, sides))
        nest = Operation("copy", op._dims(shape), (Access.of(dims, Border(sides, fill)),), Access.of(dims), Arg(0))
        return op._spec(nest, shape, (x,), op._result(shape, dtype_or(dtype, x.dtype), layout), "pad")

    return op.over((x,), of_type) if isinstance(x, Spec) else of_type(x)


def _met(size: int, ends: Ends, mode: str) -> Spec:
    """Of each element along an axis of the result, the number of that of x: s32. What is beyond either end is taken
    for the end, as it is in the mode edge."""
    count = op.iota((size + sum(ends),))
    place: Expr = Call("sub", (Arg(0), Const(ends[0])))
    if mode == "reflect":
        from_last = Call("sub", (Const(size - 1), Call("abs", (place,))))
        place = Call("sub", (Const(size - 1), Call("abs", (from_last,))))
    if mode == "wrap":
        over = Call("sub", (place, Const(size)))
        under = Call("where", (Call("lt", (place, Const(0))), Call("add", (place, Const(size))), place))
        place = Call("where", (Call("lt", (over, Const(0))), under, over))
    return of(place, count)


FORMS = forms_of(pad)
