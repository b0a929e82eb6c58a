"""Normalisations."""

from __future__ import annotations

from ...readers.operators import norms
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import in_f32
from ...readers.operators.moving import repeat
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


def layer_norm(node, x, scale, bias=None, *, axis=-1, epsilon=1e-5):
    if node.outputs > 1:
        raise Unsupported("its mean is asked for")
    return norms.layer_norm(x, scale, bias, axis, epsilon)


def rms_norm(node, x, scale, *, axis=-1, epsilon=1e-5):
    if node.outputs > 1:
        raise Unsupported("its deviation is asked for")
    return norms.rms_norm(x, scale, axis, epsilon)


def instance_norm(x, scale, bias, *, epsilon=1e-5):
    return norms.group_norm(x, x.shape[1], scale, bias, epsilon)


@in_f32
def group_norm(node, x, scale, bias, *, num_groups, epsilon=1e-5):
    """Until ONNX 21 each group has its scale, since then each channel."""
    if node.opset < 21:
        scale, bias = (repeat(t.ravel(), x.shape[1] // num_groups, 0) for t in (scale, bias))
    return norms.group_norm(x, num_groups, scale, bias, epsilon)


OPERATORS: OperatorTable = (
    ("BatchNormalization", batch_norm),
    ("LayerNormalization", layer_norm),
    ("RMSNormalization SimplifiedLayerNormalization", rms_norm),
    ("GroupNormalization", group_norm),
    ("InstanceNormalization", instance_norm),
    ("LpNormalization", norms.lp_norm),
    ("MeanVarianceNormalization", norms.mean_variance_norm),
    ("LRN", norms.local_response_norm),
)
