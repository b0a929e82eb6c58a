"""RNN, LSTM and GRU, layer by layer: their gates stand in another order than the library's."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

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


class LayerOptions(NamedTuple):
    """As torch's recurrences have them."""

    has_biases: bool
    layers: int
    dropout: float
    train: bool
    bidirectional: bool
    batch_first: bool

    @property
    def ways(self) -> int:
        """Directions of each layer."""
        return 1 + int(self.bidirectional)

    @property
    def each(self) -> int:
        """Parameters of each direction."""
        return 4 if self.has_biases else 2


def lstm(x, states, params, given: LayerOptions):
    if len(params) != given.layers * given.ways * given.each:
        raise Unsupported("states of another size than what it gives")
    return by_layers(LSTM, x, states, params, given)


def by_layers(cell, x, states, params, given: LayerOptions):
    run, gates, functions = cell
    states = states if isinstance(states, list) else [states]
    if given.dropout * given.train and given.layers > 1:
        raise Unsupported("what it gives is drawn by chance; call module.eval() first")
    ways, each = given.ways, given.each
    x = x.transpose((1, 0, 2)) if given.batch_first else x
    how = Recurrence((False, True)[:ways], functions * ways, variant=run is recurrences.gru)
    ends: list[list] = [[] for _ in states]
    for layer in range(given.layers):
        own = [params[(layer * ways + way) * each :][:each] for way in range(ways)]
        w, r = (stacked([_ordered(way[n], gates) for way in own], 0) for n in (0, 1))
        of_both = (joined([_ordered(way[n], gates) for n in (2, 3)], 0) for way in own if given.has_biases)
        b = stacked([*of_both], 0) if given.has_biases else None
        firsts = [sliced(s, {0: (layer * ways, (layer + 1) * ways)}) for s in states]
        y, *last = run(x, (w, r, b), firsts, how)
        steps, _, batch, size = y.shape
        x = y.transpose((0, 2, 1, 3)).reshape((steps, batch, ways * size))
        for end, state in zip(ends, last):
            end.append(state)
    return [x.transpose((1, 0, 2)) if given.batch_first else x, *(joined(end, 0) for end in ends)]


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
