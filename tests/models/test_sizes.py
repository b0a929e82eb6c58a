"""Models of a size that is known only up to a bound: kernels that give at any size what the graph means."""

from __future__ import annotations

import pickle
import re

import griotte as gt
import numpy as np
import pytest
from griotte.models import parse_graph, reference
from griotte.models.graph import GraphBuilder, ModelGraph, ModelValue
from griotte.models.sizes import at, for_any_size, numbers_for, of_any_size
from griotte.runtime import load

MOST = 6
BOUND = f"<={MOST}"


def weights(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).standard_normal(shape).astype(np.float32) / 4


def perceptron(b: GraphBuilder):
    x = b.input(gt.tensor((BOUND, 8)), "x")
    h = b.call("relu", b.call("add", b.call("matmul", x, b.constant(weights(8, 12))), b.constant(weights(12))))
    return b.call("matmul", h, b.constant(weights(12, 5)))


def images(b: GraphBuilder):
    x = b.input(gt.tensor((BOUND, 3, 6, 6)), "x")
    h = b.call("relu", b.call("conv2d", x, b.constant(weights(4, 3, 3, 3)), padding=1))
    h = b.call("mean", b.call("max_pool2d", h), axis=(2, 3))
    return {"classes": b.call("argmax", h, axis=1), "scores": b.call("matmul", h, b.constant(weights(4, 7)))}


def heads(b: GraphBuilder):
    """Attention of a sequence to itself, the second axis: arrays lie as those of the bound."""
    x = b.input(gt.tensor((2, BOUND, 8)), "x")
    mask = b.input(gt.tensor((BOUND, BOUND), "pred"), "mask")

    def head(n: int):
        h = b.call("reshape", b.call("matmul", x, b.constant(weights(8, 8) + n)), shape=(2, MOST, 2, 4))
        return b.call("transpose", h, perm=(0, 2, 1, 3))

    scores = b.call("matmul", head(0), b.call("transpose", head(1), perm=(0, 1, 3, 2)))
    found = b.call("matmul", b.call("softmax", b.call("where", mask, scores, -1e9), axis=-1), head(2))
    return b.call("reshape", b.call("transpose", found, perm=(0, 2, 1, 3)), shape=(2, MOST, 8))


def known(b: GraphBuilder):
    """A constant of which each size reads a part; an output without the size; one that is an input."""
    x = b.input(gt.tensor((3, BOUND)), "x")
    table = b.known(ModelValue(gt.tensor((BOUND, 4), constant=True), "table", array=weights(MOST, 4)))
    return {"given": x, "product": b.call("matmul", x, table), "sum": b.call("sum", x, axis=1)}


def graph_of(make) -> ModelGraph:
    builder = GraphBuilder()
    results = make(builder)
    return builder.graph(results if isinstance(results, dict) else {"y": results})


def given(graph: ModelGraph, size: int) -> list[np.ndarray]:
    """Arrays of a size, parts of those of the bound."""
    rng, found = np.random.default_rng(size), []
    for value in graph.inputs:
        room = rng.standard_normal(value.type.shape).astype(np.float32)
        array = room > 0 if value.type.dtype == "pred" else room
        found.append(
            array[tuple(slice(size if axis in value.type.dynamic_axes else None) for axis in range(room.ndim))]
        )
    return found


