"""Normalisations."""

from __future__ import annotations

from math import prod

import numpy as np

from ...readers.kinds import in_f32, placed
from ...readers.moving import reshaped
from ...readers.node import Unsupported
from .declaring import operator
from .products import channels


@operator("BatchNormalization")
@in_f32
def batch_norm(node, x, scale, bias, mean, variance):
    """x times and plus numbers of its channel, which are known where all these are."""
    x = node.value(x)
    epsilon = node.attribute("epsilon", 1e-5)
    trains = node.attribute("training_mode", 0)
    if node.outputs > 1 and not trains:
        raise Unsupported("training")
    if trains:
        return _trained(node, x, scale, bias, mean, variance, epsilon)
    if not any(map(node.is_value, (scale, bias, mean, variance))):
        gain, shift, centre, spread = (np.asarray(node.known(t, ""), np.float64) for t in (scale, bias, mean, variance))
        factor = gain / np.sqrt(spread + epsilon)
        shape, own = (-1, *[1] * (x.type.rank - 2)), node.numpy(x.type.dtype)
        known = lambda array: array.astype(own).reshape(shape)
        return node.call("add", node.call("mul", x, known(factor)), known(shift - centre * factor))
    return _normalised(node, x, epsilon, *(channels(node, t, x.type.rank) for t in (scale, bias, mean, variance)))


def _normalised(node, x, epsilon: float, scale, bias, mean, variance):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias."""
    root = node.call("sqrt", node.call("add", variance, epsilon))
    apart = node.call("div", node.call("sub", x, mean), root)
    return node.call("add", node.call("mul", apart, scale), bias)


def _trained(node, x, scale, bias, mean, variance, epsilon: float):
    """By what x itself has, and what becomes of the running numbers."""
    axes = (0, *range(2, x.type.rank))
    now = node.call("mean", x, axis=axes, keepdims=True)
    apart = node.call("sub", x, now)
    spread = node.call("mean", node.call("mul", apart, apart), axis=axes, keepdims=True)
    gain, shift = (channels(node, t, x.type.rank) for t in (scale, bias))
    found = _normalised(node, x, epsilon, gain, shift, now, spread)
    momentum = node.attribute("momentum", 0.9)
    flat = [reshaped(node, t, (t.type.elements,)) for t in (now, spread)]
    mixed = [
        node.call("add", node.call("mul", old, momentum), node.call("mul", new, 1 - momentum))
        for old, new in zip((mean, variance), flat)
    ]
    return [found, *mixed]


@operator("LayerNormalization")
@in_f32
def layer_norm(node, x, scale, bias=None):
    x, axis = node.value(x), node.attribute("axis", -1)
    if node.outputs > 1:
        raise Unsupported("its mean is asked for")
    rows, gain = rows_of(node, x, scale, axis)
    shift = np.zeros(gain.type.shape, node.numpy(x.type.dtype)) if bias is None else rows_of(node, x, bias, axis)[1]
    return reshaped(
        node, node.call("layer_norm", rows, gain, shift, epsilon=node.attribute("epsilon", 1e-5)), x.type.shape
    )


@operator("RMSNormalization", "SimplifiedLayerNormalization")
@in_f32
def rms_norm(node, x, scale):
    x = node.value(x)
    if node.outputs > 1:
        raise Unsupported("its deviation is asked for")
    rows, gain = rows_of(node, x, scale, node.attribute("axis", -1))
    return reshaped(node, node.call("rms_norm", rows, gain, epsilon=node.attribute("epsilon", 1e-5)), x.type.shape)


def rows_of(node, x, scale, axis: int):
    """x with all axes from one on as one, and what goes with them."""
    scale = node.value(scale)
    axis = placed(axis, x.type.rank)
    inner = x.type.shape[axis:]
    if scale.type.elements not in (1, prod(inner)) or scale.type.shape != inner[len(inner) - scale.type.rank :]:
        raise Unsupported(f"a scale {list(scale.type.shape)} of {list(inner)}")
    return reshaped(node, x, (*x.type.shape[:axis], prod(inner))), reshaped(node, scale, (scale.type.elements,))


@operator("InstanceNormalization")
@in_f32
def instance_norm(node, x, scale, bias):
    return _of_groups(node, node.value(x), node.value(x).type.shape[1], scale, bias)


@operator("GroupNormalization")
@in_f32
def group_norm(node, x, scale, bias):
    """Until ONNX 21 each group has its scale, since then each channel."""
    x = node.value(x)
    groups = node.attribute("num_groups")
    if node.opset < 21:
        scale, bias = (_of_channels(node, t, x.type.shape[1] // groups) for t in (scale, bias))
    return _of_groups(node, x, groups, scale, bias)


def _of_channels(node, x, times: int):
    x = node.value(x)
    wide = node.call("broadcast", reshaped(node, x, (x.type.elements, 1)), shape=(x.type.elements, times))
    return reshaped(node, wide, (x.type.elements * times,))


def _of_groups(node, x, groups: int, scale, bias):
    rows = reshaped(node, x, (x.type.shape[0], groups, x.type.elements // (x.type.shape[0] * groups)))
    one, none = (np.full((rows.type.shape[-1],), n, node.numpy(x.type.dtype)) for n in (1, 0))
    found = reshaped(
        node, node.call("layer_norm", rows, one, none, epsilon=node.attribute("epsilon", 1e-5)), x.type.shape
    )
    return node.call(
        "add", node.call("mul", found, channels(node, scale, x.type.rank)), channels(node, bias, x.type.rank)
    )


@operator("LpNormalization")
@in_f32
def lp_norm(node, x):
    """x by the norm of its rows; 0 where that is 0."""
    x = node.value(x)
    axis, p = node.axis(x.type.rank, -1), node.attribute("p", 2)
    powers = node.call("abs", x) if p == 1 else node.call("mul", x, x)
    total = node.call("sum", powers, axis=axis, keepdims=True)
    norm = total if p == 1 else node.call("sqrt", total)
    is_none = node.call("equal", norm, 0.0)
    return node.call("where", is_none, node.number(0, x), node.call("div", x, norm))


@operator("MeanVarianceNormalization")
@in_f32
def mean_variance_norm(node, x):
    x = node.value(x)
    axes = tuple(node.attribute("axes") or (0, 2, 3))
    apart = node.call("sub", x, node.call("mean", x, axis=axes, keepdims=True))
    spread = node.call("sqrt", node.call("mean", node.call("mul", apart, apart), axis=axes, keepdims=True))
    return node.call("div", apart, node.call("add", spread, 1e-9))
