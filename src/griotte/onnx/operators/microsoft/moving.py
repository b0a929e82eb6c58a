"""Operators that move elements, as they were before ONNX had them."""

from __future__ import annotations

import numpy as np

from ....readers.moving import reshaped
from ..declaring import MICROSOFT, operator
from ..indexing import gather_nd
from ..shapes import pad, trilu

operator("Trilu", domain=MICROSOFT)(trilu)
operator("GatherND", domain=MICROSOFT)(gather_nd)


@operator("Pad", domain=MICROSOFT)
def padded(node, x, pads, fill=None):
    return pad(node, x, np.asarray(node.known(pads, "the pads")).reshape(-1), fill)


@operator("ExpandDims", domain=MICROSOFT)
def expanded(node, x, axis):
    shape = list(node.value(x).type.shape)
    place = int(np.asarray(node.known(axis, "the axis")).reshape(()))
    shape.insert(place if place >= 0 else place + len(shape) + 1, 1)
    return reshaped(node, x, shape)
