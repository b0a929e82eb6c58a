"""Norms with what is added before them."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np

from ....readers.operators.calls import Unsupported
from ....readers.operators.kinds import in_f32
from ....readers.operators.norms import layer_norm, rms_norm
from ....readers.operators.quantised import dequantize
from ....readers.tables import OperatorTable


def _only(node, *places: int) -> None:
    """That no results are asked for but these: others are for training."""
    if any(name for place, name in enumerate(node.proto.output) if place not in places):
        raise Unsupported("its mean or its deviation are asked for")


@in_f32
def skip_norm(node, x, skip, gain, shift=None, bias=None):
    _only(node, 0, 3)
    total = x + skip if bias is None else x + skip + bias
    return [layer_norm(total, gain, shift, -1, node.attribute("epsilon", 1e-12)), None, None, total]


@in_f32
def skip_simplified_norm(node, x, skip, gain, bias=None):
    _only(node, 0, 3)
    total = x + skip if bias is None else x + skip + bias
    return [rms_norm(total, gain, -1, node.attribute("epsilon", 1e-12)), None, None, total]


@in_f32
def embedding(node, ids, segments, words, places, kinds, gain, shift, mask=None, positions=None):
    """Rows of three tables, added and normed; how many words of each row of ids count."""
    total = rows_added(ids, segments, words, places, kinds, positions)
    found = layer_norm(total, gain, shift, -1, node.attribute("epsilon", 1e-12))
    return [found, counted(ids, mask), total]


def rows_added(ids, segments, words, places, kinds, positions):
    """The rows of a table that words, where they stand and, if that is told, what they are of stand for."""
    if positions is None:
        positions = np.arange(ids.shape[1], dtype=np.int32)
    total = words.take(ids, 0) + places.take(positions, 0)
    return total if segments is None else total + kinds.take(segments, 0)


def counted(ids, mask):
    """How many words of each row count: none, where no mask says."""
    if mask is None:
        return np.zeros(ids.shape[:1], np.int32)
    return (mask == 1).astype("s32").sum(axis=1)


def embedding_of_integers(node, ids, segments, words, places, kinds, gain, shift, mask, *given):
    """The same of tables, a gain and a bias of integers that stand for floats."""
    scales, zeros = given[:5], given[5:]
    rows = (ids, np.arange(ids.shape[1], dtype=np.int32), segments)
    tables = [(t, at, s, z) for t, at, s, z in zip((words, places, kinds), rows, scales, zeros) if t is not None]
    first, *rest = (dequantize(table.take(at, 0), scale, zero) for table, at, scale, zero in tables)
    total = reduce(add, rest, first)
    own, bias = (dequantize(t, s, z) for t, s, z in zip((gain, shift), scales[3:], zeros[3:]))
    return [layer_norm(total, own, bias, -1, node.attribute("epsilon", 1e-12)), counted(ids, mask)]


OPERATORS: OperatorTable = (
    ("com.microsoft.SkipLayerNormalization", skip_norm),
    ("com.microsoft.SkipSimplifiedLayerNormalization", skip_simplified_norm),
    ("com.microsoft.EmbedLayerNormalization", embedding),
    ("com.microsoft.QEmbedLayerNormalization", embedding_of_integers),
)
