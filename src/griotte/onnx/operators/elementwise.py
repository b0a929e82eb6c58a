"""Operators that take elements one by one."""

from __future__ import annotations

from math import inf
from operator import invert

import numpy as np

from ...operators.array import bits, call, kind, known, minimum, round_, unary, where, wrapped, wrapping
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32
from ...operators.moving import along
from ...operators.numbers import acosh, asinh, atanh, converted, cosh, sign, sinh, tan
from ...readers.tables import OperatorTable

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


def binary(node, x, y):
    called = BINARY[node.operator]
    if node.opset < 7 and node.attribute("broadcast", 0) and node.attribute("axis") is not None:
        axis = node.attribute("axis") % x.ndim
        y = y.reshape((*y.shape, *(1,) * (x.ndim - axis - y.ndim)))
    if called in ("add", "sub", "mul", "div"):
        return wrapping(called, x, y)
    if called == "equal" and x.dtype == "pred":
        return ~(x ^ y)
    return call(called, x, y)


def neg(node, x):
    called = node.operator.lower()
    if kind(x.dtype) == "unsigned":
        return x
    return wrapping(called, x)


def identity(x):
    return x


def dropout(node, x, ratio=None, training=None):
    """What it is when a model runs: all of x."""
    trains = known(training, "whether it trains")
    share = known(ratio, "the ratio") if trains is not None and bool(trains) else None
    if trains is not None and bool(trains) and (share is None or float(share) != 0):
        raise Unsupported("what is drawn by chance, in training")
    shape = x.shape
    if node.outputs == 1:
        return x
    x.room(*shape)
    mask = np.ones(shape, bool if node.opset >= 10 else x.numpy)
    return [x, mask]


def several(node, first, *others):
    """Of as many as there are."""
    called = {"Max": "maximum", "Min": "minimum", "Sum": "add"}[node.operator]
    for other in others:
        first = call(called, first, other)
    return first


@in_f32
def mean(first, *others):
    for other in others:
        first = first + other
    return first / (1 + len(others)) if others else first


def clip(node, x, low=None, high=None):
    low = node.attribute("min") if low is None else low
    high = node.attribute("max") if high is None else high
    for called, bound in (("maximum", low), ("minimum", high)):
        if bound is not None:
            x = call(called, x, bound)
    return x


def hard_sigmoid(node, x):
    return call("hard_sigmoid", x, alpha=node.attribute("alpha", 0.2), beta=node.attribute("beta", 0.5))


def leaky_relu(node, x):
    return call("leaky_relu", x, alpha=node.attribute("alpha", 0.01))


def elu(node, x):
    return call("elu", x, alpha=node.attribute("alpha", 1.0))


def prelu(node, x, slope):
    if node.opset < 7 and slope.ndim == 1 and x.ndim > 1:
        slope = slope.reshape(along(x.ndim, 1, np.empty(slope.shape)).shape)
    if kind(x.dtype) == "float":
        return call("prelu", x, slope)
    return where(x < 0, x * slope, x)


def gelu(node, x):
    tanh = node.attribute("approximate", "none") == "tanh"
    return call("gelu", x, approximate="tanh" if tanh else None)


def where_(p, x, y):
    return where(p, x, y)


def cast(node, x):
    return converted(x, node.of_element(node.attribute("to")), bool(node.attribute("saturate", 1)))


def cast_like(node, x, like):
    return converted(x, like.dtype, bool(node.attribute("saturate", 1)))


def bit_cast(node, x):
    """The same bits as another dtype: what integers of a width are to each other."""
    dtype = node.of_element(node.attribute("to"))
    if "float" in (kind(dtype), kind(x.dtype)):
        raise Unsupported("the bits of floats")
    return converted(x, dtype)


def power(x, y):
    dtype, other = x.dtype, y.dtype
    number = None
    if y.is_known and np.asarray(y).size == 1:
        number = float(np.asarray(y).reshape(()))
    if number in (1, 2, 3) and np.asarray(y).ndim <= x.ndim:
        return x if number == 1 else (x**number if bits(dtype) >= 32 else _cut(x, number))
    if kind(dtype) == "float":
        exponent = number if number is not None and np.asarray(y).ndim <= x.ndim else y.astype(dtype)
        return x**exponent
    if kind(other) != "float":
        return _whole_power(x, y)
    found = x.astype("f64") ** y.astype("f64")
    whole = round_(found)  # what is a whole number but for rounding is that number
    off = abs(found - whole)
    is_whole = off <= abs(whole) * 1e-13
    return where(is_whole, whole, found).astype(dtype)


