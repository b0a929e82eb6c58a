"""Attention and angles of places, against their definitions in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from griotte.readers.operators import attention
from griotte.readers.operators.attention import Scores
from on_arrays import agree, floats, of_inputs
from scipy.special import softmax

BATCH, HEADS, SHARED, QUERIES, KEYS, SIZE = 2, 4, 2, 3, 5, 8


def attended(q, k, v, scale=None, seen=True, terms=0.0, softcap=0.0, sink=None):
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = q @ np.swapaxes(k, 2, 3) * (q.shape[-1] ** -0.5 if scale is None else scale)
    scores = np.tanh(scores / softcap) * softcap if softcap else scores
    scores = np.where(seen, scores + terms, -np.inf)
    if sink is not None:
        column = np.broadcast_to(sink.reshape(1, -1, 1, 1), (*scores.shape[:3], 1))
        return softmax(np.concatenate([scores, column], 3), 3)[..., :-1] @ v
    return softmax(scores, 3) @ v


def drawn():
    rows = ((HEADS, QUERIES), (SHARED, KEYS), (SHARED, KEYS))
    return [floats(BATCH, h, s, SIZE, seed=n) for n, (h, s) in enumerate(rows)]


@pytest.mark.parametrize("softcap", [0.0, 2.0])
@pytest.mark.parametrize("before", [None, 0, KEYS - QUERIES])
@pytest.mark.parametrize("masked", [False, True])
def test_attention_is_shares_of_softmax(softcap, before, masked):
    q, k, v = drawn()
    term = floats(BATCH, 1, QUERIES, KEYS)
    mask = np.random.default_rng(0).random((QUERIES, KEYS)) < 0.8
    mask[:, 0] = True
    seen = np.ones((QUERIES, KEYS), bool) if before is None else np.tri(QUERIES, KEYS, before, dtype=bool)
    more = (mask, term) if masked else ()
    how = lambda *given: Scores(None, given[0] if given else None, before, given[1:], softcap)
    found = of_inputs(lambda q, k, v, *given: attention.attention(q, k, v, how(*given)), q, k, v, *more)
    agree(found, attended(q, k, v, None, seen & mask if masked else seen, term if masked else 0.0, softcap))


def test_a_sink_takes_a_share():
    q, k, v = drawn()
    sink = floats(HEADS)
    found = of_inputs(lambda q, k, v, s: attention.attention(q, k, v, Scores(0.5, sink=s)), q, k, v, sink)
    agree(found, attended(q, k, v, 0.5, sink=sink))


def test_heads_are_split_and_merged():
    x = floats(2, 3, 20)
    heads = of_inputs(attention.split_heads, x, 4)
    assert np.array_equal(heads, x.reshape(2, 3, 4, 5).transpose(0, 2, 1, 3))
    assert np.array_equal(of_inputs(attention.merge_heads, heads), x)


@pytest.mark.parametrize("batch", [1, BATCH])
@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("width", [SIZE, 6])
def test_pairs_of_elements_are_turned(width, interleaved, batch):
    x, angles = floats(BATCH, HEADS, QUERIES, SIZE), floats(batch, QUERIES, width // 2)
    pairs = x[..., :width].reshape(*x.shape[:3], -1, 2) if interleaved else np.stack(np.split(x[..., :width], 2, 3), -1)
    numbers = (pairs[..., 0] + 1j * pairs[..., 1]) * np.exp(1j * angles[:, None])
    parts = np.stack([numbers.real, numbers.imag], -1)
    rows = parts.reshape(*x.shape[:3], width) if interleaved else np.concatenate([parts[..., 0], parts[..., 1]], 3)
    found = of_inputs(attention.rotary, x, np.cos(angles), np.sin(angles), interleaved)
    agree(found, np.concatenate([rows, x[..., width:]], 3))


def test_rows_of_a_table_may_be_told_row_by_row():
    table, places = floats(7, 4), np.array([[0, 3], [6, 1]], np.int32)
    assert np.array_equal(of_inputs(attention.rows_at, table, places), table[places])
    alike = of_inputs(lambda x: attention.rows_at(x, x.of(places[[0, 0]])), table)
    assert np.array_equal(alike, table[places[:1]])
