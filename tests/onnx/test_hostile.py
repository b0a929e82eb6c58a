"""Files that lie, are torn, or ask for more than there is: one line that names the place, and no more memory."""

from __future__ import annotations

import random
import resource

import griotte as gt
import griotte.readers.node
import numpy as np
import pytest
from griotte.onnx import reader
from onnx_models import TensorProto, body, helper, model, node, onnx, typed

X = typed("x", (2, 3))


def refused(given, *words: str, **options) -> str:
    """The one line that a model is refused with, or of its first node that is not covered."""
    try:
        graph = gt.from_onnx(given, **options)
    except gt.SpecError as why:
        told = str(why)
    else:
        assert graph.unsupported(), "it was taken"
        told = str(graph.unsupported()[0])
    assert "\n" not in told and told.isprintable() and len(told) < 700, told
    for word in words:
        assert word in told, told
    return told


@pytest.fixture(autouse=True)
def bounded():
    """No test may ask for more than 4 GiB beyond what is there."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + (4 << 30), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def test_bytes_that_are_no_model():
    refused(b"", "without a graph")
    refused(b"\xff\x00garbage \xe2\x82", "none")
    refused("/no/such/file.onnx", "No such file")
    with pytest.raises(gt.SpecError, match="int"):
        gt.from_onnx(7)


def test_a_torn_file_is_refused_wherever_it_ends():
    content = model([node("Gemm", "x w")], [X], ["y"], w=np.ones((3, 4), np.float32)).SerializeToString()
    for end in range(0, len(content) - 1, 3):
        try:
            gt.from_onnx(content[:end]).unsupported()
        except gt.SpecError as why:
            assert "\n" not in str(why)


def test_bytes_that_are_changed_raise_nothing_else():
    nodes = [node("Gemm", "x w", "h"), node("Relu", "h", "r"), node("Reshape", "r s")]
    content = bytearray(model(nodes, [X], ["y"], w=np.ones((3, 4), np.float32), s=np.array([4, 2])).SerializeToString())
    draw = random.Random(0)
    for _ in range(300):
        changed = bytearray(content)
        for _ in range(draw.randint(1, 4)):
            changed[draw.randrange(len(changed))] = draw.randrange(256)
        try:
            gt.from_onnx(bytes(changed)).unsupported()
        except gt.SpecError as why:
            assert "\n" not in str(why) and str(why).isprintable()


def test_a_cycle_and_a_value_that_nobody_gives():
    refused(model([node("Add", "x b", "a"), node("Relu", "a", "b")], [X], ["b"]), "'a'", "Relu", "cycle")
    refused(model([node("Relu", "nowhere")], [X], ["y"]), "'nowhere'")
    refused(model([node("Relu", "x")], [X], ["z"]), "'z'")


def test_a_value_that_is_given_twice():
    refused(model([node("Relu", "x"), node("Abs", "x")], [X], ["y"]), "'y'", "twice")
    refused(model([node("Relu", "y", "x")], [X, typed("y", (2,))], ["x"]), "'x'", "twice")
    twice = model([node("Relu", "x")], [X], ["y"])
    twice.graph.initializer.extend([onnx.numpy_helper.from_array(np.ones(2), "w")] * 2)
    refused(twice, "'w'", "twice")
    refused(model([node("Relu", "x")], [X, X], ["y"]), "twice")


def test_an_initializer_that_claims_more_than_it_holds():
    for raw in (b"", b"1234"):
        lying = model([node("Add", "x w")], [X], ["y"])
        lying.graph.initializer.append(TensorProto(name="w", dims=[10**9], data_type=1, raw_data=raw))
        refused(lying, "'w'", "4,000,000,000")
    bare = model([node("Add", "x w")], [X], ["y"])
    bare.graph.initializer.append(TensorProto(name="w", dims=[10**9, 10**9], data_type=1))
    refused(bare, "'w'")
    bare.graph.initializer[0].dims[:] = [-1]
    refused(bare, "'w'", "-1")


def test_a_data_type_that_there_is_not():
    odd = model([node("Add", "x w")], [X], ["y"])
    odd.graph.initializer.append(TensorProto(name="w", dims=[3], data_type=77, raw_data=b"12345678"))
    refused(odd, "'w'", "77")
    refused(model([node("Relu", "x")], [helper.make_tensor_value_info("x", 99, (2,))], ["y"]), "99")
    refused(model([node("Cast", "x", to=99)], [X], ["y"]), "99")
    refused(model([node("Relu", "x")], [helper.make_tensor_value_info("x", TensorProto.STRING, (2,))], ["y"]), "STRING")


def test_operators_that_are_too_old_or_not_known():
    refused(model([node("Add", "x x", broadcast=1)], [X], ["y"], opset=5), "ONNX 5", "convert")
    assert gt.from_onnx(model([node("Relu", "x")], [X], ["y"], opset=4000)).unsupported() == []
    refused(model([node("NoSuch", "x")], [X], ["y"]), "NoSuch")
    refused(model([helper.make_node("Relu", ["x"], ["y"], domain="some.where")], [X], ["y"]), "Relu")
    assert gt.from_onnx(model([node("Relu", "x")], [X], ["y"], opset=0)) is not None


def test_names_are_printed_as_they_can_be():
    name = "a\x1b[31m\nb\u202e"
    told = refused(model([helper.make_node("NoSuch", ["x"], ["y"], name=name)], [X], ["y"]))
    assert "\\x1b" in told and "\\n" in told
    odd = model([helper.make_node("Relu", [name], ["y"])], [typed(name, (2, 3))], ["y"])
    assert gt.from_onnx(odd).inputs[0].name == name
    refused(model([helper.make_node("Relu", [name], ["y"])], [X], ["y"]), "\\x1b")


def external(location: str, **told: str):
    tensor = TensorProto(name="w", dims=[3], data_type=1, data_location=TensorProto.EXTERNAL)
    for key, value in {"location": location, **told}.items():
        tensor.external_data.add(key=key, value=value)
    return tensor


@pytest.mark.parametrize("location", ["../secret", "/etc/passwd", "link", "", "sub/../../secret", "."])
def test_data_outside_of_the_folder_is_not_read(tmp_path, location):
    folder = tmp_path / "model"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret").write_bytes(bytes(12))
    (folder / "link").symlink_to(tmp_path / "secret")
    lying = model([node("Add", "x w")], [X], ["y"])
    lying.graph.initializer.append(external(location))
    (folder / "m.onnx").write_bytes(lying.SerializeToString())
    refused(str(folder / "m.onnx"), "'w'")
    constant = model([node("Constant", "", "w", value=external(location)), node("Add", "x w")], [X], ["y"])
    (folder / "m.onnx").write_bytes(constant.SerializeToString())
    refused(str(folder / "m.onnx"), "Constant")


@pytest.mark.parametrize(
    "told", [{"offset": "-4"}, {"offset": "400"}, {"length": "8"}, {"offset": "x"}, {"length": "1e9"}]
)
def test_external_data_where_there_is_none(tmp_path, told):
    (tmp_path / "data").write_bytes(bytes(12))
    lying = model([node("Add", "x w")], [X], ["y"])
    lying.graph.initializer.append(external("data", **told))
    (tmp_path / "m.onnx").write_bytes(lying.SerializeToString())
    refused(str(tmp_path / "m.onnx"), "'w'")
    refused(lying, "'w'", "path")


def test_external_data_is_read_from_its_folder(tmp_path):
    data = np.arange(3, dtype=np.float32)
    (tmp_path / "data").write_bytes(b"    " + data.tobytes())
    given = model([node("Add", "x w")], [X], ["y"])
    given.graph.initializer.append(external("data", offset="4", length="12"))
    (tmp_path / "m.onnx").write_bytes(given.SerializeToString())
    graph = gt.from_onnx(tmp_path / "m.onnx")
    assert (graph.constants[0].array == data).all()


def test_shapes_that_lie():
    refused(model([node("Add", "x w")], [X], ["y"], w=np.ones(4, np.float32)), "Add")
    refused(model([node("MatMul", "x w")], [X], ["y"], w=np.ones((4, 4), np.float32)), "MatMul")
    refused(model([node("Reshape", "x s")], [X], ["y"], s=np.array([7, -1])), "Reshape")
    refused(model([node("Transpose", "x", perm=[0, 0])], [X], ["y"]), "Transpose")
    refused(model([node("Conv", "x w")], [X], ["y"], w=np.ones((1, 3), np.float32)), "Conv")
    refused(model([node("Gemm", "x")], [X], ["y"]), "Gemm")
    refused(model([node("Relu", "x x x")], [X], ["y"]), "Relu")
    refused(model([node("Softmax", "x", axis=9)], [X], ["y"]), "Softmax")
    refused(model([node("Relu", "x")], [typed("x", ("n", 3))], ["y"]), "'x'", "?")
    refused(model([node("Relu", "x")], [X], ["y"]), "'x'", shapes={"x": (2, 4)})
    refused(model([node("Relu", "x")], [X], ["y"]), "'z'", shapes={"z": (2, 4)})
    refused(model([node("Relu", "x")], [typed("x", ("n", 3))], ["y"]), shapes={"x": (-2, 3)})
    refused(model([node("Relu", "x")], [typed("x", ("n", 3))], ["y"]), shapes={"x": ("many", 3)})


BIG = np.array([1 << 20, 1 << 20])
BOMBS = {
    "ConstantOfShape": ([node("ConstantOfShape", "n", "h"), node("ReduceSum", "h")], {"n": BIG}),
    "Expand": ([node("Expand", "one n", "h"), node("ReduceSum", "h")], {"n": BIG, "one": np.ones(1)}),
    "Tile": ([node("Tile", "one n", "h"), node("ReduceSum", "h")], {"n": BIG, "one": np.ones((1, 1))}),
    "Range": (
        [node("Range", "a n b", "h"), node("ReduceSum", "h")],
        {"a": np.array(0), "n": np.array(10**15), "b": np.array(1)},
    ),
    "Range of floats": (
        [node("Range", "a n b", "h"), node("ReduceSum", "h")],
        {"a": np.array(0.0), "n": np.array(1e15), "b": np.array(1.0)},
    ),
    "Pad": ([node("Pad", "one n", "h"), node("ReduceSum", "h")], {"n": np.array([10**12, 10**12]), "one": np.ones(1)}),
    "OneHot": (
        [node("OneHot", "one n v", "h"), node("ReduceSum", "h")],
        {"n": np.array(10**13), "one": np.ones(1, np.int64), "v": np.ones(2, np.float32)},
    ),
    "Resize": (
        [node("Resize", "one  n", "h", mode="nearest"), node("ReduceSum", "h")],
        {"n": np.array([1e7, 1e7], np.float32), "one": np.ones((1, 1), np.float32)},
    ),
    "MatMul": (
        [node("MatMul", "a b", "h"), node("ReduceSum", "h")],
        {"a": np.ones((1 << 16, 1)), "b": np.ones((1, 1 << 16))},
    ),
    "HannWindow": ([node("HannWindow", "n", "h"), node("ReduceSum", "h")], {"n": np.array(10**14)}),
    "MelWeightMatrix": (
        [node("MelWeightMatrix", "n n n a a", "h"), node("ReduceSum", "h")],
        {"n": np.array(10**7), "a": np.array(100.0)},
    ),
    "RandomNormal": ([node("RandomNormal", "", "h", shape=[1 << 20, 1 << 20]), node("ReduceSum", "h")], {}),
    "Einsum": (
        [node("Einsum", "a b", "h", equation="i,j->ij"), node("ReduceSum", "h")],
        {"a": np.ones(1 << 17), "b": np.ones(1 << 17)},
    ),
    "doublings": (
        [
            node("Identity", "one", "h0"),
            *(node("Concat", f"h{i} h{i}", f"h{i + 1}", axis=0) for i in range(40)),
            node("ReduceSum", "h40"),
        ],
        {"one": np.ones(1)},
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_what_is_computed_while_reading_is_bounded(name, monkeypatch):
    monkeypatch.setattr(griotte.readers.node, "MOST_KNOWN", 1 << 26)  # a gibibyte takes seconds to fill
    nodes, known = BOMBS[name]
    refused(model(nodes, [X], ["y"], **known))


def test_what_is_expanded_of_an_input_is_not_made():
    graph = gt.from_onnx(model([node("Expand", "x n")], [X], ["y"], n=np.array([10**4, 2, 3])))
    assert graph.outputs[0].type.shape == (10**4, 2, 3)
    refused(model([node("Pad", "x n", mode="reflect")], [X], ["y"], n=np.array([0, 10**12, 0, 0])), "Pad")
    refused(
        model([node("OneHot", "i n v")], [typed("i", (2,), np.int64)], ["y"], n=np.array(10**13), v=np.ones(2)),
        "OneHot",
    )
    refused(model([node("Resize", "x  n")], [X], ["y"], n=np.array([1e9, 1e9], np.float32)), "Resize")
    refused(model([node("Trilu", "x")], [typed("x", (1 << 20, 1 << 20))], ["y"]), "Trilu")
    refused(model([node("TopK", "x k", "v y")], [typed("x", (1 << 40,))], ["y"], k=np.array([3])), "TopK")


def test_a_loop_of_a_billion_turns(monkeypatch):
    turn = body([node("Identity", "c", "d"), node("Relu", "v", "w")], ["i", "c", "v"], ["d", "w"])
    for trips in (10**9, 2**62):
        looping = model([node("Loop", "n t x", body=turn)], [X], ["y"], n=np.array(trips), t=np.array(True))
        refused(looping, "Loop", "turns")
    endless = helper.make_node("Loop", ["", "t", "x"], ["y"], body=turn)
    refused(model([endless], [X], ["y"], t=np.array(True)), "Loop")
    monkeypatch.setattr(reader, "MOST_READ", 2000)  # of 50,000 nodes, which take seconds
    for goes, trips, word in ((node("Identity", "c", "d"), 1000, "turns"), (node("Less", "i n", "d"), 100, "nodes")):
        inner = body([goes, node("Relu", "v", "w")], ["i", "c", "v"], ["d", "w"])
        for _ in range(2):
            again = helper.make_node("Loop", ["n", "t", "v"], ["w"], body=inner)
            inner = body([goes, again], ["i", "c", "v"], ["d", "w"])
        looping = model([node("Loop", "n t x", body=inner)], [X], ["y"], n=np.array(trips), t=np.array(True))
        refused(looping, word)


def nested(depth: int, *inputs):
    """Branches within each other; protobuf itself reads none that are much deeper than these."""
    inner, other = (body([node("Relu", "x", "b")], [], ["b"]) for _ in range(2))
    for _ in range(depth):
        inner = body([helper.make_node("If", ["t"], ["b"], then_branch=inner, else_branch=other)], [], ["b"])
    deepest = helper.make_node("If", ["t"], ["y"], then_branch=inner, else_branch=other)
    return model([deepest], [X, *inputs], ["y"], **({} if inputs else {"t": np.array(True)}))


def test_branches_within_each_other_very_deep():
    assert gt.from_onnx(nested(20)).unsupported() == []
    assert gt.from_onnx(nested(20, typed("t", (), np.bool_))).unsupported() == []
    content = nested(20).SerializeToString()
    refused(content[:-40])
    refused(b":" + b"\xff\xff\xff\xff\x0f" + b":\x01" * 10000)


def functional(functions, call: str):
    given = model([helper.make_node(call, ["x"], ["y"], domain="own")], [X], ["y"])
    given.opset_import.append(helper.make_opsetid("own", 1))
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    for name, nodes in functions.items():
        given.functions.append(helper.make_function("own", name, ["a"], ["b"], nodes, opsets))
    return given


def test_functions_that_call_themselves_or_grow():
    own = lambda name, reads, gives: helper.make_node(name, [reads], [gives], domain="own")
    refused(functional({"f": [own("f", "a", "b")]}, "f"), "within each other")
    refused(functional({"f": [own("f", "a", "c"), own("f", "c", "b")]}, "f"), "within each other")
    laughs = {f"f{i}": [own(f"f{i + 1}", "a", "c"), own(f"f{i + 1}", "c", "b")] for i in range(40)}
    refused(functional(laughs | {"f40": [node("Relu", "a", "b")]}, "f0"), "nodes")


def test_many_nodes_take_as_many_steps():
    nodes = [node("Add", f"h{i} x", f"h{i + 1}") for i in range(3000)]
    graph = gt.from_onnx(model([node("Relu", "x", "h0"), *nodes], [X], ["h3000"]))
    assert len(graph.calls) == 3001


def test_an_output_may_be_an_input_or_known_or_given_twice():
    proto = model([node("Identity", "x", "y"), node("Relu", "x", "z")], [X], ["y", "z", "w"], w=np.ones(2, np.float32))
    graph = gt.from_onnx(proto)
    assert [v.name for v in graph.outputs] == ["y", "z", "w"] and graph.unsupported() == []
    proto.graph.output.append(proto.graph.output[0])
    assert [name for name, _ in gt.from_onnx(proto).results] == ["y", "z", "w", "y_2"]
