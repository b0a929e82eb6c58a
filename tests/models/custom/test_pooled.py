"""Pools by rows: of the rows of a window first, then of columns; beside what is searched."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.machine import resolve
from griotte.models import GraphBuilder, parse_graph
from griotte.models.custom.pooled import PooledByRows, windows_of
from griotte.models.custom.stages import StageProgram
from griotte.models.graph import ModelGraph
from griotte.models.parts import SolvedPart, part_of
from griotte.models.program import ModelProgram
from griotte.models.reference import interpret
from model_harness import ran

POOLS = {
    "as it comes": ((1, 2, 9, 11), {}),
    "three by three": ((2, 3, 9, 21), {"window": 3, "stride": 2, "padding": 1}),
    "next to each other": ((1, 2, 8, 40), {"window": 3, "stride": 1, "padding": 1}),
    "of two sides": ((1, 1, 12, 35), {"window": (2, 5), "stride": (3, 2), "padding": (0, 2)}),
    "more behind": ((1, 2, 10, 18), {"window": 3, "stride": 2, "padding": ((0, 1), (0, 2))}),
    "wider than it is": ((1, 1, 3, 4), {"window": 5, "stride": 1, "padding": 2}),
    "one column": ((2, 1, 6, 1), {"window": (2, 1), "stride": 1}),
}
ONLY = {
    "max_pool2d": {"apart": ((1, 2, 11, 24), {"window": 3, "stride": 2, "padding": 2, "dilation": 2})},
    "avg_pool2d": {"what is there": ((1, 2, 9, 21), {"window": 3, "stride": 2, "padding": 1, "count_pad": False})},
}
CASES = [(call, name) for call in ONLY for name in (*POOLS, *ONLY[call])]


def pool(call: str, name: str, dtype: str = "f32", layout=None) -> ModelGraph:
    shape, given = (POOLS | ONLY[call])[name]
    b = GraphBuilder()
    return b.graph({"y": b.call(call, b.input(gt.tensor(shape, dtype, layout=layout), "x"), layout=layout, **given)})


class Making:
    """What a custom kernel needs of what solves a model."""

    def __init__(self, target: str, threads: int = 1):
        self.target, self.threads = resolve(target), threads


def by_rows(graph: ModelGraph, target: str, threads: int = 1) -> ModelProgram:
    """The model whose one part is pooled by rows."""
    part, making = part_of(graph, graph.calls), Making(target, threads)
    offer = PooledByRows().implementation(part, making)
    assert offer is not None and not offer.instead
    return ModelProgram(graph, graph, (SolvedPart(part, offer.program({})),), making.target, threads)


@pytest.mark.parametrize("call, name", CASES)
def test_a_pool_is_what_it_is_by_windows(call: str, name: str, tmp_path):
    """Under sanitizers: rows that lie beyond the image are not read."""
    graph = pool(call, name)
    x = np.random.default_rng(0).standard_normal(graph.inputs[0].type.shape).astype(np.float32) - 4
    (found,) = ran(by_rows(graph, "portable"), [x], tmp_path)
    np.testing.assert_allclose(found, interpret(graph, x)[0], rtol=1e-6)


@pytest.mark.parametrize("call", ONLY)
def test_what_is_no_number_is_in_all_windows_that_it_is_in(call: str):
    graph = pool(call, "three by three")
    x = np.zeros(graph.inputs[0].type.shape, np.float32)
    x[0, 0, 4, 7], x[1, 2, 8, 20], x[1, 0, 0, 0] = np.nan, np.inf, -np.inf
    found = by_rows(graph, "avx2").compile()(x)
    np.testing.assert_array_equal(found, interpret(graph, x)[0])


def test_threads_share_rows():
    b = GraphBuilder()
    graph = b.graph({"y": b.call("max_pool2d", b.input(gt.tensor((1, 64, 64, 64)), "x"), window=3, stride=1)})
    one, two = (by_rows(graph, "avx2", threads) for threads in (1, 2))
    assert one.cost > two.cost and "griotte_share_out" in two.to_c() and "griotte_share_out" not in one.to_c()
    x = np.random.default_rng(0).standard_normal((1, 64, 64, 64)).astype(np.float32)
    np.testing.assert_array_equal(two.compile()(x), one.compile()(x))


def test_of_others_there_is_no_offer():
    assert windows_of(pool("avg_pool2d", "as it comes", "f16").calls[0]) is None
    last = pool("avg_pool2d", "as it comes", layout=(1, 3, 2, 0))
    assert PooledByRows().implementation(part_of(last, last.calls), Making("portable")) is None
    graph = parse_graph("model(%x: f32[1,2,9,9]) { %y = max_pool2d(%x, window=3, stride=3) return %y }")
    assert windows_of(graph.calls[0]) is None


def test_the_cheaper_is_taken():
    graph = pool("max_pool2d", "next to each other")
    program = gt.synthesize(graph, target="avx2", table="none")
    (part,) = program.parts
    assert isinstance(part.program, StageProgram) == (by_rows(graph, "avx2").cost < gt.synthesize(
        graph.calls[0].spec, target="avx2", table="none"
    ).cost)  # fmt: skip
    assert program.cost <= by_rows(graph, "avx2").cost
