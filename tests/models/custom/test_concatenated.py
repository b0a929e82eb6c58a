"""What a concat gives is copied row by row where it is no view: no search, and the maps behind by themselves."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from checked import later
from cuts import pieces_of
from griotte.lang.types.dtypes import convert
from griotte.models import reference
from griotte.models.custom.concatenated import ConcatRows, CopiedByRows, rows_of
from griotte.models.custom.stages import StageProgram, stage_of
from griotte.models.graph import GraphBuilder, ModelGraph
from griotte.models.layouts import CHANNELS_LAST, ValueLayout
from griotte.models.parts import part_of
from machines import machine
from model_harness import ran

JOINS = [
    # shapes, axis, rows of each, bytes of a row of each
    (((2, 3, 4), (2, 5, 4)), 1, 2, (48, 80)),
    (((3, 70), (3, 1), (3, 33)), -1, 3, (280, 4, 132)),
    (((1, 3, 4), (1, 3, 4)), 1, 1, (48, 48)),  # of inputs, which lie where they are given
    (((5, 2), (7, 2)), 0, 1, (40, 56)),
]


def joined(shapes, axis: int, dtype: str = "f32") -> ModelGraph:
    b = GraphBuilder()
    inputs = [b.input(gt.tensor(shape, dtype), f"x{n}") for n, shape in enumerate(shapes)]
    return b.graph({"y": b.call("concat", *inputs, axis=axis)})


def arrays_of(graph: ModelGraph) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [convert(rng.integers(-9, 9, value.type.shape), value.type.dtype) for value in graph.inputs]


@pytest.mark.parametrize("shapes, axis, count, bytes", JOINS)
def test_rows_are_copied(shapes, axis, count, bytes, tmp_path):
    graph = joined(shapes, axis)
    program = gt.synthesize(graph, target="portable", table="none")
    (part,) = program.parts
    assert isinstance(part.program.loop, ConcatRows) and program.stats["specs_solved"] == 0
    assert (part.program.loop.count, part.program.loop.bytes) == (count, bytes)
    (found,), arrays = ran(program, arrays_of(graph), tmp_path), arrays_of(graph)
    np.testing.assert_array_equal(found, np.concatenate(arrays, axis))


@pytest.mark.parametrize("dtype", ["f16", "pred", "s8", "s64"])
def test_elements_of_any_width(dtype):
    graph = joined(((4, 3), (4, 2)), 1, dtype)
    arrays = arrays_of(graph)
    program = gt.synthesize(graph, target="portable", table="none")
    later(program, arrays, lambda found: np.testing.assert_array_equal(found, np.concatenate(arrays, 1)))


def test_threads_share_the_rows_of_large_arrays(tmp_path):
    graph = joined(((600, 300), (600, 500)), 1)
    one, two = (gt.synthesize(graph, target="avx2", threads=threads, table="none") for threads in (1, 2))
    assert one.cost > two.cost and "griotte_share_out" in two.to_c() and "griotte_share_out" not in one.to_c()
    arrays = arrays_of(graph)
    np.testing.assert_array_equal(two.compile()(*arrays), np.concatenate(arrays, 1))
    few = gt.synthesize(joined(((6, 30), (6, 50)), 1), target="avx2", threads=2, table="none")
    assert "griotte_share_out" not in few.to_c()


def behind(b: GraphBuilder):
    """Of what a product alone gives to it, one operand twice, which is known; and a map behind."""
    x = b.input(gt.tensor((3, 4)), "x")
    known = b.constant(np.arange(6, dtype=np.float32).reshape(3, 2) - 3)
    product = b.call("matmul", x, b.constant(np.ones((4, 1), np.float32)))
    return b.call("relu", b.call("concat", product, known, known, axis=1))


def test_maps_behind_are_parts_of_their_own(tmp_path):
    b = GraphBuilder()
    graph = b.graph({"y": behind(b)})
    program = gt.synthesize(graph, target="portable", table="none", effort=1)
    assert [part.part.words for part in program.parts] == [("matmul",), ("concat",), ("relu",)]
    x = np.random.default_rng(1).standard_normal((3, 4)).astype(np.float32)
    (found,), (expected,) = ran(program, (x,), tmp_path), reference.interpret(graph, x)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert "3 rows of 4 + 8 + 8 bytes are copied" in str(program) and "concat" in program.explain()


def test_layouts_are_those_of_memory():
    """Channels last, what is joined along channels is rows of pixels; in two layouts it is no rows."""
    b = GraphBuilder()
    x, z = (b.call("exp", b.input(gt.tensor((2, c, 5, 6)), f"x{c}")) for c in (4, 8))
    b.graph({"y": (y := b.call("concat", x, z, axis=1))})
    graph = b.graph({"y": y})
    last = ValueLayout(CHANNELS_LAST)
    rows = rows_of(part_of(graph, (y,), {x: last, z: last, y: last}))
    assert rows is not None and (rows.count, rows.bytes) == (60, (16, 32))
    assert rows_of(part_of(graph, (y,), {x: last})) is None
    lying = {value: ValueLayout(value.type.minor_to_major, 4) for value in (x, z, y)}
    rows = rows_of(part_of(graph, (y,), lying))
    assert rows is not None and (rows.count, rows.bytes) == (2, (480, 960))  # of blocks of channels: one of an image
    assert rows_of(part_of(graph, (x, y))) is None and rows_of(part_of(graph, (x,))) is None


def test_a_copy_costs_what_copies_cost():
    """By the model it is within a third of the program of a copy of the same bytes, of all sizes."""
    for name in ("avx2", "avx512"):
        for count in (1_000, 30_000, 1_000_000):
            graph = joined(((1, count), (1, count)), 1)
            part = part_of(graph, graph.calls)
            rows = rows_of(part)
            assert rows is not None
            found = stage_of(rows, machine(name), 1).cost
            plain = gt.synthesize(f"copy(f32[{2 * count}])", target=machine(name), table="none").cost
            assert 0.66 < found / plain < 1.5, (name, count, found, plain)


def test_a_page_has_what_is_copied(tmp_path):
    program = gt.synthesize(joined(((2, 3), (2, 5)), 1), target="portable", table="none")
    program.to_html(tmp_path / "page.html")
    assert "2 rows of 12 + 20 bytes are copied" in (tmp_path / "page.html").read_text()


def test_channels_last_is_copied_by_pixels_where_that_is_chosen():
    """Between depthwise convolutions, which are cheaper with channels last: no maximum over operands is searched."""
    b = GraphBuilder()
    weights = lambda *shape: b.constant(np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32) / 4)
    x = b.input(gt.tensor((1, 8, 7, 7)), "x")
    one, two = (
        b.call(
            "relu", b.call("conv2d", b.call("conv2d", x, weights(n, 8, 1, 1)), weights(n, 1, 5, 5), padding=2, groups=n)
        )
        for n in (32, 48)
    )
    y = b.call("conv2d", b.call("concat", one, one, two, axis=1), weights(8, 112, 1, 1))
    graph = b.graph({"y": y})
    program = gt.synthesize(graph, target="avx2", effort=2)
    found = [part.program for part in program.parts if "concat" in part.part.words]
    assert len(found) == 1 and isinstance(found[0], StageProgram)
    given = np.random.default_rng(0).standard_normal((1, 8, 7, 7)).astype(np.float32)
    np.testing.assert_allclose(program.compile()(given), reference.interpret(graph, given)[0], rtol=2e-4, atol=2e-4)


def test_a_copied_concat_lies_as_what_it_reads_and_is_alone():
    b = GraphBuilder()
    x = b.input(gt.tensor((2, 4, 5, 5)), "x")
    conv = lambda value, n: b.call("conv2d", value, b.constant(np.ones((n, value.type.shape[1], 1, 1), np.float32)))
    both = b.call("concat", conv(x, 3), conv(x, 5), axis=1)
    graph = b.graph({"y": conv(both, 2)})
    pieces = pieces_of(graph, lambda value: 1.0, lambda value, now, then: 1.0)
    assert {value.call for value in pieces.flexible} == {"conv2d", "concat"} and len(pieces.flexible) == 3
    place = next(i for i, atom in enumerate(pieces.atoms) if atom.gives == (both,))
    assert all(piece.atoms == (place,) for piece in pieces.kept.values() if place in piece.atoms)
    # all three alike: in their own layouts, or in the other
    assert len(list(pieces.variants(pieces.singles[place]))) == 2


@pytest.mark.parametrize(
    "shapes, axis, open_axis",
    [(((3, 10, 2), (3, 6, 2)), 1, 2), (((4, 3, 2, 5), (4, 3, 4, 5)), -2, 1), (((3, 2, 5), (3, 4, 5)), 1, 2)],
)
def test_rows_of_a_size_that_is_open_within_others_are_not_copied_by_this_kernel(shapes, axis, open_axis):
    """Those of a smaller size are not the first of the bound; fewer rows would be written beyond the result."""
    b = GraphBuilder()
    size = lambda shape: tuple(f"<={n}" if a == open_axis else n for a, n in enumerate(shape))
    inputs = [b.input(gt.tensor(size(shape), "f32"), f"x{n}") for n, shape in enumerate(shapes)]
    value = b.call("concat", *inputs, axis=axis)
    assert not CopiedByRows().stands_alone(value)


def test_nothing_is_written_beyond_a_concat_of_fewer_rows_than_the_bound():
    b = GraphBuilder()
    x, z = b.input(gt.tensor(("<=64", 10), "f32"), "x"), b.input(gt.tensor(("<=64", 6), "f32"), "z")
    kernel = gt.compile(b.graph({"y": b.call("concat", x, z, axis=1)}), table="none")
    given = [np.arange(3 * n, dtype=np.float32).reshape(3, n) for n in (10, 6)]
    room = np.full(64 * 16 + 2048, 7.5, np.float32)
    result = room[1024 : 1024 + 3 * 16].reshape(3, 16)
    kernel(*given, out=result)
    assert np.array_equal(result, np.concatenate(given, 1))
    assert np.all(room[:1024] == 7.5) and np.all(room[1024 + 3 * 16 :] == 7.5)
