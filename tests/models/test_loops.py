"""Loops of models: as text, by the reference, and as kernels."""

from __future__ import annotations

import pickle

import griotte as gt
import numpy as np
import pytest
from checked import later
from griotte.models import GraphBuilder, parse_graph
from griotte.models.looped import LoopProgram
from griotte.models.loops import LoopBuilder, ModelLoop
from griotte.models.reference import interpret
from griotte.models.simplify import simplify
from griotte.support.errors import SpecError
from model_harness import ran

RUNNING = """\
model(
  %h0: f32[4],
  %xs: f32[3,4],
  %bias: f32[4],
) {
  %last, %ys = scan(trips=3,
    carry %h: f32[4] = %h0,
    each %x: f32[4] = %xs backward,
    same %b: f32[4] = %bias,
    %half: const f32[] = 0.5,
  ) {
    %v0 = mul(%h, %half) -> f32[4]
    %v1 = add(%x, %b) -> f32[4]
    %v2 = add(%v0, %v1) -> f32[4]
    next %v2
    rows %v2 backward
  }
  return last=%last, ys=%ys
}"""

MODELS = {
    "backward": RUNNING,
    "two that change places": """model(%a0: f32[20], %b0: f32[20]) {
      %a, %b, %rows = scan(trips=5, carry %a: f32[20] = %a0, carry %b: f32[20] = %b0) {
        %sum = add(%a, %b)
        next %b, %sum
        rows %a
      }
      return a=%a, b=%b, rows=%rows }""",
    "one value as all": """model(%a0: f32[20], %xs: f32[4,20]) {
      %a, %b, %one, %other = scan(trips=4, carry %a: f32[20] = %a0, carry %b: f32[20] = %a0, each %x: f32[20] = %xs) {
        %sum = add(%a, mul(%b, %x))
        next %sum, %sum
        rows %sum, %sum backward
      }
      return a=%a, b=%b, one=%one, other=%other }""",
    "what is given is given on": """model(%a0: f32[4], %xs: f32[4,4], %m: f32[4]) {
      %a, %b, %given, %of_x, %known = scan(trips=4, carry %a: f32[4] = %a0, carry %b: f32[4] = %a0,
        each %x: f32[4] = %xs, same %m: f32[4] = %m, %k: const f32[2] = (1, 2)) {
        next %x, %b
        rows %m, %x, %k
      }
      return a=%a, b=%b, given=%given, of_x=%of_x, known=%known }""",
    "what nothing reads": """model(%a0: f32[4], %xs: f32[4,4]) {
      %a, _, _ = scan(trips=4, carry %a: f32[4] = %a0, carry %b: f32[4] = %a0, each %x: f32[4] = %xs) {
        %c = add(%a, 1.0)
        %d = mul(%b, %x)
        next %c, %d
        rows %b
      }
      return a=%a }""",
    "parts of what is known": """model(%a0: s32[], %xs: const s32[3] = (1, 2, 4)) {
      %a, %rows = scan(trips=3, carry %a: s32[] = %a0, each %x: s32[] = %xs backward) {
        %sum = add(mul(%a, 10), %x)
        next %sum
        rows %sum
      }
      return rows=%rows, a=%a }""",
    "views of parts of what is known": """model(%a0: f32[2,2], %xs: const f32[3,2] = (1, 2, 3, 4, 5, 6)) {
      %a, %rows = scan(trips=3, carry %a: f32[2,2] = %a0, each %x: f32[2] = %xs) {
        %line = reshape(%x) -> f32[2,1]
        %sum = add(mul(%a, 0.5), %line)
        next %sum
        rows %sum
      }
      return rows=%rows, a=%a }""",
    "a loop within a loop": """model(%a0: f32[16], %xs: f32[3,2,16]) {
      %a, %all, %sums = scan(trips=3, carry %a: f32[16] = %a0, each %x: f32[2,16] = %xs backward) {
        %inner, %rows = scan(trips=2, carry %h: f32[16] = %a, each %p: f32[16] = %x, same %z: f32[16] = %a) {
          %then = add(mul(%h, 0.5), mul(%p, %z))
          next %then
          rows %then backward
        }
        %sum = sum(%rows, axis=0)
        next %inner
        rows %rows, %sum
      }
      return a=%a, all=%all, sums=%sums }""",
    "one after the other": """model(%a0: f32[1,8], %xs: f32[6,1,8], %w: f32[8,8]) {
      _, %ys = scan(trips=6, carry %a: f32[1,8] = %a0, each %x: f32[1,8] = %xs, same %w: f32[8,8] = %w) {
        %h = tanh(add(matmul(%a, %w), %x))
        next %h
        rows %h
      }
      %zs = exp(%ys)
      %last, %rows = scan(trips=6, carry %a: f32[1,8] = %a0, each %x: f32[1,8] = %zs backward, same %w: f32[8,8] = %w) {
        %h = tanh(add(matmul(%a, %w), %x))
        next %h
        rows %h backward
      }
      %y = add(%rows, %last)
      return y=%y }""",
    "parts of a part, and rows side by side": """model(%a0: f32[8], %xs: f32[8,8]) {
      %part = slice(%xs, starts=(2,0), limits=(6,8))
      %a, %ys = scan(trips=4, carry %a: f32[8] = %a0, each %x: f32[8] = %part) {
        %then = concat(slice(%a, starts=(4,), limits=(8,)), slice(%x, starts=(0,), limits=(4,)), axis=0)
        %h = add(%then, 1.0)
        next %h
        rows %h
      }
      %bs = exp(%xs)
      %all = mul(concat(%ys, %bs, axis=0), 2.0)
      return all=%all, a=%a }""",
    "one turn": """model(%a0: f32[4], %xs: f32[1,4]) {
      %a, %ys = scan(trips=1, carry %a: f32[4] = %a0, each %x: f32[4] = %xs) {
        %b = add(%a, %x)
        %c = mul(%a, %x)
        next %b
        rows %c
      }
      return a=%a, ys=%ys }""",
}


