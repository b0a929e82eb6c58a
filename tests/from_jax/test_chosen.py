"""What goes with the largest element of each window, beside XLA: derivatives of pools."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from jax_functions import agree, agree_by_text, drawn, jax, jnp, lax


def pooled(x, least=-np.inf, join=lax.max, window=(2, 3), stride=(1, 2), padding="SAME"):
    return lax.reduce_window(x, np.asarray(least, x.dtype), join, window, stride, padding)


def gradient(**how):
    return jax.grad(lambda x: (pooled(x, **how) ** 2).sum())


POOLS = {
    "largest": {},
    "smallest": {"least": np.inf, "join": lax.min},
    "side by side": {"window": (2, 2), "stride": (2, 2), "padding": "VALID"},
    "apart": {"window": (1, 2), "stride": (2, 3), "padding": "VALID"},
}


@pytest.mark.parametrize("name", POOLS)
def test_derivatives_of_pools(name: str):
    """Of equal elements, and of infinite ones, the first of a window has it."""
    x = np.round(drawn(7, 9))
    x[2:4, 3:6], x[5] = -np.inf, np.inf
    agree(gradient(**POOLS[name]), x)
    agree_by_text(gradient(**POOLS[name]), x)


@pytest.mark.parametrize("name", POOLS)
def test_their_derivatives(name: str):
    x = drawn(7, 9)
    agree(lambda x, t: jax.jvp(lambda x: pooled(x, **POOLS[name]), (x,), (t,)), x, drawn(7, 9, seed=1))


def test_narrow_floats():
    agree(gradient(), drawn(6, 6, dtype=jnp.bfloat16))


def test_the_kernel_gives_what_the_graph_means():
    x = drawn(8, 24)
    f = gradient(window=(1, 3), stride=(1, 2))
    graph = agree(f, x)
    np.testing.assert_allclose(gt.compile(graph, table="none")(x), interpret(graph, x)[0], rtol=1e-6, atol=1e-6)


def test_arrays_that_are_joined_side_by_side():
    join = lambda a, b: (lax.max(a[0], b[0]), lax.add(a[1], b[1]))
    f = lambda x, n: lax.reduce((x, n), (np.float32(0.5), np.int32(3)), join, (1,))
    agree(f, drawn(3, 5), drawn(3, 5, dtype=np.int32))
    agree_by_text(f, drawn(3, 5), drawn(3, 5, dtype=np.int32))
