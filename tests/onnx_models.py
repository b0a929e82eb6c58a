"""Models for tests: made in a line."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

# of a part of it: this folder's own onnx/ is a package without parts where none is installed
pytest.importorskip("onnx.helper", reason="models are read by the package onnx: pip install 'griotte[onnx]'")
onnx = pytest.importorskip("onnx")
helper, TensorProto = onnx.helper, onnx.TensorProto


def typed(name: str, shape: Any, dtype: Any = np.float32) -> Any:
    """An input or an output."""
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)


def model(nodes: list[Any], inputs: list[Any], outputs: list[str], opset: int = 21, **known: np.ndarray) -> Any:
    """A model of these nodes; `known` are its initializers."""
    tensors = [onnx.numpy_helper.from_array(np.asarray(array), name) for name, array in known.items()]
    results = [helper.make_empty_tensor_value_info(name) for name in outputs]
    graph = helper.make_graph(nodes, "test", inputs, results, tensors)
    own = [helper.make_opsetid(domain, 1) for domain in sorted({each.domain for each in nodes} - {""})]
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), *own])


def node(operator: str, reads: str, gives: str = "y", **attributes: Any) -> Any:
    """A node; names are parted by spaces."""
    return helper.make_node(operator, reads.split(" ") if reads else [], gives.split(" "), **attributes)


def body(nodes: list[Any], inputs: list[str], outputs: list[str]) -> Any:
    """The graph of a branch or of a loop's body."""
    info = helper.make_empty_tensor_value_info
    return helper.make_graph(nodes, "body", [*map(info, inputs)], [*map(info, outputs)])


def evaluated(proto: Any, *arrays: np.ndarray, **options: Any) -> list[np.ndarray]:
    """The outputs, by the reference of what was read."""
    from griotte.models.reference import interpret
    from griotte.onnx import from_onnx

    graph = from_onnx(proto, **options)
    assert graph.unsupported() == []
    return list(interpret(graph, *arrays))


# operators that multiply integers as they are
INTEGRAL = tuple("MatMulInteger ConvInteger QLinear QGemm QAttention DynamicQuantizeMatMul DynamicQuantizeLSTM".split())


@cache
def saturates() -> bool:
    """Whether onnxruntime's products of u8 by s8 are sums in 16 bits that saturate, as on CPUs with AVX2 and no VNNI.
    Asked for exact ones it makes the weights u8, which it does where it optimises a graph further than by `BASIC`."""
    library = pytest.importorskip("onnxruntime", reason="the package onnxruntime is not installed")
    a, b = np.full((1, 4), 255, np.uint8), np.full((4, 1), -128, np.int8)
    given = alone(node("MatMulInteger", "a b"), {"a": a}, {"b": b})
    given.ir_version = min(given.ir_version, 10)
    session = library.InferenceSession(given.SerializeToString(), providers=["CPUExecutionProvider"])
    return bool(session.run(None, {"a": a})[0][0, 0] != 4 * 255 * -128)


def by_onnxruntime(proto: Any, *arrays: np.ndarray, level: str = "DISABLE_ALL", path: Any = None) -> list[np.ndarray]:
    """The outputs, by onnxruntime, optimised as far as `level` says; what it makes of the model goes into `path`."""
    library = pytest.importorskip("onnxruntime", reason="the package onnxruntime is not installed")
    given = onnx.ModelProto.FromString(proto.SerializeToString())
    given.ir_version = min(given.ir_version, 10)

    def session(level: str, exact: bool) -> Any:
        options = library.SessionOptions()
        options.add_session_config_entry("session.x64quantprecision", str(int(exact)))
        options.graph_optimization_level = getattr(library.GraphOptimizationLevel, f"ORT_{level}")
        options.log_severity_level, options.intra_op_num_threads = (4 if exact else 3), 1
        if path is not None:
            options.optimized_model_filepath = str(path)
        return library.InferenceSession(given.SerializeToString(), options, providers=["CPUExecutionProvider"])

    is_little = level in ("DISABLE_ALL", "ENABLE_BASIC")
    asks = saturates() and (not is_little or any(each.op_type.startswith(INTEGRAL) for each in given.graph.node))
    try:
        made = session("ENABLE_EXTENDED" if is_little else level, True) if asks else session(level, False)
    except library.capi.onnxruntime_pybind11_state.NotImplemented:  # of s8 by s8, which do not saturate
        made = session(level, False)
    return made.run(None, dict(zip((each.name for each in made.get_inputs()), arrays)))


def alone(made: Any, arrays: dict[str, np.ndarray], known: dict[str, Any] | None = None, opset: int = 17) -> Any:
    """A model of one node: the arrays come in, the others are known."""
    inputs = [typed(name, array.shape, array.dtype) for name, array in arrays.items()]
    return model([made], inputs, [name for name in made.output if name], opset, **(known or {}))


def of_node(
    made: Any, arrays: dict[str, np.ndarray], known: dict[str, Any] | None = None, opset: int = 17
) -> list[np.ndarray]:
    """What a node gives, by the reference of what was read."""
    return evaluated(alone(made, arrays, known, opset), *arrays.values())


def microsoft(operator: str, reads: str, gives: str = "y", **attributes: Any) -> Any:
    """A node of onnxruntime's own domain."""
    return node(operator, reads, gives, domain="com.microsoft", **attributes)


def beside(
    made: Any, arrays: dict[str, np.ndarray], known: dict[str, np.ndarray], opset: int = 17, within: float = 1e-4
) -> list[np.ndarray]:
    """What a node gives, which onnxruntime gives as well."""
    proto = alone(made, arrays, known, opset)
    found = evaluated(proto, *arrays.values())
    for ours, theirs in zip(found, by_onnxruntime(proto, *arrays.values()), strict=True):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        assert np.array_equal(np.isnan(ours), np.isnan(theirs))
        assert np.nanmax(np.abs(ours.astype(np.float64) - theirs)) <= within
    return found
