"""RNN, LSTM and GRU, layer by layer: their gates stand in another order than the library's."""

from __future__ import annotations

from functools import partial

from ...readers.operators import recurrences
from ...readers.operators.array import sigmoid, sliced, tanh, unary
from ...readers.operators.calls import Unsupported
from ...readers.operators.moving import joined, stacked
from ...readers.operators.recurrences import Recurrence
from ...readers.tables import OperatorTable

LSTM = recurrences.lstm, (0, 3, 1, 2), [sigmoid, tanh, tanh]
"""Input, output, forget, cell of torch's input, forget, cell, output."""
GRU = recurrences.gru, (1, 0, 2), [sigmoid, tanh]
"""Update, reset, new of torch's reset, update, new."""
RNN = recurrences.rnn, (0,)


def lstm(x, states, params, has_biases, layers, *how):
    if len(params) != layers * (1 + how[2]) * (4 if has_biases else 2):
        raise Unsupported("states of another size than what it gives")
    return by_layers(LSTM, x, states, params, has_biases, layers, *how)


def by_layers(cell, x, states, params, has_biases, layers, dropout, train, bidirectional, batch_first):
    (run, gates, functions), dropout = cell, dropout * train
    states = states if isinstance(states, list) else [states]
    if dropout and layers > 1:
        raise Unsupported("what it gives is drawn by chance; call module.eval() first")
    ways, each = 1 + int(bidirectional), 4 if has_biases else 2
    x = x.transpose((1, 0, 2)) if batch_first else x
    how = Recurrence((False, True)[:ways], functions * ways, variant=run is recurrences.gru)
    ends: list[list] = [[] for _ in states]
    for layer in range(layers):
        own = [params[(layer * ways + way) * each :][:each] for way in range(ways)]
        w, r = (stacked([_ordered(way[n], gates) for way in own], 0) for n in (0, 1))
        of_both = (joined([_ordered(way[n], gates) for n in (2, 3)], 0) for way in own if has_biases)
        b = stacked([*of_both], 0) if has_biases else None
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


OPERATORS: OperatorTable = (
    ("lstm.input", lstm),
    ("gru.input", partial(by_layers, GRU)),
    ("rnn_tanh.input", partial(by_layers, (*RNN, [tanh]))),
    ("rnn_relu.input", partial(by_layers, (*RNN, [unary("relu")]))),
)
