"""Calls over whole arrays, `scatter` and `bits`: what they mean, their text, and their kernels."""

from __future__ import annotations

import pickle

import griotte as gt
import numpy as np
import pytest
from griotte.lang.types.dtypes import dtype
from griotte.models import parse_graph
from griotte.models.custom.stages import ArrayProgram
from griotte.models.reference import interpret
from griotte.support.errors import SpecError
from model_harness import ran

TEXT = """\
model(
  %x: {type}[5,3,4],
  %places: {places}[6],
  %updates: {type}[6,4],
) {{
  %y = scatter(%x, %places, %updates, how={how}, axes=2) -> {type}[5,3,4]
  return y=%y
}}"""
JOINED = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def graph_of(how: str, type: str = "f32", places: str = "s32"):
    return parse_graph(TEXT.format(how=how, type=type, places=places))


def drawn(graph) -> list[np.ndarray]:
    """Places that are met twice, and some that are beyond the rows."""
    rng = np.random.default_rng(0)
    x, places, updates = (dtype(value.type.dtype).numpy for value in graph.inputs)
    draw = lambda kind, *shape: rng.integers(0, 9, shape).astype(kind)
    at = np.array([3, 14, 3, 0, 99, 3] if places.kind == "u" else [3, 14, 3, -5, 99, 3])
    return [draw(x, 5, 3, 4), at.astype(places), draw(updates, 6, 4)]


def wanted(how: str, x: np.ndarray, places: np.ndarray, updates: np.ndarray) -> np.ndarray:
    rows = x.reshape(15, 4).copy()
    for at, update in zip(np.clip(places.astype(int), 0, 14), updates):
        rows[at] = update if how == "set" else JOINED[how](rows[at], update)
    return rows.reshape(x.shape)


@pytest.mark.parametrize("how", ["set", *JOINED])
@pytest.mark.parametrize("type", ["f32", "f64", "s8", "u8", "s64"])
def test_updates_are_joined_with_rows_in_their_order(how: str, type: str):
    graph = graph_of(how, type)
    arrays = drawn(graph)
    (found,) = interpret(graph, *arrays)
    np.testing.assert_array_equal(found, wanted(how, *arrays))


@pytest.mark.parametrize(
    ("how", "type", "places"),
    [("set", "bf16", "s64"), ("add", "f32", "s32"), ("mul", "s8", "s32"), ("max", "f64", "u8"), ("min", "s32", "s64")],
)
def test_the_kernel_gives_what_the_call_means(how: str, type: str, places: str, tmp_path):
    """Under sanitizers; and whole, with what is no number."""
    graph = graph_of(how, type, places)
    arrays = drawn(graph)
    if type in ("f32", "f64"):
        arrays[0][1, 0, 0] = arrays[2][1, 2] = np.nan
    program = gt.synthesize(graph, target="portable", table="none")
    (expected,) = interpret(graph, *arrays)
    for found in (*ran(program, arrays, tmp_path), program.compile()(*arrays)):
        np.testing.assert_array_equal(found, expected)


def test_it_is_a_part_of_its_own():
    graph = parse_graph("""model(%x: f32[8,4], %i: s32[2], %u: f32[2,4]) {
      %a = exp(%x)
      %b = scatter(%a, %i, %u, how=add)
      %c = scatter(%b, %i, %u, how=add)
      %y = mul(%c, 2.0)
      return y=%y }""")
    program = gt.synthesize(graph, target="portable", table="none")
    own = [each.program for each in program.parts if isinstance(each.program, ArrayProgram)]
    assert len(own) == 2 and own[0] is own[1] and own[0].cost > 0
    assert "scatter(f32[8,4], s32[2], f32[2,4], how=add, axes=1)" in str(program)
    assert [line.split()[-1] for line in program.explain().splitlines() if "scatter" in line] == ["scatter"] * 2
    x, i, u = np.ones((8, 4), np.float32), np.array([1, 1], np.int32), np.ones((2, 4), np.float32)
    (expected,) = interpret(graph, x, i, u)
    np.testing.assert_allclose(program.compile()(x, i, u), expected, rtol=1e-6)


def test_it_may_be_within_a_loop():
    graph = parse_graph("""model(%h0: f32[6,2], %rows: s32[5,1], %xs: f32[5,1,2]) {
      %last = scan(trips=5, carry %h: f32[6,2] = %h0, each %i: s32[1] = %rows, each %x: f32[1,2] = %xs) {
        %then = scatter(%h, %i, %x, how=add)
        next %then
      }
      return %last }""")
    rng = np.random.default_rng(0)
    arrays = [
        rng.integers(0, 5, (6, 2)).astype(np.float32),
        rng.integers(0, 6, (5, 1)).astype(np.int32),
        rng.integers(0, 5, (5, 1, 2)).astype(np.float32),
    ]
    expected = arrays[0].copy()
    np.add.at(expected, arrays[1][:, 0], arrays[2][:, 0])
    np.testing.assert_array_equal(interpret(graph, *arrays)[0], expected)
    np.testing.assert_array_equal(gt.compile(graph, target="portable", table="none")(*arrays), expected)


