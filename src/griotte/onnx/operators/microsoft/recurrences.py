"""A recurrence whose weights are integers."""

from __future__ import annotations

from ....readers.operators.array import call
from ....readers.tables import OperatorTable
from ..recurrences import lstm


def of_integers(node, x, w, r, b, lengths, h, c, peepholes, w_scale, w_zero, r_scale, r_zero):
    """An LSTM of the floats that its weights stand for. onnxruntime rounds x and the state to 8 bits besides, by scales
    of their own."""
    return lstm(node, x, _floats(w, w_scale, w_zero), _floats(r, r_scale, r_zero), b, lengths, h, c, peepholes)


def _floats(weights, scale, zero):
    """Weights [ways, k, gates], with a scale for each way, or for each column of gates, as [ways, gates, k]."""
    ways = weights.shape[0]
    spread = lambda t: t.reshape((ways, 1, t.size // ways))
    return call("dequantize", weights, spread(scale), spread(zero)).transpose((0, 2, 1))


OPERATORS: OperatorTable = (("com.microsoft.DynamicQuantizeLSTM", of_integers),)
