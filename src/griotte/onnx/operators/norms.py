"""Normalisations."""

from __future__ import annotations

import numpy as np

from .declaring import Unsupported, operator
from .elementwise import scalar
from .shapes import reshaped


@operator("BatchNormalization")
def batch_norm(node, x, scale, bias, mean, variance):
    """x times and plus numbers of its channel, which are known where all these are."""
    if node.attribute("training_mode", 0) or node.outputs > 1:
        raise Unsupported("training")
    x = node.value(x)
    epsilon = node.attribute("epsilon", 1e-5)
    given = [node.known(each, "what it normalises by") for each in (scale, bias, mean, variance)]
    gain, shift, centre, spread = (np.asarray(each, np.float64) for each in given)
    factor = gain / np.sqrt(spread + epsilon)
    shape = (-1, *[1] * (x.type.rank - 2))
    dtype = given[0].dtype
    known = lambda array: node.value(array.astype(dtype).reshape(shape))
    return node.call("add", node.call("mul", x, known(factor)), known(shift - centre * factor))


@operator("LayerNormalization")
def layer_norm(node, x, scale, bias=None):
    x = node.value(x)
    axis = node.attribute("axis", -1) % x.type.rank
    if node.outputs > 1 or axis != x.type.rank - 1:
        raise Unsupported("a norm over more than the last axis, or its mean asked for")
    given = node.value(scale)
    zeros = node.value(np.zeros(given.type.shape, np.float32)) if bias is None else bias
    return node.call("layer_norm", x, given, zeros, epsilon=node.attribute("epsilon", 1e-5))
