"""Models whose nodes are kernels: what is written, and that a plain session of onnxruntime runs it."""

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")

import griotte as gt  # noqa: E402
from griotte.onnx import from_onnx, save_custom_ops  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402
from onnx_models import model, node, typed  # noqa: E402
from onnxruntime_double import Double  # noqa: E402
from verbs import refused, run  # noqa: E402

W = np.random.default_rng(0).standard_normal((16, 8)).astype(np.float32)


def made(nodes, inputs, outputs, **known):
    proto = model(nodes, inputs, [each.name for each in outputs], 17, **known)
    del proto.graph.output[:]
    proto.graph.output.extend(outputs)
    proto.ir_version = 8
    return proto


def mlp():
    return made([node("MatMul", "x w", "h"), node("Relu", "h")], [typed("x", (4, 16))], [typed("y", (4, 8))], w=W)


def with_a_host():
    """Det is no operator of griotte's: two kernels, and it in between."""
    nodes = [node("MatMul", "x w", "h"), node("Det", "h", "d"), node("Mul", "h d"), node("Exp", "d", "z")]
    return made(nodes, [typed("x", (8, 16))], [typed("y", (8, 8)), typed("z", ())], w=W / 8)


def session(files):
    library = pytest.importorskip("onnxruntime", reason="the package onnxruntime is not installed")
    options = library.SessionOptions()
    for path in files:
        if path.suffix == ".so":
            options.register_custom_ops_library(str(path))
    return library.InferenceSession(str(files[0]), options, providers=["CPUExecutionProvider"])


@pytest.mark.parametrize(("proto", "rows"), [(mlp(), 4), (with_a_host(), 8)])
def test_a_plain_session_runs_it(proto, rows, tmp_path):
    x = np.random.default_rng(1).standard_normal((rows, 16)).astype(np.float32)
    files = save_custom_ops(from_onnx(proto), tmp_path, "portable", table="none")
    found = session(files).run(None, {"x": x})
    expected = ReferenceEvaluator(proto).run(None, {"x": x})
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)


def test_other_sizes_are_an_exception_of_the_session(tmp_path):
    plain = session(save_custom_ops(from_onnx(mlp()), tmp_path, "portable", table="none"))
    with pytest.raises(Exception, match="Got invalid dimensions"):  # the model's own sizes come first
        plain.run(None, {"x": np.zeros((5, 16), np.float32)})


def test_what_is_written_is_a_model_with_its_weights_beside_it(tmp_path):
    files = save_custom_ops(from_onnx(mlp()), tmp_path, "portable", table="none")
    assert [path.name for path in files] == ["model.onnx", "custom_op_0.so", "weights_0.bin"]
    graph = onnx.load(files[0], load_external_data=False).graph
    (own,), (weights,) = graph.node, graph.initializer
    assert own.domain == f"griotte.{own.op_type}"
    assert [v.name for v in (*graph.input, *graph.output)] == ["x", "y"]
    assert list(own.input) == [weights.name, "x"]
    assert weights.dims[0] == files[2].stat().st_size
    double = Double(str(files[1]))
    room = np.empty(weights.dims[0] + 64, np.uint8)
    room = room[-room.ctypes.data % 64 :][: weights.dims[0]]
    room[:] = np.frombuffer(files[2].read_bytes(), np.uint8)
    x = np.random.default_rng(1).standard_normal((4, 16)).astype(np.float32)
    (found,) = double([room, x], [np.dtype(np.float32)])
    np.testing.assert_allclose(found, np.maximum(x @ W, 0), rtol=1e-5, atol=1e-5)


def test_an_input_that_is_an_output_is_one(tmp_path):
    nodes = [node("Identity", "x"), node("Relu", "x", "z")]
    graph = from_onnx(made(nodes, [typed("x", (4,))], [typed("y", (4,)), typed("z", (4,))]))
    plain = session(save_custom_ops(graph, tmp_path, "portable", table="none"))
    y, z = plain.run(None, {"x": np.array([-1, 0, 1, 2], np.float32)})
    assert [y.tolist(), z.tolist()] == [[-1, 0, 1, 2], [0, 0, 1, 2]]


def test_what_has_no_kernel_is_refused(tmp_path):
    graph = from_onnx(made([node("NonZero", "x")], [typed("x", (4,))], [typed("y", (1, None), np.int64)]))
    with pytest.raises(gt.SpecError, match="expected nodes whose results have types that are known, found"):
        save_custom_ops(graph, tmp_path, "portable", table="none")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "a").write_text("")
    with pytest.raises(gt.ToolchainError, match="expected to save a model, found"):
        save_custom_ops(from_onnx(mlp()), tmp_path / "a", "portable", table="none")


def test_the_command_line_writes_it(tmp_path):
    onnx.save(mlp(), tmp_path / "m.onnx")
    command = ["compile", str(tmp_path / "m.onnx"), "--ort-custom-op", "--target", "portable", "--table", "none"]
    run(*command, "-o", str(tmp_path / "out"))
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "custom_op_0.so",
        "model.onnx",
        "weights_0.bin",
    ]
    assert "expected a directory for a model and its libraries, found none; add -o DIR" in refused(*command)
    assert "expected no --ort-custom-op for a Spec" in refused("compile", "exp(f32[8])", "--ort-custom-op")
