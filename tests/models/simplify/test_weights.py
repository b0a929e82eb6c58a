"""Products of products: one, where it is less work, and else two."""

import numpy as np
import pytest
from griotte.lang.types.tensor import tensor
from griotte.models import GraphBuilder
from simplifying import calls, same_function


def of_rows(depth: int, between: int, out: int, bias: bool):
    builder = GraphBuilder()
    known = lambda *shape: builder.constant(np.linspace(-1, 1, np.prod(shape), dtype=np.float32).reshape(shape))
    x = builder.call("matmul", builder.input(tensor((2, 3, depth)), "x"), known(depth, between))
    x = builder.call("add", x, known(between)) if bias else x
    return builder.graph({"y": builder.call("matmul", x, known(between, out))})


@pytest.mark.parametrize(("sizes", "products"), [((8, 6, 4), 1), ((8, 8, 8), 1), ((8, 2, 8), 2)])
@pytest.mark.parametrize("bias", [False, True])
def test_two_products_of_rows_are_one_where_that_is_less(sizes, products, bias):
    assert calls(same_function(of_rows(*sizes, bias))).count("matmul") == products


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
    builder = GraphBuilder()
    known = lambda shape: builder.constant(np.linspace(-1, 1, np.prod(shape), dtype=np.float32).reshape(shape))
    given = [{"stride": stride, "padding": 1} if shape[2] > 1 else {} for shape in (first, second)]
    x = builder.input(tensor((1, 4, 9, 9)), "x")
    x = builder.call("conv2d", x, known(first), groups=4 // first[1], **given[0])
    graph = builder.graph({"y": builder.call("conv2d", x, known(second), **given[1])})
    assert calls(same_function(graph)).count("conv2d") == filters
