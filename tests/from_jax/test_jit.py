"""`griotte.jax.jit`: what it takes, what it leaves to XLA, and what it says of that."""

from __future__ import annotations

import griotte as gt
import griotte.jax
import numpy as np
import pytest
from jax_functions import drawn, jax, jnp, lax, require_near

PLAIN = {"target": "portable", "table": "none", "effort": 1}


def mlp(params, x, *, scale=1.0, how="softmax"):
    hidden = jnp.maximum(x @ params["w1"], 0) @ params["w2"]
    return {"y": jax.nn.softmax(hidden) * scale if how == "softmax" else hidden, "sum": hidden.sum()}


PARAMS = {"w1": drawn(8, 6), "w2": drawn(6, 4, seed=1)}


def agree(fast, plain, *args, **named):
    found, wanted = fast(*args, **named), plain(*args, **named)
    assert jax.tree_util.tree_structure(found) == jax.tree_util.tree_structure(wanted)
    for one, other in zip(jax.tree_util.tree_leaves(found), jax.tree_util.tree_leaves(wanted)):
        require_near(one, other, str(plain))


def taken(fast) -> list[bool]:
    return [row.taken for row in fast.rows]


def test_trees_keywords_and_static_arguments():
    fast = griotte.jax.jit(mlp, static_argnames=("how",), **PLAIN)
    agree(fast, mlp, PARAMS, drawn(3, 8))
    agree(fast, mlp, PARAMS, drawn(3, 8), scale=2.0)
    agree(fast, mlp, PARAMS, drawn(3, 8), how="none", scale=3.0)
    agree(fast, mlp, PARAMS, drawn(3, 8), scale=4.0)
    assert taken(fast) == [True] * 3


def test_as_a_decorator_of_a_method():
    class Model:
        @griotte.jax.jit(static_argnums=0, **PLAIN)
        def __call__(self, x):
            return jnp.sin(x)

    assert np.allclose(Model()(drawn(3)), np.sin(drawn(3)), rtol=1e-5)


def test_gradients_are_those_of_the_plain_function():
    fast = griotte.jax.jit(mlp, **PLAIN)
    loss = lambda f: lambda params, x: f(params, x)["y"][:, 0].sum()
    agree(jax.grad(loss(fast), (0, 1)), jax.grad(loss(mlp), (0, 1)), PARAMS, drawn(3, 8))
    agree(jax.jit(jax.value_and_grad(loss(fast))), jax.value_and_grad(loss(mlp)), PARAMS, drawn(3, 8))
    tangent = (jax.tree_util.tree_map(jnp.ones_like, PARAMS), jnp.ones((3, 8)))
    agree(*(lambda p, x, f=f: jax.jvp(f, (p, x), tangent) for f in (fast, mlp)), PARAMS, drawn(3, 8))


def test_gradients_of_integers_beside():
    f = lambda x, n: jnp.take(x, n, 0) * 2
    fast = griotte.jax.jit(f, **PLAIN)
    n = np.array([1, 0], np.int32)
    agree(*(jax.grad(lambda x, n, f=f: f(x, n).sum()) for f in (fast, f)), drawn(3, 2), n)


def test_second_derivatives_and_those_of_batches():
    f = lambda x: (jnp.tanh(x) ** 2).sum()
    fast = griotte.jax.jit(f, **PLAIN)
    agree(jax.hessian(fast), jax.hessian(f), drawn(4))
    agree(jax.vmap(jax.grad(fast)), jax.vmap(jax.grad(f)), drawn(3, 4))
    agree(jax.grad(lambda x: jax.vmap(fast)(x).sum()), jax.grad(lambda x: jax.vmap(f)(x).sum()), drawn(3, 4))


def test_a_batch_is_a_kernel_of_its_own():
    fast = griotte.jax.jit(mlp, **PLAIN)
    agree(jax.vmap(fast, (None, 0)), jax.vmap(mlp, (None, 0)), PARAMS, drawn(5, 3, 8))
    agree(jax.vmap(fast, (None, 2)), jax.vmap(mlp, (None, 2)), PARAMS, drawn(3, 8, 5))
    assert taken(fast) == [True] * len(fast.rows) and "[5, 3, 8]" in fast.rows[1].arguments


def test_values_of_a_function_around_it():
    x = drawn(3, 8)
    inner = lambda w: griotte.jax.jit(lambda x: jnp.tanh(x @ w), **PLAIN)
    plain = lambda w: jnp.tanh(x @ w).sum()
    agree(jax.grad(lambda w: inner(w)(x).sum()), jax.grad(plain), drawn(8, 4))
    agree(jax.jit(lambda w: inner(w)(x).sum()), plain, drawn(8, 4))


