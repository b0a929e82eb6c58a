"""Operations whose tensors are read through windows: convolutions and pools.

    conv2d(tensor((1, 3, 9, 9)), tensor((8, 3, 3, 3)), stride=2, padding=1)     ->  Spec

A window is an access that sums dimensions, `y*2+i`; what it reaches beyond its tensor is the access's border.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from ml_dtypes import finfo

from ...support.errors import SpecError
from ..calls.compose import renamed
from ..calls.spec import Spec
from ..nests.access import Access, Border
from ..nests.operation import Operation
from ..types.dtypes import TINY, compute_dtype, dtype_or
from ..types.dtypes import dtype as dtype_row
from ..types.expr import PRODUCT, Arg, Const, Expr, apply
from ..types.tensor import TensorType, whole
from .language import (
    DTypeLike,
    LayoutLike,
    Padding,
    Pair,
    TensorLike,
    attributes_text,
    call,
    require_flag,
    require_float,
    require_tensor,
    tuple_text,
)
from .nesting import ResultType, iota, map_of, of_types, over_types, product_dtype, result_type
from .reductions import divided

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

    Examples:
        >>> print(gt.conv2d(gt.tensor((1, 3, 9, 9)), gt.tensor((8, 3, 3, 3)), stride=2, padding=1))
        conv2d(f32[1,3,9,9], f32[8,3,3,3], stride=2, padding=1) -> f32[1,8,5,5]
    """
    return surrounded(x, w, Windows(stride, padding, dilation, groups), ResultType(dtype, layout), 0)


@dataclass(frozen=True)
class Windows:
    """How the windows of a convolution slide: arguments of conv2d."""

    stride: Pair = 1
    padding: Padding = 0
    dilation: Pair = 1
    groups: int = 1


@dataclass(frozen=True)
class Slid(Windows):
    """The same with a number for each axis."""

    stride: Two
    padding: Sides
    dilation: Two
    groups: int

    @property
    def text(self) -> str:
        """Its numbers as they are written, but for those that are left out."""
        pairs = pair_said("stride", self.stride, 1), padding_text(self.padding), pair_said("dilation", self.dilation, 1)
        return "".join(pairs) + f", groups={self.groups}" * (self.groups > 1)


@over_types
def surrounded(x: TensorLike, w: TensorLike, given: Windows, result: ResultType, beyond: int) -> Spec:
    """conv2d of x beyond which all is `beyond`."""
    x, w = require_tensor("conv2d", x), require_tensor("conv2d", w)
    windows, size, reach = convolved("conv2d", x, w, given)
    channels, groups = w.shape[1], windows.groups
    kernels = w.shape[0] // groups
    rows, columns = (f"{d}*{s}+{i}*{r}" for d, i, s, r in zip("yx", "ij", windows.stride, windows.dilation))
    border = Border(((0, 0), (0, 0), *reach), float(beyond))
    inputs = Access.of(f"n g*{channels}+c {rows} {columns}", border), Access.of(f"g*{kernels}+o c i j")
    nest = Operation("conv2d", tuple("ngoyxcij"), inputs, Access.of(f"n g*{kernels}+o y x"), PRODUCT, "add")
    own = dtype_or(result.dtype, product_dtype(x, w))
    output = result_type((x.shape[0], w.shape[0], *size), own, result.layout)
    sizes = (x.shape[0], groups, kernels, *size, channels, *w.shape[2:])
    return of_types(nest, sizes, (x, w), output, windows.text)


def convolved(name: str, x: TensorType, w: TensorType, given: Windows) -> tuple[Slid, Two, Sides]:
    """(how windows slide, their places along h and w, what they reach before and beyond x there) of a convolution,
    where they fit each other."""
    require_rank(name, x, "[n, c, h, w]")
    require_rank(name, w, "[o, c / groups, kh, kw]")
    stride, padding = pair(name, "stride", given.stride, 1), sides(name, given.padding)
    dilation, groups = pair(name, "dilation", given.dilation, 1), whole_number(name, "groups", given.groups, 1)
    if x.shape[1] % groups or w.shape[0] % groups:
        raise SpecError(
            f"{name} expects groups to divide the channels of x and of the result, found groups = {groups},"
            f" {x.shape[1]} channels in {x} and {w.shape[0]} in {w}"
        )
    if w.shape[1] * groups != x.shape[1]:
        raise SpecError(
            f"{name} expects windows of c / groups = {x.shape[1] // groups} channels, found {w.shape[1]} in {w} for {x}"
        )
    return Slid(stride, padding, dilation, groups), *slid(name, x, w.shape[2:], stride, padding, dilation)


