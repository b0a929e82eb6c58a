"""Large initializers are mapped where they lie in the model's file."""

from __future__ import annotations

import gc
import mmap

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="onnx is not installed")

import griotte as gt  # noqa: E402
from griotte.onnx.loading import LARGE, Malformed, stripped  # noqa: E402


def root(array):
    """What an array's data lies in."""
    while isinstance(array, np.ndarray):
        array = array.base
    return array


def model(count: int, seed: int = 0):
    """A product by a large matrix, and a small term, as a ModelProto."""
    rng = np.random.default_rng(seed)
    arrays = {"w": rng.standard_normal((64, count)).astype(np.float32), "b": np.ones(count, np.float32)}
    helper, f32 = onnx.helper, onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Add", ["h", "b"], ["y"])],
        "product",
        [helper.make_tensor_value_info("x", f32, [2, 64])],
        [helper.make_tensor_value_info("y", f32, [2, count])],
        [onnx.numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), arrays


def test_what_is_left_is_the_model_but_for_large_data():
    proto, arrays = model(1000)
    data = proto.SerializeToString()
    small = stripped(data, "own.onnx")
    assert len(small) < LARGE < len(data)
    found = onnx.ModelProto.FromString(small)
    weights, bias = found.graph.initializer
    assert weights.data_location == onnx.TensorProto.EXTERNAL and list(weights.dims) == [64, 1000]
    told = {entry.key: entry.value for entry in weights.external_data}
    at, size = int(told["offset"]), int(told["length"])
    assert told["location"] == "own.onnx" and data[at : at + size] == arrays["w"].tobytes()
    assert bias.raw_data == arrays["b"].tobytes()
    assert found.graph.node == proto.graph.node and found.opset_import == proto.opset_import


def test_nothing_large_is_nothing_changed():
    data = model(10)[0].SerializeToString()
    assert stripped(data, "own.onnx") == data


def test_a_graph_reads_its_weights_from_the_file(tmp_path):
    proto, arrays = model(1000)
    path = tmp_path / "model.onnx"
    path.write_bytes(proto.SerializeToString())
    graph = gt.from_onnx(path)
    constant = next(value for value in graph.constants if value.type.shape == (64, 1000))
    assert isinstance(root(constant.array), mmap.mmap)
    np.testing.assert_array_equal(constant.array, arrays["w"])
    x = np.random.default_rng(1).standard_normal((2, 64)).astype(np.float32)
    found = gt.compile(graph, target="portable", table="none")(x)
    np.testing.assert_allclose(found, x @ arrays["w"] + 1, rtol=1e-4, atol=1e-4)
    del graph, constant
    gc.collect()


@pytest.mark.parametrize("cut", [1, 7, 60, 1000, -1])
def test_a_truncated_file_is_one_line(tmp_path, cut: int):
    data = model(1000)[0].SerializeToString()
    path = tmp_path / "model.onnx"
    path.write_bytes(data[:cut])
    with pytest.raises(gt.SpecError) as told:
        gt.from_onnx(path)
    assert "\n" not in str(told.value)


def test_bytes_that_are_no_fields_are_told():
    for data in (b"\xff" * 20, b"\x3a\xff\x01", b"\x0b"):
        with pytest.raises(Malformed):
            stripped(data, "own.onnx")
