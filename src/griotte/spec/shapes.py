"""reshape and broadcast: copies whose result has another shape.

A reshape runs over the sizes that both shapes are made of: f32[8,3] of f32[4,6] over 4, 2 and 3, where the first is d0*2+d1 by d2 and the
second d0 by d1*3+d2. Where both lie in the order of their elements that is a copy of one run.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, pairwise
from math import prod
from operator import mul

from ..errors import SpecError
from . import operations as op
from .compose import alone
from .expr import Arg
from .operation import Access, Operation
from .spec import Spec
from .tensor import TensorType

Axes = tuple[op.Terms, ...]


@op._composes(1)
def broadcast(x: TensorType, shape: tuple[int, ...], dtype: str | None = None, *, layout=None) -> Spec:
    """x as if it had `shape`, to which it broadcasts as in NumPy."""
    shape = _shape("broadcast", x, shape)
    if not op._broadcasts_to(x.shape, shape):
        raise SpecError(f"broadcast expects a shape that {x} broadcasts to, found {list(shape)}; from the last axis on its sizes are x's own, or those of x are 1")
    dims = op._dims(shape)
    nest = Operation("copy", dims, (Access.of(op._index(x.shape, shape, dims)),), Access.of(" ".join(dims)), Arg(0))
    return op._spec(nest, shape, (x,), op._result(shape, dtype or x.dtype, layout), f"broadcast({x})")


@op._composes(1)
def reshape(x: TensorType, shape: tuple[int, ...], dtype: str | None = None, *, layout=None) -> Spec:
    """The elements of x, in row-major order, as a tensor of `shape`. A dynamic axis stays one: nothing is joined to it, and it is not split."""
    shape = _shape("reshape", x, shape)
    if prod(shape) != x.elements:
        raise SpecError(f"reshape expects a shape of the {x.elements} elements of {x}, found {list(shape)}, of {prod(shape)}")
    dynamic = _kept(x, shape)
    sizes, axes = _split(x, x.shape, shape) if dynamic is None else _around(x, shape, dynamic)
    nest = Operation("copy", op._dims(sizes), (Access(axes[0]),), Access(axes[1]), Arg(0))
    output = replace(op._result(shape, dtype or x.dtype, layout), dynamic=dynamic)
    return alone(Spec(nest, tuple(sizes), (x,), output, f"reshape({x}) -> {output}"))


def _shape(name: str, x: object, shape: object) -> tuple[int, ...]:
    op._require_tensor(name, x)
    if not isinstance(shape, (tuple, list)) or not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in shape):
        raise SpecError(f"{name} expects a shape of sizes of 1 or more, found {shape}")
    return tuple(shape)


def _kept(x: TensorType, shape: tuple[int, ...]) -> int | None:
    """The axis of a reshaped x that is its dynamic one, None of none: as long, and with as many elements within it."""
    if x.dynamic is None:
        return None
    within = lambda sizes, axis: (sizes[axis], prod(sizes[axis + 1 :]))  # noqa: E731
    for axis in reversed(range(len(shape))):
        if within(shape, axis) == within(x.shape, x.dynamic):
            return axis
    raise SpecError(f"reshape expects a shape that keeps the dynamic axis {x.dynamic} of {x} as it is, found {list(shape)}; write the bound as the size")


def _around(x: TensorType, shape: tuple[int, ...], dynamic: int) -> tuple[tuple[int, ...], tuple[Axes, Axes]]:
    """`_split` of what is before the dynamic axis, that axis, which has a dimension of its own whatever its bound, and `_split` of what is behind it."""
    assert x.dynamic is not None
    before, (given, wanted) = _split(x, x.shape[: x.dynamic], shape[:dynamic])
    behind, axes = _split(x, x.shape[x.dynamic + 1 :], shape[dynamic + 1 :], len(before) + 1)
    own = (((f"i{len(before)}", 1),),)
    return (*before, shape[dynamic], *behind), ((*given, *own, *axes[0]), (*wanted, *own, *axes[1]))


def _split(x: TensorType, before: tuple[int, ...], after: tuple[int, ...], first: int = 0) -> tuple[tuple[int, ...], tuple[Axes, Axes]]:
    """The sizes that two shapes of x, or of some of its axes, are made of, and how dimensions of these sizes, numbered from `first` on, go through each."""
    cuts = sorted({*_cuts(before), *_cuts(after)})
    if any(b % a for a, b in pairwise(cuts)):
        raise SpecError(f"reshape expects shapes that are made of the same sizes, as [4,6] and [8,3] are of 4, 2 and 3; found {list(before)} and {list(after)}, of {x}")
    sizes = tuple(b // a for a, b in pairwise(cuts))[::-1]
    return sizes, (_through(before, sizes, first), _through(after, sizes, first))


def _cuts(shape: tuple[int, ...]) -> list[int]:
    """How many elements lie within each axis and all faster ones; 1 for none."""
    return list(accumulate(reversed(shape), mul, initial=1))


def _through(shape: tuple[int, ...], sizes: tuple[int, ...], first: int) -> Axes:
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


FORMS: dict[str, op.Form] = {"broadcast": op.Form(broadcast, 1, shaped=True), "reshape": op.Form(reshape, 1, shaped=True)}