def drawn(graph) -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    dtype = lambda value: np.int32 if value.type.dtype == "s32" else np.float32
    return [rng.integers(-2, 3, value.type.shape).astype(dtype(value)) for value in graph.inputs]


def turns(h, xs, b):
    """What `RUNNING` is."""
    ys = np.empty_like(xs)
    for t in range(3):
        h = h * np.float32(0.5) + (xs[2 - t] + b)
        ys[2 - t] = h
    return h, ys


def test_a_turn_takes_its_part_and_gives_its_row():
    graph = parse_graph(RUNNING)
    arrays = drawn(graph)
    for mine, right in zip(interpret(graph, *arrays), turns(*arrays), strict=True):
        np.testing.assert_array_equal(mine, right)


def test_what_is_carried_changes_places():
    graph = parse_graph(MODELS["two that change places"])
    a, b = first, second = drawn(graph)
    rows = []
    for _ in range(5):
        rows.append(a)
        a, b = b, a + b
    for mine, right in zip(interpret(graph, first, second), (a, b, np.stack(rows)), strict=True):
        np.testing.assert_array_equal(mine, right)


@pytest.mark.parametrize("name", MODELS)
def test_a_loop_reads_back(name: str):
    graph = parse_graph(MODELS[name])
    assert str(parse_graph(str(graph))) == str(graph)
    assert parse_graph(str(graph)).digest == graph.digest
    again = pickle.loads(pickle.dumps(graph))
    assert (again.digest, str(again)) == (graph.digest, str(graph))


def test_the_text_of_a_loop():
    assert str(parse_graph(RUNNING)) == RUNNING


