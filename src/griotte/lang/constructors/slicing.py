"""Parts of tensors, and tensors end to end: accesses whose borders cut, or reach beyond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

from ...support.errors import SpecError
from ..calls.compose import renamed, written_with
from ..calls.spec import Spec
from ..nests.access import Access, Border
from ..nests.operation import Operation
from ..types.dtypes import compute_dtype, dtype_or, limits, promote
from ..types.dtypes import dtype as dtype_row
from ..types.expr import Arg, Expr, apply
from ..types.tensor import whole
from . import picking
from .language import DTypeLike, LayoutLike, TensorLike, attributes_text, call, require_tensor, require_type, tuple_text
from .nesting import as_call, dims_of, iota, map_of, of_types, over, over_types, result_type, shared_by_name
from .operations import cast
from .windows import Two, fill_beyond


@call
def slice(
    x: TensorLike,
    starts: SupportsIndex | Sequence[SupportsIndex] = (),
    limits: SupportsIndex | Sequence[SupportsIndex] = (),
    steps: SupportsIndex | Sequence[SupportsIndex] | None = None,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """A part of x: its elements from `starts` up to `limits`.

    Args:
        x: any tensor.
        starts: the first element along each axis.
        limits: the element after the last one along each axis; where a step is below 0, that before it, or -1.
        steps: from element to element along each axis, below 0 for backwards; 1 where left out.

    Examples:
        >>> print(gt.slice(gt.tensor((8, 4)), starts=(2, 0), limits=(6, 4)))
        slice(f32[8,4], starts=(2,0), limits=(6,4)) -> f32[4,4]
    """
    given = require_type("slice", x)
    starts, limits, steps = (
        tuple(each) if isinstance(each, (tuple, list)) else (each,)
        for each in (starts, limits, (1,) * given.rank if steps is None else steps)
    )
    if (
        not len(starts) == len(limits) == len(steps) == given.rank
        or any(whole(n) is None for n in (*starts, *limits, *steps))
        or not all(map(_is_part, starts, limits, steps, given.shape))
    ):
        raise SpecError(
            f"slice expects for each axis of {given} numbers 0 <= start < limit <= size, found starts ="
            f" {tuple_text(starts)} and limits = {tuple_text(limits)}"
            + f" and steps = {tuple_text(steps)}; with a step below 0, -1 <= limit < start < size"
            * any(step != 1 for step in steps)
        )
    axes = [_Span(*map(int, axis)) for axis in zip(starts, limits, steps)]
    text = attributes_text(starts=starts, limits=limits, steps=steps if any(step != 1 for step in steps) else None)
    if all(part.step > 0 for part in axes):
        return written_with(_parted(x, axes, dtype, layout), text)
    backwards = {axis: part.numbers() for axis, part in enumerate(axes) if part.step < 0}
    forwards = [part if part.step > 0 else _Span(0, n, 1) for part, n in zip(axes, given.shape)]
    return renamed(picking.picked(_parted(x, forwards, None, None), backwards, dtype, layout), "slice", text)


@dataclass(frozen=True)
class _Span:
    """The elements of an axis from `start` on, a step apart, before `limit`."""

    start: int
    limit: int
    step: int

    @property
    def count(self) -> int:
        return len(range(self.start, self.limit, self.step))

    def sides(self, size: int) -> Two:
        """The parts of an axis before the first element and after the last, left out of the span, as a border."""
        return -self.start, self.start + (self.count - 1) * self.step + 1 - size

    def numbers(self) -> Spec:
        """Their numbers: s32 [count]."""
        return map_of(Arg(0) * self.step + self.start, iota((self.count,)))


def _is_part(start: int, limit: int, step: int, size: int) -> bool:
    return 0 <= start < limit <= size if step > 0 else step < 0 and -1 <= limit < start < size


@over_types
def _parted(x: TensorLike, axes: list[_Span], dtype: DTypeLike | None, layout: LayoutLike | None) -> Spec:
    """The part of x that spans take; all of them run forwards."""
    x = require_tensor("slice", x)
    dims = dims_of(x.shape)
    border = Border(tuple(part.sides(n) for part, n in zip(axes, x.shape)))
    if cut := [axis for axis in x.dynamic_axes if any(border.sides[axis]) or axes[axis].step > 1]:
        raise SpecError(
            f"slice expects all of a dynamic axis, found a part of axis {cut[0]} of {x}; write the bound as the size"
        )
    read = " ".join(dim if part.step == 1 else f"{dim}*{part.step}" for dim, part in zip(dims, axes))
    nest = Operation("copy", dims, (Access.of(read, border),), Access.of(" ".join(dims)), Arg(0))
    shape = tuple(part.count for part in axes)
    return of_types(nest, shape, (x,), result_type(shape, dtype_or(dtype, x.dtype), layout))


MOST_JOINED = 2  # tensors end to end in one nest: each is read, border and all, for all of the result


@call
def concat(
    x: TensorLike,
    y: TensorLike,
    *more: TensorLike,
    axis: SupportsIndex = 1,
    dtype: DTypeLike | None = None,
    layout: LayoutLike | None = None,
) -> Spec:
    """Tensors one after the other along `axis`.

    Args:
        x: any tensor but a scalar.
        y: one of x's sizes but along `axis`.
        *more: others, likewise.
        axis: an axis, from the last where negative.
        dtype: of the result; the widest of the operands' where left out.

    Examples:
        >>> print(gt.concat(gt.tensor((8, 4)), gt.tensor((8, 2))))
        concat(f32[8,4], f32[8,2], axis=1) -> f32[8,6]
    """
    given = x, y, *more
    types = [require_type("concat", t) for t in given]
    if whole(axis) not in range(-types[0].rank, types[0].rank):
        raise SpecError(
            f"concat expects an axis from {-types[0].rank} to {types[0].rank - 1} of {types[0]}, found {axis}"
        )
    axis = int(axis) % types[0].rank
    result, wide = dtype_or(dtype, promote(*(t.dtype for t in types))), compute_dtype(*(t.dtype for t in types))
    lowest = [_lowest(t.dtype) for t in types]
    # in that dtype the value beyond one part is no more than any element of another
    parts = [cast(each, wide) if low > min(lowest) else each for each, low in zip(given, lowest)]
    while len(parts) > MOST_JOINED:
        groups = [parts[i : i + MOST_JOINED] for i in range(0, len(parts), MOST_JOINED)]
        parts = [group[0] if len(group) == 1 else _end_to_end(tuple(group), axis, None, None) for group in groups]
    spec = _end_to_end(tuple(parts), axis, result, layout)
    return as_call(spec, "concat", axis=axis)


def _lowest(dtype: str) -> float:
    """The least value of a dtype. Beyond a tensor of pred stands 1, which is no less than any value."""
    if dtype_row(dtype).kind == "float":
        return fill_beyond(dtype)
    return 1 if dtype == "pred" else limits(dtype)[0]


def _end_to_end(args: tuple[TensorLike, ...], axis: int, dtype: str | None, layout: LayoutLike | None) -> Spec:
    if any(isinstance(x, Spec) for x in args):
        return over(args, lambda *types: _joined(types, axis, dtype, layout))
    return shared_by_name(_joined(args, axis, dtype, layout), args)


def _joined(tensors: tuple[TensorLike, ...], axis: int, dtype: str | None, layout: LayoutLike | None) -> Spec:
    """concat of tensors, where the value beyond a tensor's end is lower than any element: the result is the largest.
    Of conditions the value beyond the end is 1, and the result is the least."""
    types = [require_tensor("concat", t) for t in tensors]
    first, rank = types[0], types[0].rank
    for t in types[1:]:
        if t.rank != rank or any(n != m for j, (n, m) in enumerate(zip(first.shape, t.shape)) if j != axis):
            raise SpecError(f"concat expects sizes that are equal but along axis {axis}, found {first} and {t}")
    if any(axis in t.dynamic_axes for t in types):
        raise SpecError(
            f"concat expects a fixed size along its axis {axis}, found {' and '.join(map(str, types))}; write the bound"
            " as the size"
        )
    sizes, dims = [t.shape[axis] for t in types], " ".join(f"i{j}" for j in range(rank))
    join = "minimum" if all(t.dtype == "pred" for t in types) else "maximum"
    fills = [1.0 if join == "minimum" else fill_beyond(t.dtype) for t in types]
    beyond = [(sum(sizes[:i]), sum(sizes[i + 1 :])) for i in range(len(types))]
    inputs = [
        Access.of(dims, Border(tuple(sides if j == axis else (0, 0) for j in range(rank)), fill))
        for sides, fill in zip(beyond, fills)
    ]
    body: Expr = Arg(0)
    for i in range(1, len(types)):
        body = apply(join, body, Arg(i))
    shape = tuple(sum(sizes) if j == axis else n for j, n in enumerate(first.shape))
    nest = Operation("concat", tuple(dims.split()), tuple(inputs), Access.of(dims), body)
    result = result_type(shape, dtype or promote(*(t.dtype for t in types)), layout)
    return of_types(nest, shape, tuple(types), result)
