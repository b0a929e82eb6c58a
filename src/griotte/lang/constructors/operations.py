"""Products of matrices, and calls that move elements: copies, casts, transposes, and copies of another shape.

    matmul(tensor((8, 16)), tensor((16, 4)), dtype="f32")     ->  Spec

A reshape runs over the sizes that both shapes are made of. For f32[8,3] of f32[4,6] these are 4, 2 and 3: the first
shape is d0*2+d1 by d2, the second d0 by d1*3+d2. Where both lie in the order of their elements that is a copy of one
run. Shapes that are not made of the same sizes, as [2,3] and [3,2], go through one in which those axes are one. That
takes two copies, which move nothing where they lie in the order of their elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from math import prod
from operator import mul
from typing import SupportsIndex

from ...support.errors import SpecError
from ..calls.compose import alone, nested, written_with
from ..calls.spec import Spec
from ..nests.access import Access
from ..nests.operation import Operation
from ..types.dtypes import dtype_or
from ..types.dynamic import marked
from ..types.expr import PRODUCT, Arg
from ..types.tensor import Size, TensorType, row_major, tensor, whole
from .language import (
    DTypeLike,
    LayoutLike,
    TensorLike,
    attributes_text,
    broadcasts_to,
    call,
    require_broadcast,
    require_tensor,
    require_type,
    tuple_text,
)
from .nesting import ResultType, Terms, dims_of, index_of, mapped, of_types, over_types, product_dtype, result_type

AxisTerms = tuple[Terms, ...]


@call
@over_types
def matmul(a: TensorLike, b: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """The product of matrices; leading axes are batches, which broadcast as in `numpy.matmul`.

    Args:
        a: numbers [..., m, k].
        b: numbers [..., k, n].
        dtype: of the result [..., m, n]; where left out the wider of the operands', of 8-bit integers s32.

    Examples:
        >>> print(gt.matmul(gt.tensor((8, 16)), gt.tensor((16, 4))))
        matmul(f32[8,16], f32[16,4]) -> f32[8,4]
    """
    a, b = require_tensor("matmul", a), require_tensor("matmul", b)
    for x in (a, b):
        if x.rank < 2:
            raise SpecError(
                f"matmul expects operands [..., m, k] and [..., k, n], found {x}; give a vector an axis of size 1"
            )
    if a.shape[-1] != b.shape[-2]:
        raise SpecError(
            f"matmul expects equal inner sizes [..., m, k] and [..., k, n], found k = {a.shape[-1]} in {a} and k ="
            f" {b.shape[-2]} in {b}"
        )
    batch = require_broadcast("matmul", (a, b), (a.shape[:-2], b.shape[:-2]), inner=2)
    dims = tuple(f"b{i}" for i in range(len(batch)))
    front, of_a, of_b = " ".join(dims), index_of(a.shape[:-2], batch, dims), index_of(b.shape[:-2], batch, dims)
    inputs = f"{of_a} m k", f"{of_b} k n"
    nest = replace(
        Operation.of("matmul", f"{front} m n k", inputs, f"{front} m n", PRODUCT, "add"), keep=("m", "n", "k")
    )
    shape = (*batch, a.shape[-2], b.shape[-1])
    output = result_type(shape, dtype_or(dtype, product_dtype(a, b)), layout)
    return of_types(nest, (*shape, a.shape[-1]), (a, b), output)


@call
def copy(x: TensorLike, dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None) -> Spec:
    """x in another layout, another dtype, or both.

    Args:
        x: any tensor.

    Examples:
        >>> print(gt.copy(gt.tensor((8, 4)), layout=(0, 1)))
        copy(f32[8,4]) -> f32[8,4]{0,1}
    """
    return mapped("copy", Arg(0), (x,), ResultType(dtype, layout))


@call
def cast(x: TensorLike, dtype: DTypeLike, *, layout: LayoutLike | None = None) -> Spec:
    """x in another dtype.

    Floats that become integers are cut off towards 0 and saturate; NaN becomes 0. Integers saturate below 32 bits, else
    wrap.

    Args:
        x: any tensor.
        dtype: of the result.

    Examples:
        >>> print(gt.cast(gt.tensor((8, 4)), "bf16"))
        cast(f32[8,4]) -> bf16[8,4]
    """
    return mapped("cast", Arg(0), (x,), ResultType(dtype, layout), operation="copy")


@call
def transpose(
    x: TensorLike,
    perm: SupportsIndex | Sequence[SupportsIndex] | None = None,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """x with its axes in another order.

    Args:
        x: any tensor.
        perm: axis j of the result is axis perm[j] of x; where left out the axes are reversed.

    Examples:
        >>> print(gt.transpose(gt.tensor((8, 4, 2)), (2, 0, 1)))
        transpose(f32[8,4,2], perm=(2,0,1)) -> f32[2,8,4]
    """
    rank = require_type("transpose", x).rank
    given = row_major(rank) if perm is None else tuple(perm) if isinstance(perm, (tuple, list)) else (perm,)
    perm = tuple(n for axis in given if (n := whole(axis)) is not None)
    if len(perm) < len(given) or sorted(perm) != list(range(rank)):
        raise SpecError(f"transpose expects perm to order the axes 0..{rank - 1} once each, found {tuple_text(given)}")
    result, text = ResultType(dtype, layout, perm), attributes_text(perm=perm)
    return mapped("transpose", Arg(0), (x,), result, operation="copy", text=text)


@call
@over_types
def broadcast(
    x: TensorLike, shape: Sequence[Size], dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x as if it had `shape`, by NumPy's rules.

    Args:
        x: any tensor that broadcasts to `shape`.
        shape: sizes of the result; where x has a dynamic one, another axis may have it too, written "<=8".

    Examples:
        >>> print(gt.broadcast(gt.tensor((4,)), (8, 4)))
        broadcast(f32[4]) -> f32[8,4]
    """
    x, stated = require_tensor("broadcast", x), shape
    shape = _shape("broadcast", stated)
    if not broadcasts_to(x.shape, shape):
        raise SpecError(
            f"broadcast expects a shape that {x} broadcasts to, found {list(shape)}; from the last axis on its sizes"
            " are x's own, or those of x are 1"
        )
    dims = dims_of(shape)
    nest = Operation("copy", dims, (Access.of(index_of(x.shape, shape, dims)),), Access.of(" ".join(dims)), Arg(0))
    result = marked(nest, (x,), result_type(shape, dtype_or(dtype, x.dtype), layout))
    result = _with_stated(result, x, stated)
    return _as_stated(Spec(nest, shape, (x,), result), "broadcast", stated)