def agree(kernel, graph: ModelGraph, sizes) -> None:
    for size in sizes:
        arrays = given(graph, size)
        found, expected = kernel(*arrays), reference.interpret(graph, *arrays)
        for mine, right in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
            assert mine.shape == right.shape
            np.testing.assert_allclose(mine, right, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize(("make", "threads"), [(perceptron, 2), (images, 1), (heads, 1), (known, 2)])
def test_a_kernel_gives_at_any_size_what_the_graph_means(make, threads: int):
    graph = graph_of(make)
    effort = 1 if make is heads else 2
    kernel = gt.synthesize(graph, "avx2", threads, table="none", effort=effort).compile()
    agree(kernel, graph, range(1, MOST + 1))


def test_the_reference_is_that_of_each_size():
    graph = graph_of(heads)
    for size in (1, 4):
        arrays = given(graph, size)
        (one,), (other,) = reference.interpret(graph, *arrays), reference.interpret(at(graph, size), *arrays)
        assert one.shape == (2, size, 8)
        np.testing.assert_array_equal(one, other)
    with pytest.raises(gt.SpecError, match="expected 4 at axis 0 of input 1"):
        reference.interpret(graph, given(graph, 4)[0], given(graph, 3)[1])


def test_calls_by_name_bound_and_into_arrays(tmp_path):
    graph = graph_of(perceptron)
    kernel = gt.compile(graph, target="portable")
    again = gt.compile(graph_of(perceptron), target="portable")
    assert again.stats["parts_solved"] == 0 and type(again) is type(kernel)
    x = given(graph, 4)[0]
    expected = kernel(x)
    out = np.empty((4, 5), np.float32)
    call = kernel.bind(x, out=out)
    assert call() is out and kernel(x=x, out=out) is out
    kernel.save(tmp_path)
    assert "int64_t m, const void *weights" in (tmp_path / "kernel.h").read_text()
    for other in (out, again(x), load(tmp_path)(x), pickle.loads(pickle.dumps(kernel))(x)):
        np.testing.assert_array_equal(other, expected)
    assert kernel(np.empty((0, 8), np.float32)).shape == (0, 5)


def test_sizes_that_do_not_fit_are_told():
    graph = graph_of(known)
    kernel = gt.compile(graph, target="portable", table="none", effort=1)
    with pytest.raises(gt.SpecError, match="expected a dynamic size of at most 6, found 7") as refused:
        kernel(np.zeros((3, 7), np.float32))
    assert "\n" not in str(refused.value)
    with pytest.raises(gt.SpecError, match="expected a dynamic size of 1 to 6, found 0"):
        kernel(np.zeros((3, 0), np.float32))
    with pytest.raises(gt.SpecError, match=r"as a part of an array of shape \(3, 6\), the bound's"):
        kernel(np.zeros((3, 4), np.float32))
    with pytest.raises(gt.SpecError, match="expected the inputs 'x'"):
        kernel()


def test_two_bounds_are_no_one_size():
    builder = GraphBuilder()
    builder.input(gt.tensor((BOUND, 2)), "x")
    with pytest.raises(gt.SpecError, match="expected one dynamic size, found 2"):
        builder.input(gt.tensor(("<=7", 2)), "z")
    with pytest.raises(gt.SpecError, match="expected one dynamic size, found 2"):
        parse_graph("model(%x: f32[<=6,2], %z: f32[<=7,2]) { %y = exp(%x) return y=%y }")


@pytest.mark.parametrize("make", [perceptron, images, heads], ids=lambda f: f.__name__)
def test_texts_and_pickles_read_back(make):
    graph = graph_of(make)
    again = parse_graph(str(graph))
    assert str(again) == str(graph) and again.bound == MOST
    copied = pickle.loads(pickle.dumps(graph))
    assert str(copied) == str(graph) and copied.digest == graph.digest


def test_a_constant_of_any_size_is_written_and_read():
    text = (
        "model(\n  %x: f32[<=3,2],\n  %t: const f32[<=3,1] = (1, 2, 3),\n) {\n"
        "  %y = mul(%x, %t) -> f32[<=3,2]\n  return y=%y\n}"
    )
    graph = parse_graph(text)
    assert str(graph) == text
    (found,) = reference.interpret(graph, np.ones((2, 2), np.float32))
    assert np.array_equal(found, [[1, 1], [2, 2]])


# ---- one graph of several --------------------------------------------------------------------------------------------


def test_numbers_are_of_nothing_else():
    graph = parse_graph("model(%x: f32[9,2,8,3]) { %y = exp(%x) return y=%y }")
    assert numbers_for(graph, 9) == (9, 7, 4)
    assert numbers_for(graph, 3) == (3, 5, 4)


def test_what_is_alike_at_all_numbers_is_of_any():
    text = "model(%x: f32[{n},4]) {{ %y = reshape(%x) -> f32[{n},2,2] %z = sum(%y, axis=0) return y=%y, z=%z }}"
    found = of_any_size([parse_graph(text.format(n=n)) for n in (8, 7, 3)], (8, 7, 3))
    assert found.refused == ()
    assert [str(value.type) for value in found.outputs] == ["f32[<=8,2,2]", "f32[2,2]"]


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("mul(%x, {n}) -> f32[{n},4]", "it computes with 3 at 3, 7 at 7, 8 at 8"),
        ("slice(%x, starts=(0, 0), limits=(2, 4)) -> f32[2,4]", "slice"),
        ("reshape(%x) -> f32[4,{n}]", "keeps the dynamic axis"),
        ("reshape(%x) -> f32[{m}]", r"its shape would be \(12\) at 3"),
        ("pad(%x, before=(0, {n}), after=(0, 0))", r"its before would be \(0,3\) at 3"),
    ],
)
def test_what_is_not_alike_is_refused(call, why):
    text = f"model(%x: f32[{{n}},4]) {{{{ %e = exp(%x) %y = {call} return e=%e, y=%y }}}}"
    found = of_any_size([parse_graph(text.format(n=n, m=4 * n)) for n in (8, 7, 3)], (8, 7, 3))
    (refused,) = found.refused
    assert refused.operator == call.partition("(")[0]
    assert re.search(why, refused.why)
    assert [name for name, _ in found.results] == ["e"]


def test_a_rule_that_holds_at_one_size_alone_leaves_the_graph():
    graph = graph_of(perceptron)

    def make(plain: ModelGraph) -> ModelGraph:
        builder = GraphBuilder()
        builder.inputs = list(plain.inputs)
        ((name, value),) = plain.results
        is_most = value.type.shape[0] == MOST
        return builder.graph({name: builder.call("relu", value) if is_most else builder.call("exp", value)})

    assert for_any_size(graph, make) is graph
