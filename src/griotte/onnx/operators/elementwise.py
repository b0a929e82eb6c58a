"""Operators that take elements one by one."""

from __future__ import annotations

from math import inf

import numpy as np

from ...readers import numbers
from ...readers.kinds import bits, in_f32, kind
from ...readers.moving import along, reshaped
from ...readers.node import Unsupported
from ...readers.numbers import converted, wrapped, wrapping
from .declaring import OPERATORS, operator

UNARY = {
    "Exp": "exp",
    "Log": "log",
    "Sqrt": "sqrt",
    "Tanh": "tanh",
    "Sigmoid": "sigmoid",
    "Relu": "relu",
    "Erf": "erf",
    "Round": "round",
    "Floor": "floor",
    "Ceil": "ceil",
    "Sin": "sin",
    "Cos": "cos",
    "Asin": "asin",
    "Acos": "acos",
    "Atan": "atan",
    "Reciprocal": "reciprocal",
    "Not": "logical_not",
    "Softplus": "softplus",
    "HardSwish": "hard_swish",
}
BINARY = {
    "Add": "add",
    "Sub": "sub",
    "Mul": "mul",
    "Div": "div",
    "And": "logical_and",
    "Or": "logical_or",
    "Xor": "logical_xor",
    "Equal": "equal",
    "Less": "less",
    "LessOrEqual": "less_equal",
    "BitwiseAnd": "bitwise_and",
    "BitwiseOr": "bitwise_or",
    "BitwiseXor": "bitwise_xor",
    "Greater": "greater",
    "GreaterOrEqual": "greater_equal",
}
OPERATORS |= {("ai.onnx", n): lambda node, x, c=call: node.call(c, x) for n, call in UNARY.items()}
SHARED = {
    "Sign": numbers.sign,
    "Tan": numbers.tan,
    "Cosh": numbers.cosh,
    "Sinh": numbers.sinh,
    "Asinh": numbers.asinh,
    "Acosh": numbers.acosh,
    "Atanh": numbers.atanh,
    "BitwiseNot": numbers.bitwise_not,
}
"""What all readers have, by ONNX's names."""
OPERATORS |= {("ai.onnx", name): read for name, read in SHARED.items()}


@operator(*BINARY)
def binary(node, x, y):
    call = BINARY[node.proto.op_type]
    x, y = node.value(x), node.value(y)
    if node.opset < 7 and node.attribute("broadcast", 0) and node.attribute("axis") is not None:
        axis = node.attribute("axis") % x.type.rank
        y = reshaped(node, y, (*y.type.shape, *(1,) * (x.type.rank - axis - y.type.rank)))
    if call in ("add", "sub", "mul", "div"):
        return wrapping(node, call, x, y)
    if call == "equal" and x.type.dtype == "pred":
        return node.call("logical_not", node.call("logical_xor", x, y))
    return node.call(call, x, y)


@operator("Neg", "Abs")
def neg(node, x):
    call = node.proto.op_type.lower()
    if kind(node.dtype(x)) == "unsigned":
        return x
    return wrapping(node, call, x)


@operator("Identity")
def identity(node, x):
    return x


@operator("Dropout")
def dropout(node, x, ratio=None, training=None):
    """What it is when a model runs: all of x."""
    trains = node.known(training, "whether it trains")
    share = node.known(ratio, "the ratio") if trains is not None and bool(trains) else None
    if trains is not None and bool(trains) and (share is None or float(share) != 0):
        raise Unsupported("what is drawn by chance, in training")
    shape = node.value(x).type.shape
    if node.outputs == 1:
        return x
    node.room(*shape)
    mask = np.ones(shape, bool if node.opset >= 10 else node.numpy(node.dtype(x)))
    return [x, mask]


@operator("Max", "Min", "Sum")
def several(node, first, *others):
    """Of as many as there are."""
    call = {"Max": "maximum", "Min": "minimum", "Sum": "add"}[node.proto.op_type]
    for other in others:
        first = node.call(call, first, other)
    return first


@operator("Mean")
@in_f32
def mean(node, first, *others):
    for other in others:
        first = node.call("add", first, other)
    return node.call("div", first, 1 + len(others)) if others else first


@operator("Clip")
def clip(node, x, low=None, high=None):
    low = node.attribute("min") if low is None else low
    high = node.attribute("max") if high is None else high
    for call, bound in (("maximum", low), ("minimum", high)):
        if bound is not None:
            x = node.call(call, x, bound)
    return x


@operator("HardSigmoid")
def hard_sigmoid(node, x):
    return node.call("hard_sigmoid", x, alpha=node.attribute("alpha", 0.2), beta=node.attribute("beta", 0.5))


@operator("LeakyRelu")
def leaky_relu(node, x):
    return node.call("leaky_relu", x, alpha=node.attribute("alpha", 0.01))


@operator("Elu")
def elu(node, x):
    return node.call("elu", x, alpha=node.attribute("alpha", 1.0))


@operator("PRelu")
def prelu(node, x, slope):
    x, slope = node.value(x), node.value(slope)
    if node.opset < 7 and slope.type.rank == 1 and x.type.rank > 1:
        slope = reshaped(node, slope, along(x.type.rank, 1, np.empty(slope.type.shape)).shape)
    if kind(x.type.dtype) == "float":
        return node.call("prelu", x, slope)
    return node.call("where", node.call("less", x, 0), wrapping(node, "mul", x, slope), x)


@operator("Gelu")
def gelu(node, x):
    tanh = node.attribute("approximate", "none") == "tanh"
    return node.call("gelu", x, approximate="tanh" if tanh else None)


