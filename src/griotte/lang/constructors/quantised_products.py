"""Products of quantised numbers: qmatmul and qconv2d, exact sums in s32 that are requantised.

The zeros are taken off sums of whole rows, columns and windows, which is the same in whole numbers.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import cast

from ...support.errors import SpecError
from ..calls.compose import in_order, renamed
from ..calls.spec import Spec
from ..nests.access import Border
from ..nests.operation import Operation
from ..types.dynamic import of_count
from ..types.expr import Expr, apply
from ..types.tensor import TensorType, row_major
from . import reductions
from .language import DTypeLike, LayoutLike, Padding, Pair, TensorLike, Zero, broadcasts_to, call
from .nesting import ResultType, as_call, iota, map_of, nest, one_input, type_of
from .operations import matmul
from .quantised import X, requantize, require_product, rounded, with_numbers
from .windows import Sides, Slid, Windows, convolved, surrounded


@call
def qmatmul(
    a: TensorLike,
    a_scale: TensorLike,
    a_zero: Zero,
    b: TensorLike,
    b_scale: TensorLike,
    b_zero: Zero,
    y_scale: TensorLike,
    y_zero: Zero,
    dtype: DTypeLike | None = None,
    *,
    layout: LayoutLike | None = None,
) -> Spec:
    """ONNX's QLinearMatMul: a product of integers that stand for floats.

    The sum over k of (a - a_zero) (b - b_zero), exactly, in s32; requantised by a_scale * b_scale / y_scale and y_zero.

    Scales and zeros are scalars, or broadcast with the result: one for each row [m, 1], or for each column [n]. The
    zeros are taken off the sums of whole rows and columns, which is the same in whole numbers: sum(a b) - a_zero sum(b)
    - b_zero sum(a) + k a_zero b_zero. For a zero that is the number 0 nothing is summed.

    Args:
        a: s8, u8 or s4 [..., m, k].
        a_scale: f32, bf16 or f16.
        a_zero: of a's dtype, or a number.
        b: s8, u8 or s4 [..., k, n].
        b_scale: f32, bf16 or f16.
        b_zero: of b's dtype, or a number.
        y_scale: f32, bf16 or f16.
        y_zero: s8, u8 or s4, or a number.
        dtype: of the result [..., m, n]; where left out that of `y_zero`, or of a where that is a number.

    Examples:
        >>> s, a, b = gt.tensor(()), gt.tensor((8, 16), "u8"), gt.tensor((16, 4), "s8")
        >>> print(gt.qmatmul(a, s, 128, b, s, 0, s, 128))
        qmatmul(u8[8,16], f32[], 128, s8[16,4], f32[], 0, f32[], 128) -> u8[8,4]
    """
    result = require_product("qmatmul", (a, b), (a_scale, b_scale, y_scale), (a_zero, b_zero, y_zero), dtype)
    a, a_scale, b, b_scale, y_scale = map(one_input, (a, a_scale, b, b_scale, y_scale))
    a_zero, b_zero, y_zero = map(_one_input, (a_zero, b_zero, y_zero))
    if type_of(a).rank < 2 or type_of(b).rank < 2 or type_of(a).shape[-1] != type_of(b).shape[-2]:
        raise SpecError(
            f"qmatmul expects operands [..., m, k] and [..., k, n] of one k, found {type_of(a)} and {type_of(b)}"
        )
    products = matmul(a, b, dtype="s32")
    for each in map(type_of, _tensors((a_scale, a_zero, b_scale, b_zero, y_scale, y_zero))):
        if not broadcasts_to(each.shape, products.output.shape):
            raise SpecError(
                f"qmatmul expects scales and zeros that broadcast to {list(products.output.shape)}, found {each}"
            )
    rows = reductions.sum(a, axis=-1, keepdims=True, dtype="s32")
    columns = reductions.sum(b, axis=-2, keepdims=True, dtype="s32")
    body: Expr = X[0]
    terms = of_count(type_of(a), (type_of(a).rank - 1,))
    if a_zero != 0 and b_zero != 0:
        body = body + X[1] * X[2] * terms
    if a_zero != 0:
        body = body - X[1] * X[3]
    if b_zero != 0:
        body = body - X[2] * X[4]
    body, used = with_numbers(body, products, a_zero, b_zero, columns, rows)
    whole = map_of(body, *used, dtype="s32") if len(used) > 1 else products
    factor = map_of(X[0] * X[1] / X[2], a_scale, b_scale, y_scale, dtype="f32")
    given = _tensors((a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero))
    return as_call(in_order(requantize(whole, factor, y_zero, result, layout=layout), given), "qmatmul")


@call
def qconv2d(
    x: TensorLike,
    x_scale: TensorLike,
    x_zero: Zero,
    w: TensorLike,
    w_scale: TensorLike,
    w_zero: Zero,
    y_scale: TensorLike,
    y_zero: Zero,
    stride: Pair = 1,
    padding: Padding = 0,
    dilation: Pair = 1,
    groups: int = 1,
    dtype: DTypeLike | None = None,
    *,
    bias: TensorLike | None = None,
    layout: LayoutLike | None = None,
) -> Spec:
    """ONNX's QLinearConv: a convolution of integers that stand for floats.

    The sum over a window of (x - x_zero) (w - w_zero), exactly, in s32, plus the bias; requantised by x_scale * w_scale
    / y_scale and y_zero.

    Beyond x lies x_zero, which counts nothing. For a zero that is the number 0 nothing is summed; where x_zero is a
    number, what lies beyond x is copied with x, not before.

    Args:
        x: s8, u8 or s4 [n, c, h, w].
        x_scale: f32, bf16 or f16, a scalar.
        x_zero: of x's dtype, a scalar; or a number.
        w: s8, u8 or s4 [o, c / groups, kh, kw].
        w_scale: f32, bf16 or f16: a scalar, or one for each output channel [o].
        w_zero: of w's dtype, a scalar; or a number.
        y_scale: f32, bf16 or f16, a scalar.
        y_zero: s8, u8 or s4, a scalar; or a number.
        stride: as in `conv2d`.
        padding: as in `conv2d`.
        dilation: as in `conv2d`.
        groups: as in `conv2d`.
        dtype: of the result [n, o, h', w']; where left out that of `y_zero`, or of x where that is a number.
        bias: s32 [o], in units of x_scale * w_scale.

    Examples:
        >>> s, x, w = gt.tensor(()), gt.tensor((1, 3, 8, 8), "u8"), gt.tensor((4, 3, 3, 3), "s8")
        >>> print(gt.qconv2d(x, s, 128, w, s, 0, s, 128, padding=1))
        qconv2d(u8[1,3,8,8], f32[], 128, s8[4,3,3,3], f32[], 0, f32[], 128, padding=1) -> u8[1,4,8,8]
    """
    windows, _, _ = convolved("qconv2d", type_of(x), type_of(w), Windows(stride, padding, dilation, groups))
    result_dtype = require_product("qconv2d", (x, w), (x_scale, w_scale, y_scale), (x_zero, w_zero, y_zero), dtype)
    _require_channels(
        [type_of(each) for each in _tensors((x_scale, x_zero, w_zero, y_scale, y_zero))],
        type_of(w_scale),
        type_of(w),
        None if bias is None else type_of(bias),
    )
    if not isinstance(x_zero, int) and type_of(x_zero).dtype != type_of(x).dtype:
        raise SpecError(
            f"qconv2d expects an x_zero of x's dtype, for it lies beyond x, found {type_of(x_zero)} for {type_of(x)}"
        )
    text, added = windows.text, [] if bias is None else [bias]
    x, x_scale, w, w_scale, y_scale, *added = map(one_input, (x, x_scale, w, w_scale, y_scale, *added))
    x_zero, w_zero, y_zero = map(_one_input, (x_zero, w_zero, y_zero))
    given = _tensors((x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, *added))
    beyond = x_zero if isinstance(x_zero, int) else 0
    if any(map(any, windows.padding)) and not isinstance(x_zero, int):
        x, windows = _surrounded(x, x_zero, windows.padding), replace(windows, padding=((0, 0), (0, 0)))
    products = surrounded(x, w, windows, ResultType("s32", layout), beyond)
    body, summed = cast(Expr, X[0]), [cast(TensorLike, products)]
    if x_zero != 0:
        added = [_of_channels(w, x_zero, w_zero), *added]
    for each in added:
        body, summed = body + X[len(summed)], [*summed, each]
    if w_zero != 0:
        over_windows = _of_windows(x, w_zero, type_of(w).shape, windows, beyond)
        body, summed = body - X[len(summed)], [*summed, over_windows]
    whole = _finished("zeros", body, tuple(summed), windows.groups, "s32", layout) if len(summed) > 1 else products
    scaled = X[0] * (X[1] * X[2] / X[3])
    body, used = with_numbers(rounded(scaled, X[4]), whole, x_scale, w_scale, y_scale, y_zero)
    result = _finished("requantize", body, used, windows.groups, result_dtype, layout)
    return renamed(in_order(result, given), "qconv2d", text)


def _one_input(zero: Zero) -> Zero:
    return zero if isinstance(zero, int) else one_input(zero)


def _tensors(operands: tuple[TensorLike | int, ...]) -> tuple[TensorLike, ...]:
    """The operands that are no numbers."""
    return tuple(x for x in operands if not isinstance(x, int))


def _require_channels(scalars: list[TensorType], w_scale: TensorType, w: TensorType, bias: TensorType | None) -> None:
    channels = w.shape[:1]
    if wrong := [found for found in scalars if found.rank]:
        raise SpecError(
            f"qconv2d expects scalars for scales and zeros, or w_scale [{channels[0]}], found {wrong[0]}; write"
            f" {wrong[0].dtype}[]"
        )
    if w_scale.shape not in ((), channels):
        raise SpecError(
            f"qconv2d expects scalars for scales and zeros, or w_scale [{channels[0]}], found {w_scale} for it; write"
            f" {w_scale.dtype}[] or {w_scale.dtype}[{channels[0]}]"
        )
    if bias is not None and (bias.dtype, bias.shape) != ("s32", channels):
        raise SpecError(f"qconv2d expects a bias s32[{channels[0]}], which counts x_scale * w_scale, found {bias}")


def _finished(
    name: str, body: Expr, args: tuple[TensorLike, ...], groups: int, dtype: str, layout: LayoutLike | None
) -> Spec:
    """A map over the results of a convolution, [n, o, h, w], with other operands. Each of these has one number for each
    output channel, [o], for each window of a group, [n, groups, h, w], or for all."""
    count, o, *places = type_of(args[0]).shape
    channel = f"g*{o // groups}+o"
    read, every = {0: "", 1: channel, 4: "n g y x"}, f"n {channel} y x"
    inputs = (every, *(read[type_of(x).rank] for x in args[1:]))
    sizes = dict(zip("ngoyx", (count, groups, o // groups, *places)))
    return nest(Operation.of(name, "n g o y x", inputs, every, body), sizes, args, dtype, layout)


def _surrounded(x: TensorLike, zero: TensorLike, padding: Sides) -> Spec:
    """x [n, c, h, w] with `padding` elements that are `zero` on each side along h and w. Elements at most half a size
    from the middle are x's own: all numbers are doubled, to be whole."""
    given = type_of(x)
    sizes = dict(zip("ncyx", (*given.shape[:2], *(n + sum(pads) for n, pads in zip(given.shape[2:], padding)))))
    body: Expr = X[0]
    for place, n, (before, after) in zip(X[2:], given.shape[2:], padding):
        from_middle = apply("abs", place + place - (n + 2 * before - 1))
        body = apply("where", from_middle <= n - 1, body, X[1]) if before or after else body
    border = Border(((0, 0), (0, 0), *padding))
    args = x, zero, iota((sizes["y"],)), iota((sizes["x"],))
    padded = Operation.of("pad", "n c y x", ("n c y x", "", "y", "x"), "n c y x", body)
    return nest(padded, sizes, args, given.dtype, given.minor_to_major, border=border)


