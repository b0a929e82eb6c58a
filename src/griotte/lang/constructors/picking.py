"""Rows of a tensor by number: a nest with dimensions that no loop runs over, for index operands say which they are. And
tensors with more around them: one value, their end elements, or their mirror image.

take(tensor((1000, 64)), tensor((2, 7), "s32"))     ->  Spec, of f32[2,7,64]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import SupportsIndex

from ...support.errors import SpecError
from ..calls.spec import Spec
from ..nests.access import Access, Border
from ..nests.operation import Operation
from ..types.dtypes import as_scalar, dtype_or, exact
from ..types.dtypes import dtype as dtype_row
from ..types.expr import Arg, Expr, apply
from ..types.tensor import TensorType, row_major, whole
from .language import (
    DTypeLike,
    LayoutLike,
    TensorLike,
    attribute_text,
    attributes_text,
    call,
    require_axes,
    require_tensor,
    require_type,
    tuple_text,
)
from .nesting import as_call, dims_of, iota, map_of, of_types, over, over_types, result_type
from .operations import copy

ROW = "r"
MODES = ("constant", "edge", "reflect", "wrap")
Ends = tuple[int, int]


@call
@over_types
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

    Examples:
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
            f" cast({i}) -> {TensorType('s32', i.shape, row_major(i.rank))}"
        )
    rows, kept = dims_of(i.shape), tuple(f"j{a}" for a in range(x.rank))
    outer, inner = kept[:along], kept[along + 1 :]
    accesses = " ".join((*outer, ROW, *inner)), " ".join(rows)
    dims, output = " ".join((*outer, *rows, ROW, *inner)), " ".join((*outer, *rows, *inner))
    nest = replace(Operation.of("take", dims, accesses, output, Arg(0)), keep=(ROW,), picks=((ROW, 1),))
    shape = (*x.shape[:along], *i.shape, *x.shape[along + 1 :])
    sizes = (*x.shape[:along], *i.shape, *x.shape[along:])
    result = result_type(shape, dtype_or(dtype, x.dtype), layout)
    return of_types(nest, sizes, (x, i), result, attributes_text(axis=along or None))


def picked(x: TensorLike, numbers: dict[int, Spec], dtype: DTypeLike | None, layout: LayoutLike | None = None) -> Spec:
    """x with rows by number along some axes, one axis after the other. The axis that makes x smallest comes first. Of
    equals, the axis whose neighbours are neighbours in memory comes first, for later rows are taken as they lie."""
    given = require_type("take", x)
    if not numbers:
        return copy(x, dtype, layout=layout)
    *first, last = sorted(numbers, key=lambda axis: (numbers[axis].output.shape[0] / given.shape[axis], -axis))
    for axis in first:
        x = take(x, numbers[axis], axis)
    return take(x, numbers[last], last, dtype, layout=layout)


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
        value: their value in the mode constant.
        mode: "constant"; "edge": the element at the end of x; "reflect": the element as far from that end on the other
            side; "wrap": x again.

    Examples:
        >>> print(gt.pad(gt.tensor((8, 4)), before=(1, 0), after=(1, 2)))
        pad(f32[8,4], before=(1,0), after=(1,2)) -> f32[10,6]
    """
    given = require_type("pad", x)
    if mode not in MODES:
        raise SpecError(f"pad expects a mode of {' '.join(MODES)}, found {mode}")
    sides = _ends(given, before, after)
    stated = {"before": tuple(a for a, _ in sides), "after": tuple(b for _, b in sides)}
    if mode == "constant":
        held = as_scalar(value, given.dtype, "value of pad")
        fill = attribute_text(held.item())
        padded = _around(x, sides, exact(held), dtype, layout)
        return as_call(padded, "pad", **stated, value=fill if fill != "0" else None)
    least = 1 if mode == "reflect" else 0
    if any(max(ends) > size - least for ends, size in zip(sides, given.shape)) and mode != "edge":
        raise SpecError(f"pad expects no more than x has of elements in the mode {mode}, found {sides} for {given}")
    numbers = {axis: _met(size, ends, mode) for axis, (size, ends) in enumerate(zip(given.shape, sides)) if any(ends)}
    return as_call(picked(x, numbers, dtype, layout), "pad", **stated, mode=mode)


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
        dims = " ".join(dims_of(x.shape))
        shape = tuple(n + a + b for n, (a, b) in zip(x.shape, sides))
        nest = Operation("copy", dims_of(shape), (Access.of(dims, Border(sides, fill)),), Access.of(dims), Arg(0))
        return of_types(nest, shape, (x,), result_type(shape, dtype_or(dtype, x.dtype), layout))

    return over((x,), of_type) if isinstance(x, Spec) else of_type(x)


def _met(size: int, ends: Ends, mode: str) -> Spec:
    """The number of the element of x that each element of the result takes along an axis: s32. Numbers beyond either
    end stand for the end, as in the mode edge."""
    place: Expr = Arg(0) - ends[0]
    if mode == "reflect":
        from_last = size - 1 - apply("abs", place)
        place = size - 1 - apply("abs", from_last)
    if mode == "wrap":
        beyond = place - size
        place = apply("where", beyond < 0, apply("where", place < 0, place + size, place), beyond)
    return map_of(place, iota((size + sum(ends),)))