@operator("Where")
def where(node, p, x, y):
    return node.call("where", p, x, y)


@operator("Cast")
def cast(node, x):
    return converted(node, x, node.of_element(node.attribute("to")))


@operator("CastLike")
def cast_like(node, x, like):
    return converted(node, x, node.dtype(like))


@operator("BitCast")
def bit_cast(node, x):
    """The same bits as another dtype: what integers of a width are to each other."""
    dtype = node.of_element(node.attribute("to"))
    if "float" in (kind(dtype), kind(node.dtype(x))):
        raise Unsupported("the bits of floats")
    return converted(node, x, dtype)


@operator("Pow")
def power(node, x, y):
    dtype, other = node.dtype(x), node.dtype(y)
    number = None
    if not node.is_value(y) and np.asarray(y).size == 1:
        number = float(np.asarray(y).reshape(()))
    if number in (1, 2, 3) and np.asarray(y).ndim <= node.value(x).type.rank:
        return x if number == 1 else node.call("power", x, number) if bits(dtype) >= 32 else _cut(node, x, number)
    if kind(dtype) == "float":
        exponent = (
            number if number is not None and np.asarray(y).ndim <= node.value(x).type.rank else node.cast(y, dtype)
        )
        return node.call("power", x, exponent)
    if kind(other) != "float":
        return _whole_power(node, x, y)
    found = node.call("power", node.cast(x, "f64"), node.cast(y, "f64"))
    whole = node.call("round", found)  # what is a whole number but for rounding is that number
    off = node.call("abs", node.call("sub", found, whole))
    is_whole = node.call("less_equal", off, node.call("mul", node.call("abs", whole), 1e-13))
    return node.cast(node.call("where", is_whole, whole, found), dtype)


def _whole_power(node, x, y):
    """By squares, exactly; of exponents of 64 and more, which only 0, 1 and -1 are without overflow, the parity."""
    dtype = node.dtype(x)
    size = node.cast(y, dtype) if kind(node.dtype(y)) == "unsigned" else node.call("abs", node.cast(y, dtype))
    parity = node.call("add", node.call("mod", size, 2), 62)
    left = node.call("where", node.call("less", size, 64), size, parity)
    base, one, none = node.value(x), node.number(1, x), node.number(0, x)
    found = one
    for turn in range(6):
        is_odd = node.call("equal", node.call("mod", left, 2), 1)
        found = node.call("where", is_odd, node.call("mul", found, base), found)
        if turn < 5:
            base, left = node.call("mul", base, base), node.call("div", left, 2)
    is_unit = node.call("equal", node.call("mul", x, x), one)
    below = node.call("where", is_unit, found, none)
    return node.call("where", node.call("less", y, 0), below, found)


def _cut(node, x, number: float):
    if kind(node.dtype(x)) == "float":
        return node.call("power", x, number)
    raise Unsupported("a power of narrow integers")


@operator("Mod")
def mod(node, x, y):
    return node.call("fmod" if node.attribute("fmod", 0) else "mod", x, y)


@operator("IsNaN")
def is_nan(node, x):
    return node.call("not_equal", x, x)


@operator("IsInf")
def is_inf(node, x):
    negative, positive = node.attribute("detect_negative", 1), node.attribute("detect_positive", 1)
    if not (negative or positive):
        return np.zeros(node.value(x).type.shape, bool)
    both = negative and positive
    return node.call("equal", node.call("abs", x) if both else x, inf if positive else -inf)


@operator("Binarizer", domain="ai.onnx.ml")
def binarizer(node, x):
    return node.cast(node.call("greater", x, node.attribute("threshold", 0.0)), node.dtype(x))


@operator("BitShift")
def bit_shift(node, x, by):
    """Products with, or quotients by, powers of 2. By less than 0, or by as many places as there are, all are lost."""
    dtype = node.dtype(x)
    n, is_left = bits(dtype), node.attribute("direction") == "LEFT"
    if kind(dtype) == "signed" and not is_left:
        return _down(node, x, by, n)
    whole = np.uint64 if n > 32 else np.uint32
    powers = np.left_shift(whole(1), np.arange(n, dtype=whole))
    wide = node.cast(x, "u64" if n > 32 else "u32")
    found = node.call("mul" if is_left else "div", wide, node.call("take", powers, _places(node, by, n - 1)))
    is_within = node.call("less", by, n)
    if kind(dtype) == "signed":
        is_within = node.call("logical_and", is_within, node.call("greater_equal", by, 0))
    return wrapped(node, node.call("where", is_within, found, whole(0)), dtype)


def _places(node, by, most: int):
    """How many places are moved by, as row numbers."""
    least = node.call("minimum", by, most)
    return node.cast(least, "s32") if bits(node.dtype(by)) > 32 else least


def _down(node, x, by, n: int):
    """A signed shift to the right: whole quotients, rounded down."""
    whole = np.int64 if n > 32 else np.int32
    powers = np.left_shift(whole(1), np.arange(n - 1, dtype=whole))
    power = node.call("take", powers, _places(node, by, n - 2))
    wide = node.cast(x, "s64" if n > 32 else "s32")
    found = node.call("div", node.call("sub", wide, node.call("mod", wide, power)), power)
    is_within = node.call("logical_and", node.call("less", by, n - 1), node.call("greater_equal", by, 0))
    sign = node.call("where", node.call("less", wide, 0), whole(-1), whole(0))
    return node.cast(node.call("where", is_within, found, sign), node.dtype(x))
