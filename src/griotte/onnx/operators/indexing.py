"""Operators that read or write at indices."""

from __future__ import annotations

import numpy as np

from ...readers.operators.calls import Unsupported
from ...readers.operators.indexing import laid, narrow, put_along_axis, put_rows, take, take_along_axis, take_rows
from ...readers.operators.kinds import over_u8, placed
from ...readers.tables import OperatorTable


def _how(reduction: str) -> str:
    """How what is there is joined with what is written."""
    return "set" if reduction == "none" else reduction


def scatter_elements(x, places, part, *, axis=0, reduction="none"):
    return put_along_axis(x, places, part, placed(axis, x.ndim), _how(reduction))


@over_u8
def tensor_scatter(past, new, starts=None, *, axis=-2, mode="linear"):
    """New rows along an axis, from a place of each row of the batch on."""
    axis = placed(axis, past.ndim)
    if not axis:
        raise Unsupported("rows along the axis of the batch")
    starts = past.of(np.zeros(past.shape[0], np.int32)) if starts is None else narrow(starts)
    return laid(past, new, starts, axis, mode == "circular")


def features(x, places):
    found = x.take(places.ravel(), x.ndim - 1)
    return found.reshape((1, places.size)) if x.ndim == 1 else found


OPERATORS: OperatorTable = (
    ("Gather", lambda x, places, *, axis=0: take(x, places, placed(axis, x.ndim))),
    ("GatherElements", lambda x, places, *, axis=0: take_along_axis(x, places, placed(axis, x.ndim))),
    ("GatherND com.microsoft.GatherND", lambda x, places, *, batch_dims=0: take_rows(x, places, batch_dims)),
    ("ScatterElements Scatter", scatter_elements),
    ("ScatterND", lambda x, at, rows, *, reduction="none": put_rows(x, at, rows, _how(reduction))),
    ("TensorScatter", tensor_scatter),
    ("ai.onnx.ml.ArrayFeatureExtractor", features),
)
