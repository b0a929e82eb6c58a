"""Models read with a bound in place of a size: what they mean at any size, and what is refused, by name."""

from __future__ import annotations

import re
from typing import Any

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from onnx.reference import ReferenceEvaluator
from onnx_models import model, node, typed

MOST = 8
BOUND = f"<={MOST}"
SIZES = (1, 2, 5, MOST)
ROWS, WORDS = {"x": (BOUND, 12)}, {"x": (1, BOUND, 12)}
X, S = typed("x", ["n", 12]), typed("x", [1, "n", 12])


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).standard_normal(shape).astype(np.float32)


def whole(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def sizes_of(value: str, axis: int, gives: str) -> list[Any]:
    """One size of a value, as exporters write it."""
    return [node("Shape", value, f"{gives}0"), node("Gather", f"{gives}0 at{axis}", f"{gives}1"),
            node("Unsqueeze", f"{gives}1 zero", gives)]  # fmt: skip


KNOWN = {"at0": np.int64(0), "at1": np.int64(1), "zero": whole(0), "one": whole(1)}

MODELS = {
    "rows": (model([node("Reshape", "x s")], [X], ["y"], s=whole(-1, 3, 4)), ROWS),
    "rows as they are": (model([node("Reshape", "x s")], [X], ["y"], s=whole(0, 3, 4)), ROWS),
    "rows by their number": (
        model([*sizes_of("x", 0, "n"), node("Concat", "n rest", "s", axis=0), node("Reshape", "x s")], [X], ["y"],
              rest=whole(3, 4), **KNOWN),
        ROWS,
    ),
    "joined and parted": (
        model([node("Reshape", "x s", "a"), node("MatMul", "a w", "b"), node("Relu", "b", "c"), node("Add", "c v", "d"),
               node("Reshape", "d t")], [typed("x", ["n", 5, 12])], ["y"],
              s=whole(-1, 12), t=whole(-1, 5, 7), w=drawn(12, 7), v=drawn(7)),
        {"x": (BOUND, 5, 12)},
    ),
    "places": (
        model([*sizes_of("x", 1, "n"), node("Slice", "p zero n one", "q"), node("Add", "x q")], [S], ["y"],
              p=drawn(1, 20, 12), **KNOWN),
        WORDS,
    ),
    "places by number": (
        model([*sizes_of("x", 1, "n"), node("Squeeze", "n", "m"), node("Range", "at0 m at1", "r"),
               node("Gather", "p r", "q"), node("Add", "x q")], [S], ["y"], p=drawn(20, 12), **KNOWN),
        WORDS,
    ),
    "causal": (
        model([*sizes_of("x", 1, "n"), node("Concat", "n n", "nn", axis=0), node("ConstantOfShape", "nn", "o"),
               node("Add", "o at2", "p"), node("Trilu", "p", "t", upper=0), node("Transpose", "x", "k", perm=[0, 2, 1]),
               node("MatMul", "x k", "s"), node("Add", "s t")], [S], ["y"], at2=np.float32(2), **KNOWN),
        WORDS,
    ),
    "a mask": (
        model([*sizes_of("x", 1, "n"), node("Unsqueeze", "m one", "m3"), node("Concat", "one n n", "s", axis=0),
               node("Expand", "m3 s", "e"), node("Cast", "e", "f", to=1), node("Sub", "at1f f", "g"),
               node("Cast", "g", "p", to=9), node("Transpose", "x", "k", perm=[0, 2, 1]), node("MatMul", "x k", "q"),
               node("Where", "p low q", "r"), node("Softmax", "r", "t", axis=-1), node("MatMul", "t x", "y")],
              [S, typed("m", [1, "n"], np.int64)], ["y"], at1f=np.float32(1), low=np.float32(-1e9), **KNOWN),
        WORDS | {"m": (1, BOUND)},
    ),
    "a token before": (
        model([*sizes_of("x", 0, "n"), node("Concat", "n rest", "s", axis=0), node("Expand", "c s", "e"),
               node("Concat", "e x", axis=1)], [typed("x", ["n", 4, 6])], ["y"],
              rest=whole(1, 6), c=drawn(1, 1, 6), **KNOWN),
        {"x": (BOUND, 4, 6)},
    ),
    "a mean": (model([node("ReduceMean", "x one", keepdims=0)], [S], ["y"], **KNOWN), WORDS),
    "a mean by hand": (
        model([node("ReduceSum", "x one", "a", keepdims=0), *sizes_of("x", 1, "n"), node("Cast", "n", "m", to=1),
               node("Div", "a m")], [S], ["y"], **KNOWN),
        WORDS,
    ),
    "softmax": (model([node("Softmax", "x", axis=1)], [S], ["y"]), WORDS),
    "two of one": (
        model([node("Add", "x z")], [X, typed("z", ["n", 1])], ["y"]),
        ROWS | {"z": (BOUND, 1)},
    ),
    "images": (
        model([node("Conv", "x w b", "c", pads=[1, 1, 1, 1]), node("MaxPool", "c", "m", kernel_shape=[2, 2]),
               node("GlobalAveragePool", "m", "g"), node("Flatten", "g", "f"), node("Gemm", "f v e", transB=1)],
              [typed("x", ["n", 3, 6, 6])], ["y"], w=drawn(4, 3, 3, 3), b=drawn(4), v=drawn(5, 4), e=drawn(5)),
        {"x": (BOUND, 3, 6, 6)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_any_size(name):
    proto, shapes = MODELS[name]
    graph = gt.from_onnx(proto, shapes=shapes)
    assert graph.unsupported() == [] and graph.bound == MOST
    for size in SIZES:
        given = {}
        for value in graph.inputs:
            axes = value.type.dynamic_axes
            array = drawn(*(size if axis in axes else n for axis, n in enumerate(value.type.shape)))
            given[value.name] = array if value.type.dtype == "f32" else (array > 0).astype(np.int64)
        expected = ReferenceEvaluator(proto).run(None, given)
        for found, right in zip(interpret(graph, *given.values()), expected, strict=True):
            np.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-5)


def test_inputs_show_the_bound():
    graph = gt.from_onnx(MODELS["two of one"][0], shapes=MODELS["two of one"][1])
    assert [str(value.type) for value in graph.inputs] == ["f32[<=8,12]", "f32[<=8,1]"]
    assert [str(value.type) for value in graph.outputs] == ["f32[<=8,12]"]


def top(x: Any, axis: int, k: int, largest: int) -> Any:
    read = node("TopK", "x k", "v i", axis=axis, largest=largest)
    return model([node("Relu", "x", "r"), read], [x], ["r", "v", "i"], k=whole(k))


@pytest.mark.parametrize("k", [1, 2, 3, 6])
@pytest.mark.parametrize(("axis", "shapes"), [(1, ROWS), (0, ROWS), (1, WORDS), (2, WORDS)])
def test_the_first_of_an_open_size(k, axis, shapes):
    proto = top(X if shapes is ROWS else S, axis, k, k % 2)
    graph = gt.from_onnx(proto, shapes=shapes)
    graph.require_covered()
    open_axis = shapes["x"].index(BOUND)
    assert graph.least == (k if axis == open_axis else 1)
    for size in (graph.least, 7, MOST):
        x = drawn(*(size if isinstance(n, str) else n for n in shapes["x"]))
        for mine, theirs in zip(interpret(graph, x), ReferenceEvaluator(proto).run(None, {"x": x}), strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_more_than_there_are_is_refused():
    for shapes in (ROWS, {"x": (5, 12)}):
        graph = gt.from_onnx(top(X, 1, 13, 1), shapes=shapes)
        assert "the first 13 of 12 elements" in str(graph.unsupported()[0])
    graph = gt.from_onnx(top(X, 0, MOST + 1, 1), shapes=ROWS)
    assert "the first 9 of 8 elements" in str(graph.unsupported()[0])


REFUSED = {
    "join": (
        model([node("Reshape", "x s", name="join")], [X], ["y"], s=whole(-1)),
        ROWS,
        r"its shape would be \(24\) at 2",
    ),
    "window": (
        model([node("Conv", "x w", pads=[1, 1, 1, 1], name="window")], [typed("x", [1, 3, 6, "n"])], ["y"],
              w=drawn(4, 3, 3, 3)),
        {"x": (1, 3, 6, BOUND)},
        "conv2d of a dynamic size with windows",
    ),
    "last": (
        model([node("Gather", "x i", axis=1, name="last")], [S], ["y"], i=np.int64(-1)),
        WORDS,
        r"its starts would be \(0,1,0\) at 2",
    ),
    "twice": (model([node("Concat", "x x", axis=0, name="twice")], [X], ["y"]), ROWS, r"it gives f32\[4,12\] at 2"),
    "steps": (
        model([node("RNN", "x w r", hidden_size=3, name="steps")], [typed("x", ["n", 4, 5])], ["y"],
              w=drawn(1, 3, 5), r=drawn(1, 3, 3)),
        {"x": (BOUND, 4, 5)},
        "a loop of what has the size",
    ),
    "a batch": (
        model([node("LSTM", "x w r", hidden_size=3, name="a batch")], [typed("x", [4, "n", 5])], ["y"],
              w=drawn(1, 12, 5), r=drawn(1, 12, 3)),
        {"x": (4, BOUND, 5)},
        "a loop of what has the size; give a number as the size",
    ),
    "by number": (
        model([*sizes_of("x", 0, "n"), node("Cast", "n", "m", to=1), node("Mul", "x m", name="by number")], [X], ["y"],
              **KNOWN),
        ROWS,
        "numbers that it reads follow from the size",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_have_the_size_is_refused_by_name(name):
    proto, shapes, why = REFUSED[name]
    graph = gt.from_onnx(proto, shapes=shapes)
    (refused,) = graph.unsupported()
    assert refused.name == name and refused.operator in [each.op_type for each in proto.graph.node]
    assert re.search(why, refused.why) and "give a number as the size" in refused.why
    with pytest.raises(gt.SpecError, match=f"sizes up to 8, found 1 node of others: {refused.operator} {name}"):
        gt.compile(graph, target="portable", table="none")


def test_nodes_that_griotte_lacks_are_told_too():
    nodes = [node("NonZero", "x", "a"), node("Reshape", "x s", "b"), node("Relu", "x", "y")]
    proto = model(nodes, [X], ["a", "b", "y"], s=whole(-1))
    graph = gt.from_onnx(proto, shapes=ROWS)
    assert [(each.operator, each.step) for each in graph.unsupported()] == [("NonZero", None), ("Reshape", None)]
    assert [name for name, _ in graph.results] == ["y"]


@pytest.mark.parametrize(
    ("shapes", "told"),
    [
        ({"x": (BOUND, "<=9")}, "expected one size .* found '<=8' at axis 0 of 'x' .* and '<=9' at axis 1"),
        ({"x": (BOUND, BOUND)}, "expected one size .* found '<=8' at axis 0 of 'x' .n. and '<=8' at axis 1 of 'x' .m."),
        ({"x": ("<=1", 2)}, "a bound of 2 or more like '<=8', found '<=1'"),
        ({"x": ("many", 2)}, "expected sizes like 8, or '<=8'"),
        ({"x": (BOUND, 2), "z": (BOUND,)}, "expected 3 at axis 0 of 'z', as the model says, found '<=8'"),
    ],
)
def test_one_size_may_be_a_bound(shapes, told):
    proto = model([node("Relu", "x")], [typed("x", ["n", "m"]), typed("z", [3])], ["y"])
    with pytest.raises(gt.SpecError, match=told) as refused:
        gt.from_onnx(proto, shapes=shapes)
    assert "\n" not in str(refused.value)


def test_a_size_is_along_two_axes_at_most():
    with pytest.raises(
        gt.SpecError, match="expected one size .* along two axes at most, for 'x', found f32.2,2,2. at 2"
    ):
        gt.from_onnx(model([node("Relu", "x")], [typed("x", ["n"] * 3)], ["y"]), shapes={"x": (BOUND,) * 3})


def test_a_model_that_is_another_one_at_one_row_is_told():
    proto = model([node("Squeeze", "x")], [typed("x", ["n", 1, 3])], ["y"])
    with pytest.raises(gt.SpecError, match=r"'y' of shape \[1, 3\] where the size is 1, found \[3\]"):
        gt.from_onnx(proto, shapes={"x": (BOUND, 1, 3)})
