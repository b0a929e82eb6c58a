"""Operators that read or write at indices."""

from __future__ import annotations

import numpy as np

from ...readers.operators.calls import Unsupported
from ...readers.operators.indexing import laid, narrow, put_along_axis, put_rows, take, take_along_axis, take_rows
from ...readers.operators.kinds import over_u8
from ...readers.tables import OperatorTable


def gather(node, x, indices):
    return take(x, indices, node.axis(x.ndim, 0))


def gather_elements(node, x, indices):
    return take_along_axis(x, indices, node.axis(x.ndim, 0))


def gather_nd(node, x, indices):
    return take_rows(x, indices, node.attribute("batch_dims", 0))


def how(node) -> str:
    """How what is there is joined with what is written."""
    return {"none": "set"}.get(found := node.attribute("reduction", "none"), found)


def scatter_elements(node, x, indices, updates):
    return put_along_axis(x, indices, updates, node.axis(x.ndim, 0), how(node))


def scatter_nd(node, x, indices, updates):
    return put_rows(x, indices, updates, how(node))


@over_u8
def tensor_scatter(node, past, new, starts=None):
    """New rows along an axis, from a place of each row of the batch on."""
    axis = node.axis(past.ndim, -2)
    if not axis:
        raise Unsupported("rows along the axis of the batch")
    starts = past.of(np.zeros(past.shape[0], np.int32)) if starts is None else narrow(starts)
    return laid(past, new, starts, axis, node.attribute("mode", "linear") == "circular")


def features(x, places):
    found = x.take(places.ravel(), x.ndim - 1)
    return found.reshape((1, places.size)) if x.ndim == 1 else found


OPERATORS: OperatorTable = (
    ("Gather", gather),
    ("GatherElements", gather_elements),
    ("GatherND com.microsoft.GatherND", gather_nd),
    ("ScatterElements Scatter", scatter_elements),
    ("ScatterND", scatter_nd),
    ("TensorScatter", tensor_scatter),
)
FUNCTIONS: OperatorTable = (("ai.onnx.ml.ArrayFeatureExtractor", features),)
