"""Kernels as functions of JAX: called by XLA, within what it compiles too."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the package jax is not installed")
jnp = jax.numpy
W = np.random.default_rng(0).standard_normal((16, 8), np.float32)


def kernel(text):
    return gt.compile(text, target="portable", table="none")


def model(f=lambda x: (gt.relu(x @ W), x + 1), threads=1):
    return gt.compile(gt.graph(f, gt.tensor((4, 16), "f32")), "portable", threads, "none")


def test_a_kernel_is_called_within_jit():
    exp = kernel("exp(f32[2,3])").jax()
    x = np.arange(6, dtype=np.float32).reshape(2, 3) / 4
    np.testing.assert_allclose(jax.jit(lambda x: exp(x * 2) + 1)(x), np.exp(x * 2) + 1, rtol=1e-6)
    np.testing.assert_allclose(exp(jnp.asarray(x)), np.exp(x), rtol=1e-6)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_model_with_its_constants_gives_a_tuple(threads):
    call = model(threads=threads).jax()
    x = np.random.default_rng(1).standard_normal((4, 16), np.float32)
    y, z = jax.jit(call)(x)
    np.testing.assert_allclose(y, np.maximum(x @ W, 0), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(z, x + 1)


def test_two_models_of_one_graph_keep_their_own_constants():
    calls = [model(lambda x, c=c: x + np.full(16, c, np.float32)).jax() for c in (1, 2)]
    x = np.zeros((4, 16), np.float32)
    assert [float(jax.jit(call)(x)[0, 0]) for call in calls] == [1, 2]


@pytest.mark.parametrize(
    ("text", "dtype"),
    [("add(bf16[4], bf16[4])", "bfloat16"), ("add(s32[4], s32[4])", "int32"), ("add(f16[4], f16[4])", "float16")],
)
def test_dtypes(text, dtype):
    ones = jnp.ones(4, dtype)
    found = kernel(text).jax()(ones, ones)
    assert found.dtype == dtype and found.tolist() == [2] * 4


def test_arrays_lie_as_the_kernel_reads_them():
    call = kernel("transpose(f32[4,6]{0,1}, perm=(1,0))").jax()
    x = np.random.default_rng(2).standard_normal((4, 6), np.float32)
    assert np.array_equal(jax.jit(call)(x), x.T)


def test_vmap_calls_it_for_each():
    exp = kernel("exp(f32[2])").jax()
    np.testing.assert_allclose(jax.vmap(exp)(jnp.zeros((3, 2))), np.ones((3, 2)))


def test_it_is_told_without_being_run():
    shape = jax.eval_shape(model().jax(), jax.ShapeDtypeStruct((4, 16), "float32"))
    assert [(each.shape, each.dtype.name) for each in shape] == [((4, 8), "float32"), ((4, 16), "float32")]


@pytest.mark.parametrize("wrong", [np.zeros(3, np.float32), np.zeros(2, np.int32), np.zeros((1, 2), np.float32)])
def test_what_does_not_fit_is_refused_where_it_is_traced(wrong):
    exp = kernel("exp(f32[2])").jax()
    with pytest.raises(gt.SpecError, match=r"expected f32\[2\] as input x0 of griotte_exp_"):
        jax.jit(exp)(wrong)
    with pytest.raises(gt.SpecError, match="expected 1 arrays for griotte_exp"):
        exp(wrong, wrong)


def test_a_derivative_is_refused_by_name():
    exp = kernel("exp(f32[2])").jax()
    with pytest.raises(ValueError, match="cannot be differentiated"):
        jax.grad(lambda x: exp(x).sum())(jnp.zeros(2))


@pytest.mark.parametrize("text", ["exp(f32[<=8])", "matmul(f32[4,64], const f32[64,48])"])
def test_sizes_up_to_a_bound_and_packed_constants_are_refused(text):
    with pytest.raises(gt.SpecError, match="expected fixed sizes and no packed constants"):
        gt.compile(text, target="avx2" if "const" in text else "portable", table="none").jax()
