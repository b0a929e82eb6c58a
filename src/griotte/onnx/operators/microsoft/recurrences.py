"""A recurrence whose weights are integers."""

from __future__ import annotations

from ....readers.moving import permuted, reshaped
from ..declaring import MICROSOFT, operator
from ..recurrences import lstm


@operator("DynamicQuantizeLSTM", domain=MICROSOFT)
def of_integers(node, x, w, r, b, lengths, h, c, peepholes, w_scale, w_zero, r_scale, r_zero):
    """An LSTM of the floats that its weights stand for. onnxruntime rounds x and the state to 8 bits besides, by scales
    of their own."""
    return lstm(
        node, x, _floats(node, w, w_scale, w_zero), _floats(node, r, r_scale, r_zero), b, lengths, h, c, peepholes
    )


def _floats(node, weights, scale, zero):
    """Weights [ways, k, gates], with a scale for each way, or for each column of gates, as [ways, gates, k]."""
    ways = node.value(weights).type.shape[0]
    spread = lambda t: reshaped(node, t, (ways, 1, node.value(t).type.elements // ways))
    return permuted(node, node.call("dequantize", weights, spread(scale), spread(zero)), (0, 2, 1))
