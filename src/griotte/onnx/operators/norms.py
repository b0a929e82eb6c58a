"""Normalisations."""

from __future__ import annotations

from math import prod

import numpy as np

from ...operators.array import call, sqrt, where
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32, placed
from ...readers.tables import OperatorTable
from .products import channels


@in_f32
def batch_norm(node, x, scale, bias, mean, variance):
    """x times and plus numbers of its channel, which are known where all these are."""
    epsilon = node.attribute("epsilon", 1e-5)
    trains = node.attribute("training_mode", 0)
    if node.outputs > 1 and not trains:
        raise Unsupported("training")
    if trains:
        return _trained(node, x, scale, bias, mean, variance, epsilon)
    if all(t.is_known for t in (scale, bias, mean, variance)):
        gain, shift, centre, spread = (np.asarray(t, np.float64) for t in (scale, bias, mean, variance))
        factor = gain / np.sqrt(spread + epsilon)
        shape, own = (-1, *[1] * (x.ndim - 2)), x.numpy
        wide = lambda array: array.astype(own).reshape(shape)
        return x * wide(factor) + wide(shift - centre * factor)
    return _normalised(x, epsilon, *(channels(t, x.ndim) for t in (scale, bias, mean, variance)))


def _normalised(x, epsilon: float, scale, bias, mean, variance):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias."""
    root = sqrt(variance + epsilon)
    apart = (x - mean) / root
    return apart * scale + bias


def _trained(node, x, scale, bias, mean, variance, epsilon: float):
    """By what x itself has, and what becomes of the running numbers."""
    axes = (0, *range(2, x.ndim))
    now = x.mean(axis=axes, keepdims=True)
    apart = x - now
    spread = (apart * apart).mean(axis=axes, keepdims=True)
    gain, shift = (channels(t, x.ndim) for t in (scale, bias))
    found = _normalised(x, epsilon, gain, shift, now, spread)
    momentum = node.attribute("momentum", 0.9)
    flat = [t.reshape((t.size,)) for t in (now, spread)]
    mixed = [old * momentum + new * (1 - momentum) for old, new in zip((mean, variance), flat)]
    return [found, *mixed]


@in_f32
def layer_norm(node, x, scale, bias=None):
    axis = node.attribute("axis", -1)
    if node.outputs > 1:
        raise Unsupported("its mean is asked for")
    rows, gain = rows_of(x, scale, axis)
    shift = np.zeros(gain.shape, x.numpy) if bias is None else rows_of(x, bias, axis)[1]
    return call("layer_norm", rows, gain, shift, epsilon=node.attribute("epsilon", 1e-5)).reshape(x.shape)


@in_f32
def rms_norm(node, x, scale):
    if node.outputs > 1:
        raise Unsupported("its deviation is asked for")
    rows, gain = rows_of(x, scale, node.attribute("axis", -1))
    return call("rms_norm", rows, gain, epsilon=node.attribute("epsilon", 1e-5)).reshape(x.shape)


def rows_of(x, scale, axis: int):
    """x with all axes from one on as one, and what goes with them."""
    axis = placed(axis, x.ndim)
    inner = x.shape[axis:]
    if scale.size not in (1, prod(inner)) or scale.shape != inner[len(inner) - scale.ndim :]:
        raise Unsupported(f"a scale {list(scale.type.shape)} of {list(inner)}")
    return x.reshape((*x.shape[:axis], prod(inner))), scale.reshape((scale.size,))


@in_f32
def instance_norm(node, x, scale, bias):
    return _of_groups(node, x, x.shape[1], scale, bias)


@in_f32
def group_norm(node, x, scale, bias):
    """Until ONNX 21 each group has its scale, since then each channel."""
    groups = node.attribute("num_groups")
    if node.opset < 21:
        scale, bias = (_of_channels(t, x.shape[1] // groups) for t in (scale, bias))
    return _of_groups(node, x, groups, scale, bias)


def _of_channels(x, times: int):
    wide = x.reshape((x.size, 1)).broadcast_to((x.size, times))
    return wide.reshape((x.size * times,))


def _of_groups(node, x, groups: int, scale, bias):
    rows = x.reshape((x.shape[0], groups, x.size // (x.shape[0] * groups)))
    one, none = (np.full((rows.shape[-1],), n, x.numpy) for n in (1, 0))
    found = call("layer_norm", rows, one, none, epsilon=node.attribute("epsilon", 1e-5)).reshape(x.shape)
    return found * channels(scale, x.ndim) + channels(bias, x.ndim)


@in_f32
def lp_norm(node, x):
    """x by the norm of its rows; 0 where that is 0."""
    axis, p = node.axis(x.ndim, -1), node.attribute("p", 2)
    powers = abs(x) if p == 1 else x * x
    total = powers.sum(axis=axis, keepdims=True)
    norm = total if p == 1 else sqrt(total)
    is_none = norm == 0.0
    return where(is_none, x.number(0), x / norm)


@in_f32
def mean_variance_norm(node, x):
    axes = tuple(node.attribute("axes") or (0, 2, 3))
    apart = x - x.mean(axis=axes, keepdims=True)
    spread = sqrt((apart * apart).mean(axis=axes, keepdims=True))
    return apart / (spread + 1e-9)


OPERATORS: OperatorTable = (
    ("BatchNormalization", batch_norm),
    ("LayerNormalization", layer_norm),
    ("RMSNormalization SimplifiedLayerNormalization", rms_norm),
    ("InstanceNormalization", instance_norm),
    ("GroupNormalization", group_norm),
    ("LpNormalization", lp_norm),
    ("MeanVarianceNormalization", mean_variance_norm),
)
