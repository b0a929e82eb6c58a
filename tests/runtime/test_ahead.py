"""Constants packed ahead of the call: by `bind`, once; by a call, each time; by C programs, from the saved files."""

import subprocess

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from griotte.engine.program.nodes import of_call
from griotte.lang.meaning.samples import random_arrays
from griotte.runtime import load
from griotte.runtime.compilers import find_compiler

TEXT = "matmul(f32[6,5], const f32[5,300]{0,1})"  # no vector lies along five elements: each machine packs the constant
DYNAMIC = TEXT.replace("[6,", "[<=6,")


@pytest.fixture(scope="module", params=(1, 2))
def program(request):
    found = gt.synthesize(TEXT, threads=request.param, table="none")
    assert of_call(found.root)[0][0].copy is not None
    return found


@pytest.fixture
def arrays(program):
    return random_arrays(program.spec, np.random.default_rng(0))


def assert_right(program, arrays, y):
    agrees(program.spec, arrays, y)


def test_a_call_packs_and_so_does_bind_once(program, arrays):
    kernel, (x, w) = program.compile(), arrays
    fixed, out = kernel.bind(None, w), np.empty((6, 300), np.float32)
    whole, before = kernel.bind(x, w, out=out), kernel(x, w)
    assert_right(program, arrays, before)
    assert fixed(x).tobytes() == before.tobytes() == whole().tobytes()
    w[...] = 0
    assert fixed(x).tobytes() == before.tobytes() == whole().tobytes()
    assert not kernel(x, w).any()


def test_it_is_saved_and_loaded(program, arrays, tmp_path):
    kernel, (x, w) = program.compile(), arrays
    packing = kernel.signature.inputs[1].packing
    assert packing.function == f"{program.function}_pack_x1" and packing.bytes >= 4 * 5 * 300
    again = load(kernel.save(tmp_path / "k"))
    assert again.signature == kernel.signature
    assert again.bind(None, w)(x).tobytes() == kernel(x, w).tobytes()


MAIN = """
#include "kernel.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    float *x = malloc(@_X0_BYTES), *w = malloc(@_X1_BYTES), *y = malloc(@_Y_BYTES);
    void *packed = malloc(@_X1_PACKED_BYTES);
    for (int i = 0; i < 6 * 5; i++) x[i] = i % 7;
    for (int i = 0; i < 5 * 300; i++) w[i] = i % 5;
    $_pack_x1(w, packed);
    free(w);
    $($$$x, packed, y);
    for (int i = 0; i < 6 * 300; i++) printf("%g\\n", y[i]);
    return 0;
}
"""


@pytest.mark.parametrize("text", (TEXT, DYNAMIC))
def test_a_c_program_packs_by_the_header(text, tmp_path):
    kernel = gt.compile(text, table="none")
    folder, name = kernel.save(tmp_path / "k"), kernel.signature.function
    (folder / "main.c").write_text(
        MAIN.replace("$$$", "6, " if "<=" in text else "").replace("$", name).replace("@", name.upper())
    )
    subprocess.run(
        [*find_compiler().command, "-Wall", "-Werror", "main.c", "./kernel.so", "-o", "main"], cwd=folder, check=True
    )
    done = subprocess.run(["./main"], cwd=folder, check=True, capture_output=True, text=True)
    x = (np.arange(6 * 5) % 7).astype(np.float32).reshape(6, 5)
    w = (np.arange(5 * 300) % 5).astype(np.float32).reshape(300, 5).T
    assert np.array_equal(np.array(done.stdout.split(), np.float32).reshape(6, 300), x @ w)


@pytest.mark.parametrize("threads", (1, 2))
def test_a_dynamic_kernel_packs_once_for_all_sizes(threads):
    kernel = gt.compile(DYNAMIC, threads=threads, table="none")
    x, w = random_arrays(gt.parse(TEXT), np.random.default_rng(1))
    fixed, expected = kernel.bind(None, w), x @ w
    copy = w.copy(order="F")
    w[...] = 0
    for m in (1, 6, 4):
        assert np.allclose(fixed(x[:m]), expected[:m], rtol=1e-4, atol=1e-4)
        assert kernel(x[:m], copy).tobytes() == fixed(x[:m]).tobytes()
