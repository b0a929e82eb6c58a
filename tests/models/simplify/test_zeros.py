"""Sums of products of integers whose zeros are known when a model runs: the same numbers, of products of bytes."""

import griotte as gt
import numpy as np
import pytest
from griotte.lang.types.tensor import tensor
from griotte.models import GraphBuilder
from griotte.models.reference import interpret
from griotte.models.simplify import simplify

RNG = np.random.default_rng(3)
NUMPY = {"u8": np.uint8, "s8": np.int8}


def drawn(shape, name):
    """Integers of all sizes, the least and the largest often."""
    info = np.iinfo(NUMPY[name])
    found = RNG.integers(info.min, info.max + 1, shape)
    ends = RNG.choice([info.min, info.max], shape)
    return np.where(RNG.random(shape) < 0.3, ends, found).astype(NUMPY[name])


def wide(builder, x):
    return builder.call("cast", x, dtype="s32")


def convolution(x, weights, zero=True, **given):
    """Of x less its zero, which comes in, by known weights in s32: the graph as it is written."""
    builder = GraphBuilder()
    whole = wide(builder, builder.input(tensor(*x), "x"))
    if zero:
        whole = builder.call("sub", whole, wide(builder, builder.input(tensor((), x[1]), "z")))
    return builder.graph({"y": builder.call("conv2d", whole, builder.constant(weights.astype(np.int32)), **given)})


def require_same(graph, *arrays):
    """The graph simplified, of which it is shown that it gives the same numbers."""
    simpler = simplify(graph)
    for one, other in zip(interpret(graph, *arrays), interpret(simpler, *arrays), strict=True):
        assert one.dtype == other.dtype and np.array_equal(one, other)
    return simpler


def factors(graph):
    """The dtypes of what is multiplied in the convolutions and products of a graph."""
    found = [value for value in graph.calls if value.call in ("conv2d", "matmul")]
    return [tuple(read.type.dtype for read in value.values) for value in found]


WINDOWS = (
    {"padding": 1},
    {"padding": ((2, 0), (0, 3)), "stride": 2},
    {"dilation": 2, "padding": 2},
    {"stride": (1, 3)},
)


