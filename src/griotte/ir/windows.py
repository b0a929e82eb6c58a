"""The operations whose tensors are read through windows: convolution, pooling, a part of a tensor, tensors end to end.

    conv2d(tensor((1, 3, 9, 9)), tensor((8, 3, 3, 3)), stride=2, padding=1)     ->  Spec

A window is an access that sums dimensions, `y*2+i`; what it reaches beyond its tensor is the access's border.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, SupportsIndex

from ml_dtypes import finfo

from ..errors import SpecError
from . import operations as op
from . import picking
from .composites import of, said, told
from .dtypes import TINY, compute_dtype, dtype_or, limits, promote
from .dtypes import dtype as dtype_row
from .expr import Arg, Call, Const, Expr
from .language import DTypeLike, LayoutLike, Padding, Pair, TensorLike, call
from .operation import Access, Border, Operation
from .reductions import divided
from .spec import Spec
from .tensor import TensorType, whole
from .written import Written

LOWEST = float("-inf")  # of an integer dtype its least value
Two = tuple[int, int]  # numbers along h and along w
Sides = tuple[Two, Two]  # before and after h, and before and after w


@call
def conv2d(
    x: TensorLike,
    w: TensorLike,
    stride: Pair = 1,
    padding: Padding = 0,
    dilation: Pair = 1,
    groups: int = 1,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """Sums of products over windows of x, beyond which there are zeros.

    Output channel k of a group sums over the channels of that group.

    Args:
        x: numbers [n, c, h, w]; NHWC is a layout of it, (1, 3, 2, 0).
        w: numbers [o, c / groups, kh, kw].
        stride: steps from window to window: one number, or a pair along h and w.
        padding: zeros on each side: one number, a pair, or ((top, bottom), (left, right)).
        dilation: steps from element to element of a window: one number, or a pair.
        groups: into how many the channels are parted.
        dtype: of the result [n, o, h', w']; where left out the wider of the operands', of 8-bit integers s32.

    Example:
        >>> print(gt.conv2d(gt.tensor((1, 3, 9, 9)), gt.tensor((8, 3, 3, 3)), stride=2, padding=1))
        conv2d(f32[1,3,9,9], f32[8,3,3,3], stride=2, padding=1) -> f32[1,8,5,5]
    """
    return surrounded(x, w, stride, padding, dilation, groups, dtype, layout, 0)


@op._composes(2)
def surrounded(
    x: TensorLike,
    w: TensorLike,
    stride: Pair,
    padding: Padding,
    dilation: Pair,
    groups: int,
    dtype: DTypeLike | None,
    layout: LayoutLike | None,
    beyond: int,
) -> Spec:
    """conv2d of x beyond which all is `beyond`."""
    x, w = op._tensor("conv2d", x), op._tensor("conv2d", w)
    stride, padding, dilation, groups, size, reach = convolved("conv2d", x, w, stride, padding, dilation, groups)
    channels, kernels = w.shape[1], w.shape[0] // groups
    rows, columns = (f"{d}*{s}+{i}*{r}" for d, i, s, r in zip("yx", "ij", stride, dilation))
    border = Border(((0, 0), (0, 0), *reach), float(beyond))
    of_group = [
        Access.of(f"n g*{channels}+c {rows} {columns}", border),
        Access.of(f"g*{kernels}+o c i j"),
        Access.of(f"n g*{kernels}+o y x"),
    ]
    nest = Operation(
        "conv2d", tuple("ngoyxcij"), tuple(of_group[:2]), of_group[2], Call("mul", (Arg(0), Arg(1))), "add"
    )
    widest = promote(x.dtype, w.dtype)
    own = "s32" if dtype_row(widest).bits <= 8 else widest
    result = op._result((x.shape[0], w.shape[0], *size), dtype_or(dtype, own), layout)
    sizes = (x.shape[0], groups, kernels, *size, channels, *w.shape[2:])
    return op._spec(nest, sizes, (x, w), result, "conv2d", numbers(stride, padding, dilation, groups))


def convolved(
    name: str, x: TensorType, w: TensorType, stride: Pair, padding: Padding, dilation: Pair, groups: int
) -> tuple[Two, Sides, Two, int, Two, Sides]:
    """(stride, padding, dilation, groups, places of the windows along h and w, what they reach before and beyond x
    there) of a convolution, where they fit each other."""
    require_rank(name, x, "[n, c, h, w]")
    require_rank(name, w, "[o, c / groups, kh, kw]")
    stride, padding, dilation = (
        pair(name, "stride", stride, 1),
        sides(name, padding),
        pair(name, "dilation", dilation, 1),
    )
    groups = whole_number(name, "groups", groups, 1)
    if x.shape[1] % groups or w.shape[0] % groups:
        raise SpecError(
            f"{name} expects groups to divide the channels of x and of the result, found groups = {groups},"
            f" {x.shape[1]} channels in {x} and {w.shape[0]} in {w}"
        )
    if w.shape[1] * groups != x.shape[1]:
        raise SpecError(
            f"{name} expects windows of c / groups = {x.shape[1] // groups} channels, found {w.shape[1]} in {w} for {x}"
        )
    return stride, padding, dilation, groups, *_slid(name, x, w.shape[2:], stride, padding, dilation)


def numbers(stride: Two, padding: Sides, dilation: Two, groups: int) -> str:
    """Of a convolution, as text, those that are not left out."""
    pairs = pair_said("stride", stride, 1), padding_text(padding), pair_said("dilation", dilation, 1)
    return "".join(pairs) + f", groups={groups}" * (groups > 1)


@call
@op._composes(1)
def max_pool2d(
    x: TensorLike,
    window: Pair = 2,
    stride: Pair = 2,
    padding: Padding = 0,
    dilation: Pair = 1,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The largest element of each window of x; beyond x there is nothing larger than anything.

    Args:
        x: numbers [n, c, h, w].
        window: sizes of a window: one number, or a pair along h and w.
        stride: steps from window to window: one number, or a pair.
        padding: elements beyond each side, fewer than a window spans: one number, a pair, or ((top, bottom),
            (left, right)).
        dilation: steps from element to element of a window: one number, or a pair.
        dtype: of the result [n, c, h', w']; that of x where left out.

    Example:
        >>> print(gt.max_pool2d(gt.tensor((1, 3, 8, 8))))
        max_pool2d(f32[1,3,8,8], window=2, stride=2) -> f32[1,3,4,4]
    """
    x = op._tensor("max_pool2d", x)
    slid = pooled("max_pool2d", x, window, stride, padding, dilation)
    return slid.spec(x, "maximum", _beyond(x.dtype), dtype_or(dtype, x.dtype), layout)


