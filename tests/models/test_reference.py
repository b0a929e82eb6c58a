"""Data that models are timed on are neither small nor large, nor is what follows from them."""

import griotte as gt
import numpy as np
import pytest
from griotte.models import parse_graph, reference
from griotte.models.graph import GraphBuilder
from griotte.models.reference import arrays_of, error_bounds, interpret

WEIGHTS_GIVEN = """model(%x: f32[24,128], %w: f32[256,128], %v: f32[256,64]) {
  %t = transpose(%w, perm=(1,0)) -> f32[128,256]
  %a = matmul(%x, %t) -> f32[24,256]
  %b = gelu(%a) -> f32[24,256]
  %c = matmul(%b, %v) -> f32[24,64]
  return a=%a, c=%c
}
"""
PRODUCT = """model(%x: f32[500,8]) {
  %a = abs(%x) -> f32[500,8]
  %y = prod(%a, axis=0) -> f32[8]
  return y=%y
}
"""


def results(text, kind):
    graph = parse_graph(text)
    return interpret(graph, *arrays_of(graph, kind, np.random.default_rng(0)))


@pytest.mark.parametrize("kind, least, most", [("timed", 0.3, 4), ("random", 9, 300)])
def test_weights_that_are_inputs_are_smaller_the_more_is_added_up(kind, least, most):
    for result in results(WEIGHTS_GIVEN, kind):
        assert least < float(np.std(result)) < most


def test_what_is_multiplied_with_constants_is_left_as_it_is():
    def layer(x):
        return x @ np.ones((8, 64), np.float32).T

    graph = gt.graph(layer, gt.tensor((16, 64)))
    (x,) = arrays_of(graph, "timed", np.random.default_rng(0))
    assert 0.5 <= np.abs(x).min()
    graph = gt.graph(lambda x, w: x @ w, gt.tensor((16, 64)), gt.tensor((64, 8)))
    for array in arrays_of(graph, "timed", np.random.default_rng(0)):
        assert 0.125 <= np.abs(array).min() and np.abs(array).max() < 0.5


def test_products_stay_normal():
    (found,) = results(PRODUCT, "timed")
    assert (found > 1e-30).all() and (found < 1e30).all()
    (found,) = results(PRODUCT, "random")
    assert (found < 1e-37).all()


def test_integers_and_whole_numbers_are_as_before():
    graph = parse_graph(
        "model(%x: f32[4,80], %p: pred[80]) {\n  %y = where(%p, %x, 0.0) -> f32[4,80]\n  return y=%y\n}\n"
    )
    x, p = arrays_of(graph, "timed", np.random.default_rng(0))
    assert set(p) == {False, True} and 0.5 <= np.abs(x).min() and np.abs(x).max() < 2
    x, _ = arrays_of(graph, "whole-number", np.random.default_rng(0))
    assert set(x.ravel()) <= set(range(-3, 4))


def _products(scale: float = 1.0):
    """A product of rows of very different sizes, and what a map makes of it."""
    b, rng = GraphBuilder(), np.random.default_rng(2)
    x = b.input(gt.tensor((4, 64)), "x")
    w = b.constant((rng.standard_normal((64, 16)) * scale).astype(np.float32))
    h = b.call("matmul", x, w)
    graph = b.graph({"y": h, "z": b.call("tanh", h)})
    rows = np.array([1e6, 1.0, 1e-3, 1e-20])[:, None]
    return graph, (rng.standard_normal((4, 64)) * rows).astype(np.float32), w.array


def test_f32_is_within_them_and_little_more_is_not():
    graph, x, w = _products()
    y, z = error_bounds(graph, [x])
    exact = x.astype(np.float64) @ w.astype(np.float64)
    assert (np.abs((x @ w) - exact) <= y).all() and (np.abs(np.tanh(x @ w) - np.tanh(exact)) <= z).all()
    assert (y <= 1e-3 * np.abs(x).astype(np.float64) @ np.abs(w)).all() and (y > 0).all()
    assert (np.abs(exact * 1e-2) > y)[np.abs(exact) > 0.5 * np.abs(exact).mean(1, keepdims=True)].all()


def test_what_cancels_is_allowed_what_its_terms_lose():
    b = GraphBuilder()
    x = b.input(gt.tensor((8,)), "x")
    graph = b.graph({"y": b.call("sub", b.call("add", x, 1e6), 1e6)})
    [bound] = error_bounds(graph, [np.linspace(0.1, 1, 8, dtype=np.float32)])
    assert (bound >= 0.03).any() and (bound <= 2).all()


def test_f16_is_allowed_a_rounding_of_its_own():
    b = GraphBuilder()
    x = b.input(gt.tensor((8,), "f16"), "x")
    graph = b.graph({"y": b.call("exp", x)})
    x = np.linspace(-4, 4, 8, dtype=np.float16)
    [bound] = error_bounds(graph, [x])
    right = np.exp(x.astype(np.float64))
    assert (bound >= right * 2.0**-12).all() and (bound <= right * 2.0**-6).all()


def test_a_size_up_to_a_bound_is_that_of_the_arrays():
    b = GraphBuilder()
    x = b.input(gt.tensor(("<=8", 3)), "x")
    graph = b.graph({"y": b.call("relu", x)})
    [bound] = error_bounds(graph, [np.ones((5, 3), np.float32)])
    assert np.broadcast_shapes(bound.shape, (5, 3)) == (5, 3)
    assert reference.interpret(graph, np.ones((5, 3), np.float32))[0].shape == (5, 3)
