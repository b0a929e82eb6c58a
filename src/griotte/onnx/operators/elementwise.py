"""Operators that take elements one by one."""

from __future__ import annotations

from math import inf
from operator import invert

import numpy as np

from ...readers.operators.array import call, kind, known, unary, where, wrapping
from ...readers.operators.calls import Unsupported
from ...readers.operators.integers import power, shifted
from ...readers.operators.kinds import in_f32
from ...readers.operators.moving import along
from ...readers.operators.numbers import acosh, asinh, atanh, converted, cosh, sign, sinh, tan
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
    return shifted(x, by, node.attribute("direction") == "LEFT")


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