@call
@op._composes(1)
def avg_pool2d(
    x: TensorLike,
    window: Pair = 2,
    stride: Pair = 2,
    padding: Padding = 0,
    count_pad: bool = True,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The mean of each window of x; the zeros beyond x count, as in PyTorch, or they do not, as in ONNX.

    Args:
        x: floats [n, c, h, w].
        window: sizes of a window: one number, or a pair along h and w.
        stride: steps from window to window: one number, or a pair.
        padding: zeros on each side, fewer than a window spans: one number, a pair, or ((top, bottom), (left, right)).
        count_pad: whether what lies beyond x is among what a sum is divided by.
        dtype: of the result [n, c, h', w']; that of x where left out.

    Example:
        >>> print(gt.avg_pool2d(gt.tensor((1, 3, 8, 8)), window=(2, 4)))
        avg_pool2d(f32[1,3,8,8], window=(2,4), stride=2) -> f32[1,3,4,3]
    """
    x = op._tensor("avg_pool2d", x)
    op._flag("avg_pool2d", "count_pad", count_pad)
    op.require_float("avg_pool2d", x)
    slid = pooled("avg_pool2d", x, window, stride, padding, 1)
    counts_all = count_pad or not any(map(any, slid.reach))
    result = dtype_or(dtype, x.dtype)
    total = slid.spec(x, "add", 0.0, compute_dtype(x.dtype, result), None, ", count_pad=false" * (not count_pad))
    text = total.text
    assert isinstance(text, Written)
    if counts_all:
        mean = of(divided(Arg(0), Const(prod(slid.window))), total, dtype=result, layout=layout)
    else:
        counts = (op.iota(shape, total.output.dtype) for shape in ((slid.size[0], 1), (slid.size[1],)))
        body = Call("div", (Arg(0), Call("mul", tuple(slid.inside(axis, Arg(1 + axis)) for axis in (0, 1)))))
        mean = of(body, total, *counts, dtype=result, layout=layout)
    return told(mean, text)


@dataclass(frozen=True)
class PoolWindows:
    """Windows that slide over an image: their numbers along h and w, how many places they have, and what they reach
    before and beyond x."""

    name: str
    image: Two
    window: Two
    stride: Two
    padding: Sides
    dilation: Two
    size: Two
    reach: Sides

    def spec(
        self, x: TensorType, combine: str, fill: float, dtype: str, layout: LayoutLike | None, rest: str = ""
    ) -> Spec:
        """What `combine` makes of the elements of each window."""
        (s, t), (d, e), front = self.stride, self.dilation, x.shape[:2]
        access = Access.of(f"n c y*{s}+i*{d} x*{t}+j*{e}", Border(((0, 0), (0, 0), *self.reach), fill))
        nest = Operation(self.name, tuple("ncyxij"), (access,), Access.of("n c y x"), Arg(0), combine)
        numbers = f", window={_text(self.window)}, stride={_text(self.stride)}{padding_text(self.padding)}"
        numbers += pair_said("dilation", self.dilation, 1) + rest
        result = op._result((*front, *self.size), dtype, layout)
        return op._spec(nest, (*front, *self.size, *self.window), (x,), result, self.name, numbers)

    def inside(self, axis: int, place: Expr) -> Expr:
        """How many elements of x a window without steps has along an axis at a place."""
        window, stride, before = self.window[axis], self.stride[axis], self.padding[axis][0]
        first = Call("sub", (Call("mul", (place, Const(stride))), Const(before)))
        end = Call("minimum", (Call("add", (first, Const(window))), Const(self.image[axis])))
        return Call("sub", (end, Call("maximum", (first, Const(0)))))


def pooled(name: str, x: TensorType, window: Pair, stride: Pair, padding: Padding, dilation: Pair) -> PoolWindows:
    """The windows of a pool; SpecError where they do not fit."""
    require_rank(name, x, "[n, c, h, w]")
    window = pair(name, "window", window, 1)
    stride, padding, dilation = (
        pair(name, "stride", stride, 1),
        sides(name, padding),
        pair(name, "dilation", dilation, 1),
    )
    if any(max(p) > (k - 1) * d for p, k, d in zip(padding, window, dilation)):
        raise SpecError(
            f"{name} expects less padding than a window spans, found padding = {_sides_text(padding)} and window ="
            f" {_text(window)}; more would give windows without an element"
        )
    size, reach = _slid(name, x, window, stride, padding, dilation)
    return PoolWindows(name, (x.shape[2], x.shape[3]), window, stride, padding, dilation, size, reach)


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
        dtype: of the result; that of x where left out.

    Example:
        >>> print(gt.slice(gt.tensor((8, 4)), starts=(2, 0), limits=(6, 4)))
        slice(f32[8,4], starts=(2,0), limits=(6,4)) -> f32[4,4]
    """
    given = op._type("slice", x)
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
            f" {op._tuple_text(starts)} and limits = {op._tuple_text(limits)}"
            + f" and steps = {op._tuple_text(steps)}; with a step below 0, -1 <= limit < start < size"
            * any(step != 1 for step in steps)
        )
    axes = [_Span(*map(int, axis)) for axis in zip(starts, limits, steps)]
    rest = f", starts={op._tuple_text(starts)}, limits={op._tuple_text(limits)}"
    rest += f", steps={op._tuple_text(steps)}" * any(step != 1 for step in steps)
    if all(part.step > 0 for part in axes):
        return _parted(x, axes, dtype, rest, layout)
    backwards = {axis: part.numbers() for axis, part in enumerate(axes) if part.step < 0}
    forwards = [part if part.step > 0 else _Span(0, n, 1) for part, n in zip(axes, given.shape)]
    return told(
        picking.picked(_parted(x, forwards, None, "", None), backwards, dtype, layout), said("slice", x, rest=rest)
    )


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
        """What is left of an axis before the first element and after the last, as a border."""
        return -self.start, self.start + (self.count - 1) * self.step + 1 - size

    def numbers(self) -> Spec:
        """Their numbers: s32 [count]."""
        along = Call("mul", (Arg(0), Const(self.step)))
        return of(Call("add", (along, Const(self.start))), op.iota((self.count,)))


