"""Normalisations, some of sums."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np

from ...readers.operators import norms
from ...readers.operators.calls import Unsupported
from ...readers.operators.kinds import in_f32
from ...readers.operators.moving import repeat
from ...readers.operators.quantised import dequantize
from ...readers.tables import OperatorTable, inputs


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


def _only(node, *places: int) -> None:
    """That no results are asked for but these: others are for training."""
    if any(name for place, name in enumerate(node.proto.output) if place not in places):
        raise Unsupported("its mean or its deviation are asked for")


@in_f32
def skip_norm(node, x, skip, gain, shift=None, bias=None):
    _only(node, 0, 3)
    total = x + skip if bias is None else x + skip + bias
    return [norms.layer_norm(total, gain, shift, -1, node.attribute("epsilon", 1e-12)), None, None, total]


@in_f32
def skip_simplified_norm(node, x, skip, gain, bias=None, *, epsilon=1e-12):
    _only(node, 0, 3)
    total = x + skip if bias is None else x + skip + bias
    return [norms.rms_norm(total, gain, -1, epsilon), None, None, total]


@in_f32
def embedding(ids, segments, *given, epsilon=1e-12):
    """Rows of three tables, for words, places and segments, added and normed; how many words of each row count."""
    words, places, kinds, gain, shift, mask, positions = inputs(given, 5, 7)
    if positions is None:
        positions = np.arange(ids.shape[1], dtype=np.int32)
    total = words.take(ids, 0) + places.take(positions, 0)
    total = total if segments is None else total + kinds.take(segments, 0)
    return [norms.layer_norm(total, gain, shift, -1, epsilon), counted(ids, mask), total]


def counted(ids, mask):
    """How many words of each row count: none, where no mask says."""
    if mask is None:
        return np.zeros(ids.shape[:1], np.int32)
    return (mask == 1).astype("s32").sum(axis=1)


def embedding_of_integers(ids, segments, *given, epsilon=1e-12):
    """The same of tables, a gain and a shift of integers that stand for floats."""
    tables, affine, mask, scales, zeros = given[:3], given[3:5], given[5], given[6:11], given[11:]
    rows = (ids, np.arange(ids.shape[1], dtype=np.int32), segments)
    used = [each for each in zip(tables, rows, scales, zeros) if each[0] is not None]
    first, *rest = (dequantize(table.take(at, 0), scale, zero) for table, at, scale, zero in used)
    total = reduce(add, rest, first)
    gain, shift = (dequantize(t, s, z) for t, s, z in zip(affine, scales[3:], zeros[3:]))
    return [norms.layer_norm(total, gain, shift, -1, epsilon), counted(ids, mask)]


OPERATORS: OperatorTable = (
    ("BatchNormalization", batch_norm),
    ("LayerNormalization", layer_norm),
    ("RMSNormalization SimplifiedLayerNormalization", rms_norm),
    ("GroupNormalization", group_norm),
    ("InstanceNormalization", instance_norm),
    ("LpNormalization", norms.lp_norm),
    ("MeanVarianceNormalization", norms.mean_variance_norm),
    ("LRN", norms.local_response_norm),
    ("com.microsoft.SkipLayerNormalization", skip_norm),
    ("com.microsoft.SkipSimplifiedLayerNormalization", skip_simplified_norm),
    ("com.microsoft.EmbedLayerNormalization", embedding),
    ("com.microsoft.QEmbedLayerNormalization", embedding_of_integers),
)
