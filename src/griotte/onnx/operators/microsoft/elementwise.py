"""Activations, and what is added before them."""

from __future__ import annotations

from functools import partial

from ....readers.kinds import in_f32
from ....readers.moving import sliced
from ....readers.node import Unsupported
from ..declaring import MICROSOFT, operator

microsoft = partial(operator, domain=MICROSOFT)


@microsoft("Gelu")
def gelu(node, x):
    return node.call("gelu", x)


@microsoft("FastGelu")
@in_f32
def fast_gelu(node, x, bias=None):
    return node.call("gelu", x if bias is None else node.call("add", x, bias), approximate="tanh")


@microsoft("BiasGelu")
@in_f32
def bias_gelu(node, x, bias):
    return node.call("gelu", node.call("add", x, bias))


@microsoft("QuickGelu")
@in_f32
def quick_gelu(node, x):
    return gated(node, x, node.attribute("alpha", 1.702))


def gated(node, x, alpha: float):
    """x sigmoid(alpha x)."""
    inner = x if alpha == 1 else node.call("mul", x, alpha)
    return node.call("mul", x, node.call("sigmoid", inner))


@microsoft("BiasAdd")
@in_f32
def bias_add(node, x, bias, skip):
    return node.call("add", node.call("add", x, bias), skip)


@microsoft("BiasSplitGelu")
@in_f32
def bias_split_gelu(node, x, bias):
    left, right = halves(node, node.call("add", x, bias))
    return node.call("mul", left, node.call("gelu", right))


def halves(node, x):
    """Both halves along the last axis."""
    axis, size = x.type.rank - 1, x.type.shape[-1]
    return [sliced(node, x, {axis: part}) for part in ((0, size // 2), (size // 2, size))]


@microsoft("SwiGLU")
@in_f32
def swiglu(node, gate, up=None):
    """The gate's part that is gated by itself, times the other."""
    if node.attribute("round_activation", 0):
        raise Unsupported("an activation that is rounded by itself")
    gate, up = halves(node, node.value(gate)) if up is None else (node.value(gate), node.value(up))
    limit, beta = node.attribute("limit", 0.0), node.attribute("activation_beta", 0.0)
    if limit > 0:
        gate, up = node.call("minimum", gate, limit), node.call("clip", up, low=-limit, high=limit)
    if beta:
        up = node.call("add", up, beta)
    return node.call("mul", gated(node, gate, node.attribute("activation_alpha", 1.0)), up)


def activated(node, y, numbers):
    """What the activation of a product makes of it, if there is one; its numbers are in the order in which ACTIVATIONS
    has them."""
    name = node.attribute("activation", "")
    if not name:
        return y
    if name not in ACTIVATIONS:
        raise Unsupported(f"the activation {name}")
    call, attributes = ACTIVATIONS[name]
    return node.call(call, y, **dict(zip(attributes, numbers)))


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
