"""Known integers keep every digit, those that no float holds too: in operands, attributes, text and C."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from checked import later
from griotte.models.graph import GraphBuilder, ModelGraph
from griotte.models.reference import interpret
from griotte.models.simplify import simplify
from griotte.models.text import parse_graph

CALLS = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "equal": np.equal,
    "not_equal": np.not_equal,
    "less": np.less,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "bitwise_and": np.bitwise_and,
    "bitwise_xor": np.bitwise_xor,
    "div": lambda x, y: np.sign(x).astype(x.dtype) * np.sign(y).astype(x.dtype) * _magnitude(x, y),
    "mod": np.remainder,
}
ARRAYS = {
    "s64": np.array([0, 1, -1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63) + 1]),
    "u64": np.array([0, 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1], np.uint64),
}
NUMBERS = {
    "s64": (2**53 + 1, -(2**53) - 1, 2**62 + 1, 2**63 - 2, 2**63 - 1, -(2**63) + 1, 3),
    "u64": (2**53 + 1, 2**62 + 1, 2**63 + 1, 2**64 - 2, 2**64 - 1, 3),
}
CASES = [(dtype, number) for dtype in NUMBERS for number in NUMBERS[dtype]]


def _magnitude(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """|x| // |y|; no array has the least integer, whose magnitude is none."""
    return np.abs(x) // np.abs(y)


def graph_and_values(dtype: str, number: int, *shapes: tuple[int, ...]) -> tuple[ModelGraph, dict[str, np.ndarray]]:
    """Each call of an input and a known number, given as a number and as arrays of these shapes, either way round; and
    what NumPy makes of them."""
    builder, x = GraphBuilder(), ARRAYS[dtype]
    of = builder.input(gt.tensor(x.shape, dtype), "x")
    results, wanted = {}, {}

    def gives(call: str, want: np.ndarray, *reads: object, **attributes: object) -> None:
        name = f"y{len(results)}"
        results[name], wanted[name] = builder.call(call, *reads, **attributes), np.asarray(want)

    scalar = np.asarray(number, x.dtype)
    everywhere = np.full(x.shape, number, x.dtype)
    with np.errstate(all="ignore"):
        for known in [number, *(builder.constant(np.full(shape, number, x.dtype)) for shape in shapes)]:
            for call, meaning in CALLS.items():
                gives(call, meaning(x, everywhere), of, known)
                if call not in ("div", "mod") and not isinstance(known, int):
                    gives(call, meaning(everywhere, x), known, of)
            above = builder.call("greater", of, 2)
            gives("where", np.where(x > 2, x, scalar), above, of, known)
            gives("where", np.where(x > 2, scalar, x), above, known, of)
        gives("clip", np.maximum(x, scalar), of, low=number)
        gives("clip", np.minimum(x, scalar), of, high=number)
        gives("pad", np.pad(x, (1, 2), constant_values=number), of, before=(1,), after=(2,), value=number)
    return builder.graph(results), wanted


def require_same(found: tuple[np.ndarray, ...], wanted: dict[str, np.ndarray], graph: ModelGraph) -> None:
    for value, got, want in zip(graph.outputs, found, wanted.values(), strict=True):
        assert np.array_equal(got, want), (value.call, value.reads, got, want)


@pytest.mark.parametrize("dtype, number", CASES)
def test_calls_of_known_integers_are_exact_when_simplified_and_when_read_from_text(dtype, number):
    graph, wanted = graph_and_values(dtype, number, (), (1,), (8,))
    simple = simplify(graph)
    for each in (graph, simple, parse_graph(str(graph)), parse_graph(str(simple))):
        require_same(interpret(each, ARRAYS[dtype]), wanted, each)


@pytest.mark.parametrize("dtype, number", [("s64", 2**53 + 1), ("s64", 2**63 - 1), ("u64", 2**64 - 1)])
def test_kernels_of_known_integers_are_exact(dtype, number):
    graph, wanted = graph_and_values(dtype, number)
    later(gt.synthesize(graph), [ARRAYS[dtype]], lambda found: require_same(found, wanted, graph))


def test_a_pad_of_integers_without_a_value_is_of_zeros():
    spec = gt.pad(gt.tensor((3,), "u64"), before=(1,), after=(2,))
    assert str(spec) == "pad(u64[3], before=(1,), after=(2,)) -> u64[6]"


def test_constants_in_text_keep_their_digits():
    text = """model(
      %x: s64[2],
      %c: const s64[2] = (9007199254740993, -9223372036854775808),
    ) {
      %y = add(%x, %c) -> s64[2]
      return y=%y
    }"""
    (found,) = interpret(parse_graph(text), np.array([0, 0]))
    assert found.tolist() == [2**53 + 1, -(2**63)]


def test_numbers_that_are_not_finite_are_read_as_they_are_written():
    for spec in (
        gt.pad(gt.tensor((3,)), before=(1,), after=(2,), value=np.inf),
        gt.pad(gt.tensor((3,)), before=(1,), after=(2,), value=-np.inf),
        gt.pad(gt.tensor((3,)), before=(1,), after=(2,), value=np.nan),
        gt.clip(gt.tensor((3,)), low=-np.inf, high=2.5),
        gt.add(gt.tensor((3,)), np.nan),
        gt.mul(gt.tensor((3,)), -0.0),
        gt.maximum(gt.tensor((3,)), -np.inf),
    ):
        again = gt.parse(str(spec))
        assert again == spec and str(again) == str(spec), spec
        found, wanted = (gt.interpret(each, np.float32([1, -2, np.inf])) for each in (again, spec))
        assert found.tobytes() == wanted.tobytes(), spec


@pytest.mark.parametrize("text", ["clip(f32[3], low={})", "leaky_relu(f32[3], alpha={})", "add(f32[3], {})"])
def test_numbers_that_no_float_holds_are_refused(text):
    with pytest.raises(gt.SpecError, match=r"number.*found 1000"):
        gt.parse(text.format("1" + "0" * 309))
