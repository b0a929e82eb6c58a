"""Recurrences: of each direction a loop over time.

What the gates get of x is one product of all steps ahead of the loop, which reads the weights once, where a step by
itself would read them each time. Biases are added there. A step is one product of the state with the weights of all
gates, side by side, and a few maps of their parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from .array import Array, call, maximum, minimum, sliced, where
from .calls import Unsupported
from .kinds import in_f32
from .moving import joined, picked
from .scans import scanned


@dataclass(frozen=True)
class Recurrence:
    """How a recurrence goes.

    Attributes:
        backward: for each direction whether it begins at the last step.
        activations: the functions of the gates, of each direction.
        lengths: steps of each sequence of the batch; None where all steps are.
        by_batch: whether the batch comes before steps.
        clip: a bound on values before the functions of gates.
        variant: of a GRU whether the reset gate comes after the product, of an LSTM whether it forgets the share that
            is not put in.
    """

    backward: tuple[bool, ...]
    activations: Sequence[Callable[[Any], Any]]
    lengths: Array | None = None
    by_batch: bool = False
    clip: float | None = None
    variant: bool = False


class RowFactor(Protocol):
    """Weights [in, outputs] of one direction, by which rows are multiplied."""

    @property
    def depth(self) -> int:
        """How long the rows are."""

    def columns(self, first: int, limit: int) -> RowFactor:
        """The weights of some outputs."""

    def of(self, x: Array) -> Array:
        """Rows times the weights."""


@dataclass(frozen=True)
class FloatFactor:
    """Weights in floats."""

    weights: Array

    @property
    def depth(self) -> int:
        return self.weights.shape[0]

    def columns(self, first: int, limit: int) -> FloatFactor:
        return FloatFactor(sliced(self.weights, {1: (first, limit)}))

    def of(self, x: Array) -> Array:
        return call("matmul", x, self.weights)


def factors(weights: Any) -> Sequence[RowFactor]:
    """Of each direction of weights [ways, out, in]; those that are factors already."""
    if not isinstance(weights, Array):
        return weights
    return [FloatFactor(_of_way(weights, way).transpose((1, 0))) for way in range(weights.shape[0])]


class Cell:
    """One direction: its weights by gates, and the functions of its gates."""

    def __init__(self, how: Recurrence, gates: int, way: int, weights: Any):
        w, r, b, *eyes = weights
        count = len(how.activations) // len(how.backward)
        self.clip, self.activations = how.clip, how.activations[way * count :]
        self.w, self.r = w[way], r[way]
        self.size, self.variant = self.r.depth, how.variant
        self.wb = self.rb = None
        if b is not None:
            both, whole = _of_way(b, way), gates * self.size
            self.wb, self.rb = (sliced(both, {0: (i * whole, (i + 1) * whole)}) for i in (0, 1))
        self.eyes = next((_of_way(each, way) for each in eyes if each is not None), None)

    def biases(self):
        """All biases, where none is only of what a gate gets of the state."""
        return None if self.wb is None else _sum(self.wb, self.rb)

    def of_h(self, h, first: int, limit: int):
        """What some gates get of a state."""
        return self.r.columns(first * self.size, limit * self.size).of(h)

    def gate(self, t, first: int, limit: int | None = None):
        """The part of one gate, or of several."""
        limit = first + 1 if limit is None else limit
        return sliced(t, {t.ndim - 1: (first * self.size, limit * self.size)})

    def eye(self, number: int, state):
        """What a gate sees of a cell's state."""
        return None if self.eyes is None else self.gate(self.eyes, number) * state

    def act(self, number: int, *terms):
        """The function of a gate, of a sum."""
        x = _sum(*terms)
        if self.clip is not None:
            x = minimum(maximum(x, -self.clip), self.clip)
        return self.activations[number](x)


def _sum(first, *terms):
    """The sum of terms; each may be None."""
    for term in terms:
        first = first if term is None else first + term
    return first


def _run(kind: Any, gates: int, x: Array, weights: Any, states: Any, how: Recurrence) -> list[Array]:
    """All directions of a recurrence: (y, the last of each state)."""
    by_batch = how.by_batch
    x = x.transpose((1, 0, 2)) if by_batch else x
    steps, batch = x.shape[:2]
    within, some = _lengths(how.lengths, steps, batch)
    w, r, *others = weights
    weights = factors(w), factors(r), *others
    size = weights[1][0].depth
    zeros = x.of(np.zeros((batch, size), x.numpy))
    states = [s if s is None or not by_batch else s.transpose((1, 0, 2)) for s in states]
    found = []
    for number, backward in enumerate(how.backward):
        cell = Cell(how, gates, number, weights)
        firsts = [zeros if s is None else _of_way(s, number) for s in states]
        ahead, step = kind(cell)
        of_x = _sum(cell.w.of(x), ahead)  # what the gates get of all steps: steps x batch x outputs
        series = [(each, backward) for each in (of_x, within) if each is not None]
        *last, rows = scanned(steps, firsts, series, _with_rows(step), [backward])
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
def rnn(x: Array, weights: Any, states: Any, how: Recurrence) -> list[Array]:
    """Rows [steps, ways, batch, out], and the last states, of x [steps, batch, in] from states [ways, batch, out].

    The weights are those of x [ways, out, in], those of the state [ways, out, out], and biases of both [ways, 2 out].
    Weights may be factors instead, one of each direction. Each of the states may be None."""

    def kind(cell):
        return cell.biases(), lambda x, h: [cell.act(0, cell.of_h(h, 0, 1), x)]

    return _run(kind, 1, x, weights, states, how)


@in_f32
def gru(x: Array, weights: Any, states: Any, how: Recurrence) -> list[Array]:
    """The same of gates of update, of reset and of the new state, one after the other. Where the reset gate comes after
    the product, the bias within it stays with the product."""

    def step(cell, x, h):
        of_h = _sum(cell.of_h(h, 0, 3), cell.rb) if cell.variant else cell.of_h(h, 0, 2)
        both = _sum(cell.gate(of_h, 0, 2) if cell.variant else of_h, cell.gate(x, 0, 2))
        z, r = (cell.act(0, cell.gate(both, n)) for n in (0, 1))
        inner = r * cell.gate(of_h, 2) if cell.variant else cell.of_h(r * h, 2, 3)
        new = cell.act(1, inner, cell.gate(x, 2))
        return [(1.0 - z) * new + z * h]

    kind = lambda cell: (cell.wb if cell.variant else cell.biases(), partial(step, cell))
    return _run(kind, 3, x, weights, states, how)


@in_f32
def lstm(x: Array, weights: Any, states: Any, how: Recurrence) -> list[Array]:
    """The same of gates of input, of output, of forgetting and of the cell, and of two states, the cell's own last.
    Weights of what gates see of the cell's state [ways, 3 out] may come last."""

    def step(cell, x, h, c):
        all_gates = _sum(cell.of_h(h, 0, 4), x)
        i, o, f, g = (cell.gate(all_gates, n) for n in range(4))
        i, g = cell.act(0, i, cell.eye(0, c)), cell.act(1, g)
        f = 1.0 - i if cell.variant else cell.act(0, f, cell.eye(2, c))
        new = f * c + i * g
        o = cell.act(0, o, cell.eye(1, new))
        return [o * cell.activations[2](new), new]

    return _run(lambda cell: (cell.biases(), partial(step, cell)), 4, x, weights, states, how)