def test_its_text_reads_back():
    text = TEXT.format(how="max", type="f32", places="s32")
    graph = parse_graph(text)
    assert str(graph) == text
    assert pickle.loads(pickle.dumps(graph)).digest == graph.digest == parse_graph(text).digest
    short = parse_graph("model(%x: f32[4], %i: s32[2], %u: f32[2]) { %y = scatter(%x, %i, %u) return %y }")
    assert "scatter(%x, %i, %u, how=set, axes=1) -> f32[4]" in str(short)


WRONG = {
    "scatter(%x, %i)": "expected 3 operands of scatter, found 2",
    "scatter(%x, %i, %u, how=most)": "how=set or add or mul or max or min, axes=a number of scatter, found how=most",
    "scatter(%x, %i, %u, axes=3)": "expected rows along 1 to 2 axes of f32.4,2., found axes=3",
    "scatter(%x, %u, %u)": "expected integers as places",
    "scatter(%x, %i, %i)": "expected f32.3, 2. as updates of f32.4,2., found s32.3.",
    "scatter(%x, %i, %u) -> f32[4,3]": "expected f32.4,2. of scatter",
    "scatter(%h, %i, %w, how=add)": "expected numbers of their own arithmetic to be joined, found f16.4. with how=add",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_does_not_fit_is_told(text: str):
    with pytest.raises(SpecError, match=WRONG[text]):
        parse_graph(
            f"model(%x: f32[4,2], %i: s32[3], %u: f32[3,2], %h: f16[4], %w: f16[3]) {{ %y = {text} return %y }}"
        )


# Bits of elements as another dtype ---------------------------------------------------------


def bits_of(given: str, shape: str, wanted: str):
    return parse_graph(f"model(%x: {given}[{shape}]) {{ %y = bits(%x, dtype={wanted}) return y=%y }}")


def any_bits(given: str, shape: tuple[int, ...]) -> np.ndarray:
    """Any bits."""
    row = dtype(given)
    return np.random.default_rng(0).integers(0, 256, (*shape, row.bytes), np.uint8).view(row.numpy).reshape(shape)


BITS = {
    ("f32", "3,5", "s32"): (3, 5),
    ("s32", "3,5", "f32"): (3, 5),
    ("bf16", "7", "u16"): (7,),
    ("s16", "2,3", "f16"): (2, 3),
    ("f64", "4", "u64"): (4,),
    ("f8e5m2", "5,3", "u8"): (5, 3),
    ("f32", "3,5", "u8"): (3, 5, 4),
    ("u16", "3,5,2", "f32"): (3, 5),
    ("s8", "8", "f64"): (),
    ("f32", "", "bf16"): (2,),
}


@pytest.mark.parametrize(("given", "shape", "wanted"), BITS)
def test_the_kernel_gives_the_same_bytes(given: str, shape: str, wanted: str, tmp_path):
    """Under sanitizers."""
    graph = bits_of(given, shape, wanted)
    (x,) = (any_bits(given, value.type.shape) for value in graph.inputs)
    (type,) = (value.type for _, value in graph.results)
    assert type.shape == BITS[given, shape, wanted]
    (meant,) = interpret(graph, x)
    (found,) = ran(gt.synthesize(graph, target="portable", table="none"), [x], tmp_path)
    for each in (meant, found):
        assert each.dtype == dtype(wanted).numpy and each.shape == type.shape and each.tobytes() == x.tobytes()


def test_threads_share_stretches():
    graph = bits_of("f32", "1000,1001", "u32")
    one, two = (gt.synthesize(graph, target="avx2", threads=threads, table="none") for threads in (1, 2))
    assert one.cost > two.cost and "griotte_share_out" in two.to_c() and "griotte_share_out" not in one.to_c()
    x = any_bits("f32", (1000, 1001))
    (found,) = (two.compile()(x),)
    assert found.tobytes() == x.tobytes()


def test_signs_are_turned_between_other_calls():
    """-x, of all that x may be, by its bits."""
    graph = parse_graph("""model(%x: f32[40,9]) {
      %a = abs(%x)
      %b = bits(%a, dtype=s32)
      %c = bitwise_or(%b, -2147483648)
      %d = bits(%c, dtype=f32)
      %y = mul(%d, 2.0)
      return y=%y }""")
    x = np.random.default_rng(0).standard_normal((40, 9)).astype(np.float32)
    np.testing.assert_array_equal(gt.compile(graph, target="avx2", table="none")(x), -2 * np.abs(x))


NO_BITS = {
    ("f32[4,8]", "f64"): "expected a last axis of 2 of f32.4,8.",
    ("f32[]", "f64"): "expected a last axis of 2 of f32",
    ("pred[4]", "u8"): "expected an array of fixed sizes and of whole bytes",
    ("s4[4]", "u8"): "expected an array of fixed sizes and of whole bytes",
    ("f32[4]", "pred"): "expected dtype=u8 or s8 or u16",
}


@pytest.mark.parametrize(("type", "wanted"), NO_BITS)
def test_bits_that_do_not_fit_are_told(type: str, wanted: str):
    with pytest.raises(SpecError, match=NO_BITS[type, wanted]):
        parse_graph(f"model(%x: {type}) {{ %y = bits(%x, dtype={wanted}) return y=%y }}")
