"""How a function is read: names, constants, what is refused, what errors say."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from jax_functions import agree, drawn, jax, jnp, lax, read

PLAIN = {"target": "portable", "table": "none", "effort": 1}


def calls(graph) -> list[str]:
    return [value.call for value in graph.calls]


def test_a_function_becomes_a_kernel():
    w1, w2 = drawn(8, 4), drawn(4, 2)
    f = lambda x: jax.nn.softmax(jnp.maximum(x @ w1, 0) @ w2)
    x = drawn(3, 8)
    kernel = gt.compile(read(f, x), **PLAIN)
    assert np.allclose(kernel(x), f(x), rtol=1e-5, atol=1e-6)


def test_inputs_and_results_have_the_names_of_the_function():
    def f(params, x, *, scale=2.0):
        return {"y": x @ params["w"][0] * scale, "z": (x, params["b"])}

    graph = gt.from_jax(f, {"w": [drawn(3, 2)], "b": np.float32(1)}, drawn(4, 3))
    assert [value.name for value in graph.inputs] == ["params_b", "params_w_0", "x"]
    assert list(graph.names) == ["y_y", "y_z_0", "y_z_1"]


def test_constants_are_jaxs_memory():
    w = jnp.asarray(drawn(64, 64))
    graph = read(lambda x: x @ w, drawn(3, 64))
    (held,) = (value.array for value in graph.constants if value.array.ndim == 2)
    assert held.__array_interface__["data"][0] == w.unsafe_buffer_pointer()


def test_equal_reads_of_a_constant_are_one():
    w = jnp.asarray(drawn(64, 64))
    graph = agree(lambda x: jax.jit(lambda x: x @ w)(x @ w), drawn(3, 64))
    assert sum(value.array.ndim == 2 for value in graph.constants) == 1


def test_what_follows_from_constants_is_known():
    w = jnp.asarray(drawn(8, 4))
    graph = agree(lambda x: x @ jnp.linalg.qr(w)[0].T + jax.random.normal(jax.random.key(0), (8,)), drawn(3, 4))
    assert calls(graph) == ["matmul", "add"]


def test_what_nothing_reads_is_left_out():
    assert calls(agree(lambda x: (lax.zeta(x, x), jnp.cos(x))[1], drawn(3))) == ["cos"]


def test_inputs_that_are_not_read_stay():
    graph = read(lambda x, y: y + 1, drawn(2), drawn(3))
    assert [value.type.shape for value in graph.inputs] == [(2,), (3,)]


@pytest.mark.parametrize(
    "wrap",
    [jax.jit, jax.checkpoint, jax.custom_jvp, jax.custom_vjp, jax.named_call],
    ids=["jit", "checkpoint", "custom_jvp", "custom_vjp", "named_call"],
)
def test_functions_within(wrap):
    inner = lambda x: jnp.sin(x) * 2
    wrapped = wrap(inner)
    if hasattr(wrapped, "defjvp"):
        wrapped.defjvp(lambda p, t: (inner(*p), t[0]))
    if hasattr(wrapped, "defvjp"):
        wrapped.defvjp(lambda x: (inner(x), None), lambda r, g: (g,))
    agree(lambda x: wrapped(x) + 1, drawn(3))


def test_derivatives_are_read_as_any_function():
    w = drawn(8, 4)
    agree(jax.grad(lambda x: jnp.tanh(x @ w).sum()), drawn(3, 8))


def test_numbers_of_python_are_inputs():
    graph = agree(lambda x, by: x * by, drawn(3), 2.5)
    assert [str(value.type) for value in graph.inputs] == ["f32[3]", "f32[]"]


def test_all_that_is_lacked_is_found_in_one_walk():
    graph = gt.from_jax(lambda x: (lax.zeta(x, x), jnp.exp(x), lax.polygamma(x, x) + 1), drawn(3))
    first, second = graph.unsupported()
    assert (first.operator, second.operator) == ("zeta", "polygamma") and "test_reader.py:" in first.name
    assert first.why == "no such function here" and len(graph.outputs) == 1
    with pytest.raises(gt.SpecError, match="expected operators that griotte has, found 2 nodes of others: zeta"):
        gt.compile(graph)


@pytest.mark.parametrize(
    "f, operator, why",
    [
        (lambda x: jnp.linalg.inv(x @ x.T), "lu", "matrices are not taken apart"),
        (lambda x: jax.random.normal(jax.random.key(x[0, 0].astype(np.int32)), (3,)), "random_seed", "by chance"),
        (lambda x: jnp.fft.fft(x).real, "convert_element_type", "complex64"),
        (lambda x: jax.pure_callback(np.sin, x, x), "pure_callback", "Python"),
        (lambda x: lax.while_loop(lambda c: c.sum() < 9, lambda c: c + 1, x), "while", "how often it runs"),
        (lambda x: lax.zeta(x, x), "zeta", "no such function"),
        (lambda x: lax.reduce(x, np.float32(0), lambda a, b: a + b * b, (0,)), "reduce", "joined"),
        (
            lambda x: lax.bitcast_convert_type(x.astype(np.int8), jnp.int4),
            "bitcast_convert_type",
            "expected dtype=u8 or s8",
        ),
    ],
)
def test_what_is_refused_is_named(f, operator, why):
    (refused, *_) = gt.from_jax(f, drawn(3, 3)).unsupported()
    assert refused.operator == operator and why in refused.why


def test_what_a_call_does_besides_is_refused():
    def f(x):
        jax.debug.print("{x}", x=x)
        return x + 1

    (refused,) = gt.from_jax(f, drawn(3)).unsupported()
    assert refused.operator == "debug_print" and "besides its results" in refused.why


def test_what_is_computed_is_bounded(monkeypatch):
    monkeypatch.setattr("griotte.readers.node.MOST_KNOWN", 1 << 10)
    with pytest.raises(gt.SpecError, match="that are computed while a model is read, found more, at .*test_reader"):
        gt.from_jax(lambda x: x + jnp.ones((1000,)).cumsum(), drawn(1000))


@pytest.mark.parametrize("given", [3, "model.py", drawn(2)])
def test_what_is_no_function(given):
    with pytest.raises(gt.SpecError, match="expected a function of arrays, found"):
        gt.from_jax(given, drawn(3))


def test_a_function_that_is_not_traced():
    with pytest.raises(gt.SpecError, match=r"expected a function that jax\.make_jaxpr traces, found TracerBool"):
        gt.from_jax(lambda x: x if x.sum() > 0 else -x, drawn(3))


def test_dtypes_that_are_lacked():
    (refused, *_) = gt.from_jax(lambda x: x.real, drawn(3).astype(np.complex64)).unsupported()
    assert refused.operator == "input" and "complex64" in refused.why


def test_floats_of_8_bits_are_stored():
    x = drawn(3, 4).astype(jnp.float8_e4m3fn)
    graph = read(lambda x: x.astype(np.float32) * 2, x)
    assert np.array_equal(interpret(graph, x)[0], x.astype(np.float32) * 2)
