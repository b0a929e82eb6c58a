"""Pools and convolutions, against sums over windows written in NumPy, SciPy's and each other."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from griotte.readers.operators import convolutions, windows
from griotte.readers.operators.calls import Unsupported
from numpy.lib.stride_tricks import sliding_window_view
from on_arrays import agree, floats, of_inputs
from scipy import signal

GIVEN = (
    ((2, 3, 11), windows.windows(1, 3, 2, 1)),
    ((2, 3, 9, 7), windows.windows(2, (3, 2), (2, 1), 1, (1, 2))),
    ((1, 2, 9, 7), windows.Window((3, 3), (2, 3), ((0, 1), (2, 0)), (1, 1))),
    ((1, 2, 5, 6, 7), windows.windows(3, 2, (1, 2, 3), (0, 1, 0), (2, 1, 2))),
    ((1, 1, 6), windows.Window((2,), (1,), ((3, 0),), (1,))),  # windows that meet none of x
)


def window_view(x: np.ndarray, given: windows.Window, fill: float) -> np.ndarray:
    """[n, c, windows.., elements of each]."""
    rank = len(given.sizes)
    x = np.pad(x, ((0, 0), (0, 0), *given.pads), constant_values=fill)
    view = sliding_window_view(x, given.reach, tuple(range(2, 2 + rank)))
    view = view[(slice(None), slice(None), *(slice(None, None, s) for s in given.stride))]
    view = view[(..., *(slice(None, None, d) for d in given.dilation))]
    return view.reshape(*view.shape[: 2 + rank], prod(given.sizes))


@pytest.mark.parametrize(("shape", "given"), GIVEN)
def test_pools_are_sums_of_windows(shape, given):
    x, rank = floats(*shape), len(given.sizes)
    agree(of_inputs(windows.max_pool, x, given), window_view(x, given, -np.inf).max(-1))
    agree(of_inputs(windows.sum_pool, x, given), window_view(x, given, 0).sum(-1))
    total, within = window_view(x, given, 0).sum(-1), window_view(np.ones_like(x), given, 0).sum(-1)
    with np.errstate(all="ignore"):
        agree(of_inputs(windows.avg_pool, x, given), total / within)
    agree(of_inputs(windows.avg_pool, x, given, given.pads), total / prod(given.sizes))
    squares = np.sqrt(window_view(x * x, given, 0).sum(-1))
    agree(of_inputs(windows.lp_pool, x, 2, given), squares)
    agree(of_inputs(windows.lp_pool, x, 3), np.cbrt((np.abs(x) ** 3).sum(tuple(range(2, 2 + rank)), keepdims=True)))


def test_a_pool_of_integers_has_the_least_beyond():
    x = np.arange(-5, 1, dtype=np.int32).reshape(1, 1, 6)
    given = windows.windows(1, 3, 1, 2)
    assert of_inputs(windows.max_pool, x, given).tolist() == [[[-5, -4, -3, -2, -1, 0, 0, 0]]]


@pytest.mark.parametrize(("shape", "given"), GIVEN[:4])
def test_places_are_those_of_the_largest(shape, given):
    x = floats(*shape)
    largest, places = of_inputs(windows.max_pool_places, x, given)
    assert np.array_equal(largest, window_view(x, given, -np.inf).max(-1))
    assert np.array_equal(x.ravel()[places], largest)
    back = of_inputs(windows.max_unpool, largest, places, shape)
    assert np.array_equal(back[back != 0], np.unique(places).size and x.ravel()[np.unique(places)])


def test_windows_that_are_rounded_up_begin_within_x_and_its_pads():
    assert windows.windows(1, 3, 2).rounded_up([8]).pads == ((0, 1),)
    assert windows.windows(1, 2, 3, 1).rounded_up([6]).pads == ((1, 1),)
    assert windows.windows(1, 1, 3).rounded_up([3]).counts([3]) == [1]  # the second would begin beyond x


def test_windows_have_a_bound():
    with pytest.raises(Unsupported, match="windows of 5000 elements"):
        of_inputs(windows.sum_pool, floats(1, 1, 6000), windows.windows(1, 5000))


def convolved(x: np.ndarray, w: np.ndarray, given: windows.Window, groups: int) -> np.ndarray:
    n, c = x.shape[0], x.shape[1] // groups
    view = window_view(x, given, 0)
    spatial = view.shape[2:-1]
    apart = view.reshape(n, groups, c, prod(spatial), -1)
    kernel = w.reshape(groups, -1, c, prod(given.sizes))
    return np.einsum("ngcpk,gock->ngop", apart, kernel).reshape(n, len(w), *spatial)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(("shape", "given"), GIVEN[:4])
def test_convolutions_are_sums_of_products(shape, given, groups):
    x = floats(shape[0], 4, *shape[2:])
    w, bias = floats(6, 4 // groups, *given.sizes), floats(6)
    expected = convolved(x, w, given, groups)
    wide = bias.reshape(6, *[1] * len(given.sizes))
    agree(of_inputs(convolutions.conv, x, w, bias, given, groups), expected + wide, 1e-4, 1e-4)
    half = of_inputs(convolutions.conv, x.astype(np.float16), w.astype(np.float16), None, given, groups)
    assert half.dtype == np.float16
    agree(half, expected, 2e-2, 2e-2)


def test_a_convolution_is_scipys_correlation():
    x, w = floats(9, 8), floats(3, 4)
    found = of_inputs(convolutions.conv, x[None, None], w[None, None], None, windows.windows(2, (3, 4)))
    agree(found[0, 0], signal.correlate(x, w, "valid"))


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(("shape", "given"), GIVEN[:4])
def test_a_transposed_convolution_is_the_transpose_of_one(shape, given, groups):
    """<conv(x), y> is <x, conv_transpose(y)>, of all x and y."""
    x, w = floats(1, 4, *shape[2:]), floats(6, 4 // groups, *given.sizes)
    forward = convolved(x, w, given, groups)
    y = floats(*forward.shape, seed=1)
    reached = [(n - 1) * s + r - a - b for n, s, r, (a, b) in zip(y.shape[2:], given.stride, given.reach, given.pads)]
    extra = [n - m for n, m in zip(x.shape[2:], reached)]
    found = of_inputs(convolutions.conv_transpose, y, w, None, given, extra, groups)
    assert found.shape == x.shape
    np.testing.assert_allclose((found * x).sum(), (forward * y).sum(), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("pads", [((-1, 2), (0, -1)), ((1, 0), (0, 1))])
def test_pads_of_a_transposed_convolution_are_cut_off(pads):
    x, w = floats(1, 2, 4, 5), floats(2, 3, 3, 2)
    given = windows.Window((3, 2), (2, 2), pads, (1, 1))
    whole = of_inputs(convolutions.conv_transpose, x, w, None, windows.windows(2, (3, 2), 2))
    (a, b), (c, d) = pads
    wide = np.pad(whole, ((0, 0), (0, 0), (3, 3), (3, 3)))
    expected = wide[:, :, 3 + a : wide.shape[2] - 3 - b, 3 + c : wide.shape[3] - 3 - d]
    agree(of_inputs(convolutions.conv_transpose, x, w, None, given), expected)


def test_columns_are_added_where_they_lie():
    sizes, given = (5, 6), windows.windows(2, (2, 3), (2, 1), (1, 0), (1, 2))
    counts = given.counts(sizes)
    x = floats(2, 3 * 6, prod(counts))
    expected = np.zeros((2, 3, 7, 6), np.float32)
    apart = x.reshape(2, 3, 2, 3, *counts)
    for i, j, r, c in product(range(2), range(3), *map(range, counts)):
        expected[:, :, i + 2 * r, 2 * j + c] += apart[:, :, i, j, r, c]
    agree(of_inputs(convolutions.col2im, x, sizes, given), expected[:, :, 1:6])