@pytest.mark.parametrize("name", MODELS)
def test_a_simpler_loop_gives_the_same(name: str):
    graph = parse_graph(MODELS[name])
    arrays = drawn(graph)
    for mine, right in zip(interpret(simplify(graph), *arrays), interpret(graph, *arrays), strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_the_kernel_of_a_loop_gives_what_it_means(name: str):
    graph = parse_graph(MODELS[name])
    arrays = drawn(graph)

    def right(found):
        found = found if isinstance(found, tuple) else (found,)
        for mine, meant in zip(found, interpret(graph, *arrays), strict=True):
            np.testing.assert_allclose(mine, meant, rtol=1e-5, atol=1e-6)

    later(gt.synthesize(graph, target="portable", table="none"), arrays, right)


@pytest.mark.parametrize("name", ["a loop within a loop", "parts of a part, and rows side by side", "one value as all"])
def test_the_c_of_a_loop_touches_nothing_else(name: str, tmp_path):
    """Under sanitizers, with results in the place of what they are computed of."""
    graph = parse_graph(MODELS[name])
    arrays = drawn(graph)
    program = gt.synthesize(graph, target="portable", table="none", effort=1)
    for mine, right in zip(ran(program, arrays, tmp_path), interpret(graph, *arrays), strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-5, atol=1e-6)


def test_a_loop_beside_what_has_a_size_of_its_own():
    """A loop is of numbers: the size may be elsewhere in the model, not in it."""
    text = """model(%x: f32[<=6,4], %h0: f32[4]) {{
      %last = scan(trips=3, carry %h: f32[4] = %h0{more}) {{
        %then = add(%h, {added})
        next %then
      }}
      %y = add(%x, %last)
      return %y }}"""
    graph = parse_graph(text.format(more="", added="1.0"))
    kernel = gt.compile(graph, target="portable", table="none")
    x, h0 = np.ones((2, 4), np.float32), np.zeros(4, np.float32)
    np.testing.assert_array_equal(kernel(x, h0), np.full((2, 4), 4, np.float32))
    (again,) = interpret(graph, x, h0)
    np.testing.assert_array_equal(again, np.full((2, 4), 4, np.float32))
    with pytest.raises(SpecError, match="of fixed sizes"):
        parse_graph("""model(%x: f32[<=6,4]) {
          %last = scan(trips=3, carry %h: f32[<=6,4] = %x) {
            %then = exp(%h)
            next %then
          }
          return %last }""")


def stacked(layers: int, trips: int = 4, size: int = 8):
    """Cells on top of each other, all of other weights; the last value of each and the rows of the last."""
    rng, builder = np.random.default_rng(1), GraphBuilder()
    h0 = builder.input(gt.tensor((1, size)), "h0")
    xs = builder.input(gt.tensor((trips, 1, size)), "xs")
    lasts = []
    for _ in range(layers):
        loop = LoopBuilder(builder, trips)
        h, x = loop.carried(h0), loop.each(xs)
        w = builder.constant(rng.standard_normal((size, size)).astype(np.float32) / 4)
        then = builder.call("tanh", builder.call("add", builder.call("matmul", h, w), x))
        last, xs = loop.scan([then], [(then, False)])
        lasts.append(last)
    return builder.graph({"ys": xs} | {f"last{n}": last for n, last in enumerate(lasts)})


def test_the_body_is_solved_once_and_alike_bodies_are():
    graph = stacked(2)
    program = gt.synthesize(graph, target="portable", table="none")
    loops = [each.program for each in program.parts if isinstance(each.program, LoopProgram)]
    assert [loop.loop.trips for loop in loops] == [4, 4]
    one, other = ([id(each.program) for each in loop.parts] for loop in loops)
    assert one == other
    turn = sum(each.program.cost for each in loops[0].parts if each.program is not None)
    assert loops[0].cost > 4 * turn
    source = program.to_c()
    assert source.count("for (int64_t t0 = 0; t0 < 4; t0++)") == 2
    assert program.stats["parts"] == sum(each.program is not None for loop in loops for each in loop.parts)


def test_a_loop_is_told_as_one_part(tmp_path):
    program = gt.synthesize(stacked(1), target="portable", table="none")
    (told,) = (line for line in program.explain().splitlines() if "turns" in line)
    assert told.split()[0] == "1" and "1.00 x" in told and "4 turns of 4 calls" in told
    assert "loop of 4" in str(program) and "part 1, matmul, add, tanh" in str(program)
    program.to_html(tmp_path / "p.html")
    assert "4 turns of 4 calls" in (tmp_path / "p.html").read_text()
    timed = program.timed()
    assert timed.source.count("ticks[") == 2  # before the loop and after it


def test_what_is_the_same_in_all_turns_is_computed_once():
    builder = GraphBuilder()
    h0, w = builder.input(gt.tensor((2, 4)), "h0"), builder.input(gt.tensor((4, 4)), "w")
    loop = LoopBuilder(builder, 3)
    h = loop.carried(h0)
    then = builder.call("matmul", h, builder.call("exp", w))
    (last,) = loop.scan([then])
    graph = builder.graph({"y": last})
    assert [value.call for value in graph.calls] == ["exp", "scan"]
    assert [value.call for value in last.opaque.body.calls] == ["matmul"]


def test_a_product_of_parts_with_weights_is_one_ahead_of_the_loop():
    graph = parse_graph("""model(%h0: f32[2,4], %xs: f32[3,2,5], %w: f32[5,4], %k: const f32[5,4]) {
      _, %ys = scan(trips=3, carry %h: f32[2,4] = %h0, each %x: f32[2,5] = %xs backward, same %v: f32[5,4] = %w,
        same %k: f32[5,4] = %k) {
        %one = matmul(%x, %v)
        %two = matmul(%x, %k)
        %then = tanh(add(add(%one, %two), %h))
        next %then
        rows %then
      }
      return %ys }""")
    simple = simplify(graph)
    assert [value.call for value in simple.calls] == ["matmul", "matmul", "scan"]
    loop = simple.calls[-1].opaque
    assert "matmul" not in {value.call for value in loop.body.calls} and loop.slices == (True, True)
    arrays = [np.random.default_rng(0).standard_normal(v.type.shape).astype(np.float32) for v in graph.inputs]
    for mine, right in zip(interpret(simple, *arrays), interpret(graph, *arrays), strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-5, atol=1e-6)


def test_what_nothing_asks_for_is_not_computed():
    graph = simplify(parse_graph(MODELS["what nothing reads"]))
    (value,) = graph.calls
    assert (value.opaque.carried, value.opaque.slices, value.opaque.rows) == (1, (), ())
    assert [inner.call for inner in value.opaque.body.calls] == ["add"]


def test_constants_are_known_within_the_body():
    graph = simplify(
        parse_graph("""model(%a0: f32[2], %k: const f32[2] = (1, 2)) {
          %b = scan(trips=3, carry %a: f32[2] = %a0, same %c: f32[2] = %k) {
            %d = add(%a, exp(%c))
            next %d
          }
          return %b }""")
    )
    (value,) = graph.calls
    assert value.values == graph.inputs and len(value.opaque.body.constants) == 1


def test_a_constant_of_a_body_without_data_is_an_input():
    graph = parse_graph("""model(%a0: f32[2]) {
      %b = scan(trips=3, carry %a: f32[2] = %a0, %w: const f32[2]) {
        %c = mul(%a, %w)
        next %c
      }
      return %b }""")
    assert [str(value.type) for value in graph.inputs] == ["f32[2]", "const f32[2]"]
    assert str(parse_graph(str(graph))) == str(graph)


WRONG = {
    "scan(trips=2, carry %a: f32[2] = %x) { next %a rows %a }": "expected 2 names of what a loop gives, found 1",
    "scan(trips=2, carry %a: f32[3] = %x) { next %a }": "expected f32.3. as an operand of scan, found f32.2.",
    "scan(trips=2, each %a: f32[] = %x, carry %b: f32[2] = %x) { %c = exp(%x) next %c }": "a name given before",
    "scan(trips=2, carry %a: f32[2] = %x) { %b = sum(%a) next %b }": "expected f32.2. to be carried on as 'a'",
    "scan(trips=2, carry %a: f32[2] = %x) { rows %a }": "expected a body of 1 values that are carried",
    "scan(trips=0, carry %a: f32[2] = %x) { next %a }": "a loop of 1 turn or more, found 0",
    "scan(carry %a: f32[2] = %x) { next %a }": "scan.trips=.., found 'carry'",
    "scan(trips=2, %a: f32[2] = %x) { next %a }": "no data for what is not constant",
    "scan(trips=2, %a: f32[2]) { next %a }": "carry, each, same before what is no constant",
    "scan(trips=2, take %a: f32[2] = %x) { next %a }": "carry, each, same or a constant, found 'take'",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_loop_is_told(text: str):
    with pytest.raises(SpecError, match=WRONG[text]):
        parse_graph(f"model(%x: f32[2]) {{ %y = {text} return %y }}")


def test_loops_within_each_other_have_a_bound():
    text = "scan(trips=2, carry %x: f32[2] = %x) { %y = " * 60
    with pytest.raises(SpecError, match="at most 50 loops within each other"):
        parse_graph(f"model(%x: f32[2]) {{ %y = {text}")


def test_values_of_other_layouts_are_copied_before_a_loop():
    builder = GraphBuilder()
    x = builder.input(gt.tensor((2, 3)), "x")
    other = builder.call("exp", x, layout=(0, 1))
    inner = GraphBuilder()
    h = inner.input(gt.tensor((2, 3)), "h")
    loop = ModelLoop(inner.graph({"then0": inner.call("neg", h)}), 3, 1)
    (last,) = builder.make(loop, other)
    assert last.values[0].call == "copy" and last.values[0].type.is_row_major
