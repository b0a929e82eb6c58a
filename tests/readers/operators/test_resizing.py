"""Arrays of another size, against NumPy's interpolation along each axis, and samples, against SciPy's."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from griotte.readers.operators.calls import Unsupported
from griotte.readers.operators.resizing import Interpolation, grid_sample, ratio, resize
from on_arrays import agree, floats, of_inputs
from scipy.ndimage import map_coordinates

SHAPES = (((2, 3, 5, 7), (2, 3, 9, 4)), ((3, 8), (3, 5)), ((1, 2, 3, 4, 5), (1, 2, 5, 3, 7)))


def places(n: int, m: int, coordinates: str) -> np.ndarray:
    at = np.arange(m)
    if coordinates == "align_corners":
        return at * (n - 1) / (m - 1)
    return at * n / m if coordinates == "asymmetric" else (at + 0.5) * n / m - 0.5


def along(x: np.ndarray, axis: int, matrix: np.ndarray) -> np.ndarray:
    return np.moveaxis(np.tensordot(matrix, x, (1, axis)), 0, axis)


@pytest.mark.parametrize("coordinates", ["half_pixel", "asymmetric", "align_corners"])
@pytest.mark.parametrize(("shape", "sizes"), SHAPES)
def test_linear_is_numpys_interpolation(shape, sizes, coordinates):
    x = expected = floats(*shape)
    for axis, (n, m) in enumerate(zip(shape, sizes)):
        if n != m:
            at = places(n, m, coordinates)
            expected = along(expected, axis, np.stack([np.interp(at, range(n), row) for row in np.eye(n)], 1))
    agree(of_inputs(resize, x, sizes, Interpolation("linear", coordinates)), expected)


@pytest.mark.parametrize(("rounding", "by"), [("floor", np.floor), ("ceil", np.ceil), ("round_prefer_ceil", None)])
@pytest.mark.parametrize(("shape", "sizes"), SHAPES)
def test_nearest_is_an_element(shape, sizes, rounding, by):
    x = expected = floats(*shape)
    by = by or (lambda at: np.floor(at + 0.5))
    for axis, (n, m) in enumerate(zip(shape, sizes)):
        at = np.clip(by(places(n, m, "half_pixel").round(9)), 0, n - 1).astype(int)
        expected = np.take(expected, at, axis)
    assert np.array_equal(of_inputs(resize, x, sizes, Interpolation("nearest", "half_pixel", rounding)), expected)


@pytest.mark.parametrize("exclude_outside", [False, True])
def test_cubic_weights_are_keys(exclude_outside):
    def kernel(d):
        d, a = abs(d), -0.75
        near, far = (a + 2) * d**3 - (a + 3) * d**2 + 1, a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a
        return near if d <= 1 else far if d < 2 else 0.0

    x = floats(3, 6)
    matrix = np.zeros((11, 6))
    for j, at in enumerate(places(6, 11, "half_pixel")):
        for i in range(int(np.floor(at)) - 1, int(np.floor(at)) + 3):
            if not exclude_outside or 0 <= i < 6:
                matrix[j, min(max(i, 0), 5)] += kernel(at - i)
    matrix /= matrix.sum(1, keepdims=True)
    how = Interpolation("cubic", exclude_outside=exclude_outside)
    agree(of_inputs(resize, x, (3, 11), how), x @ matrix.T)


def test_antialiasing_takes_means():
    x = floats(2, 12)
    wide = np.maximum(0, 1 - np.abs(places(12, 4, "half_pixel")[:, None] - np.arange(-3, 15)) / 3)
    matrix = wide[:, 3:-3] + wide[:, :3].sum(1, keepdims=True) * np.eye(12)[0]  # what is beyond is the edge
    matrix = (matrix + wide[:, -3:].sum(1, keepdims=True) * np.eye(12)[11]) / wide.sum(1, keepdims=True)
    agree(of_inputs(resize, x, (2, 4), Interpolation("linear", antialias=True)), x @ matrix.T)


def test_regions_have_a_number_beyond():
    how = Interpolation("linear", "tf_crop_and_resize", regions={1: (-0.5, 1.0)}, beyond=9.0)
    found = of_inputs(resize, np.arange(5, dtype=np.float32)[None], (1, 4), how)
    agree(found, np.array([[9, 0, 2, 4]]))


def test_a_ratio_is_of_small_numbers():
    assert ratio(float(np.float32(5 / 3))) == Fraction(5, 3)
    assert ratio(0.7133731) == Fraction(0.7133731)
    for wrong in (0.0, float("inf"), float("nan")):
        with pytest.raises(Unsupported, match="a scale of"):
            ratio(wrong)


@pytest.mark.parametrize("aligned", [False, True])
@pytest.mark.parametrize("edge", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("sizes", [(5, 7), (3, 4, 5)])
def test_samples_are_scipys(sizes, mode, edge, aligned):
    x = floats(2, 3, *sizes)
    grid = np.random.default_rng(1).uniform(-1.4, 1.4, (2, 6, *[2] * (len(sizes) - 1), len(sizes))).astype(np.float32)
    beyond = {"zeros": "constant", "border": "nearest", "reflection": "mirror" if aligned else "reflect"}[edge]
    size = np.array(sizes)
    at = grid[..., ::-1].astype(np.float64)
    at = (at + 1) / 2 * (size - 1) if aligned else ((at + 1) * size - 1) / 2
    if mode == "nearest" and edge == "zeros":
        at = np.round(at)  # SciPy has zeros from beyond the last element on, not from half-way on
    if mode == "linear" and edge == "zeros":
        x, at = np.pad(x, [(0, 0), (0, 0), *[(3, 3)] * len(sizes)]), at + 3
    order = 0 if mode == "nearest" else 1
    own = lambda n, c: map_coordinates(x[n, c], np.moveaxis(at[n], -1, 0), order=order, mode=beyond)
    expected = np.array([[own(n, c) for c in range(3)] for n in range(2)])
    x = x[(..., *[slice(3, -3)] * len(sizes))] if mode == "linear" and edge == "zeros" else x
    agree(of_inputs(grid_sample, x, grid, mode, edge, aligned), expected, 1e-4, 1e-4)


def test_cubic_samples_at_elements_are_these():
    x = floats(1, 2, 4, 5)
    rows, columns = np.meshgrid(np.linspace(-1, 1, 4), np.linspace(-1, 1, 5), indexing="ij")
    grid = np.stack([columns, rows], -1)[None].astype(np.float32)
    agree(of_inputs(grid_sample, x, grid, "cubic", "border", True), x)