def test_what_griotte_lacks_is_xlas():
    f = lambda x: lax.zeta(jnp.exp(x), x)
    fast = griotte.jax.jit(f, **PLAIN)
    agree(fast, f, drawn(3))
    agree(fast, f, drawn(3))
    (row,) = (row for row in gt.report() if row in fast.rows)
    assert not row.taken and "zeta" in row.why and "test_jit.py" in row.why and ": XLA: " in str(row)


def test_arrays_without_elements():
    f = lambda x, y: (x.sum(0) + y, y * 2)
    fast = griotte.jax.jit(f, **PLAIN)
    agree(fast, f, np.zeros((0, 3), np.float32), drawn(3))
    agree(griotte.jax.jit(lambda x: x * 2, **PLAIN), lambda x: x * 2, np.zeros((0, 3), np.float32))


def test_a_result_that_is_an_argument():
    f = lambda x, y: (x, y, 3, x + y)
    fast = griotte.jax.jit(f, **PLAIN)
    agree(fast, jax.jit(f), drawn(3), drawn(3, seed=1))


def test_within_another_that_is_read():
    inner = griotte.jax.jit(jnp.sin, **PLAIN)
    graph = gt.from_jax(lambda x: inner(x) + 1, drawn(3))
    assert [value.call for value in graph.calls] == ["sin", "add"] and not inner.rows
    outer = griotte.jax.jit(lambda x: inner(x) * 2, **PLAIN)
    agree(outer, lambda x: jnp.sin(x) * 2, drawn(3))
    assert not inner.rows and taken(outer) == [True]


def test_a_race_is_told():
    fast = griotte.jax.jit(mlp, measure=True, **PLAIN)
    agree(fast, mlp, PARAMS, drawn(3, 8))
    (row,) = fast.rows
    assert row.kernel_us > 0 and row.plain_us > 0 and row.taken == (row.kernel_us <= row.plain_us)


def test_lowered_as_any_jitted_function():
    text = griotte.jax.jit(mlp, **PLAIN).lower(PARAMS, drawn(3, 8)).as_text()
    assert "custom_call @griotte_kernel" in text


def test_calls_in_loops_and_branches():
    inner = griotte.jax.jit(lambda x: jnp.tanh(x) * 2, **PLAIN)
    plain = lambda x: jnp.tanh(x) * 2
    scanned = lambda f: jax.jit(lambda x: lax.scan(lambda c, _: (f(c), c), x, None, length=5))
    agree(scanned(inner), scanned(plain), drawn(3))
    agree(*(jax.jit(lambda x, f=f: lax.cond(x[0] > 0, f, jnp.cos, x)) for f in (inner, plain)), drawn(3))


def test_what_is_no_function():
    with pytest.raises(gt.SpecError, match="expected a function of arrays, found int"):
        griotte.jax.jit(3)


WEAKLY_TYPED = {
    "known numbers": lambda s, x, i, b: jnp.where(x > 0, 1.0, 0.0),
    "known integers": lambda s, x, i, b: jnp.where(x > 0, 1, 0),
    "a scaled integer": lambda s, x, i, b: i * 2.5,
    "an argument": lambda s, x, i, b: s,
    "what is made of an argument": lambda s, x, i, b: s + 1,
    "a scaled bf16": lambda s, x, i, b: b * 2.5,
    "a product with bf16": lambda s, x, i, b: jnp.where(x > 0, 1.0, 0.0) * b,
    "a sum": lambda s, x, i, b: jnp.where(x > 0, 1.0, 0.0).sum(),
}


def test_results_are_as_weakly_typed_as_jaxs_and_promote_alike():
    args = 2.0, jnp.float32([1, -2, 3]), jnp.int32([1, -2, 3]), jnp.bfloat16([1.5, 2, 3])
    all_of_them = lambda *given: [each(*given) for each in WEAKLY_TYPED.values()]
    fast, plain = griotte.jax.jit(all_of_them, **PLAIN), jax.jit(all_of_them)
    for name, found, wanted in zip(WEAKLY_TYPED, fast(*args), plain(*args), strict=True):
        assert (found.dtype, found.weak_type) == (wanted.dtype, wanted.weak_type), name
        for other in (jnp.bfloat16(3), jnp.int8(3)):
            assert (found * other).dtype == (wanted * other).dtype, name
    batched = jax.vmap(fast, in_axes=(None, 0, 0, 0))(*args)
    assert [each.weak_type for each in batched] == [
        each.weak_type for each in jax.vmap(plain, in_axes=(None, 0, 0, 0))(*args)
    ]
    assert all(taken(fast))


def test_windows_padded_with_what_is_not_finite_are_read_with_a_fresh_table():
    least = lambda x: lax.reduce_window(x, np.inf, lax.min, (3,), (1,), "SAME")
    agree(griotte.jax.jit(least, **PLAIN), jax.jit(least), drawn(7))
