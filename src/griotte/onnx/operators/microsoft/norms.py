"""Norms with what is added before them."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from ....readers.operators.calls import Unsupported
from ....readers.operators.kinds import in_f32
from ....readers.operators.norms import layer_norm, rms_norm
from ....readers.operators.quantised import dequantize
from ....readers.tables import OperatorTable


class WordIds(NamedTuple):
    """Numbers of words, and of what they are of."""

    ids: Any
    segments: Any


class EmbeddingTables(NamedTuple):
    """A row for each word, for each place and for each segment."""

    words: Any
    places: Any
    kinds: Any


class GainAndShift(NamedTuple):
    """What comes after a norm: times and plus."""

    gain: Any
    shift: Any


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
def skip_simplified_norm(node, x, skip, gain, bias=None, *, epsilon=1e-12):
    _only(node, 0, 3)
    total = x + skip if bias is None else x + skip + bias
    return [rms_norm(total, gain, -1, epsilon), None, None, total]


@in_f32
def embedding(
    given: WordIds, tables: EmbeddingTables, affine: GainAndShift, mask=None, positions=None, *, epsilon=1e-12
):
    """Rows of three tables, added and normed; how many words of each row of ids count."""
    total = rows_added(given, tables, positions)
    found = layer_norm(total, *affine, -1, epsilon)
    return [found, counted(given.ids, mask), total]


def rows_added(given: WordIds, tables: EmbeddingTables, positions):
    """The rows of a table that words, where they stand and, if that is told, what they are of stand for."""
    if positions is None:
        positions = np.arange(given.ids.shape[1], dtype=np.int32)
    total = tables.words.take(given.ids, 0) + tables.places.take(positions, 0)
    return total if given.segments is None else total + tables.kinds.take(given.segments, 0)


def counted(ids, mask):
    """How many words of each row count: none, where no mask says."""
    if mask is None:
        return np.zeros(ids.shape[:1], np.int32)
    return (mask == 1).astype("s32").sum(axis=1)


def embedding_of_integers(given: WordIds, tables: EmbeddingTables, affine: GainAndShift, mask, *numbers, epsilon=1e-12):
    """The same of tables, a gain and a bias of integers that stand for floats."""
    (ids, segments), scales, zeros = given, numbers[:5], numbers[5:]
    rows = (ids, np.arange(ids.shape[1], dtype=np.int32), segments)
    told = [each for each in zip(tables, rows, scales, zeros) if each[0] is not None]
    first, *rest = (dequantize(table.take(at, 0), scale, zero) for table, at, scale, zero in told)
    total = reduce(add, rest, first)
    own, bias = (dequantize(t, s, z) for t, s, z in zip(affine, scales[3:], zeros[3:]))
    return [layer_norm(total, own, bias, -1, epsilon), counted(ids, mask)]


OPERATORS: OperatorTable = (
    ("com.microsoft.SkipLayerNormalization", skip_norm),
    ("com.microsoft.SkipSimplifiedLayerNormalization", skip_simplified_norm),
    ("com.microsoft.EmbedLayerNormalization", embedding),
    ("com.microsoft.QEmbedLayerNormalization", embedding_of_integers),
)
