"""Loop nests around one leaf: right C, of the leaves that programs have."""

import cffi
import numpy as np
import pytest
from griotte.codegen import nests
from griotte.codegen.nests import LeafNest
from griotte.engine.leaves.reduce.measured import LYING, form_of
from griotte.machine import named, runs_here
from griotte.runtime.toolchain import compile_shared
from machines import machine

TARGET = named("native")


def kernel(name: str, target=TARGET):
    return next(k for k in target.kernels if k.name == name)


@pytest.mark.parametrize("lies", LYING)
@pytest.mark.parametrize("rows, vectors, steps", [(1, 1, 16), (2, 2, 16), (5, 1, 33), (1, 3, 9)])
def test_a_nest_is_the_product_of_its_arrays(lies, rows, vectors, steps):
    nest = LeafNest(kernel("multiply_add"), ("f32", "f32"), "f32", lies, rows, vectors, steps)
    rng = np.random.default_rng(0)
    m, n, k = nest.size(TARGET).values()
    x0 = rng.standard_normal((m, k), np.float32)
    x1 = rng.standard_normal((k, n), np.float32)
    y = np.full((m, n), np.nan, np.float32)
    stored = np.full((k, n + nests.APART), np.nan, np.float32) if lies == "split" else x1.copy()
    stored[:, :n] = x1
    ffi = cffi.FFI()
    ffi.cdef("void run(const float *, const float *, float *);")
    source = (
        nests.source([nest], TARGET) + "\nvoid run(const float *x0, const float *x1, float *y) { nest_0(x0, x1, y); }\n"
    )
    ffi.dlopen(str(compile_shared(source, TARGET.flags))).run(*(ffi.from_buffer("float *", a) for a in (x0, stored, y)))
    np.testing.assert_allclose(y, x0 @ x1, rtol=1e-4, atol=1e-4)
    assert nest.starts(TARGET)[-1] >= x0.nbytes + stored.nbytes + y.nbytes and all(
        start % 64 == 0 for start in nest.starts(TARGET)
    )


@pytest.mark.parametrize("name", ["avx512", "avx2", "portable", "narrow", "paired"])
@pytest.mark.parametrize("dtypes", [("f32", "f32", "f32"), ("bf16", "bf16", "f32"), ("u8", "s8", "s32")], ids=" ".join)
def test_its_leaf_has_the_form_that_it_is_called(name, dtypes):
    target = machine(name)
    for k in (k for k in target.kernels if k.form == "reduce" and not k.addresses):
        for lies in LYING:
            nest = LeafNest(k, dtypes[:2], dtypes[2], lies, 1, 1, 16)
            if nest.fits(target):
                assert form_of(k, "n", nest.leaf(target)[0]) == nest.form and nest.program(target).cost > 0


def test_tiles_that_the_registers_do_not_hold_do_not_fit():
    target = machine("avx2")
    assert [
        rows
        for rows in range(1, 12)
        if LeafNest(kernel("multiply_add", target), ("f32", "f32"), "f32", "panel", rows, 2, 16).fits(target)
    ] == [1, 2, 3, 4, 5, 6]
    assert not LeafNest(kernel("multiply_add", target), ("s32", "s32"), "s32", "panel", 1, 1, 16).fits(target)


def test_the_digest_is_of_the_c_that_is_emitted():
    target, forms = machine("avx2"), ["multiply_add f32 f32 f32 panel", "multiply_add f32 f32 f32 split"]
    assert nests.digest(forms, target) == nests.digest(forms, target) != nests.digest(forms[:1], target)
    assert nests.digest(forms, target) != nests.digest(forms, machine("avx512"))
    assert nests.sample("no_such_kernel f32 f32 f32 panel", target) is None


@pytest.mark.skipif(not runs_here(machine("avx512")), reason="needs the instructions")
def test_kernels_that_eat_groups_are_written_too():
    target = machine("avx512")
    asked = [
        LeafNest(kernel("dot_u8s8", target), ("u8", "s8"), "s32", "panel", 2, 2, 16),
        LeafNest(kernel("dot_bf16", target), ("bf16", "bf16"), "f32", "rows", 2, 2, 16),
    ]
    assert all(nest.fits(target) for nest in asked)
    compile_shared(nests.source(asked, target), target.flags)