def slid(
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
            f" {pair_text(value) if isinstance(value, tuple) else value}"
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
    x = require_tensor(name, x)
    if x.rank != 4:
        raise SpecError(f"{name} expects {form}, found {x}; give it axes of size 1")


def pair_said(name: str, pair: Two, default: int) -> str:
    return "" if pair == (default, default) else f", {name}={pair_text(pair)}"


def padding_text(padding: Sides) -> str:
    """As an attribute; nothing where there is none."""
    return f", padding={sides_text(padding)}" if any(map(any, padding)) else ""


def sides_text(padding: Sides) -> str:
    if all(before == after for before, after in padding):
        return pair_text(tuple(before for before, _ in padding))
    return tuple_text(tuple_text(pair) for pair in padding)


def pair_text(values) -> str:
    """One number where a pair has two of it."""
    return str(values[0]) if len(set(values)) == 1 else tuple_text(values)


# ---- pools -----------------------------------------------------------------------------------------------------------


@call
@over_types
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

    Examples:
        >>> print(gt.max_pool2d(gt.tensor((1, 3, 8, 8))))
        max_pool2d(f32[1,3,8,8], window=2, stride=2) -> f32[1,3,4,4]
    """
    x = require_tensor("max_pool2d", x)
    windows = pooled("max_pool2d", x, window, stride, padding, dilation)
    return windows.spec(x, "maximum", fill_beyond(x.dtype), dtype_or(dtype, x.dtype), layout)


@call
@over_types
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

    Examples:
        >>> print(gt.avg_pool2d(gt.tensor((1, 3, 8, 8)), window=(2, 4)))
        avg_pool2d(f32[1,3,8,8], window=(2,4), stride=2) -> f32[1,3,4,3]
    """
    x = require_tensor("avg_pool2d", x)
    require_flag("avg_pool2d", "count_pad", count_pad)
    require_float("avg_pool2d", x)
    windows = pooled("avg_pool2d", x, window, stride, padding, 1)
    counts_all = count_pad or not any(map(any, windows.reach))
    result = dtype_or(dtype, x.dtype)
    total = windows.spec(x, "add", 0.0, compute_dtype(x.dtype, result), None)
    if counts_all:
        mean = map_of(divided(Arg(0), Const(prod(windows.window))), total, dtype=result, layout=layout)
    else:
        counts = (iota(shape, total.output.dtype) for shape in ((windows.size[0], 1), (windows.size[1],)))
        body = Arg(0) / (windows.inside(0, Arg(1)) * windows.inside(1, Arg(2)))
        mean = map_of(body, total, *counts, dtype=result, layout=layout)
    return renamed(mean, "avg_pool2d", total.rest + attributes_text(count_pad=None if count_pad else False))


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

    def spec(self, x: TensorType, combine: str, fill: float, dtype: str, layout: LayoutLike | None) -> Spec:
        """What `combine` makes of the elements of each window."""
        (s, t), (d, e), front = self.stride, self.dilation, x.shape[:2]
        access = Access.of(f"n c y*{s}+i*{d} x*{t}+j*{e}", Border(((0, 0), (0, 0), *self.reach), fill))
        nest = Operation(self.name, tuple("ncyxij"), (access,), Access.of("n c y x"), Arg(0), combine)
        text = attributes_text(window=pair_text(self.window), stride=pair_text(self.stride))
        text += padding_text(self.padding) + pair_said("dilation", self.dilation, 1)
        result = result_type((*front, *self.size), dtype, layout)
        return of_types(nest, (*front, *self.size, *self.window), (x,), result, text)

    def inside(self, axis: int, place: Expr) -> Expr:
        """How many elements of x a window without steps has along an axis at a place."""
        window, stride, before = self.window[axis], self.stride[axis], self.padding[axis][0]
        first = place * stride - before
        return apply("minimum", first + window, self.image[axis]) - apply("maximum", first, 0)


def pooled(name: str, x: TensorType, window: Pair, stride: Pair, padding: Padding, dilation: Pair) -> PoolWindows:
    """The windows of a pool; SpecError where they do not fit."""
    require_rank(name, x, "[n, c, h, w]")
    window, stride = pair(name, "window", window, 1), pair(name, "stride", stride, 1)
    padding, dilation = sides(name, padding), pair(name, "dilation", dilation, 1)
    if any(max(p) > (k - 1) * d for p, k, d in zip(padding, window, dilation)):
        raise SpecError(
            f"{name} expects less padding than a window spans, found padding = {sides_text(padding)} and window ="
            f" {pair_text(window)}; more would give windows without an element"
        )
    size, reach = slid(name, x, window, stride, padding, dilation)
    return PoolWindows(name, (x.shape[2], x.shape[3]), window, stride, padding, dilation, size, reach)


def fill_beyond(dtype: str) -> float:
    """The value beyond the ends of a tensor where a nest takes the largest elements."""
    row = dtype_row(dtype)
    return -float(finfo(row.numpy).max) if row.name in TINY and row.name != "f8e5m2" else LOWEST  # it has infinities
