"""RNN, GRU and LSTM, step by step, of not too many steps."""

from __future__ import annotations

import numpy as np

from .declaring import Unsupported, in_f32, operator
from .moving import permuted, picked, reshaped, sliced, stacked

MOST_STEPS = 128
ACTIVATIONS = {"sigmoid": "sigmoid", "tanh": "tanh", "relu": "relu", "softplus": "softplus"}


class Cell:
    """One direction: what its gates are of x, which one product gives for all steps, their weights for the state, and
    what they are put through."""

    def __init__(self, node, gates: int, way: int, x, w, r, b, activations):
        self.node, self.activations = node, activations
        one = lambda t: reshaped(node, picked(node, t, 0, [way]), node.value(t).type.shape[1:])
        self.size = node.value(r).type.shape[-1]
        self.r, wb, self.rb = one(r), None, None
        if b is not None:
            wb, self.rb = (self._rows(one(b), first, gates) for first in (0, gates))
        self.x = self.add(self._product(x, one(w)), wb)
        self.batch = self.x.type.shape[1]

    def _rows(self, t, first: int, count: int):
        return sliced(self.node, t, {0: (first * self.size, (first + count) * self.size)})

    def _product(self, x, weights):
        return self.node.call("matmul", x, permuted(self.node, weights, (1, 0)))

    def of_x(self, step: int, first: int, count: int):
        """Gates of x, beside each other."""
        part: dict[int, tuple[int, ...]] = {0: (step, step + 1), 2: (first * self.size, (first + count) * self.size)}
        return reshaped(self.node, sliced(self.node, self.x, part), (self.batch, count * self.size))

    def of_h(self, h, first: int, count: int):
        """Gates of the state, beside each other."""
        found = self._product(h, self._rows(self.r, first, count))
        return found if self.rb is None else self.add(found, self._rows(self.rb, first, count))

    def of_both(self, step: int, h, first: int, count: int):
        return self.add(self.of_h(h, first, count), self.of_x(step, first, count))

    def apart(self, gates, count: int):
        """Gates that are beside each other."""
        return [sliced(self.node, gates, {1: (n * self.size, (n + 1) * self.size)}) for n in range(count)]

    def add(self, *terms):
        total = terms[0]
        for term in terms[1:]:
            total = total if term is None else self.node.call("add", total, term)
        return total

    def act(self, number: int, x):
        clip = self.node.attribute("clip")
        if clip is not None:
            x = self.node.call("minimum", self.node.call("maximum", x, -clip), clip)
        return self.node.call(self.activations[number], x)

    def mul(self, x, y):
        return self.node.call("mul", x, y)


def _run(node, step, gates: int, defaults, x, w, r, b, lengths, states):
    """All directions of a recurrence: (y, the last of each state)."""
    by_batch = node.attribute("layout", 0)
    x = permuted(node, x, (1, 0, 2)) if by_batch else node.value(x)
    steps, batch = x.type.shape[:2]
    if steps > MOST_STEPS:
        raise Unsupported(f"{steps} steps, more than {MOST_STEPS}")
    if lengths is not None and (np.asarray(node.known(lengths, "the lengths")) != steps).any():
        raise Unsupported("sequences of different lengths")
    ways = {"forward": [0], "reverse": [1], "bidirectional": [0, 1]}[node.attribute("direction", "forward")]
    given = [a.lower() for a in node.attribute("activations") or defaults * len(ways)]
    if any(a not in ACTIVATIONS for a in given) or node.attribute("activation_alpha") is not None:
        raise Unsupported(f"activations {given}")
    size = node.value(r).type.shape[-1]
    zeros = node.value(np.zeros((batch, size), node.numpy(x.type.dtype)))
    sequences, lasts = [], []
    for number, backward in enumerate(ways):
        own = [ACTIVATIONS[a] for a in given[number * len(defaults) :]]
        cell = Cell(node, gates, number, x, w, r, b, own)
        state = [zeros if s is None else _first(node, s, number, by_batch) for s in states]
        found = [None] * steps
        for t in range(steps)[:: -1 if backward else 1]:
            state = step(cell, t, *state)
            found[t] = state[0]
        sequences.append(stacked(node, found, 0))
        lasts.append(state)
    y = stacked(node, sequences, 1)
    ends = [stacked(node, [state[i] for state in lasts], 0) for i in range(len(states))]
    if by_batch:
        y, ends = permuted(node, y, (2, 0, 1, 3)), [permuted(node, e, (1, 0, 2)) for e in ends]
    return [y, *ends]


def _first(node, state, way: int, by_batch: int):
    state = permuted(node, state, (1, 0, 2)) if by_batch else node.value(state)
    return reshaped(node, picked(node, state, 0, [way]), state.type.shape[1:])


@operator("RNN")
@in_f32
def rnn(node, x, w, r, b=None, lengths=None, h=None):
    step = lambda cell, t, h: [cell.act(0, cell.of_both(t, h, 0, 1))]
    return _run(node, step, 1, ["Tanh"], x, w, r, b, lengths, [h])


@operator("GRU")
@in_f32
def gru(node, x, w, r, b=None, lengths=None, h=None):
    def linear_before_reset(cell, t, h):
        first, last = cell.of_h(h, 0, 3), cell.of_x(t, 0, 3)
        z, r, n = zip(cell.apart(last, 3), cell.apart(first, 3))
        z, r = (cell.act(0, cell.add(*each)) for each in (z, r))
        return z, cell.act(1, cell.add(n[0], cell.mul(r, n[1])))

    def linear_after(cell, t, h):
        z, r = (cell.act(0, each) for each in cell.apart(cell.of_both(t, h, 0, 2), 2))
        return z, cell.act(1, cell.of_both(t, cell.mul(r, h), 2, 1))

    gates = linear_before_reset if node.attribute("linear_before_reset", 0) else linear_after

    def step(cell, t, h):
        z, new = gates(cell, t, h)
        return [cell.add(cell.mul(node.call("sub", 1.0, z), new), cell.mul(z, h))]

    return _run(node, step, 3, ["Sigmoid", "Tanh"], x, w, r, b, lengths, [h])


@operator("LSTM")
@in_f32
def lstm(node, x, w, r, b=None, lengths=None, h=None, c=None, peepholes=None):
    if node.attribute("input_forget", 0):
        raise Unsupported("input and forget gates that are one")

    def step(cell, t, h, c):
        i, o, f, g = cell.apart(cell.of_both(t, h, 0, 4), 4)
        eye = lambda n, state: None if peepholes is None else cell.mul(_peephole(node, peepholes, cell, n), state)
        i, f, g = cell.act(0, cell.add(i, eye(0, c))), cell.act(0, cell.add(f, eye(2, c))), cell.act(1, g)
        new = cell.add(cell.mul(f, c), cell.mul(i, g))
        o = cell.act(0, cell.add(o, eye(1, new)))
        return [cell.mul(o, node.call(cell.activations[2], new)), new]

    if peepholes is not None and node.attribute("direction", "forward") == "bidirectional":
        raise Unsupported("peepholes in two directions")
    return _run(node, step, 4, ["Sigmoid", "Tanh", "Tanh"], x, w, r, b, lengths, [h, c])


def _peephole(node, peepholes, cell, number: int):
    flat = reshaped(node, peepholes, (3 * cell.size,))
    return sliced(node, flat, {0: (number * cell.size, (number + 1) * cell.size)})
