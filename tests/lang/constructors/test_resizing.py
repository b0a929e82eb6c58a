"""resize: ONNX's formulas in plain NumPy, for the sizes and scales that networks have."""

import griotte as gt
import numpy as np
import pytest
from checked import check
from griotte.support.errors import SpecError


def places(size, result, coordinates, scale=None):
    scale, j = scale or result / size, np.arange(result)
    if coordinates == "align_corners":
        return j * (size - 1) / (result - 1) if result > 1 else 0.0 * j
    if coordinates == "asymmetric":
        return j / scale
    if coordinates == "pytorch_half_pixel" and result == 1:
        return 0.0 * j
    return (j + 0.5) / scale - 0.5


ROUND = {
    "floor": np.floor,
    "ceil": np.ceil,
    "round_prefer_floor": lambda at: np.ceil(at - 0.5),
    "round_prefer_ceil": lambda at: np.floor(at + 0.5),
}


def nearest(x, size, coordinates="half_pixel", rounding="round_prefer_floor"):
    for axis, n in zip((2, 3), size):
        at = np.round(places(x.shape[axis], n, coordinates), 9)
        x = np.take(x, np.clip(ROUND[rounding](at), 0, x.shape[axis] - 1).astype(int), axis)
    return x


def linear(x, size, coordinates="half_pixel", scales=(None, None)):
    for axis, n, scale in zip((2, 3), size, scales):
        at = np.clip(places(x.shape[axis], n, coordinates, scale), 0, x.shape[axis] - 1)
        low = np.floor(at).astype(int)
        share = (at - low).reshape((-1, 1) if axis == 2 else (-1,))
        x = np.take(x, low, axis) * (1 - share) + np.take(x, np.minimum(low + 1, x.shape[axis] - 1), axis) * share
    return x


@pytest.mark.parametrize("size", [(10, 14), (3, 9), (5, 1), (15, 4)])
@pytest.mark.parametrize("coordinates, rounding", [
    ("half_pixel", "round_prefer_floor"), ("asymmetric", "floor"), ("align_corners", "round_prefer_ceil"),
    ("pytorch_half_pixel", "ceil"),
])  # fmt: skip
def test_the_nearest_is_onnxs(size, coordinates, rounding):
    spec = gt.resize(gt.tensor((2, 3, 5, 7)), size, "nearest", coordinates, rounding)
    assert gt.parse(str(spec)) == spec
    x = np.random.default_rng(0).standard_normal((2, 3, 5, 7)).astype(np.float32)
    assert np.array_equal(gt.interpret(spec, x), nearest(x, size, coordinates, rounding))


@pytest.mark.parametrize("size", [(10, 14), (3, 9), (5, 1), (15, 4), (5, 7)])
@pytest.mark.parametrize("coordinates", ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])
def test_what_lies_between_is_onnxs(size, coordinates):
    spec = gt.resize(gt.tensor((2, 3, 5, 7), "f64"), size, "linear", coordinates)
    assert gt.parse(str(spec)) == spec
    x = np.random.default_rng(0).standard_normal((2, 3, 5, 7))
    np.testing.assert_allclose(gt.interpret(spec, x), linear(x, size, coordinates), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "text, meaning",
    [
        ("resize(f32[1,2,3,5], size=(6,15), mode=nearest, coordinates=asymmetric, rounding=floor)",
         lambda x: x.repeat(2, 2).repeat(3, 3)),
        ("resize(s8[1,2,6,9], size=(3,3), mode=nearest, coordinates=asymmetric, rounding=floor)",
         lambda x: x[:, :, ::2, ::3]),
        ("resize(bf16[1,2,6,9], size=(7,5), mode=nearest)", lambda x: nearest(x, (7, 5))),
        ("resize(f64[1,2,6,9], size=(12,22), mode=linear, scales=(2,2.5))",
         lambda x: linear(x, (12, 22), scales=(2, 2.5))),
    ],
)  # fmt: skip
def test_it_compiles(text, meaning):
    check(text, meaning, 1e-9, kinds=(False,))


def test_what_is_infinite_stays_where_it_is():
    check("resize(f32[1,2,6,3], size=(12,3), mode=linear)")


@pytest.mark.parametrize(
    "text, message",
    [
        ("resize(f32[1,2,6,9], size=(7,5), mode=cubic)", "resize expects mode of nearest linear, found cubic"),
        ("resize(f32[1,2,6,9], size=(7,5,3), mode=linear)", "resize expects size to be a number of 1 or more"),
        ("resize(s8[1,2,6,9], size=(7,5), mode=linear)", "resize expects floats"),
        ("resize(f32[6,9], size=(7,5))", r"resize expects \[n, c, h, w\]"),
        ("resize(f32[1,2,6,9], size=(7,5), scales=(1,0))", "resize expects scales of h and w above 0"),
    ],
)
def test_what_does_not_go_together_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)
