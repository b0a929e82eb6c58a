"""Activations, and functions of one element that are no arithmetic."""

from __future__ import annotations

from ...readers.numbers import ALIKE
from .declaring import OPERATORS, in_f32, operator

UNARY = {name: name for name in (*ALIKE, "relu", "sigmoid", "silu")} | {"hardswish": "hard_swish"}
"""Calls of the language that they are; of integers in the dtype of the result."""
BY_ONNX = {"acosh": "Acosh", "asinh": "Asinh", "atanh": "Atanh", "cosh": "Cosh", "sinh": "Sinh", "tan": "Tan"}
OPERATORS |= {
    f"{name}.default": lambda node, x, c=call: node.call(c, node.cast(x, node.dtype_given))
    for name, call in UNARY.items()
}
OPERATORS |= {
    f"{name}.default": lambda node, x, c=call: node.as_onnx(c, node.cast(x, node.dtype_given))
    for name, call in BY_ONNX.items()
}


@operator("reciprocal")
def reciprocal(node, x):
    return node.call("reciprocal", node.cast(x, node.dtype_given))


@operator("erfc")
@in_f32
def erfc(node, x):
    return node.call("sub", 1.0, node.call("erf", node.cast(x, node.dtype_within)))


@operator("exp2")
@in_f32
def exp2(node, x):
    return node.call("exp", node.call("mul", x, 0.6931471805599453))


@operator("log2", "log10")
@in_f32
def log_of(node, x):
    base = {"log2.default": 1.4426950408889634, "log10.default": 0.4342944819032518}[node.operator]
    return node.call("mul", node.call("log", node.cast(x, node.dtype_given)), base)


@operator("gelu")
def gelu(node, x, approximate="none"):
    return node.call("gelu", x, approximate="tanh" if approximate == "tanh" else None)


@operator("leaky_relu")
def leaky_relu(node, x, negative_slope=0.01):
    return node.call("leaky_relu", x, alpha=negative_slope)


@operator("prelu", "_prelu_kernel")
def prelu(node, x, weight):
    return node.call("prelu", x, weight)


@operator("elu")
@in_f32
def elu(node, x, alpha=1.0, scale=1.0, input_scale=1.0):
    if scale == input_scale == 1:
        return node.call("elu", x, alpha=float(alpha))
    below = node.call("mul", node.call("expm1", node.call("mul", x, float(input_scale))), float(alpha) * float(scale))
    return node.call("where", node.call("greater", x, 0), node.call("mul", x, float(scale)), below)


@operator("hardtanh")
def hardtanh(node, x, min_val=-1.0, max_val=1.0):
    return node.call("minimum", node.call("maximum", x, min_val), max_val)


@operator("hardsigmoid")
def hardsigmoid(node, x):
    return node.call("hard_sigmoid", x, alpha=1 / 6, beta=0.5)


@operator("softplus")
@in_f32
def softplus(node, x, beta=1.0, threshold=20.0):
    grown = node.call("mul", x, float(beta)) if beta != 1 else x
    found = node.call("softplus", grown)
    found = node.call("div", found, float(beta)) if beta != 1 else found
    return node.call("where", node.call("greater", grown, float(threshold)), x, found)


@operator("mish")
@in_f32
def mish(node, x):
    return node.call("mul", x, node.call("tanh", node.call("softplus", x)))


@operator("log_sigmoid_forward")
@in_f32
def log_sigmoid(node, x):
    node.only(0)
    return [node.call("neg", node.call("softplus", node.call("neg", x)))]
