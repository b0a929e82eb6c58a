"""What a model becomes: sizes, known values, functions, branches, what is refused."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from onnx_models import body as of_body
from onnx_models import evaluated, helper, model, node, onnx, typed

X = typed("x", (2, 3))
ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3) - 2


def test_a_model_is_read_from_a_path_bytes_and_a_proto(tmp_path):
    proto = model([node("Relu", "x")], [X], ["y"])
    onnx.save(proto, tmp_path / "m.onnx")
    for given in (proto, proto.SerializeToString(), tmp_path / "m.onnx", str(tmp_path / "m.onnx")):
        graph = gt.from_onnx(given)
        assert [v.call for v in graph.calls] == ["relu"] and graph.inputs[0].name == "x"
        assert [(v.name, v.type.shape) for v in graph.outputs] == [("y", (2, 3))]


def test_open_sizes_are_said():
    proto = model([node("Relu", "x")], [typed("x", ("n", 3))], ["y"])
    with pytest.raises(gt.SpecError, match=r"shapes=\{'x': \(1, 3\)\}"):
        gt.from_onnx(proto)
    assert gt.from_onnx(proto, shapes={"x": (5, 3)}).outputs[0].type.shape == (5, 3)


def test_what_follows_from_shapes_is_computed_while_it_is_read():
    nodes = [
        node("Shape", "x", "s"),
        node("Gather", "s zero", "n"),
        node("Unsqueeze", "n axes", "m"),
        node("Concat", "m minus", "w", axis=0),
        node("Reshape", "x w"),
    ]
    known = {"zero": np.array(1), "axes": np.array([0]), "minus": np.array([-1])}
    graph = gt.from_onnx(model(nodes, [X], ["y"], **known))
    assert [v.call for v in graph.calls] == ["reshape"] and graph.outputs[0].type.shape == (3, 2)


def test_a_value_that_decides_a_size_is_given_as_a_constant():
    proto = model([node("Reshape", "x s")], [X, typed("s", (2,), np.int64)], ["y"])
    (refused,) = gt.from_onnx(proto).unsupported()
    assert refused.operator == "Reshape" and "not known" in refused.why
    graph = gt.from_onnx(proto, constants={"s": np.array([3, -1])})
    assert graph.outputs[0].type.shape == (3, 2) and [v.name for v in graph.inputs] == ["x"]


def test_all_that_is_refused_is_found_in_one_walk():
    nodes = [node("NonZero", "x", "a"), node("Det", "x", "b"), node("Relu", "a", "c"), node("Relu", "x")]
    graph = gt.from_onnx(model(nodes, [X], ["y", "c"]))
    assert [r.operator for r in graph.unsupported()] == ["NonZero", "Det"]


def test_nodes_may_stand_in_any_order():
    inner = of_body([node("Add", "a x", "b")], [], ["b"])
    branches = {"then_branch": inner, "else_branch": of_body([node("Neg", "a", "b")], [], ["b"])}
    nodes = [node("Exp", "c", "y"), node("If", "t", "c", **branches), node("Relu", "x", "a")]
    proto = model(nodes, [X], ["y"], t=np.array(True))
    assert [v.call for v in gt.from_onnx(proto).calls] == ["relu", "add", "exp"]


def test_what_is_done_twice_is_one_call():
    nodes = [node("Exp", "x", "a"), node("Exp", "x", "b"), node("Add", "a b")]
    assert [v.call for v in gt.from_onnx(model(nodes, [X], ["y"])).calls] == ["exp", "add"]


def test_a_function_of_the_model_takes_its_attributes():
    proto = model([helper.make_node("scaled", ["x"], ["y"], domain="own", by=3.0)], [X], ["y"])
    proto.opset_import.append(helper.make_opsetid("own", 1))
    by = helper.make_node("Constant", [], ["c"])
    by.attribute.add(name="value_float", type=onnx.AttributeProto.FLOAT, ref_attr_name="by")
    opsets = [helper.make_opsetid("", 21)]
    nodes = [by, node("Mul", "a c", "b")]
    proto.functions.append(helper.make_function("own", "scaled", ["a"], ["b"], nodes, opsets, ["by"]))
    assert (evaluated(proto, ARRAY)[0] == ARRAY * 3).all()


def test_an_operator_without_declaration_is_read_by_its_body():
    graph = gt.from_onnx(model([node("Mish", "x")], [X], ["y"], opset=18))
    assert graph.unsupported() == [] and len(graph.calls) > 1


@pytest.mark.parametrize("condition", [True, False])
def test_the_branch_that_is_taken(condition):
    branches = {
        "then_branch": of_body([node("Relu", "x", "a")], [], ["a"]),
        "else_branch": of_body([node("Neg", "x", "a")], [], ["a"]),
    }
    wanted = np.maximum(ARRAY, 0) if condition else -ARRAY
    known = model([node("If", "c", **branches)], [X], ["y"], c=np.array(condition))
    assert (evaluated(known, ARRAY)[0] == wanted).all()
    either = model([node("If", "c", **branches)], [X, typed("c", (), np.bool_)], ["y"])
    assert (evaluated(either, ARRAY, np.array(condition))[0] == wanted).all()


def test_a_loop_is_read_as_often_as_it_runs():
    nodes = [node("Add", "v x", "w"), node("Identity", "c", "d"), node("Identity", "w", "row")]
    body = of_body(nodes, ["i", "c", "v"], ["d", "w", "row"])
    proto = model([node("Loop", "n t x", "y rows", body=body)], [X], ["y", "rows"], n=np.array(3), t=np.array(True))
    last, rows = evaluated(proto, ARRAY)
    assert (last == 4 * ARRAY).all() and (rows == np.stack([2 * ARRAY, 3 * ARRAY, 4 * ARRAY])).all()


def test_a_scan_goes_along_its_axis():
    body = of_body([node("Add", "s r", "t"), node("Identity", "t", "o")], ["s", "r"], ["t", "o"])
    proto = model([node("Scan", "z x", "last y", body=body, num_scan_inputs=1)], [X], ["y"], z=np.zeros(3, np.float32))
    assert (evaluated(proto, ARRAY)[0] == np.cumsum(ARRAY, 0)).all()


SCATTERED = {
    "ScatterND": ((4, 5, 3), (2, 3, 2), (2, 3, 3)),
    "ScatterElements": ((6, 5), (3, 5), (3, 5)),
}


@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max", "min"])
@pytest.mark.parametrize("operator", SCATTERED)
def test_where_it_writes_may_come_in(operator, reduction):
    """Places that are told from the end among them and, where all are joined, places that are met twice."""
    shape, at, given = SCATTERED[operator]
    rng = np.random.default_rng(3)
    x, updates = (rng.integers(-4, 5, size).astype(np.float32) for size in (shape, given))
    again = reduction != "none"
    if operator == "ScatterND":
        rows = rng.choice(20, at[:-1], replace=again)
        indices = np.stack(np.unravel_index(rows, shape[:2]), axis=-1) - [4, 0]
    else:
        indices = np.stack([rng.choice(6, 3, replace=again) for _ in range(5)], axis=1) - [0, 6, 0, 6, 0]
    inputs = [typed("x", shape), typed("i", indices.shape, np.int64), typed("u", given)]
    proto = model([node(operator, "x i u", reduction=reduction)], inputs, ["y"], opset=18)
    (wanted,) = onnx.reference.ReferenceEvaluator(proto).run(None, {"x": x, "i": indices, "u": updates})
    np.testing.assert_array_equal(evaluated(proto, x, indices, updates)[0], wanted)


def test_what_has_a_size_by_its_values_is_refused_so():
    for operator in ("NonZero", "Unique"):
        (refused,) = gt.from_onnx(model([node(operator, "x")], [X], ["y"])).unsupported()
        assert refused.why == "how much it gives depends on the values that it reads"


def test_an_attribute_that_is_left_out_is_told():
    proto = model([node("BitShift", "x n")], [typed("x", [4], np.uint8), typed("n", [4], np.uint8)], ["y"])
    (refused,) = gt.from_onnx(proto).refused
    assert refused.why == "the attribute direction is left out"