def _with_stated(result: TensorType, x: TensorType, stated: Sequence[Size]) -> TensorType:
    """A result with the dynamic size of x also along the axes that are stated with it. The result is unchanged where x
    has no dynamic size, or where such axes are too many."""
    asked = {axis for axis, n in enumerate(stated) if isinstance(n, str)}
    axes = sorted(asked | set(result.dynamic_axes))
    bounds = {result.shape[axis] for axis in axes} | {x.shape[axis] for axis in x.dynamic_axes}
    if x.dynamic is None or len(axes) > 2 or len(bounds) > 1:
        return result
    dynamic, tied = [*axes, None, None][:2]
    return replace(result, dynamic=dynamic, tied=tied)


@call
@over_types
def reshape(
    x: TensorLike, shape: Sequence[Size], dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """The elements of x, in row-major order, in another shape. A dynamic axis stays one axis of its own.

    Args:
        x: any tensor.
        shape: sizes of the result, of as many elements; a dynamic one is written "<=8", or as its bound.

    Examples:
        >>> print(gt.reshape(gt.tensor((8, 4)), (4, 8)))
        reshape(f32[8,4]) -> f32[4,8]
    """
    x, stated = require_tensor("reshape", x), shape
    shape = _shape("reshape", stated)
    if prod(shape) != x.elements:
        raise SpecError(
            f"reshape expects a shape of the {x.elements} elements of {x}, found {list(shape)}, of {prod(shape)}"
        )
    kept = {axis: _kept(x, axis, shape) for axis in x.dynamic_axes}
    if (between := _between(x, shape, kept)) is not None:
        inner = reshape(x, [f"<={n}" if a in between[1] else n for a, n in enumerate(between[0])])
        outer = reshape(inner.output, stated, dtype, layout=layout)
        return nested(written_with(outer, ""), (inner,))
    dynamic, tied = [*kept.values(), None, None][:2]
    sizes, given, wanted = _runs(x, shape, kept)
    nest = Operation("copy", dims_of(sizes), (Access(given),), Access(wanted), Arg(0))
    output = replace(result_type(shape, dtype_or(dtype, x.dtype), layout), dynamic=dynamic, tied=tied)
    return _as_stated(alone(Spec(nest, sizes, (x,), output)), "reshape", stated)


def _shape(name: str, shape: Sequence[Size]) -> tuple[int, ...]:
    sizes = shape if isinstance(shape, (tuple, list)) else [0]
    if not all(isinstance(n, str) or (whole(n) or 0) > 0 for n in sizes):
        raise SpecError(f"{name} expects a shape of sizes of 1 or more, found {shape}")
    return tensor(shape).shape


def _as_stated(spec: Spec, name: str, shape: Sequence[Size]) -> Spec:
    """The Spec, whose result has the dynamic axes that its shape is stated with, if it is with any."""
    stated = {axis for axis, n in enumerate(shape) if isinstance(n, str)}
    if not stated <= set(spec.output.dynamic_axes):
        raise SpecError(f"{name} expects <= at a dynamic axis of its result, {spec.output}, found {list(shape)}")
    return spec


def _kept(x: TensorType, dynamic: int, shape: tuple[int, ...]) -> int:
    """The axis of a reshaped x that is a dynamic one of it: as long, and with as many elements within it."""
    within = lambda sizes, axis: (sizes[axis], prod(sizes[axis + 1 :]))
    for axis in reversed(range(len(shape))):
        if within(shape, axis) == within(x.shape, dynamic):
            return axis
    raise SpecError(
        f"reshape expects a shape that keeps the dynamic axis {dynamic} of {x} as it is, found {list(shape)}; write the"
        " bound as the size"
    )


def _between(
    x: TensorType, shape: tuple[int, ...], kept: dict[int, int]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The shape that x goes through where it and `shape` are not made of the same sizes, and its dynamic axes: axes
    that are not are one there. None where all are."""
    sizes: list[int] = []
    dynamic: list[int] = []
    apart = False
    for before, after, axis in _segments(x, shape, kept):
        for own, wanted in _aligned(before, after):
            if _factors(own, wanted) is None:
                own, apart = (prod(own),), True
            sizes += own
        if axis is not None:
            dynamic.append(len(sizes))
            sizes.append(x.shape[axis])
    return (tuple(sizes), tuple(dynamic)) if apart else None


def _segments(
    x: TensorType, shape: tuple[int, ...], kept: dict[int, int]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int | None]]:
    """(axes of x, axes of the result, the axis of x that is kept after them) between axes that are kept."""
    start = 0, 0
    for a, b in (*sorted(kept.items()), (x.rank, len(shape))):
        yield x.shape[start[0] : a], shape[start[1] : b], a if a in kept else None
        start = a + 1, b + 1


def _aligned(before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Two shapes of as many elements in the least groups of neighbours that have as many each."""
    one, other = list(before), list(after)
    while one or other:
        a, b = [one.pop(0)] if one else [], [other.pop(0)] if other else []
        while prod(a) != prod(b):
            (a if prod(a) < prod(b) else b).append((one if prod(a) < prod(b) else other).pop(0))
        yield tuple(a), tuple(b)


def _runs(x: TensorType, shape: tuple[int, ...], kept: dict[int, int]) -> tuple[tuple[int, ...], AxisTerms, AxisTerms]:
    """The sizes that both shapes are made of, and how dimensions of these sizes go through x and through the result. An
    axis that is kept has a dimension of its own, whatever its size; the axes between two such are split by
    themselves."""
    sizes: tuple[int, ...] = ()
    given: AxisTerms = ()
    wanted: AxisTerms = ()
    for before, after, axis in _segments(x, shape, kept):
        own = _factors(before, after)
        assert own is not None
        given, wanted, sizes = (
            given + _through(before, own, len(sizes)),
            wanted + _through(after, own, len(sizes)),
            sizes + own,
        )
        if axis is not None:
            along: AxisTerms = (((f"i{len(sizes)}", 1),),)
            given, wanted, sizes = given + along, wanted + along, (*sizes, x.shape[axis])
    return sizes, given, wanted


def _factors(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[int, ...] | None:
    """The sizes that two shapes are made of, the slowest first; None where they are not made of the same."""
    cuts = sorted({*_cuts(before), *_cuts(after)})
    if any(b % a for a, b in pairwise(cuts)):
        return None
    return tuple(b // a for a, b in pairwise(cuts))[::-1]


def _cuts(shape: tuple[int, ...]) -> list[int]:
    """How many elements lie within each axis and all faster ones; 1 for none."""
    return list(accumulate(reversed(shape), mul, initial=1))


def _through(shape: tuple[int, ...], sizes: tuple[int, ...], first: int) -> AxisTerms:
    """How dimensions of these sizes, the slowest first, numbered from `first` on, go through a row-major tensor."""
    axes, left = [], [(f"i{first + i}", size) for i, size in enumerate(sizes)]
    for size in reversed(shape):
        terms, step = [], 1
        while step < size:
            dim, extent = left.pop()
            terms.append((dim, step))
            step *= extent
        axes.append(tuple(reversed(terms)))
    return tuple(reversed(axes))
