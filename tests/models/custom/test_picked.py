"""What stands at known places: rows of takes and of images resized to the nearest, moved as they lie."""

from __future__ import annotations

from collections.abc import Sequence

import griotte as gt
import numpy as np
import pytest
from checked import later
from griotte.lang.types.dtypes import convert
from griotte.models import GraphBuilder
from griotte.models.custom.kernels import is_alone
from griotte.models.custom.picked import rows_of
from griotte.models.custom.stages import StageProgram
from griotte.models.graph import ModelGraph
from griotte.models.layouts import CHANNELS_LAST, ValueLayout
from griotte.models.parts import part_of
from griotte.models.reference import interpret
from model_harness import ran

RNG = np.random.default_rng(4)
LONG = RNG.integers(0, 700, 900)  # no loops, and more than is written out
PICKED = {
    "reflected rows": ((2, 9, 5), {1: [2, 1, *range(9), 7, 6]}),
    "reflected elements": ((3, 40), {1: [3, 2, 1, *range(40), 38, 37]}),
    "each twice": ((3, 20), {1: np.repeat(range(20), 2)}),
    "each three times, both": ((2, 6, 7), {1: np.repeat(range(6), 3), 2: np.repeat(range(7), 3)}),
    "every other": ((2, 64), {1: [*range(0, 64, 2), 1]}),
    "backwards": ((4, 37), {1: range(36, -1, -1)}),
    "anywhere": ((3, 33), {1: RNG.integers(0, 33, 70)}),
    "anywhere, long": ((2, 700), {1: LONG}),
    "one row": ((37,), {0: [5, 5, 5, 4, 36]}),
    "beyond": ((5, 3), {0: [-4, 9, 2, 2]}),
    "few of each": ((6, 5, 2), {1: [4, 4, 0, 1, 2, 3, 3]}),
    "one of one": ((4, 1), {1: [0, 0, 0]}),
    "all axes": ((3, 4, 5), {0: [2, 0, 0], 1: [3, 3, 1], 2: [4, 1, 0, 0, 2]}),
    "twice along one": ((50,), {0: [9, 3, *range(20)], -1: [1, 0, 7, 6]}),
}


def picking(shape, places: dict[int, Sequence[int]], dtype: str = "f32") -> ModelGraph:
    b = GraphBuilder()
    value = b.input(gt.tensor(shape, dtype), "x")
    for axis, each in places.items():
        value = b.call("take", value, b.constant(np.array([*each], np.int32)), axis=axis)
    return b.graph({"y": value})


def drawn(graph: ModelGraph) -> np.ndarray:
    (x,) = graph.inputs
    limit = {"pred": 2, "s4": 8}.get(x.type.dtype, 100)
    return convert(np.random.default_rng(0).integers(0, limit, x.type.shape), x.type.dtype)


def taken(x: np.ndarray, places: dict[int, Sequence[int]]) -> np.ndarray:
    for axis, each in places.items():
        x = np.take(x, np.clip([*each], 0, x.shape[axis] - 1), axis)
    return x


@pytest.mark.parametrize("name", PICKED)
def test_what_is_taken_is_what_stands_there(name: str, tmp_path):
    """Under sanitizers: nothing beside a row is read or written."""
    shape, places = PICKED[name]
    graph = picking(shape, places)
    program = gt.synthesize(graph, target="portable", table="none")
    (part,) = program.parts
    assert isinstance(part.program, StageProgram) and program.stats["specs_solved"] == 0
    x = drawn(graph)
    np.testing.assert_array_equal(interpret(graph, x)[0], taken(x, places))
    np.testing.assert_array_equal(ran(program, [x], tmp_path)[0], taken(x, places))


