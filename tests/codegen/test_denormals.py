"""Denormals within a call: kept, or zeros; the control register is as it was afterwards."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models import GraphBuilder
from griotte.runtime import load

TINY = np.finfo(np.float32).tiny  # the least that is no denormal
HALF = np.float32(TINY / 2)


def is_kept_here() -> bool:
    """Whether this thread keeps denormals."""
    return float(np.multiply(np.full(64, TINY, np.float32), np.float32(0.5))[0]) == float(HALF)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("target", ["native", "portable"])
def test_results_are_flushed_within_a_call(target: str, threads: int) -> None:
    x = np.full((700, 700), TINY, np.float32)
    program = gt.synthesize("mul(f32[700,700], 0.5)", target, threads)
    assert (program.compile()(x) == HALF).all()
    flushing = program.compile(denormals="flush")
    assert (flushing(x) == 0).all()
    assert is_kept_here()


def test_operands_are_flushed_too() -> None:
    x = np.full(100, HALF, np.float32)
    kernel = gt.compile("mul(f32[100], 4)", denormals="flush")
    assert (kernel(x) == 0).all()
    assert (gt.compile("mul(f32[100], 4)")(x) == 2 * TINY).all()


def test_a_kernel_that_is_saved_flushes(tmp_path) -> None:
    program = gt.synthesize("mul(f32[100], 0.5)")
    program.save(tmp_path / "k", denormals="flush")
    kernel = load(tmp_path / "k")
    assert (kernel(np.full(100, TINY, np.float32)) == 0).all()
    assert is_kept_here()


def test_a_size_that_is_dynamic_leaves_the_register_as_it_was() -> None:
    kernel = gt.compile("mul(f32[<=40,8], 0.5)", denormals="flush")
    assert (kernel(np.full((13, 8), TINY, np.float32)) == 0).all()
    assert is_kept_here()


def test_models_flush() -> None:
    b = GraphBuilder()
    x = b.input(gt.tensor((4, 300)), "x")
    graph = b.graph({"y": b.call("mul", x, 0.5)})
    array = np.full((4, 300), TINY, np.float32)
    assert (gt.compile(graph)(array) == HALF).all()
    assert (gt.compile(graph, denormals="flush")(array) == 0).all()
    assert is_kept_here()


def test_other_words_are_refused() -> None:
    with pytest.raises(gt.SpecError, match="expected keep or flush for denormals, found 'zero'; write one of them"):
        gt.compile("exp(f32[8])", denormals="zero")
