"""RNN, GRU and LSTM: of each direction a loop over time.

What the gates get of x is one product of all steps ahead of the loop, which reads the weights once, where a step by
itself would read them each time. Biases are added there. A step is one product of the state with the weights of all
gates, side by side, and a few maps of their parts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...operators.array import call, maximum, minimum, sliced, where
from ...operators.calls import Unsupported
from ...operators.kinds import in_f32
from ...operators.moving import joined, picked
from ...operators.turning import turned
from ...readers.tables import OperatorTable
from .activations import activations


class Cell:
    """One direction: its weights by gates, and what its gates are put through."""

    def __init__(self, node, gates: int, way: int, w, r, b, activations):
        self.node, self.gates, self.way, self.activations = node, gates, way, activations
        self.size = r.shape[-1]
        self.w, self.r = (_of_way(t, way).transpose((1, 0)) for t in (w, r))
        self.wb = self.rb = None
        if b is not None:
            both, whole = _of_way(b, way), gates * self.size
            self.wb, self.rb = (sliced(both, {0: (i * whole, (i + 1) * whole)}) for i in (0, 1))

    def of_x(self, x, bias):
        """What the gates get of all steps: steps x batch x outputs."""
        return self.add(call("matmul", x, self.w), bias)

    def of_h(self, h, first: int, limit: int):
        """What some gates get of a state."""
        return call("matmul", h, self.gate(self.r, first, limit))

    def gate(self, t, first: int, limit: int | None = None):
        """The part of one gate, or of several."""
        limit = first + 1 if limit is None else limit
        return sliced(t, {t.ndim - 1: (first * self.size, limit * self.size)})

    def add(self, *terms):
        total = terms[0]
        for term in terms[1:]:
            total = total if term is None else total + term
        return total

    def act(self, number: int, x):
        clip = self.node.attribute("clip")
        if clip is not None:
            x = minimum(maximum(x, -clip), clip)
        return self.activations[number](x)


def _run(node, kind: Any, gates: int, defaults, x, w, r, b, lengths, states):
    """All directions of a recurrence: (y, the last of each state)."""
    by_batch = node.attribute("layout", 0)
    x = x.transpose((1, 0, 2)) if by_batch else x
    steps, batch = x.shape[:2]
    ways = {"forward": [0], "reverse": [1], "bidirectional": [0, 1]}[node.attribute("direction", "forward")]
    within, some = _lengths(lengths, steps, batch)
    acts = activations(node, defaults, len(ways))
    size = r.shape[-1]
    zeros = x.of(np.zeros((batch, size), x.numpy))
    states = [s if s is None or not by_batch else s.transpose((1, 0, 2)) for s in states]
    found = []
    for number, backward in enumerate(ways):
        cell = Cell(node, gates, number, w, r, b, acts[number * len(defaults) :])
        firsts = [zeros if s is None else _of_way(s, number) for s in states]
        ahead, step = kind(cell)
        series = [(each, bool(backward)) for each in (cell.of_x(x, ahead), within) if each is not None]
        *last, rows = turned(steps, firsts, series, _with_rows(step), [bool(backward)])
        last = last if some is None else [where(some, each, 0.0) for each in last]
        found.append([*(each.reshape((1, batch, size)) for each in last), rows])
    *ends, y = (joined(each, axis) for each, axis in zip(zip(*found), (*(0 for _ in states), 1)))
    if by_batch:
        y, ends = y.transpose((2, 0, 1, 3)), [e.transpose((1, 0, 2)) for e in ends]
    return [y, *ends]


def _of_way(t, way: int):
    """What a tensor has for one direction."""
    return picked(t, 0, [way]).reshape(t.shape[1:])


def _lengths(lengths, steps: int, batch: int):
    """Whether a step is one of a sequence, of steps x batch x 1, and whether a sequence has any, of batch x 1; each
    None where all are. A sequence without steps ends in zeros, not in its first state."""
    if lengths is None:
        return None, None
    turns = np.arange(steps, dtype=np.int32).reshape(steps, 1, 1)
    if not lengths.is_known:
        each = lengths.astype("s32").reshape((batch, 1))
        return call("less", turns, each.reshape((1, batch, 1))), each > 0
    own = np.asarray(lengths).reshape(-1)
    if own.shape != (batch,) or own.min() < 0 or own.max() > steps:
        raise Unsupported(f"{batch} lengths from 0 to {steps} are expected, found {own.tolist()}")
    within, some = turns < own.reshape(1, batch, 1), (own > 0).reshape(batch, 1)
    return None if within.all() else within, None if some.all() else some


def _with_rows(step):
    """A step whose first state is a row of y, which has an axis of directions. Beyond the end of a sequence states stay
    as they are, and rows are zeros."""

    def run(state, parts):
        x, *within = parts
        found = step(x, *state)
        row = found[0]
        if within:
            row = where(*within, row, 0.0)
            found = [where(*within, new, old) for new, old in zip(found, state, strict=True)]
        return found, [row.reshape((1, *row.shape))]

    return run


@in_f32
def rnn(node, x, w, r, b=None, lengths=None, h=None):
    def kind(cell):
        step = lambda x, h: [cell.act(0, cell.add(cell.of_h(h, 0, 1), x))]
        return _both(cell), step

    return _run(node, kind, 1, ["Tanh"], x, w, r, b, lengths, [h])


def _both(cell: Cell):
    """All biases, where none is only of what a gate gets of the state."""
    return None if cell.wb is None else cell.add(cell.wb, cell.rb)


@in_f32
def gru(node, x, w, r, b=None, lengths=None, h=None):
    kind = _gru_linear if node.attribute("linear_before_reset", 0) else _gru
    return _run(node, kind, 3, ["Sigmoid", "Tanh"], x, w, r, b, lengths, [h])


def _gru(cell: Cell):
    def step(x, h):
        z, r = _gates(cell, cell.add(cell.of_h(h, 0, 2), cell.gate(x, 0, 2)))
        new = cell.act(1, cell.add(cell.of_h(r * h, 2, 3), cell.gate(x, 2)))
        return [_mixed(z, new, h)]

    return _both(cell), step


def _gru_linear(cell: Cell):
    """The reset gate after the product: the bias within it stays with the product."""

    def step(x, h):
        of_h = cell.add(cell.of_h(h, 0, 3), cell.rb)
        z, r = _gates(cell, cell.add(cell.gate(of_h, 0, 2), cell.gate(x, 0, 2)))
        new = cell.act(1, cell.add(r * cell.gate(of_h, 2), cell.gate(x, 2)))
        return [_mixed(z, new, h)]

    return cell.wb, step


def _gates(cell: Cell, both):
    """The gates of update and reset."""
    return (cell.act(0, cell.gate(both, n)) for n in (0, 1))


def _mixed(z, new, h):
    return (1.0 - z) * new + z * h


@in_f32
def lstm(node, x, w, r, b=None, lengths=None, h=None, c=None, peepholes=None):
    coupled = node.attribute("input_forget", 0)

    def kind(cell):
        eyes = None if peepholes is None else _of_way(peepholes, cell.way)

        def step(x, h, c):
            all_gates = cell.add(cell.of_h(h, 0, 4), x)
            i, o, f, g = (cell.gate(all_gates, n) for n in range(4))
            eye = lambda n, state: None if eyes is None else cell.gate(eyes, n) * state
            i, g = cell.act(0, cell.add(i, eye(0, c))), cell.act(1, g)
            f = 1.0 - i if coupled else cell.act(0, cell.add(f, eye(2, c)))
            new = f * c + i * g
            o = cell.act(0, cell.add(o, eye(1, new)))
            return [o * cell.activations[2](new), new]

        return _both(cell), step

    return _run(node, kind, 4, ["Sigmoid", "Tanh", "Tanh"], x, w, r, b, lengths, [h, c])


OPERATORS: OperatorTable = (
    ("RNN", rnn),
    ("GRU", gru),
    ("LSTM", lstm),
)
