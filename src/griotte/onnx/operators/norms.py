"""Normalisations."""

from __future__ import annotations

from ...readers.operators import norms
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import in_f32
from ...readers.tables import OperatorTable


@in_f32
def batch_norm(node, x, scale, bias, mean, variance):
    epsilon, trains = node.attribute("epsilon", 1e-5), node.attribute("training_mode", 0)
    if node.outputs > 1 and not trains:
        raise Unsupported("training")
    if not trains:
        return norms.batch_norm(x, scale, bias, mean, variance, epsilon)
    found, *now = norms.batch_norm_of_batch(x, scale, bias, epsilon)
    momentum = node.attribute("momentum", 0.9)
    return [found, *(old * momentum + new * (1 - momentum) for old, new in zip((mean, variance), now))]


def layer_norm(node, x, scale, bias=None):
    if node.outputs > 1:
        raise Unsupported("its mean is asked for")
    return norms.layer_norm(x, scale, bias, node.attribute("axis", -1), node.attribute("epsilon", 1e-5))


def rms_norm(node, x, scale):
    if node.outputs > 1:
        raise Unsupported("its deviation is asked for")
    return norms.rms_norm(x, scale, node.attribute("axis", -1), node.attribute("epsilon", 1e-5))


def instance_norm(node, x, scale, bias):
    return norms.group_norm(x, x.shape[1], scale, bias, node.attribute("epsilon", 1e-5))


@in_f32
def group_norm(node, x, scale, bias):
    """Until ONNX 21 each group has its scale, since then each channel."""
    groups = node.attribute("num_groups")
    if node.opset < 21:
        scale, bias = (_of_channels(t, x.shape[1] // groups) for t in (scale, bias))
    return norms.group_norm(x, groups, scale, bias, node.attribute("epsilon", 1e-5))


def _of_channels(x, times: int):
    wide = x.reshape((x.size, 1)).broadcast_to((x.size, times))
    return wide.reshape((x.size * times,))


def lp_norm(node, x):
    return norms.lp_norm(x, node.axis(x.ndim, -1), node.attribute("p", 2))


def mean_variance_norm(node, x):
    return norms.mean_variance_norm(x, tuple(node.attribute("axes") or (0, 2, 3)))


OPERATORS: OperatorTable = (
    ("BatchNormalization", batch_norm),
    ("LayerNormalization", layer_norm),
    ("RMSNormalization SimplifiedLayerNormalization", rms_norm),
    ("InstanceNormalization", instance_norm),
    ("GroupNormalization", group_norm),
    ("LpNormalization", lp_norm),
    ("MeanVarianceNormalization", mean_variance_norm),
)