def _is_part(start: int, limit: int, step: int, size: int) -> bool:
    return 0 <= start < limit <= size if step > 0 else step < 0 and -1 <= limit < start < size


@op._composes(1)
def _parted(x: TensorLike, axes: list[_Span], dtype: DTypeLike | None, rest: str, layout: LayoutLike | None) -> Spec:
    """The part of x that is met forwards along every axis."""
    x = op._tensor("slice", x)
    dims = tuple(f"i{j}" for j in range(x.rank))
    border = Border(tuple(part.sides(n) for part, n in zip(axes, x.shape)))
    if cut := [axis for axis in x.dynamic_axes if any(border.sides[axis]) or axes[axis].step > 1]:
        raise SpecError(
            f"slice expects all of a dynamic axis, found a part of axis {cut[0]} of {x}; write the bound as the size"
        )
    read = " ".join(dim if part.step == 1 else f"{dim}*{part.step}" for dim, part in zip(dims, axes))
    nest = Operation("copy", dims, (Access.of(read, border),), Access.of(" ".join(dims)), Arg(0))
    shape = tuple(part.count for part in axes)
    result = op._result(shape, dtype_or(dtype, x.dtype), layout)
    return op._spec(nest, shape, (x,), result, "slice", rest)


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

    Example:
        >>> print(gt.concat(gt.tensor((8, 4)), gt.tensor((8, 2))))
        concat(f32[8,4], f32[8,2], axis=1) -> f32[8,6]
    """
    given = x, y, *more
    types = [op._type("concat", t) for t in given]
    if whole(axis) not in range(-types[0].rank, types[0].rank):
        raise SpecError(
            f"concat expects an axis from {-types[0].rank} to {types[0].rank - 1} of {types[0]}, found {axis}"
        )
    axis = int(axis) % types[0].rank
    result, wide = dtype_or(dtype, promote(*(t.dtype for t in types))), compute_dtype(*(t.dtype for t in types))
    lowest = [_lowest(t.dtype) for t in types]
    # in which what is beyond the one is no more than any element of another
    parts = [op.cast(each, wide) if low > min(lowest) else each for each, low in zip(given, lowest)]
    text = said("concat", *given, rest=f", axis={axis}")
    while len(parts) > MOST_JOINED:
        groups = [parts[i : i + MOST_JOINED] for i in range(0, len(parts), MOST_JOINED)]
        parts = [group[0] if len(group) == 1 else _end_to_end(tuple(group), axis, None, None) for group in groups]
    spec = _end_to_end(tuple(parts), axis, result, layout)
    return spec if parts == [*given] else told(spec, text)


def _lowest(dtype: str) -> float:
    """The least value of a dtype; what is beyond pred holds, and is no less than anything."""
    if dtype_row(dtype).kind == "float":
        return _beyond(dtype)
    return 1 if dtype == "pred" else limits(dtype)[0]


def _beyond(dtype: str) -> float:
    """What stands beyond a tensor of which the largest elements are taken."""
    row = dtype_row(dtype)
    return -float(finfo(row.numpy).max) if row.name in TINY and row.name != "f8e5m2" else LOWEST  # it has infinities


def _end_to_end(args: tuple[TensorLike, ...], axis: int, dtype: str | None, layout: LayoutLike | None) -> Spec:
    if any(isinstance(x, Spec) for x in args):
        return op.over(args, lambda *types: _joined(types, axis, dtype, layout))
    return op._shared_by_name(_joined(args, axis, dtype, layout), args)


def _joined(tensors: tuple[TensorLike, ...], axis: int, dtype: str | None, layout: LayoutLike | None) -> Spec:
    """concat of tensors each of which is lower than anything beyond its end: the result is the largest; of conditions,
    beyond which all hold, the least."""
    types = [op._tensor("concat", t) for t in tensors]
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
    fills = [1.0 if join == "minimum" else _beyond(t.dtype) for t in types]
    beyond = [(sum(sizes[:i]), sum(sizes[i + 1 :])) for i in range(len(types))]
    inputs = [
        Access.of(dims, Border(tuple(sides if j == axis else (0, 0) for j in range(rank)), fill))
        for sides, fill in zip(beyond, fills)
    ]
    body: Expr = Arg(0)
    for i in range(1, len(types)):
        body = Call(join, (body, Arg(i)))
    shape = tuple(sum(sizes) if j == axis else n for j, n in enumerate(first.shape))
    nest = Operation("concat", tuple(dims.split()), tuple(inputs), Access.of(dims), body)
    result = op._result(shape, dtype or promote(*(t.dtype for t in types)), layout)
    return op._spec(nest, shape, tuple(types), result, "concat", f", axis={axis}")


def _slid(
    name: str, x: TensorType, window: tuple[int, ...], stride: Two, padding: Sides, dilation: Two
) -> tuple[Two, Sides]:
    """(places of the window along h and w, what they reach before and beyond x there)."""
    spans = tuple((k - 1) * d + 1 for k, d in zip(window, dilation))
    within = tuple(n + sum(p) for n, p in zip(x.shape[2:], padding))
    if any(span > n for span, n in zip(spans, within)):
        raise SpecError(
            f"{name} expects a window within {x} and its padding, found one of {spans[0]} by {spans[1]} where there are"
            f" {within[0]} by {within[1]}"
        )
    size = tuple((n - span) // s + 1 for n, span, s in zip(within, spans, stride))
    reach = tuple(
        (before, (places - 1) * s + span - n - before)
        for n, (before, _), span, s, places in zip(x.shape[2:], padding, spans, stride, size)
    )
    if any(axis > 1 for axis in x.dynamic_axes) and any(map(any, reach)):
        raise SpecError(
            f"{name} of a dynamic size with windows that reach beyond {x}, or leave a part of it out, is not supported"
            " yet; write the bound as the size"
        )
    return (size[0], size[1]), (reach[0], reach[1])


def pair(name: str, what: str, value: Pair, least: int) -> Two:
    found = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
    if len(found) != 2 or any(number is None or number < least for number in map(whole, found)):
        raise SpecError(
            f"{name} expects {what} to be a number of {least} or more, or two of them like (2,1), found"
            f" {_text(value) if isinstance(value, tuple) else value}"
        )
    return int(found[0]), int(found[1])


def sides(name: str, padding: Padding) -> Sides:
    """What a padding means: before and after h, and before and after w."""
    given: Any = tuple(padding) if isinstance(padding, (tuple, list)) else (padding, padding)
    if len(given) == 2 and all(isinstance(ends, (tuple, list)) for ends in given):
        first, second = (pair(name, "padding", ends, 0) for ends in given)
        return first, second
    h, w = pair(name, "padding", given, 0)
    return (h, h), (w, w)


def whole_number(name: str, what: str, value, least: int) -> int:
    found = whole(value)
    if found is None or found < least:
        raise SpecError(f"{name} expects {what} to be a number of {least} or more, found {value}")
    return found


def require_rank(name: str, x: object, form: str) -> None:
    x = op._tensor(name, x)
    if x.rank != 4:
        raise SpecError(f"{name} expects {form}, found {x}; give it axes of size 1")


def pair_said(name: str, pair: Two, default: int) -> str:
    return "" if pair == (default, default) else f", {name}={_text(pair)}"


def padding_text(padding: Sides) -> str:
    """As an attribute; nothing where there is none."""
    return f", padding={_sides_text(padding)}" if any(map(any, padding)) else ""


def _sides_text(padding: Sides) -> str:
    if all(before == after for before, after in padding):
        return _text(tuple(before for before, _ in padding))
    return op._tuple_text(op._tuple_text(pair) for pair in padding)


def _text(values) -> str:
    """One number where a pair has two of it."""
    return str(values[0]) if len(set(values)) == 1 else op._tuple_text(values)


FORMS: dict[str, op.Form] = {
    "conv2d": op.Form(conv2d, 2, ("stride", "padding", "dilation", "groups")),
    "max_pool2d": op.Form(max_pool2d, 1, ("window", "stride", "padding", "dilation")),
    "avg_pool2d": op.Form(avg_pool2d, 1, ("window", "stride", "padding", "count_pad")),
    "slice": op.Form(slice, 1, ("starts", "limits", "steps")),
    "concat": op.Form(concat, 2, ("axis",), more=True),
}
