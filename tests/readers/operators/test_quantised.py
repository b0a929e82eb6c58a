"""Integers that stand for floats, against NumPy's wide integers and floats."""

from __future__ import annotations

import numpy as np
import pytest
from griotte.readers.operators import quantised
from griotte.readers.operators.calls import Unsupported
from on_arrays import agree, floats, of_inputs

DRAWN = np.random.default_rng(0)


def whole(dtype, *shape: int) -> np.ndarray:
    limits = np.iinfo(dtype)
    return DRAWN.integers(limits.min, limits.max, shape, dtype, endpoint=True)


@pytest.mark.parametrize("zeros", ["none", "one", "rows"])
@pytest.mark.parametrize(("one", "other"), [(np.uint8, np.int8), (np.int8, np.int8), (np.uint8, np.uint8)])
def test_products_are_exact(one, other, zeros):
    x, y, bias = whole(one, 3, 7), whole(other, 7, 5), whole(np.int16, 5).astype(np.int32)
    sizes = {"none": None, "one": (1, 1), "rows": (3, 5)}[zeros]
    given = [] if sizes is None else [whole(one, sizes[0]), whole(other, sizes[1])]
    of = lambda x, y, bias, *zeros: quantised.integer_product(x, y, *(zeros or (None, None)), bias)
    wide = lambda t: t.astype(np.int64)
    row, column = map(wide, given or (np.zeros(1), np.zeros(1)))
    expected = (wide(x) - row[:, None]) @ (wide(y) - column) + bias
    assert np.array_equal(of_inputs(of, x, y, bias, *given), expected)


def test_known_zeros_of_nothing_are_left_out():
    x, y = whole(np.uint8, 2, 3), whole(np.int8, 3, 2)
    found = of_inputs(lambda x, y: quantised.integer_product(x, y, x.of(np.zeros(2, np.uint8))), x, y)
    assert np.array_equal(found, x.astype(int) @ y.astype(int))


def test_vectors_have_no_zeros():
    with pytest.raises(Unsupported, match="vectors with zeros"):
        of_inputs(quantised.integer_product, whole(np.int8, 3), whole(np.int8, 3, 2), whole(np.int8, 1))


def test_floats_are_rounded_and_back():
    x, scale, zero = floats(4, 5), np.array([0.02], np.float32), np.array([7], np.uint8)
    expected = np.clip(np.rint(x / scale) + 7, 0, 255).astype(np.uint8)
    found = of_inputs(quantised.quantize, x, scale, zero, zero)
    assert found.dtype == np.uint8 and np.array_equal(found, expected)
    agree(of_inputs(quantised.dequantize, found, scale, zero), (expected.astype(np.float32) - 7) * scale)
    with pytest.raises(Unsupported, match=r"\[2\] scales or zeros"):
        of_inputs(quantised.dequantize, found, np.ones(2, np.float32))


def test_sums_have_the_product_of_scales():
    sums, one, other, bias = whole(np.int16, 3, 4).astype(np.int32), floats(1), floats(4), floats(4, seed=1)
    agree(of_inputs(quantised.dequantized_sums, sums, one, other, bias), sums * one * other + bias, 1e-4, 1e-4)


@pytest.mark.parametrize("x", [floats(4, 5), np.abs(floats(7)) + 1, -np.abs(floats(3)) - 1, np.zeros(3, np.float32)])
def test_a_range_of_bytes_holds_0(x):
    found, scale, zero = of_inputs(quantised.as_u8, x)
    span = max(x.max(), 0) - min(x.min(), 0)
    agree(scale, span / 255 if span else 1.0)
    agree((found.astype(np.float64) - zero) * scale, x.astype(np.float64), 0, float(scale) * 0.51)
