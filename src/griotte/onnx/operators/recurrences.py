"""RNN, GRU and LSTM, step by step, of not too many steps."""

from __future__ import annotations

import numpy as np

from .declaring import Unsupported, in_f32, operator
from .moving import permuted, picked, reshaped, sliced, stacked

MOST_STEPS = 128
ACTIVATIONS = {"sigmoid": "sigmoid", "tanh": "tanh", "relu": "relu", "softplus": "softplus"}


class Cell:
    """One direction: its weights, cut into gates, and what its gates are put through."""

    def __init__(self, node, gates: int, way: int, w, r, b, activations):
        self.node, self.activations = node, activations
        one = lambda t: reshaped(node, picked(node, t, 0, [way]), node.value(t).type.shape[1:])
        self.size = node.value(r).type.shape[-1]
        rows = lambda t, first: [
            sliced(node, t, {0: ((first + g) * self.size, (first + g + 1) * self.size)}) for g in range(gates)
        ]
        self.w, self.r = ([permuted(node, t, (1, 0)) for t in rows(one(x), 0)] for x in (w, r))
        self.wb = [None] * gates if b is None else rows(one(b), 0)
        self.rb = [None] * gates if b is None else rows(one(b), gates)

    def of_x(self, x, gate: int):
        return self._line(x, self.w[gate], self.wb[gate])

    def of_h(self, h, gate: int):
        return self._line(h, self.r[gate], self.rb[gate])

    def _line(self, x, weights, bias):
        found = self.node.call("matmul", x, weights)
        return found if bias is None else self.node.call("add", found, bias)

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
        cell = Cell(node, gates, number, w, r, b, own)
        state = [zeros if s is None else _first(node, s, number, by_batch) for s in states]
        found = [None] * steps
        for t in range(steps)[:: -1 if backward else 1]:
            now = reshaped(node, picked(node, x, 0, [t]), x.type.shape[1:])
            state = step(cell, now, *state)
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
    step = lambda cell, x, h: [cell.act(0, cell.add(cell.of_x(x, 0), cell.of_h(h, 0)))]
    return _run(node, step, 1, ["Tanh"], x, w, r, b, lengths, [h])


@operator("GRU")
@in_f32
def gru(node, x, w, r, b=None, lengths=None, h=None):
    before = node.attribute("linear_before_reset", 0)

    def step(cell, x, h):
        z, r = (cell.act(0, cell.add(cell.of_x(x, g), cell.of_h(h, g))) for g in (0, 1))
        inner = cell.mul(r, cell.of_h(h, 2)) if before else cell.of_h(cell.mul(r, h), 2)
        new = cell.act(1, cell.add(cell.of_x(x, 2), inner))
        rest = node.call("sub", 1.0, z)
        return [cell.add(cell.mul(rest, new), cell.mul(z, h))]

    return _run(node, step, 3, ["Sigmoid", "Tanh"], x, w, r, b, lengths, [h])


@operator("LSTM")
@in_f32
def lstm(node, x, w, r, b=None, lengths=None, h=None, c=None, peepholes=None):
    if node.attribute("input_forget", 0):
        raise Unsupported("input and forget gates that are one")

    def step(cell, x, h, c):
        i, o, f, g = (cell.add(cell.of_x(x, n), cell.of_h(h, n)) for n in range(4))
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
