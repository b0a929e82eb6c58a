"""A model as text, and back."""

import numpy as np
import pytest
from griotte.lang.types.tensor import tensor
from griotte.models import GraphBuilder, parse_graph
from griotte.models.reference import interpret
from griotte.models.simplify import RULES
from griotte.support.errors import SpecError

TEXT = """\
model(
  %x: f32[1,3,4,4],
  %v0 "input.1": f32[4],
  %w: const f32[8,3,3,3],
  %half: const f32[] = 0.5,
  %v1: const f32[2,2] = (1, -0.25, 3e+20, -0),
) {
  %conv = conv2d(%x, %w, stride=2, padding=1) -> f32[1,8,2,2]   # Conv_0
  %v2 = mul(%conv, %half) -> f32[1,8,2,2]
  %v3 = add(%v2, %v1) -> f32[1,8,2,2]
  %v4 = maximum(%v3, 0.5) -> f32[1,8,2,2]
  %v5 = reshape(%v4) -> f32[1,8,4]
  %v6 = mul(%v5, %v0) -> f32[1,8,4]
  %v7 = cast(%v6) -> bf16[1,8,4]
  return "out.0"=%v7, y=%conv
}"""


def test_a_text_that_is_read_prints_as_it_was():
    graph = parse_graph(TEXT)
    assert str(graph) == TEXT.replace("   # Conv_0", "")
    assert [value.name for value in graph.inputs] == ["x", "input.1", "w"]
    assert [value.type.constant for value in graph.inputs] == [False, False, True]
    assert [name for name, _ in graph.results] == ["out.0", "y"]
    assert np.array_equal(graph.constants[1].array, np.array([[1, -0.25], [3e20, 0]], np.float32))
    assert np.signbit(graph.constants[1].array[1, 1])


def test_names_and_origins_are_written_as_far_as_they_can_be():
    builder = GraphBuilder()
    x, other = builder.input(tensor((2,)), "x/0"), builder.input(tensor((2,)), "v0")
    weights = builder.constant(np.arange(9, dtype=np.float32), "fc.weight")
    first = builder.call("add", x, other, name="sum", origin="Add\n1")
    second = builder.call("exp", first, name="sum")
    total = builder.call("sum", weights, axis=0)
    assert str(builder.graph({"b c": second, "d": total})).splitlines() == [
        "model(",
        '  %v1 "x/0": f32[2],',
        "  %v0: f32[2],",
        "  %v2: const f32[9],   # fc.weight",
        ") {",
        "  %v3 = add(%v1, %v0) -> f32[2]   # Add\\n1",
        "  %v4 = exp(%v3) -> f32[2]",
        "  %v5 = sum(%v2, axis=0) -> f32[]",
        '  return "b c"=%v4, d=%v5',
        "}",
    ]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.law[:60])
def test_all_calls_of_laws_read_back(rule):
    for example in rule.examples:
        builder = GraphBuilder()
        graph = builder.graph({"y": example(builder)})
        again = parse_graph(str(graph))
        assert str(parse_graph(str(again))) == str(again)
        assert [str(v.spec) for v in again.calls] == [str(v.spec) for v in graph.calls]


def test_calls_may_nest_and_what_is_written_twice_is_one():
    graph = parse_graph("model(%x: f32[2]) { %y = add(exp(%x), exp(%x)) return %y }")
    assert [value.call for value in graph.calls] == ["exp", "add"]
    (result,) = interpret(graph, np.zeros(2, np.float32))
    assert np.array_equal(result, [2, 2])


def test_dtypes_and_layouts_are_those_that_are_written():
    graph = parse_graph("model(%x: bf16[2,3]) { %y = exp(%x) -> f32[2,3]{0,1} return %y }")
    (value,) = graph.calls
    assert (value.type.dtype, value.type.minor_to_major) == ("f32", (0, 1))
    assert str(parse_graph(str(graph))) == str(graph)


def test_constants_keep_their_layout():
    builder = GraphBuilder()
    x = builder.input(tensor((2, 3)), "x")
    w = builder.constant(np.arange(6, dtype=np.float32).reshape(3, 2).T, "w")
    graph = builder.graph({"y": builder.call("add", x, w)})
    assert "%w: const f32[2,3]{0,1} = (0, 2, 4, 1, 3, 5)," in str(graph)
    again = parse_graph(str(graph))
    assert str(again) == str(graph)
    assert np.array_equal(again.constants[0].array, w.array)


WRONG = {
    "exp(f32[2])": "expected 'model\\('.*found 'exp' at line 1, column 1",
    "model(\n  %x: f32[2]\n) {\n  %y = exp(%z)\n  return %y\n}": "a name given before, found 'z' at line 4, column 13",
    "model(%x: f32[2]) {\n %x = exp(%x) return %x }": "each name to be given once, found 'x' at line 2, column 3",
    "model(%x: f32[2]) {\n %y = matmul(%x, %x)\n return %y }": "matmul.*at line 2, column 7",
    "model(%x: f32[2]) {\n %y = exp(f32[2])\n return %y }": "a value like %x, found 'f32' at line 2, column 11",
    "model(%x: f32[2] = 1) { return %x }": "no data for what is not constant.*at line 1, column 18",
    "model(%x: const f32[2] = (1,)) { return %x }": "expected 2 numbers for const f32\\[2\\], found 1 .at line 1, col",
    "model(%x: f32[2]) { %y = frob(%x) return %y }": "an operation, found 'frob' at line 1, column 26",
    "model(%x: f32[2]) { %y = exp(%x) -> f32[3] return %y }": "as the result of exp",
    "model(%x: f32[2]) { %y = exp(%x) }": "a call that has a name, or return, found '}' at line 1, column 34",
    "model(%x: f32[2]) { return %x } more": "the end of the model, found 'more' at line 1, column 33",
    "model(%x: f32[2]) { return %x": "found the end at line 1, column 30",
    "model(%x f32[2]) { return %x }": "':' and a type, found 'f32' at line 1, column 10",
}


@pytest.mark.parametrize("text", WRONG)
def test_errors_say_where(text):
    with pytest.raises(SpecError, match=WRONG[text]):
        parse_graph(text)