def _whole_power(x, y):
    """By squares, exactly; of exponents of 64 and more, which only 0, 1 and -1 are without overflow, the parity."""
    dtype = x.dtype
    size = y.astype(dtype) if kind(y.dtype) == "unsigned" else abs(y.astype(dtype))
    parity = size % 2 + 62
    left = where(size < 64, size, parity)
    base, one, none = x, x.number(1), x.number(0)
    found = one
    for turn in range(6):
        is_odd = left % 2 == 1
        found = where(is_odd, found * base, found)
        if turn < 5:
            base, left = base * base, left / 2
    is_unit = x * x == one
    below = where(is_unit, found, none)
    return where(y < 0, below, found)


def _cut(x, number: float):
    if kind(x.dtype) == "float":
        return x**number
    raise Unsupported("a power of narrow integers")


def mod(node, x, y):
    return call("fmod" if node.attribute("fmod", 0) else "mod", x, y)


def is_nan(x):
    return x != x


def is_inf(node, x):
    negative, positive = node.attribute("detect_negative", 1), node.attribute("detect_positive", 1)
    if not (negative or positive):
        return np.zeros(x.shape, bool)
    both = negative and positive
    return (abs(x) if both else x) == (inf if positive else -inf)


def binarizer(node, x):
    return (x > node.attribute("threshold", 0.0)).astype(x.dtype)


def bit_shift(node, x, by):
    """Products with, or quotients by, powers of 2. By less than 0, or by as many places as there are, all are lost."""
    dtype = x.dtype
    n, is_left = bits(dtype), node.attribute("direction") == "LEFT"
    if kind(dtype) == "signed" and not is_left:
        return _down(x, by, n)
    whole = np.uint64 if n > 32 else np.uint32
    powers = np.left_shift(whole(1), np.arange(n, dtype=whole))
    wide = x.astype("u64" if n > 32 else "u32")
    found = call("mul" if is_left else "div", wide, x.of(powers).take(_places(by, n - 1), 0))
    is_within = by < n
    if kind(dtype) == "signed":
        is_within = is_within & (by >= 0)
    return wrapped(where(is_within, found, whole(0)), dtype)


def _places(by, most: int):
    """How many places are moved by, as row numbers."""
    least = minimum(by, most)
    return least.astype("s32") if bits(by.dtype) > 32 else least


def _down(x, by, n: int):
    """A signed shift to the right: whole quotients, rounded down."""
    whole = np.int64 if n > 32 else np.int32
    powers = np.left_shift(whole(1), np.arange(n - 1, dtype=whole))
    power = x.of(powers).take(_places(by, n - 2), 0)
    wide = x.astype("s64" if n > 32 else "s32")
    found = (wide - wide % power) / power
    is_within = (by < n - 1) & (by >= 0)
    sign = where(wide < 0, whole(-1), whole(0))
    return where(is_within, found, sign).astype(x.dtype)


OPERATORS: OperatorTable = (
    (" ".join(BINARY), binary),
    ("Neg Abs", neg),
    ("Dropout", dropout),
    ("Max Min Sum", several),
    ("Clip", clip),
    ("HardSigmoid", hard_sigmoid),
    ("LeakyRelu", leaky_relu),
    ("Elu", elu),
    ("PRelu", prelu),
    ("Gelu", gelu),
    ("Cast", cast),
    ("CastLike", cast_like),
    ("BitCast", bit_cast),
    ("Mod", mod),
    ("IsInf", is_inf),
    ("ai.onnx.ml.Binarizer", binarizer),
    ("BitShift", bit_shift),
)


FUNCTIONS: OperatorTable = (
    ("Exp", unary("exp")),
    ("Log", unary("log")),
    ("Sqrt", unary("sqrt")),
    ("Tanh", unary("tanh")),
    ("Sigmoid", unary("sigmoid")),
    ("Relu", unary("relu")),
    ("Erf", unary("erf")),
    ("Round", unary("round")),
    ("Floor", unary("floor")),
    ("Ceil", unary("ceil")),
    ("Sin", unary("sin")),
    ("Cos", unary("cos")),
    ("Asin", unary("asin")),
    ("Acos", unary("acos")),
    ("Atan", unary("atan")),
    ("Reciprocal", unary("reciprocal")),
    ("Not", unary("logical_not")),
    ("Softplus", unary("softplus")),
    ("HardSwish", unary("hard_swish")),
    ("Sign", sign),
    ("Tan", tan),
    ("Cosh", cosh),
    ("Sinh", sinh),
    ("Asinh", asinh),
    ("Acosh", acosh),
    ("Atanh", atanh),
    ("BitwiseNot", invert),
    ("Identity", identity),
    ("Mean", mean),
    ("Where", where_),
    ("Pow", power),
    ("IsNaN", is_nan),
)
