"""What programs of models are asked as those of Specs are: saved, packed, written for other threads."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from features import skip_without
from griotte.models import GraphBuilder
from griotte.runtime import load
from griotte.runtime.model import kernel_of, packed

X = np.random.default_rng(0).random((64, 256), np.float32)
W = np.random.default_rng(1).random((256, 256), np.float32)


@pytest.fixture(scope="module")
def program():
    b = GraphBuilder()
    x = b.input(gt.tensor(X.shape), "x")
    graph = b.graph({"y": b.call("relu", b.call("matmul", x, b.constant(W)))})
    found = gt.synthesize(graph, "portable", threads=2, table="none", effort=1)
    skip_without(found.target.features)
    return found


def test_it_is_saved_with_its_constants_and_a_package(program, tmp_path):
    folder = program.save(tmp_path, name="m", cmake=True, weights="inside")
    assert {"model.bin", "kernel.so", "libm.a", "m.hpp", "mConfig.cmake"} <= {path.name for path in folder.iterdir()}
    assert np.allclose(load(folder)(X), np.maximum(X @ W, 0), rtol=1e-4)


def test_its_threads_may_be_those_of_openmp(program):
    library = program.build("openmp")
    assert library.build.more == ("-fopenmp",) and "#pragma omp" in library.source
    assert np.allclose(kernel_of(library, packed(library, program.arrays()))(X), program.compile()(X))


def test_what_it_cannot_be_is_told(program, tmp_path):
    with pytest.raises(gt.SpecError, match="expected a Spec that one search covers to draw, found a model"):
        program.to_picture(tmp_path / "m.svg")
    with pytest.raises(gt.SpecError, match="expected no weights for a kernel of a Spec, found 'inside'"):
        gt.synthesize("exp(f32[8])", "portable").save(tmp_path, weights="inside")
