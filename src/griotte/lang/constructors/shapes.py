"""reshape and broadcast: copies whose result has another shape.

A reshape runs over the sizes that both shapes are made of: f32[8,3] of f32[4,6] over 4, 2 and 3, where the first is
d0*2+d1 by d2 and the second d0 by d1*3+d2. Where both lie in the order of their elements that is a copy of one run.
Shapes that are not made of the same sizes, as [2,3] and [3,2], go through one in which those axes are one: two copies,
which move nothing where they lie in the order of their elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from math import prod
from operator import mul

from ...support.errors import SpecError
from ..calls.compose import alone, nested
from ..calls.spec import Spec
from ..calls.written import Written
from ..nests.operation import Access, Operation
from ..types.dtypes import dtype_or
from ..types.dynamic import marked
from ..types.expr import Arg
from ..types.tensor import Size, TensorType, tensor, whole
from . import operations as op
from .arguments import broadcasts_to, require_tensor
from .language import DTypeLike, LayoutLike, TensorLike, call, forms_of

AxisTerms = tuple[op.Terms, ...]


@call
@op._composes(1)
def broadcast(
    x: TensorLike, shape: Sequence[Size], dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """x as if it had `shape`, by NumPy's rules.

    Args:
        x: any tensor that broadcasts to `shape`.
        shape: sizes of the result; where x has a dynamic one, another axis may have it too, written "<=8".
        dtype: of the result; that of x where left out.

    Example:
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
    dims = op._dims(shape)
    nest = Operation("copy", dims, (Access.of(op._index(x.shape, shape, dims)),), Access.of(" ".join(dims)), Arg(0))
    result = marked(nest, (x,), op._result(shape, dtype_or(dtype, x.dtype), layout))
    result = _with_stated(result, x, stated)
    spec = Spec(nest, shape, (x,), result, Written("broadcast", (x,), result=result))
    return _as_stated(spec, "broadcast", stated)


def _with_stated(result: TensorType, x: TensorType, stated: Sequence[Size]) -> TensorType:
    """A result which has the dynamic size of x along axes that are stated with it as well; as it is where there is none
    of that size, or there are too many."""
    asked = {axis for axis, n in enumerate(stated) if isinstance(n, str)}
    axes = sorted(asked | set(result.dynamic_axes))
    bounds = {result.shape[axis] for axis in axes} | {x.shape[axis] for axis in x.dynamic_axes}
    if x.dynamic is None or len(axes) > 2 or len(bounds) > 1:
        return result
    dynamic, tied = [*axes, None, None][:2]
    return replace(result, dynamic=dynamic, tied=tied)


@call
@op._composes(1)
def reshape(
    x: TensorLike, shape: Sequence[Size], dtype: DTypeLike | None = None, *, layout: LayoutLike | None = None
) -> Spec:
    """The elements of x, in row-major order, in another shape. A dynamic axis stays one axis of its own.

    Args:
        x: any tensor.
        shape: sizes of the result, of as many elements; a dynamic one is written "<=8", or as its bound.
        dtype: of the result; that of x where left out.

    Example:
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
        return nested(outer, (inner,), Written("reshape", (x,), result=outer.output))
    dynamic, tied = [*kept.values(), None, None][:2]
    sizes, given, wanted = _runs(x, shape, kept)
    nest = Operation("copy", op._dims(sizes), (Access(given),), Access(wanted), Arg(0))
    output = replace(op._result(shape, dtype_or(dtype, x.dtype), layout), dynamic=dynamic, tied=tied)
    spec = Spec(nest, sizes, (x,), output, Written("reshape", (x,), result=output))
    return _as_stated(alone(spec), "reshape", stated)


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


FORMS = forms_of(broadcast, reshape)
