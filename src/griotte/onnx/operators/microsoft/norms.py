"""Norms with what is added before them."""

from __future__ import annotations

from functools import partial, reduce

import numpy as np

from ....readers.kinds import in_f32
from ....readers.moving import taken
from ....readers.node import Unsupported
from ..declaring import MICROSOFT, operator
from .quantised import floats

microsoft = partial(operator, domain=MICROSOFT)


def _only(node, *places: int) -> None:
    """That no results are asked for but these: others are for training."""
    if any(name for place, name in enumerate(node.proto.output) if place not in places):
        raise Unsupported("its mean or its deviation are asked for")


@microsoft("SkipLayerNormalization")
@in_f32
def skip_norm(node, x, skip, gain, shift=None, bias=None):
    _only(node, 0, 3)
    total = _sum(node, x, skip, bias)
    return [normed(node, total, gain, shift, node.attribute("epsilon", 1e-12)), None, None, total]


@microsoft("SkipSimplifiedLayerNormalization")
@in_f32
def skip_simplified_norm(node, x, skip, gain, bias=None):
    _only(node, 0, 3)
    total = _sum(node, x, skip, bias)
    return [node.call("rms_norm", total, gain, epsilon=node.attribute("epsilon", 1e-12)), None, None, total]


def _sum(node, x, skip, bias):
    total = node.call("add", x, skip)
    return total if bias is None else node.call("add", total, bias)


def normed(node, x, gain, shift, epsilon: float):
    """A layer norm over the last axis."""
    if shift is None:
        shift = np.zeros(node.value(gain).type.shape, node.numpy(x.type.dtype))
    return node.call("layer_norm", x, gain, shift, epsilon=epsilon)


@microsoft("EmbedLayerNormalization")
@in_f32
def embedding(node, ids, segments, words, places, kinds, gain, shift, mask=None, positions=None):
    """Rows of three tables, added and normed; how many words of each row of ids count."""
    total = rows_added(node, ids, segments, words, places, kinds, positions)
    found = normed(node, total, gain, shift, node.attribute("epsilon", 1e-12))
    return [found, counted(node, ids, mask), total]


def rows_added(node, ids, segments, words, places, kinds, positions):
    """The rows of a table that words, where they stand and, if that is told, what they are of stand for."""
    if positions is None:
        positions = np.arange(node.value(ids).type.shape[1], dtype=np.int32)
    total = node.call("add", taken(node, words, 0, ids), taken(node, places, 0, positions))
    return total if segments is None else node.call("add", total, taken(node, kinds, 0, segments))


def counted(node, ids, mask):
    """How many words of each row count: none, where no mask says."""
    if mask is None:
        return np.zeros(node.value(ids).type.shape[:1], np.int32)
    return node.call("sum", node.cast(node.call("equal", mask, 1), "s32"), axis=1)


@microsoft("QEmbedLayerNormalization")
def embedding_of_integers(node, ids, segments, words, places, kinds, gain, shift, mask, *given):
    """The same of tables, a gain and a bias of integers that stand for floats."""
    scales, zeros = given[:5], given[5:]
    rows = (ids, np.arange(node.value(ids).type.shape[1], dtype=np.int32), segments)
    tables = [(t, at, s, z) for t, at, s, z in zip((words, places, kinds), rows, scales, zeros) if t is not None]
    first, *rest = (floats(node, taken(node, table, 0, at), scale, zero) for table, at, scale, zero in tables)
    total = reduce(partial(node.call, "add"), rest, first)
    own, bias = (floats(node, t, s, z) for t, s, z in zip((gain, shift), scales[3:], zeros[3:]))
    return [normed(node, total, own, bias, node.attribute("epsilon", 1e-12)), counted(node, ids, mask)]
