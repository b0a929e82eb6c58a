"""Everyday functions, small: what is traced of each is what NumPy gives, and a few of their kernels are."""

from __future__ import annotations

import sys
from pathlib import Path

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
from everyday import EVERY

OF = {each.name: each for each in EVERY}
COMPILED = ("softmax_regression", "rolling_mean", "covariance", "top_class")


def alike(found, wanted):
    for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, wanted)), strict=True):
        assert one.shape == other.shape and one.dtype == other.dtype
        np.testing.assert_allclose(one, other, 2e-4, 2e-4)


@pytest.mark.parametrize("name", OF)
def test_the_graph_is_the_function(name):
    each = OF[name]
    arrays = each.inputs(12)
    found = interpret(gt.graph(each.function, *arrays), *arrays)
    wanted = each.function(*arrays)
    alike(found if isinstance(wanted, tuple) else found[0], wanted)


@pytest.mark.parametrize("name", COMPILED)
def test_the_kernel_is_the_function(name):
    each = OF[name]
    arrays = each.inputs(12)
    alike(gt.jit(target="portable", table="none")(each.function)(*arrays), each.function(*arrays))


def test_there_are_thirty():
    assert len(OF) >= 30


EXTREMES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


@pytest.mark.parametrize("dtype", EXTREMES, ids=lambda d: d.__name__)
def test_whole_quotients_and_what_they_leave_are_numpys_at_the_ends_of_a_dtype_and_by_0(dtype):
    ends = np.iinfo(dtype)
    some = {ends.min, ends.min + 1, 0, 1, 2, 7, ends.max // 2, ends.max} | ({-1, -2, -7} if ends.min else set())
    x, y = (
        np.array(each, dtype).ravel()
        for each in np.meshgrid(np.array(sorted(some), dtype), np.array(sorted(some), dtype))
    )

    def divided(x, y):
        return x // y, x % y, np.fmod(x, y), x // dtype(7), dtype(100) // y, x % dtype(3)

    with np.errstate(all="ignore"):
        for found, wanted in zip(gt.jit(divided)(x, y), divided(x, y)):
            assert np.array_equal(found, wanted), (found, wanted)
