"""Quantised operations: whole numbers of few bits that stand for floats by a scale and a zero, scale * (q - zero).

    quantize(x, scale, zero)   = saturate(round(x / scale) + zero)
    dequantize(q, scale, zero) = (q - zero) * scale

Rounding is to the nearest whole number, half to even, as in ONNX; docs/quantised.md says exactly what is computed.
"""

from __future__ import annotations

from math import prod

from ..errors import SpecError
from . import operations as op
from .compose import in_order
from .composites import Operand, nest, of, once, told, type_of
from .dtypes import dtype as dtype_row
from .expr import Arg, Call, Const, Expr
from .operation import Border
from .spec import Spec
from .tensor import TensorType, row_major
from .windows import Pair, conv2d, convolved, numbers

_X = tuple(map(Arg, range(5)))


def _call(function: str, *args: Expr) -> Call:
    return Call(function, args)


def _rounded(value: Expr, zero: Expr) -> Call:
    return _call("add", _call("round", value), zero)


def _narrow(name: str, what: str, x: Operand) -> None:
    found = type_of(x)
    if dtype_row(found.dtype).kind not in ("signed", "unsigned") or dtype_row(found.dtype).bits > 8:
        raise SpecError(f"{name} expects {what} of s8, u8 or s4, found {found}")


def _scale(name: str, *scales: Operand) -> None:
    for scale in scales:
        if type_of(scale).dtype not in ("f32", "bf16", "f16"):
            raise SpecError(f"{name} expects scales of f32, bf16 or f16, found {type_of(scale)}")


def quantize(x: Operand, scale: Operand, zero: Operand, dtype: str | None = None, *, layout=None) -> Spec:
    """saturate(round(x / scale) + zero) in f32, to the dtype of `zero`; scale and zero broadcast: a scalar, or one for each channel. NaN becomes 0."""
    _narrow("quantize", "a zero", zero)
    _scale("quantize", x, scale)
    body = _rounded(_call("div", _X[0], _X[1]), _X[2])
    return told(of(body, x, scale, zero, dtype=dtype or type_of(zero).dtype, layout=layout), f"quantize({x}, {scale}, {zero})")


def dequantize(x: Operand, scale: Operand, zero: Operand, dtype: str | None = None, *, layout=None) -> Spec:
    """(x - zero) * scale in f32, to the dtype of `scale`."""
    _scale("dequantize", scale)
    body = _call("mul", _call("sub", _X[0], _X[2]), _X[1])
    return told(of(body, x, scale, zero, dtype=dtype or type_of(scale).dtype, layout=layout), f"dequantize({x}, {scale}, {zero})")


def requantize(x: Operand, scale: Operand, zero: Operand, dtype: str | None = None, *, layout=None) -> Spec:
    """saturate(round(x * scale) + zero) in f32, to the dtype of `zero`: what is done to the s32 sums of a product of 8-bit integers."""
    _narrow("requantize", "a zero", zero)
    _scale("requantize", scale)
    body = _rounded(_call("mul", _X[0], _X[1]), _X[2])
    return told(of(body, x, scale, zero, dtype=dtype or type_of(zero).dtype, layout=layout), f"requantize({x}, {scale}, {zero})")


def qmatmul(
    a: Operand, a_scale: Operand, a_zero: Operand, b: Operand, b_scale: Operand, b_zero: Operand, y_scale: Operand, y_zero: Operand, dtype: str | None = None, *, layout=None
) -> Spec:
    """ONNX's QLinearMatMul: the sum over k of (a - a_zero) (b - b_zero), exactly, in s32; requantised by a_scale * b_scale / y_scale and y_zero.

    Scales and zeros are scalars, or broadcast against the result: one for each row [m, 1], or for each column [n]. The zeros are taken off the sums of whole rows and
    columns, which is the same in whole numbers: sum(a b) - a_zero sum(b) - b_zero sum(a) + k a_zero b_zero.
    """
    text = f"qmatmul({', '.join(map(str, (a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero)))})"
    for what, x in (("operands", a), ("operands", b), ("zeros", a_zero), ("zeros", b_zero), ("zeros", y_zero)):
        _narrow("qmatmul", what, x)
    _scale("qmatmul", a_scale, b_scale, y_scale)
    args = a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = tuple(map(once, (a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero)))
    products = op.matmul(a, b, dtype="s32")
    rows, columns = op.sum(a, axis=-1, keepdims=True, dtype="s32"), op.sum(b, axis=-2, keepdims=True, dtype="s32")
    depth = Const(type_of(a).shape[-1])
    constant = _call("mul", _call("mul", _X[1], _X[2]), depth)
    body = _call("sub", _call("sub", _call("add", _X[0], constant), _call("mul", _X[1], _X[3])), _call("mul", _X[2], _X[4]))
    whole = of(body, products, a_zero, b_zero, columns, rows, dtype="s32")
    factor = of(_call("div", _call("mul", _X[0], _X[1]), _X[2]), a_scale, b_scale, y_scale, dtype="f32")
    return told(in_order(requantize(whole, factor, y_zero, dtype, layout=layout), args), text)


