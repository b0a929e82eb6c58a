"""Operators that take elements one by one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .declaring import OPERATORS, Unsupported, operator

UNARY = {
    "Neg": "neg",
    "Abs": "abs",
    "Exp": "exp",
    "Log": "log",
    "Sqrt": "sqrt",
    "Tanh": "tanh",
    "Sigmoid": "sigmoid",
    "Relu": "relu",
    "Erf": "erf",
    "Round": "round",
}
BINARY = {"Add": "add", "Sub": "sub", "Mul": "mul", "Div": "div"}


def _unary(call: str) -> Any:
    return lambda node, x: node.call(call, x)


def _binary(call: str) -> Any:
    return lambda node, x, y: node.call(call, x, y)


OPERATORS |= {("ai.onnx", name): _unary(call) for name, call in UNARY.items()}
OPERATORS |= {("ai.onnx", name): _binary(call) for name, call in BINARY.items()}


@operator("Identity", "Dropout")
def identity(node, x, *_):
    if node.outputs > 1 and node.proto.op_type == "Dropout":
        raise Unsupported("the mask of Dropout is asked for")
    return x


@operator("Max", "Min", "Sum")
def folded(node, first, *others):
    """Of as many as there are."""
    call = {"Max": "maximum", "Min": "minimum", "Sum": "add"}[node.proto.op_type]
    for other in others:
        first = node.call(call, first, other)
    return first


@operator("Clip")
def clip(node, x, low=None, high=None):
    low = node.attribute("min") if low is None else low
    high = node.attribute("max") if high is None else high
    dtype = node.value(x).type.dtype
    for call, bound in (("maximum", low), ("minimum", high)):
        if bound is not None:
            x = node.call(call, x, scalar(node, bound, dtype))
    return x


def scalar(node, value, dtype: str):
    """A number as what elementwise calls take beside elements of a dtype."""
    from ...ir.dtypes import dtype as row

    if not isinstance(value, (int, float, np.ndarray, np.generic)):
        return value
    return node.value(np.asarray(value).astype(row(dtype).numpy).reshape(()))


@operator("HardSigmoid")
def hard_sigmoid(node, x):
    return _hard_sigmoid(node, x, node.attribute("alpha", 0.2), node.attribute("beta", 0.5))


def _hard_sigmoid(node, x, alpha: float, beta: float):
    dtype = node.value(x).type.dtype
    number = lambda value: scalar(node, value, dtype)
    inner = node.call("add", node.call("mul", x, number(alpha)), number(beta))
    return node.call("minimum", node.call("maximum", inner, number(0)), number(1))


@operator("HardSwish")
def hard_swish(node, x):
    return node.call("mul", x, _hard_sigmoid(node, x, 1 / 6, 0.5))


@operator("LeakyRelu")
def leaky_relu(node, x):
    dtype = node.value(x).type.dtype
    scaled = node.call("mul", x, scalar(node, node.attribute("alpha", 0.01), dtype))
    zero = scalar(node, 0, dtype)
    return node.call("add", node.call("maximum", x, zero), node.call("minimum", scaled, zero))


@operator("Gelu")
def gelu(node, x):
    tanh = node.attribute("approximate", "none") == "tanh"
    return node.call("gelu", x, approximate="tanh" if tanh else None)


@operator("Reciprocal")
def reciprocal(node, x):
    return node.call("div", scalar(node, 1, node.value(x).type.dtype), x)


@operator("Where")
def where(node, p, x, y):
    return node.call("where", p, x, y)


@operator("Cast")
def cast(node, x):
    return _cast(node, x, node.attribute("to"))


@operator("CastLike")
def cast_like(node, x, like):
    return node.call("cast", x, dtype=node.value(like).type.dtype)


def _cast(node, x, element: int):
    from ..reader import dtype_of

    given, wanted = node.value(x).type.dtype, dtype_of(element, node.told)
    return x if given == wanted else node.call("cast", x, dtype=wanted)


@operator("Pow")
def power(node, x, y):
    exponent = node.known(y, "the exponent")
    if exponent is None or exponent.size != 1:
        raise Unsupported("an exponent that is not one number")
    wanted = float(exponent.reshape(()))
    if wanted == 2:
        return node.call("mul", x, x)
    if wanted == 3:
        return node.call("mul", node.call("mul", x, x), x)
    if wanted == 0.5:
        return node.call("sqrt", x)
    if wanted == 1:
        return x
    raise Unsupported(f"an exponent of {wanted}")