@pytest.mark.parametrize("target", ["avx2", "portable"])
@pytest.mark.parametrize("dtype", ["pred", "s4", "s8", "bf16", "f64"])
@pytest.mark.parametrize("name", ["each twice", "anywhere", "every other", "few of each"])
def test_elements_of_any_width_move_as_they_are(name: str, dtype: str, target: str):
    graph = picking(*PICKED[name], dtype)
    x = drawn(graph)
    program, expected = gt.synthesize(graph, target=target, table="none"), taken(x, PICKED[name][1])
    later(program, [x], lambda found: np.testing.assert_array_equal(found, expected))


RESIZED = [
    ((8, 10), {"coordinates": "asymmetric", "rounding": "floor"}),
    ((13, 20), {}),
    ((2, 3), {}),
    ((7, 5), {"coordinates": "align_corners", "rounding": "round_prefer_ceil"}),
    ((6, 9), {"scales": (1.6, 1.9), "rounding": "ceil"}),
]


@pytest.mark.parametrize("size, given", RESIZED)
@pytest.mark.parametrize("layout", [None, (1, 3, 2, 0)])
def test_images_are_resized_in_any_layout(size, given, layout):
    b = GraphBuilder()
    x = b.input(gt.tensor((2, 3, 4, 5), layout=layout), "x")
    graph = b.graph({"y": b.call("resize", x, size=size, layout=layout, **given)})
    program = gt.synthesize(graph, target="portable", table="none")
    assert [type(part.program) for part in program.parts] == [StageProgram]
    array = np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5)
    if layout is not None:
        array = np.ascontiguousarray(array.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    later(program, [array], lambda found: np.testing.assert_array_equal(found, interpret(graph, array)[0]))


def test_parts_that_differ_in_their_places_alone_are_two():
    """Their Specs are one: what is taken is no part of it."""
    b = GraphBuilder()
    x = b.input(gt.tensor((6, 3)), "x")
    one, other = (b.call("take", x, b.constant(np.array(at, np.int32)), axis=0) for at in ((0, 1, 4), (1, 2, 5)))
    graph = b.graph({"y": b.call("add", one, b.call("exp", other))})
    array = drawn(graph)
    found = gt.compile(graph, target="portable", table="none")(array)
    np.testing.assert_allclose(found, array[[0, 1, 4]] + np.exp(array[[1, 2, 5]]), rtol=1e-6)


def test_threads_share_rows():
    graph = picking((600, 300), {1: np.repeat(range(300), 2)})
    one, two = (gt.synthesize(graph, target="avx2", threads=threads, table="none") for threads in (1, 2))
    assert one.cost > two.cost and "griotte_share_out" in two.to_c() and "griotte_share_out" not in one.to_c()
    x = drawn(graph)
    np.testing.assert_array_equal(two.compile()(x), np.repeat(x, 2, 1))


def test_between_maps_it_is_a_part_of_its_own():
    b = GraphBuilder()
    x = b.input(gt.tensor((6, 20)), "x")
    at = b.constant(np.array([4, 3, 3], np.int32))
    graph = b.graph({"y": b.call("neg", b.call("take", b.call("exp", x), at, axis=0))})
    program = gt.synthesize(graph, target="portable", table="none")
    assert [type(each.program) is StageProgram for each in program.parts] == [False, True, False]
    assert "3 rows of 80 bytes are put together" in program.explain() + str(program)


def test_what_comes_in_is_not_known():
    b = GraphBuilder()
    x, i = b.input(gt.tensor((6, 20)), "x"), b.input(gt.tensor((3,), "s32"), "i")
    assert not is_alone(b.call("take", x, i))
    assert is_alone(b.call("take", x, b.constant(np.zeros(3, np.int32))))
    assert not is_alone(b.call("take", x, b.constant(np.zeros((3, 1), np.int32))))


def test_of_two_layouts_there_are_no_rows():
    b = GraphBuilder()
    x = b.input(gt.tensor((2, 3, 4, 5)), "x")
    y = b.call("resize", x, size=(8, 10))
    graph = b.graph({"y": y})
    assert rows_of(part_of(graph, (y,))) is not None
    assert rows_of(part_of(graph, (y,), {y: ValueLayout(CHANNELS_LAST)})) is None
