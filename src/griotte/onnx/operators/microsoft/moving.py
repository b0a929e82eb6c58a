"""Operators that move elements, as they were before ONNX had them."""

from __future__ import annotations

import numpy as np

from ....readers.operators.array import known
from ....readers.tables import OperatorTable
from ..shapes import pad, trilu


def padded(node, x, pads, fill=None):
    return pad(node, x, np.asarray(known(pads, "the pads")).reshape(-1), fill)


def expanded(x, axis):
    shape = list(x.shape)
    place = int(np.asarray(known(axis, "the axis")).reshape(()))
    shape.insert(place if place >= 0 else place + len(shape) + 1, 1)
    return x.reshape(shape)


OPERATORS: OperatorTable = (
    ("com.microsoft.Pad", padded),
    ("com.microsoft.Trilu", trilu),
)


FUNCTIONS: OperatorTable = (("com.microsoft.ExpandDims", expanded),)
