"""Recurrences, against loops over steps in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from griotte.readers.operators import recurrences
from griotte.readers.operators.array import sigmoid, tanh
from griotte.readers.operators.recurrences import Recurrence
from on_arrays import agree, floats, of_inputs

STEPS, BATCH, READS, SIZE = 5, 3, 4, 2


def soft(x):
    return 1 / (1 + np.exp(-x))


def rnn(x, h, w, r, b, variant):
    return [np.tanh(x @ w.T + h[0] @ r.T + sum(b))]


def gru(x, h, w, r, b, variant):
    (wz, wr, wn), (rz, rr, rn) = np.split(w, 3), np.split(r, 3)
    (bz, br, bn), (cz, cr, cn) = (np.split(each, 3) for each in b)
    h = h[0]
    z, reset = soft(x @ wz.T + h @ rz.T + bz + cz), soft(x @ wr.T + h @ rr.T + br + cr)
    of_h = reset * (h @ rn.T + cn) if variant else (reset * h) @ rn.T + cn
    return [(1 - z) * np.tanh(x @ wn.T + bn + of_h) + z * h]


def lstm(x, h, w, r, b, variant, eyes=(0,) * 3 * SIZE):
    h, c = h
    i, o, f, g = np.split(x @ w.T + h @ r.T + sum(b), 4, axis=1)
    of_i, of_o, of_f = np.split(np.asarray(eyes), 3)
    i = soft(i + of_i * c)
    f = 1 - i if variant else soft(f + of_f * c)
    new = f * c + i * np.tanh(g)
    return [soft(o + of_o * new) * np.tanh(new), new]


def run(step, x, weights, states, backward, variant, lengths, *eyes):
    """Of one direction: rows, and the last states."""
    w, r, b = weights
    states, rows = list(states), np.zeros((STEPS, BATCH, SIZE))
    for t in range(STEPS)[:: -1 if backward else 1]:
        new, within = step(x[t], states, w, r, np.split(b, 2), variant, *eyes), (t < lengths)[:, None]
        states = [np.where(within, one, other) for one, other in zip(new, states)]
        rows[t] = np.where(within, new[0], 0)
    return rows, states


CELLS = {"rnn": (rnn, 1, 1, [tanh]), "gru": (gru, 3, 1, [sigmoid, tanh]), "lstm": (lstm, 4, 2, [sigmoid, tanh, tanh])}


@pytest.mark.parametrize("variant", [False, True])
@pytest.mark.parametrize("backward", [(False,), (True,), (False, True)])
@pytest.mark.parametrize("name", CELLS)
def test_recurrences_are_loops(name, backward, variant):
    step, gates, count, functions = CELLS[name]
    ways, wide = len(backward), gates * SIZE
    x = floats(STEPS, BATCH, READS)
    weights = [floats(ways, wide, READS), floats(ways, wide, SIZE, seed=1), floats(ways, 2 * wide)]
    states = [floats(ways, BATCH, SIZE, seed=n) for n in range(2, 2 + count)]
    lengths = np.array([5, 2, 4], np.int32) if variant else None
    more = [] if lengths is None else [lengths]

    def of_arrays(x, w, r, b, *rest):
        how = Recurrence(backward, functions * ways, rest[count] if more else None, variant=variant)
        return getattr(recurrences, name)(x, (w, r, b), rest[:count], how)

    found = of_inputs(of_arrays, x, *weights, *states, *more)
    own = lambda way: [each[way] for each in weights]
    parts = [
        run(
            step,
            x,
            own(n),
            [s[n] for s in states],
            backward[n],
            variant,
            np.full(BATCH, STEPS) if not more else lengths,
        )
        for n in range(ways)
    ]
    ends = [np.stack([part[1][n] for part in parts]) for n in range(count)]
    agree(found, [np.stack([part[0] for part in parts], 1), *ends])


def test_gates_may_see_the_cell():
    x, w, r, b = floats(STEPS, BATCH, READS), floats(1, 8, READS), floats(1, 8, SIZE), floats(1, 16)
    eyes = floats(1, 6)
    how = Recurrence((False,), [sigmoid, tanh, tanh])
    found = of_inputs(lambda *given: recurrences.lstm(given[0], given[1:], [None, None], how), x, w, r, b, eyes)
    zeros = np.zeros((BATCH, SIZE))
    rows, states = run(lstm, x, (w[0], r[0], b[0]), [zeros, zeros], False, False, np.full(BATCH, STEPS), eyes[0])
    agree(found, [rows[:, None], *(s[None] for s in states)])


def test_the_batch_may_come_first_and_gates_have_bounds():
    x, w, r = floats(BATCH, STEPS, READS), floats(1, SIZE, READS), np.zeros((1, SIZE, SIZE), np.float32)
    how = Recurrence((False,), [lambda x: x * 2.0], by_batch=True, clip=0.5)
    found = of_inputs(lambda x, w, r: recurrences.rnn(x, (w, r, None), [None], how), x, w, r)
    expected = 2 * np.clip(x @ w[0].T, -0.5, 0.5)
    agree(found, [expected[:, :, None], expected[:, -1:]])
