"""onnxruntime: one MatMul (or MatMulInteger) node, inputs and output bound; constant weights are an initializer, which it packs."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from racing.contestant import Skip, Way, aligned

TYPES = {"f32": (TensorProto.FLOAT, TensorProto.FLOAT, TensorProto.FLOAT), "u8s8": (TensorProto.UINT8, TensorProto.INT8, TensorProto.INT32)}


def ways(problem, a, b, threads):
    if problem.dtype not in TYPES:
        raise Skip("its CPU product takes no bf16")
    c = aligned((*a.shape[:-1], b.shape[-1]), np.int32 if problem.dtype == "u8s8" else np.float32)
    given = b if b.flags.c_contiguous else b.swapaxes(-1, -2)  # as it lies
    turned = given is not b
    if turned and problem.dtype != "f32":
        raise Skip("no transposed integer product")
    if problem.const:
        session = _session(problem, a, np.ascontiguousarray(b), False, threads, constant=True)
    else:
        session = _session(problem, a, given, turned, threads, constant=False)
    binding = session.io_binding()
    values = {"a": a} if problem.const else {"a": a, "b": given}
    held = [onnxruntime.OrtValue.ortvalue_from_numpy(x) for x in values.values()]
    for name, value in zip(values, held):
        binding.bind_ortvalue_input(name, value)
    binding.bind_output("c", "cpu", 0, c.dtype, c.shape, c.ctypes.data)
    kept = (a, b, c, held)
    yield Way("constant" if problem.const else "input", lambda kept=kept: session.run_with_iobinding(binding), lambda: c)


def _session(problem, a, b, turned, threads, constant):
    ta, tb, tc = TYPES[problem.dtype]
    if problem.dtype == "u8s8":
        node = helper.make_node("MatMulInteger", ["a", "b"], ["c"])
    elif turned:
        node = helper.make_node("Gemm", ["a", "b"], ["c"], transB=1)
    else:
        node = helper.make_node("MatMul", ["a", "b"], ["c"])
    shape = [*a.shape[:-1], problem.n]
    inputs = [helper.make_tensor_value_info("a", ta, a.shape)]
    inputs += [] if constant else [helper.make_tensor_value_info("b", tb, b.shape)]
    weights = [numpy_helper.from_array(b, "b")] if constant else []
    graph = helper.make_graph([node], "product", inputs, [helper.make_tensor_value_info("c", tc, shape)], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def versions() -> dict:
    return {"onnxruntime": onnxruntime.__version__, "onnx": onnx.__version__}
