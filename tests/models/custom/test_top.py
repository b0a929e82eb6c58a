"""The first elements of rows: what the call means, and its kernels."""

from __future__ import annotations

import pickle

import griotte as gt
import numpy as np
import pytest
from checked import later
from griotte.lang.types.dtypes import dtype
from griotte.models import GraphBuilder, parse_graph
from griotte.models.reference import interpret
from griotte.models.sizes import part
from griotte.runtime import load
from griotte.support.errors import SpecError
from guarded import guarded
from model_harness import ran


def graph_of(shape: str, k: int, largest: int = 1, type: str = "f32"):
    return parse_graph(f"model(%x: {type}[{shape}]) {{ %v, %i = top(%x, k={k}, largest={largest}) return v=%v, i=%i }}")


def drawn(graph, spread: int = 40) -> np.ndarray:
    """Of few values, so that many are equal."""
    (x,) = graph.inputs
    rng, kind = np.random.default_rng(1), dtype(x.type.dtype).numpy
    return rng.integers(0, spread, x.type.shape).astype(kind)


def wanted(x: np.ndarray, k: int, largest: int) -> tuple[np.ndarray, np.ndarray]:
    rows = x.reshape(-1, x.shape[-1]).tolist()
    turn = -1 if largest else 1
    key = lambda row, n: (turn * (row[n] != row[n]), 0 if row[n] != row[n] else turn * row[n], n)
    places = [sorted(range(len(row)), key=lambda n, row=row: key(row, n))[:k] for row in rows]
    values = [[row[n] for n in own] for row, own in zip(rows, places)]
    shape = (*x.shape[:-1], k)
    return np.array(values, x.dtype).reshape(shape), np.array(places).reshape(shape)


@pytest.mark.parametrize("type", ["f32", "f64", "s32", "u32", "s64", "u64", "u8", "s8"])
@pytest.mark.parametrize("largest", [0, 1])
def test_of_equal_ones_the_first_comes_first(largest: int, type: str):
    graph = graph_of("3,50", 7, largest, type)
    x = drawn(graph, 20)

    def right(found):
        for mine, other in zip(found, wanted(x, 7, largest), strict=True):
            np.testing.assert_array_equal(mine, other)

    right(interpret(graph, x))
    later(gt.synthesize(graph, target="avx2", table="none"), [x], right)


@pytest.mark.parametrize(("shape", "k"), [("2,1", 1), ("4,100", 1), ("3,67", 67), ("2,3,40", 33), ("90", 16)])
@pytest.mark.parametrize("largest", [0, 1])
def test_the_kernel_gives_what_the_call_means(shape: str, k: int, largest: int, tmp_path):
    """Under sanitizers; with NaN of both signs, infinities, and zeros of two signs."""
    graph = graph_of(shape, k, largest)
    x = drawn(graph)
    x[..., ::7], x[..., 3::7], x[..., ::11], x[..., ::13] = np.nan, -np.nan, np.inf, -0.0
    program = gt.synthesize(graph, target="portable", table="none")
    for found, right in zip(ran(program, [x], tmp_path), wanted(x, k, largest), strict=True):
        np.testing.assert_array_equal(found, right)
    for found, right in zip(interpret(graph, x), wanted(x, k, largest), strict=True):
        np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("way", [1, -1])
def test_rows_in_order_are_no_other(way: int):
    graph = graph_of("2,1000", 30)
    x = np.arange(2000, dtype=np.float32)[::way].reshape(2, 1000).copy()
    for found, right in zip(gt.compile(graph, table="none")(x), wanted(x, 30, 1), strict=True):
        np.testing.assert_array_equal(found, right)


def test_threads_share_rows():
    graph = graph_of("64,4000", 9)
    one, two = (gt.synthesize(graph, target="avx2", threads=threads, table="none") for threads in (1, 2))
    assert one.cost > two.cost and "griotte_share_out" in two.to_c() and "griotte_share_out" not in one.to_c()
    x = np.random.default_rng(0).standard_normal((64, 4000)).astype(np.float32)
    for found, right in zip(two.compile()(x), wanted(x, 9, 1), strict=True):
        np.testing.assert_array_equal(found, right)