def qconv2d(
    x: Operand, x_scale: Operand, x_zero: Operand, w: Operand, w_scale: Operand, w_zero: Operand, y_scale: Operand, y_zero: Operand,
    stride=1, padding=0, dilation=1, groups: int = 1, dtype: str | None = None, *, bias: Operand | None = None, layout=None,
) -> Spec:  # fmt: skip
    """ONNX's QLinearConv: the sum over a window of (x - x_zero) (w - w_zero), exactly, in s32, plus bias [o] of s32; requantised by x_scale * w_scale / y_scale and y_zero.

    x [n, c, h, w] and w [o, c / groups, kh, kw], and the numbers, as of conv2d. Beyond x lies x_zero, which counts nothing. Scales and zeros are scalars; w_scale may be one for each output channel, [o].
    """
    operands = x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero
    stride, padding, dilation, groups, _, _ = convolved("qconv2d", type_of(x), type_of(w), stride, padding, dilation, groups)
    _require_qconv2d([type_of(each) for each in operands], None if bias is None else type_of(bias))
    text = f"qconv2d({', '.join(map(str, operands))}{numbers(stride, padding, dilation, groups)}{'' if bias is None else f', bias={bias}'})"
    given = x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, *added = tuple(map(once, (*operands, *(() if bias is None else (bias,)))))
    padded = _surrounded(x, x_zero, padding) if any(padding) else x
    products = conv2d(padded, w, stride, 0, dilation, groups, "s32", layout=layout)
    summed = (products, _of_channels(w, x_zero, w_zero), _of_windows(padded, w_zero, type_of(w).shape, stride, dilation, groups), *added)
    body = _call("sub", _call("add", _X[0], _X[1]), _X[2])
    whole = _finished("zeros", _call("add", body, _X[3]) if added else body, summed, groups, "s32", layout)
    scaled = _call("mul", _X[0], _call("div", _call("mul", _X[1], _X[2]), _X[3]))
    result = _finished("requantize", _rounded(scaled, _X[4]), (whole, x_scale, w_scale, y_scale, y_zero), groups, dtype or type_of(y_zero).dtype, layout)
    return told(in_order(result, given), text)


def _require_qconv2d(operands: list[TensorType], bias: TensorType | None) -> None:
    x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero = operands
    for what, found in (("operands", x), ("operands", w), ("zeros", x_zero), ("zeros", w_zero), ("zeros", y_zero)):
        _narrow("qconv2d", what, found)
    _scale("qconv2d", x_scale, w_scale, y_scale)
    scalars, channels = (x_scale, x_zero, w_zero, y_scale, y_zero), w.shape[:1]
    if any(found.rank for found in scalars) or w_scale.shape not in ((), channels):
        raise SpecError(f"qconv2d expects scalars for scales and zeros, or w_scale [{channels[0]}], found {', '.join(map(str, (*scalars, w_scale)))}")
    if x_zero.dtype != x.dtype:
        raise SpecError(f"qconv2d expects an x_zero of x's dtype, for it lies beyond x, found {x_zero} for {x}")
    if bias is not None and (bias.dtype, bias.shape) != ("s32", channels):
        raise SpecError(f"qconv2d expects a bias s32[{channels[0]}], which counts x_scale * w_scale, found {bias}")


