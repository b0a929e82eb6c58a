"""Data that models are timed on are neither small nor large, nor is what follows from them."""

import griotte as gt
import numpy as np
import pytest
from griotte.models import parse_graph
from griotte.models.data import arrays_of
from griotte.models.reference import interpret

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
