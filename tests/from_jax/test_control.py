"""Branches and loops of JAX."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from jax_functions import agree, drawn, jax, jnp, lax


def loops(graph) -> list[int]:
    return [values[0].opaque.trips for values in graph.made if values[0].call == "scan"]


def test_a_scan_is_a_loop():
    w = drawn(4, 4)

    def step(h, x):
        h = jnp.tanh(h @ w + x)
        return h, (h * 2, h.sum())

    graph = agree(lambda h, xs: lax.scan(step, h, xs), drawn(4), drawn(9, 4))
    assert loops(graph) == [9]


def test_a_scan_from_the_end():
    agree(lambda h, xs: lax.scan(lambda h, x: (h * 0.5 + x, h), h, xs, reverse=True), drawn(4), drawn(7, 4))


@pytest.mark.parametrize("length", [1, 3])
def test_few_turns_are_read_one_by_one(length):
    graph = agree(lambda h, xs: lax.scan(lambda h, x: (jnp.sin(h) + x, h), h, xs), drawn(4), drawn(length, 4))
    assert not loops(graph)


def test_no_turn():
    agree(lambda h: lax.scan(lambda h, _: (h + 1, h), h, None, length=0), drawn(4))


def test_a_counter_is_known():
    graph = agree(lambda x: lax.fori_loop(2, 9, lambda i, c: c * 0.9 + x[i] * i, x), drawn(9))
    assert loops(graph) == [7]


def test_a_loop_within_a_loop():
    def step(h, x):
        return lax.fori_loop(0, 6, lambda i, c: jnp.tanh(c + x * i), h), h

    agree(lambda h, xs: lax.scan(step, h, xs), drawn(4), drawn(5, 4))


def test_what_is_written_in_a_loop():
    agree(lambda x: lax.fori_loop(0, 6, lambda i, c: c.at[i].set(c[i - 1] + x[i]), jnp.zeros_like(x)), drawn(6, 2))


@pytest.mark.parametrize(
    "condition, step, trips",
    [
        (lambda i: i < 20, 3, 7),
        (lambda i: i <= 21, 3, 8),
        (lambda i: 20 > i, 4, 5),
        (lambda i: i != 24, 3, 8),
        (lambda i: i > -10, -2, 5),
        (lambda i: -10 <= i, -2, 6),
        (lambda i: i > 10, 1, 0),
    ],
)
def test_a_loop_whose_counter_is_compared(condition, step, trips):
    graph = agree(
        lambda x: lax.while_loop(lambda c: condition(c[0]), lambda c: (c[0] + step, jnp.sin(c[1])), (0, x)), drawn(3)
    )
    assert loops(graph) == ([trips] if trips > 4 else [])


def test_a_bound_that_is_carried():
    agree(lambda x: lax.while_loop(lambda c: c[0] < c[1], lambda c: (c[0] + 1, c[1], c[2] * 2), (0, 7, x)), drawn(3))


def test_a_loop_that_does_not_end():
    graph = gt.from_jax(lambda x: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] - 0, c[1] + 1), (0, x)), drawn(3))
    (refused,) = graph.unsupported()
    assert refused.operator == "while"


def test_a_known_branch():
    graph = agree(lambda x: lax.cond(True, jnp.sin, jnp.cos, x), drawn(3))
    assert [value.call for value in graph.calls] == ["sin"]
    agree(lambda x: lax.switch(7, [jnp.sin, jnp.cos, jnp.tanh], x), drawn(3))


@pytest.mark.parametrize("by", [1, -1])
def test_a_branch_that_is_not_known(by):
    branch = lambda x: (x.sin(), x > 0) if hasattr(x, "sin") else (jnp.sin(x), x > 0)
    other = lambda x: (x * 2, x < 0)
    agree(lambda x: lax.cond(x[0] > 0, branch, other, x), drawn(3) * by)


def test_branches_by_number():
    for n in (-3, 0, 1, 2, 9):
        agree(lambda n, x: lax.switch(n, [jnp.sin, jnp.cos, jnp.tanh], x), np.int32(n), drawn(3))


def test_a_body_that_is_not_covered():
    graph = gt.from_jax(lambda xs: lax.scan(lambda h, x: (lax.zeta(h, h) + x, h), xs[0], xs), drawn(9, 3))
    assert [each.operator for each in graph.unsupported()] == ["zeta", "scan"]


def test_map_and_associative_scan():
    agree(lambda x: lax.map(lambda row: row / row.sum(), x), drawn(6, 3))
    agree(lambda x: lax.associative_scan(jnp.add, x), drawn(7, 3))
    agree(jax.vmap(lambda r: lax.fori_loop(0, 5, lambda i, c: c * 0.5 + r[i], 0.0)), drawn(3, 6))
