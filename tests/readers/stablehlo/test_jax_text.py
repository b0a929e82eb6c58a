"""StableHLO as JAX writes it, beside what XLA makes of it, by the language's reference."""

from __future__ import annotations

import numpy as np
import pytest
from jax_functions import agree_by_text, drawn, jax, jnp, lax, together
from jax_tables import BINARY, BITS, CONVOLUTIONS, MOVING, PLACES, PRODUCTS, REDUCED, UNARY, WINDOWS

X = drawn(3, 5)
TABLES = {
    "unary": (UNARY, (X,)),
    "unary of bf16": (UNARY, (drawn(3, 5, dtype=jnp.bfloat16),)),
    "binary": (BINARY, (X, drawn(3, 5, seed=1))),
    "binary of s8": (BINARY, (drawn(3, 5, dtype=np.int8), drawn(3, 5, dtype=np.int8, seed=1))),
    "bits": (BITS, (drawn(3, 5, dtype=np.int32), drawn(3, 5, dtype=np.int32, seed=1))),
    "bits of u8": (BITS, (drawn(3, 5, dtype=np.uint8), drawn(3, 5, dtype=np.uint8, seed=1))),
    "moving": (MOVING, (drawn(4, 5),)),
    "reduced": ({name: REDUCED[name] for name in REDUCED if name != "cumlogsumexp"}, (drawn(3, 4, 6),)),
    "products": (PRODUCTS, (drawn(2, 3, 4), drawn(2, 4, 5, seed=1))),
    "convolutions": (CONVOLUTIONS, (drawn(2, 5, 6, 4), drawn(3, 3, 4, 4, seed=1))),
    "windows": (WINDOWS, (drawn(2, 5, 6, 4),)),
    "places": (PLACES, (drawn(3, 4, 5), np.array([2, 0, 1], np.int32))),
}


@pytest.mark.parametrize("name", TABLES)
def test_operations(name):
    table, examples = TABLES[name]
    agree_by_text(together(table), *examples)


def loops(graph) -> list[int]:
    return [values[0].opaque.trips for values in graph.made if values[0].call == "scan"]


def test_a_scan():
    w = drawn(4, 4)
    step = lambda h, x: ((then := jnp.tanh(h @ w + x)), (then * 2, h.sum()))
    assert loops(agree_by_text(lambda h, xs: lax.scan(step, h, xs), drawn(4), drawn(9, 4))) == [9]


def test_counted_loops():
    assert loops(agree_by_text(lambda x: lax.fori_loop(2, 9, lambda i, c: c * 0.9 + x[i] * i, x), drawn(9))) == [7]
    agree_by_text(lambda x: lax.while_loop(lambda c: c[0] < c[1], lambda c: (c[0] + 1, c[1], c[2] * 2), (0, 7, x)), X)


def test_branches():
    agree_by_text(lambda x: lax.cond(x[0, 0] > 0, jnp.sin, jnp.cos, x), X)
    agree_by_text(lambda x: lax.cond(x[0, 0] > 0, lambda y: y * 2, lambda y: y, x), X)
    agree_by_text(lambda n, x: lax.switch(n, [jnp.sin, jnp.cos, jnp.tanh], x), np.int32(1), X)


def test_constants():
    w, many = drawn(5, 3), drawn(64, 64)
    truths = jnp.array([True, False, True, False, True])
    f = lambda x: (x @ w, jnp.where(truths, x, 2), x + jnp.array([1.5, np.nan, np.inf, -np.inf, 0]), x.sum() + many)
    agree_by_text(f, X)
    agree_by_text(lambda x: x + jnp.asarray(drawn(40, dtype=np.int16)), drawn(40, dtype=np.int16))
    agree_by_text(lambda x: x + jnp.asarray(drawn(40, dtype=jnp.bfloat16)), drawn(40, dtype=jnp.bfloat16))
    known = jnp.asarray(drawn(40, dtype=bool))
    agree_by_text(lambda x: jnp.logical_xor(x, known), drawn(40, dtype=bool, seed=1))


def test_places_of_lines_are_left_out():
    import griotte as gt

    text = jax.jit(lambda x: jax.nn.relu(x) + 1).lower(X).as_text(debug_info=True)
    assert "loc(" in text
    assert [value.call for value in gt.from_stablehlo(text).calls] == ["maximum", "add"]


def test_a_network():
    w1, b1, w2 = drawn(8, 16), drawn(16), drawn(16, 4)

    def attention(x):
        q = jax.nn.gelu(x @ w1 + b1)
        scores = jax.nn.softmax(q @ q.T / 4, axis=-1)
        return (scores @ q) @ w2, jnp.argmax(scores, 1), lax.top_k(scores, 2)

    agree_by_text(attention, drawn(6, 8))
