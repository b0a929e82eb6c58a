"""Attention in forms that exporters write: of windows, and of images whose keys are columns."""

import numpy as np
import pytest
from griotte.lang.types.tensor import tensor
from griotte.models import GraphBuilder
from simplifying import calls, same_function

WINDOWS, HEADS, ROWS, SIZE = 3, 4, 6, 8


@pytest.mark.parametrize("batch", [1, 2])
def test_of_windows_with_places_and_a_mask_of_each(batch):
    """The second is a mask of each window, whatever image, added where windows have an axis of their own."""
    builder = GraphBuilder()
    call, rng = builder.call, np.random.default_rng(0)
    known = lambda *shape: builder.constant(rng.uniform(-1, 1, shape).astype(np.float32))
    q, k, v = (builder.input(tensor((batch * WINDOWS, HEADS, ROWS, SIZE)), name) for name in "qkv")
    scores = call("matmul", call("mul", q, known()), call("transpose", k, perm=(0, 1, 3, 2)))
    scores = call("add", scores, known(1, HEADS, ROWS, ROWS))
    apart = call("reshape", scores, shape=(batch, WINDOWS, HEADS, ROWS, ROWS))
    apart = call("add", apart, known(1, WINDOWS, 1, ROWS, ROWS))
    scores = call("reshape", apart, shape=scores.type.shape)
    graph = builder.graph({"y": call("matmul", call("softmax", scores, axis=-1), v)})
    assert calls(same_function(graph)) == ["attention"]


def test_of_columns():
    builder = GraphBuilder()
    call = builder.call
    q, k, v = (builder.input(tensor((2, HEADS, SIZE, ROWS)), name) for name in "qkv")
    scores = call("matmul", call("transpose", q, perm=(0, 1, 3, 2)), k)
    weights = call("softmax", call("mul", scores, builder.constant(np.float32(0.3))), axis=-1)
    graph = builder.graph({"y": call("matmul", v, call("transpose", weights, perm=(0, 1, 3, 2)))})
    assert sorted(calls(same_function(graph))) == ["attention", *["transpose"] * 4]


def test_keys_that_are_columns_already():
    builder = GraphBuilder()
    q, k = builder.input(tensor((2, ROWS, SIZE)), "q"), builder.input(tensor((2, SIZE, 5)), "k")
    v = builder.input(tensor((2, 5, SIZE)), "v")
    weights = builder.call("softmax", builder.call("matmul", q, k), axis=-1)
    assert calls(same_function(builder.graph({"y": builder.call("matmul", weights, v)}))) == ["transpose", "attention"]


def test_weights_that_are_transposed_otherwise_stay():
    builder = GraphBuilder()
    q, k = builder.input(tensor((4, 4, 4)), "q"), builder.input(tensor((4, 4, 4)), "k")
    weights = builder.call("softmax", builder.call("matmul", q, k), axis=-1)
    moved = builder.call("transpose", weights, perm=(1, 0, 2))
    graph = builder.graph({"y": builder.call("matmul", builder.input(tensor((4, 4, 4)), "v"), moved)})
    assert "attention" not in calls(same_function(graph))
