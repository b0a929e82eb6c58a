"""Activations, and what is added before them."""

from __future__ import annotations

from ....readers.operators.array import call, minimum, sigmoid, sliced, unary
from ....readers.operators.calls import Unsupported
from ....readers.operators.kinds import in_f32
from ....readers.tables import OperatorTable


@in_f32
def fast_gelu(x, bias=None):
    return call("gelu", x if bias is None else x + bias, approximate="tanh")


@in_f32
def bias_gelu(x, bias):
    return call("gelu", x + bias)


@in_f32
def quick_gelu(x, *, alpha=1.702):
    return gated(x, alpha)


def gated(x, alpha: float):
    """x sigmoid(alpha x)."""
    inner = x if alpha == 1 else x * alpha
    return x * sigmoid(inner)


@in_f32
def bias_add(x, bias, skip):
    return x + bias + skip


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


def activated(y, name: str, numbers):
    """What the activation of a product makes of it, if there is one; its numbers are in the order in which ACTIVATIONS
    has them."""
    if not name:
        return y
    if name not in ACTIVATIONS:
        raise Unsupported(f"the activation {name}")
    called, attributes = ACTIVATIONS[name]
    return call(called, y, **dict(zip(attributes, numbers)))


ACTIVATIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Relu": ("relu", ()),
    "Sigmoid": ("sigmoid", ()),
    "Tanh": ("tanh", ()),
    "Gelu": ("gelu", ()),
    "HardSwish": ("hard_swish", ()),
    "Softplus": ("softplus", ()),
    "LeakyRelu": ("leaky_relu", ("alpha",)),
    "Elu": ("elu", ("alpha",)),
    "HardSigmoid": ("hard_sigmoid", ("alpha", "beta")),
    "Clip": ("clip", ("low", "high")),
}
"""By their names in ONNX: the call, and its numbers."""


OPERATORS: OperatorTable = (
    ("com.microsoft.SwiGLU", swiglu),
    ("com.microsoft.Gelu", unary("gelu")),
    ("com.microsoft.FastGelu", fast_gelu),
    ("com.microsoft.BiasGelu", bias_gelu),
    ("com.microsoft.BiasAdd", bias_add),
    ("com.microsoft.BiasSplitGelu", bias_split_gelu),
    ("com.microsoft.QuickGelu", quick_gelu),
)
