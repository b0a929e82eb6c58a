"""Names of inputs and outputs: any, and outputs that are told twice or are no call's."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.runtime.model import load
from onnx_models import by_onnxruntime, evaluated, model, node, typed

X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
W = np.arange(12, dtype=np.float32).reshape(3, 4)
PYTHON = "self args arrays named kernel threads lambda class True None __init__ __class__"
C = "int for double static inline _Bool asm main memcpy const expf NULL size_t j0 y0 stdin errno EOF INFINITY I unix or"
CPP = "template new this operator namespace"
OWN = "weights constants team n i0 T f32[3] result signature griotte_model"
ODD = [
    "a/b:0",
    "x.1",
    " ",
    "x y",
    "été",
    "日本",
    "0",
    "1x",
    "-",
    "*",
    "a,b",
    "x\ny",
    "%s",
    '"',
    "\\",
    "/*",
    "*/",
    "{0}",
    "x" * 300,
]
NAMES = [*PYTHON.split(), *C.split(), *CPP.split(), *OWN.split(), *ODD]


def negatives(names: list[str], gives: list[str]):
    nodes = [node("Neg", "", "") for _ in names]
    for each, name, given in zip(nodes, names, gives):
        each.input[:], each.output[:] = [name], [given]
    return gt.compile(gt.from_onnx(model(nodes, [typed(name, (3, 4)) for name in names], gives)))


def check(kernel, names: list[str]) -> None:
    given = {name: X + n for n, name in enumerate(names)}
    for found in (kernel(*given.values()), kernel(**given), kernel.bind(**given)()):
        for result, array in zip(found, given.values(), strict=True):
            np.testing.assert_array_equal(result, -array)


def test_inputs_and_outputs_have_any_name(tmp_path):
    inputs, outputs = (
        negatives(NAMES, [f"result {n}" for n in range(len(NAMES))]),
        [f"input {n}" for n in range(len(NAMES))],
    )
    check(inputs, NAMES)
    inputs.save(tmp_path, name="odd", cmake=True, wheel="odd")
    check(load(tmp_path), NAMES)
    check(negatives(outputs, [*NAMES[:-1], "out"]), outputs)


def test_by_a_host_too():
    graph = gt.from_onnx(model([node("Det", "self", "d"), node("Neg", "d")], [typed("self", (2, 2, 2))], ["y"]))
    kernel, x = gt.compile(graph, host="numpy"), np.stack([np.eye(2), 2 * np.eye(2)]).astype(np.float32)
    for found in (kernel(x), kernel(self=x), kernel.bind(self=x)()):
        np.testing.assert_allclose(found, [-1, -4])


def test_an_input_named_out_goes_by_order():
    kernel = negatives(["a", "out"], ["y", "z"])
    np.testing.assert_array_equal(kernel(X, X + 1)[1], -X - 1)
    with pytest.raises(gt.SpecError, match="by order"):
        kernel(X, out=X)


@pytest.mark.parametrize("names", ["y y", "y z y", "y x", "x", "x x", "y w", "w y w", "w", "none y none", "y y_2 y"])
def test_an_output_may_be_told_twice_be_an_input_or_be_known(names):
    outputs = names.split()
    nodes = [node("Relu", "x"), *(node("Neg", "x", name) for name in ("z", "y_2") if name in outputs)]
    proto = model(nodes, [typed("x", (3, 4))], outputs, w=W, none=np.zeros((0, 4), np.float32))
    expected = {"x": X, "y": np.maximum(X, 0), "z": -X, "y_2": -X, "w": W, "none": np.zeros((0, 4), np.float32)}
    graph = gt.from_onnx(proto)
    told = [name for name, _ in graph.results] + [each.name for each in graph.empty]
    assert len(set(told)) == len(outputs)
    kernel = gt.compile(graph)
    found = kernel(X)
    found = found if isinstance(found, tuple) else (found,)
    for n, (name, result) in enumerate(zip(outputs, found, strict=True)):
        np.testing.assert_array_equal(result, expected[name], strict=True)
        assert not any(np.shares_memory(result, other) for other in (X, *found[:n]))


def test_branches_and_bodies_may_give_a_value_twice():
    body = model([node("Relu", "h", "r"), node("Identity", "c", "d")], [], ["d", "r", "r"]).graph
    body.input.extend([typed("i", (), np.int64), typed("c", (), np.bool_), typed("h", (3, 4))])
    proto = model([node("Loop", "n  x", "y s", body=body)], [typed("x", (3, 4))], ["y", "s"], n=np.array(2))
    for result, other in zip(evaluated(proto, X), by_onnxruntime(proto, X), strict=True):
        np.testing.assert_array_equal(result, other)


def test_functions_have_parameters_of_any_name():
    np.testing.assert_array_equal(gt.jit(lambda self, function: self - function)(self=X, function=W), X - W)
    assert gt.graph(lambda self, function: self - function, self="f32[3,4]", function="f32[3,4]").inputs