@pytest.mark.parametrize("given", WINDOWS, ids=str)
@pytest.mark.parametrize("groups", [1, 2, 4])
@pytest.mark.parametrize("name", ["u8", "s8"])
def test_a_convolution_is_of_bytes_for_any_zero(name, groups, given):
    shape = (2, 4, 8, 7)
    for zero_of_weights in (0, 121, 255, "each"):
        weights = drawn((8, 4 // groups, 3, 3), "u8" if zero_of_weights else "s8").astype(np.int32)
        each = RNG.integers(0, 256, (8, 1, 1, 1)) if zero_of_weights == "each" else zero_of_weights
        graph = convolution((shape, name), weights - each, groups=groups, **given)
        for zero in (np.iinfo(NUMPY[name]).min, np.iinfo(NUMPY[name]).max, 7):
            simpler = require_same(graph, drawn(shape, name), NUMPY[name](zero))
        x, w = factors(simpler)[0]
        assert x == name and w in (("s8", "s16") if groups == 4 else ("s8",))


@pytest.mark.parametrize("most", [127, 128, 255, 256])
def test_weights_that_are_too_many_for_a_byte_stay(most):
    weights = RNG.integers(0, most + 1, (3, 2, 1, 1))
    weights[0, :, 0, 0] = 0, most
    simpler = require_same(convolution(((1, 2, 3, 3), "u8"), weights), drawn((1, 2, 3, 3), "u8"), np.uint8(255))
    assert factors(simpler)[0] == (("u8", "s8") if most < 256 else ("s32", "s32"))


def test_sums_wrap():
    depth = 70_000
    weights = np.full((2, depth, 1, 1), 134)
    weights[1] = -121
    x = np.full((1, depth, 1, 1), 255, np.uint8)
    assert 255 * 134 * depth >= 2**31
    assert "u8" in factors(require_same(convolution((x.shape, "u8"), weights), x, np.uint8(0)))[0]
    require_same(convolution((x.shape, "u8"), weights), np.zeros_like(x), np.uint8(255))


@pytest.mark.parametrize("padding", [0, 1])
def test_a_convolution_without_a_zero_is_of_bytes(padding):
    x = drawn((1, 3, 5, 6), "u8")
    for weights in (drawn((4, 3, 3, 3), "u8"), drawn((4, 3, 3, 3), "s8")):
        simpler = require_same(convolution((x.shape, "u8"), weights, zero=False, padding=padding), x)
        assert factors(simpler)[0] == ("u8", "s8")


def quantised(zero, scale="scale"):
    """A convolution of floats that are quantised by the zero that it takes off."""
    builder = GraphBuilder()
    z, s = builder.input(tensor((), "u8"), "z"), builder.input(tensor(()), scale)
    x = builder.call("quantize", builder.input(tensor((1, 3, 5, 6)), "x"), s, z)
    other = builder.input(tensor((), "u8"), "other") if zero == "other" else z
    whole = builder.call("sub", wide(builder, x), wide(builder, other))
    weights = builder.constant(drawn((4, 3, 3, 3), "u8").astype(np.int32) - 121)
    return builder.graph({"y": builder.call("conv2d", whole, weights, padding=1)})


def test_what_is_quantised_has_its_zero_around_it_from_the_floats():
    graph = quantised("z")
    x = RNG.standard_normal((1, 3, 5, 6)).astype(np.float32)
    for zero in (0, 3, 255):
        simpler = require_same(graph, np.uint8(zero), np.float32(0.02), x)
    (pad,) = (value for value in simpler.calls if value.call == "pad")
    assert pad.type.dtype == "f32"


def test_of_another_zero_or_of_any_scale_the_border_is_of_integers():
    x = RNG.standard_normal((1, 3, 5, 6)).astype(np.float32)
    simpler = require_same(quantised("other"), np.uint8(3), np.float32(0.02), x, np.uint8(9))
    assert [value.type.dtype for value in simpler.calls if value.call == "pad"] == ["u8"]
    graph = quantised("z")
    strict = simplify(graph, math="strict")
    for scale in (0.0, np.nan, np.inf):
        given = np.uint8(9), np.float32(scale), x
        with np.errstate(all="ignore"):
            assert np.array_equal(interpret(graph, *given)[0], interpret(strict, *given)[0])


@pytest.mark.parametrize("name", ["u8", "s8"])
def test_a_product_by_wider_weights_is_of_bytes(name):
    builder = GraphBuilder()
    x = builder.input(tensor((3, 70), name), "x")
    whole = builder.call("matmul", x, builder.constant(drawn((70, 9), "u8")), dtype="s32")
    shifted = builder.call("matmul", x, builder.constant(drawn((70, 9), "u8").astype(np.int32) - 30))
    for graph in (builder.graph({"y": y}) for y in (whole, shifted)):
        assert factors(require_same(graph, drawn((3, 70), name))) == [(name, "s8")]


@pytest.mark.parametrize("target", ["portable", "native"])
def test_kernels_give_the_same(target):
    graph = convolution(((1, 5, 6, 7), "u8"), drawn((6, 5, 3, 3), "u8").astype(np.int32) - 121, padding=1)
    kernel = gt.compile(graph, target=target, table="none", effort=1)
    x = drawn((1, 5, 6, 7), "u8")
    for zero in (0, 200, 255):
        assert np.array_equal(kernel(x, np.uint8(zero)), interpret(graph, x, np.uint8(zero))[0])


def test_a_batch_may_be_known_up_to_a_bound():
    weights = drawn((4, 2, 3, 3), "u8").astype(np.int32) - 121
    of = lambda n: convolution(((n, 4, 5, 5), "u8"), weights, padding=1, groups=2)
    kernel = gt.compile(of("<=6"), target="portable", table="none", effort=1)
    for n in (1, 6):
        x, zero = drawn((n, 4, 5, 5), "u8"), np.array(200, np.uint8)
        assert np.array_equal(kernel(x, zero), interpret(of(n), x, zero)[0])
