"""Transposed convolution: a convolution of x in which the places between two strides are output channels of their own,
which then are put side by side.

    y[s*q + r] = sum over t of x[q - t] w[s*t + r]

With a stride of s a window of k elements is s windows of ceil(k / s), with zeros at the end where s does not divide k.
So windows as large as their stride are a matmul, and no zeros between elements of x are multiplied.

Where p places are cut off at the front, y[s*q + r] is that sum with w[s*t + r + p mod s] and x[q + p div s - t], t from
-1 on. So nothing is left to be cut off (`apart`, where that takes no more taps).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...support.errors import SpecError
from ..calls.compose import renamed
from ..calls.spec import Spec
from ..nests.operation import Operation
from ..types.dtypes import dtype_or
from ..types.expr import Arg, Expr, apply
from ..types.tensor import TensorType
from .language import DTypeLike, LayoutLike, Padding, Pair, TensorLike, attributes_text, call
from .nesting import iota, map_of, nest, product_dtype, type_of
from .slicing import slice
from .windows import Two, conv2d, padding_text, pair, pair_said, require_rank, sides, whole_number


@call
def conv_transpose2d(
    x: TensorLike,
    w: TensorLike,
    stride: Pair = 1,
    padding: Padding = 0,
    output_padding: Pair = 0,
    dilation: Pair = 1,
    groups: int = 1,
    window: Pair | None = None,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """The sum of windows, each times an element of x, that are laid side by side a stride apart.

    It is what the gradient of conv2d does to x: of h elements it makes (h - 1) * stride - padding + dilation * (kh - 1)
    + output_padding + 1, with `padding` that of both sides.

    Args:
        x: numbers [n, c, h, w].
        w: numbers [c, o / groups, kh, kw].
        stride: steps from window to window in the result: one number, or a pair along h and w.
        padding: elements that are cut off on each side: one number, a pair, or ((top, bottom), (left, right)).
        output_padding: elements that are added at the end, less than a stride: one number, or a pair.
        dilation: steps from element to element of a window: one number, or a pair.
        groups: into how many the channels are parted.
        window: kh and kw, where w is turned already: [o * strides, c / groups, ..] as `windows_of` has it.
        dtype: of the result [n, o, h', w']; where left out the wider of the operands', of 8-bit integers s32.

    Examples:
        >>> print(gt.conv_transpose2d(gt.tensor((1, 3, 9, 9)), gt.tensor((3, 8, 2, 2)), stride=2))
        conv_transpose2d(f32[1,3,9,9], f32[3,8,2,2], stride=2) -> f32[1,8,18,18]
    """
    name, given, windows = "conv_transpose2d", type_of(x), type_of(w)
    require_rank(name, given, "[n, c, h, w]")
    require_rank(name, windows, "[c, o / groups, kh, kw]")
    groups = whole_number(name, "groups", groups, 1)
    if any(axis > 1 for axis in windows.dynamic_axes):
        raise SpecError(f"{name} expects windows of a fixed size, found {windows}; write the bound as the size")
    if windows.shape[0] != given.shape[1] and window is None or given.shape[1] % groups:
        raise SpecError(
            f"{name} expects w [c, o / groups, kh, kw] for x [n, c, h, w], with groups that divide c, found {windows}"
            f" for {given} and groups = {groups}"
        )
    stride, cut = pair(name, "stride", stride, 1), sides(name, padding)
    more, dilation = pair(name, "output_padding", output_padding, 0), pair(name, "dilation", dilation, 1)
    kernel = windows.shape[2:] if window is None else pair(name, "window", window, 1)
    along = tuple(map(_Transposed, given.shape[2:], kernel, stride, cut, more, dilation))
    if window is not None:
        _require_turned(windows, given.shape[1], along, groups)
    if any(max(a.cut) >= a.span or a.more >= max(a.stride, a.dilation) or a.result < 1 for a in along):
        raise SpecError(
            f"{name} expects less padding than a window spans, an output_padding of less than a stride, and a result,"
            f" found {cut}, {more} and {[a.result for a in along]} for {windows}"
        )
    text = pair_said("stride", stride, 1) + padding_text(cut) + pair_said("output_padding", more, 0)
    text += pair_said("dilation", dilation, 1) + attributes_text(groups=groups if groups > 1 else None)
    text += pair_said("window", pair(name, "window", window, 1), 0) if window is not None else ""
    is_cut, is_plain = any(a.is_cut for a in along), stride == (1, 1)
    made = conv2d(
        x,
        w if window is not None else _turned(w, along, groups),
        padding=tuple(a.around for a in along),
        groups=groups,
        dtype=dtype_or(dtype, product_dtype(given, windows)),
        layout=layout if is_plain and not is_cut else None,
    )
    made = made if is_plain else _side_by_side(made, stride, None if is_cut else layout)
    if is_cut:
        starts, limits = tuple(a.first for a in along), tuple(a.first + a.result for a in along)
        made = slice(made, (0, 0, *starts), (*made.output.shape[:2], *limits), layout=layout)
    return renamed(made, name, text)


@dataclass(frozen=True)
class _Transposed:
    """The numbers of a transposed convolution along h or w."""

    size: int
    window: int
    stride: int
    cut: Two
    more: int
    dilation: int
    lead: int = 0

    @property
    def span(self) -> int:
        return (self.window - 1) * self.dilation + 1

    @property
    def led(self) -> _Transposed:
        """The same with nothing cut off at the front, where that takes no more taps. Its windows begin `lead` elements
        before those of place 0."""
        found = replace(self, lead=self.cut[0] % self.stride)
        return found if found.taps <= self.taps else self

    @property
    def last(self) -> int:
        """The last tap; the first is 0, or -1 where there is a lead."""
        return (self.span - 1 - self.lead) // self.stride

    @property
    def taps(self) -> int:
        """Elements of x that a result is made of."""
        return self.last + 1 + (self.lead > 0)

    @property
    def result(self) -> int:
        return (self.size - 1) * self.stride - sum(self.cut) + self.span + self.more

    @property
    def first(self) -> int:
        """What comes before the first result of those that a convolution gives."""
        return self.cut[0] % self.stride - self.lead

    @property
    def around(self) -> Two:
        """What the convolution reaches before and beyond x."""
        before = self.cut[0] // self.stride
        places = (self.first + self.result - 1) // self.stride + 1
        return self.last - before, places - self.size + before + (self.lead > 0)

    @property
    def is_cut(self) -> bool:
        """Not all that the convolution gives is of the result."""
        return (self.result + self.first) % self.stride > 0 or self.first > 0

    @property
    def is_whole(self) -> bool:
        """Each tap of each place is an element of the window."""
        return not self.lead and self.taps * self.stride == self.window

    def numbers(self) -> Spec:
        """Of tap t, counted from the last one, at place r, the element of the window: s32 [taps, stride]; -1 where
        there is none."""
        count, s = iota((self.taps, self.stride)), self.stride
        place = Arg(0) + (self.last * s + self.lead) - Arg(0) / s * (2 * s)
        if self.is_whole:
            return map_of(place, count)
        element = place / self.dilation
        found = apply("where", apply("eq", element * self.dilation, place), element, -1)
        return map_of(apply("where", element < self.window, found, -1), count)


def _require_turned(windows: TensorType, channels: int, along: tuple[_Transposed, ...], groups: int) -> None:
    h, v = along
    (kernels, *rest), unit = windows.shape, h.stride * v.stride * groups
    if tuple(rest) != (channels // groups, h.taps, v.taps) or kernels % unit:
        raise SpecError(
            f"conv_transpose2d expects turned w [a multiple of {unit}, {channels // groups}, {h.taps}, {v.taps}] for a"
            f" window of {(h.window, v.window)}, found {windows}; leave window out where w is not turned"
        )


def windows_of(w: TensorType, stride: Pair = 1, dilation: Pair = 1, groups: int = 1) -> Spec:
    """The windows of a transposed convolution, turned: those of the convolution that it is.

    Args:
        w: numbers [c, o / groups, kh, kw].
        stride: as of conv_transpose2d.
        dilation: as of conv_transpose2d.
        groups: as of conv_transpose2d.
    """
    stride, dilation = pair("windows_of", "stride", stride, 1), pair("windows_of", "dilation", dilation, 1)
    along = tuple(_Transposed(1, k, s, (0, 0), 0, d) for k, s, d in zip(w.shape[2:], stride, dilation))
    return _turned(w, along, groups)


@dataclass(frozen=True)
class TransposedSteps:
    """A transposed convolution as a convolution by other windows, whose channels [o, stride, stride] then are put side
    by side. The result has the places from `starts` to `limits` of that, along h and w."""

    windows: Spec
    padding: tuple[Two, Two]
    stride: Two
    starts: Two
    limits: Two


@dataclass(frozen=True)
class TransposedWindows:
    """How windows lie: arguments of conv_transpose2d."""

    stride: Pair = 1
    padding: Padding = 0
    output_padding: Pair = 0
    dilation: Pair = 1
    groups: int = 1


def apart(x: TensorType, w: TensorType, given: TransposedWindows) -> TransposedSteps | None:
    """A transposed convolution in its two steps; None where one of them is all of it."""
    s, t = pair("apart", "stride", given.stride, 1)
    more = pair("apart", "output_padding", given.output_padding, 0)
    dilations = pair("apart", "dilation", given.dilation, 1)
    along = map(_Transposed, x.shape[2:], w.shape[2:], (s, t), sides("apart", given.padding), more, dilations)
    h, v = (each.led for each in along)
    if s * t == 1 or h.taps * v.taps == 1:
        return None
    limits = h.first + h.result, v.first + v.result
    return TransposedSteps(_turned(w, (h, v), given.groups), (h.around, v.around), (s, t), (h.first, v.first), limits)


def _turned(w: TensorLike, along: tuple[_Transposed, ...], groups: int) -> Spec:
    """The windows [o * strides, c / groups, taps, taps] of the convolution, from [c, o / groups, kh, kw]."""
    given, (h, v) = type_of(w), along
    channels, kernels, places = given.shape[0] // groups, given.shape[1], h.stride * v.stride
    rows, columns = h.numbers(), v.numbers()
    body: Expr = Arg(0)
    for i, a in ((3, h), (4, v)):
        body = body if a.is_whole else apply("where", Arg(i) < 0, 0, body)
    operation = Operation.of(
        "windows",
        "g o r u c t v i j",
        (f"g*{channels}+c o i j", "t r", "v u", "t r", "v u"),
        f"g*{kernels * places}+o*{places}+r*{v.stride}+u c t v",
        body,
    )
    operation = replace(operation, keep=("i", "j"), picks=(("i", 1), ("j", 2)))
    sizes = groups, kernels, h.stride, v.stride, channels, h.taps, v.taps, *given.shape[2:]
    return nest(operation, dict(zip(operation.dims, sizes)), (w, rows, columns, rows, columns), given.dtype)


def _side_by_side(x: Spec, stride: Two, layout: LayoutLike | None) -> Spec:
    """[n, o, h * stride, w * stride] of x [n, o * strides, h, w]."""
    (n, channels, h, w), (s, t) = x.output.shape, stride
    sizes = {"n": n, "o": channels // (s * t), "y": h, "r": s, "x": w, "u": t}
    inputs, output = (f"n o*{s * t}+r*{t}+u y x",), f"n o y*{s}+r x*{t}+u"
    return nest(Operation.of("copy", "n o y r x u", inputs, output, Arg(0)), sizes, (x,), x.output.dtype, layout)
