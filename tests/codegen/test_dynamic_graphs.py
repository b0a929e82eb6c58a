"""Graphs of a dynamic size: one kernel, every size up to the bound."""

import griotte as gt
import numpy as np
import pytest
from griotte.spec import compare, random_arrays

GRAPHS = (
    "softmax(f32[<=11,33])",
    "gelu(add(matmul(f32[<=9,7], const f32[7,19]), f32[19]))",
    "layer_norm(f32[<=9,13], f32[13], f32[13])",
    "attention(f32[<=5,2,7,8], f32[<=5,2,9,8], f32[<=5,2,9,6])",
    "concat(f32[<=4,5], f32[<=4,7], axis=1)",
)


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize("text", GRAPHS)
def test_every_size_is_right(text, threads):
    spec = gt.parse(text)
    kernel = gt.compile(spec, "portable", threads, table="none")
    for n in range(1, spec.dynamic.bound + 1):
        one = spec.at(n)
        arrays = random_arrays(one, np.random.default_rng(n))
        _, ok, complaint = compare(one, arrays, kernel(*arrays))
        assert ok, (n, complaint)


def test_a_size_that_is_summed_over_is_refused():
    with pytest.raises(gt.SpecError, match="sums or reduces over"):
        gt.parse("softmax(f32[<=8,4], axis=0)")
