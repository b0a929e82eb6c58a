"""Models as kernels: what they give is what their graphs mean."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models import parse_graph, reference
from griotte.models.atoms import moves_nothing
from griotte.models.graph import GraphBuilder, ModelGraph


def model(make) -> ModelGraph:
    builder = GraphBuilder()
    results = make(builder)
    return builder.graph(results if isinstance(results, dict) else {"y": results})


def weights(*shape: int) -> np.ndarray:
    return np.random.default_rng(3).standard_normal(shape).astype(np.float32) / 4


def joined(b: GraphBuilder):
    """Channels that are written side by side, and parts of the whole that are read."""
    x = b.input(gt.tensor((1, 4, 6, 6)), "x")
    conv = lambda value, out: b.call("conv2d", value, b.constant(weights(out, value.type.shape[1], 3, 3)), padding=1)
    h = conv(x, 8)
    one = b.call("relu", conv(h, 5))
    both = b.call("concat", b.call("relu", h), one, axis=1)
    more = b.call("concat", both, conv(both, 3), axis=1)
    low = b.call("slice", more, starts=(0, 2, 0, 0), limits=(1, 15, 6, 6))
    return b.call("add", conv(low, 4), b.call("max_pool2d", x, window=1, stride=1))


def depthwise(b: GraphBuilder, channels: int = 48):
    """What channels last or in blocks is cheaper for, between products."""
    x = b.input(gt.tensor((1, 8, 7, 7)), "x")
    h = b.call("relu", b.call("conv2d", x, b.constant(weights(channels, 8, 1, 1))))
    h = b.call("relu", b.call("conv2d", h, b.constant(weights(channels, 1, 5, 5)), padding=2, groups=channels))
    return b.call("add", x, b.call("conv2d", h, b.constant(weights(8, channels, 1, 1))))


def heads(b: GraphBuilder):
    """Reshapes and transposes around attention."""
    x = b.input(gt.tensor((1, 5, 16)), "x")

    def head():
        h = b.call("matmul", x, b.constant(weights(16, 16) + 0.01 * len(b._made)))
        return b.call("transpose", b.call("reshape", h, shape=(1, 5, 2, 8)), perm=(0, 2, 1, 3))

    found = b.call("attention", head(), head(), head())
    return b.call("reshape", b.call("transpose", found, perm=(0, 2, 1, 3)), shape=(1, 5, 16))


def several(b: GraphBuilder):
    """Outputs that are inputs, constants, and each other."""
    x = b.input(gt.tensor((3, 4)), "x")
    h = b.call("exp", x)
    return {"given": x, "known": b.constant(weights(2, 2)), "one": h, "same": h, "sum": b.call("sum", h, axis=1)}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("make", [joined, depthwise, heads, several], ids=lambda f: f.__name__)
def test_a_kernel_gives_what_the_graph_means(make, threads: int):
    graph = model(make)
    arrays = [np.random.default_rng(0).standard_normal(v.type.shape).astype(np.float32) for v in graph.inputs]
    effort = 1 if make is heads else 2  # a search of attention takes long
    kernel = gt.synthesize(graph, target="avx2", threads=threads, table="none", effort=effort).compile()
    found = kernel(*arrays)
    expected = reference.interpret(graph, *arrays)
    for mine, right in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
        np.testing.assert_allclose(mine, right, rtol=2e-5, atol=2e-5)
    named = kernel(**{value.name: array for value, array in zip(graph.inputs, arrays)})
    np.testing.assert_array_equal(named[0], found[0])


def test_joins_and_parts_move_nothing():
    program = gt.synthesize(model(joined), table="none")
    views = [value.call for value in program.simple.calls if moves_nothing(program.simple, value)]
    assert sorted(views) == ["concat", "concat", "slice"]
    calls = [(part.program, part.part.calls[0].call) for part in program.parts if part.part.calls]
    assert all(each is None for each, call in calls if call in ("concat", "slice"))


def test_a_reshape_moves_nothing():
    graph = model(heads)
    moved = [value.call for value in graph.calls if not moves_nothing(graph, value)]
    assert moved.count("reshape") == 1  # the output, which is an array of its own


@pytest.mark.parametrize("channels, layout", [(48, (4, 3, 2, 1, 0)), (44, (1, 3, 2, 0))])
def test_layouts_are_chosen_by_cost(channels, layout):
    """In blocks of lanes, where they are whole; else with channels last."""
    graph = model(lambda b: depthwise(b, channels))
    program = gt.synthesize(graph, target="avx2", table="none")
    assert layout in {t.minor_to_major for part in program.parts for t in part.part.spec.outputs}
    alone = gt.synthesize(graph, target="avx2", table="none", effort=1)
    assert program.cost < alone.cost


def test_a_tensor_has_one_place():
    """What two joins would have in two places is copied by one of them."""

    def make(b: GraphBuilder):
        x = b.input(gt.tensor((1, 2, 4)), "x")
        h, k = b.call("exp", x), b.call("neg", x)
        return b.call("add", b.call("concat", h, k, axis=1), b.call("concat", k, h, axis=1))

    graph = model(make)
    x = np.random.default_rng(0).standard_normal((1, 2, 4)).astype(np.float32)
    (expected,) = reference.interpret(graph, x)
    np.testing.assert_allclose(gt.compile(graph, table="none")(x), expected, rtol=1e-5)


def test_a_constant_without_data_is_an_input():
    graph = parse_graph("model(%x: f32[2,3], %w: const f32[3,4]) { %y = matmul(%x, %w) return y=%y }")
    x, w = weights(2, 3), weights(3, 4)
    np.testing.assert_allclose(gt.compile(graph, "portable", table="none")(x, w), x @ w, rtol=1e-5)


def test_wrong_inputs_are_told_by_name():
    kernel = gt.compile(model(depthwise), target="portable", table="none")
    with pytest.raises(gt.SpecError, match="expected the inputs 'x', found 0 by order and 'z' by name"):
        kernel(z=np.zeros(3))
    with pytest.raises(gt.SpecError, match="expected shape"):
        kernel(np.zeros((1, 8, 7, 8), np.float32))


def test_the_cache_keeps_whole_models():
    graph = model(depthwise)
    first, again = gt.compile(graph), gt.compile(model(depthwise))
    assert again.stats["parts_solved"] == 0
    assert again.stats["parts_from_table"] == first.stats["parts_solved"] + first.stats["parts_from_table"]
    x = np.ones((1, 8, 7, 7), np.float32)
    np.testing.assert_array_equal(first(x), again(x))
