"""Tensors without elements: what is known of them is all there is, in a kernel too."""

from __future__ import annotations

import pickle

import griotte as gt
import numpy as np
import pytest
from griotte.models import parse_graph
from griotte.models.reference import interpret
from griotte.onnx import Backend
from griotte.runtime.model import load
from onnx_models import model, node, typed

X = typed("x", (2, 3))
ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
NOWHERE = {"starts": np.array([5]), "ends": np.array([9]), "axes": np.array([1])}


def test_an_output_without_elements_stands_among_the_others(tmp_path):
    nodes = [node("Relu", "x", "a"), node("Slice", "a starts ends axes", "b"), node("Neg", "x", "c")]
    graph = gt.from_onnx(model(nodes, [X], ["a", "b", "c"], **NOWHERE))
    assert [(e.place, e.name, e.dtype, e.shape) for e in graph.empty] == [(1, "b", "f32", (2, 0))]
    assert "return a=%a, b=f32[2,0], c=%" in str(graph)
    again = pickle.loads(pickle.dumps(graph))
    assert again.empty == graph.empty == parse_graph(str(graph)).empty and again.names == ("a", "b", "c")
    kernel = gt.compile(graph, target="portable", table="none")
    out = tuple(np.empty_like(a) for a in kernel(ARRAY))
    again = load(kernel.save(tmp_path))
    for found in (kernel(ARRAY), again(ARRAY), interpret(graph, ARRAY), kernel(ARRAY, out=out), kernel.bind(ARRAY)()):
        assert [a.shape for a in found] == [(2, 3), (2, 0), (2, 3)] and found[1].dtype == np.float32
        assert np.array_equal(found[0], np.maximum(ARRAY, 0)) and np.array_equal(found[2], -ARRAY)
    with pytest.raises(gt.SpecError, match="expected 3 arrays as out, found 2"):
        kernel(ARRAY, out=out[:2])


def test_what_reads_nothing_is_computed_while_it_is_read():
    """Of a sum of none, and of a join of something and nothing."""
    nodes = [
        node("Slice", "x starts ends axes", "e"),
        node("Mul", "e e", "f"),
        node("ReduceSum", "f along", "s"),
        node("Concat", "f x", "j", axis=1),
        node("Add", "s j"),
    ]
    graph = gt.from_onnx(model(nodes, [X], ["y"], along=np.array([1]), **NOWHERE))
    assert graph.unsupported() == [] and not graph.empty
    assert np.array_equal(interpret(graph, ARRAY)[0], ARRAY)


def test_an_input_without_elements_is_known():
    proto = model([node("Concat", "past x", axis=0)], [typed("past", ("n", 3)), X], ["y"])
    graph = gt.from_onnx(proto, shapes={"past": (0, 3)})
    assert [v.name for v in graph.inputs] == ["x"]
    assert np.array_equal(interpret(graph, ARRAY)[0], ARRAY)


def test_a_model_that_gives_nothing_has_no_kernel():
    proto = model([node("Slice", "x starts ends axes")], [X], ["y"], **NOWHERE)
    with pytest.raises(gt.SpecError, match=r"expected an output that has elements, found y f32\[2, 0\]"):
        gt.compile(gt.from_onnx(proto), target="portable", table="none")
    (y,) = Backend.prepare(proto).run([ARRAY])
    assert y.shape == (2, 0)


def test_what_else_a_sum_of_nothing_reads_is_taken_of_the_call():
    proto = model(
        [node("ReduceMax", "x along", keepdims=1)], [typed("x", (2, 0, 4)), typed("along", (1,), np.int64)], ["y"]
    )
    proto.graph.input[0].type.tensor_type.shape.dim[1].dim_value = 0
    (y,) = Backend.prepare(proto).run([np.empty((2, 0, 4), np.float32), np.array([1])])
    assert y.shape == (2, 1, 4) and np.isneginf(y).all()
