"""RNN, LSTM and GRU, layer by layer: their gates stand in another order than the library's."""

from __future__ import annotations

from ...operators import recurrences
from ...operators.array import sigmoid, sliced, tanh, unary
from ...operators.calls import Unsupported
from ...operators.moving import joined
from ...operators.recurrences import Recurrence
from ...readers.tables import OperatorTable

LSTM = (0, 3, 1, 2), [sigmoid, tanh, tanh]  # input, output, forget, cell of torch's input, forget, cell, output
GRU = (1, 0, 2), [sigmoid, tanh]  # update, reset, new of torch's reset, update, new


def lstm(x, states, params, has_biases, layers, dropout, train, bidirectional, batch_first):
    if len(params) != layers * (1 + bidirectional) * (4 if has_biases else 2):
        raise Unsupported("states of another size than what it gives")
    how = (params, has_biases, layers, dropout * train, bidirectional, batch_first)
    return _layers(recurrences.lstm, *LSTM, x, states, *how)


def gru(x, state, params, has_biases, layers, dropout, train, bidirectional, batch_first):
    how = (params, has_biases, layers, dropout * train, bidirectional, batch_first)
    return _layers(recurrences.gru, *GRU, x, [state], *how)


def rnn(node, x, state, params, has_biases, layers, dropout, train, bidirectional, batch_first):
    how = (params, has_biases, layers, dropout * train, bidirectional, batch_first)
    functions = [tanh if "tanh" in node.operator else unary("relu")]
    return _layers(recurrences.rnn, (0,), functions, x, [state], *how)


def _layers(run, gates, functions, x, states, params, has_biases, layers, dropout, bidirectional, batch_first):
    if dropout and layers > 1:
        raise Unsupported("what it gives is drawn by chance; call module.eval() first")
    ways, each = 1 + int(bidirectional), 4 if has_biases else 2
    x = x.transpose((1, 0, 2)) if batch_first else x
    how = Recurrence((False, True)[:ways], functions * ways, variant=run is recurrences.gru)
    ends: list[list] = [[] for _ in states]
    for layer in range(layers):
        own = [params[(layer * ways + way) * each :][:each] for way in range(ways)]
        w, r = (_stacked([_ordered(way[n], gates) for way in own]) for n in (0, 1))
        b = None
        if has_biases:
            b = _stacked([joined([_ordered(way[n], gates) for n in (2, 3)], 0) for way in own])
        firsts = [sliced(s, {0: (layer * ways, (layer + 1) * ways)}) for s in states]
        y, *last = run(x, (w, r, b), firsts, how)
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


FUNCTIONS: OperatorTable = (
    ("lstm.input", lstm),
    ("gru.input", gru),
)


OPERATORS: OperatorTable = (("rnn_tanh.input rnn_relu.input", rnn),)
