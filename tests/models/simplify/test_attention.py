"""Attention in forms that exporters write: of windows, and of images whose keys are columns."""

import pytest
from simplifying import Network, calls

WINDOWS, HEADS, ROWS, SIZE = 3, 4, 6, 8


@pytest.mark.parametrize("batch", [1, 2])
def test_of_windows_with_places_and_a_mask_of_each(batch):
    """The second is a mask of each window, whatever image, added where windows have an axis of their own."""
    net = Network()
    call, known = net.call, net.known
    q, k, v = (net.input(name, batch * WINDOWS, HEADS, ROWS, SIZE) for name in "qkv")
    scores = call("matmul", call("mul", q, known()), call("transpose", k, perm=(0, 1, 3, 2)))
    scores = call("add", scores, known(1, HEADS, ROWS, ROWS))
    apart = call("reshape", scores, shape=(batch, WINDOWS, HEADS, ROWS, ROWS))
    apart = call("add", apart, known(1, WINDOWS, 1, ROWS, ROWS))
    scores = call("reshape", apart, shape=scores.type.shape)
    assert calls(net.simpler(call("matmul", call("softmax", scores, axis=-1), v))) == ["attention"]


def test_of_columns():
    net = Network()
    call = net.call
    q, k, v = (net.input(name, 2, HEADS, SIZE, ROWS) for name in "qkv")
    scores = call("matmul", call("transpose", q, perm=(0, 1, 3, 2)), k)
    weights = call("softmax", call("mul", scores, net.known()), axis=-1)
    simpler = net.simpler(call("matmul", v, call("transpose", weights, perm=(0, 1, 3, 2))))
    assert sorted(calls(simpler)) == ["attention", *["transpose"] * 4]


def test_keys_that_are_columns_already():
    net = Network()
    q, k, v = net.input("q", 2, ROWS, SIZE), net.input("k", 2, SIZE, 5), net.input("v", 2, 5, SIZE)
    weights = net.call("softmax", net.call("matmul", q, k), axis=-1)
    assert calls(net.simpler(net.call("matmul", weights, v))) == ["transpose", "attention"]


def test_weights_that_are_transposed_otherwise_stay():
    net = Network()
    q, k, v = (net.input(name, 4, 4, 4) for name in "qkv")
    moved = net.call("transpose", net.call("softmax", net.call("matmul", q, k), axis=-1), perm=(1, 0, 2))
    assert "attention" not in calls(net.simpler(net.call("matmul", v, moved)))
