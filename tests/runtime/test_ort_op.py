"""Operators for onnxruntime, called as it calls them."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.runtime.ort_op import library_of, source_of
from griotte.runtime.signature import numpy_dtype
from onnxruntime_double import Double, Refused

W = np.random.default_rng(0).standard_normal((16, 8), np.float32)


def model(f=lambda x: gt.relu(x @ W), shape=(4, 16), dtype="f32"):
    return gt.compile(gt.graph(f, gt.tensor(shape, dtype)), target="portable", table="none")


def weights_of(kernel) -> np.ndarray:
    """Its packed constants on a line, as onnxruntime has them."""
    room = np.empty(len(kernel.weights) + 64, np.uint8)
    start = -room.ctypes.data % 64
    room = room[start : start + len(kernel.weights)]
    room[:] = np.frombuffer(kernel.weights, np.uint8)
    return room


def dtypes_of(kernel) -> list[np.dtype]:
    return [numpy_dtype(arg.dtype) for arg in kernel.signature.outputs]


@pytest.mark.parametrize(
    ("f", "dtype"),
    [
        (lambda x: gt.relu(x @ W), "f32"),
        (lambda x: (x + x, gt.exp(x)), "bf16"),
        (lambda x: x.sum(), "f64"),
        (lambda x: x > 3, "u8"),
    ],
)
def test_it_gives_what_the_kernel_gives(f, dtype):
    kernel = model(f, dtype=dtype)
    x = np.random.default_rng(1).integers(0, 6, (4, 16)).astype(numpy_dtype(dtype))
    double = Double(str(library_of(kernel.library)))
    found = double([weights_of(kernel), x], dtypes_of(kernel))
    expected = kernel(x)
    for ours, theirs in zip(expected if isinstance(expected, tuple) else (expected,), found, strict=True):
        assert ours.shape == theirs.shape
        assert ours.tobytes() == theirs.tobytes()


def test_it_says_what_it_takes_and_gives():
    kernel = model(lambda x: (gt.relu(x @ W), x > 0))
    double = Double(str(library_of(kernel.library)))
    assert double.domain == f"griotte.{kernel.signature.function}"
    assert double.operator.version == 16
    assert [double.told("inputs"), double.told("outputs")] == [2, 2]
    assert [double.told("input_type", i) for i in range(2)] == [2, 1]  # bytes, f32
    assert [double.told("output_type", i) for i in range(2)] == [1, 9]  # f32, bool
    assert double.told("provider", restype=np.ctypeslib.ctypes.c_void_p) is None
    assert double.told("name", restype=np.ctypeslib.ctypes.c_char_p).decode() == kernel.signature.function


@pytest.mark.parametrize("shape", [(4, 15), (16, 4), (64,), (), (1, 4, 16)])
def test_other_sizes_are_refused_by_a_status(shape):
    kernel = model()
    double = Double(str(library_of(kernel.library)))
    with pytest.raises(Refused, match="expected the sizes that griotte_model_.* is compiled for, found others, for x"):
        double([weights_of(kernel), np.zeros(shape, np.float32)], dtypes_of(kernel))
    assert double.said[-1][0] == 2  # an invalid argument
    assert not double.shapes


def test_weights_that_begin_within_a_line_are_refused():
    kernel = model()
    double = Double(str(library_of(kernel.library)))
    room = np.empty(len(kernel.weights) + 128, np.uint8)
    start = -room.ctypes.data % 64 + 4
    with pytest.raises(Refused, match="expected packed weights that begin on a cache line"):
        double([room[start : start + len(kernel.weights)], np.zeros((4, 16), np.float32)], dtypes_of(kernel))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exp(f32[<=8])", "a size up to a bound"),
        ("exp(f32[4,8]{0,1})", "another layout"),
        ("neg(s4[4])", "another dtype"),
    ],
)
def test_what_onnxruntime_does_not_call_is_refused(text, words):
    library = gt.synthesize(text, target="portable", table="none").build()
    with pytest.raises(gt.SpecError, match=words):
        source_of(library)