def _finished(name: str, body: Expr, args: tuple[Operand, ...], groups: int, dtype: str, layout) -> Spec:
    """A map over the results of a convolution, [n, o, h, w], with others that are one number for each output channel, [o], for each window of a group, [n, groups, h, w], or for all."""
    count, o, *places = type_of(args[0]).shape
    channel = f"g*{o // groups}+o"
    read = {0: "", 1: channel, 4: "n g y x"}
    every = f"n {channel} y x"
    sizes = dict(zip("ngoyx", (count, groups, o // groups, *places)))
    return nest(name, "n g o y x", (every, *(read[type_of(x).rank] for x in args[1:])), every, body, None, sizes, args, dtype, layout)


def _surrounded(x: Operand, zero: Operand, padding: Pair) -> Spec:
    """x [n, c, h, w] with `padding` elements that are `zero` on each side along h and w. What is at most half a size from the middle is x's own: all numbers are doubled, to be whole."""
    given = type_of(x)
    sizes = dict(zip("ncyx", (*given.shape[:2], *(n + 2 * pad for n, pad in zip(given.shape[2:], padding)))))
    body: Expr = _X[0]
    for place, n, pad in zip(_X[2:], given.shape[2:], padding):
        from_middle = _call("abs", _call("sub", _call("add", place, place), Const(n + 2 * pad - 1)))
        body = _call("where", _call("le", from_middle, Const(n - 1)), body, _X[1]) if pad else body
    border = Border(((0, 0), (0, 0), *((pad, pad) for pad in padding)))
    args = x, zero, op.iota((sizes["y"],)), op.iota((sizes["x"],))
    return nest("pad", "n c y x", ("n c y x", "", "y", "x"), "n c y x", body, None, sizes, args, given.dtype, given.minor_to_major, border=border)


def _of_channels(w: Operand, x_zero: Operand, w_zero: Operand) -> Spec:
    """x_zero times the sum of w_zero - w over each output channel's window: [o]. One nest, where sums that are multiplied after would be two: each nest more is a choice more for the search."""
    sizes = dict(zip("ocij", type_of(w).shape))
    body = _call("mul", _X[1], _call("sub", _X[2], _X[0]))
    return nest("of_channels", "o c i j", ("o c i j", "", ""), "o", body, "add", sizes, (w, x_zero, w_zero), "s32")


def _of_windows(x: Operand, w_zero: Operand, window: tuple[int, ...], stride: Pair, dilation: Pair, groups: int) -> Spec:
    """w_zero times the sum of x over each window of each group: [n, groups, places along h, along w]. Over channels first, where a window is more than one place: each is then read once."""
    depth = window[1]
    if prod(window[2:]) > 1:
        sizes = dict(zip("ncyx", type_of(x).shape)) | {"g": groups, "c": depth}
        x = nest("channel_sums", "n g y x c", (f"n g*{depth}+c y x",), "n g y x", _X[0], "add", sizes, (x,), "s32")
        depth = 1
    given = type_of(x)
    _, _, _, _, places, reach = convolved("qconv2d", given, TensorType("s8", (groups, depth, *window[2:]), row_major(4)), stride, 0, dilation, groups)
    rows, columns = (f"{d}*{s}+{i}*{r}" for d, i, s, r in zip("yx", "ij", stride, dilation))
    sizes = dict(zip("ngyxcij", (given.shape[0], groups, *places, depth, *window[2:])))
    border, body = Border(((0, 0), (0, 0), *reach)), _call("mul", _X[0], _X[1])
    return nest("of_windows", "n g y x c i j", (f"n g*{depth}+c {rows} {columns}", ""), "n g y x", body, "add", sizes, (x, w_zero), "s32", border=border)


def group_matmul(x: Operand, w: Operand, scales: Operand, activations: str = "", dtype: str | None = None, *, layout=None) -> Spec:
    """x [..., m, k] by weights w [n, g, s] with a scale [n, g] for each group of s, k = g s: y[m, n] = sum over g of scales[n, g] * (sum over s of x[m, g s + s'] * w[n, g, s']).

    In f32. With activations=s8 each group of x is first quantised: to round(127 x / max|x|), half to even, with a scale of its own, max|x| / 127.
    """
    text = f"group_matmul({x}, {w}, {scales}{f', activations={activations}' if activations else ''})"
    xt, wt, st = map(type_of, (x, w, scales))
    _narrow("group_matmul", "weights", w)
    _scale("group_matmul", x, scales)
    if activations not in ("", "s8"):
        raise SpecError(f"group_matmul expects activations to be s8, or left out, found {activations}")
    if xt.rank < 2 or wt.rank != 3 or st.shape != wt.shape[:2] or xt.shape[-1] != wt.shape[1] * wt.shape[2]:
        raise SpecError(f"group_matmul expects x [..., m, g s], w [n, g, s] and scales [n, g], found {xt}, {wt} and {st}")
    front, (n, groups, size) = op._dims(xt.shape[:-2]), wt.shape
    b, sizes, result = " ".join(front), dict(zip(front, xt.shape)) | {"m": xt.shape[-2], "n": n, "g": groups, "s": size}, dtype or xt.dtype
    read = f"{b} m g*{size}+s"
    if not activations:
        product = _call("mul", _call("mul", _X[0], _X[1]), _X[2])
        return told(nest("group_matmul", f"{b} m n g s", (read, "n g s", "n g"), f"{b} m n", product, "add", sizes, (x, w, scales), result, layout, keep="n"), text)
    x = once(x)
    largest = nest("largest", f"{b} m g s", (read,), f"{b} m g", _call("abs", _X[0]), "maximum", sizes, (x,), "f32")
    own = of(_call("mul", _X[0], Const(1 / 127)), largest, dtype="f32")
    whole = nest("quantize", f"{b} m g s", (read, f"{b} m g"), f"{b} m g s", _call("round", _call("div", *_X[:2])), None, sizes, (x, own), "s8")
    product = _call("mul", _call("mul", _call("mul", *_X[:2]), _X[2]), _X[3])
    inputs = (f"{b} m g s", "n g s", "n g", f"{b} m g")
    return told(nest("group_matmul", f"{b} m n g s", inputs, f"{b} m n", product, "add", sizes, (whole, w, scales, own), result, layout, keep="n"), text)


FORMS: dict[str, op.Form] = {
    "quantize": op.Form(quantize, 3),
    "dequantize": op.Form(dequantize, 3),
    "requantize": op.Form(requantize, 3),
    "qmatmul": op.Form(qmatmul, 8),
    "qconv2d": op.Form(qconv2d, 8, ("stride", "padding", "dilation", "groups"), tensors=("bias",)),
    "group_matmul": op.Form(group_matmul, 3, ("activations",)),
}
