"""Operators: a selection of onnx's own tests by the reference of what was read, and corners that those leave out."""

from __future__ import annotations

import unittest
import warnings
from functools import cache, partial

import griotte as gt
import griotte.onnx
import numpy as np
import pytest
from griotte.models.reference import interpret
from griotte.models.simplify import simplify
from onnx_models import TensorProto, evaluated, model, node, of_node, typed

Backend = griotte.onnx.Backend

CHOSEN = 210  # of onnx's tests, about one in nine


@cache
def chosen() -> list:
    """Onnx's tests, by name at equal steps. Onnx computes all of its tests as it names them, for ten seconds: not when
    tests are collected."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.loader import load_model_tests

        tests = sorted(load_model_tests(kind="node"), key=lambda test: test.name)
    return [tests[n * len(tests) // CHOSEN] for n in range(CHOSEN)]


def normalised(arrays) -> list:
    from onnx.backend.test.runner import _normalize_tensor

    return [*map(_normalize_tensor, arrays)]


class Evaluating(Backend):
    """Evaluates what was read, simplified, where the other compiles it."""

    compiled = staticmethod(lambda graph, **_: partial(interpret, simplify(graph)))


@pytest.mark.parametrize("n", range(CHOSEN))
def test_of_onnx(n):
    from onnx.backend.test.runner import Runner

    test = chosen()[n]
    print(f"onnx calls it {test.name}")  # shown where it fails
    prepared = Evaluating.prepare(test.model)
    for inputs, outputs in test.data_sets:
        try:
            found = prepared.run(normalised(inputs))
        except unittest.SkipTest as why:
            pytest.skip(f"{test.name}: {why}"[:80])
        Runner.assert_similar_outputs(normalised(outputs), found, test.rtol, test.atol)


class Reading(Backend):
    """Reads a model, and computes nothing."""

    compiled = staticmethod(lambda graph, **_: lambda *arrays: [])


def is_refused(test) -> bool:
    prepared = Reading.prepare(test.model)
    try:
        prepared.run(normalised(test.data_sets[0][0]))
    except unittest.SkipTest:
        return True
    return False


def test_few_are_refused():
    """A refusal leaves its test out, above: here it is counted. docs/reference/onnx.md lists them: one in twelve."""
    assert sum(map(is_refused, chosen())) <= CHOSEN / 12


def of_one(operator: str, *arrays: np.ndarray, opset: int = 21, **attributes) -> np.ndarray:
    given = {f"i{n}": array for n, array in enumerate(arrays)}
    return of_node(node(operator, " ".join(given), **attributes), given, opset=opset)[0]


def test_narrow_integers_wrap():
    x, y = np.array([250, 3, 128], np.uint8), np.array([10, 5, 2], np.uint8)
    for operator, ufunc in (("Add", np.add), ("Sub", np.subtract), ("Mul", np.multiply)):
        assert (of_one(operator, x, y) == ufunc(x, y)).all()
        assert (of_one(operator, x.view(np.int8), y.view(np.int8)) == ufunc(x.view(np.int8), y.view(np.int8))).all()


def test_integers_divide_toward_zero_and_remainders_have_a_sign():
    x, y = np.array([-7, 7, -7, 7], np.int32), np.array([2, -2, -2, 2], np.int32)
    assert (of_one("Div", x, y) == [-3, -3, 3, 3]).all()
    assert (of_one("Mod", x, y) == np.mod(x, y)).all()
    assert (of_one("Mod", x, y, fmod=1) == np.fmod(x, y)).all()


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_powers_of_integers_are_exact(dtype):
    x = np.array([3, -2, -1, 1, 0, 7, 2, -3], dtype)
    y = np.array([19, 30, 101, 1000, 0, 11, 30, 3], np.int64)
    assert (of_one("Pow", x, y) == x**y).all()
    assert (of_one("Pow", x, -y)[1:4] == [0, -1, 1]).all()


def test_conditions_are_chosen_and_put_together():
    p, q = np.array([True, False, True]), np.array([False, False, True])
    assert (of_one("Where", p, q, p) == np.where(p, q, p)).all()
    assert (of_one("Equal", p, q) == (p == q)).all()
    assert (of_one("Concat", p, q, axis=0) == np.concatenate([p, q])).all()
    assert of_one("Not", p).dtype == np.bool_


def test_nan_comes_through_and_is_equal_to_nothing():
    x, y = np.array([np.nan, 1, 2], np.float32), np.array([1, np.nan, 1], np.float32)
    assert np.isnan(of_one("Max", x, y)[:2]).all() and np.isnan(of_one("Min", x, y)[:2]).all()
    assert np.isnan(of_one("Clip", x, np.array(0, np.float32), np.array(1, np.float32))[0])
    assert not of_one("Equal", x, x)[0] and of_one("IsNaN", x)[0] and np.isnan(of_one("Relu", x)[0])


def test_bounds_that_cross_give_the_upper_one():
    low, high = np.array(3, np.float32), np.array(1, np.float32)
    assert (of_one("Clip", np.arange(5, dtype=np.float32), low, high) == 1).all()


@pytest.mark.parametrize("given", [np.int64, np.int32, np.int16, np.int8, np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("wanted", [np.int64, np.int32, np.int16, np.int8, np.uint8, np.uint16, np.uint32, np.bool_])
def test_casts_of_integers_keep_the_last_bits(given, wanted):
    x = np.array([0, 1, -1, 127, 128, 255, 256, -128, -129, 65535, 65536, -70000], np.int64).astype(given)
    from onnx.helper import np_dtype_to_tensor_dtype

    assert (of_one("Cast", x, to=np_dtype_to_tensor_dtype(np.dtype(wanted))) == x.astype(wanted)).all()


def test_what_is_not_zero_is_true():
    x = np.array([0.0, -0.0, 0.3, -2, np.nan, np.inf], np.float32)
    assert (of_one("Cast", x, to=TensorProto.BOOL) == x.astype(bool)).all()


def test_places_below_zero_are_told_from_the_end():
    x, at = np.arange(12, dtype=np.float32).reshape(3, 4), np.array([[-1, 0], [1, -4]])
    assert (of_one("Gather", x, at, axis=1) == x[:, at]).all()
    assert (of_node(node("Gather", "x i", axis=1), {"x": x}, {"i": -1})[0] == x[:, -1]).all()
    assert (of_one("GatherElements", x, at, axis=1) == np.take_along_axis(x[:2], at, 1)).all()
    assert (of_one("GatherND", x, np.array([[-1, -1], [0, 1]])) == [11, 1]).all()


@pytest.mark.parametrize("at", [np.array(-2), np.array([[1]]), np.array([0, 2])])
def test_places_that_are_known_are_parts(at):
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    (y,) = of_node(node("Gather", "x at", axis=0), {"x": x}, {"at": at})
    assert y.shape == x[at].shape and (y == x[at]).all()


def test_a_running_sum_is_not_spoilt_by_what_comes_after():
    x = np.array([1, 2, np.inf, 3, np.nan, 4], np.float32)
    (found,) = of_node(node("CumSum", "x a"), {"x": x}, {"a": np.array(0)})
    assert np.array_equal(found, np.cumsum(x), equal_nan=True)


def test_sums_of_exponentials_do_not_overflow():
    x = np.array([[1000, 1000], [-np.inf, -np.inf], [np.inf, 0]], np.float32)
    (found,) = of_node(node("ReduceLogSumExp", "x a", keepdims=0), {"x": x}, {"a": np.array([1])}, opset=21)
    assert np.allclose(found, [1000 + np.log(2), -np.inf, np.inf])


def test_the_largest_k_of_equals_are_the_first():
    x = np.array([[3, 1, 3, 2, -np.inf, 3]], np.float32)
    values, places = of_node(node("TopK", "x k", "v i"), {"x": x}, {"k": np.array([4])})
    assert (values == [3, 3, 3, 2]).all() and (places == [0, 2, 5, 3]).all()


INDEXED = {
    "GatherElements": (node("GatherElements", "x i"), (3, 2)),
    "GatherND": (node("GatherND", "x i"), (3, 2)),
    "GatherND of batches": (node("GatherND", "x i", batch_dims=1), (70000, 1)),
    "Gather": (node("Gather", "x i", axis=1), (3, 2)),
    "ScatterND": (node("ScatterND", "x i u"), (3, 2)),
    "ScatterElements": (node("ScatterElements", "x i u", axis=1, reduction="add"), (3, 2)),
}


@pytest.mark.parametrize("name", INDEXED)
def test_more_elements_than_places_count_are_refused(name):
    """Places are counted in s32. Nothing here is computed, so the arrays need not be there."""
    read, shape = INDEXED[name]
    updates = (3,) if name == "ScatterND" else shape

    def refused(*sizes: int) -> str:
        inputs = [typed("x", sizes, np.uint8), typed("i", shape, np.int64), typed("u", updates, np.uint8)]
        graph = gt.from_onnx(model([read], inputs[: len(read.input)], ["y"]))
        return "; ".join(map(str, graph.unsupported()))

    least = (70000, 30000)  # fewer than 2^31
    assert refused(*least) == ""
    if name == "Gather":  # whose places are of one axis
        assert refused(70000, 70000) == "" and "places among 4,000,000,000" in refused(2, 4_000_000_000)
    else:
        assert "places among 4,900,000,000 rows or elements, more than the 2,147,483,647" in refused(70000, 70000)


@pytest.mark.parametrize("count", [1, 4, 16, 17])  # one by one, or by how many come before
@pytest.mark.parametrize("largest", [0, 1])
def test_the_first_k_are_in_order_whatever_ties(count, largest):
    x = np.random.default_rng(count).integers(-3, 4, (3, 30)).astype(np.float32)
    x[0, :25], x[1, 4:] = -np.inf, np.inf
    values, places = of_node(node("TopK", "x k", "v i", largest=largest), {"x": x}, {"k": np.array([count])})
    order = np.argsort(-x if largest else x, axis=1, kind="stable")[:, :count]
    assert (places == order).all() and (values == np.take_along_axis(x, order, 1)).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_nan_of_either_sign_counts_as_the_largest(dtype):
    x = np.array([[3, np.nan, 1, -np.nan, np.inf, 3], [np.nan] * 5 + [-np.inf], [2, -1, 0, 5, 1, np.nan]], dtype)
    for largest, order in (
        (1, [[1, 3, 4, 0], [0, 1, 2, 3], [5, 3, 0, 4]]),
        (0, [[2, 0, 5, 4], [5, 0, 1, 2], [1, 2, 4, 0]]),
    ):
        values, places = of_node(node("TopK", "x k", "v i", largest=largest), {"x": x}, {"k": np.array([4])})
        assert np.array_equal(places, order) and values.dtype == dtype
        assert np.array_equal(values, np.take_along_axis(x, places, 1), equal_nan=True)


@pytest.mark.parametrize(("operator", "reference"), [("Sinh", np.sinh), ("Cosh", np.cosh), ("Asinh", np.arcsinh)])
def test_hyperbolic_functions_near_zero_and_far_away(operator, reference):
    x = np.array([0, 1e-6, -1e-6, 0.9, 1.1, -20, 88, 89, 1e-30], np.float32)
    assert np.allclose(of_one(operator, x), reference(x.astype(np.float64)), rtol=2e-6, atol=0)


@pytest.mark.parametrize("opset", [7, 9, 11, 13, 18, 21])
def test_of_old_and_new_operator_sets(opset):
    x = np.linspace(-2, 2, 24, dtype=np.float32).reshape(2, 3, 4)
    e = np.exp(x.reshape(2, 12) - x.max()) if opset < 13 else np.exp(x)
    axis = 1 if opset < 13 else -1
    wanted = (e / e.sum(-1, keepdims=True)).reshape(x.shape)
    assert np.allclose(of_one("Softmax", x, opset=opset, axis=axis), wanted, atol=1e-6)
    if opset < 13:
        assert np.allclose(of_one("ReduceSum", x, opset=opset, axes=[1], keepdims=0), x.sum(1))
        assert of_one("Unsqueeze", x, opset=opset, axes=[0]).shape == (1, 2, 3, 4)
    if opset < 11:
        assert (of_one("Clip", x, opset=opset, min=-1.0, max=1.0) == np.clip(x, -1, 1)).all()
    scales = np.array([1, 1, 2, 2], np.float32)
    image = x.reshape(1, 2, 3, 4)
    doubled = image.repeat(2, 2).repeat(2, 3)
    made = node("Upsample" if opset < 10 else "Resize", "x s" if opset < 10 else "x  s", mode="nearest")
    if opset < 9:
        made = node("Upsample", "x", mode="nearest", scales=scales.tolist())
    (found,) = of_node(made, {"x": image}, {} if opset < 9 else {"s": scales}, opset)
    assert (found == doubled).all()


def test_training_is_refused():
    proto = model([node("Dropout", "x r t")], [typed("x", (3,))], ["y"], r=np.array(0.5, np.float32), t=np.array(True))
    assert "chance" in gt.from_onnx(proto).unsupported()[0].why


def test_half_a_spectrum_and_back():
    signal = np.random.default_rng(1).standard_normal((2, 50), np.float32)
    for size in (15, 16):
        window = np.hanning(size).astype(np.float32)
        nodes = [node("STFT", "x step window", onesided=1), node("DFT", "y length axis", "z", inverse=1, onesided=1)]
        known = {"step": np.int64(7), "window": window, "length": np.int64(size), "axis": np.int64(-2)}
        (found, back) = evaluated(model(nodes, [typed("x", signal.shape)], ["y", "z"], **known), signal)
        frames = np.lib.stride_tricks.sliding_window_view(signal, size, axis=1)[:, ::7] * window
        spectrum = np.fft.rfft(frames, axis=-1)
        np.testing.assert_allclose(found, np.stack([spectrum.real, spectrum.imag], -1), atol=1e-5)
        np.testing.assert_allclose(back[..., 0], frames, atol=1e-5)


def test_the_first_of_the_largest_is_told_and_put_back():
    x = np.random.default_rng(2).integers(-3, 3, (2, 3, 7, 8)).astype(np.float32)
    pool = {"kernel_shape": [3, 2], "strides": [2, 2], "pads": [1, 0, 1, 1], "dilations": [2, 1]}
    for order in (0, 1):
        largest, places = of_node(node("MaxPool", "x", "y places", storage_order=order, **pool), {"x": x})
        at = x if order == 0 else x.swapaxes(2, 3)
        assert np.array_equal(at.reshape(-1)[places], largest)
    lone = np.array([[[[1, 5, 5, 2]]]], np.float32)
    assert of_node(node("MaxPool", "x", "y at", kernel_shape=[1, 4]), {"x": lone})[1].item() == 1
    nodes = [
        node("MaxPool", "x", "m at", kernel_shape=[2, 2], strides=[2, 2]),
        node("MaxUnpool", "m at", kernel_shape=[2, 2], strides=[2, 2]),
    ]
    even = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    (found,) = evaluated(model(nodes, [typed("x", even.shape)], ["y"]), even)
    assert np.array_equal(found, np.where(np.isin(even, [5, 7, 13, 15]), even, 0))
