"""The contestants of griotte bench compute what the kernel does."""

import griotte as gt
import numpy as np
import pytest
from griotte.lang.meaning.reference import empty_outputs
from griotte.lang.meaning.samples import whole_arrays
from griotte.machine import resolve
from griotte_peers import naive, numpy

TEXTS = (
    "matmul(f32[3,5], f32[5,4])",
    "sum(f32[3,5])",
    "transpose(bf16[3,5])",
    "conv2d(f32[2,4,7,6], f32[6,2,3,2], stride=(2,1), padding=(1,2), groups=2)",
    "conv2d(u8[1,3,5,5]{1,3,2,0}, s8[4,3,3,3])",
    "max_pool2d(f32[2,3,6,5], window=3, padding=1)",
    "max_pool2d(s8[1,2,4,4], window=2, padding=1)",
    "slice(f32[6,5], starts=(1,2), limits=(4,5))",
    "concat(f32[2,3], f32[2,4])",
    "concat(u8[2,3], u8[1,3], axis=0)",
    "take(f32[5,4], s32[3,2])",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("contestant", (numpy, naive))
def test_contestants_compute_the_spec(text, contestant):
    spec = gt.parse(text)
    arrays = whole_arrays(spec, np.random.default_rng(0))
    run, expected = contestant(spec, arrays, resolve("portable"), 1), gt.interpret(spec, *arrays)
    found = run()
    assert found is None or np.array_equal(
        np.asarray(found, np.float64).reshape(expected.shape), np.asarray(expected, np.float64)
    )


def test_a_scalar_is_written_to_an_array():
    assert isinstance(empty_outputs(gt.parse("sum(f32[3])")), np.ndarray)
