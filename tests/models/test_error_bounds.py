"""What a comparison allows each element: rounding by what its own calls add up, not by the largest result."""

import griotte as gt
import numpy as np
from griotte.models import reference
from griotte.models.error_bounds import error_bounds
from griotte.models.graph import GraphBuilder


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