OPEN = ["<=9,10", "<=9,4,11", "2,<=9,9", "2,<=5,3,9", "3,<=40", "2,3,<=9", "<=9,<=9", "2,<=9,<=9"]


@pytest.mark.parametrize("type", ["f32", "f64", "s32", "s64", "u8"])
def test_an_open_size_is_that_of_rows_or_their_number(type: str):
    graphs = [graph_of(shape, k, k % 2, type) for shape, k in zip(OPEN, (2, 3, 6, 2, 3, 6, 5, 4))]
    for graph in graphs:
        kernel = gt.compile(graph, "avx2", table="none")
        assert parse_graph(str(graph)).least == graph.least
        for size in {graph.least, max(3, graph.least), graph.bound}:
            check_at(kernel, graph, size)


def check_at(kernel, graph, size: int) -> None:
    (x,), (values, places) = graph.inputs, graph.outputs
    given = np.ascontiguousarray(part(drawn(graph), x.type, size))
    if given.dtype.kind == "f":
        given[..., ::3] = np.nan
    call = dict(graph.calls[0].attributes)["maker"]
    right = wanted(given, call.given("k"), call.given("largest"))
    found = guarded(kernel, [x.type], [values.type, places.type], [given], size)
    for mine, meant, other in zip(found, interpret(graph, given), right, strict=True):
        np.testing.assert_array_equal(mine, other)
        np.testing.assert_array_equal(meant, other)


def test_threads_share_rows_of_an_open_size():
    graph = graph_of("2,<=64,4000", 9)
    program = gt.synthesize(graph, target="avx2", threads=2, table="none")
    assert "griotte_share_out" in program.to_c()
    kernel = program.compile()
    for size in (1, 7, 64):
        check_at(kernel, graph, size)


def test_rows_of_fewer_than_are_wanted_are_refused(tmp_path):
    graph = graph_of("4,<=8", 3)
    kernel = gt.compile(graph, "portable", table="none")
    kernel.save(tmp_path)
    few = np.zeros((4, 8), np.float32)
    for each in (kernel, load(tmp_path), pickle.loads(pickle.dumps(kernel)), lambda *x: interpret(graph, *x)):
        with pytest.raises(SpecError, match="expected a dynamic size of at least 3, .* found 2, for"):
            each(few[:, :2])
        with pytest.raises(SpecError, match="expected a dynamic size of .* found 0"):
            each(few[:, :0])
    assert "if (m < 3 || m > 8)" in gt.synthesize(graph, table="none").to_c()
    with pytest.raises(SpecError, match="expected rows along one dynamic axis for top"):
        graph_of("<=8,<=8,4", 2)


def test_what_has_an_open_size_is_no_operand_of_a_call_of_fixed_sizes():
    builder = GraphBuilder()
    x = builder.input(gt.tensor(("<=8", 10)), "x")
    call = graph_of("8,10", 2).calls[0].opaque
    with pytest.raises(SpecError, match=r"expected f32.8,10. as an operand of top, found f32.<=8,10."):
        builder.make(call, x)


WRONG = {
    ("f32[4,8]", "k=9"): "expected 1 to 8 elements of f32.4,8., found k=9",
    ("f32[]", "k=1"): "expected 1 to 0 elements of f32",
    ("f16[4,8]", "k=2"): "expected numbers of their own arithmetic",
    ("f8e5m2[4,8]", "k=2"): "expected numbers of their own arithmetic",
    ("f32[4,8]", "largest=2"): "expected largest=1 or largest=0",
}


@pytest.mark.parametrize(("type", "given"), WRONG)
def test_what_does_not_fit_is_told(type: str, given: str):
    with pytest.raises(SpecError, match=WRONG[type, given]):
        parse_graph(f"model(%x: {type}) {{ %v, %i = top(%x, {given}) return v=%v, i=%i }}")
