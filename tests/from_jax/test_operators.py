"""JAX's primitives beside XLA, by the language's reference: many of them in one function."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from jax_functions import agree, agree_all, agree_by_text, drawn, jax, jnp, lax
from jax_tables import (
    BINARY,
    BITS,
    CONVOLUTIONS,
    FLOATS,
    INTEGERS,
    MOVING,
    PLACES,
    PRODUCTS,
    REDUCED,
    UNARY,
    WINDOWS,
    convolved,
    windowed,
)
from named import named


@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_of_one_element(dtype):
    agree_all(UNARY, drawn(3, 5, dtype=dtype))


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_two_operands(dtype):
    agree_all(BINARY, drawn(4, 5, dtype=dtype), drawn(4, 5, dtype=dtype, seed=1))


def test_two_floats():
    table = {
        "atan2": lax.atan2,
        "atan2 of infinities": lambda x, y: lax.atan2(x * jnp.inf, y * jnp.inf),
        "pow": lambda x, y: lax.pow(jnp.abs(x), y),
        "pow of a whole": lambda x, y: lax.pow(x, (y * 2).astype(np.int32)),
        "hypot": jnp.hypot,
        "logaddexp": jnp.logaddexp,
        "arctan2 on axes": lambda x, y: jnp.arctan2(*((t * 2).astype(np.int32).astype(np.float32) for t in (x, y))),
    }
    agree_all(table, drawn(4, 5), drawn(4, 5, seed=1))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bits(dtype):
    limits = np.iinfo(dtype)
    x = np.random.default_rng(0).integers(limits.min, limits.max, (6, 7), dtype, endpoint=True)
    x[0, :3] = limits.min, limits.max, 0
    y = np.random.default_rng(1).integers(0, 40, (6, 7)).astype(dtype)
    agree_all(BITS, x, y)


def test_conditions():
    table = {
        "and": lax.bitwise_and,
        "or": lax.bitwise_or,
        "xor": lax.bitwise_xor,
        "not": lambda p, q: lax.bitwise_not(p),
        **named(lax, "eq ne lt le max min"),
        "select": lambda p, q: lax.select(p, q, p),
        "all": lambda p, q: p.all(1),
        "any": lambda p, q: p.any(),
        "parity": lambda p, q: lax.reduce_xor(p, (0,)),
        "count": lambda p, q: p.sum(0),
        "to f32": lambda p, q: p.astype(np.float32),
        "concatenate": lambda p, q: lax.concatenate([p, q], 0),
        "pad": lambda p, q: lax.pad(p, True, [(1, 0, 1), (0, 1, 0)]),
        "argmax": lambda p, q: jnp.argmax(p, 1),
        "sort": lambda p, q: jnp.sort(p, 1),
        "set": lambda p, q: p.at[1].set(q[0]),
        "take": lambda p, q: p[jnp.argmax(q, 0), 0],
    }
    agree_all(table, drawn(4, 5, dtype=bool), drawn(4, 5, dtype=bool, seed=1))


def test_what_is_no_number():
    table = {
        **named(lax, "max min eq ne"),
        "sign": lambda x, y: lax.sign(x),
        "argmax": lambda x, y: lax.argmax(x, 0, np.int32),
        "argmin": lambda x, y: lax.argmin(x, 0, np.int32),
        "reduce_max": lambda x, y: lax.reduce_max(x, (0,)),
        "reduce_min": lambda x, y: lax.reduce_min(x, (0,)),
        "sort": lambda x, y: jnp.sort(x),
        "cummax": lambda x, y: lax.cummax(x),
        "to s32": lambda x, y: x.astype(np.int32),
        "to u8": lambda x, y: x.astype(np.uint8),
        "clamp": lambda x, y: lax.clamp(np.float32(-1), x, np.float32(1)),
        "round": lambda x, y: lax.round(x),
        "relu": lambda x, y: jax.nn.relu(x),
        "max of -inf": lambda x, y: lax.max(x, np.float32(-np.inf)),
    }
    x = np.array([1, np.nan, -2, np.inf, -np.inf, 0, 2.5, 1e20], np.float32)
    y = np.array([np.nan, 1, 3, -np.inf, -np.inf, -1, 0.5, 300], np.float32)
    agree_all(table, x, y)


def test_cases_by_number():
    which = np.array([[0, 2, 1], [1, 0, 2]], np.int32)
    agree(lambda n, x: lax.select_n(n, x, x * 2, -x), which, drawn(2, 3))
    agree(lambda n, x: lax.select_n(n, x, x * 2, -x), np.int32(2), drawn(2, 3))


def test_moves():
    agree_all(MOVING, drawn(4, 5))


@pytest.mark.parametrize("dtype", FLOATS)
def test_reductions(dtype):
    agree_all(
        REDUCED if dtype == np.float32 else {k: v for k, v in REDUCED.items() if "reduce" not in k},
        drawn(3, 4, 6, dtype=dtype),
    )


def test_an_order_by_two_keys():
    keys = np.random.default_rng(0).integers(0, 3, (4, 20)).astype(np.int32)
    table = {
        "last axis": lambda x, y: lax.sort((x, y, x + 2 * y), num_keys=2),
        "first axis": lambda x, y: lax.sort((y, x), dimension=0, num_keys=2),
        "order": lambda x, y: jnp.lexsort((x, y)),
    }
    agree_all(table, keys, keys[::-1, ::-1].copy())


def test_arrays_without_elements():
    agree_all(
        {
            "sum": lambda x, y: x.sum(0) + y,
            "itself": lambda x, y: x * 2,
            "joined": lambda x, y: jnp.concatenate([x[:, 0], y]),
        },
        np.zeros((0, 3), np.float32),
        drawn(3),
    )


def test_sorted_pairs():
    keys = np.array([[3, 1, 3, 2], [0, 0, 1, 0]], np.int32)
    agree(lambda k, x: lax.sort((k, x), dimension=1, num_keys=1), keys, drawn(2, 4))


@pytest.mark.parametrize("dtype", [*FLOATS, np.int32])
def test_products(dtype):
    table = dict(PRODUCTS)
    if dtype == np.int32:
        table.pop("wide")
    agree_all(table, drawn(2, 3, 4, dtype=dtype), drawn(2, 4, 5, dtype=dtype, seed=1))


def test_products_of_small_integers():
    x, y = (np.random.default_rng(n).integers(-128, 128, (4, 4)).astype(np.int8) for n in range(2))
    table = {
        "wide": lambda x, y: lax.dot(x, y, preferred_element_type=np.int32),
        "wrapped": lax.dot,
        "unsigned": lambda x, y: lax.dot(x.astype(np.uint8), y.astype(np.uint8)),
        "conditions": lambda x, y: lax.dot(x > 0, y > 0),
    }
    agree_all(table, x, y)


@pytest.mark.parametrize("dtype", [np.float32, jnp.bfloat16])
def test_convolutions(dtype):
    agree_all(CONVOLUTIONS, drawn(2, 5, 6, 4, dtype=dtype), drawn(3, 3, 4, 4, dtype=dtype, seed=1))


def test_convolutions_of_integers():
    x, w = drawn(2, 5, 6, 4, dtype=np.int8), drawn(3, 3, 4, 4, dtype=np.int8, seed=1)
    agree_all({"wide": lambda x, w: convolved(x, w, preferred_element_type=np.int32), "narrow": convolved}, x, w)


@pytest.mark.parametrize("dtype", FLOATS)
def test_windows(dtype):
    agree_all(WINDOWS, drawn(2, 5, 6, 4, dtype=dtype))


def test_windows_of_integers():
    table = {
        "max": lambda x: windowed(x, np.iinfo(x.dtype).min, lax.max, (1, 2, 2), (1, 1, 2), "SAME"),
        "sum": lambda x: windowed(x, 0, lax.add, (1, 2, 2), (1, 1, 2), "SAME"),
    }
    for dtype in (np.int32, np.uint8):
        agree_all(table, drawn(2, 5, 6, dtype=dtype))


def test_places():
    agree_all(PLACES, drawn(3, 4, 5), np.array([2, 0, 1], np.int32))


def test_places_of_narrow_floats_and_integers():
    few = {name: PLACES[name] for name in ("take filled", "set columns", "add", "max", "along an axis", "update")}
    for dtype in (jnp.bfloat16, np.int32, np.uint8):
        agree_all(few, drawn(3, 4, 5, dtype=dtype), np.array([2, 0, 1], np.int32))


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
def test_derivatives_of_these_derivatives(name: str):
    x = drawn(7, 9)
    agree(lambda x, t: jax.jvp(lambda x: pooled(x, **POOLS[name]), (x,), (t,)), x, drawn(7, 9, seed=1))


def test_derivatives_of_narrow_floats():
    agree(gradient(), drawn(6, 6, dtype=jnp.bfloat16))


def test_the_kernel_of_a_derivative_gives_what_its_graph_means():
    x = drawn(8, 24)
    f = gradient(window=(1, 3), stride=(1, 2))
    graph = agree(f, x)
    np.testing.assert_allclose(gt.compile(graph, table="none")(x), interpret(graph, x)[0], rtol=1e-6, atol=1e-6)


def test_arrays_that_are_joined_side_by_side():
    join = lambda a, b: (lax.max(a[0], b[0]), lax.add(a[1], b[1]))
    f = lambda x, n: lax.reduce((x, n), (np.float32(0.5), np.int32(3)), join, (1,))
    agree(f, drawn(3, 5), drawn(3, 5, dtype=np.int32))
    agree_by_text(f, drawn(3, 5), drawn(3, 5, dtype=np.int32))
