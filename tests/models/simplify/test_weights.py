"""Products of products: one, where it is less work, and else two."""

import pytest
from simplifying import Network, calls


@pytest.mark.parametrize(("sizes", "products"), [((8, 6, 4), 1), ((8, 8, 8), 1), ((8, 2, 8), 2)])
@pytest.mark.parametrize("bias", [False, True])
def test_two_products_of_rows_are_one_where_that_is_less(sizes, products, bias):
    net, (depth, between, out) = Network(), sizes
    x = net.call("matmul", net.input("x", 2, 3, depth), net.known(depth, between))
    x = net.call("add", x, net.known(between)) if bias else x
    assert calls(net.simpler(net.call("matmul", x, net.known(between, out)))).count("matmul") == products


@pytest.mark.parametrize(
    ("first", "second", "filters"),
    [
        ((6, 4, 3, 3), (2, 6, 1, 1), 1),
        ((6, 4, 1, 1), (2, 6, 3, 3), 1),
        ((2, 4, 3, 3), (9, 2, 1, 1), 2),
        ((6, 4, 3, 3), (2, 6, 3, 3), 2),
        ((4, 1, 3, 3), (2, 4, 1, 1), 2),  # each channel by itself
    ],
)
@pytest.mark.parametrize("stride", [1, 2])
def test_two_convolutions_are_one_where_that_is_less(first, second, filters, stride):
    net = Network()
    given = [{"stride": stride, "padding": 1} if shape[2] > 1 else {} for shape in (first, second)]
    x = net.call("conv2d", net.input("x", 1, 4, 9, 9), net.known(*first), groups=4 // first[1], **given[0])
    assert calls(net.simpler(net.call("conv2d", x, net.known(*second), **given[1]))).count("conv2d") == filters