def _of_channels(w: TensorLike, x_zero: Zero, w_zero: Zero) -> Spec:
    """x_zero times the sum of w_zero - w over each output channel's window: [o]. One nest, where sums that are
    multiplied after would be two: each nest more is a choice more for the search."""
    sizes = dict(zip("ocij", type_of(w).shape))
    body, args = with_numbers(X[1] * (X[2] - X[0]), w, x_zero, w_zero)
    sums = Operation.of("of_channels", "o c i j", ("o c i j", *[""] * (len(args) - 1)), "o", body, "add")
    return nest(sums, sizes, args, "s32")


def _of_windows(x: TensorLike, w_zero: Zero, window: tuple[int, ...], given: Slid, beyond: int) -> Spec:
    """w_zero times the sum of x, beyond which lies `beyond`, over each window of each group: [n, groups, places along
    h, along w]. Over channels first, where a window is more than one place: each is then read once."""
    depth, groups = window[1], given.groups
    if prod(window[2:]) > 1:
        sizes = dict(zip("ncyx", type_of(x).shape)) | {"g": groups, "c": depth}
        sums = Operation.of("channel_sums", "n g y x c", (f"n g*{depth}+c y x",), "n g y x", X[0], "add")
        x = nest(sums, sizes, (x,), "s32")
        depth, beyond = 1, beyond * depth
    images, weights = type_of(x), TensorType("s8", (groups, depth, *window[2:]), row_major(4))
    _, places, reach = convolved("qconv2d", images, weights, given)
    rows, columns = (f"{d}*{s}+{i}*{r}" for d, i, s, r in zip("yx", "ij", given.stride, given.dilation))
    sizes = dict(zip("ngyxcij", (images.shape[0], groups, *places, depth, *window[2:])))
    border, (body, args) = Border(((0, 0), (0, 0), *reach), float(beyond)), with_numbers(X[0] * X[1], x, w_zero)
    inputs = (f"n g*{depth}+c {rows} {columns}", *[""] * (len(args) - 1))
    sums = Operation.of("of_windows", "n g y x c i j", inputs, "n g y x", body, "add")
    return nest(sums, sizes, args, "s32", border=border)
