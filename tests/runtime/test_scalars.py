"""Inputs of rank 0 take numbers; results of rank 0 are arrays of rank 0."""

import functools

import griotte as gt
import ml_dtypes
import numpy as np
import pytest
from griotte.lang.types.dtypes import DTYPES, as_scalar
from griotte.support.errors import SpecError

SCALED = "add(mul(f32[4], f32[]), bf16[])"
X = np.array([1, 2, 3, 4], np.float32)


@functools.cache
def kernel_of(text):
    return gt.compile(text, "portable", table="none")


def doors(text):
    """A kernel, and the reference."""
    return kernel_of(text), lambda *arrays: gt.interpret(text, *arrays)


@pytest.mark.parametrize("door", [0, 1])
@pytest.mark.parametrize("two", [2, 2.0, np.float32(2), np.float64(2), np.int8(2), np.float16(2),
                                 ml_dtypes.bfloat16(2), np.array(2, np.float32)])  # fmt: skip
@pytest.mark.parametrize("half", [0.5, np.float64(0.5), ml_dtypes.bfloat16(0.5), np.array(0.5, ml_dtypes.bfloat16)])
def test_numbers_of_every_kind_are_taken(door, two, half):
    assert (doors(SCALED)[door](X, two, half) == 2 * X + 0.5).all()


@pytest.mark.parametrize("door", [0, 1])
@pytest.mark.parametrize("wrong, message", [
    (1e300, r"expected a number that f32 holds, found 1e\+300, for input"),
    (10**400, "expected a number that f32 holds, found 1000"),
    ("1", "found str"),
    (1j, "found complex"),
    (np.array(2.0), "expected dtype f32"),
    (np.array([2], np.float32), "expected shape"),
])  # fmt: skip
def test_what_is_no_such_number_is_refused(door, wrong, message):
    with pytest.raises(SpecError, match=message) as caught:
        doors(SCALED)[door](X, wrong, 0)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("door", [0, 1])
@pytest.mark.parametrize("wrong", [300, 3.5, np.int16(-129), np.float32(1)])
def test_integers_take_whole_numbers_of_their_range(door, wrong):
    with pytest.raises(SpecError, match="expected a number that s8 holds"):
        doors("mul(s8[], s8[])")[door](wrong, 1)
    assert doors("mul(s8[], s8[])")[door](-128, True) == -128


@pytest.mark.parametrize("name", DTYPES)
def test_a_scalar_of_any_dtype_is_itself(name):
    one = np.ones((), DTYPES[name].numpy)
    for given in (one[()], 1, True):
        found = as_scalar(given, name, "x")
        assert found.dtype == one.dtype and found.shape == () and found == one


def test_numbers_are_rounded_once():
    """To bf16 by way of f32 this is 1, half way between two, to even; at once it is the number above."""
    assert as_scalar(1 + 2**-8 + 2**-40, "bf16", "x") == ml_dtypes.bfloat16(1 + 2**-7)
    assert np.isinf(as_scalar(float("inf"), "f16", "x")) and np.isnan(as_scalar(float("nan"), "f16", "x"))


@pytest.mark.parametrize(
    "text, arrays", [("sum(f32[4])", (X,)), ("exp(f32[])", (0,)), ("mul(exp(f32[]), max(f32[4]))", (0, X))]
)
def test_results_of_rank_0_are_arrays(text, arrays):
    for door in doors(text):
        found = door(*arrays)
        assert type(found) is np.ndarray and found.shape == () and found.dtype == np.float32
    out = np.empty((), np.float32)
    assert kernel_of(text)(*arrays, out=out) is out and out == found
    with pytest.raises(SpecError, match="found float"):
        kernel_of(text)(*arrays, out=1.0)


def test_bound_and_dynamic_kernels_take_numbers():
    kernel, out = kernel_of(SCALED), np.empty(4, np.float32)
    assert (kernel.bind(None, 2, 0.5)(X) == 2 * X + 0.5).all()
    assert (kernel.bind(X, 2, 0.5, out=out)() == 2 * X + 0.5).all()
    many = np.empty((3, 4), np.float32)
    kernel.bind_many(X, [1, 2.0, np.float32(3)], 0.5, out=many)()
    assert (many == np.array([[1], [2], [3]]) * X + 0.5).all()
    dynamic = kernel_of("mul(f32[<=8,4], f32[])")
    for n in (0, 1, 5):
        rows = np.ones((n, 4), np.float32)
        assert (dynamic(rows, 3) == 3 * rows).all() and (dynamic.bind(None, 3)(rows) == 3 * rows).all()
        assert (gt.interpret("mul(f32[<=8,4], f32[])", rows, 3) == 3 * rows).all()
