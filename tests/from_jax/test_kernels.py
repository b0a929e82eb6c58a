"""Kernels as functions of JAX's arrays."""

from __future__ import annotations

import os
import subprocess
import sys

import griotte as gt
import numpy as np
import pytest
from door_kernels import PLAIN, exp_kernel, several_kernel
from griotte.models import GraphBuilder
from jax_functions import drawn, jax, jnp


@pytest.fixture(scope="module")
def exp():
    return exp_kernel().jax()


@pytest.fixture(scope="module")
def several():
    return several_kernel().jax()


def test_a_kernel_takes_and_gives_arrays(exp):
    x = drawn(3, 4)
    for given in (x, jnp.asarray(x)):
        assert np.allclose(exp(given), np.exp(x), rtol=1e-6) and isinstance(exp(given), jax.Array)


def test_a_model_has_its_constants(several):
    x = drawn(2, 3)
    y, z = several(x)
    assert np.array_equal(y, x + np.arange(3, dtype=np.float32)) and np.array_equal(z, np.asarray(y).max(1))


def test_within_jit(exp, several):
    x = drawn(3, 4)
    assert np.allclose(jax.jit(lambda x: exp(x * 2) + 1)(x), np.exp(x * 2) + 1, rtol=1e-6)
    found = jax.jit(lambda x: several(x)[1].sum())(drawn(2, 3))
    assert np.allclose(found, (drawn(2, 3) + np.arange(3)).max(1).sum(), rtol=1e-6)


def test_arrays_are_not_copied(exp):
    text = jax.jit(exp).lower(drawn(3, 4)).compile().as_text()
    assert "custom-call" in text and "copy" not in text


def test_batches_run_one_by_one(exp):
    x = drawn(5, 3, 4)
    assert np.allclose(jax.vmap(exp)(x), np.exp(x), rtol=1e-6)
    assert np.allclose(jax.vmap(exp, 1)(x.transpose(1, 0, 2)), np.exp(x), rtol=1e-6)


def test_layouts_are_xlas():
    kernel = gt.compile("copy(f32[3,4]{0,1}) -> f32[3,4]{0,1}", **PLAIN).jax()
    x = drawn(3, 4)
    assert np.array_equal(kernel(x), x) and np.array_equal(jax.jit(lambda x: kernel(x.T) + 1)(x.T.copy()), x + 1)


def test_types_are_told_without_a_call(several):
    y, z = jax.eval_shape(several, drawn(2, 3))
    assert (y.shape, z.shape) == ((2, 3), (2,))


def test_donated_arrays():
    kernel = gt.compile("add(f32[3,4], f32[3,4])", **PLAIN).jax()
    x = jnp.asarray(drawn(3, 4))
    found = jax.jit(lambda x: kernel(x, x), donate_argnums=0)(x)
    assert np.allclose(found, 2 * drawn(3, 4))


def test_floats_that_numpy_lacks():
    x = drawn(4, dtype=jnp.bfloat16)
    found = gt.compile("add(bf16[4], bf16[4])", **PLAIN).jax()(x, x)
    assert found.dtype == jnp.bfloat16 and np.array_equal(found, x * 2)


def test_numbers_are_scalars():
    kernel = gt.compile("mul(f32[3], f32[])", **PLAIN).jax()
    x = drawn(3)
    assert np.allclose(kernel(x, 2.5), x * 2.5) and np.allclose(jax.jit(kernel)(x, 2), x * 2)


def test_more_arguments_than_the_least_handler_passes():
    builder = GraphBuilder()
    inputs = [builder.input(gt.tensor((2,)), f"x{n}") for n in range(20)]
    total = inputs[0]
    for each in inputs[1:]:
        total = builder.call("add", total, each)
    kernel = gt.compile(builder.graph({"y": total}), effort=1, **PLAIN).jax()
    arrays = [drawn(2, seed=n) for n in range(20)]
    assert np.allclose(kernel(*arrays), sum(arrays), rtol=1e-5)


@pytest.mark.parametrize(
    "given", [drawn(4, 3), drawn(3, 4).astype(np.int32), drawn(12)], ids=["shape", "dtype", "rank"]
)
def test_what_does_not_fit_is_told(exp, given):
    with pytest.raises(gt.SpecError, match=r"expected f32\[3,4\] as input 1 .*; cast or reshape it"):
        exp(given)


def test_a_wrong_number_of_arrays(exp):
    with pytest.raises(gt.SpecError, match="expected 1 arrays, found 2"):
        exp(drawn(3, 4), drawn(3, 4))


def test_wide_numbers_are_asked_for():
    kernel = gt.compile("exp(f64[3])", **PLAIN).jax()
    with pytest.raises(gt.SpecError, match="expected jax_enable_x64 to be set"):
        kernel(np.zeros(3))
    with jax.enable_x64(True):
        assert np.allclose(kernel(np.arange(3.0)), np.exp(np.arange(3.0)), rtol=1e-12)


def test_a_size_that_is_open_is_refused():
    kernel = gt.compile("exp(f32[<=8,4])", **PLAIN)
    with pytest.raises(gt.SpecError, match="expected fixed sizes and no packed constants"):
        kernel.jax()


def test_a_program_of_another_process_is_refused(exp):
    x = drawn(3, 4)
    stale = jax.ffi.ffi_call("griotte_kernel_16", jax.ShapeDtypeStruct((3, 4), np.float32))
    exp(x)
    for key in (5 << 16, (5 << 16) + 65535):
        with pytest.raises(Exception, match="expected a kernel of this process, found none; trace the function anew"):
            jax.block_until_ready(stale(x, kernel=np.int64(key)))
    with pytest.raises(Exception, match="expected one attribute"):
        jax.block_until_ready(stale(x))


def test_gradients_are_refused(exp):
    with pytest.raises(ValueError, match="cannot be differentiated"):
        jax.grad(lambda x: exp(x).sum())(drawn(3, 4))


def test_arrays_that_are_shared_out_are_refused():
    code = """
import jax, numpy as np, griotte as gt, griotte.jax
from jax.sharding import NamedSharding, PartitionSpec
mesh = jax.make_mesh((2,), ("d",))
x = jax.device_put(np.zeros((4, 2), np.float32), NamedSharding(mesh, PartitionSpec("d")))
for call in (gt.compile("exp(f32[4,2])", target="portable", table="none").jax(), griotte.jax.jit(lambda x: x + 1)):
    try:
        call(x)
    except gt.SpecError as error:
        print("expected an array on one CPU device, found one that" in str(error))
"""
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2"}

    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | flags, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "True"]
