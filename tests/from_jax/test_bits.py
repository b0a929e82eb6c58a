"""Floats by their bits beside XLA: other dtypes, neighbours, the order of all floats."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from jax_functions import agree, agree_by_text, jax, jnp, lax, read, results
from jax_tables import FLOATS

ODD = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 1e-5, -1e-5, 3e38, -3e38, 1e-45, -1e-45]


def odd(dtype, seed: int = 0) -> np.ndarray:
    """NaN of both signs, zeros of both, infinities, the ends of a format and its least: several, in no order."""
    with np.errstate(over="ignore"):
        found = np.array(ODD * 3).astype(dtype)
    return np.random.default_rng(seed).permutation(found).reshape(3, -1)


def same_bits(found, wanted) -> None:
    assert len(found) == len(wanted)
    for one, other in zip(found, map(np.asarray, wanted)):
        assert (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())


@pytest.mark.parametrize(
    "given, wanted",
    [
        ("float32", "int32"),
        ("uint32", "float32"),
        ("bfloat16", "float16"),
        ("float16", "uint16"),
        ("int32", "uint32"),
        ("float32", "uint8"),
        ("int8", "float16"),
        ("uint16", "float32"),
    ],
)
def test_the_bits_of_another_dtype(given: str, wanted: str):
    x = np.random.default_rng(0).integers(0, 256, (3, 8), np.uint8).view(jnp.dtype(given)).reshape(3, -1, 2)
    f = lambda x: lax.bitcast_convert_type(x, jnp.dtype(wanted))
    for graph in (read(f, x), agree_by_text(f, x)):
        same_bits(results(graph, (x,)), [jax.jit(f)(x)])


def test_the_bits_of_another_dtype_between_other_calls():
    agree(
        lambda x: lax.bitcast_convert_type(lax.bitcast_convert_type(x * 2, np.int32) & -65536, np.float32) + 1, odd("f")
    )


@pytest.mark.parametrize("dtype", FLOATS[:2])
def test_neighbours(dtype):
    """To the bit as NumPy has them, but for the sign of 0; XLA takes a denormal number and 0 for equal."""
    x, y = odd(dtype), odd(dtype, 1)
    (found,) = results(agree(lax.nextafter, x, y), (x, y))
    with np.errstate(over="ignore"):
        wanted = np.nextafter(x, y)
    are_sure = ~np.isnan(wanted) & (wanted != 0)
    same_bits([found[are_sure]], [wanted[are_sure]])
    agree(lambda x: lax.nextafter(x, np.asarray(np.inf, dtype)), x)
    agree_by_text(lax.nextafter, x, y)


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_largest_of_all_floats(dtype):
    """By their bits: of NaN those with a sign are the least."""
    x, f = odd(dtype), lambda x: lax.top_k(x, 9)
    for graph in (read(f, x), agree_by_text(f, x)):
        same_bits(results(graph, (x,)), jax.jit(f)(x))


def test_the_kernel_orders_all_floats():
    x, f = odd(np.float32), lambda x: lax.top_k(x, 9)
    graph = read(f, x)
    for target in ("portable", "native"):
        same_bits(gt.compile(graph, target, table="none")(x), interpret(graph, x))


def test_comparisons_in_the_order_of_all_floats():
    x, y = odd(np.float32), odd(np.float32, 1)
    for compared in (lax.eq_to_p, lax.le_to_p, lax.lt_to_p):
        agree(compared.bind, x, y)
        agree_by_text(compared.bind, x, y)
        agree(compared.bind, x.view(np.int32), y.view(np.int32))
