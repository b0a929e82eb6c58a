"""RNN, LSTM and GRU: of each layer ONNX's operator, whose gates stand in another order."""

from __future__ import annotations

from typing import Any

from ...operators.array import sliced
from ...operators.calls import Unsupported
from ...operators.moving import joined
from ...readers.tables import OperatorTable

LSTM = (0, 3, 1, 2)  # input, output, forget, cell of torch's input, forget, cell, output
GRU = (1, 0, 2)  # update, reset, new of torch's reset, update, new


def lstm(node, x, states, params, has_biases, layers, dropout, train, bidirectional, batch_first):
    if len(params) != layers * (1 + bidirectional) * (4 if has_biases else 2):
        raise Unsupported("states of another size than what it gives")
    return _layers(
        node, "LSTM", LSTM, x, states, params, has_biases, layers, dropout * train, bidirectional, batch_first
    )


def gru(node, x, state, params, has_biases, layers, dropout, train, bidirectional, batch_first):
    return _layers(
        node, "GRU", GRU, x, [state], params, has_biases, layers, dropout * train, bidirectional, batch_first
    )


def rnn(node, x, state, params, has_biases, layers, dropout, train, bidirectional, batch_first):
    return _layers(
        node, "RNN", (0,), x, [state], params, has_biases, layers, dropout * train, bidirectional, batch_first
    )


def _layers(node, kind, gates, x, states, params, has_biases, layers, dropout, bidirectional, batch_first):
    if dropout and layers > 1:
        raise Unsupported("what it gives is drawn by chance; call module.eval() first")
    ways, each = 1 + int(bidirectional), 4 if has_biases else 2
    x = x.transpose((1, 0, 2)) if batch_first else x
    ends: list[list] = [[] for _ in states]
    for layer in range(layers):
        own = [params[(layer * ways + way) * each :][:each] for way in range(ways)]
        w, r = (_stacked([_ordered(way[n], gates) for way in own]) for n in (0, 1))
        b = None
        if has_biases:
            b = _stacked([joined([_ordered(way[n], gates) for n in (2, 3)], 0) for way in own])
        firsts = [sliced(s, {0: (layer * ways, (layer + 1) * ways)}) for s in states]
        how: dict[str, Any] = {"direction": "bidirectional" if bidirectional else "forward", "linear_before_reset": 1}
        if kind == "RNN":
            how["activations"] = ["Tanh" if "tanh" in node.operator else "Relu"] * ways
        y, *last = node.as_onnx(kind, x, w, r, b, None, *firsts, outputs=1 + len(states), **how)
        steps, _, batch, size = y.shape
        x = y.transpose((0, 2, 1, 3)).reshape((steps, batch, ways * size))
        for end, state in zip(ends, last):
            end.append(state)
    return [x.transpose((1, 0, 2)) if batch_first else x, *(joined(end, 0) for end in ends)]


def _ordered(t, gates):
    """Rows of gates in another order."""
    size = t.shape[0] // len(gates)
    return joined([sliced(t, {0: (g * size, (g + 1) * size)}) for g in gates], 0)


def _stacked(parts):
    return joined([part.reshape((1, *part.shape)) for part in parts], 0)


OPERATORS: OperatorTable = (
    ("lstm.input", lstm),
    ("gru.input", gru),
    ("rnn_tanh.input rnn_relu.input", rnn),
)
