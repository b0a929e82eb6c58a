"""Elementwise operators, and activations with a bias."""

from __future__ import annotations

from functools import reduce
from math import inf
from operator import add, and_, eq, ge, gt, invert, le, lt, mul, neg, or_, sub, truediv, xor

import numpy as np

from ...readers.operators.array import call, kind, known, maximum, minimum, sigmoid, sliced, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import in_f32
from ...readers.operators.moving import along
from ...readers.operators.numbers import acosh, asinh, atanh, converted, cosh, power, shifted, sign, sinh, tan
from ...readers.tables import OperatorTable, calling

UNARY = "Exp Log Sqrt Tanh Sigmoid Relu Erf Round Floor Ceil Sin Cos Asin Acos Atan Reciprocal Softplus"
"""Calls of the language, but for capitals."""
BINARY = (
    {"Add": add, "Sub": sub, "Mul": mul, "Div": truediv, "And": and_, "Or": or_, "Xor": xor}
    | {"BitwiseAnd": and_, "BitwiseOr": or_, "BitwiseXor": xor}
    | {"Equal": eq, "Less": lt, "LessOrEqual": le, "Greater": gt, "GreaterOrEqual": ge}
)


def binary(node, x, y, *, broadcast=0, axis=None):
    if node.opset < 7 and broadcast and axis is not None:
        axis %= x.ndim
        y = y.reshape((*y.shape, *(1,) * (x.ndim - axis - y.ndim)))
    return BINARY[node.operator](x, y)


def dropout(node, x, ratio=None, training=None):
    """What it is when a model runs: all of x."""
    trains = known(training, "whether it trains")
    share = known(ratio, "the ratio") if trains is not None and bool(trains) else None
    if trains is not None and bool(trains) and (share is None or float(share) != 0):
        raise Unsupported("what is drawn by chance, in training")
    shape = x.shape
    if node.outputs == 1:
        return x
    x.reserve(*shape)
    mask = np.ones(shape, bool if node.opset >= 10 else x.numpy)
    return [x, mask]


@in_f32
def mean(first, *others):
    for other in others:
        first = first + other
    return first / (1 + len(others)) if others else first


def clip(x, low=None, high=None, *, min=None, max=None):
    for called, bound in (("maximum", min if low is None else low), ("minimum", max if high is None else high)):
        if bound is not None:
            x = call(called, x, bound)
    return x


def prelu(node, x, slope):
    if node.opset < 7 and slope.ndim == 1 and x.ndim > 1:
        slope = slope.reshape(along(x.ndim, 1, np.empty(slope.shape)).shape)
    if kind(x.dtype) == "float":
        return call("prelu", x, slope)
    return where(x < 0, x * slope, x)


def cast(node, x, *, to, saturate=1):
    return converted(x, node.of_element(to), bool(saturate))


def bit_cast(node, x, *, to):
    """The same bits as another dtype: what integers of a width are to each other."""
    dtype = node.of_element(to)
    if "float" in (kind(dtype), kind(x.dtype)):
        raise Unsupported("the bits of floats")
    return converted(x, dtype)


def is_inf(x, *, detect_negative=1, detect_positive=1):
    if not (detect_negative or detect_positive):
        return np.zeros(x.shape, bool)
    both = detect_negative and detect_positive
    return (abs(x) if both else x) == (inf if detect_positive else -inf)


def gated(x, alpha: float):
    """x sigmoid(alpha x)."""
    inner = x if alpha == 1 else x * alpha
    return x * sigmoid(inner)


@in_f32
def bias_split_gelu(x, bias):
    left, right = halves(x + bias)
    return left * call("gelu", right)


def halves(x):
    """Both halves along the last axis."""
    axis, size = x.ndim - 1, x.shape[-1]
    return [sliced(x, {axis: part}) for part in ((0, size // 2), (size // 2, size))]


@in_f32
def swiglu(gate, up=None, *, activation_alpha=1.0, activation_beta=0.0, limit=0.0, round_activation=0):
    """The gate's part that is gated by itself, times the other."""
    if round_activation:
        raise Unsupported("an activation that is rounded by itself")
    gate, up = halves(gate) if up is None else (gate, up)
    if limit > 0:
        gate, up = minimum(gate, limit), call("clip", up, low=-limit, high=limit)
    if activation_beta:
        up = up + activation_beta
    return gated(gate, activation_alpha) * up


OPERATORS: OperatorTable = (
    (" ".join(BINARY), binary),
    ("Dropout", dropout),
    ("Clip", clip),
    ("PRelu", prelu),
    ("Cast", cast),
    ("BitCast", bit_cast),
    *((name, calling(name.lower())) for name in UNARY.split()),
    ("Not", calling("logical_not")),
    ("HardSwish", calling("hard_swish")),
    ("HardSigmoid", calling("hard_sigmoid", alpha=0.2, beta=0.5)),
    ("LeakyRelu", calling("leaky_relu", alpha=0.01)),
    ("Elu", calling("elu", alpha=1.0)),
    ("Gelu", lambda x, *, approximate="none": call("gelu", x, approximate="tanh" if approximate == "tanh" else None)),
    ("Neg", neg),
    ("Abs", abs),
    ("Sign", sign),
    ("Tan", tan),
    ("Cosh", cosh),
    ("Sinh", sinh),
    ("Asinh", asinh),
    ("Acosh", acosh),
    ("Atanh", atanh),
    ("BitwiseNot", invert),
    ("Identity", lambda x: x),
    ("Max", lambda x, *others: reduce(maximum, others, x)),
    ("Min", lambda x, *others: reduce(minimum, others, x)),
    ("Sum", lambda x, *others: reduce(add, others, x)),
    ("Mean", mean),
    ("Where", where),
    ("Pow", power),
    ("Mod", lambda x, y, *, fmod=0: call("fmod" if fmod else "mod", x, y)),
    ("BitShift", lambda x, by, *, direction: shifted(x, by, direction == "LEFT")),
    ("IsNaN", lambda x: x != x),
    ("IsInf", is_inf),
    ("CastLike", lambda x, like, *, saturate=1: converted(x, like.dtype, bool(saturate))),
    ("ai.onnx.ml.Binarizer", lambda x, *, threshold=0.0: (x > threshold).astype(x.dtype)),
    ("com.microsoft.SwiGLU", swiglu),
    ("com.microsoft.Gelu", calling("gelu")),
    ("com.microsoft.FastGelu", in_f32(lambda x, b=None: call("gelu", x if b is None else x + b, approximate="tanh"))),
    ("com.microsoft.BiasGelu", in_f32(lambda x, bias: call("gelu", x + bias))),
    ("com.microsoft.BiasAdd", in_f32(lambda x, bias, skip: x + bias + skip)),
    ("com.microsoft.BiasSplitGelu", bias_split_gelu),
    ("com.microsoft.QuickGelu", in_f32(lambda x, *, alpha=1.702: gated(x, alpha))),
)
